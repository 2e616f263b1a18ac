"""`manage.py serve`: the web process and the worker together, until Ctrl-C."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from uac_site.running import Ended, Place, PortTaken, run_until_stopped
from uac_site.serving import NotReady

DEFAULT_PORT = 8000


def add_place_arguments(parser: ArgumentParser) -> None:
    """Where to listen; the port is that of the environment's PORT unless told."""
    parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 unless told.")
    parser.add_argument(
        "--port",
        type=int,
        default=os.environ.get("PORT", DEFAULT_PORT),
        help="PORT of the environment, else 8000.",
    )


class Command(BaseCommand):
    help = "Start the web process and the worker; Ctrl-C stops both. Restarts nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_place_arguments(parser)
        parser.add_argument("--no-worker", action="store_true", help="Start the web process only.")

    def handle(self, *args: Any, **options: Any) -> None:
        place = Place(options["host"], options["port"])
        try:
            place.check_free()
            run_until_stopped(
                place,
                worker=not options["no_worker"],
                when_ready=lambda: self.say(f"Serving {place.address} (Ctrl-C stops it)."),
            )
        except (PortTaken, NotReady, Ended) as error:
            raise CommandError(str(error)) from error
        self.say("Stopped.")

    def say(self, line: str) -> None:
        """Write a line that is seen at once."""
        self.stdout.write(line)
        self.stdout.flush()
