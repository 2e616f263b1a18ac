"""Alerts: what the rules found, and what people did about it."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models.signals import post_delete, post_save


class AlertsConfig(AppConfig):
    name = "alerts"

    def ready(self) -> None:
        """Give the memory its evaluator; the memory itself knows nothing of alerts."""
        from alerts import tasks  # noqa: F401  (registers the jobs it handles)
        from alerts.door import session_model
        from alerts.evaluation import AlertsEvaluator
        from alerts.live import access_has_changed
        from memory import evaluator
        from memory.standing import access_changed

        evaluator.register(AlertsEvaluator())
        access_changed.connect(access_has_changed, dispatch_uid="open pages")
        for model, signal in ((session_model(), post_delete), (get_user_model(), post_save)):
            signal.connect(_announce, sender=model, dispatch_uid=f"open pages: {model.__name__}")


def _announce(**signal: object) -> None:
    """A session has ended, or a login was changed (it may have been disabled)."""
    from memory.standing import announce_change

    announce_change()
