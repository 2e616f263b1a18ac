"""A prompt shows the kinds that everyday sentences speak of, and the rules that read them."""

from __future__ import annotations

import re

import pytest

from memory.checkpointer.reading.cues import WORDS
from memory.checkpointer.reading.item import Shown
from memory.checkpointer.reading.prompt import ask_about
from memory.checkpointer.reading.ranking import companions
from memory.project.shipped import baseline
from tests.memory.checkpointer.reading.test_prompts_are_bounded import MOST, material

SAID = {
    "I break out in hives when I eat peanuts": "health.Allergy",
    "The new pills make me sick, so I quit the lisinopril yesterday": "health.Medication",
    "Dr. Wu said no more than 2 g of Tylenol a day": "health.DoseLimit",
    "My blood pressure was 140 over 90 this morning": "health.Measurement",
    "I drink a glass of grapefruit juice daily": "health.Intake",
    "My passport runs out in August": "travel.Passport",
    "The embassy gave me a single entry visa": "travel.Visa",
    "We fly to Lisbon on the 14th and come back the 21st": "travel.Trip",
    "I signed up for the gym, 39 a month": "finance.Contract",
    "Send 4,000 to Tom by Friday from the joint account": "finance.Payment",
    "Actually wire the deposit to the other account instead": "finance.PaymentInstruction",
    "Don't let me spend more than 200 on clothes a month": "finance.SpendingLimit",
    "Please never put shrimp on the menu when the kids are there": "preferences.Prohibition",
    "never book a night flight for me": "preferences.Prohibition",
    "Piano lesson moved to Tuesdays at 4": "schedule.Engagement",
    "I have to give the router back within 30 days": "commitments.Commitment",
    "I swim three mornings a week now": "habits.Habit",
    "My sister Kate moved in with us": "people.Person",
    "My driving licence is valid until May": "documents.Document",
}
SMALL_TALK = "Well that is really something, everybody had a lovely time talking about old days"


def part(name: str, text: str) -> str:
    """What stands in one of the fences of a prompt."""
    found = re.search(rf"<<<{name} (\w+)\n(.*?)\n{name} \1>>>", text, re.DOTALL)
    assert found is not None
    return found[2]


def in_full(text: str) -> list[str]:
    """The kinds that a prompt shows with their fields, in order."""
    return re.findall(r"^\d+ of ([\w.]+) \(", part("schemas", text), re.MULTILINE)


@pytest.mark.parametrize(("said", "kind"), SAID.items())
def test_the_kind_of_an_everyday_sentence_comes_soon_after_those_of_always(
    said: str, kind: str
) -> None:
    kinds = in_full(ask_about(material([said]), most_tokens=MOST).instructions.text)
    assert kinds[:2] == ["people.Person", "notes.Note"]
    assert kinds.index(kind) < 12
    assert len(kinds) > 20


def test_each_message_of_a_batch_has_its_kind_shown() -> None:
    """Six subjects among small talk, with as many records and turns as there is room for."""
    said = [one for text in list(SAID)[:6] for one in (text, SMALL_TALK)]
    records = [Shown("notes.Note", str(n), {"text": SMALL_TALK}) for n in range(40)]
    asked = ask_about(material(said, records, [SMALL_TALK * 4] * 4), most_tokens=MOST)
    assert len(asked.items) == 12
    assert set(list(SAID.values())[:6]) <= set(in_full(asked.instructions.text))


def test_a_kind_is_shown_in_full_or_named() -> None:
    text = ask_about(material([SMALL_TALK] * 12), most_tokens=MOST - 1_500).instructions.text
    named = re.findall(r"^([\w.]+) \(\d", part("kinds", text), re.MULTILINE)
    assert named
    assert sorted([*in_full(text), *named]) == sorted(baseline().kinds)


def test_a_field_shows_what_it_is_when_left_out() -> None:
    said = ["I pay rent", "Never in cash"]
    text = ask_about(material(said), most_tokens=MOST).instructions.text
    assert 'currency?: str = "USD"' in text
    assert "strict?: bool = true" in text


def test_rules_that_read_what_is_shown_have_a_line_each() -> None:
    text = ask_about(material(["I take ibuprofen pills"]), most_tokens=MOST).instructions.text
    assert "drug_allergy: Warns of a medication that conflicts" in part("rules", text)


def test_what_a_rule_reads_together_is_found_beside_what_is_said() -> None:
    beside = companions(baseline(), ["We fly to Lisbon in May"])
    assert {"travel.Passport", "travel.Visa", "documents.Document"} <= beside
    assert companions(baseline(), ["Well, well"]) == set()


def test_the_records_that_fit_are_those_a_concern_may_name() -> None:
    records = [Shown("notes.Note", str(n), {"text": "x" * 150}) for n in range(60)]
    asked = ask_about(material(["Hello"], records), most_tokens=MOST)
    shown = re.findall(r'"id": "(\d+)"', part("records", asked.instructions.text))
    assert 5 < len(shown) < 60
    assert asked.shown == {("notes.Note", one) for one in shown}


def test_of_earlier_turns_the_latest_are_shown_in_order() -> None:
    turns = [f"turn {n} " + "x" * 290 for n in range(8)]
    text = ask_about(material(["Yes."], earlier=turns), most_tokens=MOST).instructions.text
    shown = [int(n) for n in re.findall(r"turn (\d)", part("earlier", text))]
    assert shown == list(range(shown[0], 8))
    assert 0 < shown[0] < 7


def test_every_cue_is_of_a_kind_that_ships() -> None:
    assert WORDS.keys() <= baseline().kinds.keys()
