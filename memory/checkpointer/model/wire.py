"""One question to an OpenAI-compatible endpoint, and its answer as text: the only door to HTTP.

Nothing that the endpoint sends is believed: sizes, types and ends are checked, and every exception
of the libraries becomes one of ours, without the request that theirs carry along.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpcore2
import httpx2
import openai
from pydantic import SecretStr

from memory.checkpointer.model.errors import (
    CutShort,
    Declined,
    Garbled,
    ModelError,
    RateLimited,
    Refused,
    ServerFailed,
    TimedOut,
    Unreachable,
)
from memory.checkpointer.model.guard import Guard
from memory.checkpointer.model.manner import Manner, is_closed
from memory.checkpointer.model.retries import retry_after
from memory.checkpointer.model.transport import GuardedTransport

NO_KEY = "none"  # for an endpoint that asks for no key; the client insists on some
PASSING = frozenset({408, 409, 425})
LONGEST_SAID = 2_000
EXHAUSTED = ("insufficient_quota", "billing_hard_limit")
EVENTS = "text/event-stream"


@dataclass(frozen=True)
class Endpoint:
    """Where to ask, and how long to wait for a connection and in a silence."""

    base_url: str
    api_key: SecretStr
    connect_seconds: float
    silence_seconds: float


@dataclass(frozen=True)
class Sent:
    """What is asked: messages as role and text, and the schema of the answer."""

    model: str
    messages: tuple[tuple[str, str], ...]
    schema_name: str
    schema: Mapping[str, Any]
    answer_tokens: int


@dataclass
class Reply:
    """What has come back so far; `tokens` are what the endpoint counted, if it did."""

    text: str = ""
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    began: bool = False
    pieces: list[str] = field(default_factory=list)


def exchange(endpoint: Endpoint, sent: Sent, manner: Manner, *, guard: Guard, reply: Reply) -> None:
    """Ask once, and fill `reply` as the answer arrives. Raises ModelError."""
    try:
        with _errors_of_ours(guard, "chat completion"), _client(endpoint, guard) as client:
            _ask(client, sent, manner, reply)
    finally:
        reply.text = reply.text or "".join(reply.pieces)


@contextmanager
def _errors_of_ours(guard: Guard, what: str) -> Iterator[None]:
    """Whatever goes wrong inside is a ModelError; `what` is the answer that should have come."""
    try:
        yield
    except ModelError as error:
        raise guard.broken or error from None
    except openai.APIStatusError as error:
        raise guard.broken or of_status(error) from None
    except openai.OpenAIError as error:
        raise guard.broken or _of_connection(error) from None
    except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise guard.broken or _of_connection(error) from None
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        raise guard.broken or Garbled(f"the answer is no {what}") from None


@dataclass
class Embedded:
    """What has come back of vectors so far; `tokens` are what the endpoint counted, if it did."""

    began: bool = False
    tokens: int | None = None


def embed(
    endpoint: Endpoint, model: str, texts: Sequence[str], *, guard: Guard, told: Embedded
) -> list[list[float]]:
    """A vector for each text, in order and all of one length. Raises ModelError."""
    with _errors_of_ours(guard, "list of embeddings"), _client(endpoint, guard) as client:
        create = client.embeddings.with_raw_response.create
        answer = create(model=model, input=list(texts), encoding_format="float")
        told.began = True
        return _vectors(json.loads(answer.http_response.read()), len(texts), told)


def _vectors(body: Any, count: int, told: Embedded) -> list[list[float]]:
    """The vectors of an answer; each must be there once, finite, and as long as the others."""
    tokens = (body.get("usage") or {}).get("prompt_tokens")
    told.tokens = tokens if isinstance(tokens, int) and 0 <= tokens < 2**31 else None
    found = {one["index"]: [float(value) for value in one["embedding"]] for one in body["data"]}
    vectors = [found[number] for number in range(count)]
    sizes = {len(vector) for vector in vectors}
    finite = all(math.isfinite(value) for vector in vectors for value in vector)
    if len(found) != count or len(sizes) > 1 or sizes & {0} or not finite:
        raise Garbled("the answer is no list of embeddings")
    return vectors


def _client(endpoint: Endpoint, guard: Guard) -> openai.OpenAI:
    timeout = httpx2.Timeout(endpoint.silence_seconds, connect=endpoint.connect_seconds)
    return openai.OpenAI(
        api_key=endpoint.api_key.get_secret_value() or NO_KEY,
        base_url=endpoint.base_url,
        timeout=timeout,
        max_retries=0,
        default_headers={"Accept-Encoding": "identity"},
        # A redirect would take the key elsewhere
        http_client=httpx2.Client(
            transport=GuardedTransport(guard), timeout=timeout, follow_redirects=False
        ),
    )


def _ask(client: openai.OpenAI, sent: Sent, manner: Manner, reply: Reply) -> None:
    create: Any = client.chat.completions.with_raw_response.create
    answer = create(**_request(sent, manner))
    reply.began = True
    response: httpx2.Response = answer.http_response
    try:
        if response.headers.get("content-type", "").startswith(EVENTS):
            _take_stream(answer.parse(), reply)
        else:
            _take_whole(json.loads(response.read()), reply)
    finally:
        response.close()
    _check_end(reply)


def _request(sent: Sent, manner: Manner) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": sent.model,
        "messages": [{"role": role, "content": text} for role, text in sent.messages],
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_completion_tokens": sent.answer_tokens,
    }
    if "max_completion_tokens" in manner.without:
        request["max_tokens"] = sent.answer_tokens
    if not manner.streams:
        del request["stream_options"]
    request = {name: value for name, value in request.items() if name not in manner.without}
    if manner.format == "json_schema":
        schema = {
            "name": sent.schema_name,
            "schema": dict(sent.schema),
            "strict": is_closed(sent.schema),
        }
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif manner.format == "json_object":
        request["response_format"] = {"type": "json_object"}
    return request


def _take_stream(stream: Iterator[Any], reply: Reply) -> None:
    for chunk in stream:
        _take_usage(getattr(chunk, "usage", None), reply)
        for choice in chunk.choices or ():
            piece = getattr(choice.delta, "content", None)
            if getattr(choice.delta, "refusal", None):
                raise Declined("the model declined to answer")
            if piece is not None:
                reply.pieces.append(_text(piece))
            reply.finish = _text(choice.finish_reason or reply.finish)


def _take_whole(body: Any, reply: Reply) -> None:
    if error := body.get("error"):
        raise _of_error(error)
    completion = openai.types.chat.ChatCompletion.model_validate(body)
    _take_usage(completion.usage, reply)
    choice = completion.choices[0]
    if choice.message.refusal:
        raise Declined("the model declined to answer")
    reply.pieces.append(_text(choice.message.content or ""))
    reply.finish = _text(choice.finish_reason or "")


def _of_error(error: Any) -> ModelError:
    """An endpoint that says 200 and then that it failed."""
    said = str(error)[:LONGEST_SAID]
    return Refused(200, said) if "invalid_request" in said else ServerFailed(None)


def _take_usage(usage: Any, reply: Reply) -> None:
    """Believe a count only where it is one."""
    for name, ours in (("prompt_tokens", "tokens_in"), ("completion_tokens", "tokens_out")):
        count = getattr(usage, name, None)
        if isinstance(count, int) and 0 <= count < 2**31:
            setattr(reply, ours, count)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Garbled("the answer is no text")
    return value


def _check_end(reply: Reply) -> None:
    """Whether the model itself says that it is done."""
    if reply.finish == "length":
        raise CutShort("the model reached its limit of tokens in the middle of the answer")
    if reply.finish == "content_filter":
        raise Declined("a filter withheld the answer")
    if not reply.finish:
        raise Garbled("the answer ends in the middle")


def of_status(error: openai.APIStatusError) -> ModelError:
    """What an HTTP status other than 200 means."""
    status = error.status_code
    wait = retry_after(error.response.headers, datetime.now(UTC))
    said = f"{error.message} {error.code} {error.param} {error.body}"[:LONGEST_SAID]
    if status == 429:
        return RateLimited(wait, exhausted=any(word in said for word in EXHAUSTED))
    if (status >= 500 and status != 501) or status in PASSING:
        return ServerFailed(status, wait)
    return Refused(status, said)


def _of_connection(error: Exception) -> ModelError:
    """What broke the connection, found below what the libraries wrapped around it."""
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, (httpcore2.TimeoutException, openai.APITimeoutError)):
            return TimedOut("the endpoint did not answer in time")
        if isinstance(below, (httpcore2.NetworkError, httpcore2.ProtocolError)):
            return Unreachable("there is no connection to the endpoint, or it broke off")
        below = below.__cause__ or below.__context__
    if type(error) is openai.APIError:  # an error within a stream
        return ServerFailed(None)
    return Garbled("the answer is no chat completion")
