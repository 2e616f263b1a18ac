"""What is typed at the door and on one's own account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.models import User as Staff
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from memory.access import is_staff

WRONG_CODE = (
    "That code does not open the door. A code is good for half a minute and only once: wait for "
    "the next one, and see that the clock of the phone is right."
)


class SignInForm(AuthenticationForm):
    """Name and password of a member of staff."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        """Refuse who could log in and then see nothing."""
        super().confirm_login_allowed(user)  # type: ignore[arg-type]
        if not is_staff(user):
            raise ValidationError(
                "This login has no access to these pages. Ask an administrator for it.",
                code="not_staff",
            )


class CodeForm(forms.Form):
    """A code of the authenticator, or a recovery code."""

    code = forms.CharField(
        max_length=40, error_messages={"required": "Type the code that the app shows."}
    )


class NewPasswordForm(forms.Form):
    """A password of one's own, typed twice."""

    new = forms.CharField(
        max_length=4096, strip=False, error_messages={"required": "Type the new password."}
    )
    again = forms.CharField(
        max_length=4096, strip=False, error_messages={"required": "Type the new password again."}
    )

    def __init__(self, staff: Staff, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.staff = staff

    def clean_new(self) -> str:
        """Hold it to the rules, and to being new."""
        new: str = self.cleaned_data["new"]
        validate_password(new, self.staff)
        if self.staff.check_password(new):
            raise ValidationError("This is the password there was before. Choose another one.")
        return new

    def clean_again(self) -> str:
        """Both must be the same."""
        again: str = self.cleaned_data["again"]
        if self.cleaned_data.get("new") not in (None, again):
            raise ValidationError("The two are not the same. Type it again.")
        return again


class ChangePasswordForm(NewPasswordForm):
    """The same, with the password there was before."""

    old = forms.CharField(
        max_length=4096, strip=False, error_messages={"required": "Type your present password."}
    )
