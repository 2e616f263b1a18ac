"""What is told of an event: ids, kind and severity, and what the alert says where that was asked.

Whoever is told fetches the rest over the API or a page, where access is decided.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from alerts.models import Alert, AlertEvent
from memory.project.chain import moment

SUBJECTS = {"critical": "A critical alert", "warning": "A warning", "info": "An information"}
MOST_LINES = 50


def event_body(
    event: AlertEvent, *, delivery_id: UUID, tells_summary: bool, step: int | None = None
) -> str:
    """The JSON that a webhook is sent. `event.alert` and `event.user` have been read with it."""
    alert, person = event.alert, event.user
    told: dict[str, Any] = {
        "delivery": str(delivery_id),
        "type": "alert",
        "event": {"id": event.pk, "kind": event.kind, "at": moment(event.at)},
        "user": {"id": str(person.pk), "external_id": person.external_id},
        "alert": {"id": alert.pk, "origin": alert.origin, "severity": event.severity},
    }
    if tells_summary:
        told["alert"]["summary"] = alert.summary
    if step is not None:
        told["event"]["minutes"] = step
    return json.dumps(told, ensure_ascii=False)


def trial_body(*, delivery_id: UUID, now: datetime) -> str:
    """The JSON of a test: about nobody."""
    told = {"delivery": str(delivery_id), "type": "test", "at": moment(now)}
    return json.dumps(told)


def mail_subject(alerts: Sequence[Alert]) -> str:
    """`A critical alert waits`, `3 alerts wait, 1 of them critical`: no person and no word."""
    if len(alerts) == 1:
        return f"{SUBJECTS[alerts[0].severity]} waits"
    critical = sum(one.severity == "critical" for one in alerts)
    return f"{len(alerts)} alerts wait" + (f", {critical} of them critical" if critical else "")


def mail_text(alerts: Sequence[Alert], *, summaries: frozenset[int]) -> str:
    """A line for each alert, with what it says for those in `summaries`, and where to find it."""
    lines = [_line(one, told=one.pk in summaries) for one in alerts[:MOST_LINES]]
    if len(alerts) > MOST_LINES:
        lines.append(f"… and {len(alerts) - MOST_LINES} more")
    return "Nobody has acknowledged:\n\n" + "\n\n".join(lines) + "\n"


def _line(alert: Alert, *, told: bool) -> str:
    words = f"{alert.get_severity_display()}, alert {alert.pk}, since {alert.status_at:%H:%M} UTC"
    parts = [words, alert.summary if told else "", link_to(alert)]
    return "\n".join(part for part in parts if part)


def link_to(alert: Alert) -> str:
    """Where an alert stands, if the site knows its own address."""
    site: str = settings.SITE_URL
    return f"{site}{reverse('alert', args=[alert.pk])}" if site else ""
