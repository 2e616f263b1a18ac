"""The instruments of the benchmarks, in processes that run with the benchmarks' settings."""

from __future__ import annotations

from django.apps import AppConfig


class BenchmarksConfig(AppConfig):
    name = "uac_site.benchmarks"
    label = "benchmarks"

    def ready(self) -> None:
        """Put the instruments around the evaluator, and name the job that the queue runs."""
        from uac_site.benchmarks import instruments, sleeper  # noqa: F401  (registers its job)

        instruments.install()
