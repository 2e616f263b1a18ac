"""Addresses below `/api/` that are none."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


@extend_schema(exclude=True)
class UnknownAddressView(APIView):
    """Answers like the rest of the API, and not with a page; whatever the method."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Say so once the key has been checked, to a caller without one no more than 401."""
        with suppress(PermissionDenied):  # there is nothing here that a scope could open
            super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address; /api/v1/docs lists those that are.")

    def get(self, request: Request, **kwargs: Any) -> Response:
        """Never reached; it makes the view answer at all."""
        raise NotFound
