"""A fact comes in, a rule runs, an alert opens, changes or clears; the answer says so."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User as Staff

from alerts.actions import resolve_alert
from alerts.evaluation.ground import ground
from alerts.models import Alert, Watermark
from memory.library.reference import load
from memory.models import MemoryUser
from memory.project.shipped import baseline
from tests.alerts.standing import kinds_of_events
from tests.api_client import Api
from tests.facts import allergy, fact, medication, note, passport, reading, trip
from tests.people import new_person

NONE: dict[str, list[object]] = {"opened": [], "changed": [], "cleared": []}


@pytest.mark.parametrize("order", [1, -1])
def test_an_alert_opens_in_whichever_order_the_facts_arrive(
    api: Api, person: MemoryUser, order: int
) -> None:
    first, second = [allergy("penicillin", reaction="hives"), medication("Amoxicillin")][::order]
    assert api.append(person, first)["alerts"] == NONE
    answer = api.append(person, second)
    (opened,) = answer["alerts"]["opened"]
    assert answer["alerts"] == {"opened": [opened], "changed": [], "cleared": []}
    assert answer["evaluation"] == {"status": "done", "through_seq": 2}
    assert opened["summary"].startswith(
        "Amoxicillin conflicts with the recorded penicillin allergy"
    )
    (alert,) = api.alerts(person)
    assert {name: alert[name] for name in opened} == opened
    assert alert["status"] == "open"


def test_both_orders_end_in_the_same_alert(api: Api, person: MemoryUser) -> None:
    other = new_person()
    facts = [allergy("penicillin"), medication("Amoxicillin")]
    for who, said in ((person, facts), (other, facts[::-1])):
        for one in said:
            api.append(who, one)
    shown = [
        {
            name: value
            for name, value in api.alerts(who)[0].items()
            if name != "id" and name != "evidence" and not name.endswith("_at")
        }
        for who in (person, other)
    ]
    assert shown[0] == shown[1]


def test_an_alert_names_everything_it_rests_on(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), note("tea"), medication("Amoxicillin 500 mg"))
    (alert,) = api.alerts(person)
    assert alert["evidence"] == [
        {
            "kind": "health.Medication",
            "id": "amoxicillin-500-mg",
            "data": {"name": "Amoxicillin 500 mg"},
            "facts": [3],
        },
        {
            "kind": "health.Allergy",
            "id": "penicillin",
            "data": {"substance": "penicillin"},
            "facts": [1],
        },
    ]
    assert alert["rule"] == "drug_allergy"
    assert (alert["version"], alert["tables"]) == (baseline().digest, load().digest)
    assert alert["basis"]
    assert all(load().row(row_id) is not None for row_id in alert["basis"])
    assert alert["fact_seq"] == 3
    assert alert["origin"] == "finding"


def test_an_alert_changes_with_its_evidence(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    (before,) = api.alerts(person)
    answer = api.append(person, allergy("penicillin", "update", reaction="anaphylaxis"))
    (changed,) = answer["alerts"]["changed"]
    assert answer["alerts"] == {"opened": [], "changed": [changed], "cleared": []}
    (after,) = api.alerts(person)
    assert after["id"] == before["id"] == changed["id"]
    assert "anaphylaxis" in after["summary"]
    assert after["evidence"][1]["facts"] == [1, 3]
    assert after["opened_at"] == before["opened_at"]
    assert after["changed_at"] > before["changed_at"]


@pytest.mark.parametrize(
    "end",
    [
        medication("Amoxicillin", "retract"),
        medication("Amoxicillin", "update", status="stopped"),
        allergy("penicillin", "retract"),
    ],
)
def test_an_alert_clears_when_its_cause_is_gone(
    api: Api, person: MemoryUser, end: dict[str, object]
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    answer = api.append(person, end)
    (cleared,) = answer["alerts"]["cleared"]
    assert answer["alerts"] == {"opened": [], "changed": [], "cleared": [cleared]}
    assert cleared["status"] == "cleared"
    assert [alert["status"] for alert in api.alerts(person)] == ["cleared"]
    assert kinds_of_events(person) == ["opened", "cleared"]


def test_a_cause_that_comes_back_is_counted_and_not_repeated(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    for _ in range(2):
        api.append(person, medication("Amoxicillin", "retract"))
        answer = api.append(person, medication("Amoxicillin"))
    (again,) = answer["alerts"]["opened"]
    (alert,) = api.alerts(person)
    assert (alert["id"], alert["status"], alert["recurrences"]) == (again["id"], "open", 2)
    assert alert["first_opened_at"] < alert["opened_at"] == alert["status_at"]
    told = ["opened", "cleared", "recurred", "cleared", "recurred"]
    assert kinds_of_events(person) == told


def test_a_cause_that_comes_back_after_its_end_opens_another_alert_that_counts_on(
    api: Api, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    first = Alert.objects.get()
    for _ in range(2):
        api.append(person, medication("Amoxicillin", "retract"))
        resolve_alert(alert=Alert.objects.latest("pk"), actor=caregiver, now=now)
        api.append(person, medication("Amoxicillin"))
    last, *past = api.alerts(person)
    assert [alert["status"] for alert in past] == ["resolved", "resolved"]
    assert (last["status"], last["recurrences"]) == ("open", 2)
    assert Alert.objects.get(pk=last["id"]).first_opened_at == first.opened_at


def test_what_is_said_again_changes_nothing(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    answer = api.append(person, note("tea"), trip("Rome", "2020-01-01"))
    assert answer["alerts"] == NONE
    assert kinds_of_events(person) == ["opened"]


def test_an_alert_of_one_record_does_not_touch_those_of_others(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), medication("Ampicillin"))
    assert len(api.alerts(person, status="open")) == 2
    api.append(person, medication("Ampicillin", "retract"))
    (left,) = api.alerts(person, status="open")
    assert left["evidence"][0]["id"] == "amoxicillin"


def test_rules_of_other_collections_keep_their_alerts(api: Api, person: MemoryUser) -> None:
    api.append(
        person,
        passport("Germany", "2030-01-01"),
        trip("Tokyo", "2030-02-01", country="Japan", status="booked"),
    )
    before = api.alerts(person, status="open")
    assert before
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    after = api.alerts(person, status="open")
    assert [alert for alert in after if alert["rule"] != "drug_allergy"] == before


def test_one_batch_may_open_and_clear_at_once(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    answer = api.append(
        person, medication("Amoxicillin", "retract"), medication("Ampicillin"), note("x")
    )
    assert [len(answer["alerts"][what]) for what in ("opened", "changed", "cleared")] == [1, 0, 1]


def test_people_do_not_get_each_others_alerts(api: Api, person: MemoryUser) -> None:
    other = new_person()
    api.append(person, allergy("penicillin"))
    assert api.append(other, medication("Amoxicillin"))["alerts"] == NONE
    assert api.alerts(person) == api.alerts(other) == []


def test_an_unknown_drug_is_said_to_be_unchecked(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    (opened,) = api.append(person, medication("Zorblaxin"))["alerts"]["opened"]
    assert opened["severity"] == "info"
    (alert,) = api.alerts(person)
    assert alert["grade"] == "not checked"
    assert alert["unknown"]


def test_the_watermark_follows(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("x", reading("notes.Note", text="a"), reading("notes.Note", text="b")))
    mark = Watermark.objects.get(user=person)
    assert (mark.fact_seq, mark.reading_seq) == (1, 2)
    assert (mark.version, mark.ground) == (baseline().digest, ground())


def test_words_that_could_harm_a_page_stay_words(api: Api, person: MemoryUser) -> None:
    name = "<script>alert(1)</script> \u202e Amoxicillin"
    api.append(person, allergy("penicillin"), medication(name))
    (alert,) = api.alerts(person)
    assert alert["evidence"][0]["data"]["name"] == name
    assert len(alert["summary"]) <= 140
    assert Alert.objects.get().summary == alert["summary"]
