"""How many requests a key may make a minute."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from memory.models import AppKey

if TYPE_CHECKING:  # REST framework's views import this module
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)

WINDOW = 60
COUNTED = "uac.counted"
"""In the ASGI scope of what the site itself asks within a request that has been counted; no header
can set it."""


def allowed_a_minute(key: AppKey) -> int:
    """How many requests a key may make."""
    return key.requests_per_minute or settings.REQUESTS_PER_MINUTE


class AppThrottle(BaseThrottle):
    """A fixed window a minute for each key, counted in the cache by one increment a request.

    DRF's own throttle keeps a list of every request's time, which at thousands a minute costs
    more than the request.
    """

    def __init__(self) -> None:
        self.remaining = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.auth, AppKey) or _is_counted(request):
            return True
        minute, passed = divmod(time.time(), WINDOW)
        self.remaining = WINDOW - passed
        name = f"throttle:{request.auth.pk}:{int(minute)}"
        return self._count(name) <= allowed_a_minute(request.auth)

    def _count(self, name: str) -> int:
        """How many requests the window has seen; 1 where the cache cannot tell.

        A cache that is down must not keep facts out.
        """
        try:
            cache.add(name, 0, timeout=2 * WINDOW)
            return cache.incr(name)
        except ValueError:  # the cache dropped it between the two calls
            return 1
        except Exception:
            logger.exception("requests are not counted: the cache does not answer")
            return 1

    def wait(self) -> float:
        return max(1.0, self.remaining)


def _is_counted(request: Request) -> bool:
    return bool(request.META.get("asgi.scope", {}).get(COUNTED))
