"""How many reviewers a proposal takes, who may not be one of them, and what each has approved."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User as Staff

from memory import audit
from memory.actions.ticks import doubts_of, record_ticks
from memory.code import load_project
from memory.models import Approval, Proposal
from memory.project.review.doubt import parsed
from memory.project.tree import Project

LESSENED = frozenset({"severity", "rule", "limit", "field", "test"})
"""The doubts that tell of something that is promised less."""
AT_LEAST = {"critical": ("critical",), "warning": ("critical", "warning")}
"""The severities that a setting is about."""


class OwnProposal(Exception):
    """Whoever wrote any of it by hand may not approve it."""


class AlreadyApproved(Exception):
    """The reviewer has approved it already; it takes another one."""


@dataclass(frozen=True)
class Needed:
    """How many reviewers must approve a proposal; where more than one, why, a line each."""

    count: int
    why: tuple[str, ...] = ()


def approvals_needed(proposal: Proposal) -> Needed:
    """What the setting UAC_TWO_APPROVALS comes to for a proposal."""
    wanted: Collection[str] = settings.TWO_APPROVALS
    why = tuple(_reasons(proposal, wanted)) if wanted else ()
    return Needed(2, why) if why else Needed(1)


def _reasons(proposal: Proposal, wanted: Collection[str]) -> Iterator[str]:
    if "all" in wanted:
        yield "every proposal takes two"
    levels = next((AT_LEAST[one] for one in ("warning", "critical") if one in wanted), ())
    if levels:
        yield from _of_severity(proposal, levels)
    if "lessened" in wanted and any(one.concern in LESSENED for one in doubts_of(proposal)):
        yield "it promises less than what is active: a rule, a limit, a severity, a field or a test"


def _of_severity(proposal: Proposal, levels: Collection[str]) -> Iterator[str]:
    before, after = load_project(proposal.parent), load_project(proposal.tree_id)
    words = " or ".join(levels)
    for path in sorted(path for path in {*before.files, *after.files} if path[:6] == "rules/"):
        if before.files.get(path) != after.files.get(path) and (
            _says(before, path, levels) or _says(after, path, levels)
        ):
            yield f"{path} raises alerts that are, or may be, {words}"
    would = proposal.provisional or {}
    if any(one["severity"] in levels for one in would.get("found", ())):
        yield f"it would raise an alert now that is {words}"


def _says(project: Project, path: str, levels: Collection[str]) -> bool:
    """Whether a rule names one of these severities, or may come to one: one that cannot be read
    may, and one that does not write its severities out."""
    if path not in project.files:
        return False
    tree = parsed(project.files[path])
    return tree is None or any(
        (isinstance(node, ast.Constant) and node.value in levels) or _comes_to_any(node)
        for node in ast.walk(tree)
    )


def _comes_to_any(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg is None or (node.arg == "severity" and not _written_out(node.value))
    first = node.args[:1] if isinstance(node, ast.Call) and _is_alert(node.func) else []
    return any(not _written_out(value) for value in first)


def _written_out(value: ast.expr) -> bool:
    """`"info"`, or `"warning" if late else "info"`."""
    if isinstance(value, ast.IfExp):
        return _written_out(value.body) and _written_out(value.orelse)
    return isinstance(value, ast.Constant)


def _is_alert(function: ast.expr) -> bool:
    """`Alert`, or `uac.Alert`; its first argument is the severity."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "Alert"


def record_approval(
    *, proposal: Proposal, staff: Staff, ticked: Collection[str], now: datetime
) -> int:
    """Record one reviewer's approval of a proposal of a locked person; how many more it takes.

    Raises OwnProposal, AlreadyApproved and NotTicked, after which nothing is recorded.
    """
    if staff.pk in proposal.hands:
        raise OwnProposal(proposal.pk)
    if proposal.approvals.filter(by=staff).exists():
        raise AlreadyApproved(proposal.pk)
    doubts = record_ticks(proposal=proposal, ticked=ticked, actor=staff, now=now)
    Approval.objects.create(
        user_id=proposal.user_id,
        proposal=proposal,
        digest=proposal.digest,
        by=staff,
        at=now,
        ticked=doubts,
    )
    audit.record(
        "proposal.approve",
        actor=staff,
        now=now,
        person=proposal.user_id,
        of="proposal",
        object_id=proposal.pk,
    )
    return max(approvals_needed(proposal).count - proposal.approvals.count(), 0)
