"""Comparing what rules found with what stands: pure, and total."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.evaluation.compare import Standing, compare, fingerprint
from alerts.evaluation.engine import EvidenceRef, Finding, Findings, failure_of, interpret
from memory.project.shipped import baseline
from memory.sandbox import Instance

ALLERGY = Instance("Allergy", {"id": "latex", "substance": "latex"})


def _alert(**changes: Any) -> Instance:
    fields = {"severity": "info", "summary": "x", "evidence": [ALLERGY]}
    return Instance("Alert", {**fields, **changes})


def _finding(rule: str = "r", key: str = "", severity: str = "info") -> Finding:
    refs = (EvidenceRef("health.Allergy", "latex"),)
    return Finding(rule, "finding", severity, "x", evidence=refs, key=key)


def test_what_a_rule_returned_becomes_findings() -> None:
    (found,) = interpret(baseline(), "r", [_alert(unknown=["a"], basis=["drug:x"], key="k")])
    assert found == Finding(
        rule="r",
        origin="finding",
        severity="info",
        summary="x",
        unknown=("a",),
        basis=("drug:x",),
        evidence=(EvidenceRef("health.Allergy", "latex"),),
        key="k",
    )


WRONG: list[Any] = [
    None,
    {},
    "x",
    (),
    [None],
    [[_alert()]],
    [Instance("Allergy", {})],
    [_alert(severity="awful")],
    [_alert(severity=1)],
    [_alert(summary="")],
    [_alert(summary="x" * 141)],
    [_alert(summary=b"x")],
    [_alert(evidence=[])],
    [_alert(evidence=None)],
    [_alert(evidence=["latex"])],
    [_alert(evidence=[Instance("Alergy", {"id": "latex"})])],
    [_alert(evidence=[Instance("Allergy", {"id": 5})])],
    [_alert(evidence=[Instance("Allergy", {})])],
    [_alert(evidence=[ALLERGY] * 51)],
    [_alert(detail="x" * 2_001)],
    [_alert(unknown="abc")],
    [_alert(basis=[1])],
    [_alert(colour="red")],
    [_alert()] * 501,
]


@pytest.mark.parametrize("value", WRONG)
def test_nonsense_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"return"):
        interpret(baseline(), "r", value)


def test_the_order_of_the_evidence_does_not_make_another_alert() -> None:
    refs = (EvidenceRef("a.A", "1"), EvidenceRef("b.B", "2"))
    one = Finding("r", "finding", "info", "x", evidence=refs)
    assert one.dedupe_key == Finding("r", "finding", "info", "y", evidence=refs[::-1]).dedupe_key


def test_rule_origin_key_and_evidence_each_make_another_alert() -> None:
    findings = [
        _finding(),
        _finding(rule="s"),
        _finding(key="k"),
        Finding("r", "failure", "info", "x", evidence=_finding().evidence),
        Finding("r", "finding", "info", "x"),
        Finding("r", "finding", "info", "x", evidence=(EvidenceRef("health.Allergy", "nuts"),)),
    ]
    assert len({finding.dedupe_key for finding in findings}) == len(findings)


RULES = ("a", "b", "c")
FOUND = st.lists(
    st.builds(_finding, st.sampled_from(RULES), st.sampled_from("xyz")),
    unique_by=lambda finding: finding.dedupe_key,
)
FAILED = st.sets(st.sampled_from(RULES)).map(lambda names: dict.fromkeys(names, "raised X"))


def _prints(findings: list[Finding]) -> dict[str, str]:
    return {one.dedupe_key: fingerprint({"summary": one.summary}) for one in findings}


@given(before=FOUND, now=FOUND, failed=FAILED)
def test_after_the_changes_stands_what_was_found_and_what_failed_rules_held(
    before: list[Finding], now: list[Finding], failed: dict[str, str]
) -> None:
    now = [finding for finding in now if finding.rule not in failed]
    failures = [failure_of(rule, reason) for rule, reason in failed.items()]
    prints = _prints([*before, *now, *failures])
    standing = [
        Standing(
            alert_id=n,
            rule=one.rule,
            origin=one.origin,
            dedupe_key=one.dedupe_key,
            severity=one.severity,
            status="open",
            summary=one.summary,
            fingerprint=prints[one.dedupe_key],
        )
        for n, one in enumerate(before)
    ]
    changes = compare(Findings(tuple(now), failed, 0.0), standing, fingerprints=prints)
    cleared = {alert.dedupe_key for alert in changes.cleared}
    opened = {finding.dedupe_key for finding in changes.opened}
    had = {finding.dedupe_key for finding in before}
    kept = {finding.dedupe_key for finding in before if finding.rule in failed}
    wanted = {finding.dedupe_key for finding in [*now, *failures]}
    assert (had - cleared) | opened == wanted | kept
    assert not opened & had
    assert not changes.changed


def test_only_what_shows_something_else_is_changed() -> None:
    found = _finding()
    standing = [Standing(1, "r", "finding", found.dedupe_key, "info", "open", "x", "old")]
    for new, count in (("old", 0), ("new", 1)):
        changes = compare(
            Findings((found,), {}, 0.0), standing, fingerprints={found.dedupe_key: new}
        )
        assert len(changes.changed) == count
        assert (changes.opened, changes.cleared) == ([], [])


def test_a_failure_never_says_more_than_an_alert_may() -> None:
    failure = failure_of("r" * 500, "x" * 5_000)
    assert len(failure.summary) <= 140
    assert len(failure.detail) <= 2_000
    assert len(failure.rule) <= 200
