"""The one module that talks to Monty. It is the main module of a *keeper* process.

A keeper serves one program at a time: it reads a request from the socket on its standard input,
runs the feeds in a fresh session of its Monty worker and writes the answer back as plain JSON.

Why not call Monty from the web process itself:

- its client keeps a runtime with threads for the whole process, so that after a fork every
  checkout in the child hangs, whatever pool it makes;
- a value comes back as Python objects built inside the client, and the sandboxed code can return
  some that take for ever to build (a key that is a tuple of shared tuples). That would stop the
  process, with no limit that reaches it. A keeper can be killed.
"""

from __future__ import annotations

import re
import select
import signal
import socket
import time
from contextlib import suppress
from typing import Any

from pydantic_monty import (
    CollectString,
    Frame,
    Monty,
    MontyClassProxy,
    MontyConversionError,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    MontyTypingError,
)

from memory.sandbox import frames
from memory.sandbox.checkout import SCRIPT, checkout_options
from memory.sandbox.hardening import harden
from memory.sandbox.kept import Dump, Kept
from memory.sandbox.program import Instance
from memory.sandbox.reports import Report, as_error, as_limit, clip, limit_of
from memory.sandbox.values import (
    Budget,
    ValueNotPlain,
    ValueTooLarge,
    clean_text,
    decode,
    encode,
)

GRACE = 0.5  # seconds past a limit before a worker that does not stop by itself is killed
PREPARING = 5.0  # seconds
REST = 0.004  # seconds in which the answer is put to use before this process needs a CPU again
SESSIONS_A_WORKER = 1_000  # then a fresh process, so that nothing can grow for ever
MESSAGE_CHARS, DISPLAY_CHARS = 2_000, 8_000

FED_FRAME = re.compile(r'^(\s*File )"<python-input-(\d{1,6})>"', re.MULTILINE)
FED_NAME = re.compile(r"<python-input-(\d{1,6})>")
DIAGNOSTIC = re.compile(rf"^{re.escape(SCRIPT)}:(\d+):(\d+)", re.MULTILINE)


def serve() -> None:
    """Answer requests until the other side closes."""
    harden()
    channel = socket.socket(fileno=0)
    with Monty(
        min_processes=1,
        max_processes=1,
        checkout_timeout=GRACE,
        request_timeout=60.0,  # the alarm below comes first; this one is for a keeper gone wrong
        feed_duration_limit_grace=GRACE,
        max_checkouts_per_worker=SESSIONS_A_WORKER,
    ) as pool:
        stage = Stage(pool)
        while (request := frames.receive(channel)) is not None:
            # An alarm kills this process even from within a conversion that never ends.
            signal.setitimer(signal.ITIMER_REAL, request["seconds"] + GRACE)
            answer = frames.pack(answer_to(stage, request))
            frames.send(channel, answer)
            select.select([channel], [], [], REST)
            signal.setitimer(signal.ITIMER_REAL, PREPARING)
            stage.prepare(request)
            signal.setitimer(signal.ITIMER_REAL, 0)


class Stage:
    """Where programs run; between two of them it clears up and sets up what the next may need."""

    def __init__(self, pool: Monty) -> None:
        self.pool = pool
        self.kept = Kept()
        self._in_use: MontySession | None = None
        self._ready: tuple[str, Report, MontySession] | None = None

    def prepare(self, request: Report) -> None:
        """Give back the session of the program that has just run; its answer did not wait for it.

        Then restore that program's prefix, for one that begins the same.
        """
        self._give_back()
        prefix = request["prefix"]
        kept = self.kept.session(prefix["key"]) if prefix else None
        if kept is None or self._ready is not None:
            return
        options = checkout_options(request)
        with suppress(MontyError, OSError, TimeoutError):
            session = self._check_out(options)
            session.load_session(kept.dump)
            self._in_use, self._ready = None, (prefix["key"], options, session)

    def session(self, request: Report) -> tuple[MontySession, tuple[str, ...]]:
        """A session, and the names of the feeds of the prefix that it has run already."""
        prefix = request["prefix"]
        kept = self.kept.session(prefix["key"]) if prefix and "feeds" not in prefix else None
        options = checkout_options(request)
        ready, self._ready = self._ready, None
        if ready is not None:
            self._in_use = ready[2]
            if kept is not None and ready[:2] == (prefix["key"], options):
                return ready[2], kept.names
        session = self._check_out(options)
        if kept is not None:
            session.load_session(kept.dump)
        return session, kept.names if kept else ()

    def _check_out(self, options: Report) -> MontySession:
        self._give_back()
        session = self.pool.checkout(**options)
        session.__enter__()
        self._in_use = session
        return session

    def _give_back(self) -> None:
        session, self._in_use = self._in_use, None
        if session is not None:
            with suppress(MontyError, OSError, TimeoutError):
                session.__exit__(None, None, None)


def answer_to(stage: Stage, request: Report) -> Report:
    """`{"values": […], "printed": …}`, `{"error": kind, …}` or `{"unknown_prefix": true}`."""
    prefix = request["prefix"]
    if prefix and "feeds" not in prefix and stage.kept.session(prefix["key"]) is None:
        return {"unknown_prefix": True}
    run = _Run(request)
    try:
        values = run.all_feeds(stage)
    except Exception as error:  # whatever it is, it is this program's outcome
        return run.report(error)
    return {"values": values, "printed": clean_text(run.printed.output)}


class _TimeIsUp(Exception):
    pass


class _Run:
    """One program: its limits, and how far it has come."""

    def __init__(self, request: Report) -> None:
        self.request = request
        self.deadline = time.monotonic() + request["seconds"]
        self.prefix: list[Report] = (request["prefix"] or {}).get("feeds", [])
        self.names = [feed["name"] for feed in self.prefix]
        self.fed = 0
        self.current = 0
        self.printed = CollectString(request["printed_bytes"])
        self.budget = Budget(
            request["returned_depth"], request["returned_items"], request["returned_text"]
        )

    def all_feeds(self, stage: Stage) -> list[Any]:
        request = self.request
        session, restored = stage.session(request)
        if restored:
            self.names = list(restored)  # Monty goes on counting from them
            self.fed = len(restored)
        else:
            self.run_prefix(session, stage.kept)
        self.names += [feed["name"] for feed in request["feeds"]]
        return [self.feed(session, feed) for feed in request["feeds"]]

    def run_prefix(self, session: MontySession, kept: Kept) -> None:
        """Run the prefix, if there is one, and keep what became of the session."""
        for feed in self.prefix:
            self.feed(session, feed)
        if self.prefix:
            prefix = self.request["prefix"]
            dump = Dump(tuple(self.names), session.dump(), prefix["personal"])
            kept.keep(prefix["key"], dump)

    def feed(self, session: MontySession, feed: Report) -> Any:
        self.current = self.fed
        self.fed += 1
        if time.monotonic() >= self.deadline:
            raise _TimeIsUp
        inputs = {name: decode(value) for name, value in feed["inputs"].items()}
        # No mounts, no `os` handler, no host functions: there is nothing to call out to.
        value = session.feed_run(feed["code"], inputs=inputs, print_callback=self.printed)
        return encode(value, self.budget, as_instance=as_instance, clean=True)

    def report(self, error: Exception) -> Report:
        """The error as a message, at its place in the feeds."""
        fed = self.names[self.current] if self.current < len(self.names) else ""
        kind, line, place = self.classify(error), None, fed
        display = ""
        if isinstance(error, MontySyntaxError | MontyRuntimeError):
            place, line = self.place(error.traceback(), fed)
            display = FED_FRAME.sub(self.named_frame, error.display())
            display = display.replace(f'File "{SCRIPT}"', f'File "{fed}"')
        elif isinstance(error, MontyTypingError):
            first = DIAGNOSTIC.search(str(error))
            line = int(first[1]) if first else None
            display = DIAGNOSTIC.sub(lambda found: f"{fed}:{found[1]}:{found[2]}", str(error))
        kind["message"] = clip(kind["message"], MESSAGE_CHARS)
        shown = clip(display, DISPLAY_CHARS)
        return {**kind, "feed": place, "line": line, "during": fed, "display": shown}

    def named_frame(self, found: re.Match[str]) -> str:
        number = int(found[2])
        name = self.names[number] if number < len(self.names) else found[0]
        return f'{found[1]}"{name}"'

    def place(self, traceback: list[Frame], fed: str) -> tuple[str, int | None]:
        """The innermost line that is in a feed (an `eval`'s text is not)."""
        for frame in reversed(traceback):
            if frame.filename == SCRIPT:
                return fed, frame.line
            found = FED_NAME.fullmatch(frame.filename)
            if found and int(found[1]) < len(self.names):
                return self.names[int(found[1])], frame.line
        return fed, None

    def classify(self, error: Exception) -> Report:
        match error:
            case MontyTypingError():
                count = len(DIAGNOSTIC.findall(str(error)))
                return as_error(
                    "TypeRefused", f"The type checker found {count or 'some'} error(s)."
                )
            case MontySyntaxError() | MontyRuntimeError():
                return self.classify_raised(error)
            case MontyCrashedError():
                if error.timed_out:
                    return as_limit("time", "The worker did not stop in time.")
                return as_error("WorkerCrashed", "The worker that ran this program died.")
            case _TimeIsUp():
                return as_limit("time", "The run's time was used up.")
            case ValueTooLarge():
                return as_limit("returned", f"What this returned is too large: {error}.")
            case ValueNotPlain():
                return as_error("ValueRefused", f"What this returned cannot be used: {error}.")
            case MontyConversionError():
                return as_error("ValueRefused", f"An input cannot be used: {error}.")
            case MontyError() | OSError():
                return as_error("WorkerCrashed", f"The worker failed: {error}")
            case MemoryError():
                return as_limit("returned", "What this returned is too large.")
            case _:  # the client could not build the value: a dict with objects as keys, say
                return as_error("ValueRefused", f"What this returned cannot be used: {error}.")

    def classify_raised(self, error: MontySyntaxError | MontyRuntimeError) -> Report:
        type_name = error.display("type-msg").partition(":")[0].strip()
        message = error.display("msg")
        traceback = error.traceback()
        most = self.request["printed_bytes"]
        if limit := limit_of(type_name, message, placed=bool(traceback), printed_bytes=most):
            if limit == "output":
                message = f"The code printed more than {most:,} bytes."
            return as_limit(limit, message)
        if _is_from_the_parser(type_name, traceback):
            return as_error("SyntaxRefused", f"{message} ({type_name})")
        return as_error("CodeRaised", message, type_name=type_name)


def _is_from_the_parser(type_name: str, traceback: list[Frame]) -> bool:
    """Whether the code was refused before it ran: such a frame has no function."""
    if type_name not in ("SyntaxError", "NotImplementedError"):
        return False
    return not traceback or traceback[-1].function_name is None


def as_instance(value: object) -> Instance | None:
    """The class's name and attributes of an object that the sandboxed code made."""
    if isinstance(value, MontyClassProxy):
        return Instance(value.name, value.attributes)
    return None


if __name__ == "__main__":
    serve()
