"""The type of a field, from all the values that payloads have for it."""

import pytest

from memory.project.infer import InferenceError, check_samples, infer_kinds
from memory.project.tree import Project

EMPTY = Project({})
KIND = "purchases.Purchase"


def annotation(values, field="x"):
    """The field as inferred, after every payload has passed the schema."""
    payloads = [{field: value} for value in values]
    inference = infer_kinds({KIND: payloads}, EMPTY)
    assert check_samples(inference.applied_to(EMPTY), {KIND: payloads}) == ()
    (source,) = inference.files.values()
    (line,) = [line for line in source.splitlines() if line.startswith(f"    {field}: ")]
    return line.split(": ", 1)[1]


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([1, 2], "int"),
        ([1, 2.5], "float"),
        ([True, False], "bool"),
        (["a", "b"], "str"),
        (["2026-01-31", "2024-02-29"], "date"),
        (["2026-01-31", "2026-02-30"], "str"),
        (["2026-01-31", "soon"], "str"),
        (["20260131"], "str"),
        (["२०२६-०१-३१"], "str"),
        (["2026-01-31T10:00:00Z", "2026-01-31T10:00+05:30"], "datetime"),
        (["2026-01-31T10:00:00"], "str"),
        (["01:30", "23:59:59"], "time"),
        (["24:30"], "str"),
        (["12.50", "0.05", "-3.00"], "Decimal"),
        (["3.11", "3.12"], "str"),
        ([None, 1], "int | None = None"),
        ([None, None], "str | None = None"),
        ([["a"], []], "list[str]"),
        ([[1, None]], "list[int | None]"),
        ([[[1]], [[2.5]]], "list[list[float]]"),
        ([{"2026-01": 1}, {"2026-02": 2}], "dict[str, int]"),
        ([{"a": 1}, {"b": 2}, {"c": 3}], "dict[str, int]"),
        ([{}], "dict[str, str]"),
        ([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], "PurchaseX"),
        ([[{"a": 1}], [{"a": None}]], "list[PurchaseX]"),
        ([{"1-a": {"k": 1}}, {"2-b": {"k": 2}}], "dict[str, PurchaseX]"),
    ],
)
def test_the_type_of_a_column(values, type_):
    assert annotation(values) == type_


def test_money_as_text_is_a_decimal_and_as_a_number_a_float():
    assert annotation(["12", "7.5"], "total_cost") == "Decimal"
    assert annotation(["12", "about 7"], "total_cost") == "str"
    assert annotation([12.5], "total_cost") == "float"
    assert annotation(["1.10", "1.20", "1.30"], "version") == "str"


def test_a_closed_list_is_a_literal_only_when_it_is_clearly_closed():
    states = ["open", "done", "open"] * 10
    assert annotation(states, "status") == 'Literal["done", "open"]'
    assert annotation(states, "category") == "str"
    assert annotation(states[:9], "status") == "str"
    assert annotation([*states, "late"], "status") == "str"
    assert annotation([f"s{number}" for number in range(9)] * 5, "status") == "str"
    assert annotation(['a"b', "c"] * 10, "status") == "str"
    assert annotation([*states, None], "status") == 'Literal["done", "open"] | None = None'


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1, "a"], "x holds integer and text; send one type of value"),
        ([True, 1], "x holds boolean and integer"),
        ([[1], 2], "x holds integer and list"),
        ([{"a": 1, "b": 2}, {"a": "1", "b": 2}], "x.a holds integer and text"),
        ([[{"a": 1}], [{"a": "1"}]], "a holds integer and text"),
        ([2**60, 0.5], "x holds numbers with a point and integers too large"),
    ],
)
def test_values_without_a_common_type_are_refused(values, reason):
    with pytest.raises(InferenceError) as caught:
        infer_kinds({KIND: [{"x": value} for value in values]}, EMPTY)
    message = str(caught.value)
    assert message.startswith("purchases.Purchase: ")
    assert reason in message
