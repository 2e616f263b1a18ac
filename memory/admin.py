"""The administration of people, apps and keys; the queue to look at. The log is not in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django_q.admin import FailAdmin, QueueAdmin, ScheduleAdmin, TaskAdmin
from django_q.models import Failure, OrmQ, Schedule, Success

from memory import access
from memory.actions.app_keys import (
    NotActive,
    create_app_key,
    revoke_app_key,
    rotate_app_key,
)
from memory.actions.users import change_user, get_or_create_user
from memory.forms import NewKeyForm
from memory.models import App, AppKey, Baseline, Job, MemoryUser
from memory.rights import SCOPES, Right

KEY_USE = ("last_used_at", "revoked_at")


def _staff(request: HttpRequest) -> Staff:
    assert isinstance(request.user, Staff)  # the admin let nobody else in
    return request.user


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to look at: nothing is added, changed, deleted or run."""

    actions: Sequence[str] = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(MemoryUser)
class MemoryUserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """People: name and time zone may change; what the log says of them may not."""

    list_display = ("display_name", "external_id", "timezone", "fact_seq", "created_at")
    list_display_links = ("display_name", "external_id")
    search_fields = ("display_name", "external_id")
    ordering = ("display_name", "external_id")
    fields = ("external_id", "display_name", "timezone", "created_at", "created_by", "fact_seq")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        told = ["created_at", "created_by", "fact_seq"]
        return told if obj is None else ["external_id", *told]

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemoryUser]:
        return access.memory_users(_staff(request), Right.ADMINISTER)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write name and zone alone: saving the whole row could set the log's heads back."""
        if change:
            change_user(
                user=obj,
                display_name=obj.display_name,
                timezone=obj.timezone,
                actor=_staff(request),
                now=timezone.now(),
            )
            return
        made, _ = get_or_create_user(
            external_id=obj.external_id,
            display_name=obj.display_name,
            timezone=obj.timezone,
            actor=_staff(request),
            now=timezone.now(),
        )
        obj.pk = made.pk


@admin.register(App)
class AppAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Apps by name."""

    list_display = ("name", "team", "created_at")
    list_select_related = ("team",)
    search_fields = ("name",)
    ordering = ("name",)
    fields = ("name",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.created_at = timezone.now()
        super().save_model(request, obj, form, change)


@admin.register(AppKey)
class AppKeyAdmin(ReadOnly):
    """Keys: made with their secret shown once, rotated, revoked, never changed."""

    list_display = ("prefix", "app", "may", "reach", "created_at", "expires_at", *KEY_USE)
    list_filter = ("app", "reach")
    list_select_related = ("app",)
    ordering = ("app__name", "-created_at")
    fields = (
        *("app", "prefix", "may", "reach", "people", "requests_per_minute"),
        *("created_at", "expires_at", *KEY_USE, "replaces"),
    )
    actions = ("rotate", "revoke")

    @admin.display(description="scopes")
    def may(self, key: AppKey) -> str:
        """What it may do."""
        return "every scope" if len(key.scopes) == len(SCOPES) else ", ".join(key.scopes)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Who may change keys by Django's own permissions may revoke and rotate them."""
        return admin.ModelAdmin.has_change_permission(self, request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask what the key is for; answer with the secret, which is shown only then."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = NewKeyForm(request.POST or None)
        if not form.is_valid():
            return self._render(request, "new", "New key", form=form)
        key, secret = create_app_key(
            app_name=form.cleaned_data["app"],
            grant=form.cleaned_data["grant"],
            actor=_staff(request),
            now=timezone.now(),
            team=form.cleaned_data["team"],
        )
        self.log_addition(request, key, f"Made a key for {key.app}.")
        return self._render(request, "created", "Copy the key now", key=key, secret=secret)

    def _render(
        self, request: HttpRequest, page: str, title: str, **context: object
    ) -> HttpResponse:
        """A page of its own: no redirect, message or session keeps a secret."""
        context |= {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return render(request, f"admin/memory/appkey/{page}.html", context)

    @admin.action(description="Rotate the selected key", permissions=["revoke"])
    def rotate(self, request: HttpRequest, queryset: QuerySet[AppKey]) -> HttpResponse | None:
        """A new key that may do the same; the old one goes on for a week."""
        key = queryset.select_related("app").first()
        if key is None or len(queryset) > 1:
            messages.error(request, "Rotate one key at a time: its secret is shown once.")
            return None
        try:
            made, secret = rotate_app_key(key=key, actor=_staff(request), now=timezone.now())
        except NotActive:
            messages.error(request, "This key is revoked or expired; make a new one.")
            return None
        self.log_change(request, key, "Rotated.")
        return self._render(request, "created", "Copy the key now", key=made, secret=secret)

    @admin.action(description="Revoke selected keys", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[AppKey]) -> None:
        """Close the door to keys."""
        now = timezone.now()
        count = 0
        for key in queryset:
            if revoke_app_key(key=key, actor=_staff(request), now=now):
                self.log_change(request, key, "Revoked.")
                count += 1
        words = "1 key was revoked." if count == 1 else f"{count} keys were revoked."
        messages.success(request, words)


@admin.register(Job)
class JobAdmin(ReadOnly):
    """Background work: what waits, runs, was done or has failed."""

    list_display = ("name", "status", "user", "attempts", "queued_at", "finished_at", "error")
    list_filter = ("status", "name")
    list_select_related = ("user",)
    ordering = ("-queued_at",)
    fields = (
        *("name", "user", "arguments", "status", "attempts", "queued_at", "delivered_at"),
        *("started_at", "lease_until", "finished_at", "error"),
    )


@admin.register(Baseline)
class BaselineAdmin(ReadOnly):
    """The code that everyone shares, by when it was adopted."""

    list_display = ("number", "tree", "adopted_at", "adopted_by")
    list_select_related = ("adopted_by",)
    ordering = ("-number",)
    fields = ("number", "tree", "adopted_at", "adopted_by")


# The queue's own admin runs tasks again and edits schedules, which name any function to call


class SuccessAdmin(ReadOnly, TaskAdmin):  # type: ignore[misc]
    """Deliveries that ended well."""


class FailureAdmin(ReadOnly, FailAdmin):  # type: ignore[misc]
    """Deliveries that failed."""


class SchedulesAdmin(ReadOnly, ScheduleAdmin):  # type: ignore[misc]
    """The sweeps and when they run next."""


class DeliveriesAdmin(ReadOnly, QueueAdmin):  # type: ignore[misc]
    """What lies on the queue."""


for model, shown in (
    (Success, SuccessAdmin),
    (Failure, FailureAdmin),
    (Schedule, SchedulesAdmin),
    (OrmQ, DeliveriesAdmin),
):
    admin.site.unregister(model)
    admin.site.register(model, shown)
