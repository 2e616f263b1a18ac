"""Answer from cassettes; what they do not hold is asked elsewhere and recorded, or refused."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from uac_site.cassettes.cassette import Cassettes, Exchange, as_recorded
from uac_site.cassettes.endpoint import Body, Reply
from uac_site.cassettes.request import Asked, asked_of

FOLDER = Path(__file__).resolve().parent
"""Where the cassettes of the project are, a folder for each use."""
READ_AND_STRUCTURE = ("read", "structure")
PATIENCE = 3_600.0
"""Seconds that an answer may take; one may be written by hand."""
LONGEST_LABEL = 60
STREAMING = frozenset({"stream", "stream_options"})
NOT_RECORDED = (
    "No answer is recorded for this request ({stage}, about {about}). To record one, run the"
    " benchmark with --model-endpoint and --record; see docs/model.md."
)


@dataclass(frozen=True)
class Upstream:
    """An OpenAI-compatible endpoint that is asked for what is not recorded."""

    base_url: str
    api_key: str = "none"

    def ask(self, body: Body) -> Reply:
        """Its answer in one piece; with a status of its own, or 502, where it gives none."""
        whole = {name: value for name, value in body.items() if name not in STREAMING}
        try:
            status, answer = self._exchange(json.dumps(whole).encode())
            if status != http.client.OK:
                return Reply(f"the endpoint: {answer}", status=status)
            text = answer["choices"][0]["message"]["content"]
            return Reply(str(text), str(answer.get("model") or body.get("model", "")))
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
            return Reply(f"the endpoint gave no answer: {type(error).__name__}", status=502)

    def _exchange(self, body: bytes) -> tuple[int, Any]:
        parts = urlsplit(self.base_url)
        connection = (
            http.client.HTTPSConnection(
                parts.netloc, timeout=PATIENCE, context=ssl.create_default_context()
            )
            if parts.scheme == "https"
            else http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
        )
        try:
            headers = {
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self.api_key}",
            }
            connection.request("POST", f"{parts.path}/chat/completions", body, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


@dataclass
class Player:
    """Answers requests; `into` is the file that answers from upstream are recorded in, if any."""

    cassettes: Cassettes
    upstream: Upstream | None = None
    into: Path | None = None
    labelled: bool = False
    """Whether what was recorded says in a few words what it is about: for texts of our own only."""
    missed: list[Asked] = field(default_factory=list)
    asked: int = 0
    """Answers that upstream gave."""

    def __call__(self, body: Body) -> Reply:
        """The answer to a request."""
        asked = asked_of(body)
        found = self.cassettes.find(asked)
        if found is not None:
            return Reply(found.answer, found.model)
        if self.upstream is None:
            self.missed.append(asked)
            return Reply(
                NOT_RECORDED.format(stage=asked.stage or "unknown", about=asked.about[:12]),
                status=404,
            )
        return self._recorded(asked, self.upstream.ask(body))

    def _recorded(self, asked: Asked, reply: Reply) -> Reply:
        """The reply as the cassette has it from now on, so that each time is like the first."""
        self.asked += reply.status == 200
        if reply.status != 200 or self.into is None:
            return reply
        exchange = Exchange(
            stage=asked.stage,
            about=asked.about,
            exact=asked.exact,
            model=reply.model,
            answer=as_recorded(reply.text),
            said=" ".join(asked.texts)[:LONGEST_LABEL] if self.labelled else "",
        )
        self.cassettes.add(exchange, self.into)
        return Reply(exchange.answer, exchange.model)

    @property
    def told(self) -> str:
        """How many answers were recorded ones, and how many of those for an earlier prompt."""
        told = f"{self.cassettes.given} recorded answers"
        if self.cassettes.stale:
            told += f", {self.cassettes.stale} of them recorded against an earlier prompt"
        if self.asked:
            told += f", {self.asked} asked anew"
        return told + (f", {len(self.missed)} not recorded" if self.missed else "")


def environment(
    base_url: str, model: str = "recorded", *, stages: Collection[str] = READ_AND_STRUCTURE
) -> Mapping[str, str]:
    """The environment of processes that ask this endpoint and no other, whatever they had.

    For other stages than these no model is asked.
    """
    asked = {
        f"UAC_MODEL_{stage.upper()}": model if stage in stages else ""
        for stage in (*READ_AND_STRUCTURE, "ask", "embed")
    }
    return {
        "OPENAI_BASE_URL": base_url,
        "OPENAI_API_KEY": "none",
        "UAC_MODEL": "",
        **asked,
        "UAC_MODEL_DAILY_BUDGET": "",
        "UAC_MODEL_DAILY_BUDGET_PER_PERSON": "",
    }
