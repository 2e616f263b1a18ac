"""Many questions to `users/{id}/ask`, several at a time where answers are being recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from uac_site.benchmarks.client import Client
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.recorded import Stage

AT_ONCE = 12
"""While answers are recorded; fewer than a web process takes then (`recorded.PATIENT`)."""
PATIENCE = 14_400.0
T = TypeVar("T")
R = TypeVar("R")
Json = dict[str, Any]


def asked(inside: Inside, stage: Stage, path: str, question: str) -> Json:
    """The answer to one question; of a refusal the problem, with `known` false."""
    client = Client(stage.port, inside.secret, timeout=PATIENCE)
    try:
        answer = client.post(f"{path}/ask", {"question": question})
    finally:
        client.close()
    if answer.status == 200:
        return dict(answer.body)
    if not isinstance(answer.body, dict):  # no problem document: the server itself failed
        raise RuntimeError(f"{path}/ask answered {answer.status}: {answer.body!s:.200}")
    return {**answer.body, "known": False, "how": "refused", "answer": answer.body.get("detail")}


def each(stage: Stage, things: Iterable[T], ask: Callable[[T], R]) -> list[R]:
    """What came of each, in order."""
    with ThreadPoolExecutor(AT_ONCE if stage.player.upstream else 1) as pool:
        return list(pool.map(ask, things))


def left_out(inside: Inside, recorded: Path) -> bool:
    """Whether there is neither a recorded answer nor an endpoint to ask."""
    options = inside.options
    folder = Path(options.cassettes) if options.cassettes else recorded
    return not (options.model_endpoint or folder.is_file() or any(folder.rglob("*.toml")))


def spread(things: Sequence[T], count: int) -> list[T]:
    """So many of them, evenly over the whole; the same each time."""
    if count >= len(things):
        return list(things)
    return [things[number * len(things) // count] for number in range(count)]
