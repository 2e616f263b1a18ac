"""A rule's table of cases: what was told, in whatever order, and which alerts must stand then.

A file `cases/<rule>.toml` holds `[[case]]` tables:

    name = "a sentence"
    now = 2026-03-02T09:00:00Z          # aware; the person's date follows from `zone`
    zone = "Europe/Berlin"              # optional, UTC if left out
    given = [{ kind = "people.Person", id = "ann", data = { name = "Ann" } }]      # told first
    records = [{ kind = "health.Allergy", data = { substance = "penicillin" } }]   # in any order
    alerts = [{ severity = "critical", says = ["Amoxicillin", "penicillin"] }]     # then
    then = [{ kind = "health.Medication", op = "update", id = "amoxicillin", data = {} }]
    alerts_then = []                    # after `then`, which is told in its order
    later = 2026-03-09T09:00:00Z        # optional, the day comes
    alerts_later = []                   # once it has come

A record is one fact with one reading; `at` says when it was true (a day before `now` if left out).
`says` are parts of the summary or the detail, in any order; `summary`, `grade`, `action` and
`unknown` are compared whole where they are given, and `silent_on` are words neither text may hold.
Dates in data are written as text.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic

from alerts.models import Alert
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from tests.alerts.standing import evaluated
from tests.people import new_person

CASES = Path(__file__).with_name("cases")


class _Strict(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")


class Told(_Strict):
    """One fact with one reading."""

    kind: str
    op: Literal["assert", "update", "retract"] = "assert"
    id: str | None = None
    data: dict[str, Any] = {}
    at: pydantic.AwareDatetime | None = None


class Expected(_Strict):
    """What one alert must be."""

    severity: Literal["info", "warning", "critical"]
    says: Annotated[list[str], pydantic.Field(min_length=1)]
    silent_on: list[str] = []
    rule: str | None = None  # which rule, where every rule's alerts are compared
    summary: str | None = None
    grade: str | None = None
    action: str | None = None
    unknown: list[str] | None = None


class Case(_Strict):
    """One situation and the alerts of the rule in it."""

    name: str
    now: pydantic.AwareDatetime
    zone: str = "UTC"
    given: list[Told] = []
    records: Annotated[list[Told], pydantic.Field(min_length=1)]
    alerts: list[Expected]
    then: list[Told] = []
    alerts_then: list[Expected] | None = None
    later: pydantic.AwareDatetime | None = None
    alerts_later: list[Expected] | None = None


class Table(_Strict):
    """The cases of one rule."""

    case: list[Case]


def table_of(path: Path) -> Table:
    """A file of cases, checked."""
    return Table.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def orders(records: Sequence[Told], most: int) -> Iterator[Sequence[Told]]:
    """Every order where there are no more than `most`; else as they stand and turned round."""
    every = list(itertools.islice(itertools.permutations(records), most + 1))
    yield from every if len(every) <= most else (records, records[::-1])[:most]


def play(rule: str, case: Case, told: Sequence[Told], app: App) -> None:
    """Tell a new person these facts one after another and compare what stands."""
    person = new_person(case.zone)
    for one in case.given:
        tell(person, one, app, case.now)
    for one in told:
        tell(person, one, app, case.now)
        evaluated(person, case.now)
    compare(person, case.alerts, rule)
    for one in case.then:
        tell(person, one, app, case.now)
        evaluated(person, case.now)
    if case.alerts_then is not None:
        compare(person, case.alerts_then, rule)
    if case.later is not None:
        evaluated(person, case.later)
        compare(person, case.alerts_later or [], rule)


def tell(person: MemoryUser, one: Told, app: App, now: datetime) -> None:
    """Write one fact into the person's log."""
    at = one.at or (now - timedelta(days=1) if one.op == "assert" else now)
    reading = NewReading(kind=one.kind, op=one.op, record_id=one.id, data=one.data)
    fact = NewFact(text=f"{one.op} {one.kind}", occurred_at=at, readings=(reading,))
    append_facts(user_id=person.pk, facts=[fact], actor=app, now=now)


def compare(person: MemoryUser, expected: Iterable[Expected], rule: str | None = None) -> None:
    """The active alerts of a rule, or of all rules, are those expected, no more and no fewer."""
    active = Alert.objects.active().filter(user=person)
    standing = list(active if rule is None else active.filter(rule=rule))
    shown = [
        f"{one.rule} {one.severity}: {one.summary} | {one.detail} | {one.unknown}"
        for one in standing
    ]
    assert not [one for one in standing if one.origin == "failure"], shown
    unmatched = list(standing)
    for want in expected:
        found = next((one for one in unmatched if _fits(one, want)), None)
        assert found is not None, f"no alert is {want!r}; there are {shown}"
        unmatched.remove(found)
    assert not unmatched, f"not expected: {[one.summary for one in unmatched]}"


def _fits(alert: Alert, want: Expected) -> bool:
    text = f"{alert.summary}\n{alert.detail}"
    named = ("summary", "grade", "action", "unknown")
    exact = {name: value for name in named if (value := getattr(want, name)) is not None}
    return (
        alert.severity == want.severity
        and want.rule in (None, alert.rule)
        and all(part in text for part in want.says)
        and not any(part in text for part in want.silent_on)
        and all(getattr(alert, name) == value for name, value in exact.items())
    )
