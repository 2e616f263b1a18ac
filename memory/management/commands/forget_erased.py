"""`manage.py forget_erased`: write SQLite's file anew, without what was deleted from it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from memory.forgetting import forget_erased


class Command(BaseCommand):
    help = "After an erasure, when the database file was in use: write it anew (SQLite)."

    def handle(self, *args: Any, **options: Any) -> None:
        forget_erased()
        self.stdout.write("Done. On PostgreSQL the server's own vacuum does it.")
