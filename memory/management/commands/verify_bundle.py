"""`manage.py verify_bundle`: compute the digests and chains of an exported person again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.models import AuditEvent
from memory.project.person_bundle import NotABundle, check


class Command(BaseCommand):
    help = "Verify an exported bundle; exits with 1 and names what does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="The zip that was downloaded.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = check(options["file"].read_bytes())
        except (OSError, NotABundle) as error:
            raise CommandError(f"{options['file']} is no bundle: {error}") from error
        for fault in found.faults:
            self.stderr.write(fault)
        if found.faults:
            raise CommandError(f"The bundle does not hold: {len(found.faults)} faults.")
        self.stdout.write(
            f"{len(found.manifest['files'])} files hold, and the chains of {found.entries} entries."
        )
        exported = AuditEvent.objects.filter(action="person.export", object_id=found.digest)
        known = exported.order_by("pk").first()
        recorded = f"exported by this site on {known.at:%Y-%m-%d %H:%M} UTC" if known else (
            "not in the audit of this site"
        )  # fmt: skip
        self.stdout.write(f"manifest {found.digest}: {recorded}.")
