"""Whether this process can do its work: each thing that it needs, tried out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from redis.exceptions import RedisError

from memory.sandbox import Feed, Limits, Program, SandboxError, run
from uac_site.operations.figures.kept import Kept
from uac_site.operations.figures.queue import heard_at, seconds_since

logger = logging.getLogger(__name__)

KEPT_SECONDS = 2.0  # whoever asks more often is told the same: the question costs them little
LAYER_SECONDS = 2.0
SANDBOX = Limits(total_seconds=3.0, feed_seconds=1.0)


@dataclass(frozen=True)
class Check:
    """One thing that is needed, whether it is there, and why not in words for an operator."""

    name: str
    ok: bool
    detail: str = ""


class NotThere(Exception):
    """What was looked for is not there, or not as it must be."""


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return connection.vendor


def _migrations() -> str:
    applied = {*MigrationRecorder(connection).applied_migrations()}
    missing = known_migrations() - applied
    if missing:
        raise NotThere(f"{len(missing)} not applied: run manage.py migrate")
    return ""


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """The migrations that this code comes with."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)


def _channel_layer() -> str:
    layer: Any = get_channel_layer()
    if isinstance(layer, InMemoryChannelLayer):
        return "in memory, for one process"
    async_to_sync(_say_something)(layer)
    return ""


async def _say_something(layer: Any) -> None:
    async with asyncio.timeout(LAYER_SECONDS):
        await layer.group_send("ready", {"type": "ready"})


def _worker() -> str:
    now = timezone.now()
    heard = heard_at(now)
    if heard is None:
        raise NotThere("none was ever heard: start manage.py qcluster")
    seconds = seconds_since(heard, now)
    if seconds > settings.WORKER_SILENT_SECONDS:
        raise NotThere(f"last heard {seconds:,.0f} s ago")
    return f"heard {seconds:,.0f} s ago"


def _sandbox() -> str:
    program = Program((Feed("ready.py", "6 * 7"),), now=timezone.now())
    if run(program, limits=SANDBOX).values != (42,):
        raise NotThere("it gives wrong answers")
    return ""


CHECKS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("database", _database),
    ("migrations", _migrations),
    ("channel layer", _channel_layer),
    ("worker", _worker),
    ("sandbox", _sandbox),
)


def _try_all() -> list[Check]:
    return [_try(name, check) for name, check in CHECKS]


def _try(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, check())
    except NotThere as error:
        return Check(name, False, str(error))
    except (DatabaseError, RedisError, SandboxError, OSError) as error:
        return Check(name, False, type(error).__name__)
    except Exception as error:
        logger.exception("the check of the %s failed", name)
        return Check(name, False, type(error).__name__)


READY = Kept(_try_all, KEPT_SECONDS)


def checks() -> list[Check]:
    """Everything that is needed, tried within the last two seconds."""
    return READY.get()
