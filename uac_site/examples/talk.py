"""The example conversation: posted session by session, read where a model is configured.

Every session is posted once, however often this runs; its days count from the day on which the
person was first introduced.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from django.utils import timezone
from pydantic import Field

from memory.actions.app_keys import get_or_create_app
from memory.actions.append_messages import NewMessage, append_messages
from memory.actions.submissions import Idempotency
from memory.actions.users import get_or_create_user
from memory.models import Job, JobStatus, MemoryUser, ToRead
from memory.tasks import JobFailed, run_job
from uac_site.cassettes.cassette import Cassettes
from uac_site.cassettes.endpoint import endpoint
from uac_site.cassettes.player import FOLDER, Player, environment
from uac_site.env import BASE_DIR
from uac_site.examples.load import APP_NAME
from uac_site.examples.people import Written
from uac_site.examples.teams import place

FILE = Path(__file__).resolve().parent / "conversation.toml"
RECORDED = FOLDER / "demo"
COMMAND = (sys.executable, str(BASE_DIR / "manage.py"), "load_conversation")
BETWEEN_TURNS = timedelta(seconds=40)


class TalkSession(Written):
    """What was said on one day, so many days ago."""

    ago: int = Field(gt=0)
    at: time
    turns: tuple[tuple[Literal["user", "assistant"], str], ...]

    def messages(self, today: datetime) -> list[NewMessage]:
        """The turns as they are appended; `today` is an aware moment in the person's zone."""
        day = today.date() - timedelta(days=self.ago)
        began = datetime.combine(day, self.at, tzinfo=today.tzinfo)
        return [
            NewMessage(role, text, began + number * BETWEEN_TURNS)
            for number, (role, text) in enumerate(self.turns)
        ]


class Talk(Written):
    """Somebody, and their sessions with an assistant."""

    external_id: str
    name: str
    timezone: str
    team: str
    session: tuple[TalkSession, ...]


def read_talk(path: Path = FILE) -> Talk:
    """The conversation as written down."""
    return Talk.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def post_talk(talk: Talk, *, now: datetime) -> Iterator[MemoryUser]:
    """Post one session after the other; yields the person after each."""
    app = get_or_create_app(name=APP_NAME, now=now)
    user, _ = get_or_create_user(
        external_id=talk.external_id,
        display_name=talk.name,
        timezone=talk.timezone,
        actor=app,
        now=now,
    )
    place(user, talk.team, now)
    today = user.created_at.astimezone(ZoneInfo(user.timezone))
    for number, session in enumerate(talk.session, start=1):
        key = f"{talk.external_id}-talk-{number}"
        append_messages(
            user_id=user.pk,
            messages=session.messages(today),
            session=f"talk {number}",
            actor=app,
            now=now,
            idempotency=Idempotency(key=key, digest=hashlib.sha256(key.encode()).hexdigest()),
        )
        yield user


def read_here(user: MemoryUser) -> None:
    """Do in this process what is queued for a person, and what that queues, until nothing is."""
    queued = Job.objects.filter(user=user, status=JobStatus.QUEUED).order_by("queued_at", "pk")
    while (job := queued.first()) is not None:
        try:
            run_job(str(job.pk))
        except JobFailed:  # it is logged; the worker tries again
            return


def talk_here() -> None:
    """Post the example conversation and have each session read before the next one."""
    for user in post_talk(read_talk(), now=timezone.now()):
        read_here(user)


def is_read(talk: Talk) -> bool:
    """Whether the whole conversation was posted, and nothing of it waits."""
    user = MemoryUser.objects.filter(external_id=talk.external_id).first()
    turns = sum(len(session.turns) for session in talk.session)
    if user is None or user.message_seq < turns:
        return False
    return not ToRead.objects.waiting().filter(user=user).exists()


def talk_with_recorded_answers() -> int:
    """The same in a process of its own whose model is the cassette; how many answers that gave.

    The process that asks for it goes on without a model, as do those it starts.
    """
    player = Player(Cassettes.of(RECORDED))
    quiet = {"LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING")}
    with endpoint(player) as url:
        subprocess.run(COMMAND, env={**os.environ, **quiet, **environment(url)}, check=False)
    return player.cassettes.given
