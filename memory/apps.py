"""The memory: log, state, code, and running it."""

from __future__ import annotations

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        """Tell drf-spectacular about app keys, the jobs' queue what it can run, and the reviewers'
        queue what waits for them."""
        from memory import upgrades  # noqa: F401  (registers the job it handles)
        from memory.api import openapi  # noqa: F401  (registers itself)
        from memory.queue import sources
        from memory.queue.held import HeldReadings
        from memory.queue.proposals import Proposals
        from memory.retrieval import tasks  # noqa: F401  (registers the jobs it handles)

        for source in (Proposals(), HeldReadings()):
            sources.register(source)
