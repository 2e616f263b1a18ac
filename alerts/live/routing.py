"""The sockets of the alerts."""

from __future__ import annotations

from typing import Any, cast

from django.urls import path

from alerts.live.consumers import AlertEventsConsumer

websocket_urlpatterns: list[Any] = [path("ws/alerts", cast(Any, AlertEventsConsumer.as_asgi()))]
