"""What must hold once the traffic is over, checked against the log itself."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.utils import timezone

from alerts.tasks import sweep_behind
from memory.actions.rebuild_state import rebuild_state
from memory.models import Fact, FactBody, Job
from memory.tasks import run_job
from memory.verification import verify_user
from uac_site.benchmarks.measure import Bound, none_of
from uac_site.benchmarks.people import Person
from uac_site.benchmarks.reevaluate import alerts_afresh, differences, standing_alerts
from uac_site.benchmarks.traffic import Acknowledged, Journal

PATIENCE = 120.0
PAUSE = 0.2


class NotDrained(RuntimeError):
    """The queue did not come to an end."""


def drain() -> int:
    """Sweep and run what is queued until nobody is behind; how many were, when it began."""
    end = time.monotonic() + PATIENCE
    behind = count = sweep_behind(now=timezone.now())
    while time.monotonic() < end:
        for job_id in Job.objects.claimable(timezone.now()).values_list("pk", flat=True):
            run_job(str(job_id))
        count = sweep_behind(now=timezone.now())
        if not count:
            return behind
        time.sleep(PAUSE)
    raise NotDrained(f"{count} people are still behind after {PATIENCE:.0f} s")


def missing(facts: Iterable[Acknowledged]) -> list[str]:
    """The acknowledged facts that the log does not hold under their seq, hash and text."""
    stored: dict[UUID, dict[int, tuple[str, str]]] = {}
    lost = []
    for fact in facts:
        user_id = fact.person.user.pk
        log = stored.setdefault(user_id, _log(user_id))
        if log.get(fact.seq) != (fact.hash, fact.text):
            lost.append(f"{fact.text} (seq {fact.seq})")
    return lost


def _log(user_id: UUID) -> dict[int, tuple[str, str]]:
    hashes = dict(Fact.objects.filter(user_id=user_id).values_list("seq", "hash"))
    bodies = FactBody.objects.filter(user_id=user_id).values_list("seq", "canonical")
    return {seq: (hashes[seq], json.loads(canonical)["text"]) for seq, canonical in bodies}


def not_once(facts: Iterable[Acknowledged], people: Iterable[Person]) -> list[str]:
    """What was acknowledged and is not there exactly once, and whatever is there more often."""
    posted = {(fact.person.user.pk, fact.text) for fact in facts}
    stored = Counter(
        (person.user.pk, text) for person in people for _, text in _log(person.user.pk).values()
    )
    wrong = [one for one in posted if stored[one] != 1]
    wrong += [one for one, count in stored.items() if count > 1 and one not in posted]
    return [f"{text}: {stored[user_id, text]} times" for user_id, text in wrong]


def gaps(person: Person) -> int:
    """How many numbers are missing from the person's facts, counted from 1 to the last."""
    seqs = sorted(Fact.objects.filter(user=person.user).values_list("seq", flat=True))
    return (seqs[-1] - len(seqs)) if seqs else 0


def log_bounds(journals: Sequence[Journal], people: Sequence[Person]) -> list[Bound]:
    """The bounds on the log and on the records folded from it."""
    facts = [fact for journal in journals for fact in journal.facts]
    return [
        none_of("acknowledged facts missing", len(missing(facts))),
        none_of("facts not there once", len(not_once(facts, people))),
        none_of("gaps in seq", sum(map(gaps, people))),
        none_of("broken chains", sum(len(verify_user(person.user.pk)) for person in people)),
        none_of("posts refused", sum(len(journal.refused) for journal in journals)),
        none_of(
            "records not as the log folds",
            sum(len(rebuild_state(user_id=person.user.pk, check_only=True)) for person in people),
        ),
    ]


def alert_differences(people: Iterable[Person]) -> list[str]:
    """How the alerts that stand differ from a re-evaluation from an empty alert table."""
    now = timezone.now()
    return [
        line
        for person in people
        for line in differences(alerts_afresh(person.user.pk, now), standing_alerts(person.user.pk))
    ]
