"""Who calls the API: an app, by its key, within the key's scopes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memory import access
from memory.actions.app_keys import note_use
from memory.models import AppKey
from memory.rights import Right

if TYPE_CHECKING:  # REST framework's views import this module
    from rest_framework.views import APIView

REALM = 'Bearer realm="user-as-code"'


class AppKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer uac_…`; the request's user is the key, which knows its app."""

    def authenticate(self, request: Request) -> tuple[AppKey, AppKey] | None:
        scheme, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        now = timezone.now()
        key = AppKey.objects.for_secret(secret.strip(), now).first()
        if key is None:
            raise AuthenticationFailed(
                "This app key is unknown, expired or revoked; ask an admin for one."
            )
        note_use(key=key, now=now)
        return key, key

    def authenticate_header(self, request: Request) -> str:
        return REALM


class IsApp(BasePermission):
    """Only an app enters, with a key whose scopes name what the view's method needs.

    A view that says nothing of a method in `rights` lets nobody in.
    """

    message = "Send an app key as `Authorization: Bearer uac_…`."

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.user, AppKey):
            return False
        if not _answers(view, request.method or ""):
            return True  # with 405
        right = right_of(request, view)
        if right is not None and request.user.may(right):
            return True
        self.message = f"This key lacks the scope {right}; ask an admin for a key that has it."
        return False


class IsStaff(BasePermission):
    """Members of staff with some role, by their session: for pages without personal content."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(access.rights_of(request.user))


def _answers(view: APIView, method: str) -> bool:
    name = method.lower()
    return name in view.http_method_names and hasattr(view, name)


def right_of(request: Request, view: APIView) -> Right | None:
    """What a view's method needs, HEAD the same as GET; None where the view does not say."""
    rights: Mapping[str, Right] = getattr(view, "rights", {})
    method = request.method or ""
    if method in rights:
        return rights[method]
    if method == "HEAD":
        return rights.get("GET")
    return None
