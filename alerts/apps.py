"""Alerts: what the rules found, and what people did about it."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models.signals import post_delete, post_save


class AlertsConfig(AppConfig):
    name = "alerts"

    def ready(self) -> None:
        """Give the memory its evaluator and the reviewers' queue its concerns.

        The memory itself knows nothing of alerts.
        """
        from alerts import tasks  # noqa: F401  (registers the jobs it handles)
        from alerts.delivery import tasks as delivery_tasks  # noqa: F401  (the same)
        from alerts.delivery.wake import wake_for_events
        from alerts.early.queue import Concerns
        from alerts.evaluation.run import AlertsEvaluator
        from alerts.live.guests import session_model
        from alerts.live.hub import access_has_changed, committed
        from memory import evaluator
        from memory.queue import sources
        from memory.standing import access_changed

        committed.connect(wake_for_events, dispatch_uid="deliveries")
        evaluator.register(AlertsEvaluator())
        sources.register(Concerns())
        access_changed.connect(access_has_changed, dispatch_uid="open pages")
        for model, signal in ((session_model(), post_delete), (get_user_model(), post_save)):
            signal.connect(_announce, sender=model, dispatch_uid=f"open pages: {model.__name__}")


def _announce(**signal: object) -> None:
    """A session has ended, or a login was changed (it may have been disabled)."""
    from memory.standing import announce_change

    announce_change()
