"""Find what is wrong with a model's answer, by the same checks that a post of facts goes through.

What passes says which readings may be applied at once and which are held for a person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from memory.actions.check_facts import (
    CheckedReading,
    FactsRefused,
    check_references,
    check_targets,
    targets,
)
from memory.actions.fit_reading import NOT_KNOWN, fit_reading
from memory.actions.project_state import Key, statements_about
from memory.checkpointer.reading.adjusted import beside_what_stands, not_before_it_was
from memory.checkpointer.reading.answer import FoundFact, FoundIn, ReadAnswer
from memory.checkpointer.reading.concerns import concerns_in
from memory.checkpointer.reading.item import Item
from memory.checkpointer.reading.moments import NoMoment, when
from memory.checkpointer.reading.protected import is_held, protected_in
from memory.checkpointer.reading.quotes import quote_problem, weekday_doubts
from memory.checkpointer.reading.verdict import Problem, ReadFact, Verdict, new_reading
from memory.code import Code
from memory.models import MemoryUser
from memory.project.fold import Statement, fold
from memory.project.payload import PayloadError

NO_KIND = "there is no such kind; leave the reading out, with fit none and needs kind"


def verify(
    *,
    user: MemoryUser,
    code: Code,
    items: Mapping[int, Item],
    answer: ReadAnswer,
    shown: Collection[Key],
) -> Verdict:
    """What an answer says of the messages with these numbers, and what is wrong with it.

    `shown` are the records that the prompt showed.
    """
    verdict = Verdict()
    verdict.concerns, wrong = concerns_in(answer.concerns, items, shown)
    verdict.odd = [Problem(None, _dotted(path), detail) for path, detail in wrong]
    for number, entry in _accounted(items, answer, verdict.problems).items():
        _look_at(number, items[number], entry, user, verdict)
    said = _fit(user, code, verdict)
    checked = [one for _, one in said]
    spoken = {one.key for one in checked}
    referred = {key for one in checked for key in targets(one.refs, code.project)}
    before = statements_about(user, spoken | referred)
    said = [(fact, beside_what_stands(fact, one, before, code)) for fact, one in said]
    not_before_it_was(said, before)
    checked = [one for _, one in said]
    after = _after(user, verdict, checked)
    for check in (
        lambda: check_targets(checked, before),
        lambda: check_references(checked, code, before, lambda key: after.get(key, [])),
    ):
        _refusals(check, verdict)
    protected = protected_in(code.project, kinds=code.own, rules=code.alone)
    _hold(said, before, after, protected)
    return verdict


def _accounted(
    items: Mapping[int, Item], answer: ReadAnswer, problems: list[Problem]
) -> dict[int, FoundIn]:
    """The entry of each message, in order; every message has exactly one."""
    found: dict[int, FoundIn] = {}
    for entry in answer.messages:
        if entry.number not in items:
            problems.append(Problem(None, "messages", f"there is no number {entry.number}"))
        elif entry.number in found:
            problems.append(Problem(entry.number, "messages", "it has two entries; give it one"))
        else:
            found[entry.number] = entry
    problems += [
        Problem(number, "messages", "it has no entry; give facts or nothing_to_remember")
        for number in items
        if number not in found
    ]
    return {number: found[number] for number in items if number in found}


def _look_at(number: int, item: Item, entry: FoundIn, user: MemoryUser, verdict: Verdict) -> None:
    """What can be told of an entry without its readings."""
    reason = (entry.nothing_to_remember or "").strip()
    if bool(entry.facts) == bool(reason):
        detail = "give either facts or, with a reason, nothing_to_remember"
        verdict.problems.append(Problem(number, "facts", detail))
    elif reason:
        verdict.nothing[number] = reason
    for place, found in enumerate(entry.facts):
        path = f"facts[{place}]"
        try:
            moment, precision = when(found.occurred_at, item.said_at, user.zone)
        except NoMoment as error:
            verdict.problems.append(Problem(number, f"{path}.occurred_at", str(error)))
            moment, precision = item.said_at, "moment"
        data = [one.data for one in found.readings]
        doubts = [*found.doubts, *weekday_doubts(found.quote, data)]
        verdict.facts.append(ReadFact(number, path, item, found, moment, precision, doubts))
        verdict.problems += [
            Problem(number, f"{path}.{name}", detail) for name, detail in _odd(found, item)
        ]


def _odd(found: FoundFact, item: Item) -> Iterator[tuple[str, str]]:
    if detail := quote_problem(found.quote, item.text):
        yield "quote", detail
    if not found.text.strip():
        yield "text", "write something; it is empty"
    if found.readings and found.fit == "none":
        yield "fit", "it is none, and yet there are readings"
    if not found.readings and found.fit != "none":
        yield "readings", f"fit is {found.fit}, and yet there are none"


def _fit(user: MemoryUser, code: Code, verdict: Verdict) -> list[tuple[ReadFact, CheckedReading]]:
    """Each reading that fits its kind; why the others do not is a problem."""
    said = []
    count: Counter[str] = Counter()
    for index, fact in enumerate(verdict.facts):
        new = fact.item.stream == "message"
        name = f"f{user.fact_seq + 1 + index if new else fact.item.seq}"
        for place, reading in enumerate(fact.found.readings):
            count[name] += 1
            path = f"{fact.path}.readings[{place}]"
            try:
                payload, waits = fit_reading(new_reading(reading), code, f"{name}-{count[name]}")
            except PayloadError as error:
                verdict.problems += [
                    Problem(fact.number, f"{path}.{_dotted(one.path)}", one.detail)
                    for one in error.problems
                ]
                continue
            if waits:
                detail = NO_KIND if waits == NOT_KNOWN else waits
                verdict.problems.append(Problem(fact.number, f"{path}.kind", detail))
                continue
            key = (reading.kind, payload.record_id)
            checked = CheckedReading(index, place, key, reading.op, payload.data, payload.refs)
            said.append((fact, checked))
    return said


def _after(
    user: MemoryUser, verdict: Verdict, checked: Iterable[CheckedReading]
) -> dict[Key, list[Statement]]:
    """What the answer says of each record, as it would be appended."""
    found: dict[Key, list[Statement]] = defaultdict(list)
    for seq, one in enumerate(checked, start=user.reading_seq + 1):
        moment = verdict.facts[one.index].occurred_at
        found[one.key].append(Statement(seq, 0, moment, one.op, one.data))
    return found


def _refusals(check: Callable[[], None], verdict: Verdict) -> None:
    try:
        check()
    except FactsRefused as error:
        for one in error.problems:
            fact = verdict.facts[one.index]
            path = _dotted((fact.path, *one.path))
            verdict.problems.append(Problem(fact.number, path, one.detail))


def _hold(
    said: Iterable[tuple[ReadFact, CheckedReading]],
    before: Mapping[Key, Sequence[Statement]],
    after: Mapping[Key, Sequence[Statement]],
    protected: Collection[str],
) -> None:
    """Decide of each reading whether it is held, by the record as it stands when it is its turn."""
    applied: dict[Key, list[Statement]] = defaultdict(list)
    turn: Counter[Key] = Counter()
    for fact, one in said:
        statement = after[one.key][turn[one.key]]
        turn[one.key] += 1
        standing = fold([*before.get(one.key, ()), *applied[one.key]])
        data = None if standing is None else standing.data
        held = is_held(one.key[0], one.op, one.data, data, protected)
        fact.checked.append(one)
        fact.held.append(held)
        if not held:
            applied[one.key].append(statement)


def _dotted(path: Sequence[str | int]) -> str:
    """Such as `data.dose` or `readings[2].id`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")
