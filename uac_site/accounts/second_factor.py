"""Who has a second factor, and who must."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from memory.models import RoleGrant
from memory.rights import Role
from uac_site.accounts.models import PasswordDue

DEVICE = DEVICE_ID_SESSION_KEY
DEMANDING = (Role.REVIEWER, Role.ADMIN)
CODE, PASSWORD, ENROL = "sign_in_code", "sign_in_password", "sign_in_enrol"


def device_of(staff: Staff) -> TOTPDevice | None:
    """The authenticator somebody has enrolled."""
    return TOTPDevice.objects.filter(user=staff, confirmed=True).first()


def required_of(staff: Staff) -> bool:
    """Whether somebody's roles demand a second factor, and the site does."""
    if not settings.SECOND_FACTOR_REQUIRED:
        return False
    grants = RoleGrant.objects.at(timezone.now()).filter(staff=staff, role__in=DEMANDING)
    return staff.is_superuser or grants.exists()


def next_step(staff: Staff, *, proved: str) -> str:
    """The page that stands between somebody and the site, empty for none.

    `proved` names the device whose code they gave in this session, empty for none.
    """
    device = device_of(staff)
    if device is not None and device.persistent_id != proved:
        return CODE
    if PasswordDue.objects.filter(pk=staff.pk).exists():
        return PASSWORD
    return ENROL if device is None and required_of(staff) else ""
