"""Scenarios session by session through the public API, and what was raised when it was due.

Each scenario is a person of one scratch database; the clock of all processes stands at the day of
each session. What is proposed is approved between sessions; what is proposed after the last one is
provisional when that is scored.
"""

from __future__ import annotations

from collections.abc import Sequence

from uac_site.benchmarks.case import MOST_DAYS, Case, live_all
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.recorded import chosen, staged
from uac_site.benchmarks.scenarios import (
    APPROVED,
    WITH_CONCERNS,
    WITH_PROVISIONAL,
    Rubric,
    news,
    read_scenarios,
    score,
)

NAME = "active_service"
LEAST_APPROVED, LEAST_PROVISIONAL = 14, 16
LEVELS = (APPROVED, WITH_PROVISIONAL, WITH_CONCERNS)


def run(inside: Inside) -> Result:
    """Live, score, report."""
    scenarios = read_scenarios(inside.options.data)
    ids = chosen(inside, [one.id for one in scenarios])
    cases = [Case(one) for one in scenarios if one.id in ids]
    with staged(inside, NAME) as stage:
        live_all(stage, cases)
        told = stage.player.told
    _show(inside, cases)
    inside.say(told)
    return report(cases, told)


def report(cases: Sequence[Case], told: str) -> Result:
    """The figures: by the rules' sentences alone, which have bounds, and with the evidence."""
    judged = [(case, case.scenario.rubric) for case in cases if case.scenario.rubric]
    approved, provisional, _ = [_passed(judged, level, evidence=False) for level in LEVELS]
    full = [_passed(judged, level, evidence=True) for level in LEVELS]
    noticed = sum(bool(news(case.before, case.after)) for case, _ in judged)
    of = len(judged)  # fewer than all where --only names some
    bounds = [
        Bound(f"approved, of {of}", approved, min(of, LEAST_APPROVED), at_least=True),
        Bound("with provisional", provisional, min(of, LEAST_PROVISIONAL), at_least=True),
        Bound("at least a concern", noticed, of, at_least=True),
        none_of("messages not read", sum(len(case.unread) for case in cases)),
    ]
    worded = _passed(judged, WITH_CONCERNS, evidence=False)
    said = (
        f"approved {approved}/{of}, with provisional {provisional}/{of}, concern {noticed}/{of}"
        f" (worded as the rubric asks {worded}); with the text of the evidence"
        f" {full[0]}, {full[1]}, {full[2]}; {told}"
    )
    return Result(bounds, said)


def _passed(
    judged: Sequence[tuple[Case, Rubric | None]], level: frozenset[str], *, evidence: bool
) -> int:
    return sum(
        score(rubric, case.before, case.after, evidence=evidence).passes(level)
        for case, rubric in judged
        if rubric
    )


def _show(inside: Inside, cases: Sequence[Case]) -> None:
    for title, some in (
        ("Scenarios with a rubric", [case for case in cases if case.scenario.rubric]),
        ("Scenarios without one, not judged", [c for c in cases if not c.scenario.rubric]),
    ):
        head = (
            *("case", "approved", "provisional", "concern", "news", "opened", "unread"),
            *("proposals", "failed"),
        )
        inside.show(f"{title}: by the sentence/with evidence", head, map(_row, some))
    for case in cases:
        for one in news(case.before, case.after):
            first, _, _ = one.sentence.partition("\n")
            inside.say(f"{case.scenario.id}: {one.origin}, {one.severity}: {first}")
        for reason in case.unread:
            inside.say(f"{case.scenario.id}: not read: {reason}")


def _row(case: Case) -> tuple[object, ...]:
    rubric = case.scenario.rubric
    marks = [
        "/".join(
            "yes" if score(rubric, case.before, case.after, evidence=full).passes(level) else "no"
            for full in (False, True)
        )
        if rubric
        else "-"
        for level in LEVELS
    ]
    fresh = len(news(case.before, case.after))
    counts = (len(case.unread), case.approved, case.failed)
    return (case.scenario.id, *marks, fresh, _opened(case), *counts)


def _opened(case: Case) -> str:
    """When approved rules first had it, once what was proposed was approved."""
    if case.opened is None:
        return f"not in {MOST_DAYS} days"
    return f"day {case.opened}"
