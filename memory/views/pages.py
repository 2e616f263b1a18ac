"""What every staff page shares."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from memory.access import NotFound, rights_of
from memory.rights import Right

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def staff_page(*rights: Right) -> Callable[[View[P]], View[P]]:
    """A page for staff with one of these rights; strangers are asked to log in.

    What access does not grant looks like what does not exist. A page that names no object is there
    for everybody, and says that it is not for this login.
    """

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            request.rights = rights_of(request.user)  # type: ignore[attr-defined]
            if request.rights.isdisjoint(rights):  # type: ignore[attr-defined]
                raise Http404 if kwargs else PermissionDenied
            try:
                return view(request, *args, **kwargs)
            except NotFound as error:
                raise Http404 from error

        return cast(View[P], login_required(page))

    return guard


def number_of(text: str | None, *, below: int = 2**31) -> int | None:
    """A whole number from a query string; None for anything else."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 20):
        return None
    number = int(text)
    return number if number < below else None
