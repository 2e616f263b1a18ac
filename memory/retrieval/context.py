"""Fit what is known into a text of bounded size, line by line. Pure.

Each section has its lines in the order in which they matter. First every section takes what fits
its share of the room, then what is left goes to the sections in turn. A line is shown whole or not
at all; the text is never larger than was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from memory.checkpointer.model.prices import BYTES_A_TOKEN, estimated_tokens
from memory.checkpointer.structuring.lines import size

Name = Literal["alerts", "manifest", "state", "facts", "messages"]
Source = Mapping[str, str | int | list[int] | None]
LONGEST_LINE = 600
"""Characters of a text within a line; the rest is cut, and the line says so."""
CUT = "…"


@dataclass(frozen=True)
class Line:
    """A line of a context, without its bullet, and what it is from."""

    text: str
    source: Source
    cut: bool = False


@dataclass(frozen=True)
class Section:
    """What there is to say under a heading, the most important first.

    `share` is its part of the room before any is left over; `why` tells the order of its lines,
    `withheld` why there are none, where that is not for lack of anything to say, `beyond` how many
    there are besides `lines`, of which none will be shown.
    """

    name: Name
    heading: str
    lines: tuple[Line, ...]
    share: float
    why: str
    withheld: str = ""
    beyond: int = 0


@dataclass
class Shown:
    """A section, and the places of its lines that are shown."""

    section: Section
    places: set[int] = field(default_factory=set)

    @property
    def lines(self) -> list[Line]:
        """What is shown, in order."""
        return [self.section.lines[place] for place in sorted(self.places)]

    @property
    def text(self) -> str:
        """The heading and the lines, each with its line end; empty without any line."""
        if not self.places:
            return ""
        return f"{heading_line(self.section)}{''.join(map(bullet, self.lines))}"

    def take(self, room: int) -> int:
        """Add the lines that fit, in order; how much of the room they took."""
        taken = 0
        for place, line in enumerate(self.section.lines):
            if place in self.places:
                continue
            needed = size(bullet(line))
            needed += 0 if self.places else size(heading_line(self.section))
            if taken + needed <= room:
                self.places.add(place)
                taken += needed
        return taken


@dataclass(frozen=True)
class Context:
    """A text within its bound, and the sections it is made of; those without a line too."""

    text: str
    tokens: int
    sections: tuple[Shown, ...]


def compose(title: str, sections: Sequence[Section], *, max_tokens: int) -> Context:
    """What fits into so many tokens, as tokens are estimated elsewhere: three bytes each."""
    head = f"# {one_line(title)[0]}\n"
    room = max_tokens * BYTES_A_TOKEN - size(head)
    if room < 0:
        head, room = "", max_tokens * BYTES_A_TOKEN
    shown = [Shown(section) for section in sections]
    left = room
    for one in shown:
        left -= one.take(min(left, int(room * one.section.share)))
    for one in shown:
        left -= one.take(left)
    text = head + "".join(one.text for one in shown)
    return Context(text, estimated_tokens(text), tuple(shown))


def bullet(line: Line) -> str:
    """A line as it stands in the text."""
    return f"- {line.text}\n"


def heading_line(section: Section) -> str:
    """A section's heading as it stands in the text."""
    return f"\n## {section.heading}\n"


def one_line(text: str, longest: int = LONGEST_LINE) -> tuple[str, bool]:
    """A text without line ends or runs of blanks, and whether something was cut off."""
    plain = " ".join(text.split())
    if len(plain) <= longest:
        return plain, False
    return f"{plain[: longest - 1]}{CUT}", True
