"""Django's administration, for admins alone, in the site's own dress."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest
from django.template.response import TemplateResponse

from memory.access import may, rights_of
from memory.rights import Right
from uac_site.operations.page import in_tiles
from uac_site.operations.traffic import traffic


class Office(AdminSite):
    """Strangers are asked to log in; staff without the right are told that it is not for them."""

    site_header = site_title = "Administration"
    index_title = "People, apps, keys, jobs"

    def has_permission(self, request: HttpRequest) -> bool:
        if may(request.user, Right.ADMINISTER):
            return True
        if request.user.is_authenticated:
            raise PermissionDenied
        return False

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """The first page: how the site is doing, then what may be administered."""
        tiles = in_tiles(request, traffic())
        return super().index(request, {**tiles, **(extra_context or {})})


class OfficeBackend:
    """Django's own permissions, which its administration asks for: admins have all of them."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Nobody logs in by it."""

    def get_user(self, user_id: int) -> None:
        """Nobody is logged in by it."""

    def has_perm(self, user: Staff | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        """Whether somebody may administer; asked dozens of times a page, read once."""
        if not hasattr(user, "_rights"):
            user._rights = rights_of(user)  # type: ignore[union-attr]
        return Right.ADMINISTER in user._rights  # type: ignore[union-attr]

    def has_module_perms(self, user: Staff | AnonymousUser, app_label: str) -> bool:
        """The same for a whole app."""
        return self.has_perm(user, app_label)
