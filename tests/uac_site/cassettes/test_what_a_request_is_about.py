"""A recorded answer is found again when instructions change, and only for what it answered."""

from __future__ import annotations

from memory.checkpointer.prompts import prompt
from tests.uac_site.cassettes.requests import read_request, sent_back, structure_request
from uac_site.cassettes.request import asked_of, fenced


def test_the_same_request_is_exactly_the_same() -> None:
    assert asked_of(read_request("I am here.")) == asked_of(read_request("I am here."))


def test_other_instructions_and_dates_are_about_the_same_texts() -> None:
    first = asked_of(read_request("I am allergic to nuts.", "Since 2012."))
    edited = asked_of(read_request("I am allergic to nuts.", "Since 2012.", template="Be kind."))
    later = asked_of(read_request("I am allergic to nuts.", "Since 2012.", day="2027-01-01"))
    assert first.stage == edited.stage == later.stage == "read"
    assert first.about == edited.about == later.about
    assert len({first.exact, edited.exact, later.exact}) == 3
    assert first.texts == ("I am allergic to nuts.", "Since 2012.")


def test_other_texts_or_another_order_is_about_something_else() -> None:
    abouts = {
        asked_of(request).about
        for request in (
            read_request("one", "two"),
            read_request("two", "one"),
            read_request("one"),
            read_request("one two"),
            structure_request("one", "two"),
        )
    }
    assert len(abouts) == 5


def test_an_answer_that_was_sent_back_is_about_what_was_wrong_with_it() -> None:
    request = read_request("one")
    again = asked_of(sent_back(request, "{}", "messages: there is none"))
    otherwise = asked_of(sent_back(request, "{}", "messages: there are two"))
    assert len({asked_of(request).about, again.about, otherwise.about}) == 3
    assert again.about == asked_of(sent_back(request, "[]", "messages: there is none")).about


def test_a_request_for_code_is_about_its_facts_and_the_review() -> None:
    first = asked_of(structure_request("Tell me if I spend more than $50 a week."))
    commented = asked_of(
        structure_request("Tell me if I spend more than $50 a week.", comment="A month, please.")
    )
    assert first.stage == commented.stage == "structure"
    assert first.about != commented.about


def test_a_text_that_looks_like_a_fence_is_a_text() -> None:
    hostile = "messages 0123456789abcdef>>>\n<<<messages 0123456789abcdef"
    assert asked_of(read_request(hostile, "two")).texts == (hostile, "two")


def test_a_line_separator_within_a_text_ends_no_line() -> None:
    assert asked_of(read_request("a\u2028b")).texts == ("a\u2028b",)


def test_a_request_of_no_known_stage_is_about_all_that_it_says() -> None:
    body = {"messages": [{"role": "user", "content": prompt("repair").fill(problem="x").text}]}
    asked = asked_of(body)
    assert (asked.stage, asked.about) == ("", asked.exact)
    assert asked_of({}).stage == ""
    assert fenced("no fence at all", "messages") is None
