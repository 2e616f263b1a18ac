"""Ask a model to read what waits for a person, until its answer holds or attempts are spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.conf import settings

from memory.actions.apply_reading import Read
from memory.actions.progress import Course
from memory.actions.project_state import Key
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import (
    AnswerRefused,
    Cancelled,
    CutShort,
    Declined,
    ModelError,
    TooLarge,
)
from memory.checkpointer.model.question import Question
from memory.checkpointer.reading.answer import ReadAnswer
from memory.checkpointer.reading.batch import next_material
from memory.checkpointer.reading.item import Item
from memory.checkpointer.reading.prompt import SHAPE, Asked, TooLong, ask_about
from memory.checkpointer.reading.verdict import Verdict
from memory.checkpointer.reading.verify import verify
from memory.code import code_of
from memory.models import MemoryUser, Stage

MARGIN_SECONDS = 10
"""For what a job does besides asking."""
LEAST_SECONDS = 3
"""With less left there is no use in asking."""
LONGEST_SENT_BACK = 12_000
NO_TIME = "there was no time for another attempt"
BY_ITSELF = (CutShort, TooLarge, Declined)
"""Errors that come of what was asked: with less of it the model may answer."""


@dataclass
class Reader:
    """One batch of one person, within the time that the job has."""

    user: MemoryUser
    client: ModelClient
    ends: float
    course: Course
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    last: tuple[ReadAnswer, Verdict] | None = None
    problem: str = ""
    digest: str = ""
    items: dict[int, Item] = field(default_factory=dict)
    shown: frozenset[Key] = frozenset()

    def read(self) -> Read | None:
        """What came of the next batch; None where nothing waits."""
        material = next_material(self.user)
        if material is None:
            return None
        self.digest = material.project.digest
        self.items = {1: material.items[0]}
        try:
            asked = ask_about(material, most_tokens=settings.PROMPT_TOKENS)
        except TooLong as error:
            return self._given_up(str(error))
        self.items, self.shown = dict(enumerate(asked.items, start=1)), asked.shown
        return self._asked(asked)

    def _asked(self, asked: Asked) -> Read:
        question = base = Question(
            stage=Stage.READ,
            instructions=asked.instructions,
            shape=SHAPE,
            person=self.user.pk,
            cancelled=self.course.cancelled,
        )
        most = max(1, settings.READ_ATTEMPTS - max(one.tries for one in asked.items))
        while self.refused < most:
            left = self.ends - self.clock()
            if left < LEAST_SECONDS:
                return self._so_far or self._again(NO_TIME, later=False)
            try:
                self.course.at("asking the model")
                answer = self._client(left).ask(question)
                self.course.at("checking the answer")
                self._look_at(answer.value)
                if not self.problem:
                    self.course.at("storing")
                    return Read(self.digest, self.items, answer.value, shown=self.shown)
                raise AnswerRefused(self.problem, answer.text)
            except AnswerRefused as error:
                self.refused += 1
                self.problem = error.problem
                question = base.again(AnswerRefused(error.problem, _cut(error.text)))
            except BY_ITSELF as error:
                return self._so_far or self._given_up(str(error))
            except Cancelled:
                raise
            except ModelError as error:
                return self._so_far or self._again(str(error), later=True)
        return self._exhausted()

    def _client(self, left: float) -> ModelClient:
        config = self.client.config
        return replace(self.client, config=replace(config, seconds=min(config.seconds, left)))

    def _look_at(self, answer: ReadAnswer) -> None:
        """Keep an answer; not in the place of one whose facts are right where its own are not."""
        verdict = self._verified(answer, self.items)
        self.problem = verdict.told
        if self.last is None or self.last[1].problems or not verdict.problems:
            self.last = answer, verdict

    def _verified(self, answer: ReadAnswer, items: Mapping[int, Item]) -> Verdict:
        user = MemoryUser.objects.get(pk=self.user.pk)
        code = code_of(user)
        return verify(user=user, code=code, items=items, answer=answer, shown=self.shown)

    @property
    def _so_far(self) -> Read | None:
        """The last answer where nothing but a concern is wrong with it: no fact waits for that."""
        return self._exhausted() if self.last and not self.last[1].problems else None

    def _exhausted(self) -> Read:
        """Use what was right of the last answer; the rest waits for a person, with its reason.

        What depends on a message that is left out is left out too, as are wrong concerns.
        """
        if self.last is None:
            return self._given_up(self.problem)
        answer, verdict = self.last
        stuck: dict[int, str] = {}
        while verdict.problems:
            wrong = [one for one in verdict.problems if one.number is not None]
            for one in wrong:
                stuck.setdefault(one.number or 0, f"{one.path}: {one.detail}")
            left = {number: item for number, item in self.items.items() if number not in stuck}
            if not left:
                break
            answer = answer.about(left)
            verdict = self._verified(answer, left)
        answer = answer.model_copy(update={"concerns": verdict.concerns})
        return Read(
            self.digest,
            self.items,
            answer,
            stuck=stuck,
            refused=self.refused,
            shown=self.shown,
        )

    def _given_up(self, reason: str) -> Read:
        """One message waits for a person; of several, each is read by itself."""
        if len(self.items) > 1:
            self.refused = 1
            return self._again(reason, later=False)
        stuck = dict.fromkeys(self.items, reason)
        return Read(self.digest, self.items, stuck=stuck, refused=self.refused)

    def _again(self, reason: str, *, later: bool) -> Read:
        again = dict.fromkeys(self.items, reason)
        return Read(self.digest, self.items, again=again, refused=self.refused, later=later)


def read_next(user_id: UUID, *, ends: float, course: Course) -> Read | None:
    """Read the next batch of a person before `ends` (on the monotonic clock); None: nothing waits.

    Raises access.NotFound where the person is erased meanwhile, and Cancelled.
    """
    user = MemoryUser.objects.get(pk=user_id)
    return Reader(user, ModelClient(), ends, course).read()


def _cut(text: str) -> str:
    return text[:LONGEST_SENT_BACK]
