"""What a model may add to and not overwrite or remove without a person. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from memory.project.fold import Op
from memory.project.tree import Project

PROTECTED = frozenset(
    {
        "health.Allergy",
        "health.Medication",
        "health.DoseLimit",
        "finance.SpendingLimit",
        "preferences.Prohibition",
    }
)
CANCELLABLE = "finance.Contract"
CANCELLED = frozenset({"to cancel", "cancelled"})


def protected_in(
    project: Project, *, kinds: Collection[str], rules: Collection[str]
) -> frozenset[str]:
    """The kinds that are protected for a person, by their full names.

    Of the `kinds` that are the person's own, those whose records a rule of their own reads: a
    model's word must not switch off what somebody had watched. `rules` are the names of these.
    """
    watching = [project.rules[name] for name in rules]
    return PROTECTED | {
        name
        for name in kinds
        if any(rule.touched_by(frozenset({project.kinds[name].collection})) for rule in watching)
    }


def is_held(
    kind: str,
    op: Op,
    data: Mapping[str, Any],
    standing: Mapping[str, Any] | None,
    protected: Collection[str] = PROTECTED,
) -> bool:
    """Whether a model's reading has to wait for a person; `standing` is None without a record.

    To add a record is free, and so is to say again what stands. Of contracts it is the cancellation
    that is protected.
    """
    if standing is None or not (kind in protected or _is_cancelled(kind, standing)):
        return False
    if op == "update":
        return any(standing.get(name) != value for name, value in data.items())
    return op != "assert" or dict(data) != dict(standing)


def _is_cancelled(kind: str, standing: Mapping[str, Any]) -> bool:
    decided = standing.get("status") in CANCELLED or bool(standing.get("cancel_decided_on"))
    return kind == CANCELLABLE and decided
