"""What apps call things, as names of Python."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.naming import collection_name, field_name, fit
from memory.project.schema import parse_schema

SCHEMA = '''
from dataclasses import dataclass
from datetime import date

from uac import kind


@dataclass
class PurchaseItem:
    """Part of Purchase."""

    class_: str
    id: int


@kind("purchases", key=("id",))
@dataclass
class Purchase:
    """A purchase."""

    id: str
    date_: date
    items: list[PurchaseItem]
    by_shop: dict[str, PurchaseItem] | None = None
'''


@pytest.fixture
def purchase():
    return parse_schema("purchases", SCHEMA)[0]


@pytest.mark.parametrize(
    ("json_name", "field"),
    [
        ("amount", "amount"),
        ("dateOfBirth", "dateOfBirth"),
        ("date", "date_"),
        ("time", "time_"),
        ("class", "class_"),
        ("first name", "first_name"),
        ("unit-price ($)", "unit_price_"),
        ("2024", "n_2024"),
        ("_id", "id_"),
        ("ID", "id_"),
        ("id", "id"),
        ("Amount", "amount"),
        ("größe", "grosse"),
        ("Straße", "strasse"),
        ("prénom", "prenom"),
        ("日本", "u65e5u672c"),
        ("€", "field_"),
        ("ｔｉｔｌｅ", "title"),
        ("", "field_"),
        ("__class__", "class__"),
        ("x\nimport os", "x_import_os"),
    ],
)
def test_a_json_name_becomes_a_field(json_name, field):
    assert field_name(json_name) == field


@settings(derandomize=True, max_examples=500)
@given(st.text(max_size=120))
def test_any_text_becomes_a_name_that_python_reads_as_it_is_written(text):
    name = field_name(text)
    (line,) = ast.parse(f"{name}: int").body
    assert isinstance(line, ast.AnnAssign)
    assert isinstance(line.target, ast.Name)
    assert line.target.id == name
    assert not name.startswith("_")
    assert field_name(name) == name


@pytest.mark.parametrize(
    ("class_name", "collection"),
    [
        ("Purchase", "purchases"),
        ("Category", "categories"),
        ("Day", "days"),
        ("Box", "boxes"),
        ("Bus", "buses"),
        ("Address", "addresses"),
        ("Diagnosis", "diagnoses"),
        ("Person", "people"),
        ("Meals", "meals"),
        ("BloodPressure", "blood_pressures"),
        ("HTTPRequest", "http_requests"),
    ],
)
def test_a_class_is_kept_in_its_plural(class_name, collection):
    assert collection_name(class_name) == collection


def test_a_payload_is_fitted_at_every_depth(purchase):
    item = {"class": "food", "id": 3}
    said = {"id": 7, "date": "2026-01-31", "items": [item], "by shop": {"a b": item}}
    fitted = {"class_": "food", "id": 3}
    assert fit(purchase, said) == {
        "id": "7",
        "date_": "2026-01-31",
        "items": [fitted],
        "by_shop": {"a b": fitted},
    }


def test_a_payload_that_fits_already_stays_as_it_is(purchase):
    said = {"id": "7", "date_": "2026-01-31", "items": []}
    assert fit(purchase, said) == said


def test_two_names_for_one_field_are_left_to_be_refused(purchase):
    said = {"id": "7", "date": "2026-01-31", "date_": "2026-02-01", "items": []}
    assert fit(purchase, said) == said


def test_what_is_no_field_keeps_its_name(purchase):
    assert fit(purchase, {"id": True, "colour": "red"}) == {"id": True, "colour": "red"}
