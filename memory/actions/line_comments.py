"""Comment on a line of a proposal's diff, and hold a comment for settled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import IntegrityError, transaction

from memory import access, audit
from memory.actions.proposals import DigestMismatch, NotOpen, locked
from memory.code import load_project
from memory.models import CommentResolution, LineComment, Proposal, ProposalStatus, Side
from memory.project.lines import split_lines
from memory.rights import Right

LONGEST_COMMENT = 4_000
MOST_COMMENTS = 500
COMMENTED = (ProposalStatus.OPEN, ProposalStatus.FAILED)
"""A proposal in one of these may still become another."""


@dataclass(frozen=True)
class Place:
    """A line of a diff: of the text before (`old`) or now, counted from 1."""

    path: str
    side: Side
    line: int


class NoSuchLine(ValueError):
    """The diff of the proposal has no such line."""


class NothingSaid(ValueError):
    """A comment without a word."""


class TooMany(ValueError):
    """The proposal has as many comments as anybody will read."""


class AlreadyResolved(Exception):
    """Somebody has settled the comment already."""


def line_text(proposal: Proposal, place: Place) -> str:
    """The line that a place names, without its end. Raises NoSuchLine."""
    tree = proposal.parent if place.side == Side.OLD else proposal.tree_id
    lines = split_lines(load_project(tree).files.get(place.path, ""))
    if not 1 <= place.line <= len(lines):
        raise NoSuchLine(f"{place.path} has no line {place.line}")
    return lines[place.line - 1].rstrip("\r\n")


@transaction.atomic
def comment_line(
    *,
    proposal_id: UUID,
    digest: str,
    place: Place,
    text: str,
    actor: access.Somebody,
    now: datetime,
) -> LineComment:
    """Store a comment for good, bound to the digest that the reviewer saw.

    Raises PermissionDenied, access.NotFound, NotOpen, DigestMismatch, NothingSaid, NoSuchLine and
    TooMany.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    text = text.replace("\0", "").strip()[:LONGEST_COMMENT]
    if not text:
        raise NothingSaid("say in a few words what is the matter with this line")
    proposal, _ = locked(staff, proposal_id)
    if proposal.status not in COMMENTED:
        raise NotOpen(proposal.pk)
    if proposal.digest != digest:
        raise DigestMismatch(proposal.pk)
    line_text(proposal, place)
    if proposal.line_comments.count() >= MOST_COMMENTS:
        raise TooMany(f"a proposal takes {MOST_COMMENTS} comments at most")
    comment = LineComment.objects.create(
        user_id=proposal.user_id,
        proposal=proposal,
        digest=digest,
        path=place.path,
        side=place.side,
        line=place.line,
        text=text,
        by=staff,
        at=now,
    )
    _audit("comment.add", comment, staff, now)
    return comment


@transaction.atomic
def resolve_comment(*, comment_id: int, actor: access.Somebody, now: datetime) -> LineComment:
    """Hold a comment for settled: it is not sent along with a request for changes.

    Raises PermissionDenied, access.NotFound and AlreadyResolved.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    comment = access.line_comment(staff, comment_id)
    try:
        with transaction.atomic():
            CommentResolution.objects.create(
                user_id=comment.user_id, comment=comment, by=staff, at=now
            )
    except IntegrityError:
        raise AlreadyResolved(comment_id) from None
    _audit("comment.resolve", comment, staff, now)
    return comment


def unresolved(proposal: Proposal) -> list[LineComment]:
    """The comments on a proposal that nobody has settled, in order of their places."""
    found = proposal.line_comments.filter(resolution=None)
    return list(found.order_by("path", "line", "pk"))


def as_asked(proposal: Proposal, comments: Iterable[LineComment]) -> list[dict[str, str | int]]:
    """Comments as whoever writes the next attempt gets them: the place, the line, what was said."""
    return [
        {
            "path": one.path,
            "side": one.side,
            "line": one.line,
            "quote": line_text(proposal, Place(one.path, Side(one.side), one.line)),
            "text": one.text,
        }
        for one in comments
    ]


def _audit(action: str, comment: LineComment, staff: Staff, now: datetime) -> None:
    audit.record(
        action,
        actor=staff,
        now=now,
        person=comment.user_id,
        of="line comment",
        object_id=comment.pk,
    )
