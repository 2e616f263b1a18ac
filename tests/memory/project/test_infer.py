"""Dataclasses for kinds that the project does not know, from what apps stated."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.project.infer import InferenceError, check_samples, infer_kinds
from memory.project.naming import fit
from memory.project.payload import check_payload
from memory.project.render import render_record
from memory.project.shipped import baseline, library
from memory.project.tree import Project
from memory.sandbox import Feed, Program, run

CASES = Path(__file__).parents[4] / "shared" / "data" / "analytical_cases.json.gz"
CLASSES = {
    "trips": "Journey",
    "contacts": "Contact",
    "meals": "Meal",
    "transactions": "Transaction",
    "sleep": "Night",
    "workouts": "Workout",
    "books": "Book",
    "medical": "MedicalVisit",
    "meetings": "Meeting",
    "purchases": "Purchase",
}
EMPTY = Project({})


def inferred(payloads, name="purchases.Purchase", project=EMPTY):
    """The schema, after every payload has passed it."""
    inference = infer_kinds({name: payloads}, project)
    assert check_samples(inference.applied_to(project), {name: payloads}) == ()
    (source,) = inference.files.values()
    return source


def refusal(payloads, name="purchases.Purchase", project=EMPTY):
    with pytest.raises(InferenceError) as caught:
        infer_kinds({name: payloads}, project)
    return str(caught.value)


def test_a_whole_schema():
    payloads = [
        {"id": 1, "date": "2026-01-31", "price": 12.5, "online": True, "note": None},
        {"id": 2, "date": "2026-02-01", "price": 3, "online": False, "size": 4},
    ]
    assert inferred(payloads) == (
        '''"""Kinds inferred from what apps stated."""

from dataclasses import dataclass
from datetime import date

from uac import kind


@kind("purchases", key=("id",))
@dataclass
class Purchase:
    """Inferred from 2 facts."""

    id: str  # the app's number, as text
    date_: date  # said as date
    price: float
    online: bool
    note: str | None = None
    size: int | None = None
'''
    )


def test_the_renames_and_keys_are_told():
    payloads = [{"id": "a", "unit price": 1, "parts": [{"class": "x"}]}]
    inference = infer_kinds({"purchases.Purchase": payloads}, EMPTY)
    assert inference.renames == {
        "purchases.Purchase": {"unit price": "unit_price"},
        "purchases.PurchasePart": {"class": "class_"},
    }
    assert inference.keys == {"purchases.Purchase": ("id",)}


def test_two_names_for_one_field_are_refused():
    assert "would be the same field as date;" in refusal([{"date": "x", "date_": "y"}])


def test_what_is_too_deep_or_too_wide_is_refused():
    deep: dict = {"x": 1}
    for _ in range(20):
        deep = {"x": deep}
    assert "nested more than" in refusal([deep])
    assert "200 are the most" in refusal([{f"x{number}": 1 for number in range(201)}])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Purchase", "is not the name of a kind"),
        ("purchases.purchase", "is not the name of a kind"),
        ("Purchases.Purchase", "is not the name of a kind"),
        ("purchases.Pürchase", "is not the name of a kind"),
        ("a.B\nimport os", "is not the name of a kind"),
        ("../x.Purchase", "is not the name of a kind"),
        ("health.Allergy", "is a kind of the project already"),
        ("shop.Trip", "the name Trip is used already; choose another, such as shop.ShopTrip"),
        ("shop.Alert", "the name Alert is used already"),
        ("shop.Warning", "the name Warning is used already"),
        ("shop.None", "the name None is used already"),
    ],
)
def test_a_name_that_may_not_be_is_refused(name, reason):
    assert reason in refusal([{"x": 1}], name, baseline())


def test_a_kind_without_payloads_is_refused():
    assert "has no payload" in refusal([])


def test_one_class_name_in_two_domains_is_refused():
    with pytest.raises(InferenceError, match=r"shop\.Item: the name Item is used already"):
        infer_kinds({"food.Item": [{"x": 1}], "shop.Item": [{"x": 1}]}, EMPTY)


def test_a_collection_whose_name_is_used_gets_its_domain_before_it():
    assert '@kind("shop_vars", key=())' in inferred([{"x": 1}], "shop.Var")
    payloads = [{"x": 1}]
    both = infer_kinds({"shop.Item": payloads, "shop.Items": payloads}, EMPTY)
    assert '@kind("items"' in both.files["domains/shop/schema.py"]
    assert '@kind("shop_items"' in both.files["domains/shop/schema.py"]


def test_classes_are_appended_to_a_domain_that_exists():
    path = "domains/notes/schema.py"
    before = baseline().files[path]
    inference = infer_kinds({"notes.Walk": [{"km": "1.50", "cost": "2.50"}]}, baseline())
    assert inference.files[path].startswith(before)
    assert inference.files[path].removeprefix(before) == (
        '''
from decimal import Decimal


@kind("walks", key=())
@dataclass
class Walk:
    """Inferred from 1 fact."""

    id: str
    km: str
    cost: Decimal
'''
    )


@pytest.mark.parametrize(
    ("payloads", "key"),
    [
        ([{"id": 1}, {"id": 2}], ("id",)),
        ([{"id": "a"}, {"id": "b"}], ("id",)),
        ([{"id": 1, "x": 1}, {"id": 1, "x": 2}], ()),
        ([{"id": 1, "x": 1}, {"id": 1, "x": 1}], ("id",)),
        ([{"id": 1}, {"x": 2}], ()),
        ([{"id": ""}], ()),
        ([{"purchase_id": "A-1"}, {"purchase_id": "A-2"}], ("purchase_id",)),
        ([{"purchase_id": "A-1"}, {"purchase_id": "A 1"}], ()),
        ([{"uuid": "1b"}, {"uuid": "2c"}], ("uuid",)),
        ([{"customer_id": 1}, {"customer_id": 2}], ()),
        ([{"order_id": n} for n in range(3)], ("order_id",)),
        ([{"name": n} for n in "ab"], ()),
        ([{"name": n} for n in "abc"], ("name",)),
        ([{"name": n} for n in "aba"], ()),
        ([{"name": n} for n in "a!?"], ()),
        ([{"title": n} for n in "abc"], ()),
    ],
)
def test_only_an_obvious_key_is_one(payloads, key):
    inference = infer_kinds({"purchases.Purchase": payloads}, EMPTY)
    assert inference.keys["purchases.Purchase"] == key
    project = inference.applied_to(EMPTY)
    assert check_samples(project, {"purchases.Purchase": payloads}) == ()


def test_a_number_that_is_the_id_is_kept_as_text():
    payload = {"id": 47, "x": 1}
    inference = infer_kinds({"purchases.Purchase": [payload]}, EMPTY)
    kind = inference.applied_to(EMPTY).kinds["purchases.Purchase"]
    checked = check_payload(kind, "assert", None, fit(kind, payload), fallback_id="f1-1")
    assert render_record(kind, checked.record_id, checked.data) == "Purchase(id='47', x=1)"


def test_an_id_that_tells_nothing_apart_stays_a_value():
    payloads = [{"id": 47, "x": 1}, {"id": 47, "x": 2}]
    assert "    id: str\n    id_: int  # said as id\n" in inferred(payloads)


def test_the_same_payloads_give_the_same_bytes():
    payloads = [{"b": {"z": 1, "a": "x"}, "a": 1}, {"a": 2, "c": [{"d": 1}]}]
    samples = {"b.Two": payloads, "a.One": payloads, "b.Three": payloads}
    backwards = dict(reversed(samples.items()))
    assert infer_kinds(samples, EMPTY) == infer_kinds(backwards, EMPTY)


HOSTILE = [
    "x\nimport os",
    '"""',
    "'''\\",
    "\u202eevil",
    "{x!r}",
    "[]",
    "{}",
    "a" * 5_000,
    "🙂",
    "lambda",
    "\x00",
    "#",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_texts_stay_data(text):
    source = inferred([{text: text, "status": {"2026-01": [{text: text}]}}] * 12)
    assert source.isascii()
    assert [line for line in source.splitlines() if line.startswith("import")] == []


def test_a_payload_that_does_not_fit_is_told():
    project = infer_kinds({"shop.Item": [{"x": 1}]}, EMPTY).applied_to(EMPTY)
    (misfit,) = check_samples(project, {"shop.Item": [{"x": 1}, {"x": "a", "y": 1}]})
    assert (misfit.kind, misfit.index) == ("shop.Item", 1)
    assert {problem.path for problem in misfit.problems} == {("data", "x"), ("data", "y")}


def test_an_inferred_schema_and_its_records_run_in_the_sandbox():
    payloads = [
        {
            "id": number,
            "date": "2026-01-31",
            "time": "10:30",
            "at": "2026-01-31T10:00:00+01:00",
            "cost": "12.50",
            "parts": [{"class": "a", "größe": 1.5, "list": None}],
            "marks": {"2026-01": 1},
            "self": "x",
        }
        for number in range(12)
    ]
    inference = infer_kinds({"shop.Item": payloads}, EMPTY)
    kind = inference.applied_to(EMPTY).kinds["shop.Item"]
    rendered = []
    for payload in payloads:
        checked = check_payload(kind, "assert", None, fit(kind, payload), fallback_id="f1-1")
        rendered.append(render_record(kind, checked.record_id, checked.data))
    source = inference.files["domains/shop/schema.py"].replace("from uac import kind\n", "")
    names = "from datetime import date, datetime, time, timedelta, timezone\n"
    state = f"{names}items = [{', '.join(rendered)}]\n"
    query = "sum([item.cost for item in items]), items[-1].parts[0].grosse, len(items)\n"
    prelude = "".join(module.source for module in library().that_provide({"kind"}))
    feeds = [Feed("uac", prelude), Feed("schema", source), Feed("state", state + query)]
    outcome = run(Program(tuple(feeds), now=datetime(2026, 1, 1, tzinfo=UTC)), type_check=True)
    total, size, count = outcome.values[-1]
    assert (str(total), size, count) == ("150.00", 1.5, 12)


@pytest.mark.skipif(not CASES.exists(), reason="the analytical cases are not on this machine")
def test_every_record_set_of_the_analytical_cases_is_inferable():
    with gzip.open(CASES) as file:
        records = json.load(file)["records"]
    for set_name, payloads in records.items():
        domain = set_name.split("_")[0]
        samples = {f"{domain}.{CLASSES[domain]}": payloads}
        inference = infer_kinds(samples, baseline())
        assert list(inference.keys.values()) == [("id",)]
        assert check_samples(inference.applied_to(baseline()), samples) == ()
    assert len(records) == 50
