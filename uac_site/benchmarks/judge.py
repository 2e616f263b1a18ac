"""Have a model judge answers against the wanted ones; its verdicts are recorded too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.config import model_config
from memory.checkpointer.model.errors import AnswerRefused
from memory.checkpointer.model.question import Question
from memory.checkpointer.prompts import Prompt, expanded
from memory.checkpointer.prompts import prompt as prompt_of
from memory.models import Stage as Calls
from uac_site.benchmarks.recorded import Stage

TEMPLATE = Path(__file__).resolve().parent / "judge.md"
AT_A_TIME, ATTEMPTS = 10, 3
PATIENCE = 3_600.0


class Verdict(BaseModel):
    """Whether an answer is correct, and why."""

    model_config = ConfigDict(extra="forbid")

    number: int
    correct: bool
    why: Annotated[str, Field(max_length=400)]


class Verdicts(BaseModel):
    """One for each answer."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[Verdict]


@dataclass(frozen=True)
class Judged:
    """A verdict; of an answer that got none, that it is wrong."""

    right: bool
    why: str


NO_VERDICT = Judged(False, "no verdict")


def judge(stage: Stage, answers: Sequence[tuple[str, str, str]]) -> list[Judged]:
    """The verdicts on questions with the wanted answer and the one that was given, in order.

    Raises ModelError.
    """
    config = replace(
        model_config(),
        base_url=stage.endpoint,
        models={"": stage.inside.options.model},
        seconds=PATIENCE,
        silence_seconds=PATIENCE,
    )
    client = ModelClient(config)
    return [
        one
        for start in range(0, len(answers), AT_A_TIME)
        for one in _judged(client, answers[start : start + AT_A_TIME])
    ]


def _judged(client: ModelClient, answers: Sequence[tuple[str, str, str]]) -> Iterator[Judged]:
    lines = [
        json.dumps({"number": number, "question": text, "right": right, "said": said})
        for number, (text, right, said) in enumerate(answers, start=1)
    ]
    question = Question(
        stage=Calls.ASK,
        instructions=_template().fill(answers="\n".join(lines)),
        shape=Shape(Verdicts, name="verdicts"),
    )
    found = {one.number: one for one in _verdicts(client, question)}
    for number in range(1, len(answers) + 1):
        one = found.get(number)
        yield Judged(one.correct, one.why) if one else NO_VERDICT


def _verdicts(client: ModelClient, question: Question[Verdicts]) -> list[Verdict]:
    """The model's verdicts; none where its answers never fit."""
    base = question
    for _ in range(ATTEMPTS):
        try:
            return client.ask(question).value.verdicts
        except AnswerRefused as refused:
            question = base.again(refused)
    return []


def _template() -> Prompt:
    def read(name: str) -> str:
        if name == "judge":
            return TEMPLATE.read_text(encoding="utf-8")
        return prompt_of(name).template

    return Prompt("judge", expanded("judge", read))
