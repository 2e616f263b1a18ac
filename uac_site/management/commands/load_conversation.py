"""`manage.py load_conversation`: the example conversation, read here and now; safe to repeat."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from uac_site.examples.talk import talk_here


class Command(BaseCommand):
    help = "Post the example conversation and have it read here, where a model is configured."

    def handle(self, *args: Any, **options: Any) -> None:
        talk_here()
