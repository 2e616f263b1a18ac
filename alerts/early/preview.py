"""What rules that nobody has approved yet would say of a person; nothing is stored."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from alerts.evaluation.diff import SHOWN, contents_of
from alerts.evaluation.engine import Findings, OutOfTime
from alerts.evaluation.growing import Growing, Placed, said_of
from alerts.evaluation.scene import Scene, findings_in, kinds_read, scene_of
from memory.code import Code, baseline_of
from memory.evaluator import Would
from memory.models import MemoryUser
from memory.project.tree import Project
from memory.sandbox import Limits, NoWorker

TOGETHER = "took more time than all rules of a person may take together"


def would_find(
    *,
    user: MemoryUser,
    project: Project,
    rules: Collection[str],
    placed: Placed,
    now: datetime,
    limits: Limits,
) -> Would:
    """What these rules of a project find in the person's records, read as that project has them.

    A rule that is not the baseline's own runs alone. The log is read by one statement. Raises
    NoWorker where the sandbox has no room.
    """
    chosen = [rule for rule in project.rules.values() if rule.name in rules]
    records = Growing(project.kinds)
    records.add(said_of(user, kinds_read(project, chosen), placed))
    seen = scene_of(Code(project, baseline_of(user)), chosen, records.rows.values())
    try:
        found = findings_in(seen, today=user.local_date(now), limits=limits)
    except OutOfTime as error:
        raise_for_room(error)
        return Would((), {rule.name: TOGETHER for rule in chosen})
    return _would(seen, found)


def raise_for_room(error: OutOfTime) -> None:
    """Raise NoWorker where the time ran out because the sandbox had no room."""
    if isinstance(error.__cause__, NoWorker):
        raise error.__cause__ from None  # else each would have led to the other


def _would(seen: Scene, found: Findings) -> Would:
    findings, contents = contents_of(seen, found)
    return Would(
        tuple(
            {"rule": one.rule, "key": one.dedupe_key}
            | {name: contents[one.dedupe_key][name] for name in SHOWN}
            for one in findings.found
        ),
        findings.failed,
    )
