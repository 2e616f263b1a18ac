"""What we think of each alert of the example people's year, by reading it; see `judged.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uac_site.examples.living import AlertLife
from uac_site.examples.people import Written

FILE = Path(__file__).resolve().parent / "judged.toml"


class Judgement(Written):
    """Whether somebody who cares for the person would want to be told of it, and why or why not.

    It is about the one alert of that person and rule whose summary holds the words of `says`.
    """

    person: str
    rule: str
    says: str
    useful: bool
    why: str

    def is_about(self, life: AlertLife) -> bool:
        """Whether this judges that alert."""
        same = (self.person, self.rule) == (life.person, life.rule)
        return same and self.says in life.summary


@dataclass(frozen=True)
class Judged:
    """Alerts with their judgement, and what has none or more than one on the other side."""

    pairs: tuple[tuple[AlertLife, Judgement], ...]
    without_judgement: tuple[AlertLife, ...]
    without_alert: tuple[Judgement, ...]

    @property
    def useful(self) -> int:
        """How many alerts are judged useful."""
        return sum(judgement.useful for _, judgement in self.pairs)


def read_judgements(path: Path = FILE) -> list[Judgement]:
    """The judgements as written down, in order of the file."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))["judged"]
    return [Judgement.model_validate(one) for one in found]


def judge(lives: Sequence[AlertLife], judgements: Sequence[Judgement]) -> Judged:
    """Join alerts and judgements; where either has two of the other it has none."""
    pairs: list[tuple[AlertLife, Judgement]] = []
    for life in lives:
        mine = [one for one in judgements if one.is_about(life)]
        if len(mine) == 1 and sum(mine[0].is_about(other) for other in lives) == 1:
            pairs.append((life, mine[0]))
    judged = {id(life) for life, _ in pairs}
    used = {id(judgement) for _, judgement in pairs}
    return Judged(
        pairs=tuple(pairs),
        without_judgement=tuple(life for life in lives if id(life) not in judged),
        without_alert=tuple(one for one in judgements if id(one) not in used),
    )
