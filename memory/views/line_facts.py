"""The facts behind new lines of a proposal: behind the kind, the field or the rule that begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.log import fact_seq_by_reading
from memory.models import Need, Proposal
from memory.project.lines import split_lines
from memory.project.review.opcodes import opcodes
from memory.project.review.places import Place, places
from memory.project.review.tree import FileChange, changed_files
from memory.project.tree import Project

MOST_PLACED = 2_000  # looked through; the lines that more of them rest on have facts by then
LineFacts = dict[int, tuple[int, ...]]


@dataclass
class Ground:
    """What a proposal stands on, as the seq of facts.

    `asked` are those that asked for it, by what they need; `kinds` and `fields` those that would be
    placed there; `known` all of them, and those which the code in force names already.
    """

    asked: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    kinds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    fields: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    known: set[int] = field(default_factory=set)

    def behind(self, place: Place) -> tuple[int, ...]:
        """The facts behind a place, each once; of what code names only those that are known."""
        if place.what == "field":
            found = self.fields.get((place.kind, place.field), [])
        elif place.what == "kind":
            found = self.kinds.get(place.kind) or self.asked["kind"]
        else:
            found = [seq for seq in place.facts if seq in self.known]
            if place.what == "rule" and not place.facts:
                found = self.asked["rule"]
        return tuple(dict.fromkeys(found))


def line_facts(
    proposal: Proposal, behind: Iterable[int], before: Project, after: Project
) -> dict[str, LineFacts]:
    """The facts behind the new lines of a proposal's files, by path and line.

    `behind` are those behind the proposal.
    """
    changes = changed_files(before.files, after.files)
    ground = _ground(proposal, behind)
    for change in changes:
        ground.known |= {seq for one in places(change.path, change.old) for seq in one.facts}
    found = {change.path: _by_line(_new_places(change), ground) for change in changes}
    return {path: lines for path, lines in found.items() if lines}


def _new_places(change: FileChange) -> list[Place]:
    codes = opcodes(split_lines(change.old), split_lines(change.new))
    kept = [(one.new_start, one.new_end) for one in codes if one.tag == "equal"]
    return [
        place
        for place in places(change.path, change.new)
        if not any(start < place.line <= end for start, end in kept)
    ]


def _by_line(found: Iterable[Place], ground: Ground) -> LineFacts:
    lines: dict[int, list[int]] = defaultdict(list)
    for place in found:
        lines[place.line] += ground.behind(place)
    return {line: tuple(dict.fromkeys(facts)) for line, facts in lines.items() if facts}


def _ground(proposal: Proposal, behind: Iterable[int]) -> Ground:
    ground = Ground(known=set(behind))
    needs = Need.objects.filter(proposal=proposal).order_by("pk")
    for what, seq in needs.values_list("needs", "fact_seq"):
        ground.asked[what].append(seq)
    placements = proposal.placements[:MOST_PLACED]
    readings = [one["reading"] for one in placements if "reading" in one]
    by_reading = fact_seq_by_reading(proposal.user_id, readings)
    for one in placements:
        placed = one["fact"] if "fact" in one else by_reading.get(one["reading"])
        if placed is not None and one.get("op") != "retract":
            _place(ground, one, placed)
    return ground


def _place(ground: Ground, one: Mapping[str, Any], seq: int) -> None:
    ground.known.add(seq)
    ground.kinds[one["kind"]].append(seq)
    for name, value in one["data"].items():
        if value is not None:
            ground.fields[one["kind"], name].append(seq)
