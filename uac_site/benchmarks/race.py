"""Eight clients post facts about one person that contradict one another."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

from alerts.models import AlertEvent
from uac_site.benchmarks.aftermath import alert_differences, drain, log_bounds
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.people import Person
from uac_site.benchmarks.reevaluate import Past, wrong_moments, wrongly_cleared
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.traffic import Journal, Poster, joined, patient

CLIENTS = 8
WEBS = 2
WORKERS = {"WORKER_PROCESSES": "2"}


def run(inside: Inside) -> Result:
    """Post to two web processes with a worker beside them, so that evaluations meet."""
    options = inside.options
    person = patient(inside.app, "patient")
    stop = threading.Event()
    with ExitStack() as processes:
        webs = [processes.enter_context(web(inside.folder)) for _ in range(WEBS)]
        processes.enter_context(worker(inside.folder, WORKERS))
        posters = [
            Poster(
                f"client {number}",
                webs[number % WEBS].port,
                inside.secret,
                person,
                seed=options.seed,
                stop=stop,
            )
            for number in range(CLIENTS)
        ]
        for poster in posters:
            poster.start()
        time.sleep(options.seconds)
        journals = joined(posters, stop)
    return report(inside, journals, person)


def report(inside: Inside, journals: list[Journal], person: Person) -> Result:
    """What was posted, what the rules said of it, and the bounds."""
    behind = drain()
    events = list(
        AlertEvent.objects.ordinary()
        .filter(user=person.user)
        .select_related("alert")
        .order_by("pk")
    )
    past = Past(person.user)
    cleared = wrongly_cleared(past, events)
    moments = wrong_moments(past, events)
    found = alert_differences([person])
    for line in (*cleared, *moments, *found):
        inside.say(line)
    inside.show(
        f"{CLIENTS} clients, {inside.options.seconds} s, {WEBS} web processes and a worker",
        ("what", "count"),
        [
            ("facts acknowledged", sum(len(journal.facts) for journal in journals)),
            ("evaluated in the request", sum(journal.done for journal in journals)),
            ("evaluation queued", sum(journal.queued for journal in journals)),
            ("people behind at the end, swept", behind),
            *(
                (f"alerts {kind}", sum(event.kind == kind for event in events))
                for kind in ("opened", "changed", "cleared")
            ),
            ("moments evaluated again", len({event.fact_seq for event in events})),
        ],
    )
    return Result(
        [
            Bound(
                "alerts cleared",
                sum(event.kind == "cleared" for event in events),
                1,
                at_least=True,
            ),
            none_of("cleared though their cause held", len(cleared)),
            none_of("moments with other alerts than a re-evaluation", len(moments)),
            none_of("alerts unlike a re-evaluation", len(found)),
            *log_bounds(journals, [person]),
        ]
    )
