"""What is thought of the alerts of the example people's year, and how a year is lived."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from memory.actions.app_keys import get_or_create_app
from memory.actions.users import get_or_create_user
from memory.project.shipped import baseline
from uac_site.benchmarks.year import report
from uac_site.env import BASE_DIR
from uac_site.examples.judged import Judgement, judge, read_judgements
from uac_site.examples.living import AlertLife, alert_lives, live
from uac_site.examples.people import read_people
from uac_site.examples.year import Moment, WrittenReading

LIFE = AlertLife(
    person="example-tom",
    rule="drug_allergy",
    severity="critical",
    grade="exact",
    summary="Naproxen conflicts with the recorded naproxen allergy",
    opened=date(2026, 3, 1),
    cleared=None,
    openings=1,
    changes=0,
)
JUDGED = Judgement(
    person="example-tom", rule="drug_allergy", says="Naproxen", useful=True, why="It harms."
)


def test_every_judgement_is_of_a_known_person_and_rule_and_says_why() -> None:
    people = {person.external_id for person in read_people()}
    for one in read_judgements():
        assert one.person in people
        assert one.rule in baseline().rules
        assert one.says
        assert one.why.endswith(".")


def test_every_rule_is_met_in_somebodys_year() -> None:
    met = {one.rule for one in read_judgements()}
    assert set(baseline().rules) - met == set()


def test_an_alert_meets_its_judgement() -> None:
    judged = judge([LIFE], [JUDGED])
    assert judged.pairs == ((LIFE, JUDGED),)
    assert judged.useful == 1
    assert report([LIFE], judged, years=1).said == (
        "1 alerts in 1 person-years, 1 judged useful (100 %), 1 critical"
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(LIFE, person="example-keiko"),
        replace(LIFE, rule="drug_interaction"),
        replace(LIFE, summary="Ibuprofen conflicts with the recorded naproxen allergy"),
    ],
)
def test_an_alert_without_a_judgement_and_the_reverse_fail(other: AlertLife) -> None:
    judged = judge([other], [JUDGED])
    assert judged.without_judgement == (other,)
    assert judged.without_alert == (JUDGED,)
    assert not report([other], judged, years=1).holds


def test_two_alerts_need_two_judgements() -> None:
    second = replace(LIFE, summary="Naproxen tablets conflict with the recorded allergy")
    assert len(judge([LIFE, second], [JUDGED]).without_judgement) == 2
    assert len(judge([LIFE], [JUDGED, JUDGED]).without_alert) == 2


@pytest.mark.parametrize("restless", [replace(LIFE, openings=2), replace(LIFE, changes=4)])
def test_an_alert_that_comes_again_or_changes_too_often_fails(restless: AlertLife) -> None:
    assert report([LIFE], judge([LIFE], [JUDGED]), years=1).holds
    assert not report([restless], judge([restless], [JUDGED]), years=1).holds


@pytest.mark.django_db
def test_the_days_between_two_facts_are_lived_as_well() -> None:
    told = datetime(2026, 3, 1, 12, tzinfo=UTC)
    person, _ = get_or_create_user(
        external_id="somebody",
        display_name="Somebody",
        timezone="Pacific/Auckland",
        actor=None,
        now=told,
    )
    app = get_or_create_app(name="calendar", now=told)
    moments = [
        _told(told, "assert", {"name": "driving licence", "expires_on": "2026-06-30"}),
        _told(told.replace(month=6, day=20), "update", {"status": "replaced"}),
    ]

    live(person, app, moments, until=date(2026, 7, 10))

    (life,) = alert_lives(person)
    assert life.rule == "document_expiry"
    assert life.opened == date(2026, 5, 31)  # 30 days before, told by no fact
    assert life.cleared == date(2026, 6, 21)  # the person's date, not that of the server
    assert (life.openings, life.changes) == (1, 0)


def _told(at: datetime, op: str, data: dict[str, str]) -> Moment:
    renewed = {"renewal": "holder"} if op == "assert" else {}
    reading = WrittenReading("documents.Document", op, "driving-licence", data | renewed)
    return Moment(at=at, text="About the driving licence.", source="letter", readings=(reading,))


def test_the_page_tells_the_figures_of_the_judgements() -> None:
    page = (BASE_DIR / "docs" / "example-year.md").read_text(encoding="utf-8")
    judgements = read_judgements()
    alerts, useful = Counter(one.rule for one in judgements), _useful(judgements, "rule")
    assert f"**{alerts.total()} alerts in 6 person-years: {useful.total()} judged useful" in page
    for rule in alerts:
        assert f"| {rule} | {alerts[rule]} | {useful[rule]} |" in page
    alerts, useful = Counter(one.person for one in judgements), _useful(judgements, "person")
    for person in read_people():
        name, key = person.first_name, person.external_id
        assert f"| {name} | {alerts[key]} | {useful[key]} |" in page


def _useful(judgements: list[Judgement], name: str) -> Counter[str]:
    return Counter(getattr(one, name) for one in judgements if one.useful)


def test_nobody_is_told_of_more_than_they_can_read() -> None:
    counted = Counter(one.person for one in read_judgements())
    assert max(counted.values()) <= 24
