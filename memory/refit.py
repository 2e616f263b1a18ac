"""Whether what is recorded of a person fits other code."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memory.models import MemoryUser, Record
from memory.project.payload import PayloadError, check_payload
from memory.project.tree import Project


def changed_kinds(before: Project, after: Project) -> frozenset[str]:
    """The kinds that one of two projects has and the other has not, or has otherwise."""
    names = before.kinds.keys() | after.kinds.keys()
    return frozenset(name for name in names if before.kinds.get(name) != after.kinds.get(name))


def changed_rules(before: Project, after: Project) -> frozenset[str]:
    """The rules of a project that another has not, or has otherwise."""
    return frozenset(
        name
        for name, rule in after.rules.items()
        if name not in before.rules or before.rules[name].source != rule.source
    )


def misfits(
    user: MemoryUser, before: Project, after: Project, read_again: Collection[int] = ()
) -> Iterator[tuple[str, str, str]]:
    """The records that another project would refuse: kind, id, and why.

    Not those of a kind that is gone, where each fact that they rest on is read again as another.
    """
    rows = Record.objects.filter(user=user, kind__in=changed_kinds(before, after))
    for row in rows.order_by("kind", "record_id").iterator():
        kind = after.kinds.get(row.kind)
        if kind is None and row.facts and set(row.facts) <= set(read_again):
            continue
        if kind is None:
            yield row.kind, row.record_id, "the kind is not there any more"
            continue
        try:
            check_payload(kind, "assert", row.record_id, row.data, fallback_id=row.record_id)
        except PayloadError as error:
            yield row.kind, row.record_id, str(error)
