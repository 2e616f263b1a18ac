"""What every test may ask for: a quick database, three people who recur, and the API."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User as Staff
from django.test import TransactionTestCase
from django.utils import timezone
from hypothesis import HealthCheck
from hypothesis import settings as properties
from pytest_django import Settings

from memory.models import App, MemoryUser
from memory.project import shipped
from memory.rights import Role
from tests.api_client import Api
from tests.database import empty_database
from tests.people import new_person
from tests.shipped_copy import ShippedCopy, forget
from tests.staff import hashed_password, new_key, new_staff

# How quick a busy machine is says nothing about a property
properties.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
properties.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--database`: leave out what is the same on every database."""
    parser.addoption("--database", action="store_true", help="only tests that a database may fail")


def pytest_configure() -> None:
    """Of several workers each has a Redis database of its own, as pytest-django gives it another.

    The first has the one that is configured, the next those that follow.
    """
    place = configured.CACHES["default"].get("LOCATION", "")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if place and worker != "0":
        start, _, number = place.rpartition("/")
        place = f"{start}/{int(number) + int(worker)}"
        os.environ["REDIS_URL"] = place
        configured.CACHES["default"]["LOCATION"] = place
        configured.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"] = [place]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--database`, leave out what never asks for one, or says that any of them will do."""
    if not config.getoption("--database"):
        return
    kept = [item for item in items if _depends(item)]
    config.hook.pytest_deselected(items=[*set(items).difference(kept)])
    items[:] = kept


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never in what is there for good: a twelfth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def _depends(item: pytest.Item) -> bool:
    """Whether a test may pass on one database and fail on another."""
    if item.get_closest_marker("any_database") is not None:
        return False
    return item.get_closest_marker("browser") is not None or _asks(item)


def _asks(item: pytest.Item) -> bool:
    """Whether a test asks for a database, itself or by what it uses."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(
        fixtures & {"db", "transactional_db", "django_db_setup"}
    )


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Another database for each worker; a SQLite file need not survive a power cut."""
    from django.db import connections

    default = connections["default"].settings_dict
    if default["ENGINE"].endswith("sqlite3"):
        default["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        pragmas = default["OPTIONS"]["init_command"]
        default["OPTIONS"]["init_command"] = pragmas.replace("FULL", "OFF")


@pytest.fixture(scope="session", autouse=True)
def _flush_past_triggers() -> Iterator[None]:
    """The one teardown that lifts and restores the triggers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: empty_database())
        yield


@pytest.fixture(autouse=True)
def _patient_evaluation(settings: Settings) -> None:
    """A busy machine must not push evaluations to the queue; tests of the queue say so."""
    settings.EVALUATION_INLINE_SECONDS = 20.0


@pytest.fixture(autouse=True)
def _static_files_when_asked_for(settings: Settings) -> None:
    """Every new client builds the middleware anew, which would list all static files each time."""
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(autouse=True)
def _one_factor(settings: Settings) -> None:
    """Staff who are logged in by force have no phone at hand; the tests of logging in say so."""
    settings.SECOND_FACTOR_REQUIRED = False


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShippedCopy]:
    """The shipped code, to change at will."""
    copy = ShippedCopy(tmp_path)
    monkeypatch.setattr(shipped, "SHIPPED", copy.folder)
    forget()
    yield copy
    monkeypatch.undo()
    forget()


@pytest.fixture
def now() -> datetime:
    """The moment of the test."""
    return timezone.now()


@pytest.fixture
def app_secret(transactional_db: None, now: datetime) -> str:
    """The key of a chat app."""
    return new_key("chat", now=now)


@pytest.fixture
def app(app_secret: str) -> App:
    """The chat app."""
    return App.objects.get(name="chat")


@pytest.fixture
def api(app_secret: str) -> Api:
    """The API as the chat app calls it."""
    return Api(app_secret)


@pytest.fixture
def person(transactional_db: None) -> MemoryUser:
    """The person remembered, in UTC."""
    return new_person(name="Ada")


@pytest.fixture
def caregiver(transactional_db: None) -> Staff:
    """The member of staff who looks after the person, and on this small site reviews code too."""
    return new_staff("caregiver", Role.CAREGIVER, Role.REVIEWER)


@pytest.fixture
def outsider(transactional_db: None) -> Staff:
    """Somebody with a login and no access to anybody's memory."""
    return Staff.objects.create(username="outsider", password=hashed_password())


@pytest.fixture
def two_apps(app_secret: str, now: datetime) -> tuple[Api, Api]:
    """The chat app and another one."""
    return Api(app_secret), Api(new_key("other", now=now))
