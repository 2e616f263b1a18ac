"""Who calls the API: an app, by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memory.actions.app_keys import note_use
from memory.models import App, AppKey

if TYPE_CHECKING:  # REST framework's views import this module
    from rest_framework.views import APIView

REALM = 'Bearer realm="user-as-code"'


class AppKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer uac_…`; the request's user is the app, its auth the key."""

    def authenticate(self, request: Request) -> tuple[App, AppKey] | None:
        scheme, _, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        key = AppKey.objects.for_secret(secret.strip()).first()
        if key is None:
            raise AuthenticationFailed("This app key is unknown or revoked; ask an admin for one.")
        note_use(key=key, now=timezone.now())
        return key.app, key

    def authenticate_header(self, request: Request) -> str:
        return REALM


class IsApp(BasePermission):
    """Only an app with an active key enters."""

    message = "Send an app key as `Authorization: Bearer uac_…`."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.user, App)
