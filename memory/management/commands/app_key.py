"""`manage.py app_key`: make, list and revoke the keys of chat apps."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actions.app_keys import create_app_key, revoke_app_key
from memory.models import AppKey


class Command(BaseCommand):
    help = "Make, list or revoke the keys of chat apps."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="Make a key; its secret is shown only now.")
        create.add_argument("app", help="The app's name; it is made if there is none.")
        verbs.add_parser("list", help="The keys, without their secrets.")
        revoke = verbs.add_parser("revoke", help="Close the door to a key.")
        revoke.add_argument("prefix", help="The first characters of the key, as listed.")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, options["verb"])(options)

    def create(self, options: dict[str, Any]) -> None:
        _, secret = create_app_key(app_name=options["app"], now=timezone.now())
        self.stdout.write(secret)

    def list(self, options: dict[str, Any]) -> None:
        for key in AppKey.objects.select_related("app").order_by("app__name", "created_at"):
            state = "revoked" if key.revoked_at else "active"
            used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
            self.stdout.write(f"{key.prefix}  {key.app.name}  {state}  last used {used}")

    def revoke(self, options: dict[str, Any]) -> None:
        keys = list(AppKey.objects.active().filter(prefix=options["prefix"]))
        if len(keys) != 1:
            raise CommandError(f"{len(keys)} active keys begin so; see `manage.py app_key list`.")
        revoke_app_key(key=keys[0], now=timezone.now())
        self.stdout.write("Revoked.")
