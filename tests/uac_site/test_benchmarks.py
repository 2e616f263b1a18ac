"""The arithmetic of the benchmarks: a bound that is missed is said to be missed."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from alerts.evaluation.run import evaluate, queue_limits
from alerts.models import Alert, AlertEvent, EventKind, Status
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from memory.project.fold import Op
from memory.project.review.render import show_diff
from uac_site.benchmarks.conversation import NoData, read_sentences
from uac_site.benchmarks.diff import shipped_lines, with_changes
from uac_site.benchmarks.measure import (
    Bound,
    Result,
    in_order,
    none_of,
    p50,
    p95,
    ratio,
    table,
)
from uac_site.benchmarks.options import BENCHMARKS, arguments_of, parsed
from uac_site.benchmarks.outside import environment
from uac_site.benchmarks.reevaluate import (
    Past,
    alerts_afresh,
    differences,
    standing_alerts,
    wrong_moments,
    wrongly_cleared,
)
from uac_site.benchmarks.scratch import Scratch
from uac_site.env import Environment

ALERT = {"rule": "drug_allergy", "severity": "critical", "summary": "a", "evidence": [{"id": "x"}]}


def test_the_median_and_the_slow_tail_are_those_of_the_values():
    values = [float(number) for number in range(1, 101)]

    assert p50(values) == 50.5
    assert p95(values) == 95.0
    assert p95([7.0]) == 7.0


def test_a_ratio_is_to_its_reference():
    assert ratio(0.006, 0.003) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("bound", "holds"),
    [
        (Bound("append", 2.0, 2.0), True),
        (Bound("append", 2.0001, 2.0), False),
        (Bound("bulk", 2_000.0, 2_000.0, at_least=True), True),
        (Bound("bulk", 1_999.9, 2_000.0, at_least=True), False),
        (Bound("nothing measured", math.nan, 2.0), False),
        (none_of("lost", 0), True),
        (none_of("lost", 1), False),
    ],
)
def test_a_bound_holds_up_to_its_limit_and_no_further(bound, holds):
    assert bound.holds is holds
    assert ("MISSED" in str(bound)) is not holds


def test_a_result_holds_only_where_every_bound_does_and_there_is_one():
    kept, missed = Bound("a", 1.0, 2.0), Bound("b", 3.0, 2.0)

    assert Result([kept]).holds
    assert not Result([kept, missed]).holds
    assert not Result([]).holds


def test_a_result_comes_out_of_its_process_as_it_went_in():
    result = Result([Bound("bulk", 2_345.6, 2_000.0, " facts/s", at_least=True)], "fast enough")

    again = Result.from_json(result.as_json())

    assert again == result
    assert again.line == "bulk 2,345 facts/s (≥ 2,000). fast enough"


def test_each_round_begins_with_another_post():
    orders = [in_order(["a", "b", "c"], number) for number in range(4)]

    assert orders == [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]]


def test_a_table_lines_its_figures_up():
    assert table(("post", "ms"), [("floor", "4.00"), ("append", "11.25")]).splitlines() == [
        "post       ms",
        "------  -----",
        "floor    4.00",
        "append  11.25",
    ]


def test_equal_alerts_do_not_differ():
    assert differences({"key": ALERT}, {"key": dict(ALERT)}) == []


@pytest.mark.parametrize(
    ("standing", "word"),
    [
        ({}, "missing"),
        ({"key": ALERT, "other": ALERT}, "superfluous"),
        ({"key": {**ALERT, "severity": "warning"}}, "different"),
        ({"key": {**ALERT, "summary": "b"}}, "different"),
        ({"key": {**ALERT, "evidence": [{"id": "y"}]}}, "different"),
    ],
)
def test_a_planted_difference_is_found(standing, word):
    (line,) = differences({"key": ALERT}, standing)

    assert line.startswith(word)


def test_so_many_lines_differ_in_so_much_code():
    old = shipped_lines()
    new = with_changes(old, seed=2)

    assert sum(len(text.splitlines()) for text in old.values()) == 5_000
    files = show_diff(old, new)
    assert sum(file.added for file in files) == sum(file.removed for file in files) == 200
    assert with_changes(old, seed=3) != new


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_process_inside_is_told_what_the_command_was_told(name):
    own = {option.key: option.type("7") for option in BENCHMARKS[name][1]}

    options = parsed([*arguments_of(name, own), "--folder=somewhere"])

    assert {option: getattr(options, option) for option in own} == own
    assert options.folder == Path("somewhere")


def test_data_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(NoData, match="--data"):
        read_sentences(tmp_path)


@pytest.fixture
def patient(person: MemoryUser, app: App, now: datetime) -> Callable[..., None]:
    """Somebody who is allergic to penicillin; call it to post a reading and evaluate."""

    def say(kind: str, op: Op = "assert", **data: str) -> None:
        reading = NewReading(kind, op, next(iter(data.values())), data if op == "assert" else {})
        append_facts(
            user_id=person.pk,
            facts=[NewFact(text="said", readings=(reading,))],
            actor=app,
            now=now,
        )
        evaluate(user_id=person.pk, now=now, limits=queue_limits())

    say("health.Allergy", substance="penicillin")
    say("health.Medication", name="amoxicillin")
    return say


def differing(person: MemoryUser, now: datetime) -> list[str]:
    return differences(alerts_afresh(person.pk, now), standing_alerts(person.pk))


def test_stored_alerts_equal_a_re_evaluation_until_one_is_tampered_with(patient, person, now):
    assert standing_alerts(person.pk)
    assert differing(person, now) == []

    Alert.objects.filter(user=person).update(severity="info")

    (line,) = differing(person, now)
    assert line.startswith("different")


def test_an_alert_that_was_lost_is_found(patient, person, now):
    Alert.objects.filter(user=person).update(status=Status.RESOLVED)

    (line,) = differing(person, now)
    assert line.startswith("missing")


def test_a_clearing_is_wrong_only_where_its_cause_held_then(patient, person, now):
    patient("health.Medication", "retract", name="amoxicillin")
    cleared = AlertEvent.objects.get(user=person, kind=EventKind.CLEARED)
    past = Past(person)
    events = list(AlertEvent.objects.filter(user=person).order_by("pk"))

    assert wrongly_cleared(past, [cleared]) == []
    assert wrong_moments(past, events) == []

    cleared.fact_seq -= 1  # as if it had been cleared while the drug was still taken
    assert len(wrongly_cleared(past, [cleared])) == 1
    assert wrong_moments(past, [*events[:-1], cleared]) == [f"after fact {cleared.fact_seq}"]


def test_no_benchmark_asks_the_model_of_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, field in Environment.model_fields.items():
        if name.startswith("uac_model") and field.default == "":
            monkeypatch.setenv(name.upper(), "costly")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example.org/v1")
    assert set(Environment().models.values()) == {"costly"}
    for name, value in environment(Scratch("sqlite", "sqlite://", tmp_path)).items():
        monkeypatch.setenv(name, value)
    assert set(Environment().models.values()) == {""}
    assert Environment().openai_base_url == ""
