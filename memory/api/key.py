"""`key`: what the key that calls may do."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.authentication import IsApp
from memory.api.base import refusals
from memory.api.fields import Strict
from memory.api.throttling import allowed_a_minute
from memory.models import AppKey


class KeyOut(Strict):
    """The scopes of a key, and whom it reaches."""

    id: UUID
    app: str
    scopes: list[str]
    reach: Literal["all", "listed", "own"]
    requests_per_minute: int
    expires_at: datetime


class HasKey(BasePermission):
    """Whoever has an active key, whatever its scopes: there is nothing here but the key itself."""

    message = IsApp.message

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.user, AppKey)


class KeyView(APIView):
    permission_classes = [HasKey]
    http_method_names = ["get", "head"]

    @extend_schema(operation_id="get_key", responses={200: KeyOut, **refusals(401, 429)})
    def get(self, request: Request) -> Response:
        """What your key may do, and to whom."""
        key = request.user
        assert isinstance(key, AppKey)  # HasKey let nobody else in
        return Response(
            {
                "id": str(key.pk),
                "app": key.app.name,
                "scopes": sorted(key.scopes),
                "reach": key.reach,
                "requests_per_minute": allowed_a_minute(key),
                "expires_at": key.expires_at,
            }
        )
