"""Both clients against a real site over HTTP."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rights import Right
from tests.real_site import RealSite
from uac_site.client import AsyncUacClient, NewFact, UacClient, UacError
from uac_site.client.answers import Fact
from uac_site.client.calls import plain
from uac_site.client.model import Page

FOLDER = Path(__file__).parents[3] / "uac_site" / "client"
ALLERGY: NewFact = {
    "text": "Penicillin gave me hives.",
    "occurred_at": datetime(2020, 5, 1, 12, tzinfo=timezone(timedelta(hours=2))),
    "readings": [{"kind": "health.Allergy", "data": {"substance": "penicillin"}}],
}
DRUG: NewFact = {
    "text": "I take amoxicillin.",
    "readings": [{"kind": "health.Medication", "data": {"name": "amoxicillin"}}],
}


def test_a_person_is_remembered_and_asked_about(site: RealSite) -> None:
    with UacClient(site.url, site.secret) as memory:
        made = memory.create_or_get_user("client-1", display_name="Ada", timezone="Europe/Berlin")
        person = made.user_id
        assert memory.find_user("client-1") == memory.user(person) == made
        told = memory.remember(person, [ALLERGY, DRUG], idempotency_key="first")
        assert told.alerts is not None
        assert [one.rule for one in told.alerts.opened] == ["drug_allergy"]
        assert memory.remember(person, [ALLERGY, DRUG], idempotency_key="first").head == told.head
        said = memory.say(person, [{"role": "user", "content": "Hello"}], session="s")
        assert (said.first_seq, said.last_seq) == (1, 1)
        assert [one.content for one in memory.messages(person, session="s").items] == ["Hello"]
        (first,) = memory.facts(person, kind="health.Allergy").items
        assert first.occurred_at == ALLERGY["occurred_at"]
        counts = {one.kind: one.count for one in memory.state(person).kinds if one.count}
        assert counts == {"health.Allergy": 1, "health.Medication": 1}
        assert [one.id for one in memory.records(person, "health.Allergy").items] == ["penicillin"]
        assert memory.search(person, "hives", among="facts").items[0].seq == 1
        assert "drug_allergy" in memory.context(person, "May I take it?", max_tokens=300).text
        answer = memory.query(person, "len(medications)")
        assert (answer.value, answer.type) == (1, "int")
        (alert,) = memory.alerts(person, status="open").items
        assert alert.evidence
        assert memory.key().reach == "all"


def test_the_past_is_asked_about(site: RealSite) -> None:
    with UacClient(site.url, site.secret) as memory:
        person = site.new_person()
        memory.remember(person, [ALLERGY])
        moment = datetime.now(UTC)
        memory.remember(person, [DRUG])
        for as_of in (1, moment, moment.isoformat()):
            assert memory.query(person, "len(medications)", as_of=as_of).value == 0
            assert memory.records(person, "health.Medication", as_of=as_of).items == []
            assert memory.alerts_then(person, as_of).items == []
        (fired,) = memory.alerts_then(person, 2, rules="now").items
        assert fired.rule == "drug_allergy"


def test_pages_follow_one_another(site: RealSite) -> None:
    with UacClient(site.url, site.secret) as memory:
        person = site.new_person()
        memory.remember(person, [{"text": f"note {number}"} for number in range(5)])
        page: Page[Fact] | None = memory.facts(person, order="asc", limit=2)
        texts = []
        while page is not None:
            texts += [one.text for one in page.items]
            page = memory.next_page(page)
        assert texts == [f"note {number}" for number in range(5)]


def test_the_key_goes_to_no_other_site(site: RealSite) -> None:
    with UacClient(site.url, site.secret) as memory:
        person = site.new_person()
        page = memory.facts(person).model_copy(update={"next": "http://evil.example/api/v1/users"})
        with pytest.raises(ValueError, match="another site"):
            memory.next_page(page)


def test_a_refusal_says_what_and_where(site: RealSite) -> None:
    person = site.new_person()
    with UacClient(site.url, site.secret) as memory:
        with pytest.raises(UacError) as refused:
            memory.remember(person, [{"text": ""}])
        assert refused.value.status == 422
        assert refused.value.errors[0]["pointer"] == "/facts/0/text"
        assert refused.value.request_id
        with pytest.raises(UacError, match="No model"):
            memory.ask(person, "How many?")
    with (
        UacClient(site.url, site.key(Right.ALERTS_READ, app="client")) as narrow,
        pytest.raises(UacError, match="lacks the scope state:read"),
    ):
        narrow.state(person)


def test_the_awaited_client_does_the_same(site: RealSite) -> None:
    async def session(person: str) -> list[str]:
        async with AsyncUacClient(site.url, site.secret) as memory:
            await memory.remember(person, [ALLERGY, DRUG])
            counts = await asyncio.gather(
                *(memory.query(person, f"len({name})") for name in ("allergies", "medications"))
            )
            assert [one.value for one in counts] == [1, 1]
            page = await memory.facts(person, order="asc", limit=1)
            texts = [one.text for one in page.items]
            following = await memory.next_page(page)
            assert following is not None
            with pytest.raises(UacError, match="404"):
                await memory.user("00000000-0000-0000-0000-000000000000")
            return [*texts, *(one.text for one in following.items)]

    assert asyncio.run(session(site.new_person())) == [ALLERGY["text"], DRUG["text"]]


def test_an_answer_that_is_no_problem_document_is_an_error_too() -> None:
    broken = httpx.MockTransport(
        lambda _: httpx.Response(502, text="<html>", headers={"retry-after": "7"})
    )
    with UacClient("http://proxy", "uac_x", transport=broken) as memory:
        with pytest.raises(UacError) as refused:
            memory.key()
        assert (refused.value.status, refused.value.retry_after) == (502, 7.0)


def test_a_moment_without_its_zone_is_not_sent() -> None:
    with pytest.raises(ValueError, match="time zone"):
        plain({"occurred_at": datetime(2026, 1, 1)})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_what_is_sent_is_what_was_given_but_for_none(value: object) -> None:
    def expected(one: object) -> object:
        if isinstance(one, dict):
            return {name: expected(inner) for name, inner in one.items() if inner is not None}
        return [expected(inner) for inner in one] if isinstance(one, list) else one

    assert plain(value) == expected(value)


def test_it_needs_nothing_of_the_site(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "uac_client")
    code = (
        "import sys; from uac_client import AsyncUacClient, UacClient; "
        "UacClient('http://x', 'k').close(); "
        "assert not {'django', 'memory', 'alerts', 'uac_site'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env={"PATH": ""})
