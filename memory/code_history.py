"""A person's code over time: as it was at a version, and who brought each line of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.access import NotFound
from memory.code import Code, adopted_baseline, baseline_of, load_project
from memory.models import Baseline, CodeVersion, MemoryUser, Tree
from memory.project.review.blame import Brought, Stage, blame
from memory.project.review.tree import Status, key_of
from memory.project.tree import Project

BASELINE = 0


@dataclass(frozen=True)
class CodeAt:
    """A person's code at a version; without one it is the baseline, whose number is 0."""

    version: CodeVersion | None
    project: Project
    baseline: Project

    @property
    def number(self) -> int:
        """The version's number."""
        return self.version.number if self.version else BASELINE

    def path_of(self, key: str) -> str:
        """The path of the file with this key. Raises NotFound."""
        for path in self.project.files:
            if key_of(path) == key:
                return path
        raise NotFound

    def is_own(self, path: str) -> bool:
        """Whether a file is not the baseline's."""
        return self.project.files[path] != self.baseline.files.get(path)


def code_at(person: MemoryUser, number: int) -> CodeAt:
    """The code at a version of a person who may be looked at. Raises NotFound and CodeTampered."""
    if number == BASELINE:
        baseline = baseline_of(person)
        return CodeAt(None, baseline, baseline)
    version = version_of(person, number)
    return CodeAt(version, load_project(version.tree_id), load_project(version.baseline_id))


def code_then(person: MemoryUser, moment: datetime) -> Code:
    """The code that was active for a person at a moment. Raises CodeTampered.

    Of who had no files of their own it is the baseline in force, from the moment of its adoption;
    it reaches each person a little later, of which no version tells.
    """
    versions = CodeVersion.objects.filter(user=person).order_by("number")
    last = versions.filter(approved_at__lte=moment).last()
    following = versions.filter(approved_at__gt=moment).first()
    ended_on = following.parent if following else person.tree
    if last is not None and ended_on in ("", last.tree_id):
        return Code(load_project(last.tree_id), load_project(last.baseline_id))
    baseline = _baseline_then(ended_on, moment)
    return Code(baseline, baseline)


def _baseline_then(ended_on: str, moment: datetime) -> Project:
    """The baseline in force at a moment, and none newer than the one a person ended on."""
    baselines = Baseline.objects.order_by("number")
    reached = baselines.filter(tree=ended_on).last()
    if reached is not None:
        baselines = baselines.filter(number__lte=reached.number)
    found = baselines.filter(adopted_at__lte=moment).last() or baselines.first()
    return load_project(found.tree_id) if found else adopted_baseline()


def version_of(person: MemoryUser, number: int) -> CodeVersion:
    """One version of a person who may be looked at. Raises NotFound."""
    found = CodeVersion.objects.filter(user=person, number=number)
    version = found.select_related("approved_by").first()
    if version is None:
        raise NotFound
    return version


def blamed(person: MemoryUser, number: int, path: str) -> tuple[Brought, ...]:
    """Who brought each line that a file has at a version. Raises CodeTampered."""
    versions = CodeVersion.objects.filter(user=person, number__lte=number).order_by("number")
    rows = list(versions.values_list("number", "tree_id", "baseline_id"))
    if not rows:
        return blame(baseline_of(person).files.get(path, ""), [])
    stages = [
        Stage(number, _text(tree, path), _text(baseline, path)) for number, tree, baseline in rows
    ]
    return blame(stages[0].baseline, stages)


def _text(digest: str, path: str) -> str:
    return load_project(digest).files.get(path, "")


def changed_paths(versions: Sequence[CodeVersion]) -> dict[int, tuple[tuple[str, Status], ...]]:
    """The files that each of these versions changed of what was active before it, by number.

    Of a version whose parent is not stored (a baseline that only shipped) those of its overlay.
    """
    digests = {one.tree_id for one in versions} | {one.parent for one in versions}
    trees = dict(Tree.objects.filter(pk__in=digests).values_list("pk", "files"))
    return {one.number: tuple(_changed(one, trees)) for one in versions}


def _changed(
    version: CodeVersion, trees: Mapping[str, Mapping[str, str]]
) -> list[tuple[str, Status]]:
    after, before = trees[version.tree_id], trees.get(version.parent)
    if before is None:
        return [(path, "changed" if path in after else "removed") for path in version.overlay]
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    return [(path, _status(path, before, after)) for path in paths]


def _status(path: str, before: Mapping[str, str], after: Mapping[str, str]) -> Status:
    if path not in before:
        return "added"
    return "changed" if path in after else "removed"
