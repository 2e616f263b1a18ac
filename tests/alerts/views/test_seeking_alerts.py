"""The dashboard is narrowed, searched and sorted; names never stand in an address."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.actions import acknowledge_alert, shelve_alert
from alerts.models import Alert
from memory.actions.teams import create_team, place_person
from memory.audit import CONSOLE
from memory.models import MemoryUser
from tests.alerts.staff_pages import logged_in
from tests.api_client import Api
from tests.facts import allergy, medication, passport, trip
from tests.people import new_person


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def alerts(api: Api, person: MemoryUser) -> dict[str, Alert]:
    """Ada's critical and informative alerts on health, and Tom's warnings on travel."""
    api.append(person, allergy("penicillin", severity="severe"), medication("Amoxicillin"))
    api.append(person, medication("Zorblaxin"))
    tom = new_person(name="Tom")
    api.append(
        tom,
        passport("Germany", "2030-01-01"),
        trip("Tokyo", "2030-02-01", country="Japan", status="booked"),
    )
    Alert.objects.filter(user=tom).update(severity="warning")
    return {
        "critical": Alert.objects.get(severity="critical", user=person),
        "info": Alert.objects.get(severity="info", user=person),
        "travel": Alert.objects.filter(user=tom, rule="passport_trip")[0],
    }


def found(pages: Client, **sought: str) -> set[int]:
    answer = pages.post("/alerts", {"sought": "1", **sought})
    assert answer.status_code == 200
    return {alert.pk for lane in answer.context["board"].lanes for alert in lane.alerts}


@pytest.mark.parametrize(
    ("sought", "names"),
    [
        ({}, {"critical", "info", "travel"}),
        ({"severity": "critical"}, {"critical"}),
        ({"domain": "travel"}, {"travel"}),
        ({"domain": "health"}, {"critical", "info"}),
        ({"q": "amoxi"}, {"critical"}),
        ({"q": " TOM "}, {"travel"}),
        ({"q": "nobody of this name"}, set()),
        ({"age": "hour"}, {"critical", "info", "travel"}),
        ({"age": "older"}, set()),
        ({"owner": "me"}, set()),
        ({"owner": "nobody"}, {"critical", "info", "travel"}),
        ({"severity": "awful", "domain": "magic", "age": "old"}, {"critical", "info", "travel"}),
    ],
)
def test_filters_leave_what_fits(
    pages: Client, alerts: dict[str, Alert], sought: dict[str, str], names: set[str]
) -> None:
    shown = found(pages, **sought)
    assert {name for name, alert in alerts.items() if alert.pk in shown} == names


def test_an_owner_finds_what_is_theirs(
    pages: Client, alerts: dict[str, Alert], caregiver: Staff
) -> None:
    now = timezone.now()
    acknowledge_alert(alert=alerts["critical"], actor=caregiver, now=now)
    until = now + timedelta(hours=2)
    shelve_alert(alert=alerts["info"], actor=caregiver, until=until, comment="later", now=now)
    assert found(pages, owner="me") == {alerts["critical"].pk, alerts["info"].pk}


def test_a_team_is_one_of_those_whose_people_one_sees(
    pages: Client, alerts: dict[str, Alert], person: MemoryUser
) -> None:
    now = timezone.now()
    team = create_team(name="Night", actor=CONSOLE, now=now)
    create_team(name="Elsewhere", actor=CONSOLE, now=now)
    place_person(user=person, team=team, actor=CONSOLE, now=now)
    text = pages.get("/").content.decode()
    assert "Night" in text
    assert "Elsewhere" not in text
    assert found(pages, team=str(team.pk)) == {alerts["critical"].pk, alerts["info"].pk}


def test_lanes_are_sorted_as_asked(pages: Client, alerts: dict[str, Alert]) -> None:
    Alert.objects.update(severity="warning")
    Alert.objects.filter(pk=alerts["critical"].pk).update(
        opened_at=timezone.now() - timedelta(days=8)
    )

    def order(sort: str) -> list[int]:
        answer = pages.post("/alerts", {"sought": "1", "sort": sort})
        return [one.pk for lane in answer.context["board"].lanes for one in lane.alerts]

    assert order("newest")[-1] == order("oldest")[0] == alerts["critical"].pk
    assert found(pages, age="older") == {alerts["critical"].pk}
    names = [Alert.objects.get(pk=pk).user.display_name for pk in order("person")]
    assert names == sorted(names)


def test_the_counts_at_the_top_know_no_filter(pages: Client, alerts: dict[str, Alert]) -> None:
    board = pages.post("/alerts", {"sought": "1", "q": "tom"}).context["board"]
    assert board.counts["critical"] == 1
    assert not next(lane for lane in board.lanes if lane.key == "critical").total


def test_the_whole_page_narrows_without_a_script(pages: Client, alerts: dict[str, Alert]) -> None:
    answer = pages.post("/", {"sought": "1", "q": "tom"})
    text = answer.content.decode()
    assert 'value="tom"' in text
    assert f'id="row-{alerts["travel"].pk}"' in text
    assert f'id="row-{alerts["critical"].pk}"' not in text
    nothing = pages.post("/", {"sought": "1", "q": "nobody of this name"}).content.decode()
    assert "None fits" in nothing


def test_a_lane_shows_up_to_a_thousand_where_asked(pages: Client, alerts: dict[str, Alert]) -> None:
    one = alerts["info"]
    copies = []
    for number in range(130):
        copy = Alert.objects.get(pk=one.pk)
        copy.pk, copy.dedupe_key = None, str(number)
        copies.append(copy)
    Alert.objects.bulk_create(copies)
    assert len(found(pages, severity="info")) == 100
    assert len(found(pages, severity="info", most="all")) >= 131
