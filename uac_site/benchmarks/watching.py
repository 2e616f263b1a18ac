"""Many open pages in a process of their own: which events came on each, and when.

Started with a JSON list of sockets on its first line of input, it says `open` once each has been
greeted. To `until <id>` it says `there` once every socket was told of that event, or `late` after a
while; at the end of its input it writes down what came and ends.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from uac_site.env import BASE_DIR

PATIENCE = 60.0
AT_ONCE = 20  # sockets that are being opened
EVENTS = ("event", "echo")


class NotWatching(RuntimeError):
    """The process with the open pages did not do what it was asked."""


@dataclass(frozen=True)
class Socket:
    """Where a page's socket is, and as whom it is opened."""

    url: str
    origin: str
    session: str


@dataclass
class Came:
    """What one socket told: the ids of the events in their order, and when each came (seconds of
    `time.perf_counter`, which all processes of a machine share)."""

    ids: array[int] = field(default_factory=lambda: array("q"))
    times: array[float] = field(default_factory=lambda: array("d"))
    from_id: int = 0
    closed: bool = False


class Watching:
    """The open pages as the benchmark sees them from its own process."""

    def __init__(self, running: subprocess.Popen[str], written: Path) -> None:
        self._running, self._written = running, written

    def until(self, event_id: int) -> bool:
        """Wait until every page was told of this event; False where one was not."""
        return self._say(f"until {event_id}") == "there"

    def came(self) -> list[Came]:
        """End it: what came on each socket, in the order of the sockets."""
        assert self._running.stdin is not None
        self._running.stdin.close()
        if self._running.wait(PATIENCE) != 0:
            raise NotWatching("the process with the open pages broke off")
        with self._written.open("rb") as file:
            return list(_read(file))

    def _say(self, line: str) -> str:
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._running.stdin.write(f"{line}\n")
        self._running.stdin.flush()
        return self._running.stdout.readline().strip()

    def open(self, sockets: Sequence[Socket]) -> None:
        """Open them all. Raises NotWatching."""
        said = self._say(json.dumps([asdict(one) for one in sockets]))
        if said != "open":
            raise NotWatching(f"not every page could be opened: {said}")


@contextmanager
def watching(sockets: Sequence[Socket], written: Path) -> Iterator[Watching]:
    """Pages that are open, and closed afterwards; `written` is where what came is put."""
    running = subprocess.Popen(
        [sys.executable, "-m", "uac_site.benchmarks.watching", str(written)],
        cwd=BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        pages = Watching(running, written)
        pages.open(sockets)
        yield pages
    finally:
        running.kill()
        running.wait()


def _read(file: IO[bytes]) -> Iterator[Came]:
    while head := file.readline():
        told = json.loads(head)
        one = Came(from_id=told["from_id"], closed=told["closed"])
        one.ids.fromfile(file, told["count"])
        one.times.fromfile(file, told["count"])
        yield one


def _write(came: Sequence[Came], file: IO[bytes]) -> None:
    for one in came:
        head = {"count": len(one.ids), "from_id": one.from_id, "closed": one.closed}
        file.write(json.dumps(head).encode() + b"\n")
        one.ids.tofile(file)
        one.times.tofile(file)


class _Pages:
    """The pages inside their own process."""

    def __init__(self, sockets: Sequence[Socket]) -> None:
        self.came = [Came() for _ in sockets]
        self._sockets = sockets
        self._connections: list[ClientConnection] = []
        self._moved = asyncio.Event()
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def open(self) -> None:
        """Connect and be greeted, some at a time."""
        pairs = zip(self._sockets, self.came, strict=True)
        await asyncio.gather(*(self._open(socket, came) for socket, came in pairs))

    async def _open(self, socket: Socket, came: Came) -> None:
        async with self._gate:
            connection = await connect(
                socket.url,
                origin=Origin(socket.origin),
                additional_headers={"Cookie": f"sessionid={socket.session}"},
                open_timeout=PATIENCE,
                ping_interval=None,
            )
            hello = json.loads(await asyncio.wait_for(connection.recv(), PATIENCE))
        if hello["type"] != "hello":
            raise NotWatching(f"the socket said {hello} first")
        came.from_id = hello["last_event_id"]
        self._connections.append(connection)
        reading = asyncio.create_task(self._read(connection, came))
        reading.add_done_callback(lambda task: task.result())

    async def _read(self, connection: ClientConnection, came: Came) -> None:
        try:
            async for text in connection:
                moment = time.perf_counter()
                said = json.loads(text)
                if said["type"] in EVENTS:
                    came.ids.append(said["id"])
                    came.times.append(moment)
                    self._moved.set()
        except ConnectionClosed:
            pass
        came.closed = True

    async def until(self, event_id: int) -> bool:
        """Whether every page is told of it in time."""

        async def there() -> None:
            while any(not one.ids or max(one.ids[-50:]) < event_id for one in self.came):
                self._moved.clear()
                await self._moved.wait()

        try:
            await asyncio.wait_for(there(), PATIENCE)
        except TimeoutError:
            return False
        return True

    async def close(self) -> list[Came]:
        """Close them; which had been closed by the other side stays written down."""
        closed = [one.closed for one in self.came]
        await asyncio.gather(*(connection.close() for connection in self._connections))
        for one, before in zip(self.came, closed, strict=True):
            one.closed = before
        return self.came


async def _serve(written: Path) -> None:
    async def next_line() -> str:
        line: str = await asyncio.to_thread(sys.stdin.readline)
        return line.strip()

    pages = _Pages([Socket(**one) for one in json.loads(await next_line())])
    await pages.open()
    print("open", flush=True)
    while line := await next_line():
        there = await pages.until(int(line.removeprefix("until ")))
        print("there" if there else "late", flush=True)
    with written.open("wb") as file:
        _write(await pages.close(), file)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
