"""The memory: log, state, code, and running it."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        """Tell drf-spectacular about app keys, the jobs' queue what it can run, the reviewers'
        queue what waits for them, and a database that can to keep vectors."""
        from memory import upgrades  # noqa: F401  (registers the job it handles)
        from memory.api import openapi  # noqa: F401  (registers itself)
        from memory.queue import sources
        from memory.queue.held import HeldReadings
        from memory.queue.proposals import Proposals
        from memory.retrieval import tasks  # noqa: F401  (registers the jobs it handles)
        from memory.retrieval.vectors import pgvector

        for source in (Proposals(), HeldReadings()):
            sources.register(source)
        post_migrate.connect(pgvector.prepare, sender=self)
