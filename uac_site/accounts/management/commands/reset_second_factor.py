"""`manage.py reset_second_factor`: for who lost phone and codes where no admin is left to help."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User as Staff
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.audit import CONSOLE
from uac_site.accounts.actions.second_factor import remove_second_factor


class Command(BaseCommand):
    help = "Forget somebody's authenticator and recovery codes and end their sessions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        staff = Staff.objects.filter(username=options["username"]).first()
        if staff is None:
            raise CommandError("Nobody has this user name.")
        if not remove_second_factor(staff=staff, actor=CONSOLE, now=timezone.now()):
            raise CommandError("They have no second factor.")
        self.stdout.write("Reset. Where their role demands one, they set it up at the next login.")
