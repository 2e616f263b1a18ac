"""What the rules of a proposal would say is known before anybody approves them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from alerts.early.preview import would_find
from alerts.models import Alert, AlertEvent, Watermark
from memory.models import MemoryUser, Reading, Record
from memory.sandbox import Limits, NoWorker
from tests.alerts.foresight import (
    DEAD_PLANT,
    EVERY_NOTE,
    GARDEN,
    PLANT,
    RULE,
    SCHEMA,
    own,
    said,
    would,
)
from tests.alerts.standing import evaluated, standing
from tests.api_client import Api
from tests.facts import allergy, fact, medication, note, reading
from tests.proposals import current, with_files
from tests.shipped_copy import ShippedCopy

MOODY = '''"""What was said."""

from dataclasses import dataclass

from uac import kind


@kind("notes", key=())
@dataclass
class Note:
    """One statement, and how it was said."""

    id: str
    text: str
    topic: str | None = None
    mood: str = "calm"
'''
MUST_BE_MOODY = MOODY.replace("    topic: str | None = None\n", "").replace(' = "calm"', "")
BY_MOOD = EVERY_NOTE.replace('f"Note: {note.text}"', 'f"{note.mood}: {note.text}"')
FAILING = {
    "raises": ("return [Alert('info', notes[0].text, [notes[99]])]", "raised IndexError"),
    "never ends": ("while True:\n        pass", "went past its limit of time"),
    "returns text": ("return [notes[0].text]", "is not an Alert"),
    "makes evidence up": ('return [Alert("info", "x", [Note("z", "x")])]', "not in the state"),
}


def test_a_proposed_rule_speaks_of_the_records_that_are_there(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("tea", reading("notes.Note", "assert", "n", text="tea")))
    found = would(person, with_files(person, {RULE: EVERY_NOTE}), "every_note")
    assert found.failed == {}
    (one,) = found.found
    assert one.pop("key")
    assert one == {
        "rule": "every_note",
        "severity": "info",
        "summary": "Note: tea",
        "detail": "",
        "grade": "",
        "action": "",
        "basis": [],
        "due": None,
        "unknown": [],
        "evidence": [{"kind": "notes.Note", "id": "n", "data": {"text": "tea"}, "facts": [1]}],
    }


def test_what_was_foreseen_stands_once_the_rule_is_in_force(
    api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    rule = code.source("drug_allergy").replace("def check_", "def also_check_")
    project = with_files(person, {"rules/also_allergy.py": rule})
    api.append(person, allergy("penicillin"), note("tea"), medication("Amoxicillin"))
    found = would(person, project, "also_allergy")
    code.rule("also_allergy", rule)
    evaluated(person)
    (stands,) = [one for one in standing(person) if one["rule"] == "also_allergy"]
    (foreseen,) = found.found
    assert foreseen.pop("key") == stands.pop("dedupe_key")
    assert foreseen == stands


def test_only_the_rules_that_were_asked_for_answer(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"), allergy("penicillin"), medication("Amoxicillin"))
    project = with_files(person, {RULE: EVERY_NOTE})
    assert {one["rule"] for one in would(person, project, "every_note").found} == {"every_note"}
    assert {one["rule"] for one in would(person, project, "drug_allergy").found} == {"drug_allergy"}
    assert would(person, project).found == ()


def test_what_waits_is_read_as_it_would_be_placed(api: Api, person: MemoryUser) -> None:
    today = timezone.now().date()
    api.append(person, fact("The fern died", reading(PLANT, name="fern")))
    project = with_files(person, {SCHEMA: GARDEN, "rules/dead_plant.py": DEAD_PLANT})
    died = (today - timedelta(days=1)).isoformat()
    placed = {(PLANT, "fern"): [said(1, {"name": "fern", "dies_on": died})]}
    (one,) = would(person, project, "dead_plant", placed=placed).found
    assert one["summary"] == "Dead: fern"
    assert one["evidence"] == [
        {"kind": PLANT, "id": "fern", "data": {"name": "fern", "dies_on": died}, "facts": [1]}
    ]
    assert would(person, project, "dead_plant").found == ()


def test_what_waits_is_folded_into_the_record_that_is_there(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("tea", reading("notes.Note", "assert", "n", text="tea")), note("milk"))
    project = with_files(person, {"domains/notes/schema.py": MOODY, RULE: BY_MOOD})
    placed = {("notes.Note", "n"): [said(2, {"mood": "glad"}, "update")]}
    found = would(person, project, "every_note", placed=placed).found
    assert sorted(one["summary"] for one in found) == ["calm: milk", "glad: tea"]
    (tea,) = [one for one in found if one["summary"] == "glad: tea"]
    assert tea["evidence"][0]["data"] == {"text": "tea", "mood": "glad"}
    assert tea["evidence"][0]["facts"] == [1, 2]


def test_a_record_that_the_proposed_kind_refuses_is_not_there(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("tea", reading("notes.Note", "assert", "n", text="tea")), note("milk"))
    files = {"domains/notes/schema.py": MUST_BE_MOODY, RULE: BY_MOOD}
    project = with_files(person, files)
    placed = {("notes.Note", "n"): [said(2, {"mood": "glad"}, "update")]}
    (one,) = would(person, project, "every_note", placed=placed).found
    assert one["summary"] == "glad: tea"


@pytest.mark.parametrize("case", FAILING)
def test_a_rule_that_fails_is_named_and_the_others_answer(
    api: Api, person: MemoryUser, case: str
) -> None:
    body, reason = FAILING[case]
    api.append(person, note("a secret of hers"))
    broken = f"from domains.notes.schema import Note\n{EVERY_NOTE.partition('return')[0]}{body}\n"
    project = with_files(person, {RULE: EVERY_NOTE, "rules/broken.py": broken})
    found = would(person, project, "broken", "every_note")
    assert [one["rule"] for one in found.found] == ["every_note"]
    assert list(found.failed) == ["broken"]
    assert reason in found.failed["broken"]
    assert "secret" not in found.failed["broken"]


def test_rules_that_use_up_all_the_time_have_failed(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    endless = EVERY_NOTE.replace("    return [", "    while True:\n        pass\n    return [")
    found = would_find(
        user=current(person),
        project=with_files(person, {RULE: endless}),
        rules=["every_note"],
        placed={},
        now=timezone.now(),
        limits=Limits(total_seconds=1.0, feed_seconds=1.0),
    )
    assert found.found == ()
    assert "more time" in found.failed["every_note"]


def test_a_sandbox_without_room_is_no_failure_of_the_rule(
    api: Api, person: MemoryUser, no_room: None
) -> None:
    with pytest.raises(NoWorker):
        would_find(
            user=current(person),
            project=with_files(person, {RULE: EVERY_NOTE}),
            rules=["every_note"],
            placed={},
            now=timezone.now(),
            limits=Limits(total_seconds=0.1),
        )


def test_nothing_is_stored(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    tables = (Alert, AlertEvent, Watermark, Reading, Record)
    before = [list(table.objects.values()) for table in tables]
    placed = {("notes.Note", "n"): [said(1, {"text": "milk"})]}
    assert would(person, with_files(person, {RULE: EVERY_NOTE}), "every_note", placed=placed).found
    assert [list(table.objects.values()) for table in tables] == before


def test_the_date_is_the_persons(api: Api, person: MemoryUser) -> None:
    rule = EVERY_NOTE.replace('f"Note: {note.text}"', "f'{today}'")
    MemoryUser.objects.filter(pk=person.pk).update(timezone="Pacific/Auckland")
    api.append(person, note("tea"))
    now = timezone.now().replace(hour=20)
    (one,) = would(person, with_files(person, {RULE: rule}), "every_note", now=now).found
    assert date.fromisoformat(one["summary"]) == now.date() + timedelta(days=1)


def test_the_rules_in_force_say_what_stands(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), medication("Warfarin"))
    found = would(person, own(person), *own(person).rules).found
    assert {one["key"] for one in found} == {one["dedupe_key"] for one in standing(person)}
    assert found
