"""`manage.py import_facts`: record the facts of a CSV or JSON lines file for a person."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.importing.bar import bar
from memory.importing.facts import Refused, check, record, strictly
from memory.importing.lines import BadLine, Format, Line, read_lines
from memory.management.commands.export_project import person_called
from memory.models import App

SUFFIXES: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


class Command(BaseCommand):
    help = "Record facts from a file. Begun again it goes on where it ended; see docs/import.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="*.csv with a heading, or *.jsonl")
        parser.add_argument("--user", required=True, help="The person's id, or the app's own id")
        parser.add_argument("--app", required=True, help="The app in whose name they are recorded")
        parser.add_argument("--format", choices=["csv", "jsonl"], help="Where the name tells none")
        parser.add_argument("--check", action="store_true", help="Look, and record nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        format_ = options["format"] or SUFFIXES.get(path.suffix.lower())
        if format_ is None:
            raise CommandError(f"{path.name}: give --format csv or --format jsonl.")
        person, app = person_called(options["user"]), app_called(options["app"])
        try:
            with _lines(path, format_) as lines:
                total = check(lines, now=timezone.now())
            if options["check"]:
                self.stdout.write(f"{total:,} facts have the shape of one; nothing was recorded.")
                return
            new = before = 0
            with _lines(path, format_) as lines:
                for batch in record(lines, user=person, app=app, now=timezone.now):
                    new += 0 if batch.repeated else batch.facts
                    before += batch.facts if batch.repeated else 0
                    self._show(new + before, total)
        except (BadLine, Refused) as error:
            raise CommandError(
                f"{error}\nMend the file and begin again; nothing comes twice."
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{path} cannot be read: {error}") from error
        self.stdout.write(
            f"{new:,} facts recorded, {before:,} were there from before; the queue runs the rules."
        )

    def _show(self, done: int, total: int) -> None:
        """The bar: in its place on a terminal, a line each elsewhere."""
        here = self.stderr.isatty()
        ending = "" if here and done < total else "\n"
        self.stderr.write(
            f"{chr(13) if here else ''}{bar(done, total, what='facts')}", ending=ending
        )
        self.stderr.flush()


@contextmanager
def _lines(path: Path, format_: Format) -> Iterator[Iterator[Line]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield read_lines(file, format_, strictly)


def app_called(name: str) -> App:
    """The app of this name. Raises CommandError."""
    app = App.objects.filter(name=name).first()
    if app is None:
        raise CommandError(f"There is no app {name!r}; `manage.py app_key create` makes one.")
    return app
