"""The web process killed with `kill -9`, again and again, while four clients post."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

from alerts.evaluation.ground import ground
from alerts.models import AlertEvent, Watermark
from memory.code import adopted_baseline
from uac_site.benchmarks.aftermath import alert_differences, drain, log_bounds
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.instruments import FAULT_VARIABLE
from uac_site.benchmarks.measure import Bound, Result, none_of, p50
from uac_site.benchmarks.people import Person
from uac_site.benchmarks.server import Web, web
from uac_site.benchmarks.traffic import Journal, Poster, joined, patient

CLIENTS = 4
BETWEEN = (0.05, 0.6)  # seconds of traffic before the next kill
PATIENCE = 30.0
LOOK = 0.01


class StillAlive(RuntimeError):
    """The process did not come to its fault point."""


def run(inside: Inside) -> Result:
    """Kill at the fault point and at random in turn, restart each time, and look what is left.

    After each kill the clients turn to other people, so that whoever was left behind stays so
    until the client's repeat or, where it gave up, the sweep.
    """
    options = inside.options
    patients = [
        (patient(inside.app, f"patient {number}"), patient(inside.app, f"given up {number}"))
        for number in range(2 * options.kills + 1)
    ]
    fault = inside.folder / "fault"
    stop = threading.Event()
    with web(inside.folder, {FAULT_VARIABLE: str(fault)}) as served:
        posters = [
            Poster(
                f"client {number}",
                served.port,
                inside.secret,
                patients[0][number % 2],
                seed=options.seed,
                stop=stop,
                gives_up=bool(number % 2),
            )
            for number in range(CLIENTS)
        ]
        for poster in posters:
            poster.start()
        killer = Killer(served, posters, patients, random.Random(options.seed))  # noqa: S311  (no secret)
        for _ in range(options.kills):
            killer.kill_at(fault)
            killer.kill_now()
        journals = joined(posters, stop)
    return report(inside, killer, journals, [person for pair in patients for person in pair])


class Killer:
    """Kills the web process while it answers, and starts it again."""

    def __init__(
        self,
        served: Web,
        posters: list[Poster],
        patients: list[tuple[Person, Person]],
        choice: random.Random,
    ) -> None:
        self.served, self.posters, self.patients, self.choice = served, posters, patients, choice
        self.at_fault = self.at_random = self.left_behind = 0
        self.down: list[float] = []

    def kill_at(self, fault: Path) -> None:
        """Let the next post kill the process between its two commits. Raises StillAlive."""
        self._let_them_post()
        fault.touch()
        end = time.monotonic() + PATIENCE
        while self.served.process.alive:
            if time.monotonic() > end:
                raise StillAlive
            time.sleep(LOOK)
        fault.unlink()
        self.at_fault += 1
        behind = Watermark.objects.behind(adopted=adopted_baseline().digest, ground=ground())
        now = {poster.person.user for poster in self.posters}
        self.left_behind += behind.filter(user__in=now).exists()
        self._restart()

    def kill_now(self) -> None:
        """Kill the process wherever it is."""
        self._let_them_post()
        self.served.process.kill()
        self.at_random += 1
        self._restart()

    def _restart(self) -> None:
        began = time.monotonic()
        pair = self.patients[self.at_fault + self.at_random]
        for number, poster in enumerate(self.posters):
            poster.person = pair[number % 2]
        self.served.process.stop()
        self.served.start()
        self.down.append(time.monotonic() - began)

    def _let_them_post(self) -> None:
        """Wait until a fact has been acknowledged since the restart, and a moment more."""
        before = self._acknowledged()
        end = time.monotonic() + PATIENCE
        while self._acknowledged() == before and time.monotonic() < end:
            time.sleep(LOOK)
        time.sleep(self.choice.uniform(*BETWEEN))

    def _acknowledged(self) -> int:
        return sum(len(poster.journal.facts) for poster in self.posters)


def report(inside: Inside, killer: Killer, journals: list[Journal], people: list[Person]) -> Result:
    """What was killed, what came through, and the bounds."""
    behind = drain()
    found = alert_differences(people)
    for line in found:
        inside.say(line)
    totals = {
        name: sum(getattr(journal, name) for journal in journals)
        for name in ("done", "queued", "unanswered", "replayed")
    }
    users = [person.user.pk for person in people]
    inside.show(
        "Web process killed with kill -9 while 4 clients post",
        ("what", "count"),
        [
            ("killed between the two commits", killer.at_fault),
            ("... after which a watermark lay behind", killer.left_behind),
            ("killed at random", killer.at_random),
            ("facts acknowledged", sum(len(journal.facts) for journal in journals)),
            ("evaluated in the request", totals["done"]),
            ("evaluation queued", totals["queued"]),
            ("posts cut off without an answer", totals["unanswered"]),
            ("answers to a repeat of a stored fact", totals["replayed"]),
            ("people left behind, found by the sweep", behind),
            ("seconds to start the process again, median", f"{p50(killer.down):.1f}"),
            ("alert events", AlertEvent.objects.filter(user__in=users).count()),
        ],
    )
    wanted = inside.options.kills
    return Result(
        [
            Bound("killed at the fault point", killer.at_fault, wanted, at_least=True),
            Bound("left behind there", killer.left_behind, wanted, at_least=True),
            Bound("killed at random", killer.at_random, wanted, at_least=True),
            *log_bounds(journals, people),
            none_of("alerts unlike a re-evaluation", len(found)),
        ]
    )
