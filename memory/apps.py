"""The memory: log, state, code, and running it."""

from __future__ import annotations

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        """Tell drf-spectacular about app keys, and the queue what it can run."""
        from memory import upgrades  # noqa: F401  (registers the job it handles)
        from memory.api import openapi  # noqa: F401  (registers itself)
