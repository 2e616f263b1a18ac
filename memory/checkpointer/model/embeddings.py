"""Have texts turned into vectors by an OpenAI-compatible endpoint, within the bounds of every call.

One attempt: it is let in, recorded and ended like any other (`attempt`). Whoever asks in the
background comes back later; a search goes on without.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory.actions.model_calls import Ending, begin_call, end_call
from memory.checkpointer.model.config import ModelConfig, model_config
from memory.checkpointer.model.errors import ModelError, NotConfigured
from memory.checkpointer.model.guard import Guard
from memory.checkpointer.model.prices import estimated_tokens
from memory.checkpointer.model.wire import Embedded, Endpoint, embed
from memory.models import CallOutcome, ModelCall, Stage

PROMPT = "embeddings"
Vectors = list[list[float]]


def _never() -> bool:
    return False


@dataclass
class EmbeddingClient:
    """Asks for vectors. `seconds` bounds a call; the clock is handed in by tests."""

    config: ModelConfig = field(default_factory=model_config)
    seconds: float | None = None
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = timezone.now

    @property
    def model(self) -> str:
        """The model of the settings; empty where none is."""
        return self.config.models.get(Stage.EMBED, "") if self.config.base_url else ""

    def vectors(
        self, texts: Sequence[str], *, person: UUID, cancelled: Callable[[], bool] = _never
    ) -> Vectors:
        """A vector for each text. Raises ModelError, and access.NotFound for somebody erased."""
        if not self.model:
            raise NotConfigured("no model is configured for embeddings")
        most = sum(map(estimated_tokens, texts))
        started, told = self.clock(), Embedded()
        call = begin_call(call=self._record(person, most), config=self.config, now=self.now())
        outcome, alive, status = CallOutcome.BROKEN_OFF.value, None, None
        try:
            ends = started + min(self.config.seconds, self.seconds or self.config.seconds)
            guard = Guard(ends, self.config.answer_bytes, self.clock, cancelled)
            vectors = embed(self._endpoint(), self.model, texts, guard=guard, told=told)
            outcome, alive = CallOutcome.DONE.value, True
        except ModelError as error:
            outcome, alive, status = error.outcome, error.alive, error.status
            raise
        finally:
            tokens = most if told.began and told.tokens is None else told.tokens or 0
            ending = Ending(
                outcome=outcome,
                alive=alive,
                seconds=self.clock() - started,
                status=status,
                tokens_in=tokens,
                estimated=told.began and told.tokens is None,
                cost=self.config.price_of(self.model).of(tokens, 0),
            )
            end_call(call=call, ending=ending, config=self.config, now=self.now())
        return vectors

    def quick(self, seconds: float) -> EmbeddingClient:
        """The same within so many seconds, for somebody who waits."""
        return replace(self, seconds=seconds)

    def _endpoint(self) -> Endpoint:
        config = self.config
        return Endpoint(
            config.base_url, config.api_key, config.connect_seconds, config.silence_seconds
        )

    def _record(self, person: UUID, most: int) -> ModelCall:
        return ModelCall(
            call=uuid.uuid4(),
            attempt=1,
            user_id=person,
            stage=Stage.EMBED,
            endpoint=self.config.base_url,
            model=self.model,
            prompt=PROMPT,
            prompt_digest="",
            cost=self.config.price_of(self.model).of(most, 0),
        )
