"""What was said of the lines of a proposal's diff, as its page shows it below each of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.http import HttpRequest
from django.template.loader import render_to_string

from memory.actions.line_comments import COMMENTED, NoSuchLine, Place, line_text
from memory.models import LineComment, Proposal, Side
from memory.project.review.highlight import Html
from memory.project.review.render import LinePlace, ShownFile, View, anchor_of, with_notes

PLACE = re.compile(r"(file-[0-9a-f]{12})-([on])([1-9][0-9]{0,6})")
SIDES = {"o": Side.OLD, "n": Side.NEW}
LONGEST_QUOTE = 160


@dataclass(frozen=True)
class Thread:
    """The comments on one line, and what is being said of it.

    `saying` is the text in the form, None where there is no form; `wrong` what is the matter.
    """

    proposal: Proposal
    place: Place
    quote: str
    comments: tuple[LineComment, ...]
    saying: str | None = None
    wrong: str = ""

    @property
    def at(self) -> str:
        """The id of its line on the page."""
        return place_id(self.place)

    @property
    def may_settle(self) -> bool:
        """Whether the proposal may still become another."""
        return self.proposal.status in COMMENTED


def place_id(place: Place) -> str:
    """The id of a line on the page."""
    return f"{anchor_of(place.path)}-{'o' if place.side == Side.OLD else 'n'}{place.line}"


def place_said(comment: LineComment) -> Place:
    """The line that a comment is about."""
    return Place(comment.path, Side(comment.side), comment.line)


def place_of(said: str, paths: Iterable[str]) -> Place:
    """The line that an id names, in one of these files. Raises NoSuchLine."""
    found = PLACE.fullmatch(said)
    path = next((one for one in paths if found and anchor_of(one) == found[1]), None)
    if found is None or path is None:
        raise NoSuchLine("the diff has no such line")
    return Place(path, SIDES[found[2]], int(found[3]))


def comments_on(proposal: Proposal) -> list[LineComment]:
    """All comments on a proposal, in order of their places."""
    found = proposal.line_comments.select_related("by", "resolution__by")
    return list(found.order_by("path", "line", "side", "pk"))


def thread_at(
    proposal: Proposal, place: Place, *, saying: str | None = None, wrong: str = ""
) -> Thread:
    """The comments on one line. Raises NoSuchLine."""
    said = [one for one in comments_on(proposal) if place_said(one) == place]
    quote = line_text(proposal, place)[:LONGEST_QUOTE]
    return Thread(proposal, place, quote, tuple(said), saying, wrong)


def threads_of(proposal: Proposal, comments: Sequence[LineComment]) -> list[Thread]:
    """The comments by their lines."""
    by_place: dict[Place, list[LineComment]] = defaultdict(list)
    for one in comments:
        by_place[place_said(one)].append(one)
    return [
        Thread(proposal, place, line_text(proposal, place)[:LONGEST_QUOTE], tuple(found))
        for place, found in by_place.items()
    ]


def with_threads(
    request: HttpRequest, files: Iterable[ShownFile], threads: Sequence[Thread], view: View
) -> tuple[ShownFile, ...]:
    """The files of a diff with each thread below its line."""
    notes: Mapping[str, dict[LinePlace, Html]] = defaultdict(dict)
    for one in threads:
        side: Literal["old", "new"] = "old" if one.place.side == Side.OLD else "new"
        notes[one.place.path][side, one.place.line] = thread_html(request, one)
    return tuple(
        with_notes(file, notes[file.path], view) if file.path in notes else file for file in files
    )


def thread_html(request: HttpRequest, thread: Thread) -> Html:
    """A thread as markup; the template escapes what was said."""
    context = {"thread": thread, "person": thread.proposal.user}
    return Html(render_to_string("memory/thread.html", context, request=request))
