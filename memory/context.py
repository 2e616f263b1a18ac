"""What every template may ask."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from memory.access import rights_of


def rights(request: HttpRequest) -> dict[str, Any]:
    """`may`: the names of the reader's rights, such as `alerts:read`; read when first asked for."""

    def names() -> frozenset[str]:
        known = getattr(request, "rights", None)
        found = rights_of(getattr(request, "user", None)) if known is None else known
        return frozenset(right.value for right in found)

    return {"may": SimpleLazyObject(names)}
