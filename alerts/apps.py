"""Alerts: what the rules found, and what people did about it."""

from __future__ import annotations

from django.apps import AppConfig


class AlertsConfig(AppConfig):
    name = "alerts"

    def ready(self) -> None:
        """Give the memory its evaluator; the memory itself knows nothing of alerts."""
        from alerts import tasks  # noqa: F401  (registers the jobs it handles)
        from alerts.evaluation import AlertsEvaluator
        from memory import evaluator

        evaluator.register(AlertsEvaluator())
