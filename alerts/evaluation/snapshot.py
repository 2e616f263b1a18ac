"""What an evaluation needs of the database, read at one moment."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from alerts.evaluation.compare import Standing
from alerts.evaluation.ground import ground
from alerts.evaluation.queries import Head, HeadMoved, Mark, read_head, read_records
from alerts.evaluation.scene import Scene, kinds_read, state_of
from memory.code import code_of
from memory.models import MemoryUser
from memory.project.tree import Project, Rule
from memory.snapshot import snapshot


@dataclass(frozen=True)
class Snapshot(Scene):
    """A person at one moment: where the rules got to, what is new, and the records they read."""

    user: MemoryUser
    before: Mark
    after: Mark
    first: bool
    active: tuple[Standing, ...]
    noticed: bool = False
    """Whether there are concerns that what the rules find may clear."""

    @property
    def standing(self) -> list[Standing]:
        """The current alerts of the rules that run, and of rules that are not known any more."""
        ran, known = {rule.name for rule in self.rules}, self.code.project.rules
        return [alert for alert in self.active if alert.rule in ran or alert.rule not in known]


def take(user_id: UUID, *, now: datetime, afresh: bool = False) -> Snapshot:
    """Read a person's watermark, what came after it, and the records the touched rules read.

    With `afresh` every rule counts as touched.

    Two statements, without the cost of a transaction around them: the second looks whether the log
    has grown since the first. Where it has, both are done again at one moment.
    """
    with suppress(HeadMoved):
        return _read(read_head(user_id), now, afresh)
    with snapshot():
        return _read(read_head(user_id), now, afresh)


def _read(head: Head, now: datetime, afresh: bool) -> Snapshot:
    user, before = head.user, head.mark or Mark()
    code = code_of(user)
    project, today = code.project, user.local_date(now)
    after = Mark(user.fact_seq, user.reading_seq, project.digest, ground(), today)
    every = tuple(project.rules.values())
    # Where nothing was ever evaluated, a rule over no records has nothing to rest an alert on
    new = head.mark is None and not head.standing
    since = replace(after, fact_seq=0, reading_seq=0) if new else before
    rules = every if afresh else _touched(project, head.new_kinds, since, after)
    kinds = sorted(kinds_read(project, rules))
    rows = sorted(read_records(user, kinds))
    return Snapshot(
        user=user,
        before=before,
        after=after,
        rules=rules,
        records={row[:2]: row for row in rows},
        state=state_of(project, kinds, rows),
        first=head.mark is None,
        code=code,
        active=head.standing,
        noticed=head.noticed,
    )


def _touched(
    project: Project, new_kinds: Iterable[str], before: Mark, after: Mark
) -> tuple[Rule, ...]:
    """The rules that may say something else than at the watermark."""
    advanced = replace(before, fact_seq=after.fact_seq, reading_seq=after.reading_seq)
    if advanced != after:  # other code, tables or date
        return tuple(project.rules.values())
    collections = frozenset(
        project.kinds[kind].collection for kind in new_kinds if kind in project.kinds
    )
    return tuple(rule for rule in project.rules.values() if rule.touched_by(collections))
