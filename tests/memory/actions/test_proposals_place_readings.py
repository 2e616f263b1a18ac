"""After an approval what waited has its records, by readings that the log alone can rebuild."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import call_command

from memory.models import MemoryUser, Record, Waiting
from memory.verification import verify_user
from tests.api_client import Api, facts_path, pointers
from tests.facts import Json, fact, reading
from tests.proposals import PURCHASE, approved, bought, proposed, with_files

SCHEMA = "domains/purchases/schema.py"
SHOP = '''"""What was bought, and where."""

from dataclasses import dataclass

from uac import Ref, kind


@kind("shops", key=("name",))
@dataclass
class Shop:
    """A shop."""

    id: str
    name: str


@kind("purchases", key=("item",))
@dataclass
class Purchase:
    """Something bought."""

    id: str
    item: str
    price: int
    shop: Ref[Shop] | None = None
'''
SHOPS = "purchases.Shop"


def shop(name: str) -> Json:
    return fact(f"There is {name}", reading(SHOPS, name=name))


@pytest.fixture
def shopper(api: Api, person: MemoryUser, caregiver: Staff) -> MemoryUser:
    """A person whose purchases have a kind with a reference."""
    api.append(person, bought("a pen", 1))
    approved(proposed(person, with_files(person, {SCHEMA: SHOP})), caregiver)
    return person


def _sound(person: MemoryUser) -> None:
    call_command("rebuild_state", "--check", "--user", str(person.pk))
    assert verify_user(person.pk) == []


def _reasons(person: MemoryUser) -> Mapping[int, str]:
    return dict(Waiting.objects.filter(user=person).values_list("reading_seq", "reason"))


def test_what_waited_is_in_the_state(api: Api, person: MemoryUser, caregiver: Staff) -> None:
    api.append(person, bought("a lamp", 5), bought("a chair", 7))
    done = approved(proposed(person), caregiver)
    assert done.placed == 2
    assert api.records(person, PURCHASE) == {
        "f1-1": {"item": "a lamp", "price": 5},
        "f2-1": {"item": "a chair", "price": 7},
    }
    rows = Record.objects.filter(user=person).order_by("record_id")
    assert [(row.facts, row.reading_seq) for row in rows] == [([1], 3), ([2], 4)]
    assert _reasons(person) == {}
    _sound(person)


def test_the_placement_stands_in_the_log_beside_what_it_places(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp", 5, Colour="red"))
    approved(proposed(person), caregiver)
    (stored,) = api.all(facts_path(person.pk))
    sent, placed = stored["readings"]
    assert (sent["id"], sent["origin"], sent["places"]) == ("", "app", None)
    assert sent["data"] == {"item": "a lamp", "price": 5, "Colour": "red"}
    assert (placed["id"], placed["origin"], placed["places"]) == ("f1-1", "placed", 1)
    assert placed["data"] == {"item": "a lamp", "price": 5, "colour": "red"}


def test_a_state_that_was_lost_is_rebuilt_with_it(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"), fact("x", reading("trades.Trade", sold=1)))
    approved(proposed(person, None), caregiver)
    before = list(Record.objects.filter(user=person).order_by("kind").values())
    Record.objects.all().delete()
    call_command("rebuild_state", "--user", str(person.pk))
    assert list(Record.objects.filter(user=person).order_by("kind").values()) == before
    _sound(person)


def test_it_counts_as_true_from_when_its_fact_was(
    api: Api, shopper: MemoryUser, caregiver: Staff
) -> None:
    late = {"occurred_at": "2025-01-01T00:00:00Z"}
    api.append(shopper, {**bought("a lamp", 5, note="x"), **late})
    api.append(shopper, bought("a lamp", 9))
    wider = SHOP + "    note: str | None = None\n"
    approved(proposed(shopper, with_files(shopper, {SCHEMA: wider})), caregiver)
    assert api.records(shopper, PURCHASE)["a-lamp"] == {"item": "a lamp", "price": 9}
    _sound(shopper)


def test_an_app_goes_on_posting_its_own_names(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp", 5, Colour="red", date="2026-01-02"))
    approved(proposed(person), caregiver)
    answer = api.append(person, bought("a chair", 7, Colour="blue", date="2026-01-03"))
    assert answer["facts"][0]["readings"][0]["effect"] == "created"
    assert api.records(person, PURCHASE)["f2-1"] == {
        "item": "a chair",
        "price": 7,
        "colour": "blue",
        "date_": "2026-01-03",
    }
    update = fact("x", reading(PURCHASE, "update", "f2-1", Colour=5))
    assert list(pointers(api.post_facts(person, update))) == ["/readings/0/data/Colour"]
    _sound(person)


def test_what_its_own_kind_has_no_place_for_waits_and_says_why(
    api: Api, shopper: MemoryUser
) -> None:
    answer = api.append(shopper, bought("a lamp", 5, colour="red"), bought("a chair", "dear"))
    assert [one["readings"][0]["effect"] for one in answer["facts"]] == ["waiting", "waiting"]
    first, second = _reasons(shopper).values()
    assert first.startswith("purchases.Purchase has no field colour; it has: item, price")
    assert "price" in second
    _sound(shopper)


def test_a_kind_that_ships_refuses_what_does_not_fit(api: Api, shopper: MemoryUser) -> None:
    refused = api.post_facts(shopper, fact("x", reading("notes.Note", text="a", colour="red")))
    assert list(pointers(refused)) == ["/readings/0/data/colour"]


def test_records_of_a_widened_kind_are_rendered_anew(
    api: Api, shopper: MemoryUser, caregiver: Staff
) -> None:
    wider = SHOP.replace("price: int", "price: float")
    approved(proposed(shopper, with_files(shopper, {SCHEMA: wider})), caregiver)
    (row,) = Record.objects.filter(user=shopper)
    assert row.source == "Purchase(id='a-pen', item='a pen', price=1.0)"
    _sound(shopper)


def test_a_reference_needs_its_record(api: Api, shopper: MemoryUser) -> None:
    answer = api.post_facts(shopper, bought("a lamp", 5, shop="ikea"))
    assert answer.status_code == 422
    assert pointers(answer) == {
        "/readings/0/data/shop": "there is no purchases.Shop 'ikea' to refer to; "
        "assert it first, or in the same post"
    }
    assert len(api.all(facts_path(shopper.pk))) == 1


@pytest.mark.parametrize("order", [1, -1])
def test_a_reference_may_be_met_in_the_same_post(api: Api, shopper: MemoryUser, order: int) -> None:
    facts = [shop("Ikea"), bought("a lamp", 5, shop="ikea")]
    api.append(shopper, *facts[::order])
    assert api.records(shopper, PURCHASE)["a-lamp"]["shop"] == "ikea"
    api.append(shopper, fact("x", reading(PURCHASE, "update", "a-pen", shop="ikea")))
    _sound(shopper)


def test_a_record_that_is_gone_cannot_be_referred_to(api: Api, shopper: MemoryUser) -> None:
    api.append(shopper, shop("Ikea"))
    api.append(shopper, fact("closed", reading(SHOPS, "retract", "ikea")))
    refused = api.post_facts(shopper, bought("a lamp", 5, shop="ikea"))
    assert list(pointers(refused)) == ["/readings/0/data/shop"]
    batch = [
        shop("Aldi"),
        fact("no", reading(SHOPS, "retract", "aldi")),
        bought("x", 1, shop="aldi"),
    ]
    assert list(pointers(api.post_facts(shopper, *batch))) == ["/facts/2/readings/0/data/shop"]


def test_what_refers_to_nothing_is_not_placed(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp", 5, shop="ikea"), bought("a pen", 1, shop="aldi"))
    api.append(person, shop("Aldi"))
    done = approved(proposed(person, with_files(person, {SCHEMA: SHOP})), caregiver)
    assert done.placed == 2
    assert set(api.records(person, PURCHASE)) == {"a-pen"}
    assert _reasons(person) == {1: "there is no purchases.Shop 'ikea' to refer to"}
    _sound(person)


def test_the_person_is_always_there(api: Api, person: MemoryUser) -> None:
    walk = reading("schedule.Engagement", title="Walk", on="2026-12-01", people=["me"])
    api.append(person, fact("x", walk))
    assert not api.records(person, "people.Person")
    api.append(person, fact("y", reading("people.Person", "assert", "me", name="Ada")))
    api.append(person, fact("z", reading("people.Person", "retract", "me")))
    dinner = reading("schedule.Engagement", title="Dinner", on="2026-12-01", people=["me"])
    api.append(person, fact("x", dinner))
    assert len(api.records(person, "schedule.Engagement")) == 2
    _sound(person)


def test_what_came_after_the_proposal_is_placed_too(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    proposal = proposed(person)
    api.append(person, bought("a chair"), bought("a bed", "dear"))
    assert approved(proposal, caregiver).placed == 2
    assert list(_reasons(person)) == [3]
    _sound(person)
