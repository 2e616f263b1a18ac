"""A question that records answer: by a query that was checked, typed and run."""

from __future__ import annotations

import pytest

from memory.models import CallOutcome, MemoryUser, ModelCall
from tests.api_client import Api
from tests.memory.answering.conftest import (
    SAID,
    ask,
    prompt_of,
    query,
    quote,
    sent_back,
)
from tests.model_server import Script, answers

ITALY = 'rests_on = [t for t in trips if t.country == "Italy"]\nlen(rests_on)'


def test_a_count_comes_of_a_query_with_its_records_and_facts(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query(ITALY, "You have {value} trips to Italy.")))
    found = ask(api, traveller, "How many trips to Italy do I have?")
    assert (found["known"], found["how"]) == (True, "query")
    assert found["answer"] == "You have 2 trips to Italy."
    assert (found["value"], found["type"], found["collections"]) == (2, "int", ["trips"])
    assert found["code"].strip() == ITALY
    assert [(one["id"], one["facts"]) for one in found["records"]] == [
        ("milan-2026-05-20", [3]),
        ("rome-2026-03-01", [1]),
    ]
    assert (found["records_total"], found["facts"]) == (2, [1, 3])
    assert (found["seq"], found["reading_seq"], found["refused"]) == (4, 4, 0)
    rerun = api.post(f"users/{traveller.pk}/query", {"code": found["code"]}).json()
    assert rerun["value"] == 2


def test_the_call_is_recorded_with_its_prompt_and_no_text(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query(ITALY)))
    found = ask(api, traveller, "How many trips to Italy?")
    call = ModelCall.objects.get()
    assert (call.stage, call.outcome, call.user_id) == ("ask", CallOutcome.DONE, traveller.pk)
    assert (call.prompt, call.prompt_digest) == ("ask", found["prompt"])


def test_the_model_sees_fields_samples_and_the_question_fenced(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query(ITALY)))
    ask(api, traveller, "How many trips to Italy?")
    prompt = prompt_of(server)
    assert "trips: 3 of travel.Trip (key " in prompt
    assert '"id": "rome-2026-03-01"' in prompt
    assert "\nHow many trips to Italy?\nquestion " in prompt


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (query("len([t for t in trips if t.contry])"), "Trip has no field contry"),
        (query("trips[7].destination"), "there are fewer items"),
        (query("4"), "rests on nothing"),
        (query("found = 4\nfound"), "rests on nothing"),
        (query("len(medications)"), "there is no record in medications"),
        (query(ITALY, "Two trips."), "must have {value}"),
        (query(ITALY, "You took 2 trips, {value} in all."), "2 stands neither"),
        (query("open('x').read()\nlen(trips)"), "may not run"),
        (query("len(quotes)", "{value}", quote(1, "nobody said so")), "not in the message"),
        (query("len(quotes)", "{value}", quote(99, SAID)), "there is no excerpt 99"),
        (query("", "{value}"), "has a query"),
        ({"how": "query"}, "Field required"),
    ],
)
def test_what_is_wrong_goes_back_and_is_mended(
    api: Api, traveller: MemoryUser, server: Script, wrong: object, told: str
) -> None:
    server.plays(answers(wrong), answers(query(ITALY)))
    found = ask(api, traveller, "How many trips to Italy were without Ann?")
    assert (found["value"], found["refused"]) == (2, 1)
    assert told in sent_back(server)


def test_an_answer_that_is_never_right_is_none(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query("trips.count()", "You took {value} of 12 trips.")))
    found = ask(api, traveller, "How many trips?")
    assert (found["known"], found["answer"], found["value"]) == (False, "Not known.", None)
    assert "12 stands neither" in found["why"]
    assert (found["refused"], len(server.requests)) == (3, 3)


def test_none_is_not_known(api: Api, traveller: MemoryUser, server: Script) -> None:
    server.plays(answers(query("[t.returns_on for t in trips if t.destination == 'Oslo'][0]")))
    found = ask(api, traveller, "When do I come back from Oslo?")
    assert (found["known"], found["how"], found["answer"]) == (False, "unknown", "Not known.")
    assert found["code"]


def test_what_was_said_is_counted_by_a_query_over_quotes(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    code = "{q.item for q in quotes}, quotes[0].said_on - timedelta(days=7)"
    server.plays(answers(query(code, "{value}", quote(1, "moved to Oslo last week", "move"))))
    found = ask(api, traveller, "How many times did Ann move to Oslo, and when?")
    assert found["value"] == [["move"], "2026-02-03"]
    assert found["answer"] == "move, Tuesday, February 3, 2026"
    (one,) = found["quotes"]
    assert (one["quote"], one["message"], one["speaker"]) == ("moved to Oslo last week", 1, "user")
    assert "said_on=date(2026, 2, 10)" in found["code"]
    rerun = api.post(f"users/{traveller.pk}/query", {"code": found["code"]}).json()
    assert rerun["value"] == found["value"]


def test_without_names_it_rests_on_all_that_was_read(
    api: Api, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query("len(trips)")), answers(query("trips[:1]")))
    assert ask(api, traveller, "How many trips?")["records_total"] == 3
    found = ask(api, traveller, "Which trip is the first?")
    assert [one["id"] for one in found["records"]] == ["milan-2026-05-20"]
    assert found["answer"] == "It is Milan."
