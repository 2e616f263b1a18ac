"""Logging in."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError

from memory.access import is_staff


class StaffLoginForm(AuthenticationForm):
    """Name and password of a member of staff."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        """Refuse who could log in and then see nothing."""
        super().confirm_login_allowed(user)  # type: ignore[arg-type]
        if not is_staff(user):
            raise ValidationError(
                "This login has no access to these pages. Ask an administrator for it.",
                code="not_staff",
            )


class StaffLoginView(LoginView):
    """The way in."""

    authentication_form = StaffLoginForm
    redirect_authenticated_user = True
