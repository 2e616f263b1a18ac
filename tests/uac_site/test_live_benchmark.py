"""What the live benchmark makes of what pages were told; a pace kept, or said not to be."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from uac_site.benchmarks.client import Client
from uac_site.benchmarks.live import RATE, Ran, Told, figures, told_of
from uac_site.benchmarks.measure import p99
from uac_site.benchmarks.pace import Paced, paced
from uac_site.benchmarks.watching import Came


def _page(*told: tuple[int, float], from_id: int = 0) -> Came:
    return Came(array("q", [one for one, _ in told]), array("d", [at for _, at in told]), from_id)


def test_what_every_page_was_told_once_is_neither_missed_nor_doubled() -> None:
    told = told_of({1: 0.0, 2: 1.0}, [_page((1, 0.25), (2, 1.5)), _page((1, 0.5), (2, 1.25))])
    assert (told.missed, told.doubled) == (0, 0)
    assert sorted(told.delays) == [0.25, 0.25, 0.5, 0.5]
    assert sorted(told.last) == [0.5, 0.5]


def test_an_event_that_one_page_missed_and_one_told_twice_are_counted() -> None:
    told = told_of({1: 0.0, 2: 1.0}, [_page((1, 0.1), (1, 0.2)), _page((1, 0.1), (2, 1.1))])
    assert (told.missed, told.doubled) == (1, 1)


def test_what_came_before_a_page_was_opened_is_not_missed() -> None:
    assert told_of({1: 0.0, 2: 1.0}, [_page((2, 1.1), from_id=1)]).missed == 0


def test_an_event_without_a_timed_post_must_come_and_is_not_timed() -> None:
    told = told_of({1: None, 2: 0.0}, [_page((2, 0.5))])
    assert told.missed == 1
    assert list(told.delays) == [0.5]


def test_one_measurement_in_a_hundred_exceeds_the_99th() -> None:
    assert p99(float(number) for number in range(1, 1_001)) == 990.0


@pytest.fixture
def port() -> Iterator[int]:
    """A server that creates whatever is posted, except what is forbidden."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(403 if "forbidden" in self.path else 201)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *anything: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_every_number_is_posted_once_and_a_refusal_is_no_post(port: int) -> None:
    clients = [Client(port, "secret") for _ in range(4)]
    done = paced(
        clients,
        lambda number: ("/forbidden" if number == 7 else f"/{number}", {}),
        rate=1_000,
        count=20,
    )
    assert sorted(one.number for one in done.posts) == [n for n in range(20) if n != 7]
    assert done.broken == ["/forbidden: 403: {}"]
    assert done.rate <= 1_000  # never ahead of its moment


def test_a_pace_that_cannot_be_kept_ends_with_its_time(port: int) -> None:
    done = paced(
        [Client(port, "secret")], lambda number: ("/", {}), rate=1e9, count=10**9, seconds=0.05
    )
    assert 0 < len(done.posts) < 10**9
    assert done.broken == []


def test_who_cannot_keep_the_pace_says_how_far_it_came() -> None:
    told = Told(0, 0, array("d", [0.2]), array("d", [0.2]))
    bare = Told(0, 0, array("d", [0.1]), array("d", [0.1]))
    slow, quick = Paced(began=0.0, ended=2.0), Paced(began=0.0, ended=1.0)
    for paced_, count in ((slow, RATE), (quick, RATE)):
        paced_.posts = [None] * count  # type: ignore[list-item]
    said = figures(Ran(slow, told, 0), Ran(quick, bare, 0))
    assert said.startswith("25.0 posts/s of 50 asked: this machine cannot keep the pace now;")
    assert said.endswith("ratios 2.0, 2.0, 2.0")
    assert figures(Ran(quick, told, 0), Ran(quick, bare, 0)).startswith("50.0 posts/s of 50 asked;")
