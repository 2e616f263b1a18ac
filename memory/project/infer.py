"""Infer dataclasses from the payloads of kinds that a project does not know yet.

A field that some payloads lack, or have as null, is `X | None = None`; one that never has a value
is taken for text. The types are those of `memory.project.columns`. A kind has a key only where one
is obvious, because a key makes a later payload replace an earlier one; without a key, payloads
are kept side by side. A field `id` that is in every payload and tells them apart becomes the
record's id, a number as its digits (`int(trip.id)` gives it back); any other becomes a field `id_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Map
from dataclasses import dataclass
from typing import Any

from memory.project import inferred
from memory.project.columns import NoCommonType
from memory.project.fold import Op
from memory.project.inferred import Definition
from memory.project.naming import collection_name, fit, snake_case
from memory.project.payload import ID_LENGTH, FieldProblem, PayloadError, check_payload, slug
from memory.project.taken import taken_names
from memory.project.tree import Project

KIND = re.compile(r"([a-z][a-z0-9_]{0,59})\.([A-Z][A-Za-z0-9]{0,79})", re.ASCII)
ASSERT: Op = "assert"
NAME_SHOWN = 80
SCHEMA_DOC = '"""Kinds inferred from what apps stated."""\n'
FEW = 3  # so many payloads must differ in a field before that makes it a key, unless it is the id

Payloads = Sequence[dict[str, Any]]


class InferenceError(ValueError):
    """A kind that cannot be inferred; the message names it and says what to do."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind


@dataclass(frozen=True)
class Inference:
    """The schema files to put in the overlay, whole, and what was decided.

    `renames` gives for each kind (and each dataclass nested in one) the JSON names whose fields
    are called otherwise; `keys` the key fields of each kind, empty where none is obvious.
    """

    files: Map[str, str]
    renames: Map[str, Map[str, str]]
    keys: Map[str, tuple[str, ...]]

    def applied_to(self, project: Project) -> Project:
        """The project with the inferred kinds in it."""
        return Project({**project.files, **self.files})


@dataclass(frozen=True)
class Misfit:
    """A payload that its kind refuses: the kind, the payload's index, and what is wrong."""

    kind: str
    index: int
    problems: tuple[FieldProblem, ...]


def infer_kinds(samples: Map[str, Payloads], project: Project) -> Inference:
    """Dataclasses for kinds such as `purchases.Purchase`, from the payloads that assert them.

    The same samples give the same bytes. Raises InferenceError for the first kind (by name) that
    cannot be inferred; the others can be without it.
    """
    taken = taken_names(project)
    classes: dict[str, list[Definition]] = {}
    renames: dict[str, Map[str, str]] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for name in sorted(samples):
        domain, class_name = _checked_name(name, project, taken)
        if not samples[name]:
            raise InferenceError(name, "has no payload to infer from; post a fact that asserts it")
        collection = _collection(name, domain, class_name, taken)
        taken |= {class_name, collection}
        key = find_key(class_name, samples[name])
        try:
            defined = inferred.define(
                class_name, collection, key, samples[name], has_id=key == ("id",), taken=taken
            )
        except NoCommonType as error:
            raise InferenceError(name, str(error)) from error
        classes.setdefault(f"domains/{domain}/schema.py", []).extend(defined)
        keys[name] = key
        renames |= {f"{domain}.{one.name}": one.renames for one in defined if one.renames}
    files = {
        path: inferred.append(project.files.get(path, SCHEMA_DOC), new)
        for path, new in classes.items()
    }
    inference = Inference(files, renames, keys)
    _ = inference.applied_to(project).kinds  # raises where the result is no schema
    return inference


def _checked_name(name: str, project: Project, taken: Iterable[str]) -> tuple[str, str]:
    match = KIND.fullmatch(name)
    if match is None:
        remedy = "name it as domain and class in ASCII, such as purchases.Purchase"
        raise InferenceError(name[:NAME_SHOWN], f"is not the name of a kind; {remedy}")
    domain, class_name = match.groups()
    if name in project.kinds:
        raise InferenceError(name, "is a kind of the project already; post to it as it is")
    if class_name in taken:
        remedy = f"choose another, such as {domain}.{domain.title().replace('_', '')}{class_name}"
        raise InferenceError(name, f"the name {class_name} is used already; {remedy}")
    return domain, class_name


def _collection(name: str, domain: str, class_name: str, taken: Iterable[str]) -> str:
    plain = collection_name(class_name)
    for collection in (plain, f"{domain}_{plain}"):
        if collection not in taken:
            return collection
    reason = f"{plain} and {domain}_{plain} are used already as names; choose another class name"
    raise InferenceError(name, reason)


def find_key(class_name: str, payloads: Payloads) -> tuple[str, ...]:
    """The field that says which record a payload is about, or nothing.

    First `id`, the class's own `purchase_id` and `uuid`: they tell apart payloads that differ, and
    one that is repeated word for word says the same again. Then, over several payloads, any other
    `..._id`, `code`, `number` and `name`, if no two payloads share it.
    """
    names = list(payloads[0]) if payloads else []
    for name in ("id", f"{snake_case(class_name)}_id", "uuid"):
        if name in names and _tells_apart(name, payloads, repeats=True):
            return (inferred.name_of(name, has_id=True),)
    others = [name for name in names if name.endswith("_id")]
    for name in (*others, "code", "number", "name"):
        if len(payloads) >= FEW and name in names and _tells_apart(name, payloads, repeats=False):
            return (inferred.name_of(name, has_id=True),)
    return ()


def _tells_apart(name: str, payloads: Payloads, *, repeats: bool) -> bool:
    """Whether the field is a usable id in each payload, and none the id of two (that differ)."""
    owners: dict[str, dict[str, Any]] = {}
    for payload in payloads:
        value = payload.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            return False
        id_ = str(value) if name == "id" else slug([str(value)])
        if not 0 < len(id_) <= ID_LENGTH:
            return False
        if id_ in owners and not (repeats and owners[id_] == payload):
            return False
        owners[id_] = payload
    return True


def check_samples(project: Project, samples: Map[str, Payloads]) -> tuple[Misfit, ...]:
    """The payloads that their kinds in the project would refuse, after renaming; none is good."""
    misfits = []
    for name, payloads in sorted(samples.items()):
        kind = project.kinds[name]
        for index, payload in enumerate(payloads):
            try:
                check_payload(kind, ASSERT, None, fit(kind, payload), fallback_id=f"f{index}-1")
            except PayloadError as error:
                misfits.append(Misfit(name, index, tuple(error.problems)))
    return tuple(misfits)
