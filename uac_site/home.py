"""Where somebody begins: the first page that is for them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from memory.access import rights_of
from uac_site.accounts.views.door import home_of


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Go there; who has no role is told that this is not for them."""
    if not isinstance(request.user, Staff) or not rights_of(request.user):
        raise PermissionDenied
    return redirect(home_of(request.user))
