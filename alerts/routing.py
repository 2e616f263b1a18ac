"""The sockets of the alerts."""

from __future__ import annotations

from django.urls import path

from alerts.consumers import AlertEventsConsumer

websocket_urlpatterns = [path("ws/alerts", AlertEventsConsumer.as_asgi())]
