"""HTTP in which every read, write and connect stands under a `Guard`.

A timeout of an HTTP library starts anew with each read, so that an endpoint which sends a byte now
and then is never cut, not even within its headers. Here each operation of the socket gets what is
left of the whole. Proxies of the environment are not used: prompts go to the endpoint and nowhere
else. What a resolver takes to look up a name is not bounded, but by the resolver.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

from memory.checkpointer.model.errors import Garbled
from memory.checkpointer.model.guard import ASK_SECONDS, Guard

LookUp = Callable[[str, int], list[str]]
"""The addresses of a host and port, to be tried in this order."""
PIECE = 16 * 1024  # bytes of a request between two looks at the guard


class GuardedStream(httpcore2.NetworkStream):
    """A connection."""

    def __init__(self, inner: httpcore2.NetworkStream, guard: Guard) -> None:
        self.inner, self.guard = inner, guard

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Up to so many bytes. Raises httpcore2.ReadTimeout after a silence of `timeout`."""
        until = None if timeout is None else self.guard.clock() + timeout
        while True:
            silence = ASK_SECONDS if until is None else until - self.guard.clock()
            step = max(0.001, min(self.guard.left(), ASK_SECONDS, silence))
            try:
                data = self.inner.read(max_bytes, step)
            except httpcore2.ReadTimeout:
                if until is not None and self.guard.clock() >= until:
                    raise
                continue
            self.guard.count(len(data))
            return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of it."""
        for start in range(0, len(buffer), PIECE):
            self.inner.write(buffer[start : start + PIECE], shortest(timeout, self.guard))

    def close(self) -> None:
        """Hang up."""
        self.inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        """The same connection, encrypted."""
        seconds = shortest(timeout, self.guard)
        return GuardedStream(
            self.inner.start_tls(ssl_context, server_hostname, seconds), self.guard
        )

    def get_extra_info(self, info: str) -> Any:
        """What the socket knows of itself."""
        return self.inner.get_extra_info(info)


class GuardedBackend(httpcore2.NetworkBackend):
    """Opens connections."""

    def __init__(self, guard: Guard, look_up: LookUp) -> None:
        self.inner, self.guard, self.look_up = httpcore2.SyncBackend(), guard, look_up

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the first address that takes one; `timeout` is for all of them."""
        ends = self.guard.clock() + shortest(timeout, self.guard)
        failed: Exception = httpcore2.ConnectError("the name has no address")
        for address in self.look_up(host, port):
            seconds = min(self.guard.left(), ends - self.guard.clock())
            if seconds <= 0:
                break
            try:
                stream = self.inner.connect_tcp(
                    address, port, seconds, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
            else:
                return GuardedStream(stream, self.guard)
        raise failed


def addresses_of(host: str, port: int) -> list[str]:
    """Whatever the name leads to. Raises httpcore2.ConnectError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(str(error)) from error
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def shortest(timeout: float | None, guard: Guard) -> float:
    """A timeout, or what is left of the whole where that is less."""
    return guard.left() if timeout is None else min(timeout, guard.left())


class GuardedTransport(httpx2.BaseTransport):
    """One exchange over a connection of its own."""

    def __init__(self, guard: Guard, look_up: LookUp | None = None) -> None:
        self.guard, self.look_up = guard, look_up or addresses_of
        self.pool: httpcore2.ConnectionPool | None = None

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises what httpcore2 raises, and ModelError where a bound broke."""
        context = httpx2.create_ssl_context() if request.url.scheme == "https" else None
        self.pool = httpcore2.ConnectionPool(
            ssl_context=context, network_backend=GuardedBackend(self.guard, self.look_up)
        )
        assert isinstance(request.stream, httpx2.SyncByteStream)
        answer = self.pool.handle_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        for name, value in answer.headers:
            if name.lower() == b"content-encoding" and value.lower() != b"identity":
                # Unpacked it could be any size, and nobody asked for it
                raise self.guard.broke(Garbled("the endpoint packs its answer"))
        assert isinstance(answer.stream, Iterable)
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer.stream))

    def close(self) -> None:
        """Hang up."""
        if self.pool is not None:
            self.pool.close()


class _Body(httpx2.SyncByteStream):
    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts

    def close(self) -> None:
        self.parts.close()
