"""Readings that wait, as the checkpointer gets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from memory.checkpointer.offline import structure
from memory.checkpointer.structured import Structured
from memory.project.fold import Op
from memory.project.shipped import baseline
from memory.project.tree import Project

BASELINE = baseline()


@dataclass(frozen=True)
class Said:
    """A reading that waits, the only one of its fact."""

    seq: int
    kind: str
    data: dict[str, Any]
    op: Op = "assert"

    @property
    def fact_seq(self) -> int:
        return self.seq

    @property
    def fallback_id(self) -> str:
        return f"f{self.seq}-1"


def purchases(*payloads: dict[str, Any], first: int = 1) -> list[Said]:
    """Readings of a kind that the baseline does not know."""
    return [Said(first + n, "shop.Purchase", data) for n, data in enumerate(payloads)]


def structured(
    waiting: Sequence[Said],
    project: Project = BASELINE,
    known: Mapping[str, Sequence[dict[str, Any]]] | None = None,
) -> Structured:
    """What becomes of readings; the kinds of the baseline are fixed."""
    return structure(project, waiting, fixed=BASELINE.kinds.keys(), known=known or {})


def reasons(done: Structured) -> dict[int, str]:
    """Why readings go on waiting, by seq."""
    return {one.seq: one.reason for one in done.unplaced}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["2026-01-31", "10:30", "12.50", "", "a\n'''\"{x}", "\u202e", "🙂"])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "b c", "class", "date", "É", "list", "id", "__x__", "check"]),
            part,
            max_size=3,
        )
    ),
    max_leaves=6,
)
PAYLOAD = st.dictionaries(
    st.sampled_from(["id", "x", "y z", "date", "status", "self", "print", "Purchase", "今日"]),
    JSON,
    max_size=4,
)
"""What an app might send, names and texts of all sorts among it."""
