"""Move a watermark past facts that no rule reads, in one statement.

Most facts are such; for them this takes the place of a snapshot and a compare-and-set. What is new
is still derived from the log, by the statement that moves the watermark.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache, lru_cache

from django.db import connection

from alerts.evaluation.ground import ground
from alerts.models import Watermark
from memory.code import project_of
from memory.models import MemoryUser, ReadingBody
from memory.project.tree import Project


def may_be_affected(user: MemoryUser, kinds: Iterable[str]) -> bool:
    """Whether some rule of the person reads one of these kinds."""
    return not set(_kinds_read(project_of(user))).isdisjoint(kinds)


def advance_unaffected(*, user: MemoryUser, before: int, now: datetime) -> int | None:
    """The fact through which the person is now evaluated, if nothing new is read by any rule.

    None, and nothing done, where a rule must run, where code, tables or date changed, and where
    the watermark is not below the fact `before` (another evaluation has been there).
    """
    mark = Watermark._meta.concrete_fields
    prepare = {field.name: field.get_db_prep_value for field in mark}
    project = project_of(user)
    values = {"user": user.pk, "version": project.digest, "ground": ground()}
    values |= {"local_date": user.local_date(now), "evaluated_at": now}
    stored = {name: prepare[name](value, connection) for name, value in values.items()}
    kinds = _kinds_read(project)
    parameters = [stored["evaluated_at"], stored["user"], stored["version"], stored["ground"]]
    parameters += [stored["local_date"], before, *kinds]
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(kinds)), parameters)
        rows = cursor.fetchall()
    return int(rows[0][0]) if rows else None


@lru_cache(maxsize=256)
def _kinds_read(project: Project) -> tuple[str, ...]:
    """The kinds that some rule reads."""
    names: set[str] = set()
    for rule in project.rules.values():
        names |= set(project.collections) if rule.reads is None else rule.reads
    return tuple(sorted(project.collections[name].full_name for name in names))


@cache
def _statement(kinds: int) -> str:
    """Head and readings are seen at one moment, since it is one statement.

    Where it had to wait for another evaluation, the conditions are checked again on the moved
    watermark; `fact_seq` in them keeps it from moving back.
    """
    tables = [model._meta.db_table for model in (Watermark, MemoryUser, ReadingBody)]
    mark, person, said = (connection.ops.quote_name(name) for name in tables)
    kinds_read = ", ".join(["%s"] * kinds) or "NULL"
    head = f"SELECT {{}} FROM {person} AS person WHERE person.id = {mark}.user_id"  # noqa: S608
    return (
        f"UPDATE {mark} SET fact_seq = ({head.format('fact_seq')}), "  # noqa: S608
        f"reading_seq = ({head.format('reading_seq')}), evaluated_at = %s "
        f"WHERE user_id = %s AND version = %s AND ground = %s AND local_date = %s "
        f"AND fact_seq < %s AND NOT EXISTS (SELECT 1 FROM {said} AS said "
        f"WHERE said.user_id = {mark}.user_id AND said.seq > {mark}.reading_seq "
        f"AND said.kind IN ({kinds_read})) RETURNING fact_seq"
    )
