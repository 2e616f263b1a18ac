"""Staff whose roles demand a second factor, and a site that does."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memory.models import RoleGrant
from memory.rights import Role
from tests.api_client import HOST

PASSWORD = "a-long-pass-phrase"


@pytest.fixture(autouse=True)
def _second_factor(_one_factor: None, settings: Settings) -> None:
    """As in production; the other tests log in by force and would all stop at the door."""
    settings.SECOND_FACTOR_REQUIRED = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick


@pytest.fixture
def browser(transactional_db: None) -> Client:
    """A browser in which nobody is logged in."""
    return Client(SERVER_NAME=HOST)


def staff_called(name: str, *roles: Role) -> Staff:
    """A member of staff with roles."""
    member = Staff.objects.create_user(name, password=PASSWORD, is_staff=True)
    for role in roles:
        RoleGrant.objects.create(staff=member, role=role, starts_at=timezone.now())
    return member


@pytest.fixture
def reviewer(transactional_db: None) -> Staff:
    """Somebody whose role demands a second factor."""
    return staff_called("reviewer", Role.REVIEWER)


@pytest.fixture
def nurse(transactional_db: None) -> Staff:
    """Somebody whose role does not."""
    return staff_called("nurse", Role.CAREGIVER)
