"""How many requests an app may make a minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from memory.models import AppKey

if TYPE_CHECKING:  # REST framework's views import this module
    from rest_framework.views import APIView

WINDOW = 60


class AppThrottle(BaseThrottle):
    """A fixed window a minute for each key, counted in the cache by one increment a request.

    DRF's own throttle keeps a list of every request's time, which at thousands a minute costs
    more than the request.
    """

    def __init__(self) -> None:
        self.remaining = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.auth, AppKey):
            return True
        minute, passed = divmod(time.time(), WINDOW)
        self.remaining = WINDOW - passed
        name = f"throttle:{request.auth.pk}:{int(minute)}"
        cache.add(name, 0, timeout=2 * WINDOW)
        try:
            count = cache.incr(name)
        except ValueError:  # the cache dropped it between the two calls
            count = 1
        return count <= settings.REQUESTS_PER_MINUTE

    def wait(self) -> float:
        return max(1.0, self.remaining)
