"""What stands between a session and every page."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from uac_site.accounts import pending
from uac_site.accounts.limits import to_renew
from uac_site.accounts.second_factor import next_step

ALWAYS = {"logout", "session", "session_ended"}


class AccountMiddleware:
    """No page but enrolment until the second factor is given; acts renew the session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return self.get_response(request)  # apps with keys pay nothing here
        if not request.user.is_authenticated:
            return self._to_the_end(request, self.get_response(request))
        step = self._step(request)
        if step:
            pending.begin(request, staff=request.user, then=_page(request))
            return redirect(step)
        if _is_act(request) and to_renew(request.session, now=timezone.now()):
            request.session.modified = True
        return self.get_response(request)

    def _step(self, request: HttpRequest) -> str:
        if not isinstance(request.user, Staff) or request.path in map(reverse, ALWAYS):
            return ""
        return next_step(request.user, proved=pending.proved_of(request))

    def _to_the_end(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Who comes with a session that is over reads that before they are asked to log in."""
        asked = response.status_code == 302 and response["Location"].startswith(
            reverse(settings.LOGIN_URL) + "?"
        )
        if asked and request.session.is_empty():
            query = response["Location"].partition("?")[2]
            response["Location"] = f"{reverse('session_ended')}?{query}"
        return response


def _is_act(request: HttpRequest) -> bool:
    """Whether a person did something; a page that keeps itself up to date did not."""
    by_script = request.headers.get("X-Requested-With") == "fetch"
    return not by_script and request.path != reverse("session")


def _page(request: HttpRequest) -> str:
    """Where to go on afterwards: what was sent by a form cannot be sent again."""
    return request.get_full_path() if request.method in ("GET", "HEAD") else ""
