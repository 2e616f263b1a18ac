"""What the sandbox reports of a query that failed, as remarks with a remedy."""

from __future__ import annotations

import re

from memory.project.parsing import parse_python
from memory.querying.remarks import NotNow, QueryFailed, Remark, remark_at
from memory.sandbox import (
    CodeRaised,
    LimitExceeded,
    Limits,
    NoWorker,
    SandboxError,
    SyntaxRefused,
    TypeRefused,
    ValueRefused,
    WorkerCrashed,
)

QUERY = "query.py"
FRAME = re.compile(
    r'^  File "query\.py", line (\d+).*\n(?:    (?P<source>.*)\n    (?P<marks> *[~^]+)\n)?',
    re.MULTILINE,
)
REMEDIES = (
    (r"(min|max)\(\).*empty", "nothing is left to choose from; give default=..."),
    (r"no (mean|median|quantile) of nothing", "no record is left; ask whether there are any first"),
    (r"'?NoneType'?", "a field that may be None is None in some record; leave those out first"),
    (
        r"division (by zero|or modulo)",
        "nothing is counted in the divisor; ask whether it is 0 first",
    ),
    (r"index out of range", "there are fewer items; ask for the length first"),
)
ATTRIBUTE = re.compile(r"no attribute '(\w+)'")
REMEDY_OF = {"KeyError": "there is no such key; use .get(key)"}


def as_failure(error: SandboxError, code: str, limits: Limits) -> QueryFailed | NotNow:
    """The failure a sandbox error amounts to; NotNow where the query is not at fault."""
    match error:
        case CodeRaised():
            return QueryFailed(f"The query raised {error.type_name}", [_raised(error, code)])
        case LimitExceeded():
            text = _of_limit(error.limit, limits)
            returned = error.limit == "returned"
            remark = _at_the_end(code, text) if returned else _placed(error, code, text)
            return QueryFailed("The query went past a limit", [remark])
        case SyntaxRefused():
            message = error.message.removesuffix(" (NotImplementedError)")
            message = message.removeprefix("The monty syntax parser does not yet support ")
            text = f"the sandbox does not have {message}; write it with plain functions"
            return QueryFailed("The query may not run", [_placed(error, code, text)])
        case ValueRefused():
            return QueryFailed("The value cannot be shown", [_at_the_end(code, _why_not(error))])
        case NoWorker():
            return NotNow("Other queries are still running; try again in a moment.")
        case WorkerCrashed() | TypeRefused():
            return NotNow("The worker that ran the query died; try again.")
    return NotNow("The query could not be run; try again.")


def _raised(error: CodeRaised, code: str) -> Remark:
    said = f"{error.type_name}: {error.message}" if error.message else error.type_name
    remedy = REMEDY_OF.get(error.type_name, "")
    for pattern, words in REMEDIES:
        if re.search(pattern, error.message):
            remedy = words
    return _placed(error, code, f"{said}; {remedy}" if remedy else said)


def _placed(error: SandboxError, code: str, detail: str) -> Remark:
    """The remark at the innermost line of the query, though a function of `uac` raised it."""
    frames = list(FRAME.finditer(error.display))
    if not frames:
        line = error.line if error.feed == QUERY else None
        return remark_at(code, line, 1, detail)
    frame = frames[-1]
    line, marks = int(frame[1]), frame["marks"]
    lines = code.split("\n")
    if line > len(lines):
        return remark_at(code, None, 1, detail)
    source = lines[line - 1]
    if marks is None:
        return _at_attribute(code, line, source, detail)
    indent = len(source) - len(source.lstrip())
    begins = len(marks) - len(marks.lstrip())
    return remark_at(code, line, indent + begins + 1, detail, len(marks.strip()))


def _at_attribute(code: str, line: int, source: str, detail: str) -> Remark:
    """The sandbox does not mark an attribute that is missing; it names it."""
    named = ATTRIBUTE.search(detail)
    found = re.search(rf"\.\s*({re.escape(named[1])})\b", source) if named else None
    if found is None:
        return remark_at(code, line, len(source) - len(source.lstrip()) + 1, detail)
    return remark_at(code, line, found.start(1) + 1, detail, len(found[1]))


def _of_limit(limit: str, limits: Limits) -> str:
    return {
        "time": f"it took longer than {limits.feed_seconds:g} seconds; look at fewer records, or"
        " group them once instead of in a loop",
        "memory": f"it used more than {limits.memory_bytes // 2**20} MiB; build smaller lists",
        "recursion": "functions called one another too deeply; use a loop",
        "output": f"it printed more than {limits.printed_bytes:,} bytes; print less",
        "returned": f"the value is larger than {limits.returned_items:,} parts or"
        f" {limits.returned_text:,} characters; return fewer, such as items[:100]",
    }.get(limit, f"it went past its limit of {limit}")


def _why_not(error: ValueRefused) -> str:
    if "not plain data" in error.message:
        return (
            "the value is no data but a function, a class or the like; call it, or name its fields"
        )
    why = error.message.removeprefix("What this returned cannot be used: ").rstrip(".")
    return f"the value cannot leave the sandbox: {why}; return numbers, text, dates or records"


def _at_the_end(code: str, detail: str) -> Remark:
    """A remark on the last statement, whose value is the answer."""
    last = parse_python(code).body[-1]
    width = (last.end_col_offset or 0) - last.col_offset if last.end_lineno == last.lineno else 1
    return remark_at(code, last.lineno, last.col_offset + 1, detail, width)
