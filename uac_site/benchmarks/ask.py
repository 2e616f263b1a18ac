"""Questions in words: a hundred over records, a hundred over conversations, and what nobody said.

A part whose answers are neither recorded here nor asked for is left out, and said to be.
"""

from __future__ import annotations

from uac_site.benchmarks import ask_conversations, ask_records
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Result

PARTS = {"records": ask_records.run, "conversations": ask_conversations.run}


def run(inside: Inside) -> Result:
    """Each part that `--part` names. Raises ValueError for one there is not."""
    wanted = [*PARTS] if inside.options.part == "both" else [inside.options.part]
    if unknown := set(wanted) - PARTS.keys():
        raise ValueError(f"--part is {' or '.join(PARTS)} or both, not {unknown.pop()}")
    found = [PARTS[name](inside) for name in wanted]
    bounds = [bound for one in found for bound in one.bounds]
    return Result(bounds, "; ".join(one.said for one in found))
