"""Keep the web process and the worker running together, in the foreground, until told to stop."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from django.conf import settings

from uac_site.serving import NotReady, Process, web_command, worker_command

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK = 0.5


class PortTaken(RuntimeError):
    """Somebody listens there already."""


class Ended(RuntimeError):
    """One of the processes ended by itself."""


@dataclass(frozen=True)
class Place:
    """Where the web process listens."""

    host: str
    port: int

    @property
    def address(self) -> str:
        """What to open in a browser on this machine."""
        host = "localhost" if self.host in ("127.0.0.1", "0.0.0.0", "::") else self.host  # noqa: S104
        return f"http://{host}:{self.port}"

    def check_free(self) -> None:
        """Raises PortTaken with a remedy."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                raise PortTaken(
                    f"Cannot listen on {self.host}:{self.port} ({error.strerror}). "
                    f"Choose another port: PORT={self.port + 1} make demo, "
                    f"or manage.py serve --port {self.port + 1}."
                ) from error


def run_until_stopped(
    place: Place,
    *,
    worker: bool,
    when_ready: Callable[[], None],
    environment: Mapping[str, str] | None = None,
) -> None:
    """Start both, call `when_ready` once the web process listens, return when told to stop.

    Nothing is left running, whichever way it ends. Raises Ended where a process ended by itself,
    NotReady where the web process never listened.
    """
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns of a missing one
    web = Process(web_command(place.host, place.port), environment or {})
    processes = {"web process": web}
    if worker:
        processes["worker"] = Process(worker_command(), environment or {})
    with _told_to_stop() as told:
        try:
            for process in processes.values():
                process.start()
            _wait_for(web, place, told)
            if not told.is_set():
                when_ready()
            while not told.wait(LOOK):
                for name, process in processes.items():
                    if not process.alive:
                        raise Ended(f"The {name} ended by itself; its last lines stand above.")
        finally:
            _stop(list(processes.values()))


def _wait_for(web: Process, place: Place, told: threading.Event) -> None:
    host = "127.0.0.1" if place.host == "0.0.0.0" else place.host  # noqa: S104
    try:
        web.wait_for_port(host, place.port)
    except NotReady:
        if not told.is_set():
            raise


def _stop(processes: Sequence[Process]) -> None:
    """Stop all of them at the same time."""
    threads = [threading.Thread(target=process.stop) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """Set by Ctrl-C, SIGTERM or a closed terminal, however often; never an exception midway."""
    told = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        told.set()

    before = {number: signal.signal(number, note) for number in STOP_SIGNALS}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
