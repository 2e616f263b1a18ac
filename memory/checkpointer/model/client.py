"""Ask a model a question and get a checked value, or a typed error that says what to do.

One question is one call, with a time that holds for all of it: attempts, waits and answers. Each
attempt is recorded. The client repairs nothing: an answer that does not fit is an `AnswerRefused`,
and whoever asked may send what was wrong with `Question.again`.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import TypeVar

from django.utils import timezone

from memory.checkpointer.model.attempt import Attempt, Means
from memory.checkpointer.model.config import ModelConfig, model_config
from memory.checkpointer.model.errors import Cancelled, ModelError, NotConfigured
from memory.checkpointer.model.guard import ASK_SECONDS
from memory.checkpointer.model.manner import Manners
from memory.checkpointer.model.question import Answer, Question
from memory.checkpointer.model.retries import wait_before_retry

T = TypeVar("T")
_manners = Manners()


@dataclass
class ModelClient:
    """Asks. Clock, chance and sleep are handed in by tests."""

    config: ModelConfig = field(default_factory=model_config)
    manners: Manners = field(default_factory=lambda: _manners)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    now: Callable[[], datetime] = timezone.now

    def ask(self, question: Question[T]) -> Answer[T]:
        """The answer to a question. Raises ModelError, and access.NotFound for somebody erased."""
        model = self.config.model_for(question.stage)
        if not model:
            raise NotConfigured(f"no model is configured for {question.stage}")
        means = Means(self.config, self.manners, self.clock, self.now)
        ends, call_id = self.clock() + self.config.seconds, uuid.uuid4()
        for number in count(1):
            attempt = Attempt(means, question, model, call_id, number, ends)
            try:
                return attempt.run()
            except ModelError as error:
                wait = self._wait(error, number)
                if wait is None or self.clock() + wait >= ends:
                    raise
            self._pause(wait, question)
        raise AssertionError("count() has no end")

    def _wait(self, error: ModelError, number: int) -> float | None:
        if number >= self.config.attempts:
            return None
        longest = self.config.retry_after_seconds
        return wait_before_retry(error, number, longest_asked=longest, random=self.random)

    def _pause(self, seconds: float, question: Question[T]) -> None:
        """Wait, in steps short enough to be called off. Raises Cancelled."""
        ends = self.clock() + seconds
        while (left := ends - self.clock()) > 0:
            if question.cancelled():
                raise Cancelled("the call was cancelled")
            self.sleep(min(left, ASK_SECONDS))
