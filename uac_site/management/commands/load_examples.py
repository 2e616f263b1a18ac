"""`manage.py load_examples`: example people with a year of facts each; safe to repeat."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from uac_site.examples.load import load_examples


class Command(BaseCommand):
    help = "Load example people with a year of facts each; what is there already stays."

    def handle(self, *args: Any, **options: Any) -> None:
        for loaded in load_examples(now=timezone.now()):
            self.stdout.write(
                f"{loaded.user.display_name}: {loaded.user.fact_seq} facts "
                f"({loaded.new_facts} new), open alerts: {loaded.open_alerts}"
            )
