"""How long an append takes, against the least that any endpoint which stores something must do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta

from django.utils import timezone

from uac_site.benchmarks.client import FLOOR_PATH, Answer, Client, Refused
from uac_site.benchmarks.conversation import Sentence, read_sentences
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, in_order, ms, p50, p95, ratio
from uac_site.benchmarks.people import Person, departure, make_person, traveller, trip_id
from uac_site.benchmarks.server import web

WARM_UP = 50
BULK = 1_000
BULK_REQUESTS = 10
APPEND_LIMIT = 2.0
RULES_LIMIT = 4.0
BULK_LIMIT = 2_000.0
MAX_RECORDS = 150
FLOOR, APPEND, RULES = "floor", "append, no rule affected", "append, two rules affected"
Timings = dict[str, list[float]]


def run(inside: Inside) -> Result:
    """Single posts interleaved with the floor, then bulk."""
    sentences = read_sentences(inside.options.data)
    plain = make_person(inside.app, "plain", [])
    traveller_ = make_person(inside.app, "traveller", traveller(timezone.now().date()))
    bulk = make_person(inside.app, "bulk", [])
    settle()
    with web(inside.folder) as served:
        client = Client(served.port, inside.secret)
        posts = Posts(client, sentences, plain, traveller_)
        timings = interleaved(posts, inside.options.rounds)
        rates = in_bulk(client, sentences, bulk)
    return report(inside, timings, posts, rates)


class Posts:
    """The three kinds of single posts; each call posts the next fact of its kind."""

    def __init__(
        self, client: Client, sentences: list[Sentence], plain: Person, traveller_: Person
    ) -> None:
        self.client, self.sentences = client, sentences
        self.plain, self.traveller = plain, traveller_
        self.today = timezone.now().date()
        self.read: set[tuple[int, int]] = set()
        self.kinds: dict[str, Callable[[int], Answer]] = {
            FLOOR: self.floor,
            APPEND: self.append,
            RULES: self.rules,
        }

    def floor(self, number: int) -> Answer:
        """One row, and nothing else."""
        body = self._sentence(number).floor(self.plain.user.pk)
        return self.client.created(FLOOR_PATH, body)

    def append(self, number: int) -> Answer:
        """A fact with a reading as a note."""
        sentence = self._sentence(number)
        return self._evaluated(self.plain, sentence.body(sentence.note), 0)

    def rules(self, number: int) -> Answer:
        """A fact that changes when one of the sixty trips ends."""
        which = number % 60
        body = {
            "text": self._sentence(number).text,
            "readings": [changed_trip(which, number, self.today)],
        }
        return self._evaluated(self.traveller, body, 2)

    def _sentence(self, number: int) -> Sentence:
        return self.sentences[number % len(self.sentences)]

    def _evaluated(self, person: Person, body: object, rules: int) -> Answer:
        answer = self.client.created(person.facts, body)
        run, read = (int(answer.cost.get(what, 0)) for what in ("rules", "records"))
        if not answer.evaluated or run != rules:
            raise Refused(f"not evaluated as wanted in the request: {answer.body['evaluation']}")
        self.read.add((run, read))
        return answer


def changed_trip(which: int, number: int, today: date) -> dict[str, object]:
    """A reading that gives a trip another day of return each time round."""
    returns = departure(which, today) + timedelta(days=7 + number // 60)
    return {
        "kind": "travel.Trip",
        "op": "update",
        "id": trip_id(which),
        "data": {"returns_on": returns.isoformat()},
    }


def interleaved(posts: Posts, rounds: int) -> Timings:
    """The seconds of each kind of post, one of each a round, after warm-up."""
    timings: Timings = defaultdict(list)
    for number in range(WARM_UP + rounds):
        for name in in_order(list(posts.kinds), number):
            answer = posts.kinds[name](number)
            if number >= WARM_UP:
                timings[name].append(answer.seconds)
    return timings


def in_bulk(client: Client, sentences: list[Sentence], person: Person) -> list[float]:
    """Facts a second of each bulk request, evaluation queued."""
    rates = []
    for request in range(BULK_REQUESTS):
        start = request * BULK
        some = [sentences[(start + number) % len(sentences)] for number in range(BULK)]
        answer = client.created(
            person.facts, {"facts": [sentence.body(sentence.note) for sentence in some]}
        )
        if answer.evaluated:
            raise Refused("a bulk post was evaluated in the request")
        rates.append(BULK / answer.seconds)
    return rates


def report(inside: Inside, timings: Timings, posts: Posts, rates: list[float]) -> Result:
    """Tables and bounds; bulk has a bound on PostgreSQL alone."""
    floor = p50(timings[FLOOR])
    inside.show(
        f"Single posts, {len(timings[FLOOR])} rounds",
        ("post", "p50 ms", "p95 ms", "x floor"),
        [
            (name, ms(p50(taken)), ms(p95(taken)), f"{ratio(p50(taken), floor):.2f}")
            for name, taken in ((name, timings[name]) for name in posts.kinds)
        ],
    )
    rules, records = max(posts.read)
    inside.say(f"The rules affected: {rules}, which read {records} records at most.")
    inside.show(
        f"Bulk, {BULK:,} facts a request, evaluation queued",
        ("facts/s", "median", "slowest", "fastest"),
        [("", f"{p50(rates):,.0f}", f"{min(rates):,.0f}", f"{max(rates):,.0f}")],
    )
    bounds = [
        Bound("append", ratio(p50(timings[APPEND]), floor), APPEND_LIMIT, " x floor"),
        Bound("append with two rules", ratio(p50(timings[RULES]), floor), RULES_LIMIT, " x floor"),
        Bound("records read", records, MAX_RECORDS),
    ]
    if inside.engine == "postgresql":
        bounds.append(Bound("bulk", p50(rates), BULK_LIMIT, " facts/s", at_least=True))
    return Result(bounds)
