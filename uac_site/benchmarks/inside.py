"""What a benchmark has at hand inside its own process: options, an app key, a folder, people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from memory.actions.app_keys import EVERYTHING, create_app_key
from memory.actions.teams import create_team
from memory.audit import CONSOLE
from memory.models import App
from uac_site.benchmarks.colleagues import TEAM
from uac_site.benchmarks.measure import Result, table

Benchmark = Callable[["Inside"], Result]


@dataclass(frozen=True)
class Inside:
    """A migrated scratch database with one app, and where to keep logs."""

    folder: Path
    options: Any
    app: App
    secret: str

    @property
    def engine(self) -> str:
        """The database: sqlite or postgresql."""
        return connection.vendor

    def say(self, text: str) -> None:
        """Print a line, at once."""
        print(text, flush=True)

    def show(self, title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table under a title."""
        self.say(f"\n{title} ({self.engine})\n\n{table(head, rows)}\n")


def prepare(folder: Path, options: Any) -> Inside:
    """Migrate the empty database and make an app with a key."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    now = timezone.now()
    team = create_team(name=TEAM, actor=CONSOLE, now=now)
    key, secret = create_app_key(
        app_name="benchmark", grant=EVERYTHING, actor=CONSOLE, now=now, team=team
    )
    return Inside(folder, options, key.app, secret)


def settle() -> None:
    """Let the database gather its statistics, as it would by itself within a minute."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
