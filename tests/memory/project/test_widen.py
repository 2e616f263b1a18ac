"""A kind that payloads have outgrown takes them too, and all that it held still fits."""

from __future__ import annotations

from typing import Any

import pytest

from memory.project.edit_schema import with_fields, with_imports
from memory.project.infer import InferenceError
from memory.project.kinds import Field, Optional, Scalar
from memory.project.payload import check_payload
from memory.project.policy import check
from memory.project.shipped import library
from memory.project.tree import Project
from memory.project.widen import widen_kind

PATH = "domains/shop/schema.py"
SCHEMA = '''"""What was bought."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from uac import PartialDate, Ref, kind


@dataclass
class Part:
    """A part of a purchase."""

    name: str  # as on the bill
    grams: int


@kind("purchases", key=("id",))
@dataclass
class Purchase:
    """Written with care by a person."""

    id: str
    # What it is called on the bill.
    item: str  # never translated
    price: Decimal
    count: int
    on: date
    status: Literal["kept", "returned"] = "kept"
    since: PartialDate | None = None
    note: str | None = None
    parts: list[Part] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    twin: Ref["Purchase"] | None = None


@kind("shops")
@dataclass
class Shop:
    """Stands below and is left alone."""

    id: str
    name: str
'''
PROJECT = Project({PATH: SCHEMA})
WHOLE: dict[str, Any] = {
    "item": "tea",
    "price": "2.50",
    "count": 1,
    "on": "2026-01-31",
    "parts": [{"name": "bag", "grams": 2}],
}


def widened(change: dict[str, Any], *, drop: str = "", old: Any = (WHOLE,)) -> str:
    """The source after one more payload, which fits, as does what was there."""
    payload = {"id": "2", **WHOLE, **change}
    payload.pop(drop, None)
    project, _ = widen_kind(PROJECT, "shop.Purchase", old=old, new=[payload])
    assert check(project.files, library()) == ()
    kind = project.kinds["shop.Purchase"]
    for data in old:
        assert check_payload(kind, "assert", "x", data, fallback_id="x").data == data
    assert project.kinds["shop.Shop"] == PROJECT.kinds["shop.Shop"]
    return project.files[PATH]


def changed(source: str) -> list[tuple[str, str]]:
    """The lines that are gone, and those that are new."""
    before, after = SCHEMA.splitlines(), source.splitlines()
    gone = [("-", line.strip()) for line in before if line not in after]
    return gone + [("+", line.strip()) for line in after if line not in before]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        ({"tip": 1}, [("+", "tip: int | None = None")]),
        ({"unit price": 1}, [("+", 'unit_price: int | None = None  # said as "unit price"')]),
        ({"count": 1.5}, [("-", "count: int"), ("+", "count: float")]),
        ({"count": None}, [("-", "count: int"), ("+", "count: int | None = None")]),
        ({"on": "in May"}, [("-", "on: date"), ("+", "on: str")]),
        ({"price": "a lot"}, [("-", "price: Decimal"), ("+", "price: str")]),
        (
            {"status": "lost"},
            [
                ("-", 'status: Literal["kept", "returned"] = "kept"'),
                ("+", 'status: Literal["kept", "lost", "returned"] = "kept"'),
            ],
        ),
        (
            {"price": "a 🙂", "status": "lost 🙂"},
            [
                ("-", "price: Decimal"),
                ("-", 'status: Literal["kept", "returned"] = "kept"'),
                ("+", "price: str"),
                ("+", 'status: str = "kept"'),
            ],
        ),
        (
            {"note": 3},
            [("-", "note: str | None = None"), ("+", "note: int | None = None")],
        ),
        (
            {"marks": {"a": 0.5}},
            [
                ("-", "marks: dict[str, int] = field(default_factory=dict)"),
                ("+", "marks: dict[str, float] = field(default_factory=dict)"),
            ],
        ),
        (
            {"parts": [{"name": "box", "grams": 2.5, "red": True}]},
            [("-", "grams: int"), ("+", "grams: float"), ("+", "red: bool | None = None")],
        ),
        (
            {"parts": [{"grams": 2}]},
            [
                ("-", "name: str  # as on the bill"),
                ("+", "name: str | None = None  # as on the bill"),
            ],
        ),
    ],
)
def test_only_what_must_change_does(change, lines):
    assert changed(widened(change)) == lines


def test_a_field_that_may_be_missing_moves_below_those_that_may_not_with_its_comments():
    source = widened({}, drop="item")
    block = (
        "    # What it is called on the bill.\n    item: str | None = None  # never translated\n"
    )
    assert block in source
    assert source.index("on: date") < source.index("item: str")


def test_an_object_in_a_new_field_gets_a_class_above_the_kind():
    source = widened({"place": {"city": "Rome", "class": 1}})
    assert source.index("class PurchasePlace:") < source.index("class Purchase:")
    assert "    class_: int  # said as class\n" in source
    assert "    place: PurchasePlace | None = None\n" in source


def test_imports_are_added_to_those_that_are_there():
    source = widened({"at": "10:30", "when": "2026-01-31T10:00:00+01:00"})
    assert "from datetime import date, datetime, time\n" in source
    assert source.count("from datetime") == 1


def test_the_names_that_are_called_otherwise_are_told():
    new = [{"id": "2", **WHOLE, "größe": 1, "parts": [{"name": "x", "grams": 1, "list": 2}]}]
    _, renames = widen_kind(PROJECT, "shop.Purchase", old=[WHOLE], new=new)
    assert renames == {"shop.Purchase": {"größe": "grosse"}, "shop.Part": {"list": "list_"}}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"count": "one"}, "count holds integer and text; send one type of value"),
        ({"count": True}, "count holds boolean and integer"),
        ({"parts": "none"}, "parts holds list and text"),
        ({"twin": 3}, "twin is the id of a Purchase; send text"),
        ({"id": ""}, "id must be text"),
        ({"a b": 1, "a-b": 2}, "would be the same field as"),
    ],
)
def test_what_has_nothing_in_common_is_refused(change, reason):
    with pytest.raises(InferenceError) as caught:
        widened(change)
    assert reason in str(caught.value)


def test_what_an_update_said_still_fits():
    old = [WHOLE, {"count": 5}]
    payload = {"id": "2", **WHOLE, "count": 0.5}
    project, _ = widen_kind(PROJECT, "shop.Purchase", old=old, new=[payload])
    kind = project.kinds["shop.Purchase"]
    assert check_payload(kind, "update", "x", old[1], fallback_id="x").data == {"count": 5}


def test_a_class_on_one_line_cannot_be_edited():
    fields = (Field("x", Scalar("int")),)
    wider = (Field("x", Optional(Scalar("int")), None),)
    with pytest.raises(ValueError, match="no line for each field"):
        with_fields("class A: x: int\n", "A", before=fields, after=wider, renames={})


def test_imports_come_in_order_above_the_first_class():
    source = '"""Doc."""\n\nfrom uac import kind\n\n\nclass A:\n    x: int\n'
    head, _, rest = with_imports(source, {"date", "kind", "Literal"}).partition("\n\n\n")
    assert head.splitlines()[2:] == [
        "from datetime import date",
        "from typing import Literal",
        "",
        "from uac import kind",
    ]
    assert rest == "class A:\n    x: int\n"
