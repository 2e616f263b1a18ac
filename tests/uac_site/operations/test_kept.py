"""What is kept for a while is made by one at a time, and not once more for whoever had to wait."""

from __future__ import annotations

import pytest

from uac_site.operations.figures.kept import Kept

SECONDS, SLOW = 2.0, 5.0


class Clock:
    """A clock that a test moves on."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_what_takes_longer_to_make_than_it_is_kept_is_kept_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, made = Clock(), list[float]()
    monkeypatch.setattr("uac_site.operations.figures.kept.time", clock)

    def make() -> int:
        clock.now += SLOW
        made.append(clock.now)
        return len(made)

    kept = Kept(make, SECONDS)
    assert [kept.get(), kept.get()] == [1, 1]
    clock.now += SECONDS
    assert kept.get() == 2
    kept.forget()
    assert kept.get() == 3


def test_what_could_not_be_made_is_tried_again() -> None:
    tries = list[int]()

    def make() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError
        return len(tries)

    kept = Kept(make, 3_600.0)
    with pytest.raises(ConnectionError):
        kept.get()
    assert [kept.get(), kept.get()] == [2, 2]
