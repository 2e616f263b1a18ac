"""What every staff page shares."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from memory.access import NotFound

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def staff_page(view: View[P]) -> View[P]:
    """Ask strangers to log in; what access does not grant looks like what does not exist."""

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return cast(View[P], login_required(page))


def number_of(text: str | None, *, below: int = 2**31) -> int | None:
    """A whole number from a query string; None for anything else."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 20):
        return None
    number = int(text)
    return number if number < below else None
