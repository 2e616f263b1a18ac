"""From the start of a post to its alert on an open socket, and what of it is the evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from memory.actions.check_facts import NewReading
from uac_site.benchmarks.client import FLOOR_PATH, UNEVALUATED, Answer, Client, Refused
from uac_site.benchmarks.conversation import Sentence, read_sentences
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, in_order, ms, p50, ratio
from uac_site.benchmarks.people import Person, everybody, make_person, notes, trips
from uac_site.benchmarks.server import web
from uac_site.benchmarks.sockets import Page, open_page

WARM_UP = 20
REST = 0.008  # seconds
SEVERAL = tuple(f"500 records of seven kinds, {what}" for what in ("a drug", "a trip"))
BOTH = "500 records of seven kinds, both"  # two facts in one post: shown, and bound by nothing
ONE_KIND = "500 records of one kind"
FEW, MANY = "10 unaffected records", "10,000 unaffected records"
SEVERAL_LIMIT, ONE_KIND_LIMIT, MANY_LIMIT = 2.0, 4.0, 1.2
COSTS = ("load", "sandbox", "diff")
Readings = Callable[[int], list[dict[str, Any]]]


@dataclass
class Taken:
    """The seconds that posts about one state took, and where the evaluations spent theirs."""

    to_socket: list[float] = field(default_factory=list)
    to_answer: list[float] = field(default_factory=list)
    without: list[float] = field(default_factory=list)
    costs: list[Mapping[str, float]] = field(default_factory=list)

    @property
    def added(self) -> float:
        """What evaluating adds until the alert is on the socket: the median of the pairs."""
        pairs = zip(self.to_socket, self.without, strict=True)
        return p50(seen - plain for seen, plain in pairs)

    @property
    def added_to_answer(self) -> float:
        """What evaluating adds until the answer is there."""
        pairs = zip(self.to_answer, self.without, strict=True)
        return p50(answered - plain for answered, plain in pairs)


@dataclass(frozen=True)
class Case:
    """A state, the readings that open an alert in it, and two people who are in it."""

    evaluated: Person
    twin: Person
    readings: Readings
    taken: Taken = field(default_factory=Taken)


def run(inside: Inside) -> Result:
    """Each case interleaved with the others, the floor, and its own appends without evaluation."""
    sentences = read_sentences(inside.options.data)
    cases = make_cases(inside, timezone.now().date(), sentences)
    settle()
    floors: list[float] = []
    with web(inside.folder) as served, open_page(served.port) as page:
        client = Client(served.port, inside.secret)
        for number in range(WARM_UP + inside.options.rounds):
            kept = number >= WARM_UP
            body = sentences[number % len(sentences)].floor(cases[FEW].twin.user.pk)
            floor = rested(client, FLOOR_PATH, body)
            if kept:
                floors.append(floor.seconds)
            for name in in_order(list(cases), number):
                measure(client, page, cases[name], number, kept=kept)
    return report(inside, {name: case.taken for name, case in cases.items()}, p50(floors))


def make_cases(inside: Inside, today: date, sentences: list[Sentence]) -> dict[str, Case]:
    """The people of each case; a twin has the same records and is never evaluated again."""
    trip = trip_abroad(today)

    def both(number: int) -> list[dict[str, Any]]:
        return [*trip(number), *penicillin(number)]

    several = everybody(today, sentences)
    drug_only, trip_only = SEVERAL
    states: dict[str, tuple[list[NewReading], Readings]] = {
        drug_only: (several, penicillin),
        trip_only: (several, trip),
        BOTH: (several, both),
        ONE_KIND: (trips(500, today), trip),
        FEW: (notes(10, sentences), trip),
        MANY: (notes(10_000, sentences), trip),
    }
    return {
        name: Case(
            make_person(inside.app, name, records),
            make_person(inside.app, f"{name}, twin", records),
            readings,
        )
        for name, (records, readings) in states.items()
    }


def trip_abroad(today: date) -> Readings:
    """A booked trip on a passport that is not recorded; each number is a trip of its own."""
    departs = today + timedelta(days=400)

    def reading(number: int) -> list[dict[str, Any]]:
        data = {
            "destination": f"Place {number}",
            "country": "Iceland",
            "passport_country": "Italy",
            "departs_on": departs.isoformat(),
            "returns_on": (departs + timedelta(days=9)).isoformat(),
            "status": "booked",
        }
        return [{"kind": "travel.Trip", "id": f"new-trip-{number}", "data": data}]

    return reading


def penicillin(number: int) -> list[dict[str, Any]]:
    """A drug that the person is allergic to."""
    data = {"name": "amoxicillin", "dose": "500 mg", "frequency": "three times a day"}
    return [{"kind": "health.Medication", "id": f"new-medication-{number}", "data": data}]


def measure(client: Client, page: Page, case: Case, number: int, *, kept: bool) -> None:
    """One alert opened, its pair without evaluation, and both taken back unmeasured."""
    body = {"text": f"It is booked, number {number}.", "readings": case.readings(number)}
    if number % 2:
        plain = rested(client, case.twin.facts, body, UNEVALUATED)
    answer = rested(client, case.evaluated.facts, body)
    opened = answer.body["alerts"]["opened"]
    if not answer.evaluated or not opened:
        raise Refused(f"no alert in the request: {answer.body['evaluation']}, {opened}")
    came = max(page.came_at(alert["id"], "opened") for alert in opened)
    if not number % 2:
        plain = rested(client, case.twin.facts, body, UNEVALUATED)
    take_back(client, case, body)
    if kept:
        case.taken.to_socket.append(came - answer.began)
        case.taken.to_answer.append(answer.seconds)
        case.taken.without.append(plain.seconds)
        case.taken.costs.append(answer.cost)


def rested(
    client: Client, path: str, body: Any, headers: Mapping[str, str] | None = None
) -> Answer:
    """Post once what the post before left to be done (a session for the next) is done."""
    time.sleep(REST)
    return client.created(path, body, headers)


def take_back(client: Client, case: Case, body: dict[str, Any]) -> None:
    """Retract what was posted, so that each post finds the same number of records."""
    gone = [
        {"kind": reading["kind"], "id": reading["id"], "op": "retract"}
        for reading in body["readings"]
    ]
    back = {"text": "It is called off.", "readings": gone}
    rested(client, case.evaluated.facts, back)
    rested(client, case.twin.facts, back, UNEVALUATED)


def report(inside: Inside, taken: dict[str, Taken], floor: float) -> Result:
    """Tables of times and costs, and the bounds."""
    inside.show(
        f"From a post to its alert, {inside.options.rounds} rounds, p50 ms; floor {ms(floor)}",
        ("state", "to socket", "to answer", "no evaluation", "added", "x floor", "added, answer"),
        [
            (
                name,
                ms(p50(one.to_socket)),
                ms(p50(one.to_answer)),
                ms(p50(one.without)),
                ms(one.added),
                f"{ratio(one.added, floor):.2f}",
                ms(one.added_to_answer),
            )
            for name, one in taken.items()
        ],
    )
    inside.show(
        "Of the evaluation, p50 ms",
        ("state", "rules run", "records read", *COSTS),
        [
            (
                name,
                *(int(max(cost[what] for cost in one.costs)) for what in ("rules", "records")),
                *(ms(p50(cost[what] for cost in one.costs)) for what in COSTS),
            )
            for name, one in taken.items()
        ],
    )
    return Result(bounds(taken, floor))


def bounds(taken: Mapping[str, Taken], floor: float) -> list[Bound]:
    """What an evaluation may add, and how little the records that it does not read may matter."""
    limits = {**dict.fromkeys(SEVERAL, SEVERAL_LIMIT), ONE_KIND: ONE_KIND_LIMIT}
    many = ratio(p50(taken[MANY].to_socket), p50(taken[FEW].to_socket))
    return [
        *(
            Bound(f"added with {name}", ratio(taken[name].added, floor), limit, " x floor")
            for name, limit in limits.items()
        ),
        Bound(f"{MANY} against 10", many, MANY_LIMIT, " x"),
    ]
