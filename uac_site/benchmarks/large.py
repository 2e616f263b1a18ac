"""A person with very many records in twelve kinds: render, export, query, evaluate.

Ten kinds come from facts that nobody knew the kinds of; two ship, and rules read them. A query is
asked right after a fact (its state must be loaded), and again with nothing changed.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from django.utils import timezone

from alerts.evaluation.run import evaluate, queue_limits
from alerts.models import Alert, Watermark
from memory.code import project_of
from memory.files import files_of
from memory.models import Record
from memory.project.export import zip_bytes
from memory.project.render import render_record
from uac_site.benchmarks.client import Client, Refused
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, ms, p50, p95, ratio
from uac_site.benchmarks.people import COUNTRIES, DRUGS, departure
from uac_site.benchmarks.plain import Plain
from uac_site.benchmarks.possessions import KINDS, records_of
from uac_site.benchmarks.reviewer import Reviewer
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.structuring import Newcomer, approve_all, newcomer, post_records

SECOND_LIMIT = 0.5
KNOWN = 200  # records of the two kinds that rules read
# Over all the kinds at once, so that all records are loaded.
EVERYTHING = "sum(len(part) for part in [{collections}])"
ONE = "sum_by(boughts, lambda b: month_key(b.bought_on), lambda b: b.price)"
ALL, ONE_KIND = "all records", "one kind of twelve"
Timings = dict[str, list[float]]
Found = TypeVar("Found")


def run(inside: Inside) -> Result:
    """Fill a person, then take every figure."""
    timings: Timings = defaultdict(list)
    with web(inside.folder) as served, worker(inside.folder):
        client = Client(served.port, inside.secret)
        person = newcomer(client, "large")
        fill(client, person, inside, Reviewer(served.port))
        settle()
        client.close()  # the server has ended a connection that was idle for so long
        code = query_over_everything(person)
        for number in range(inside.options.rounds):
            queries(client, person, code, number, timings)
        for _ in range(inside.options.rounds):
            whole(client, person, timings)
    checked(inside, person, timings)
    return report(inside, person, timings)


def fill(client: Client, person: Newcomer, inside: Inside, reviewer: Reviewer) -> None:
    """Post the records: first a few of the ten new kinds, and once those are approved the rest."""
    draw = random.Random(inside.options.seed)  # noqa: S311  (the same records every time)
    each, rest = divmod(inside.options.records - 2 * KNOWN, len(KINDS))
    ready = {
        kind: records_of(kind, each + (rest if place == 0 else 0), draw)
        for place, kind in enumerate(KINDS)
    }
    for kind, records in ready.items():
        post_records(client, person, kind, records[: each // 10])
    approve_all([person], reviewer)
    client.close()
    for kind, records in ready.items():
        post_records(client, person, kind, records[each // 10 :])
    approve_all([person], reviewer)  # what a first tenth had no example of
    client.close()
    today = timezone.now().date()
    for kind, make in (("travel.Trip", _trip), ("health.Medication", _medication)):
        records = [make(number, today) for number in range(KNOWN)]
        post_records(client, person, kind, records)


def _trip(number: int, today: Any) -> dict[str, Any]:
    leaves = departure(number, today)
    return {
        "destination": f"Town {number}",
        "country": COUNTRIES[number % len(COUNTRIES)],
        "departs_on": leaves.isoformat(),
        "returns_on": (leaves + timedelta(days=14)).isoformat(),
    }


def _medication(number: int, today: Any) -> dict[str, Any]:
    status = "stopped" if number % 10 else "taking"
    return {"name": f"{DRUGS[number % len(DRUGS)]} {number}", "status": status}


def query_over_everything(person: Newcomer) -> str:
    """A query that reads every record. Raises Refused where a kind has none."""
    kinds = project_of(person.user).kinds
    there = set(Record.objects.filter(user=person.id).values_list("kind", flat=True).distinct())
    if len(there) != len(KINDS) + 2:
        raise Refused(f"{len(there)} kinds have records: {sorted(there)}")
    names = [kinds[name].collection for name in sorted(there)]
    return EVERYTHING.format(collections=", ".join(names))


def queries(client: Client, person: Newcomer, code: str, number: int, timings: Timings) -> None:
    """Change the state by a fact, then ask twice; so for all records, and for one kind of them."""
    for name, text in ((ALL, code), (ONE_KIND, ONE)):
        data = {"destination": "Far away", "country": "Peru", "status": "considering"}
        reading = {"kind": "travel.Trip", "id": f"plan-{number}-{len(name)}", "data": data}
        posted = client.created(f"{person.path}/facts", {"text": "A plan.", "readings": [reading]})
        timings["fact, evaluated"].append(posted.seconds)
        for cost in ("load", "sandbox", "diff"):
            timings[f"of it {cost}"].append(posted.cost.get(cost, 0.0))
        for turn in ("first", "second", "third"):
            answer = client.post(f"{person.path}/query", {"code": text})
            if answer.status != 200:
                raise Refused(f"query: {answer.status}: {answer.body}")
            timings[f"query {name}, {turn}"].append(answer.seconds)


def whole(client: Client, person: Newcomer, timings: Timings) -> None:
    """Render all of it, export it, and run every rule anew."""
    user, now = person.user, timezone.now()
    kinds = project_of(user).kinds
    rows = list(Record.objects.filter(user=user).values_list("kind", "record_id", "data"))
    timed(
        timings,
        "render every record",
        lambda: [render_record(kinds[kind], record_id, data) for kind, record_id, data in rows],
    )
    found = timed(timings, "render all files", lambda: files_of(user.pk, now=now))
    timed(timings, "pack the zip", lambda: zip_bytes(found.exported))
    timings["code.zip over HTTP"].append(client.fetched(f"{person.path}/code.zip")[1])
    Watermark.objects.filter(user=user).delete()
    timed(
        timings,
        "evaluate every rule",
        lambda: evaluate(user_id=user.pk, now=now, limits=queue_limits()),
    )


def timed(timings: Timings, name: str, act: Callable[[], Found]) -> Found:
    """The result of an act, its seconds noted."""
    began = time.perf_counter()
    result = act()
    timings[name].append(time.perf_counter() - began)
    return result


def checked(inside: Inside, person: Newcomer, timings: Timings) -> None:
    """Run the exported project under plain CPython, and the query there. Raises Refused."""
    files = files_of(person.id, now=timezone.now()).exported
    folder = inside.folder / "export"
    with zipfile.ZipFile(io.BytesIO(zip_bytes(files))) as archive:
        archive.extractall(folder)
    lines = timed(timings, "uac_runner in CPython", lambda: _runner(folder)).count("\n")
    standing = Alert.objects.standing().filter(user=person.id).count()
    if lines != standing:
        raise Refused(f"the export raises {lines} alerts, the server {standing}")
    plain = Plain(person.user)
    for _ in range(inside.options.rounds):
        timings[f"{ONE_KIND} in CPython"].append(plain.answer(ONE)[1])


def _runner(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "uac_runner"],
        cwd=folder,
        env={"PATH": os.environ.get("PATH", "")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Refused(f"uac_runner: {done.stderr[-500:]}")
    return done.stdout


def report(inside: Inside, person: Newcomer, timings: Timings) -> Result:
    """Every figure, and the second query against the first."""
    records = Record.objects.filter(user=person.id).count()
    inside.show(
        f"A person with {records:,} records in {len(KINDS) + 2} kinds",
        ("what", "p50 ms", "p95 ms"),
        [(name, ms(p50(taken)), ms(p95(taken))) for name, taken in timings.items()],
    )
    inside.say(
        "First: right after a fact, its text known to the checker after the first round. A second"
        f" query over one kind takes {_second(timings, ONE_KIND):.2f} x the first."
    )
    return Result(
        [
            Bound("records", records, inside.options.records, at_least=True),
            Bound("second query", _second(timings, ALL), SECOND_LIMIT, " x first"),
        ]
    )


def _second(timings: Timings, name: str) -> float:
    return ratio(p50(timings[f"query {name}, second"]), p50(timings[f"query {name}, first"]))
