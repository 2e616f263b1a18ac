"""What one prompt is about: the next of what a person has waiting, and records it could mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from memory.actions.check_facts import targets
from memory.actions.project_state import Key
from memory.checkpointer.reading.item import Item, Material, Shown
from memory.checkpointer.reading.prompt import MOST_ITEMS
from memory.checkpointer.reading.protected import PROTECTED
from memory.checkpointer.reading.ranking import companions
from memory.checkpointer.reading.relevance import score, stems
from memory.code import code_of
from memory.models import FactBody, MemoryUser, MessageBody, Record, Stream, ToRead
from memory.project.chain import parse_moment
from memory.project.references import references_in
from memory.project.tree import Project

TURNS = 4
STEMS, A_STEM = 24, 20
MOST_RECORDS, FIRST, NEWEST = 40, 12, 12
PERSON = "people.Person"


def next_material(user: MemoryUser) -> Material | None:
    """What to read next, facts before messages; None where nothing waits.

    The number of queries does not depend on how long the person's history is.
    """
    waiting = ToRead.objects.waiting().filter(user=user).order_by("seq")
    for stream, load in ((Stream.FACT, _fact), (Stream.MESSAGE, _message)):
        tries = dict(waiting.filter(stream=stream).values_list("seq", "tries")[:MOST_ITEMS])
        if tries:
            return _material(user, tuple(load(*one) for one in _bodies(user, stream, tries)))
    return None


def _bodies(
    user: MemoryUser, stream: Stream, tries: dict[int, int]
) -> Iterable[tuple[int, dict[str, Any], int]]:
    bodies = FactBody if stream == Stream.FACT else MessageBody
    rows = bodies._default_manager.filter(user=user, seq__in=tries).order_by("seq")
    for seq, text in rows.values_list("seq", "canonical"):
        yield seq, json.loads(text), tries[seq]


def _fact(seq: int, body: dict[str, Any], tries: int = 0) -> Item:
    speaker = body["source"] or "user"
    said_at = parse_moment(body["occurred_at"])
    return Item("fact", seq, body["text"], speaker, body["session"], said_at, tries)


def _message(seq: int, body: dict[str, Any], tries: int = 0) -> Item:
    said_at = parse_moment(body["said_at"])
    return Item("message", seq, body["content"], body["role"], body["session"], said_at, tries)


def _material(user: MemoryUser, items: tuple[Item, ...]) -> Material:
    project = code_of(user).project
    return Material(
        items=items,
        earlier=_earlier(user, items[0]),
        records=tuple(records_about(user, project, [one.text for one in items])),
        counts=Record.objects.filter(user=user).count_by_kind(),
        project=project,
        name=str(user),
        zone=user.zone,
    )


def _earlier(user: MemoryUser, first: Item) -> tuple[Item, ...]:
    """The turns before a message in its session, in order."""
    if first.stream != "message":
        return ()
    rows = MessageBody.objects.filter(user=user, session=first.session, seq__lt=first.seq)
    found = rows.order_by("-seq").values_list("seq", "canonical")[:TURNS]
    return tuple(_message(seq, json.loads(text)) for seq, text in reversed(found))


def records_about(user: MemoryUser, project: Project, said: Sequence[str]) -> list[Shown]:
    """Records that could be meant or contradicted, the likeliest first.

    Those whose words are sought take turns with what stands whatever is said (the newest protected
    ones), the newest that a rule reads together with what is spoken of, and people; last come what
    the first of them refer to, and the newest of all.
    """
    own = Record.objects.filter(user=user).order_by("-reading_seq")
    named = _named(own, stems(" ".join(said)))
    beside = companions(project, said) - PROTECTED - {PERSON}
    found = {
        **dict(named[:FIRST]),
        **_shown(own.filter(kind__in=PROTECTED)[:NEWEST]),
        **_shown(own.filter(kind__in=beside)[:NEWEST]),
        **dict(named[FIRST:]),
        **_shown(own.filter(kind=PERSON)[:NEWEST]),
    }
    found |= _referred(own, project, dict(named[:FIRST]))
    return list({**found, **_shown(own[:NEWEST])}.values())


def _referred(
    own: QuerySet[Record], project: Project, shown: Mapping[Key, Shown]
) -> dict[Key, Shown]:
    """The records that these name, so that what is said now can name them too."""
    keys = {
        key
        for (name, _), one in shown.items()
        if (kind := project.kinds.get(name)) is not None
        for key in targets(references_in(kind.fields, one.data), project)
        if key not in shown
    }
    if not keys:
        return {}
    named = [Q(kind=kind, record_id=record_id) for kind, record_id in sorted(keys)[:NEWEST]]
    return _shown(own.filter(reduce(or_, named)))


def _named(own: QuerySet[Record], sought: Sequence[str]) -> list[tuple[Key, Shown]]:
    """Records with words that are sought, the likeliest first.

    Of each word so many are looked at, so that a common one does not hide a rare one's record.
    """
    found: dict[Key, Shown] = {}
    for stem in sought[:STEMS]:
        named = Q(source__icontains=stem)
        if not stem.isascii():  # SQLite knows capital and small letters of ASCII alone
            named |= Q(source__contains=stem.capitalize())
        found |= _shown(own.filter(named)[:A_STEM])
    return sorted(found.items(), key=lambda one: -score(sought, _words(one[1])))[:MOST_RECORDS]


def _shown(rows: QuerySet[Record]) -> dict[Key, Shown]:
    return {
        (kind, record_id): Shown(kind, record_id, data)
        for kind, record_id, data in rows.values_list("kind", "record_id", "data")
    }


def _words(one: Shown) -> str:
    return f"{one.record_id} {json.dumps(one.data, ensure_ascii=False)}"
