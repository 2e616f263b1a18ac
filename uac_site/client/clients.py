"""The clients: the same calls, sent by a blocking or by an awaiting httpx."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from . import calls
from .calls import Call, plain
from .errors import UacError
from .model import Answer, Page

P = ParamSpec("P")
T = TypeVar("T", bound=Answer)
PageT = TypeVar("PageT", bound=Page[Any])
SECONDS = 90.0  # a question in words may take the site a minute
BASE = "/api/v1/"


def _sync(make: Callable[P, Call[T]]) -> Callable[Concatenate[UacClient, P], T]:
    @wraps(make)
    def method(self: UacClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        call = make(*args, **kwargs)
        return _answer(call.answer, self.http.send(_request(self.http, call)))

    return method


def _async(
    make: Callable[P, Call[T]],
) -> Callable[Concatenate[AsyncUacClient, P], Awaitable[T]]:
    @wraps(make)
    async def method(self: AsyncUacClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        call = make(*args, **kwargs)
        return _answer(call.answer, await self.http.send(_request(self.http, call)))

    return method


class UacClient:
    """The API of a site, called with one key; raises UacError for what it refuses.

    `url` is the site's, such as `http://localhost:8000`. Failures of the network are httpx's own.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        seconds: float = SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        base, headers = _settings(url, key)
        self.http = httpx.Client(
            base_url=base, headers=headers, timeout=seconds, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def next_page(self, page: PageT) -> PageT | None:
        """The page after one; None after the last. Raises ValueError for a link that leads away."""
        if page.next is None:
            return None
        return _answer(type(page), self.http.get(_own(self.http, page.next)))

    key = _sync(calls.key)
    create_or_get_user = _sync(calls.create_or_get_user)
    find_user = _sync(calls.find_user)
    user = _sync(calls.user)
    remember = _sync(calls.remember)
    say = _sync(calls.say)
    facts = _sync(calls.facts)
    messages = _sync(calls.messages)
    state = _sync(calls.state)
    records = _sync(calls.records)
    search = _sync(calls.search)
    context = _sync(calls.context)
    query = _sync(calls.query)
    ask = _sync(calls.ask)
    alerts = _sync(calls.alerts)
    alerts_then = _sync(calls.alerts_then)


class AsyncUacClient:
    """The same, to be awaited."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        seconds: float = SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        base, headers = _settings(url, key)
        self.http = httpx.AsyncClient(
            base_url=base, headers=headers, timeout=seconds, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def next_page(self, page: PageT) -> PageT | None:
        """The page after one; None after the last. Raises ValueError for a link that leads away."""
        if page.next is None:
            return None
        return _answer(type(page), await self.http.get(_own(self.http, page.next)))

    key = _async(calls.key)
    create_or_get_user = _async(calls.create_or_get_user)
    find_user = _async(calls.find_user)
    user = _async(calls.user)
    remember = _async(calls.remember)
    say = _async(calls.say)
    facts = _async(calls.facts)
    messages = _async(calls.messages)
    state = _async(calls.state)
    records = _async(calls.records)
    search = _async(calls.search)
    context = _async(calls.context)
    query = _async(calls.query)
    ask = _async(calls.ask)
    alerts = _async(calls.alerts)
    alerts_then = _async(calls.alerts_then)


def _settings(url: str, key: str) -> tuple[str, dict[str, str]]:
    return f"{url.rstrip('/')}{BASE}", {"Authorization": f"Bearer {key}"}


def _request(http: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request:
    headers = {"Idempotency-Key": call.idempotency_key} if call.idempotency_key else {}
    body = {} if call.body is None else {"json": plain(call.body)}
    return http.build_request(
        call.method, call.path, params=plain(call.query), headers=headers, **body
    )


def _answer(model: type[T], response: httpx.Response) -> T:
    """The answer's value. Raises UacError."""
    if response.is_success:
        return model.model_validate_json(response.content)
    try:
        problem = json.loads(response.content)
    except ValueError:
        problem = {}
    waits = response.headers.get("retry-after", "")
    raise UacError(
        response.status_code,
        problem if isinstance(problem, Mapping) else {},
        float(waits) if waits.isdigit() else None,
    )


def _own(http: httpx.Client | httpx.AsyncClient, link: str) -> httpx.URL:
    """A link of the site's own: the key goes nowhere else."""
    found, ours = httpx.URL(link), http.base_url
    if (found.scheme, found.host, found.port) != (ours.scheme, ours.host, ours.port):
        raise ValueError(f"the next page is said to be at {found.host}, which is another site")
    return found
