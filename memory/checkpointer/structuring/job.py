"""Ask a model for code until an answer passes every check, or the attempts are spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memory.actions.progress import Course
from memory.actions.structure_needs import SentBack, Written
from memory.checkpointer.checks import Check
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import (
    AnswerRefused,
    Cancelled,
    CutShort,
    Declined,
    ModelError,
    TooLarge,
)
from memory.checkpointer.model.question import Answer, Question
from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.structuring.material import Material, next_material
from memory.checkpointer.structuring.prompt import SHAPE, Asked, NoRoom, ask_for_code
from memory.checkpointer.structuring.trial import Trial, try_answer
from memory.models import ModelCall, Stage
from memory.sandbox import NoWorker

LEAST_SECONDS = 5
"""With less left there is no use in asking."""
CHECK_SECONDS = 30
"""What the checks of an answer may take."""
LONGEST_SENT_BACK, LONGEST_PROBLEM = 30_000, 4_000
NO_TIME = "there was no time for another attempt"
BY_ITSELF = (CutShort, TooLarge, Declined)
"""Errors that come of what was asked: asked again the model would do the same."""


@dataclass
class Structurer:
    """The next needs of one person, within the time that the job has."""

    material: Material
    client: ModelClient
    ends: float
    course: Course
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = timezone.now
    sent_back: list[SentBack] = field(default_factory=list)
    last: Trial | None = None

    def structure(self) -> Written:
        """What came of the needs."""
        began = self.now()
        model = self.client.config.model_for(Stage.STRUCTURE)
        written = Written(self.material, {1: self.material.needs[0]}, model=model)
        try:
            asked = ask_for_code(self.material, most_tokens=settings.STRUCTURE_PROMPT_TOKENS)
        except NoRoom as error:
            return replace(written, failed=str(error))
        written = replace(written, needs=asked.needs, facts=tuple(asked.facts))
        written = self._asked(asked, written)
        calls = ModelCall.objects.filter(
            user=self.material.user, stage=Stage.STRUCTURE, started_at__gte=began
        )
        return replace(
            written,
            trial=self.last,
            sent_back=tuple(self.sent_back),
            cost=calls.cost(),
            tokens=calls.tokens(),
        )

    def _asked(self, asked: Asked, written: Written) -> Written:
        question = base = Question(
            stage=Stage.STRUCTURE,
            instructions=asked.instructions,
            shape=SHAPE,
            person=self.material.user.pk,
            cancelled=self.course.cancelled,
        )
        most = self.course.total = settings.STRUCTURE_ATTEMPTS
        while (done := len(self.sent_back)) < most:
            self.course.done = done
            left = self.ends - self.clock() - CHECK_SECONDS
            if left < LEAST_SECONDS:
                return replace(written, later=NO_TIME)
            try:
                answer = self._attempt(question, left / (most - done), left)
                self.last = try_answer(answer.value, self.material, asked, now=self.now())
            except AnswerRefused as error:
                refused = self._send_back(error.problem, error.text)
            except BY_ITSELF as error:
                return replace(written, failed=str(error))
            except Cancelled:
                raise
            except (ModelError, NoWorker) as error:
                return replace(written, later=str(error))
            else:
                if self.last.failed is None:
                    return replace(written, answer=answer.value)
                refused = self._send_back(_told(self.last.failed), answer.text, self.last)
            question = base.again(refused)
        return replace(written, failed=self.sent_back[-1].problem)

    def _attempt(
        self, question: Question[StructureAnswer], share: float, left: float
    ) -> Answer[StructureAnswer]:
        """One call: for its share of the time that is left, or for as long as any call has."""
        config = self.client.config
        config = replace(
            config,
            seconds=min(max(config.seconds, share), left),
            answer_tokens=settings.STRUCTURE_ANSWER_TOKENS,
        )
        self.course.at("asking the model")
        answer = replace(self.client, config=config).ask(question)
        self.course.at("checking the answer")
        return answer

    def _send_back(self, problem: str, text: str, trial: Trial | None = None) -> AnswerRefused:
        """Note an answer that does not pass; what the model is told of it."""
        problem = problem[:LONGEST_PROBLEM]
        self.sent_back.append(SentBack(problem, trial.project if trial else None))
        return AnswerRefused(problem, text[:LONGEST_SENT_BACK])


def _told(check: Check) -> str:
    return f"{check.name}: {check.detail}"


def structure_next(
    user_id: UUID, *, ends: float, course: Course, client: ModelClient | None = None
) -> Written | None:
    """Ask about the next needs of a person before `ends` (on the monotonic clock).

    None where nothing is open, or no model is configured. Raises Cancelled, and access.NotFound or
    MemoryUser.DoesNotExist where the person is erased meanwhile.
    """
    client = client or ModelClient()
    if not client.config.model_for(Stage.STRUCTURE):
        return None
    material = next_material(user_id, now=timezone.now())
    return None if material is None else Structurer(material, client, ends, course).structure()
