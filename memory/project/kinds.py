"""Kinds of records and the types their fields may have, as values."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from typing import Any, Literal

SCALARS = (
    "str",
    "int",
    "bool",
    "float",
    "date",
    "datetime",
    "time",
    "Decimal",
    "PartialDate",
    "DateSpan",
)


@dataclass(frozen=True)
class Scalar:
    """One of `SCALARS`."""

    name: str


@dataclass(frozen=True)
class Choice:
    """`Literal[...]` of strings or integers."""

    values: tuple[str | int, ...]


@dataclass(frozen=True)
class Optional:
    """`X | None`."""

    item: Type


@dataclass(frozen=True)
class Listing:
    """`list[X]`."""

    item: Type


@dataclass(frozen=True)
class Mapping:
    """`dict[str, X]`."""

    item: Type


@dataclass(frozen=True)
class Reference:
    """`Ref[Kind]`: the id of another record; `kind` is the name of its class."""

    kind: str


@dataclass(frozen=True)
class Nested:
    """Another dataclass of the same file, held by value."""

    name: str
    fields: tuple[Field, ...]


Type = Scalar | Choice | Optional | Listing | Mapping | Reference | Nested
REQUIRED: Any = object()


@dataclass(frozen=True)
class Field:
    """A field of a dataclass; `default` is `REQUIRED` where it has neither default nor factory."""

    name: str
    type: Type
    default: Any = REQUIRED
    factory: Literal["", "list", "dict"] = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED and not self.factory

    @property
    def initial(self) -> Any:
        """The value a record has that does not name the field."""
        return {"list": [], "dict": {}}.get(self.factory, self.default)


@dataclass(frozen=True)
class Kind:
    """A record type: `health.Allergy`, kept in the collection `allergies`.

    Of a singleton there is at most one record; its id is the name of the collection.
    """

    domain: str
    name: str
    collection: str
    key: tuple[str, ...]
    fields: tuple[Field, ...]
    doc: str
    singleton: bool = False

    @property
    def full_name(self) -> str:
        return f"{self.domain}.{self.name}"

    def field(self, name: str) -> Field | None:
        """The field of that name, if there is one."""
        return next((field for field in self.fields if field.name == name), None)


@dataclass(frozen=True)
class Domain:
    """What a `schema.py` declares, and what it relies on in others."""

    name: str
    kinds: tuple[Kind, ...]
    nested: tuple[str, ...]
    """Names of the classes that are held by value."""
    references: tuple[tuple[str, int], ...]
    """The classes that `Ref[...]` names, each with its line."""
    imports: tuple[tuple[str, str, int], ...]
    """Classes taken from other domains: domain, class, line."""
    uses: frozenset[str]
    """The names it imports from `uac`."""
    field_names: frozenset[str]
    """The names of all fields of all its classes."""
    lines: AbstractMapping[str, int]
    """The line on which each class is declared."""

    @property
    def path(self) -> str:
        return f"domains/{self.name}/schema.py"

    @property
    def classes(self) -> frozenset[str]:
        """The names of all its classes."""
        return frozenset(kind.name for kind in self.kinds) | frozenset(self.nested)
