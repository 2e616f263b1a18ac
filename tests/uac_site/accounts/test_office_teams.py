"""Admins say who belongs to a team, for whom it cares, and from when to when."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from memory import access
from memory.models import CarePlacement, MemoryUser, Team, TeamMembership
from memory.rights import Right, Role
from tests.people import new_person
from tests.uac_site.accounts.conftest import staff_called
from tests.uac_site.accounts.door import enrolled


@pytest.fixture
def office(transactional_db: None) -> Client:
    """The browser of an admin who has enrolled."""
    staff_called("admin", Role.ADMIN)
    return enrolled("admin")[0]


@pytest.fixture
def night(office: Client) -> Team:
    """A team of nobody."""
    office.post("/office/teams", {"name": "Night"})
    return Team.objects.get(name="Night")


@pytest.fixture
def ada(night: Team) -> MemoryUser:
    """Somebody in nobody's care."""
    person = new_person(name="Ada Holm")
    CarePlacement.objects.filter(user=person).delete()
    return person


def join(office: Client, team: Team, staff: Staff, **days: str) -> Any:
    return office.post(f"/office/teams/{team.pk}/members", {"staff": staff.pk, **days})


def place(office: Client, team: Team, words: str, **days: str) -> Any:
    return office.post(f"/office/teams/{team.pk}/people", {"person": words, **days})


def sees(staff: Staff, person: MemoryUser) -> bool:
    return access.memory_users(staff, Right.FACTS_READ).filter(pk=person.pk).exists()


def day(distance: int) -> str:
    return str((timezone.now() + timedelta(days=distance)).date())


def test_who_is_taken_in_sees_whom_the_team_cares_for(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    assert not sees(nurse, ada)
    assert join(office, night, nurse).status_code == 302
    assert place(office, night, "ada").status_code == 302
    assert sees(nurse, ada)
    page = office.get(f"/office/teams/{night.pk}").content.decode()
    assert "nurse" in page
    assert "Ada Holm" in page


def test_whoever_leaves_sees_nobody_at_once(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    join(office, night, nurse)
    place(office, night, str(ada.pk))
    row = TeamMembership.objects.get()
    office.post(f"/office/teams/{night.pk}/members/{row.pk}/end")
    assert not sees(nurse, ada)
    assert "Before" in office.get(f"/office/teams/{night.pk}").content.decode()


def test_a_person_taken_out_is_in_nobodys_care_and_that_is_said(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    assert "in nobody’s care" in office.get("/office/teams").content.decode()
    join(office, night, nurse)
    place(office, night, ada.external_id)
    assert "in nobody’s care" not in office.get("/office/teams").content.decode()
    row = CarePlacement.objects.get(user=ada)
    office.post(f"/office/teams/{night.pk}/people/{row.pk}/end")
    assert not sees(nurse, ada)
    text = office.get("/office/teams").content.decode()
    assert "1 person is in nobody’s care" in text
    assert "Ada Holm" in text


def test_days_to_come_are_kept_and_do_not_count_yet(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    place(office, night, "Ada")
    join(office, night, nurse, from_day=day(2), until_day=day(5))
    assert not sees(nurse, ada)
    row = TeamMembership.objects.get()
    assert row.ends_at is not None
    assert str(row.starts_at.date()) == day(2)
    assert row.ends_at - row.starts_at == timedelta(days=4)


def test_a_last_day_can_be_set_ahead(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    place(office, night, "Ada")
    join(office, night, nurse)
    row = TeamMembership.objects.get()
    office.post(f"/office/teams/{night.pk}/members/{row.pk}/end", {"until_day": day(3)})
    row.refresh_from_db()
    assert row.ends_at is not None
    assert str(row.ends_at.date()) == day(4)
    assert sees(nurse, ada)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ({"from_day": day(-2)}, "A day that is over"),
        ({"from_day": day(3), "until_day": day(1)}, "before the first day"),
        ({"until_day": day(-1)}, "before the first day"),
        ({"from_day": "tomorrow"}, "Enter a valid date"),
    ],
)
def test_days_that_make_no_sense_are_refused(
    office: Client, night: Team, nurse: Staff, days: dict[str, str], words: str
) -> None:
    answer = join(office, night, nurse, **days)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not TeamMembership.objects.exists()


def test_several_of_one_name_are_offered_to_choose_from(
    office: Client, night: Team, ada: MemoryUser
) -> None:
    other = new_person(name="Ada Lund")
    answer = place(office, night, "ada")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert f'value="{ada.pk}"' in text
    assert f'value="{other.pk}"' in text
    both = {"person": ["ada", str(other.pk)]}  # the choice follows the name in the form
    office.post(f"/office/teams/{night.pk}/people", both)
    assert CarePlacement.objects.filter(team=night, user=other).exists()
    assert not CarePlacement.objects.filter(team=night, user=ada).exists()


def test_what_is_there_already_is_refused(
    office: Client, night: Team, nurse: Staff, ada: MemoryUser
) -> None:
    join(office, night, nurse)
    place(office, night, "ada")
    assert join(office, night, nurse).status_code == 422
    assert place(office, night, "ada").status_code == 422
    assert place(office, night, "nobody at all").status_code == 422


def test_a_name_is_one_teams(office: Client, night: Team) -> None:
    assert office.post("/office/teams", {"name": "Night"}).status_code == 422
    office.post("/office/teams", {"name": "Day"})
    address = f"/office/teams/{night.pk}/name"
    assert office.post(address, {"name": "Day"}).status_code == 422
    assert office.post(address, {"name": ""}).status_code == 422
    assert office.post(address, {"name": "Late"}).status_code == 302
    assert sorted(Team.objects.values_list("name", flat=True)) == ["Day", "Late"]


def test_rows_of_another_team_are_not_reached_through_this_one(
    office: Client, night: Team, nurse: Staff
) -> None:
    join(office, night, nurse)
    office.post("/office/teams", {"name": "Day"})
    other = Team.objects.get(name="Day")
    row = TeamMembership.objects.get()
    assert office.post(f"/office/teams/{other.pk}/members/{row.pk}/end").status_code == 404
    assert TeamMembership.objects.get().ends_at is None


def test_a_long_list_comes_in_pages_whose_queries_do_not_grow(
    office: Client,
    night: Team,
    now: datetime,
    django_assert_max_num_queries: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [new_person(name=f"Person {number}") for number in range(3)]
    rows = [CarePlacement(team=night, user=one, starts_at=now) for one in people]
    CarePlacement.objects.bulk_create(rows)
    monkeypatch.setattr("uac_site.accounts.views.teams.PAGE", 2)
    with django_assert_max_num_queries(25):
        text = office.get(f"/office/teams/{night.pk}?page=2").content.decode()
    assert "page 2 of 2" in text
    assert "Person 2" in text
    assert "Person 0" not in text
