"""Somebody whose conversation is posted, read by the worker, and looked at through the API."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.utils import timezone

from alerts.evaluation.run import evaluate, queue_limits
from memory.models import Job, JobStatus, Proposal, ToRead
from uac_site.benchmarks.client import Client, Refused
from uac_site.benchmarks.reviewer import Reviewer

LOOK = 0.05
PATIENCE = 14_400.0  # seconds for one session; answers may be written by hand
ROUNDS = 5
"""Approvals after one session: what is approved may ask for more."""
UNDER_WAY = (JobStatus.QUEUED, JobStatus.RUNNING)


@dataclass(frozen=True)
class Turn:
    """What somebody said; `user` is the person whose memory it is."""

    role: str
    text: str
    said_at: datetime

    def body(self) -> dict[str, str]:
        """The turn as the API takes it."""
        said_at = self.said_at.isoformat()
        return {"role": self.role, "content": self.text, "said_at": said_at}


@dataclass(frozen=True)
class Talker:
    """A person of the benchmark, whom one client knows."""

    client: Client
    id: UUID

    @property
    def path(self) -> str:
        """The address of the person."""
        return f"/api/v1/users/{self.id}"

    def say(self, turns: Sequence[Turn], session: str) -> None:
        """Post the turns of a session, and wait until nothing of it is under way."""
        self._afresh()
        body = {"messages": [turn.body() for turn in turns], "session": session}
        self.client.created(f"{self.path}/messages", body)
        self.settle()

    def look(self) -> None:
        """Run the rules as the sweep of a new day does."""
        evaluate(user_id=self.id, now=timezone.now(), limits=queue_limits())

    def settle(self) -> None:
        """Return when no job of the person waits or runs. Raises Refused."""
        end = time.monotonic() + PATIENCE
        while Job.objects.filter(user=self.id, status__in=UNDER_WAY).exists():
            if time.monotonic() > end:
                raise Refused(f"the jobs of {self.id} do not end")
            time.sleep(LOOK)

    def _afresh(self) -> None:
        """Begin a new connection: the server ends one that is idle for some seconds."""
        self.client.close()

    def approve(self, port: int) -> int:
        """Approve what is proposed, as a reviewer on the page; how many proposals."""
        count = 0
        for _ in range(ROUNDS):
            found = list(Proposal.objects.open().filter(user=self.id).values_list("pk", flat=True))
            if not found:
                break
            reviewer = Reviewer(port)  # one of today: a session does not outlive the clock
            for proposal in found:
                reviewer.approve(proposal)
            count += len(found)
            self.settle()
        return count

    def unread(self) -> list[str]:
        """Why messages or facts have not been read, a reason each."""
        rows = ToRead.objects.filter(user=self.id, status__in=("waiting", "stuck"))
        return list(rows.values_list("reason", flat=True))

    def items(self, what: str, **query: str) -> Iterator[dict[str, Any]]:
        """All items of a list of the person's, page by page, such as `alerts`. Raises Refused."""
        self._afresh()
        path: str | None = f"{self.path}/{what}?{urlencode(query)}"
        while path:
            page = json.loads(self.client.fetched(path)[0])
            yield from page["items"]
            following = urlsplit(page["next"] or "")
            path = f"{following.path}?{following.query}" if following.path else None

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of a kind, such as `health.Allergy`."""
        return list(self.items(f"state/{kind}"))

    def kinds(self) -> dict[str, int]:
        """How many records there are of each kind that has any."""
        self._afresh()
        state = json.loads(self.client.fetched(f"{self.path}/state")[0])
        return {one["kind"]: one["count"] for one in state["kinds"] if one["count"]}


def introduced(client: Client, external_id: str, names: Mapping[str, str]) -> Talker:
    """A person whom nobody has met; `names` may hold `display_name` and `timezone`."""
    client.close()  # it may have been idle for long
    made = client.created("/api/v1/users", {"external_id": external_id, **names})
    return Talker(client, UUID(made.body["user_id"]))
