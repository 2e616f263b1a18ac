"""`manage.py export_project`: a person's project as a folder that runs under plain Python."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.files import files_of
from memory.models import MemoryUser
from memory.project.export import ExportError, write_folder


class Command(BaseCommand):
    help = "Write a person's project to a folder, to be run with `python -m uac_runner` there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="The person's id, or the app's own id")
        parser.add_argument("--today", type=date.fromisoformat, help="Another day than today")
        parser.add_argument("folder", type=Path, help="A new folder, or an empty one")

    def handle(self, *args: Any, **options: Any) -> None:
        person = person_called(options["user"])
        found = files_of(person.pk, now=timezone.now(), today=options["today"])
        try:
            write_folder(found.exported, options["folder"])
        except (ExportError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Wrote {len(found.exported)} files to {options['folder']}, "
            f"through fact {found.user.fact_seq}."
        )


def person_called(said: str) -> MemoryUser:
    """The person with this id, or whom an app calls by it. Raises CommandError."""
    try:
        found = MemoryUser.objects.filter(pk=UUID(said)).first()
    except ValueError:
        found = None
    found = found or MemoryUser.objects.filter(external_id=said).first()
    if found is None:
        raise CommandError(f"There is nobody with the id {said!r}.")
    return found
