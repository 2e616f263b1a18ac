"""Posts at a pace: so many a second, by several clients, each post at its moment or, where they do
not come after, as soon as one of them is free."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from uac_site.benchmarks.client import Answer, Client

Post = tuple[str, Any]
"""An address and what is posted there."""


@dataclass(frozen=True)
class Posted:
    """The post of a number and its answer."""

    number: int
    answer: Answer


@dataclass
class Paced:
    """What was posted from `began` until `ended`, seconds of `time.perf_counter`."""

    posts: list[Posted] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0

    @property
    def rate(self) -> float:
        """Posts a second that were answered."""
        return len(self.posts) / (self.ended - self.began)


def paced(
    clients: Sequence[Client],
    make: Callable[[int], Post],
    *,
    rate: float,
    count: int,
    seconds: float = inf,
) -> Paced:
    """Post `make(0)` to `make(count - 1)`, `rate` a second; each client one at a time. What has not
    been begun after so many seconds is not posted."""
    done = Paced(began=time.perf_counter())
    numbers = iter(range(count))
    lock = threading.Lock()

    def work(client: Client) -> None:
        while True:
            with lock:
                number = next(numbers, None)
            if number is None or time.perf_counter() - done.began > seconds:
                return
            time.sleep(max(0.0, done.began + number / rate - time.perf_counter()))
            _post(client, number, make(number), done)

    threads = [threading.Thread(target=work, args=(client,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.ended = time.perf_counter()
    return done


def _post(client: Client, number: int, post: Post, done: Paced) -> None:
    path, body = post
    try:
        answer = client.post(path, body)
    except (OSError, http.client.HTTPException) as error:
        client.close()
        done.broken.append(f"{path}: {type(error).__name__}")
        return
    if answer.status == http.client.CREATED:
        done.posts.append(Posted(number, answer))
    else:
        done.broken.append(f"{path}: {answer.status}: {answer.body}")
