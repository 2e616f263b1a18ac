"""How a run can fail. Each failure names the feed and, where known, its line."""

from __future__ import annotations

from typing import Any


class SandboxError(Exception):
    """A program that gave no outcome.

    `feed` is the name of the feed at fault ("" when none is), `line` its 1-based line, `during` the
    feed that was being run (its function may have been defined in another), `message`
    one sentence, `display` what a person or a model needs to mend it: the traceback or the
    diagnostics, with the names of the feeds in it. All of it may quote the sandboxed code.
    """

    def __init__(
        self,
        message: str,
        *,
        feed: str = "",
        line: int | None = None,
        display: str = "",
        during: str = "",
    ) -> None:
        place = f"{feed}:{line}: " if feed and line else f"{feed}: " if feed else ""
        super().__init__(place + message)
        self.message = message
        self.feed = feed
        self.line = line
        self.during = during or feed
        self.display = display or place + message

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep every field when an error crosses a process border (a job's result does)."""
        return _rebuild, (type(self), self.__dict__, self.args)


class SyntaxRefused(SandboxError):
    """The code cannot be parsed, or uses what the sandbox's Python does not have."""


class TypeRefused(SandboxError):
    """The type checker found errors; `display` has one diagnostic a line."""


class CodeRaised(SandboxError):
    """The code raised an exception that it did not catch; `type_name` is its class's name."""

    def __init__(self, message: str, *, type_name: str, **place: Any) -> None:
        super().__init__(f"{type_name}: {message}" if message else type_name, **place)
        self.message = message
        self.type_name = type_name


class LimitExceeded(SandboxError):
    """The run went past `limit`.

    One of time, memory, recursion, output (printed), returned (size of the values) and calls
    (1,000 attempts to reach the host: unknown names, denied files).
    """

    def __init__(self, message: str, *, limit: str, **place: Any) -> None:
        super().__init__(message, **place)
        self.limit = limit


class ValueRefused(SandboxError):
    """A value that may not cross the border: an input, or what a feed returned."""


class WorkerCrashed(SandboxError):
    """The process that ran the program died. The next run gets another."""


class NoWorker(SandboxError):
    """No worker was free within the time budget; the program did not start."""


def _rebuild(
    kind: type[SandboxError], state: dict[str, Any], args: tuple[Any, ...]
) -> SandboxError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error
