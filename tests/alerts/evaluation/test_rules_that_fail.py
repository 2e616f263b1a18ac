"""A rule that fails is itself an alert, and what it held open stays: silence is no answer."""

from __future__ import annotations

import pytest
from django.utils import timezone

from alerts.models import Alert
from alerts.tasks import sweep_behind
from memory.models import MemoryUser
from tests.alerts.standing import evaluated, kinds_of_events, standing
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.queue import deliver_all
from tests.shipped_copy import ShippedCopy

HEAD = '''"""Tells of every note."""

from datetime import date

from domains.notes.state import notes
from uac import Alert


def check(today: date) -> list[Alert]:
'''
FINE = f'{HEAD}    return [Alert("info", "Note: " + note.text, [note]) for note in notes]\n'
ALERT = 'Alert("info", "x", [notes[0]])'
BROKEN: dict[str, tuple[str, str]] = {
    "raises": (f"{HEAD}    return [notes[99]]\n", "raised IndexError at line 10"),
    "divides by nothing": (f"{HEAD}    return 1 / 0\n", "raised ZeroDivisionError at line 10"),
    "says a person's words": (f"{HEAD}    raise ValueError(notes[0].text)\n", "raised ValueError"),
    "never ends": (f"{HEAD}    while True:\n        pass\n", "went past its limit of time"),
    "eats memory": (f"{HEAD}    return ['x' * 10**9]\n", "went past its limit of memory"),
    "calls itself": (f"{HEAD}    return check(today)\n", "went past its limit of recursion"),
    "returns nothing": (f"{HEAD}    return None\n", "did not return a list"),
    "returns text": (f"{HEAD}    return ['danger']\n", "is not an Alert"),
    "returns a record": (f"{HEAD}    return [notes[0]]\n", "is not an Alert"),
    "returns too many": (f"{HEAD}    return [{ALERT}] * 501\n", "at most 500"),
    "has no evidence": (f'{HEAD}    return [Alert("info", "x", [])]\n', "does not hold: evidence"),
    "has evidence of text": (f'{HEAD}    return [Alert("info", "x", ["a"])]\n', "evidence"),
    "has an unknown severity": (f'{HEAD}    return [Alert("bad", "x", [notes[0]])]\n', "severity"),
    "says nothing": (f'{HEAD}    return [Alert("info", "", [notes[0]])]\n', "summary"),
    "says too much": (f'{HEAD}    return [Alert("info", "x" * 141, [notes[0]])]\n', "summary"),
    "makes evidence up": (
        f'{HEAD}    return [Alert("info", "x", [Note(id="none", text="x")])]\n',
        "not in the state",
    ),
}  # fmt: skip
PRIVATE = "Ada’s secret words"


@pytest.fixture
def noted(api: Api, person: MemoryUser, code: ShippedCopy) -> MemoryUser:
    """A person with a note, an alert about it, and another rule's alert."""
    code.rule("every_note", FINE)
    api.append(person, note(PRIVATE), allergy("penicillin"), medication("Amoxicillin"))
    assert [alert["rule"] for alert in standing(person)] != []
    assert Alert.objects.active().filter(rule="every_note").count() == 1
    return person


@pytest.mark.parametrize("case", BROKEN)
def test_a_rule_that_fails_is_an_alert_and_keeps_what_it_held_open(
    api: Api, noted: MemoryUser, code: ShippedCopy, case: str
) -> None:
    source, words = BROKEN[case]
    before = {alert["dedupe_key"] for alert in standing(noted)}
    code.rule("every_note", source)
    evaluated(noted)
    failure = Alert.objects.get(origin="failure")
    assert (failure.rule, failure.severity, failure.status) == ("every_note", "warning", "open")
    assert words in failure.detail
    assert PRIVATE not in failure.detail + failure.summary
    assert {alert["dedupe_key"] for alert in standing(noted)} == before | {failure.dedupe_key}


def test_the_alert_goes_when_the_rule_runs_again(
    api: Api, noted: MemoryUser, code: ShippedCopy
) -> None:
    before = standing(noted)
    code.rule("every_note", BROKEN["raises"][0])
    evaluated(noted)
    code.rule("every_note", FINE)
    evaluated(noted)
    assert standing(noted) == before
    assert Alert.objects.get(origin="failure").status == "resolved"


def test_a_failure_that_lasts_is_one_alert(api: Api, noted: MemoryUser, code: ShippedCopy) -> None:
    code.rule("every_note", BROKEN["raises"][0])
    evaluated(noted)
    events = kinds_of_events(noted)
    answer = api.append(noted, note("another"))
    assert answer["alerts"] == {"opened": [], "changed": [], "cleared": []}
    assert kinds_of_events(noted) == events


def test_the_other_rules_answer_all_the_same(
    api: Api, noted: MemoryUser, code: ShippedCopy
) -> None:
    code.rule("every_note", BROKEN["raises"][0])
    answer = api.append(noted, medication("Ampicillin"))
    opened = {alert["rule"] for alert in answer["alerts"]["opened"]}
    assert opened == {"every_note", "drug_allergy"}
    api.append(noted, medication("Ampicillin", "retract"), medication("Amoxicillin", "retract"))
    assert {alert["rule"] for alert in standing(noted)} == {"every_note"}


def test_two_rules_that_fail_are_two_alerts(api: Api, noted: MemoryUser, code: ShippedCopy) -> None:
    code.rule("every_note", BROKEN["raises"][0])
    code.rule("other_note", BROKEN["returns text"][0])
    evaluated(noted)
    failures = Alert.objects.filter(origin="failure").values_list("rule", flat=True)
    assert sorted(failures) == ["every_note", "other_note"]


def test_a_rule_that_left_takes_its_alerts_along(
    api: Api, noted: MemoryUser, code: ShippedCopy
) -> None:
    code.without("every_note")
    evaluated(noted)
    assert {alert["rule"] for alert in standing(noted)} == {"drug_allergy"}


def test_new_code_has_everybody_looked_at_again(
    api: Api, noted: MemoryUser, code: ShippedCopy
) -> None:
    code.rule("every_note", FINE.replace("Note: ", "Noted: "))
    assert sweep_behind(now=timezone.now()) == 1
    deliver_all()
    assert Alert.objects.get(rule="every_note").summary == f"Noted: {PRIVATE}"
    assert sweep_behind(now=timezone.now()) == 0


def test_equal_findings_of_one_rule_are_one_alert(
    api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    twice = f'{HEAD}    return [Alert("info", "a", notes), Alert("warning", "b", notes)]\n'
    code.rule("every_note", twice)
    api.append(person, note("tea"))
    (alert,) = api.alerts(person)
    assert (alert["severity"], alert["summary"]) == ("warning", "b")


def test_a_key_of_the_rules_own_tells_findings_apart(
    api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    both = f'{HEAD}    return [Alert("info", key, notes, key=key) for key in ("a", "b")]\n'
    code.rule("every_note", both)
    api.append(person, note("tea"))
    assert sorted(alert["summary"] for alert in api.alerts(person)) == ["a", "b"]


def test_a_longer_grade_than_a_page_shows_is_no_reason_to_fall_silent(
    api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    code.rule("every_note", f'{HEAD}    return [Alert("info", "a", notes, grade="g" * 41)]\n')
    answer = api.append(person, note("tea"))
    assert answer["evaluation"]["status"] == "done"
    (alert,) = api.alerts(person)
    assert alert["origin"] in ("finding", "failure")


def test_one_rule_cannot_change_what_another_sees(
    api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    code.rule("a_thief", f"{HEAD}    notes.clear()\n    return []\n")
    code.rule("every_note", FINE)
    api.append(person, note("tea"))
    rules = {alert["rule"] for alert in api.alerts(person)}
    assert rules == {"every_note"} or not rules  # baseline rules may share one session
