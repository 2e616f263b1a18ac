"""A domain's schema is learned by parsing it; what cannot be trusted is refused with a remedy."""

from __future__ import annotations

import pytest

from memory.project import schema
from memory.project.schema import Field, Kind, SchemaError, parse_schema
from memory.project.shipped import baseline
from memory.project.tree import Project, ProjectError

HEAD = '''"""A domain."""

from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal

from uac import Ref, kind

'''
KIND = '@kind("things", key=("name",))\n@dataclass\nclass Thing:\n    id: str\n    name: str\n'

REFUSED: dict[str, tuple[str, str]] = {
    "not Python": ("class Thing\n", "not Python 3.11"),
    "newer Python": ("type X = int\n", "not Python 3.11"),
    "NUL": ("x = '\x00'\n", "not Python 3.11"),
    "a statement": ("print('hello')\n", "imports and dataclasses only"),
    "a plain import": ("import os\n", "imports and dataclasses only"),
    "a function": ("def f(): pass\n", "imports and dataclasses only"),
    "a constant": ("LIMIT = 5\n", "imports and dataclasses only"),
    "an alias of a type": ("Name = str\n", "imports and dataclasses only"),
    "another import": ("from os import path\n", "path may not be imported"),
    "everything": ("from datetime import *\n", "may not be imported"),
    "a renamed import": ("from datetime import date as day\n", "date may not be renamed"),
    "a relative import": ("from .health import Allergy\n", "may not be imported"),
    "inheritance": ("@dataclass\nclass A(dict):\n    x: int\n", "A inherits"),
    "a metaclass": ("@dataclass\nclass A(metaclass=type):\n    x: int\n", "A inherits"),
    "no dataclass": ("class A:\n    x: int\n", "decorate A with"),
    "a dataclass with options": ("@dataclass(frozen=True)\nclass A:\n    x: int\n", "A"),
    "another decorator": ("@final\n@dataclass\nclass A:\n    x: int\n", "decorate A with"),
    "a class twice": (f"{KIND}{KIND}", "Thing is declared twice"),
    "a class that hides a type": (
        "@dataclass\nclass date:\n    x: int\n",
        "may not be called date",
    ),
    "a method": (f"{KIND}    def f(self): pass\n", "annotated fields only"),
    "a field without a type": (f"{KIND}    x = 5\n", "annotated fields only"),
    "a field twice": (f"{KIND}    name: str\n", "field name is declared twice"),
    "a field that hides a type": (
        f"{KIND}    date: date | None = None\n",
        "may not be called date",
    ),
    "a field that hides list": (f"{KIND}    list: int = 0\n", "may not be called list"),
    "a field that hides field": (f"{KIND}    field: int = 0\n", "may not be called field"),
    "a private field": (f"{KIND}    _x: int\n", "may not be called _x"),
    "an unknown type": (f"{KIND}    x: bytes\n", "type bytes is not one"),
    "a list of anything": (f"{KIND}    x: list\n", "type list is not one"),
    "a dict by numbers": (f"{KIND}    x: dict[int, str]\n", "is not one"),
    "a union": (f"{KIND}    x: int | str\n", "type int | str is not one"),
    "a type in quotes": (f"{KIND}    x: 'int'\n", "is not one"),
    "a class declared later": (f"{KIND}    x: Later\n", "type Later is not one"),
    "a computed default": (f"{KIND}    x: date = date.today()\n", "it is not computed"),
    "a default of a list": (f"{KIND}    x: list[int] = []\n", "it is not computed"),
    "a factory of one's own": (f"{KIND}    x: str = field(default_factory=str)\n", "not computed"),
    "a default of another type": (f"{KIND}    x: int = 'five'\n", "default of x"),
    "no value by default": (f"{KIND}    x: int = None\n", "default of x"),
    "a choice that is none": (f"{KIND}    x: Literal['a'] = 'b'\n", "default of x"),
    "a field that must be given after one that need not": (
        f"{KIND}    x: int = 0\n    y: int\n",
        "field y needs a default",
    ),
    "a choice of floats": (f"{KIND}    x: Literal[1.5]\n", "Literal takes strings or integers"),
    "a kind without an id": ('@kind("a")\n@dataclass\nclass A:\n    x: str\n', "`id: str`"),
    "an id that is a number": ('@kind("a")\n@dataclass\nclass A:\n    id: int\n', "`id: str`"),
    "a key that is no field": (
        '@kind("a", key=("x",))\n@dataclass\nclass A:\n    id: str\n',
        "key field x is not a field",
    ),
    "a key that is no tuple": (
        '@kind("a", key="id")\n@dataclass\nclass A:\n    id: str\n',
        "tuple",
    ),
    "a collection that is no name": (
        '@kind("a b")\n@dataclass\nclass A:\n    id: str\n',
        "expected",
    ),
    "a collection that is computed": (
        '@kind("a" + b)\n@dataclass\nclass A:\n    id: str\n',
        "const",
    ),
    "two marks": ('@kind("a")\n@kind("b")\n@dataclass\nclass A:\n    id: str\n', "decorate A"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_is_refused_with_the_place_and_a_remedy(case: str) -> None:
    source, words = REFUSED[case]
    with pytest.raises(SchemaError) as refused:
        parse_schema("things", HEAD + source)
    assert str(refused.value).startswith("domains/things/schema.py:")
    assert words in str(refused.value)


def test_the_line_of_what_is_refused_is_named() -> None:
    source = f"{HEAD}{KIND}    x: bytes\n"
    with pytest.raises(SchemaError, match=f":{len(source.splitlines())}: "):
        parse_schema("things", source)


def test_nothing_of_a_schema_is_executed() -> None:
    with pytest.raises(SchemaError):
        parse_schema("things", f"{HEAD}{KIND}    x: int = 1 / 0\n")


def test_every_type_is_learned() -> None:
    source = f'''{HEAD}
@dataclass
class Dose:
    amount: float
    unit: str = "mg"


@kind("things", key=("name", "day"))
@dataclass
class Thing:
    """What there is."""

    id: str
    name: str
    day: date
    count: int = 0
    below: int = -1
    at: datetime | None = None
    price: Decimal | None = None
    size: Literal["s", "m"] | None = None
    tags: list[str] = field(default_factory=list)
    doses: dict[str, Dose] = field(default_factory=dict)
    other: Ref[Thing] | None = None
'''
    (found,) = parse_schema("things", source)
    dose = schema.Nested(
        "Dose", (Field("amount", schema.Scalar("float")), Field("unit", schema.Scalar("str"), "mg"))
    )
    optional = schema.Optional
    assert found == Kind(
        domain="things",
        name="Thing",
        collection="things",
        key=("name", "day"),
        fields=(
            Field("id", schema.Scalar("str")),
            Field("name", schema.Scalar("str")),
            Field("day", schema.Scalar("date")),
            Field("count", schema.Scalar("int"), 0),
            Field("below", schema.Scalar("int"), -1),
            Field("at", optional(schema.Scalar("datetime")), None),
            Field("price", optional(schema.Scalar("Decimal")), None),
            Field("size", optional(schema.Choice(("s", "m"))), None),
            Field("tags", schema.Listing(schema.Scalar("str")), factory="list"),
            Field("doses", schema.Mapping(dose), factory="dict"),
            Field("other", optional(schema.Reference("Thing")), None),
        ),
        doc="What there is.",
    )
    assert found.full_name == "things.Thing"


def test_the_baselines_kinds_are_learned() -> None:
    by_domain = {
        "commitments": {"Commitment"},
        "documents": {"Document"},
        "finance": {
            "Account",
            "Charge",
            "Contract",
            "Payment",
            "PaymentInstruction",
            "SpendingLimit",
        },
        "habits": {"Habit"},
        "health": {
            "Allergy",
            "Condition",
            "DoseLimit",
            "Intake",
            "Measurement",
            "Medication",
            "Pregnancy",
        },
        "notes": {"Note"},
        "people": {"Person"},
        "possessions": {"Thing"},
        "preferences": {"Order", "Preference", "Prohibition", "Subject"},
        "schedule": {"Engagement", "Place"},
        "travel": {"Passport", "Trip", "Visa"},
        "work": {"Job"},
    }
    wanted = {f"{domain}.{name}" for domain, names in by_domain.items() for name in names}
    assert set(baseline().kinds) == wanted


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (KIND.replace('"things"', '"others"'), "name used twice: Thing"),
        (KIND.replace("Thing", "Other"), "collection used twice: things"),
    ],
)
def test_names_are_unique_over_the_project(second: str, words: str) -> None:
    files = {"domains/a/schema.py": HEAD + KIND, "domains/b/schema.py": HEAD + second}
    with pytest.raises(ProjectError, match=words):
        _ = Project(files).kinds


def test_the_digest_tells_any_two_projects_apart() -> None:
    projects = [
        {},
        {"a.py": ""},
        {"a.py": "x"},
        {"a.pyx": ""},
        {"a.py": "", "b.py": ""},
        {"a.py": "b.py", "b.py": ""},
        {"a.py": "", "b.py": "b.py"},
    ]
    assert len({Project(files).digest for files in projects}) == len(projects)
    assert Project({"a": "1", "b": "2"}).digest == Project({"b": "2", "a": "1"}).digest
