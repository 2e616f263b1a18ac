"""Which code is a person's: projects by their digest, and the baseline in force."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from uuid import UUID

from django.db import IntegrityError, transaction

from memory.models import Baseline, Blob, MemoryUser, Tree
from memory.project import shipped
from memory.project.tree import Project

__all__ = [
    "Code",
    "CodeTampered",
    "adopted_baseline",
    "baseline_of",
    "code_of",
    "load_project",
    "overlay_of",
    "project_of",
    "projects_of",
    "store_project",
]

LOADED = 256


class CodeTampered(Exception):
    """Stored code that is not what its digest says; it is never run."""


@dataclass(frozen=True, eq=False)
class Code:
    """A person's project, and the baseline it was built on."""

    project: Project
    baseline: Project

    @cached_property
    def own(self) -> frozenset[str]:
        """The kinds that are not in the baseline, by their full names."""
        return frozenset(self.project.kinds.keys() - self.baseline.kinds.keys())

    @cached_property
    def alone(self) -> frozenset[str]:
        """The rules that are not the baseline's as they stand there: they run alone."""
        shared = self.baseline.rules
        return frozenset(
            name
            for name, rule in self.project.rules.items()
            if name not in shared or shared[name].source != rule.source
        )


def code_of(user: MemoryUser) -> Code:
    """The project that is active for a person with its baseline. Raises CodeTampered."""
    project = project_of(user)
    return _code(project, project if user.tree == user.baseline else baseline_of(user))


@lru_cache(maxsize=LOADED)
def _code(project: Project, baseline: Project) -> Code:
    return Code(project, baseline)


def project_of(user: MemoryUser) -> Project:
    """The project that is active for a person. Raises CodeTampered."""
    return load_project(user.tree) if user.tree else adopted_baseline()


def projects_of(users: Iterable[MemoryUser]) -> dict[UUID, Project]:
    """The active project of each of these people by their id. Raises CodeTampered."""
    adopted = adopted_baseline()
    return {user.pk: load_project(user.tree) if user.tree else adopted for user in users}


def baseline_of(user: MemoryUser) -> Project:
    """The baseline that the person's project was built on. Raises CodeTampered."""
    return load_project(user.baseline) if user.baseline else adopted_baseline()


def adopted_baseline() -> Project:
    """The baseline in force: the one adopted last, or while there is none the one that ships.

    Raises CodeTampered.
    """
    digest = Baseline.objects.order_by("-number").values_list("tree_id", flat=True).first()
    return shipped.baseline() if digest is None else load_project(digest)


def overlay_of(project: Project, baseline: Project) -> tuple[str, ...]:
    """The paths in which a project differs from its baseline, those it lacks among them."""
    paths = project.files.keys() | baseline.files.keys()
    return tuple(
        sorted(path for path in paths if project.files.get(path) != baseline.files.get(path))
    )


def load_project(digest: str) -> Project:
    """The project with this digest, whose bytes have been checked against it.

    Raises CodeTampered where the bytes are others, or not there. The code that ships is not read
    from the database.
    """
    ours = shipped.baseline()
    return ours if digest == ours.digest else _stored(digest)


@lru_cache(maxsize=LOADED)
def _stored(digest: str) -> Project:
    files = Tree.objects.filter(pk=digest).values_list("files", flat=True).first()
    if files is None:
        raise CodeTampered(f"there is no tree {digest}")
    texts = dict(Blob.objects.filter(pk__in=set(files.values())).values_list("digest", "text"))
    missing = [path for path, blob in files.items() if blob not in texts]
    if missing:
        raise CodeTampered(f"tree {digest} lacks the text of {missing[0]}")
    project = Project({path: texts[blob] for path, blob in files.items()})
    if project.digest != digest:
        raise CodeTampered(f"the files of tree {digest} hash to {project.digest}")
    return project


def store_project(project: Project) -> Tree:
    """The project's tree, stored with its texts unless it is there already."""
    while True:
        tree = Tree.objects.filter(pk=project.digest).first()
        if tree is not None:
            return tree
        try:
            with transaction.atomic():
                return _store(project)
        except IntegrityError:
            # Somebody else stored a text of it in the meantime; then it can be seen now.
            continue


def _store(project: Project) -> Tree:
    blobs = {path: _digest(text) for path, text in project.files.items()}
    texts = {blobs[path]: text for path, text in project.files.items()}
    known = set(Blob.objects.filter(pk__in=texts).values_list("pk", flat=True))
    Blob.objects.bulk_create(
        Blob(digest=digest, text=text)
        for digest, text in sorted(texts.items())
        if digest not in known
    )
    return Tree.objects.create(digest=project.digest, files=blobs)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
