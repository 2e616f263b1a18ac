"""One attempt to ask: let in, recorded, exchanged, read, and recorded again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar
from uuid import UUID

from memory.actions.model_calls import Ending, begin_call, end_call
from memory.checkpointer.model.config import ModelConfig
from memory.checkpointer.model.errors import Cancelled, ModelError, Refused
from memory.checkpointer.model.guard import Guard
from memory.checkpointer.model.manner import Manner, Manners
from memory.checkpointer.model.prices import estimated_tokens
from memory.checkpointer.model.question import Answer, Question
from memory.checkpointer.model.wire import Endpoint, Reply, Sent, exchange
from memory.checkpointer.prompts import prompt
from memory.models import CallOutcome, ModelCall

T = TypeVar("T")
UNBILLED = (
    CallOutcome.UNREACHABLE,
    CallOutcome.FAILED,
    CallOutcome.RATE_LIMITED,
    CallOutcome.REFUSED,
)
"""Ends before which the model cannot have worked, unless an answer had begun."""


@dataclass(frozen=True)
class Means:
    """What every attempt of a client uses."""

    config: ModelConfig
    manners: Manners
    clock: Callable[[], float]
    now: Callable[[], datetime]


@dataclass
class Attempt(Generic[T]):
    """One attempt of a call, from its record's beginning to its end."""

    means: Means
    question: Question[T]
    model: str
    call_id: UUID
    number: int
    ends: float
    reply: Reply = field(default_factory=Reply)
    manner: Manner = field(default_factory=Manner)

    def run(self) -> Answer[T]:
        """The answer. Raises ModelError."""
        started = self.means.clock()
        if self.question.cancelled():
            raise Cancelled("the call was cancelled")
        call = begin_call(call=self._record(), config=self.means.config, now=self.means.now())
        try:
            self._exchange()
            value = self.question.shape.read(self.reply.text)
        except ModelError as error:
            self._end(call, self._ending(started, error.outcome, error.alive, error))
            raise
        except BaseException:
            self._end(call, self._ending(started, CallOutcome.BROKEN_OFF, None))
            raise
        ending = self._ending(started, CallOutcome.DONE, True)
        self._end(call, ending)
        return Answer(
            value, self.reply.text, self.model, ending.tokens_in, ending.tokens_out, ending.cost
        )

    def _exchange(self) -> None:
        """Ask in the manner that has worked, or find one that does."""
        manners, where = self.means.manners, (self.means.config.base_url, self.model)
        manner: Manner | None = manners.of(*where)
        while manner is not None:
            self.manner, self.reply = manner, Reply()
            try:
                exchange(
                    self._endpoint(), self._sent(), manner, guard=self._guard(), reply=self.reply
                )
            except Refused as refusal:
                manner = manner.after(refusal)
                if manner is None:
                    raise
            else:
                manners.learn(*where, manner)
                return

    def _guard(self) -> Guard:
        config = self.means.config
        guard = Guard(self.ends, config.answer_bytes, self.means.clock, self.question.cancelled)
        guard.left()
        return guard

    def _endpoint(self) -> Endpoint:
        config = self.means.config
        return Endpoint(
            config.base_url, config.api_key, config.connect_seconds, config.silence_seconds
        )

    def _sent(self) -> Sent:
        shape = self.question.shape
        system = self.question.instructions.text
        if self.manner.format != "json_schema":
            schema = json.dumps(shape.schema, ensure_ascii=False)
            system = f"{system}\n\n{prompt('schema').fill(schema=schema).text}"
        return Sent(
            self.model,
            (("system" if self.question.turns else "user", system), *self.question.turns),
            shape.name,
            shape.schema,
            self.means.config.answer_tokens,
        )

    def _tokens_asked(self) -> int:
        """How many tokens the question may have, at most."""
        turns = sum(estimated_tokens(text) for _, text in self.question.turns)
        schema = estimated_tokens(json.dumps(self.question.shape.schema))
        return turns + schema + estimated_tokens(self.question.instructions.text)

    def _record(self) -> ModelCall:
        config, filled = self.means.config, self.question.instructions
        most = config.price_of(self.model).of(self._tokens_asked(), config.answer_tokens)
        return ModelCall(
            call=self.call_id,
            attempt=self.number,
            user_id=self.question.person,
            stage=self.question.stage,
            endpoint=config.base_url,
            model=self.model,
            prompt=filled.name,
            prompt_digest=filled.digest,
            cost=most,
        )

    def _ending(
        self, started: float, outcome: str, alive: bool | None, error: ModelError | None = None
    ) -> Ending:
        """What the record says in the end; tokens are estimated where the endpoint is silent."""
        reply = self.reply
        worked = reply.began or outcome not in UNBILLED
        counted = reply.tokens_in is not None and reply.tokens_out is not None
        tokens_in = tokens_out = 0
        if counted or worked:
            tokens_in = self._tokens_asked() if reply.tokens_in is None else reply.tokens_in
            tokens_out = (
                estimated_tokens(reply.text) if reply.tokens_out is None else reply.tokens_out
            )
        return Ending(
            outcome=outcome,
            alive=alive,
            seconds=self.means.clock() - started,
            format=self.manner.format,
            status=error.status if error else None,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            estimated=worked and not counted,
            cost=self.means.config.price_of(self.model).of(tokens_in, tokens_out),
        )

    def _end(self, call: ModelCall, ending: Ending) -> None:
        end_call(call=call, ending=ending, config=self.means.config, now=self.means.now())
