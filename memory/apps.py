"""The memory: log, state, code, and running it."""

from __future__ import annotations

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        """Tell drf-spectacular about app keys."""
        from memory.api import openapi  # noqa: F401  (registers itself)
