"""Ask a model a person's question until its answer holds, attempts are spent, or time is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from memory.answering.answered import Answered
from memory.answering.checks import Wrong, check_query, check_text
from memory.answering.evidence import NAME, rests_on
from memory.answering.find import Channels
from memory.answering.gather import material_for
from memory.answering.material import Material
from memory.answering.prompt import Asked, ask_with
from memory.answering.quoted import Quoted, WrongQuotes, as_code, quoted
from memory.answering.sentence import filled
from memory.answering.shape import SHAPE, Written
from memory.answering.turns import a_turn
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import AnswerRefused, NotConfigured
from memory.checkpointer.model.question import Answer as ModelAnswer
from memory.checkpointer.model.question import Question
from memory.models import MemoryUser, Stage
from memory.querying.ask import Answer, NotNow, QueryFailed
from memory.querying.ask import ask as run_query

LEAST_SECONDS = 2.0
"""With less left there is no use in asking once more."""
LONGEST_SENT_BACK = 8_000
NO_TIME = "There was no time for another attempt."


def ask(user: MemoryUser, question: str, *, channels: Channels, now: datetime) -> Answered:
    """The answer to a question, or that it is not known; outside any transaction.

    Raises ModelError where the model cannot be asked, and NotNow where the sandbox is busy.
    """
    client = ModelClient()
    if not client.config.model_for(Stage.ASK):
        raise NotConfigured("no model is configured to answer questions")
    material = material_for(user, question, channels=channels, now=now)
    asked = ask_with(material, most_tokens=settings.ASK_PROMPT_TOKENS)
    with a_turn():
        return _Asking(user, material, asked, client, now).answer()


@dataclass
class _Asking:
    """One question, and what has come of it so far."""

    user: MemoryUser
    material: Material
    asked: Asked
    client: ModelClient
    now: datetime
    clock: Callable[[], float] = time.monotonic
    refused: list[str] = field(default_factory=list)

    def answer(self) -> Answered:
        """What holds of the model's answers."""
        started = self.clock()
        question = base = Question(
            stage=Stage.ASK,
            instructions=self.asked.instructions,
            shape=SHAPE,
            person=self.user.pk,
        )
        while len(self.refused) < settings.ASK_ATTEMPTS:
            left = settings.ASK_SECONDS - (self.clock() - started)
            if left < LEAST_SECONDS:
                return self._unknown(NO_TIME, self.clock() - started)
            try:
                answer = self._client(left).ask(question)
                return self._held(answer, self.clock() - started)
            except AnswerRefused as error:
                self.refused.append(error.problem)
                question = base.again(AnswerRefused(error.problem, error.text[:LONGEST_SENT_BACK]))
        return self._unknown(self.refused[-1], self.clock() - started)

    def _client(self, left: float) -> ModelClient:
        config = self.client.config
        return replace(self.client, config=replace(config, seconds=min(config.seconds, left)))

    def _held(self, answer: ModelAnswer[Written], seconds: float) -> Answered:
        """The answer, looked at. Raises AnswerRefused with what to mend, and NotNow."""
        written = answer.value
        try:
            if written.how == "unknown":
                return self._unknown("", seconds)
            found = quoted(written.quotes, self.asked.excerpts)
            if written.how == "text":
                check_text(written, self.material.question, found)
                return self._of(written, found, seconds, sentence=written.sentence.strip())
            return self._queried(written, found, seconds)
        except (Wrong, WrongQuotes) as error:
            raise AnswerRefused(str(error), answer.text) from None
        except QueryFailed as failed:
            raise AnswerRefused(_told(failed), answer.text) from None

    def _queried(self, written: Written, found: list[Quoted], seconds: float) -> Answered:
        collections = self.material.project.collections
        check_query(written, self.material.question, found, collections)
        code = as_code(found) + written.code.strip() + "\n"
        answer = run_query(self.user, code, now=self.now)
        self._check_read(answer, found)
        if answer.value is None:
            return replace(self._unknown("", seconds), code=code, answer=answer)
        return self._of(
            written,
            found,
            seconds,
            sentence=filled(written.sentence.strip(), answer.value),
            code=code,
            answer=answer,
            rests=rests_on(self.user, answer, self._named(code)),
        )

    def _check_read(self, answer: Answer, found: list[Quoted]) -> None:
        """Where nothing is recorded, nothing can be counted. Raises Wrong."""
        read = [one for one in answer.kinds.values() if one.collection in answer.collections]
        if not found and not any(self.material.counts.get(kind.full_name) for kind in read):
            raise Wrong(
                f"code: there is no record in {', '.join(answer.collections)}, so that nothing is"
                " known from there; look elsewhere, or answer that it is unknown"
            )

    def _named(self, code: str) -> Any:
        """The records that the query says it rests on; None where it does not say."""
        if NAME not in code:
            return None
        try:
            return run_query(self.user, f"{code}\n{NAME}", now=self.now).value
        except (QueryFailed, NotNow):
            return None

    def _unknown(self, why: str, seconds: float) -> Answered:
        return Answered.unknown(self.user, self.material, self.asked, self.refused, seconds, why)

    def _of(self, written: Written, found: list[Quoted], seconds: float, **more: Any) -> Answered:
        base = self._unknown("", seconds)
        return replace(base, how=written.how, quotes=tuple(found), **more)


def _told(failed: QueryFailed) -> str:
    """Why a query failed, with its places in the code."""
    lines = [f"code: {failed.title}"]
    for one in failed.remarks:
        place = f"line {one.line}, column {one.column}: " if one.line else ""
        lines.append(f"{place}{one.detail}")
        if one.source_line:
            lines.append(f"    {one.source_line}")
    return "\n".join(lines)
