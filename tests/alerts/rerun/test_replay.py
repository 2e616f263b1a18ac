"""Before a rule is approved it is known when it would have spoken, and what is said no more."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from alerts.evaluation.growing import Said
from alerts.models import Alert, AlertEvent
from alerts.rerun.replay import MOST_FINDINGS, MOST_STEPS, replay, steps_of
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from memory.project.fold import Statement
from memory.project.tree import Project
from memory.sandbox import Limits
from tests.alerts.foresight import (
    DEAD_PLANT,
    EVERY_NOTE,
    GARDEN,
    PLANT,
    RULE,
    SCHEMA,
    brief,
    own,
    replayed,
    said,
)
from tests.api_client import Api
from tests.facts import Json, allergy, fact, medication, note, passport, reading, trip
from tests.proposals import current, with_files

PASSPORT = "rules/passport_trip.py"
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def without(project: Project, *paths: str) -> Project:
    """The project without some files."""
    return Project({path: text for path, text in project.files.items() if path not in paths})


def noted(text: str, op: str = "assert") -> Json:
    """A fact about the note of this id and text."""
    return fact(
        text, reading("notes.Note", op, text, **({} if op == "retract" else {"text": text}))
    )


def journey(op: str = "assert") -> Json:
    """A booked trip that the passport does not last for, or that there is none."""
    more = {} if op == "retract" else {"status": "booked", "country": "Japan"}
    return trip("Tokyo", "2027-05-01", op, **more)


def test_a_conflict_opens_at_the_fact_that_made_it_and_clears_at_the_one_that_ended_it(
    api: Api, person: MemoryUser
) -> None:
    project = own(person)
    for one in (note("a"), passport("Kenya", "2027-04-01"), note("b"), journey(), note("c")):
        api.append(person, one)
    api.append(person, journey("retract"))
    opened, cleared, end = replayed(person, without(project, PASSPORT), project)
    assert (opened["seq"], cleared["seq"], end["seq"]) == (4, 6, None)
    assert opened["on"] == timezone.now().date().isoformat()
    (found,) = opened["opened"]
    assert (found["rule"], found["severity"]) == ("passport_trip", "critical")
    assert found["summary"].startswith("Kenya passport expires")
    assert [(one["kind"], one["facts"]) for one in found["evidence"]] == [
        ("travel.Passport", [2]),
        ("travel.Trip", [4]),
    ]
    assert opened["cleared"] == []
    assert (cleared["opened"], cleared["cleared"]) == ([], [found])
    assert (end["opened"], end["cleared"], end["gone"]) == ([], [], [])


def test_projects_with_the_same_rules_have_nothing_to_tell(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    assert replayed(person, own(person), with_files(person, {SCHEMA: GARDEN})) == []


def test_only_rules_that_differ_are_told_of(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), noted("tea"))
    after = with_files(person, {RULE: EVERY_NOTE})
    (step, end) = replayed(person, own(person), after)
    assert [one["rule"] for one in step["opened"]] == ["every_note"]
    assert end["gone"] == []


def test_a_rule_over_a_kind_that_changed_is_told_of(api: Api, person: MemoryUser) -> None:
    api.append(person, noted("tea"))
    before = with_files(person, {RULE: EVERY_NOTE})
    schema = before.files["domains/notes/schema.py"] + "    mood: str | None = None\n"
    after = Project({**before.files, "domains/notes/schema.py": schema})
    assert brief(replayed(person, before, after)) == [(1, ["Note: tea"], []), (None, [], [])]


def test_a_narrower_rule_shows_what_is_gone(api: Api, person: MemoryUser) -> None:
    for text in ("tea", "milk"):
        api.append(person, noted(text))
    before = with_files(person, {RULE: EVERY_NOTE})
    narrower = EVERY_NOTE.replace("in notes]", 'in notes if note.text == "tea"]')
    after = Project({**before.files, RULE: narrower})
    step, end = replayed(person, before, after)
    assert brief([step, end]) == [(1, ["Note: tea"], []), (None, [], [])]
    assert brief(end["before"]) == [
        (1, ["Note: tea"], []),
        (2, ["Note: milk"], []),
        (None, [], []),
    ]
    (gone,) = end["gone"]
    assert gone["summary"] == "Note: milk"
    assert gone["evidence"] == [{"kind": "notes.Note", "id": "milk", "facts": [2]}]


def test_a_rule_that_is_removed_leaves_its_alerts_gone(api: Api, person: MemoryUser) -> None:
    api.append(person, noted("tea"))
    (end,) = replayed(person, with_files(person, {RULE: EVERY_NOTE}), own(person))
    assert [one["summary"] for one in end["gone"]] == ["Note: tea"]
    assert brief(end["before"]) == [(1, ["Note: tea"], []), (None, [], [])]


def test_rules_that_take_no_others_place_have_nothing_before_them(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, noted("tea"))
    *_, end = replayed(person, own(person), with_files(person, {RULE: EVERY_NOTE}))
    assert "before" not in end


def test_what_is_said_less_gravely_is_gone_as_it_was(api: Api, person: MemoryUser) -> None:
    api.append(person, noted("tea"))
    grave = with_files(person, {RULE: EVERY_NOTE.replace('"info"', '"critical"')})
    mild = with_files(person, {RULE: EVERY_NOTE})
    assert [one["severity"] for one in replayed(person, grave, mild)[-1]["gone"]] == ["critical"]
    assert replayed(person, mild, grave)[-1]["gone"] == []


def test_what_waits_counts_from_its_own_fact_on(api: Api, person: MemoryUser) -> None:
    today = timezone.now().date()
    for name in ("fern", "rose"):
        api.append(person, fact(f"a {name}", reading(PLANT, name=name)), note(name))
    project = with_files(person, {SCHEMA: GARDEN, "rules/dead_plant.py": DEAD_PLANT})
    died = (today - timedelta(days=1)).isoformat()
    placed = {
        (PLANT, name): [said(seq, {"name": name, "dies_on": died})]
        for seq, name in ((1, "fern"), (3, "rose"))
    }
    found = replayed(person, own(person), project, placed)
    assert brief(found) == [
        (1, ["Dead: fern"], []),
        (3, ["Dead: rose"], []),
        (None, [], []),
    ]


def test_each_step_is_seen_on_its_own_date(app: App, person: MemoryUser) -> None:
    MemoryUser.objects.filter(pk=person.pk).update(timezone="Pacific/Auckland")
    data = {"name": "fern", "dies_on": "2026-03-01"}
    project = with_files(person, {SCHEMA: GARDEN, "rules/dead_plant.py": DEAD_PLANT})
    bare = NewFact(text="My fern will die on March 1", occurred_at=None, readings=())
    for day in (20, 28):
        at = datetime(2026, 2, day, 20, tzinfo=UTC)
        append_facts(user_id=person.pk, facts=[bare], actor=app, now=at)
    placed = {(PLANT, "fern"): [said(1, data), said(2, {"name": "fern"}, "update")]}
    (end,) = replayed(person, own(person), project, placed, now=NOW)
    assert (end["on"], [one["summary"] for one in end["opened"]]) == ("2026-03-11", ["Dead: fern"])
    placed[PLANT, "fern"][0] = said(1, {**data, "dies_on": "2026-02-28"})
    step, _ = replayed(person, own(person), project, placed, now=NOW)
    assert (step["seq"], step["on"]) == (2, "2026-03-01")


def test_what_was_read_later_counts_with_its_fact(api: Api, person: MemoryUser) -> None:
    for one in (fact("I drink tea"), noted("milk")):
        api.append(person, one)
    placed = {("notes.Note", "tea"): [said(1, {"text": "tea"})]}
    found = replayed(person, own(person), with_files(person, {RULE: EVERY_NOTE}), placed)
    assert brief(found) == [(1, ["Note: tea"], []), (2, ["Note: milk"], []), (None, [], [])]


def test_a_rule_that_fails_at_a_fact_holds_open_what_it_said(api: Api, person: MemoryUser) -> None:
    for one in (noted("tea"), noted("bad"), noted("bad", "retract")):
        api.append(person, one)
    touchy = EVERY_NOTE.replace(
        "    return [",
        '    if [note for note in notes if note.text == "bad"]:\n        notes[9]\n    return [',
    )
    found = replayed(person, own(person), with_files(person, {RULE: touchy}))
    failure = "Rule every_note could not be run: its alerts may be out of date"
    assert brief(found) == [
        (1, ["Note: tea"], []),
        (2, [failure], []),
        (3, [], [failure]),
        (None, [], []),
    ]


def test_a_rule_that_never_ends_has_failed_today_and_the_others_are_told_of(
    api: Api, person: MemoryUser
) -> None:
    for text in ("tea", "milk", "bread"):
        api.append(person, noted(text))
    endless = EVERY_NOTE.replace("    return [", "    while True:\n        pass\n    return [")
    before = with_files(person, {"rules/endless.py": EVERY_NOTE})
    after = with_files(person, {"rules/endless.py": endless, RULE: EVERY_NOTE})
    found = replayed(person, before, after)
    assert brief(found)[:3] == [
        (1, ["Note: tea"], []),
        (2, ["Note: milk"], []),
        (3, ["Note: bread"], []),
    ]
    (failure,) = found[-1]["opened"]
    assert (failure["rule"], failure["evidence"]) == ("endless", [])
    assert found[-1]["gone"] == []  # what a rule that fails held open stays


def test_the_same_log_is_told_the_same_way_and_nothing_is_stored(
    api: Api, person: MemoryUser
) -> None:
    for text in ("tea", "milk", "bread"):
        api.append(person, noted(text))
    after = with_files(person, {RULE: EVERY_NOTE})
    counts = Alert.objects.count(), AlertEvent.objects.count()
    first, again = (replayed(person, own(person), after, now=timezone.now()) for _ in range(2))
    assert first == again
    assert (Alert.objects.count(), AlertEvent.objects.count()) == counts


def test_a_long_list_is_cut_and_says_so(api: Api, person: MemoryUser) -> None:
    many = EVERY_NOTE.replace("[note])", "[note], key=str(n))").replace(
        "in notes]", f"in notes for n in range({MOST_FINDINGS + 7})]"
    )
    api.append(person, noted("tea"))
    step, end = replayed(person, own(person), with_files(person, {RULE: many}))
    assert (len(step["opened"]), step["more"]) == (MOST_FINDINGS, 7)
    assert "more" not in end


def test_without_time_it_says_what_was_left_out(api: Api, person: MemoryUser) -> None:
    for text in ("tea", "milk"):
        api.append(person, noted(text))
    (end,) = replay(
        user=current(person),
        before=own(person),
        after=with_files(person, {RULE: EVERY_NOTE}),
        placed={},
        now=NOW,
        limits=Limits(total_seconds=0.0),
    )
    assert end == {
        "seq": None,
        "on": "2026-03-10",
        "opened": [],
        "cleared": [],
        "gone": [],
        "left_out": 3,
    }


def test_the_rules_proposed_are_looked_at_before_those_they_replace(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, noted("tea"))
    (end,) = replay(
        user=current(person),
        before=with_files(person, {RULE: EVERY_NOTE}),
        after=own(person),
        placed={},
        now=NOW,
        limits=Limits(total_seconds=0.0),
    )
    (before,) = end["before"]
    assert (before["seq"], before["opened"], before["left_out"]) == (None, [], 2)


def test_of_a_long_log_the_latest_days_are_told_of(app: App, person: MemoryUser) -> None:
    days = MOST_STEPS + 5
    for day in range(days):
        at = NOW - timedelta(days=days - day)
        facts = [
            NewFact(
                text="x",
                occurred_at=at,
                readings=(
                    NewReading("notes.Note", "assert", f"{day}-{n}", {"text": f"{day}-{n}"}),
                ),
            )
            for n in range(2)
        ]
        append_facts(user_id=person.pk, facts=facts, actor=app, now=at)
    found = replayed(person, own(person), with_files(person, {RULE: EVERY_NOTE}), now=NOW)
    assert len(found) == MOST_STEPS + 1
    assert found[0]["left_out"] == 5
    assert [step["seq"] for step in found] == [*range(12, 2 * days + 1, 2), None]
    assert sum(len(step["opened"]) for step in found) == 2 * days
    assert found[1]["on"] == (NOW - timedelta(days=days - 6)).date().isoformat()


def _said(seqs: range) -> list[Said]:
    return [(("notes.Note", str(n)), Statement(n, n, NOW, "assert", {})) for n in seqs]


@pytest.mark.parametrize(
    ("facts", "a_day", "expected"),
    [(0, 1, 0), (MOST_STEPS, 30, MOST_STEPS), (MOST_STEPS + 1, 30, 3), (90, 1, MOST_STEPS)],
)
def test_no_fact_is_lost_among_the_steps(facts: int, a_day: int, expected: int) -> None:
    everything = _said(range(1, facts + 1))
    dates = {n: date(2026, 1, 1) + timedelta(days=(n - 1) // a_day) for n in range(1, facts + 1)}
    steps, left_out = steps_of(everything, dates, NOW.date())
    *others, today = steps
    assert len(others) == expected
    assert [one for step in others for one in step.said] == everything
    assert [step.seq for step in others] == [step.said[-1][1].fact_seq for step in others]
    assert left_out == (facts - expected if a_day == 1 and facts > MOST_STEPS else 0)
    assert (today.seq, today.on, list(today.said)) == (None, NOW.date(), [])
