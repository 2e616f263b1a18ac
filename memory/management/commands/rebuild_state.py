"""`manage.py rebuild_state`: rebuild every record from the log, or check that all are right."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from memory.actions.rebuild_state import rebuild_state
from memory.models import MemoryUser


class Command(BaseCommand):
    help = "Rebuild the records of one person, or of all, from the log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", type=UUID, help="The id of one person.")
        parser.add_argument(
            "--check", action="store_true", help="Change nothing; exit with 1 on a difference."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        users = MemoryUser.objects.order_by("created_at", "pk")
        if options["user"]:
            users = users.filter(pk=options["user"])
            if not users.exists():
                raise CommandError(f"There is no person {options['user']}.")
        differences = 0
        for user_id in users.values_list("pk", flat=True):
            for found in rebuild_state(user_id=user_id, check_only=options["check"]):
                differences += 1
                self.stdout.write(f"{user_id}: {found.kind} {found.record_id}: {found.what}")
        if differences and options["check"]:
            raise CommandError(f"{differences} records are not what the log amounts to.")
        self.stdout.write(f"{users.count()} people, {differences} differences.")
