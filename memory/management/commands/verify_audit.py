"""`manage.py verify_audit`: show that the audit was not tampered with, or name what was."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.audit_verification import verify_audit
from memory.models import AuditSeal


class Command(BaseCommand):
    help = "Verify the audit's seals and events; exits with 1 and names what does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--continues", help="A head kept from before; it must be in the chain.")

    def handle(self, *args: Any, **options: Any) -> None:
        found = verify_audit()
        for fault in found.faults:
            self.stderr.write(fault)
        if found.faults:
            raise CommandError(f"The audit does not hold: {len(found.faults)} faults.")
        self.stdout.write(
            f"{found.events} events under {found.seals} seals hold; {found.unsealed} are not "
            f"sealed yet, {found.dropped} were dropped when their time was over."
        )
        kept = options["continues"]
        if kept and not AuditSeal.objects.filter(hash=kept).exists():
            raise CommandError(f"The audit does not continue {kept}: seals are missing at its end.")
        self.stdout.write(f"head {found.head}")
