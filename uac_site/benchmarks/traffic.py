"""Clients that post facts which open alerts and clear them again."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.actions.check_facts import NewReading
from memory.models import App
from uac_site.benchmarks.client import Answer, Client
from uac_site.benchmarks.people import Person, make_person

DRUGS = ("amoxicillin", "ibuprofen", "cephalexin", "metformin")
SUBSTANCES = ("penicillin", "NSAIDs", "naproxen", "ampicillin")
PAUSE = 0.02


@dataclass(frozen=True)
class Acknowledged:
    """A fact as the server said that it had stored it."""

    person: Person
    text: str
    seq: int
    hash: str


@dataclass
class Journal:
    """What a client posted and was told."""

    facts: list[Acknowledged] = field(default_factory=list)
    done: int = 0
    queued: int = 0
    unanswered: int = 0
    replayed: int = 0
    refused: list[str] = field(default_factory=list)


def patient(app: App, name: str) -> Person:
    """A person about whom every record has been asserted once, so that it can be retracted."""
    drugs = [
        NewReading("health.Medication", "assert", drug, {"name": drug, "status": "stopped"})
        for drug in DRUGS
    ]
    known = [
        NewReading("health.Allergy", "assert", substance, {"substance": substance})
        for substance in SUBSTANCES
    ]
    return make_person(app, name, [*drugs, *known])


def conflicting(choice: random.Random) -> dict[str, Any]:
    """A reading that starts or stops a drug, or brings an allergy or takes it back."""
    on = choice.random() < 0.5
    if choice.random() < 0.5:
        drug = choice.choice(DRUGS)
        data = {"name": drug, "status": "taking" if on else "stopped"}
        return {"kind": "health.Medication", "id": drug, "data": data}
    substance = choice.choice(SUBSTANCES)
    if on:
        return {"kind": "health.Allergy", "id": substance, "data": {"substance": substance}}
    return {"kind": "health.Allergy", "id": substance, "op": "retract"}


class Poster(threading.Thread):
    """One client: posts fact after fact about `person` until it is told to stop.

    What got no answer it sends again until one comes, unless it `gives_up`: then it goes on with
    the next fact, and nobody but the sweep will see to the one that was left.
    """

    def __init__(
        self,
        name: str,
        port: int,
        secret: str,
        person: Person,
        *,
        seed: int,
        stop: threading.Event,
        gives_up: bool = False,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.journal = Journal()
        self.person = person
        self._port, self._secret, self._stop_asked, self._gives_up = port, secret, stop, gives_up
        self._choice = random.Random(f"{seed} {name}")  # noqa: S311  (no secret)
        self._client = Client(port, secret)

    def run(self) -> None:
        number = 0
        while not self._stop_asked.is_set():
            number += 1
            body = {"text": f"{self.name}, {number}", "readings": [conflicting(self._choice)]}
            self._post(self.person, body)
        self._client.close()

    def _post(self, person: Person, body: dict[str, Any]) -> None:
        """Post until an answer comes; the key makes the repeats of a stored fact harmless."""
        while True:
            try:
                answer = self._client.post(person.facts, body, {"Idempotency-Key": body["text"]})
            except ConnectionRefusedError:
                self._reconnect()
            except (OSError, http.client.HTTPException):
                self.journal.unanswered += 1
                self._reconnect()
                if self._gives_up:
                    return
            else:
                self._note(person, body["text"], answer)
                return

    def _reconnect(self) -> None:
        self._client.close()
        time.sleep(PAUSE)
        self._client = Client(self._port, self._secret)

    def _note(self, person: Person, text: str, answer: Answer) -> None:
        journal = self.journal
        if answer.status != 201:
            journal.refused.append(f"{answer.status}: {answer.body}")
            return
        fact = answer.body["facts"][0]
        journal.facts.append(Acknowledged(person, text, fact["seq"], fact["hash"]))
        journal.replayed += answer.headers.get("Idempotent-Replay") == "true"
        journal.done += answer.evaluated
        journal.queued += not answer.evaluated


def joined(posters: Sequence[Poster], stop: threading.Event) -> list[Journal]:
    """Ask the clients to stop and wait until each has the answer to its last fact."""
    stop.set()
    for poster in posters:
        poster.join()
    return [poster.journal for poster in posters]
