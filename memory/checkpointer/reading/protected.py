"""What a model may add to and not overwrite or remove without a person. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.project.fold import Op

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


def is_protected(kind: str, standing: Mapping[str, Any]) -> bool:
    """Whether a record as it stands is one that a model may not change by itself.

    Of contracts it is the cancellation that is protected.
    """
    if kind == CANCELLABLE:
        return standing.get("status") in CANCELLED or bool(standing.get("cancel_decided_on"))
    return kind in PROTECTED


def is_held(kind: str, op: Op, data: Mapping[str, Any], standing: Mapping[str, Any] | None) -> bool:
    """Whether a model's reading has to wait for a person; `standing` is None without a record.

    To add a record is free, and so is to say again what stands.
    """
    if standing is None or not is_protected(kind, standing):
        return False
    return op != "assert" or dict(data) != dict(standing)
