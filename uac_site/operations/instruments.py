"""What each web process counts itself: requests, sockets, how soon events reach open pages.

With `UAC_METRICS_DIR` every process of a machine writes its counts into files there, and whichever
is asked answers for all of them; without it each answers for itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from alerts.live.hub import Happened

disable_created_metrics()  # type: ignore[no-untyped-call]  # a series more for each, which nobody reads
REGISTRY = CollectorRegistry()
LATENCIES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUESTS = Counter(
    "uac_http_requests",
    "Requests answered, by the template of their address.",
    ("method", "route", "status"),
    registry=REGISTRY,
)
SECONDS = Histogram(
    "uac_http_request_seconds",
    "From the first to the last line of Django, by the template of the address.",
    ("method", "route"),
    buckets=LATENCIES,
    registry=REGISTRY,
)
SOCKETS = Gauge(
    "uac_sockets_open",
    "WebSockets of staff that are open.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
PUSHED = Histogram(
    "uac_event_push_seconds",
    "From the moment of an alert event until the open pages of a process were told.",
    buckets=LATENCIES,
    registry=REGISTRY,
)


def count_pushed(events: Sequence[Happened], **signal: Any) -> None:
    """Note how old events were when the open pages had been told."""
    now = timezone.now()
    for event in events:
        PUSHED.observe(max(0.0, (now - event.at).total_seconds()))


def registry() -> CollectorRegistry:
    """The counts of this process, or of all of this machine where they share a folder."""
    if not settings.METRICS_DIR:
        return REGISTRY
    forget_dead(Path(settings.METRICS_DIR))
    shared = CollectorRegistry()
    MultiProcessCollector(shared, path=settings.METRICS_DIR)  # type: ignore[no-untyped-call]
    return shared


def forget_dead(folder: Path) -> None:
    """Count no socket of a process that was killed."""
    for path in folder.glob("gauge_live*.db"):
        pid = path.stem.rpartition("_")[2]
        if pid.isdigit() and not _runs(int(pid)):
            mark_process_dead(int(pid), path=str(folder))  # type: ignore[no-untyped-call]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
