"""Alerts and watermarks to look at; what is done to an alert is done on the dashboard."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import User as Staff
from django.db.models import QuerySet
from django.http import HttpRequest

from alerts import access
from alerts.models import Alert, AlertEvent, Watermark
from memory.admin import ReadOnly


@admin.register(Alert)
class AlertAdmin(ReadOnly):
    """Alerts and early words to look at, whatever became of them."""

    list_display = ("id", "origin", "severity", "status", "rule", "user", "opened_at", "changed_at")
    list_filter = ("status", "severity", "origin", "rule")
    list_select_related = ("user",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Alert]:
        """Those of the people of one's own teams: administering alone shows no content."""
        assert isinstance(request.user, Staff)  # the admin let nobody else in
        return access.everything(request.user)


@admin.register(AlertEvent)
class AlertEventAdmin(ReadOnly):
    """What happened to alerts; comments stay on the pages of who handles them."""

    list_display = ("id", "at", "kind", "severity", "alert", "user", "actor", "reason")
    list_filter = ("kind", "severity", "reason")
    list_select_related = ("alert", "user", "actor")
    ordering = ("-pk",)
    exclude = ("comment",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AlertEvent]:
        """Those about the people of one's own teams."""
        assert isinstance(request.user, Staff)  # the admin let nobody else in
        return access.events(request.user)


@admin.register(Watermark)
class WatermarkAdmin(ReadOnly):
    """How far the rules have seen each person."""

    list_display = ("user", "fact_seq", "reading_seq", "local_date", "evaluated_at")
    list_select_related = ("user",)
    ordering = ("evaluated_at",)
