"""`manage.py demo`: everything to try it: database, logins, example people, web and worker."""

from __future__ import annotations

import json
import os
import shlex
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.checkpointer.model.config import model_config
from memory.models import MemoryUser, Stage
from uac_site.env import environment
from uac_site.examples.load import load_examples
from uac_site.examples.logins import KEY_FILE, Login, demo_key, make_logins
from uac_site.examples.talk import is_read, post_talk, read_talk, talk_with_recorded_answers
from uac_site.management.commands.serve import add_place_arguments
from uac_site.running import Ended, Place, PortTaken, run_until_stopped
from uac_site.serving import NotReady

PATIENT = "example-margarete"
PRESCRIBED = {
    "text": "The substitute prescribed amoxicillin 1000 mg for the sore throat.",
    "readings": [
        {
            "kind": "health.Medication",
            "data": {"name": "amoxicillin", "dose": "1000 mg", "status": "prescribed"},
        }
    ],
}
STOPPED = {
    "text": "The amoxicillin was cancelled; Margarete takes clindamycin instead.",
    "readings": [
        {
            "kind": "health.Medication",
            "op": "update",
            "id": "amoxicillin",
            "data": {"status": "stopped"},
        }
    ],
}


class Command(BaseCommand):
    help = "Migrate, make logins and a key, load example people, then serve until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_place_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        place = Place(options["host"], options["port"])
        try:
            place.check_free()  # before the work, which takes some seconds
            call_command("migrate", verbosity=0)
            logins = make_logins(now=timezone.now())
            self.load()
            # after the examples, which have teams of their own: the app's is for people to come
            secret, new_key = demo_key(now=timezone.now())
            lines = [
                *welcome(place, logins, secret if new_key else ""),
                *try_it(place, MemoryUser.objects.get(external_id=PATIENT)),
            ]
            run_until_stopped(
                place,
                worker=True,
                when_ready=lambda: self.say("\n".join(["", *lines, ""])),
                # the lines above are to stay in sight
                environment={"LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"), **one_factor()},
            )
        except (PortTaken, NotReady, Ended) as error:
            raise CommandError(str(error)) from error
        self.say("Stopped.")

    def load(self) -> None:
        """Load the example people and say who they are."""
        self.say("Example people, each with a year of facts:")
        for loaded in load_examples(now=timezone.now()):
            self.say(
                f"  {loaded.user.display_name:17} {loaded.user.fact_seq} facts, "
                f"open alerts: {loaded.open_alerts}, {loaded.user.timezone}"
            )
        self.talk()

    def talk(self) -> None:
        """Post the example conversation, for the model or, without one, for its cassette."""
        talk = read_talk()
        if model_config().model_for(Stage.READ):
            for _ in post_talk(talk, now=timezone.now()):
                pass
            self.say(f"  {talk.name:17} a conversation, which the configured model reads")
        elif not is_read(talk):
            self.say(
                f"  {talk.name:17} a conversation; no model is configured: an endpoint on this "
                f"machine has given {talk_with_recorded_answers()} recorded answers"
            )

    def say(self, text: str) -> None:
        """Write what is seen at once."""
        self.stdout.write(text)
        self.stdout.flush()


def one_factor() -> dict[str, str]:
    """Logins without a phone, where the site answers on this machine alone; else as always."""
    return {"UAC_DEMO_WITHOUT_SECOND_FACTOR": "true"} if environment().only_here else {}


def welcome(place: Place, logins: list[Login], new_secret: str) -> list[str]:
    """The address, and what is shown only once."""
    lines = [
        f"Dashboard  {place.address}/",
        f"API        {place.address}/api/v1/docs (log in first)",
    ]
    for login in logins:
        known = "password as shown when it was made; new one: .venv/bin/python manage.py"
        password = login.password or f"({known} changepassword {login.username})"
        lines.append(f"Login      {login.username:9}  {password}  {login.what}")
    if one_factor():
        lines.append("           In this demo alone no login needs a second factor.")
    if new_secret:
        lines.append(f"App key    {new_secret}  (kept in {KEY_FILE})")
        lines.append("           Passwords and key are shown this once.")
    return lines


def try_it(place: Place, patient: MemoryUser) -> list[str]:
    """Two commands that raise an alert and clear it, as often as one likes."""
    name = patient.display_name
    url = f"{place.address}/api/v1/users/{patient.pk}/facts"
    return [
        "",
        f"Open the dashboard and post a fact: {name} told us of a penicillin reaction months ago.",
        "The alert appears by itself:",
        "",
        curl(url, PRESCRIBED),
        "",
        "And clear it (then the first raises it again):",
        "",
        curl(url, STOPPED),
        "",
        "Code to judge: Priya Raman's migraine diary is of a kind nobody had heard of. Its schema,",
        f"inferred from the facts, waits for approval: {place.address}/proposals",
        "",
        "Read by a model: Sofia Marino's conversation left a concern, a reading held for you to",
        "confirm, and a proposed rule with what it would say now, all on her page.",
        "",
        "Ctrl-C stops everything.",
    ]


def curl(url: str, body: dict[str, Any]) -> str:
    """A command to paste into a shell; the key comes from its file."""
    return (
        f"curl -sS {url} \\\n"
        f'  -H "Authorization: Bearer $(cat {shlex.quote(str(KEY_FILE))})" \\\n'
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(json.dumps(body))}"
    )
