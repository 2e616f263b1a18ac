"""What waits gets a place without a model, and what cannot says why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.checkpointer.words import reason_of, summary_of
from memory.project.payload import check_payload
from memory.project.policy import check
from memory.project.shipped import library
from memory.project.tree import Project
from tests.memory.checkpointer.said import (
    BASELINE,
    PAYLOAD,
    Said,
    purchases,
    reasons,
    structured,
)

PATH = "domains/shop/schema.py"


def test_an_unknown_kind_gets_a_dataclass_and_each_reading_a_record() -> None:
    done = structured(purchases({"id": 7, "item": "tea"}, {"id": 8, "item": "milk"}))
    assert done.new == ("shop.Purchase",)
    assert [(one.seq, one.record_id, one.data) for one in done.placed] == [
        (1, "7", {"item": "tea"}),
        (2, "8", {"item": "milk"}),
    ]
    assert done.unplaced == ()
    assert done.project.files.keys() - BASELINE.files.keys() == {PATH}


def test_a_kind_without_a_key_takes_its_ids_from_the_facts() -> None:
    done = structured(purchases({"item": "tea"}, {"item": "tea"}))
    assert [one.record_id for one in done.placed] == ["f1-1", "f2-1"]


def test_renamed_fields_are_told_and_fitted() -> None:
    done = structured(purchases({"unit price": 2, "class": "A"}))
    assert done.renames == {"shop.Purchase": {"unit price": "unit_price", "class": "class_"}}
    assert done.placed[0].data == {"unit_price": 2, "class_": "A"}


@pytest.mark.parametrize("name", ["model_config", "model_dump", "copy", "mro", "schema", "json"])
def test_a_name_that_means_something_to_our_own_machinery_is_a_field_like_any_other(
    name: str,
) -> None:
    done = structured(purchases({name: 1, "part": {name: [2]}}))
    assert done.placed[0].data == {name: 1, "part": {name: [2]}}


def test_one_odd_payload_does_not_hold_up_the_others() -> None:
    done = structured(purchases({"price": 2.5}, {"price": "free"}, {"price": 3}))
    assert [one.seq for one in done.placed] == [1, 3]
    assert reasons(done) == {2: "price is text where 2 others have a number; send a number"}


def test_what_is_odd_and_fits_all_the_same_is_placed() -> None:
    done = structured(purchases({"price": "2.50"}, {"price": "3.10"}, {"price": 0}))
    assert [one.data for one in done.placed] == [
        {"price": value} for value in ("2.50", "3.10", "0")
    ]
    assert done.unplaced == ()


def test_of_payloads_that_exclude_one_another_the_more_frequent_win() -> None:
    done = structured(purchases({"x": 2**60 + 1}, {"x": 1.5}, {"x": 2.5}))
    assert [one.seq for one in done.placed] == [2, 3]
    assert "does not go with what others say" in reasons(done)[1]


def test_a_payload_that_is_bad_by_itself_says_so() -> None:
    wide = {f"x{number}": 1 for number in range(201)}
    done = structured(purchases({"a": 1}, wide, {"a": 2}))
    assert [one.seq for one in done.placed] == [1, 3]
    assert "200 are the most" in reasons(done)[2]


def test_a_name_that_is_taken_leaves_all_its_readings_waiting_and_no_others() -> None:
    waiting = [Said(1, "shop.Trip", {"x": 1}), Said(2, "shop.Trip", {"x": 2})]
    done = structured([*waiting, *purchases({"x": 1}, first=3)])
    assert [one.seq for one in done.placed] == [3]
    assert reasons(done).keys() == {1, 2}
    assert "choose another, such as shop.ShopTrip" in reasons(done)[1]


@pytest.mark.parametrize("op", ["update", "retract"])
def test_only_what_is_asserted_can_be_placed(op: Any) -> None:
    done = structured([Said(1, "shop.Purchase", {"x": 1}, op)])
    assert done.placed == ()
    assert reasons(done)[1] == f"there is no shop.Purchase to {op}; assert it first"
    assert done.project.digest == BASELINE.digest


def test_what_fits_a_kind_that_came_meanwhile_needs_no_change() -> None:
    first = structured(purchases({"x": 1}))
    done = structured(purchases({"x": 2}, first=2), first.project)
    assert (done.new, done.widened) == ((), ())
    assert done.project.digest == first.project.digest
    assert [one.data for one in done.placed] == [{"x": 2}]


def test_a_kind_of_the_baseline_is_never_changed() -> None:
    done = structured([Said(1, "health.Allergy", {"substance": "nuts", "since": "2020"})])
    assert done.project.digest == BASELINE.digest
    assert "health.Allergy has no field since" in reasons(done)[1]


def test_an_outgrown_kind_is_widened_and_what_it_held_still_fits() -> None:
    first = structured(purchases({"id": 1, "price": 3, "shop": "A"}))
    known = {"shop.Purchase": [first.placed[0].data]}
    later = purchases({"id": 2, "price": 2.5, "tags": ["new"]}, first=2)
    done = structured(later, first.project, known)
    assert done.widened == ("shop.Purchase",)
    assert done.placed[0].data == {"price": 2.5, "tags": ["new"]}
    kind = done.project.kinds["shop.Purchase"]
    old = first.placed[0]
    again = check_payload(kind, "assert", old.record_id, old.data, fallback_id="x")
    assert again.data == old.data


def test_a_misfit_that_cannot_be_taken_leaves_the_kind_to_the_others() -> None:
    first = structured(purchases({"price": 3}))
    known = {"shop.Purchase": [{"price": 3}]}
    later = purchases({"price": "free"}, {"price": 1, "tip": 2}, first=2)
    done = structured(later, first.project, known)
    assert [one.seq for one in done.placed] == [3]
    assert "price" in reasons(done)[2]


def test_the_summary_says_what_changes_in_plain_words() -> None:
    waiting = [*purchases({"id": 1, "price": 3}, {"id": 2, "price": "free"})]
    done = structured(waiting)
    assert summary_of(BASELINE, done) == (
        "New kind shop.Purchase from 1 fact, told apart by id. Fields: price."
    )
    assert reason_of(done) == "Waiting: 1 fact of 1 kind that nobody has approved yet."
    known = {"shop.Purchase": [{"price": 3}]}
    wider = structured(purchases({"price": 2.5, "id": 9, "tip": 1}), done.project, known)
    assert summary_of(done.project, wider) == (
        "Wider kind shop.Purchase, for 1 fact: new tip; price from int to float."
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(PAYLOAD, min_size=1, max_size=5), st.lists(PAYLOAD, max_size=4))
def test_whatever_is_said_is_placed_or_told_and_stays_readable(
    first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> None:
    waiting = purchases(*first)
    done = structured(waiting)
    _all_are_accounted_for(waiting, done)
    assert structured(list(reversed(waiting))).project.digest == done.project.digest
    assert check(done.project.files, library()) == ()
    later = [*purchases(*second, first=20)]
    known = {"shop.Purchase": [one.data for one in done.placed]}
    wider = structured(later, done.project, known)
    _all_are_accounted_for(later, wider)
    assert check(wider.project.files, library()) == ()
    for one in done.placed:
        kind = wider.project.kinds[one.kind]
        again = check_payload(kind, "assert", one.record_id, one.data, fallback_id="x")
        assert again.data == one.data


def _all_are_accounted_for(waiting: list[Said], done: Any) -> None:
    told = [one.seq for one in (*done.placed, *done.unplaced)]
    assert sorted(told) == sorted(one.seq for one in waiting)
    assert isinstance(done.project, Project)
    assert all(reasons(done).values())
