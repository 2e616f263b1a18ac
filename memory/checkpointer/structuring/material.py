"""What one prompt for code is about: the next needs of a person, and what they may draw from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.actions.project_state import Key
from memory.checkpointer.reading.item import Shown
from memory.checkpointer.reading.relevance import score, stems
from memory.checkpointer.reading.schemas import kind_texts
from memory.checkpointer.structuring.readings import FactReading
from memory.code import Code, code_of, load_project, overlay_of
from memory.found import found_in
from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser, Need, Proposal, Record
from memory.project.tree import Project
from memory.snapshot import snapshot

MOST_NEEDS, MOST_OF_ONE, MOST_FACTS, MOST_DOMAINS = 6, 20, 40, 5
BY_WORDS = 3
NEWEST = 80
ALONE = "alone"
"""Set in the `about` of a need that could not be met together with others."""
NEVER, LAST = "notes", "people"
"""Domains that nearly every fact speaks of: one is to stay what it is, the other says little."""


@dataclass(frozen=True)
class Review:
    """What a reviewer asked of an earlier proposal, and in which files it differed.

    `lines` are comments on its lines: `{"path", "side", "line", "quote", "text"}`. `hands` are the
    ids of all staff who wrote any of it.
    """

    proposal: UUID
    comment: str
    files: Mapping[str, str]
    facts: tuple[int, ...]
    lines: tuple[Mapping[str, Any], ...] = ()
    hands: tuple[int, ...] = ()


@dataclass(frozen=True)
class Material:
    """All that a prompt may draw from.

    `base` is what the answer is put on: the project of the open proposal (`opened`), which is kept
    that way, or else the person's own. `domains` are those the needs may concern, likeliest first.
    """

    user: MemoryUser
    code: Code
    base: Project
    opened: Proposal | None
    needs: tuple[Need, ...]
    facts: Mapping[int, FactEntry]
    found: Mapping[int, list[Mapping[str, Any]]]
    domains: tuple[str, ...]
    records: tuple[Shown, ...]
    resting: Mapping[Key, list[int]]
    """The facts that the records rest on which the needs name."""
    counts: Mapping[str, int]
    review: Review | None
    carried: tuple[FactReading, ...]
    """What facts are read as in the open proposal, to be kept in the one that takes its place."""
    carried_facts: Mapping[int, FactEntry]
    today: date


def next_material(user_id: UUID, *, now: datetime) -> Material | None:
    """What to ask about next, the oldest first; None where nothing is open.

    The number of queries does not depend on how long the person's history is.
    """
    with snapshot():
        user = MemoryUser.objects.get(pk=user_id)
        needs = _next_needs(user)
        if not needs:
            return None
        code = code_of(user)
        parent = code.project.digest
        opened = Proposal.objects.open().filter(user=user, parent=parent).first()
        base = load_project(opened.tree_id) if opened else code.project
        carried = carried_in(opened)
        review = _review(user, needs)
        resting = _resting(user, needs)
        facts = facts_by_seq(user, _all_facts(needs, resting, review))
        sought = stems(" ".join([*(one.text for one in facts.values()), *_words(needs)]))
        named = _named(needs, facts.values())
        domains = _domains(base, sought, {kind for kind, _ in named})
        return Material(
            user=user,
            code=code,
            base=base,
            opened=opened,
            needs=needs,
            facts=facts,
            found=found_in(user, facts.values()),
            domains=domains,
            records=(
                *(Shown(one.kind, one.record_id or "", one.data) for one in carried),
                *_records(user, base, named, domains, sought),
            ),
            resting=resting,
            counts=Record.objects.filter(user=user).count_by_kind(),
            review=review,
            carried=carried,
            carried_facts=facts_by_seq(user, [one.fact for one in carried]),
            today=user.local_date(now),
        )


def _next_needs(user: MemoryUser) -> tuple[Need, ...]:
    """Some needs together; then, one at a time, those that could not be met together."""
    rows = list(Need.objects.open().filter(user=user).order_by("id")[: MOST_NEEDS * 10])
    fresh = [one for one in rows if not one.about.get(ALONE)]
    return tuple(fresh[:MOST_NEEDS] or rows[:1])


def facts_of(need: Need, resting: Mapping[Key, Sequence[int]]) -> list[int]:
    """The need's own fact, those beside it, and those that the records rest on which it names."""
    seqs = [need.fact_seq, *need.about.get("facts", ())]
    for one in need.about.get("records", ()):
        seqs += resting.get((one["kind"], one["id"]), ())
    return list(dict.fromkeys(seqs))[:MOST_OF_ONE]


def _all_facts(
    needs: Iterable[Need], resting: Mapping[Key, Sequence[int]], review: Review | None
) -> list[int]:
    seqs = [seq for need in needs for seq in facts_of(need, resting)]
    return list(dict.fromkeys([*seqs, *(review.facts if review else ())]))[:MOST_FACTS]


def _resting(user: MemoryUser, needs: Iterable[Need]) -> dict[Key, list[int]]:
    keys = [(one["kind"], one["id"]) for need in needs for one in need.about.get("records", ())]
    rows = Record.objects.filter(_any_of(keys), user=user) if keys else ()
    return {_key(row): row.facts for row in rows}


def _any_of(keys: Iterable[Key]) -> Q:
    about = Q()
    for kind, record_id in dict.fromkeys(keys):
        about |= Q(kind=kind, record_id=record_id)
    return about


def carried_in(opened: Proposal | None) -> tuple[FactReading, ...]:
    """What facts are read as in a proposal, to be kept in the one that takes its place."""
    placements = opened.placements if opened else ()
    return tuple(FactReading.of(one) for one in placements if "fact" in one)


def _review(user: MemoryUser, needs: Iterable[Need]) -> Review | None:
    """The newest comment among the needs, with the files of the proposal that it is about."""
    for need in sorted(needs, key=lambda one: -one.pk):
        if named := need.about.get("proposal"):
            earlier = Proposal.objects.filter(user=user, pk=named).first()
            if earlier is not None:
                before, after = load_project(earlier.parent), load_project(earlier.tree_id)
                paths = overlay_of(after, before)
                files = {path: after.files[path] for path in paths if path in after.files}
                return Review(
                    earlier.pk,
                    need.about.get("comment", ""),
                    files,
                    tuple(earlier.facts),
                    tuple(need.about.get("lines", ())),
                    tuple(earlier.hands),
                )
    return None


def _words(needs: Iterable[Need]) -> list[str]:
    said = [
        str(need.about[name])
        for need in needs
        for name in ("summary", "topic", "comment")
        if need.about.get(name)
    ]
    return [*said, *(one["text"] for need in needs for one in need.about.get("lines", ()))]


def _named(needs: Iterable[Need], facts: Iterable[FactEntry]) -> list[Key]:
    """The records that the needs name, then those that the facts were read as."""
    keys = [(one["kind"], one["id"]) for need in needs for one in need.about.get("records", ())]
    keys += [(one.kind, one.record_id) for fact in facts for one in fact.readings]
    return list(dict.fromkeys(keys))


def _domains(base: Project, sought: Sequence[str], meant: set[str]) -> tuple[str, ...]:
    """Domains of the records that are named, and a few whose words are in the facts."""
    texts = kind_texts(base)
    points = {
        name: score(sought, " ".join([name, *(texts[kind.full_name] for kind in domain.kinds)]))
        for name, domain in base.domains.items()
    }
    of_meant = ({kind.partition(".")[0] for kind in meant} & points.keys()) - {NEVER}
    rest = sorted(points.keys() - of_meant - {NEVER, LAST}, key=lambda one: (-points[one], one))
    chosen = [*of_meant, *[name for name in rest if points[name]][:BY_WORDS]]
    return tuple(
        sorted(chosen, key=lambda one: (one == LAST, one not in of_meant, -points[one], one))
    )[:MOST_DOMAINS]


def _records(
    user: MemoryUser,
    base: Project,
    named: Sequence[Key],
    domains: Sequence[str],
    sought: Sequence[str],
) -> list[Shown]:
    """The records that are named, then of the newest of these domains those that are likeliest."""
    own = Record.objects.filter(user=user).order_by("-reading_seq", "kind", "record_id")
    wanted = [key for key in named if key[1]][:MOST_FACTS]
    meant = {_key(row): row for row in own.filter(_any_of(wanted))} if wanted else {}
    kinds = [kind.full_name for name in domains for kind in base.domains[name].kinds]
    near = [row for row in own.filter(kind__in=kinds)[:NEWEST] if _key(row) not in meant]
    near.sort(key=lambda row: -score(sought, f"{row.record_id} {row.source}"))
    rows = [*(meant[key] for key in wanted if key in meant), *near]
    return [Shown(row.kind, row.record_id, row.data) for row in rows]


def _key(row: Record) -> Key:
    return row.kind, row.record_id
