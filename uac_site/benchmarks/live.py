"""200 open dashboards while facts are posted: what each was told, how soon, and nothing lost."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle, islice

from django.test import Client as Browser

from alerts.models import AlertEvent
from memory.actions.check_facts import NewReading
from memory.rights import Role
from uac_site.benchmarks.aftermath import alert_differences, drain
from uac_site.benchmarks.client import ECHO_PATH, ECHO_SOCKET, HOST, Client
from uac_site.benchmarks.colleagues import colleague
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Result, ms, none_of, p50, p95, p99, ratio
from uac_site.benchmarks.pace import Paced, Post, paced
from uac_site.benchmarks.people import Person, make_person
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.watching import Came, Socket, watching

APPLICATION = "uac_site.benchmarks.asgi:application"
DASHBOARD = "/ws/alerts"
WEBS = 2
WORKERS = {"WORKER_PROCESSES": "2"}
SOCKETS = 200
STAFF = 20
PEOPLE = 200
CLIENTS = 16
RATE = 50
ECHO_SECONDS = 10
WARM_UP = PEOPLE  # posts that are not timed: each person's first evaluation in these processes


@dataclass(frozen=True)
class Ran:
    """The posts that were timed, and what the pages were told meanwhile."""

    posts: Paced
    told: Told
    closed: int


@dataclass(frozen=True)
class Told:
    """What pages were told of what they had to be told; seconds from the post that caused it."""

    missed: int
    doubled: int
    delays: array[float]  # of each event on each page
    last: array[float]  # of each event on the page that was told of it last


def run(inside: Inside) -> Result:
    """The dashboards first, then the bare echo in the same processes."""
    people = [patient(inside, number) for number in range(PEOPLE)]
    sessions = logged_in()
    settle()
    with ExitStack() as processes:
        webs = [processes.enter_context(web(inside.folder, app=APPLICATION)) for _ in range(WEBS)]
        processes.enter_context(worker(inside.folder, WORKERS))
        ports = [served.port for served in webs]
        clients = [Client(port, inside.secret) for port in islice(cycle(ports), CLIENTS)]
        alerts = with_dashboards(inside, sockets(ports, sessions, DASHBOARD), clients, people)
        pace = min(float(RATE), alerts.posts.rate)
        echo = with_echo(inside, sockets(ports, sessions, ECHO_SOCKET), clients, pace)
    return report(inside, alerts, echo, alert_differences(people))


def patient(inside: Inside, number: int) -> Person:
    """Somebody who is allergic to penicillin and takes nothing yet."""
    stopped = {"name": "amoxicillin", "status": "stopped"}
    return make_person(
        inside.app,
        f"patient {number}",
        [
            NewReading("health.Allergy", "assert", "penicillin", {"substance": "penicillin"}),
            NewReading("health.Medication", "assert", "amoxicillin", stopped),
        ],
    )


def logged_in() -> list[str]:
    """The session keys of caregivers who see every one of them."""
    keys = []
    for number in range(STAFF):
        browser = Browser()
        browser.force_login(colleague(f"caregiver {number}", Role.CAREGIVER))
        keys.append(browser.cookies["sessionid"].value)
    return keys


def sockets(ports: Sequence[int], sessions: Sequence[str], path: str) -> list[Socket]:
    """The pages' sockets, shared out among the web processes and the staff."""
    return [
        Socket(f"ws://{HOST}:{port}{path}", f"http://{HOST}:{port}", session)
        for port, session in islice(zip(cycle(ports), cycle(sessions), strict=False), SOCKETS)
    ]


def dose(people: Sequence[Person], number: int) -> Post:
    """A fact that opens an alert, or the next time round one that clears it."""
    status = "stopped" if number // len(people) % 2 else "taking"
    reading = {
        "kind": "health.Medication",
        "id": "amoxicillin",
        "data": {"name": "amoxicillin", "status": status},
    }
    body = {"text": f"Amoxicillin: {status}, {number}.", "readings": [reading]}
    return people[number % len(people)].facts, body


def with_dashboards(
    inside: Inside, opened: Sequence[Socket], clients: Sequence[Client], people: Sequence[Person]
) -> Ran:
    """Post facts and see what each dashboard is told of the events that they cause."""
    seconds = inside.options.seconds
    with watching(opened, inside.folder / "dashboards") as pages:
        warm = paced(clients, lambda number: dose(people, number), rate=RATE, count=WARM_UP)
        posts = paced(
            clients,
            lambda number: dose(people, WARM_UP + number),
            rate=RATE,
            count=RATE * seconds,
            seconds=seconds,
        )
        posts.broken += warm.broken
        behind = drain()
        events = list(AlertEvent.objects.order_by("pk").values_list("pk", "user", "fact_seq"))
        pages.until(events[-1][0])
        came = pages.came()
    began = {
        (one.answer.body["user_id"], one.answer.body["facts"][0]["seq"]): one.answer.began
        for one in posts.posts
    }
    causes = {pk: began.get((str(user), seq)) for pk, user, seq in events}
    together = len(posts.posts) - sum(begun is not None for begun in causes.values())
    inside.say(f"Behind when the posts ended: {behind} people; {together} posts were evaluated "
               "together with the next one about the same person.")  # fmt: skip
    return Ran(posts, told_of(causes, came), sum(one.closed for one in came))


def with_echo(
    inside: Inside, opened: Sequence[Socket], clients: Sequence[Client], pace: float
) -> Ran:
    """Post numbers, as many a second as there were facts, and see what each socket of the bare
    group is told of them."""
    count = max(1, int(pace * ECHO_SECONDS))
    with watching(opened, inside.folder / "echoes") as pages:
        posts = paced(
            clients, lambda number: (f"{ECHO_PATH}{number + 1}", {}), rate=pace, count=count
        )
        pages.until(count)
        came = pages.came()
    causes = {one.number + 1: one.answer.began for one in posts.posts}
    return Ran(posts, told_of(causes, came), sum(one.closed for one in came))


def told_of(causes: Mapping[int, float | None], came: Collection[Came]) -> Told:
    """Compare what each page was told with the events that there are after it was opened; those
    whose cause has a moment are timed."""
    delays, last = array("d"), dict[int, float]()
    missed = doubled = 0
    for page in came:
        counts = Counter(page.ids)
        missed += sum(event not in counts for event in causes if event > page.from_id)
        doubled += sum(counts.values()) - len(counts)
        for event, moment in zip(page.ids, page.times, strict=True):
            begun = causes.get(event)
            if begun is not None:
                delays.append(moment - begun)
                last[event] = max(last.get(event, 0.0), moment - begun)
    return Told(missed, doubled, delays, array("d", last.values()))


def report(inside: Inside, alerts: Ran, echo: Ran, differing: Sequence[str]) -> Result:
    """Tables of times, and the bounds: nothing lost, nothing doubled."""
    timed = {
        "an alert, to a page": alerts.told.delays,
        "an alert, to the last page": alerts.told.last,
        "an alert, to the answer": [one.answer.seconds for one in alerts.posts.posts],
        "a bare echo, to a page": echo.told.delays,
        "a bare echo, to the last page": echo.told.last,
    }
    inside.show(
        f"From POST, {SOCKETS} pages, {inside.options.seconds} s of posts, ms",
        ("what", "count", "p50", "p95", "p99", "slowest"),
        [
            (what, f"{len(taken):,}", *(ms(of(taken)) for of in (p50, p95, p99, max)))
            for what, taken in timed.items()
        ],
    )
    for line in (*alerts.posts.broken[:5], *differing[:5]):
        inside.say(line)
    inside.say(
        f"The bare echo: {echo.posts.rate:.1f} posts/s, {echo.told.missed:,} messages missed "
        f"and {echo.told.doubled:,} doubled (a bare group promises no delivery)."
    )
    bounds = [
        none_of("events that a page missed", alerts.told.missed),
        none_of("events told twice", alerts.told.doubled),
        none_of("posts without a good answer", len(alerts.posts.broken)),
        none_of("pages closed", alerts.closed),
        none_of("alerts unlike a re-evaluation", len(differing)),
    ]
    return Result(bounds, figures(alerts, echo))


def figures(alerts: Ran, echo: Ran) -> str:
    """What it comes to in a line, and whether the pace was kept."""
    taken, bare = alerts.told.delays, echo.told.delays
    ratios = ", ".join(f"{ratio(of(taken), of(bare)):.1f}" for of in (p50, p95, p99))
    times = [" ".join(ms(of(one)) for of in (p50, p95, p99)) for one in (taken, bare)]
    kept = "" if alerts.posts.rate >= 0.99 * RATE else ": this machine cannot keep the pace now"
    return (
        f"{alerts.posts.rate:.1f} posts/s of {RATE} asked{kept}; POST to page p50 p95 p99 "
        f"{times[0]} ms, bare echo {times[1]} ms, ratios {ratios}"
    )
