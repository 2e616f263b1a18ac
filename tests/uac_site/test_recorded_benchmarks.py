"""What the benchmarks of reading and structuring count, and the clock and turns they go by."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from tests.uac_site.cassettes.requests import read_request
from uac_site.benchmarks import clock
from uac_site.benchmarks.checkpoint import NoteTaker, Pass, read, times_over
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.dialogues import (
    HELD,
    Judgement,
    Known,
    read_dialogues,
    read_judgements,
    report,
    turns_of,
)
from uac_site.benchmarks.options import BENCHMARKS, arguments_of, parsed
from uac_site.benchmarks.resident import resident
from uac_site.benchmarks.scenarios import (
    APPROVED,
    WITH_CONCERNS,
    WITH_PROVISIONAL,
    Heard,
    news,
    read_scenarios,
    satisfies,
    score,
)
from uac_site.benchmarks.talk import Turn
from uac_site.benchmarks.turns import Sitting, read_conversation

RUBRIC = {"who": ["mara", "my\\s+boss"], "what": ["\\$50\\b"]}


def heard(origin: str, sentence: str, evidence: str = "", id: int = 1) -> Heard:
    """Something that was open."""
    return Heard(id, origin, "warning", sentence, f"{sentence}\n{evidence}")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mara spent $50 of it", True),
        ("MY  BOSS agreed to $50.", True),
        ("Mara spent $500", False),
        ("somebody spent $50", False),
        ("", False),
    ],
)
def test_a_text_satisfies_a_rubric_with_one_pattern_of_every_group(text: str, wanted: bool) -> None:
    assert satisfies(RUBRIC, text) is wanted


def test_an_alert_counts_for_its_level_and_those_above_it() -> None:
    scored = score(RUBRIC, [], [heard("provisional", "Mara: $50")], evidence=False)
    levels = (APPROVED, WITH_PROVISIONAL, WITH_CONCERNS)
    assert [scored.passes(level) for level in levels] == [False, True, True]


def test_what_was_open_too_early_fails_and_only_where_it_satisfies_the_rubric() -> None:
    due = [heard("finding", "Mara: $50")]
    early = score(RUBRIC, [heard("concern", "Mara: $50")], due, evidence=False)
    assert early.passes(APPROVED)
    assert not early.passes(WITH_CONCERNS)
    other = score(RUBRIC, [heard("finding", "Mara is late")], due, evidence=False)
    assert other.passes(WITH_CONCERNS)
    assert not score(RUBRIC, due, [], evidence=False).passes(WITH_CONCERNS)


def test_evidence_counts_only_where_it_is_asked_for() -> None:
    due = [heard("finding", "Mara has spent too much", evidence="a limit of $50")]
    assert not score(RUBRIC, [], due, evidence=False).passes(APPROVED)
    assert score(RUBRIC, [], due, evidence=True).passes(APPROVED)


def test_news_is_what_was_not_open_before_a_failed_rule_aside() -> None:
    before = [heard("finding", "a", id=1)]
    after = [*before, heard("concern", "b", id=2), heard("failure", "c", id=3)]
    assert [one.id for one in news(before, after)] == [2]


def test_scenarios_end_with_the_session_after_which_an_alert_is_due(tmp_path: Path) -> None:
    sessions = [
        {"session_id": number, "timestamp": f"2025-01-0{number}", "user": f"said {number}"}
        for number in (2, 1, 3)
    ]
    scenario = {"id": "one", "trigger_session": 2, "sessions": sessions, "rubric": None}
    (tmp_path / "active_service.json").write_text(json.dumps({"scenarios": [scenario]}))
    (found,) = read_scenarios(tmp_path)
    assert [(one.number, one.day) for one in found.sessions] == [
        (1, date(2025, 1, 1)),
        (2, date(2025, 1, 2)),
    ]
    for reader in (read_scenarios, read_dialogues, lambda at: read_conversation(at, "conv-30")):
        with pytest.raises(NoData, match="--data"):
            reader(tmp_path / "nowhere")


def test_a_dialogue_is_told_turn_by_turn() -> None:
    turns = list(turns_of("Doctor: Any allergies?\nGuest_family: Yes: nuts."))
    assert [(turn.role, turn.text) for turn in turns] == [
        ("doctor", "Any allergies?"),
        ("guest family", "Yes: nuts."),
    ]
    assert turns[0].said_at < turns[1].said_at
    with pytest.raises(ValueError, match="line 2"):
        list(turns_of("Doctor: Hello.\nand so on"))


def known(*substances: str) -> Known:
    """A state with these allergies."""
    records = [{"substance": substance} for substance in substances]
    return Known({"health.Allergy": records, "health.Medication": []})


def test_a_judgement_counts_for_the_state_it_was_made_of_and_no_other() -> None:
    state: Mapping[str, Known] = {"a": known("nuts", "milk"), "b": known()}
    assert known("milk", "nuts").digest == known("nuts", "milk").digest
    judged = Judgement("a", state["a"].digest, found=2)
    empty = Judgement("b", state["b"].digest, found=0, missed=1)
    assert report(state, [judged, empty], "").holds
    assert "found 2, missed 1, invented 0" in report(state, [judged, empty], "").line
    for wrong in ([judged], [judged, replace(empty, state=state["a"].digest)], []):
        assert not report(state, wrong, "").holds
    unread = {"a": replace(known("nuts", "milk"), unread=["no answer"])}
    assert not report(unread, [judged], "").holds


def test_the_judgements_written_down_do_not_contradict_themselves() -> None:
    judged = read_judgements()
    assert len({one.id for one in judged}) == len(judged) == 70
    for one in judged:
        assert one.inexact <= one.found, one.id
        assert one.wrong_person <= one.missed + one.invented, one.id
        wrong = one.missed + one.invented + one.wrong_person + one.negation_missed + one.inexact
        assert one.why or not wrong, one.id


def test_what_is_held_is_part_of_what_is_judged() -> None:
    held = [{"op": "update", "kind": "health.Allergy", "id": "nuts", "data": {"reaction": "rash"}}]
    waiting = Known({**known("nuts").records, HELD: held})
    assert waiting.digest != known("nuts").digest == Known({**waiting.records, HELD: []}).digest


def test_a_conversation_many_times_over_ends_when_it_did() -> None:
    begin = datetime(2023, 1, 1, tzinfo=UTC)
    sittings = [
        Sitting(f"s{number}", (Turn("Ann", "Hello", begin + timedelta(days=number)),))
        for number in range(3)
    ]
    passes = list(times_over(sittings, 3))
    assert [one.ends for one in passes[-1]] == [one.ends for one in sittings]
    moments = [one.ends for some in passes for one in some]
    assert moments == sorted(moments)
    assert len({one.id for some in passes for one in some}) == 9


def test_the_scripted_model_quotes_what_it_notes() -> None:
    long = {"number": 1, "from": "Ann", "text": "I moved to Lyon with my two cats in the spring."}
    (fact,) = read(long)["facts"]
    assert fact["quote"] == fact["readings"][0]["data"]["text"] == long["text"]
    for text in ("Hi!", "And what did you do on the weekend with all of them?"):
        assert "facts" not in read({"number": 2, "from": "Ann", "text": text})


def test_the_tokens_of_a_real_prompt_are_counted_where_it_arrives() -> None:
    model = NoteTaker()
    one, two = read_request("Hi!"), read_request("Hi!", "I moved to Lyon with two cats in May.")
    assert len(json.loads(model(one).text)["messages"]) == 1
    first = model.tokens
    assert len(json.loads(model(two).text)["messages"]) == 2
    assert model.tokens > 2 * first > 1_000
    assert model.requests == 2


def test_tokens_of_a_pass_are_those_of_a_session() -> None:
    assert Pass((10, 30), requests=2, facts=5, megabytes=1.0).mean == 20


def test_the_memory_of_a_process_includes_its_children() -> None:
    alone = resident(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert 0 < resident(child.pid) < resident(os.getpid())
        assert resident(os.getpid()) > alone
    finally:
        child.communicate(b"\n")


def test_the_clock_goes_on_from_where_it_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", timezone.now)
    monkeypatch.setenv(clock.VARIABLE, "")
    begin = datetime(2024, 5, 1, 12, tzinfo=UTC)
    clock.begin(tmp_path, begin)
    clock.install()
    first = timezone.now()
    assert begin <= first < begin + timedelta(minutes=1)
    assert timezone.now() >= first
    clock.set_clock(begin + timedelta(days=40))
    assert timezone.now().date() == date(2024, 6, 10)


def test_every_option_reaches_the_process_inside() -> None:
    given = {"data": "/d", "database": "sqlite", "cassettes": "", "model": "m", "only": "a,b"}
    told = {**given, "model_endpoint": "http://127.0.0.1:1/v1", "record": "/r"}
    options = parsed([*arguments_of("active-service", told), "--folder", "/f"])
    assert options.benchmark == "active-service"
    assert (options.model_endpoint, options.record) == (told["model_endpoint"], "/r")
    assert (options.only, options.cassettes) == ("a,b", "")
    assert {"active-service", "checkpoint", "dialogues", "friends"} <= BENCHMARKS.keys()
