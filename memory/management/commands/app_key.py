"""`manage.py app_key`: make, rotate, list and revoke the keys of chat apps."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actions.app_keys import (
    LIFETIME,
    OVERLAP,
    Grant,
    create_app_key,
    revoke_app_key,
    rotate_app_key,
)
from memory.audit import CONSOLE
from memory.models import AppKey, MemoryUser, Reach, Team
from memory.rights import SCOPES, Right


class Command(BaseCommand):
    help = "Make, rotate, list or revoke the keys of chat apps."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="Make a key; its secret is shown only now.")
        create.add_argument("app", help="The app's name; it is made if there is none.")
        create.add_argument(
            "--scope",
            action="append",
            choices=[scope.value for scope in SCOPES],
            help="What the key may do; repeat it for more. Every scope unless told.",
        )
        create.add_argument(
            "--reach",
            choices=[Reach.ALL.value, Reach.OWN.value],
            default=Reach.ALL.value,
            help="All people, or those the app has created.",
        )
        create.add_argument(
            "--person",
            action="append",
            metavar="ID",
            default=[],
            help="Reach this person only; repeat it for more.",
        )
        create.add_argument("--days", type=int, default=LIFETIME.days, help="Until it expires.")
        create.add_argument("--per-minute", type=int, help="How many requests it may make.")
        create.add_argument("--team", help="The team that cares for people the app introduces.")
        verbs.add_parser("list", help="The keys, without their secrets.")
        rotate = verbs.add_parser("rotate", help="A new key in place of one, which ends later.")
        rotate.add_argument("prefix", help="The first characters of the key, as listed.")
        rotate.add_argument(
            "--overlap-days", type=int, default=OVERLAP.days, help="How long both open the door."
        )
        revoke = verbs.add_parser("revoke", help="Close the door to a key.")
        revoke.add_argument("prefix", help="The first characters of the key, as listed.")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, options["verb"])(options)

    def create(self, options: dict[str, Any]) -> None:
        people = [self.person(text) for text in options["person"]]
        try:
            grant = Grant(
                scopes=[Right(scope) for scope in options["scope"] or SCOPES],
                reach=Reach.LISTED if people else Reach(options["reach"]),
                people=[person.pk for person in people],
                lifetime=timedelta(days=options["days"]),
                requests_per_minute=options["per_minute"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        _, secret = create_app_key(
            app_name=options["app"],
            grant=grant,
            actor=CONSOLE,
            now=timezone.now(),
            team=self.team(options["team"]),
        )
        self.stdout.write(secret)

    def list(self, options: dict[str, Any]) -> None:
        now = timezone.now()
        for key in AppKey.objects.select_related("app").order_by("app__name", "created_at"):
            used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
            scopes = "every scope" if len(key.scopes) == len(SCOPES) else " ".join(key.scopes)
            self.stdout.write(
                f"{key.prefix}  {key.app.name}  {key.state_at(now)}  {scopes}  "
                f"{key.get_reach_display()}  until {key.expires_at:%Y-%m-%d}  last used {used}"
            )

    def rotate(self, options: dict[str, Any]) -> None:
        key = self.key(options["prefix"])
        overlap = timedelta(days=options["overlap_days"])
        _, secret = rotate_app_key(key=key, actor=CONSOLE, now=timezone.now(), overlap=overlap)
        self.stdout.write(secret)

    def revoke(self, options: dict[str, Any]) -> None:
        revoke_app_key(key=self.key(options["prefix"]), actor=CONSOLE, now=timezone.now())
        self.stdout.write("Revoked.")

    def key(self, prefix: str) -> AppKey:
        """The one active key that begins so."""
        keys = list(AppKey.objects.active(timezone.now()).filter(prefix=prefix))
        if len(keys) != 1:
            raise CommandError(f"{len(keys)} active keys begin so; see `manage.py app_key list`.")
        return keys[0]

    def person(self, text: str) -> MemoryUser:
        """A person by their id."""
        try:
            return MemoryUser.objects.get(pk=text)
        except (MemoryUser.DoesNotExist, ValidationError) as error:
            raise CommandError(f"There is no person with the id {text}.") from error

    def team(self, name: str | None) -> Team | None:
        """A team by its name."""
        if name is None:
            return None
        found = Team.objects.filter(name=name).first()
        if found is None:
            raise CommandError(f"There is no team called {name}.")
        return found
