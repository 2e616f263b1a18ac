"""The example people live through a year: every alert they had, and what we think of each.

Facts are posted in order by the action that apps use and evaluated when they were recorded, and
the rules run once more at the begin of each day. An alert that nobody judged, or a judgement of an
alert that never was, makes it fail.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import chain

from memory.actions.users import get_or_create_user
from memory.models import App, MemoryUser
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.examples.judged import Judged, judge, read_judgements
from uac_site.examples.living import AlertLife, alert_lives, live
from uac_site.examples.people import Person, read_everyday, read_people
from uac_site.examples.year import Year, first_day

TODAY = date(2026, 11, 22)  # the judgements are of the year that ends here
MOST_CHANGES = 3
LEAST_USEFUL = 75.0  # per cent
FREQUENT = 2.0  # alerts a person and month


def run(inside: Inside) -> Result:
    """Live, list, judge."""
    began = time.perf_counter()
    people = read_people()
    lives = [*chain.from_iterable(_lived(person, inside.app) for person in people)]
    seconds = time.perf_counter() - began
    judged = judge(lives, read_judgements())
    _show(inside, lives, judged)
    inside.say(f"{len(people)} years in {seconds:.0f} s\n")
    return report(lives, judged, years=len(people))


def _lived(person: Person, app: App) -> list[AlertLife]:
    user = _user(person, app)
    moments = Year(person, read_everyday(), TODAY).moments()
    live(user, app, moments, until=TODAY)
    return list(alert_lives(user))


def _user(person: Person, app: App) -> MemoryUser:
    user, _ = get_or_create_user(
        external_id=person.external_id,
        display_name=person.name,
        timezone=person.timezone,
        actor=app,
        now=datetime.combine(first_day(TODAY), datetime.min.time(), tzinfo=UTC),
    )
    return user


def report(lives: Sequence[AlertLife], judged: Judged, *, years: int) -> Result:
    """The figures that must hold, and the sentence that says how the year was."""
    share = 100 * judged.useful / max(1, len(lives))
    critical = sum(life.severity == "critical" for life in lives)
    bounds = [
        Bound("judged useful", round(share), LEAST_USEFUL, " %", at_least=True),
        Bound("a person and month", round(len(lives) / years / 12, 2), FREQUENT),
        none_of("without a judgement", len(judged.without_judgement)),
        none_of("judgements without an alert", len(judged.without_alert)),
        none_of("opened again", sum(life.openings > 1 for life in lives)),
        none_of(f"changed more than {MOST_CHANGES} times", len(restless(lives))),
    ]
    said = (
        f"{len(lives)} alerts in {years} person-years, {judged.useful} judged useful "
        f"({share:.0f} %), {critical} critical"
    )
    return Result(bounds, said)


def restless(lives: Iterable[AlertLife]) -> list[AlertLife]:
    """The alerts that changed more often than anybody wants to read."""
    return [life for life in lives if life.changes > MOST_CHANGES]


def _show(inside: Inside, lives: Sequence[AlertLife], judged: Judged) -> None:
    useful = {id(life): one.useful for life, one in judged.pairs}
    inside.say("")
    for life in lives:
        inside.say(_line(life, useful.get(id(life))))
    for title, counted in _counts(lives).items():
        inside.show(title, ("", "alerts"), sorted(counted.items()))
    for life, one in judged.pairs:
        if not one.useful:
            inside.say(f"not useful: {life.summary}\n  {one.why}")
    for life in judged.without_judgement:
        inside.say(f"without a judgement: {life.person} {life.rule}: {life.summary}")
    for one in judged.without_alert:
        inside.say(f"without an alert: {one.person} {one.rule}: {one.says}")
    for life in restless(lives):
        inside.say(f"changed {life.changes} times: {life.person} {life.rule}: {life.summary}")


def _counts(lives: Sequence[AlertLife]) -> dict[str, Counter[str]]:
    return {
        "By severity": Counter(life.severity for life in lives),
        "By rule": Counter(life.rule for life in lives),
        "By person and month": Counter(f"{life.person} {life.opened:%Y-%m}" for life in lives),
        "Open at the end": Counter(life.severity for life in lives if life.cleared is None),
    }


def _line(life: AlertLife, useful: bool | None) -> str:
    until = "open" if life.cleared is None else f"{life.cleared:%Y-%m-%d}"
    mark = {True: "useful", False: "not useful", None: "not judged"}[useful]
    grade = f", {life.grade}" if life.grade else ""
    return (
        f"{life.person.removeprefix('example-'):9} {life.opened:%Y-%m-%d} to {until:10}  "
        f"{life.rule:20} {life.severity}{grade}; {mark}: {life.summary}"
    )
