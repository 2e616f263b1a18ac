"""Alerts and watermarks to look at; what is done to an alert is done on the dashboard."""

from __future__ import annotations

from django.contrib import admin

from alerts.models import Alert, Watermark
from memory.admin import ReadOnly


@admin.register(Alert)
class AlertAdmin(ReadOnly):
    """Every alert there ever was."""

    list_display = ("id", "severity", "status", "rule", "user", "opened_at", "changed_at")
    list_filter = ("status", "severity", "origin", "rule")
    list_select_related = ("user",)
    ordering = ("-pk",)


@admin.register(Watermark)
class WatermarkAdmin(ReadOnly):
    """How far the rules have seen each person."""

    list_display = ("user", "fact_seq", "reading_seq", "local_date", "evaluated_at")
    list_select_related = ("user",)
    ordering = ("evaluated_at",)
