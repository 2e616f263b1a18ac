"""The auditors' page: filters, pages, and an export that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory import audit
from memory.audit_search import cell
from memory.models import AuditEvent, Outcome
from memory.rights import Role
from tests.api_client import HOST
from tests.staff import new_staff

MINE, OTHERS = uuid4(), uuid4()


@pytest.fixture
def auditor(transactional_db: None) -> Staff:
    """Who reads the audit."""
    return new_staff("auditor", Role.AUDITOR)


@pytest.fixture
def page(auditor: Staff, caregiver: Staff, now: datetime) -> Client:
    """The site as the auditor sees it, with five events."""
    for hours, actor, action, person, outcome in (
        (50, caregiver, "alert.acknowledged", MINE, Outcome.DONE),
        (30, caregiver, "read", MINE, Outcome.DONE),
        (3, caregiver, "read", OTHERS, Outcome.REFUSED),
        (2, None, "proposal.make", OTHERS, Outcome.DONE),
        (1, audit.CONSOLE, "state.rebuild", None, Outcome.DONE),
    ):
        at = now - timedelta(hours=hours)
        audit.record(action, actor=actor, now=at, person=person, outcome=outcome)
    client = Client(SERVER_NAME=HOST)
    client.force_login(auditor)
    return client


def _shown(page: Client, **query: Any) -> list[str]:
    answer = page.get("/audit", query)
    assert answer.status_code == 200
    return [event.action for event, _ in answer.context["rows"] if event.object_kind != "audit"]


def test_the_newest_come_first_with_names(page: Client) -> None:
    assert _shown(page)[0] == "state.rebuild"
    assert len(_shown(page)) == 5
    assert ">caregiver<" in page.get("/audit").content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"actor": "caregiver"}, 3),
        ({"actor_kind": "system"}, 1),
        ({"action": "rea"}, 2),
        ({"person": str(MINE)}, 2),
        ({"outcome": "refused"}, 1),
        ({"actor": "nobody"}, 0),
    ],
)
def test_filters_narrow_what_is_shown(page: Client, query: dict[str, str], found: int) -> None:
    assert len(_shown(page, **query)) == found


def test_days_narrow_it_too(page: Client, now: datetime) -> None:
    day = (now - timedelta(hours=50)).date().isoformat()
    assert _shown(page, until=day)[-1] == "alert.acknowledged"
    assert "alert.acknowledged" not in _shown(page, since=now.date().isoformat())


def test_a_wrong_filter_is_named(page: Client) -> None:
    answer = page.get("/audit", {"person": "somebody"})
    assert answer.status_code == 422
    assert "Enter a valid UUID." in answer.content.decode()


def test_many_events_come_in_pages(page: Client, now: datetime) -> None:
    for _ in range(150):
        audit.record("many", actor=None, now=now)
    first = page.get("/audit", {"action": "many"})
    assert len(first.context["rows"]) == 100
    second = page.get(f"/audit?{first.context['more']}")
    assert len(second.context["rows"]) == 50
    assert second.context["more"] == ""


def test_the_export_has_what_was_found_and_is_recorded(page: Client) -> None:
    answer = page.post("/audit.csv", {"actor": "caregiver"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    assert [row["actor"] for row in rows] == ["caregiver"] * 3
    assert AuditEvent.objects.filter(action="audit.export").count() == 1


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_only_auditors_see_it(page: Client, caregiver: Staff) -> None:
    for staff in (caregiver, new_staff("boss", Role.ADMIN)):
        other = Client(SERVER_NAME=HOST)
        other.force_login(staff)
        assert other.get("/audit").status_code == 403
        assert other.post("/audit.csv").status_code == 403
    assert page.get(f"/people/{MINE}").status_code == 404
    assert page.get("/people").status_code == 403
