"""`manage.py import_person`: bring a person in from the bundle that another site exported."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actions.import_person import NotImportable, import_person
from memory.management.commands.import_facts import app_called
from memory.project.person_bundle import NotABundle


class Command(BaseCommand):
    help = "Verify an exported bundle and bring its person in; see docs/import.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="The zip that was downloaded")
        parser.add_argument("--app", required=True, help="The app that introduces the person here")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            raw = options["file"].read_bytes()
            done = import_person(raw=raw, app=app_called(options["app"]), now=timezone.now())
        except (OSError, NotABundle, NotImportable) as error:
            raise CommandError(f"{options['file']} was not imported: {error}") from error
        self.stdout.write(
            f"{done.user.pk}: {done.entries:,} entries hold, {done.records:,} records; "
            "the queue runs the rules."
        )
        if done.own_code:
            self.stdout.write(
                "The bundle has code of the person's own. It is not active here: propose it by "
                "hand on their page, from code/ in the bundle."
            )
        if done.unknown_kinds:
            self.stdout.write(f"Without a kind here: {', '.join(done.unknown_kinds)}.")
