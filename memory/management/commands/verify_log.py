"""`manage.py verify_log`: show that no log was tampered with, or name the first broken entry."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from memory.models import MemoryUser
from memory.verification import verify_user


class Command(BaseCommand):
    help = "Verify the chains of one person, or of all; exits with 1 and names what is broken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", type=UUID, help="The id of one person.")

    def handle(self, *args: Any, **options: Any) -> None:
        users = MemoryUser.everybody.order_by("created_at", "pk")
        if options["user"]:
            users = users.filter(pk=options["user"])
            if not users.exists():
                raise CommandError(f"There is no person {options['user']}.")
        broken = 0
        count = 0
        for user_id in users.values_list("pk", flat=True):
            count += 1
            for found in verify_user(user_id):
                broken += 1
                self.stderr.write(f"{user_id}: {found.stream} {found.seq}: {found.reason}")
        if broken:
            raise CommandError(f"{broken} chains are broken, of {count} people.")
        self.stdout.write(f"{count} people: every chain holds.")
