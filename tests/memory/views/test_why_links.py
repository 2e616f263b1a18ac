"""From a new line of a proposal to the sentence behind it, and to the conversation around it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from memory.actions.needs import needs_proposed
from memory.evaluator import Would
from memory.models import AuditEvent, MemoryUser, Need, Proposal, ProposalOrigin
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import fact
from tests.memory.views.test_proposal_story import HOSTILE, finding
from tests.proposals import approved, bought, proposed, with_files
from tests.staff import new_staff

SCHEMA = '''"""The garden."""

from dataclasses import dataclass

from uac import kind


@kind("plants", key=("name",))
@dataclass
class Plant:
    """A plant."""

    id: str
    name: str
    light: str | None = None
    height: int | None = None
'''
RULE = '''"""Water it. Facts: {}."""


def check(today):
    return []
'''
LINKS = r'<span class="why">((?:<a .*?</a>|<span class="ref">.*?</span>)*)</span>(.*?)</td>'


@pytest.fixture
def reviewer(transactional_db: None) -> Client:
    """Somebody who judges code and may see nothing else of a person."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(new_staff("reviewer", Role.REVIEWER))
    return client


def talked(api: Api, person: MemoryUser, *turns: str, session: str = "evening") -> None:
    said = [{"role": "user", "content": one} for one in turns]
    answer = api.post(f"users/{person.pk}/messages", {"messages": said, "session": session})
    assert answer.status_code == 201


def written(person: MemoryUser, files: dict[str, str], **more: Any) -> Proposal:
    person.refresh_from_db()
    return proposed(person, with_files(person, files), origin=ProposalOrigin.MODEL, **more)


def page(client: Client, proposal: Proposal, **query: str) -> str:
    answer = client.get(f"/proposals/{proposal.pk}", query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def behind(text: str) -> dict[str, list[int]]:
    """The facts beside each line of the diff that has some, by the line's words."""
    return {
        unescape(re.sub(r"<[^>]+>", "", code)).strip(): [
            int(n) for n in re.findall(r"#F(\d+)", links)
        ]
        for links, code in re.findall(LINKS, text)
    }


def placed(seq: int, **data: Any) -> dict[str, Any]:
    return {"fact": seq, "kind": "garden.Plant", "id": "fern", "op": "assert", "data": data}


def test_each_new_kind_field_and_rule_leads_to_its_facts(
    reviewer: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, fact("A fern"), fact("It is bright"), fact("Water it"), fact("A secret"))
    text = page(
        reviewer,
        written(
            person,
            {"domains/garden/schema.py": SCHEMA, "rules/water.py": RULE.format("3, 4")},
            facts=[1, 3],
            placements=[placed(1, name="fern"), placed(2, name="fern", light="bright")],
        ),
    )
    assert behind(text) == {
        "class Plant:": [1, 2],
        "name: str": [1, 2],
        "light: str | None = None": [2],
        '"""Water it. Facts: 3, 4."""': [3],
        "def check(today):": [3],
    }
    assert re.search(r'id="F2".*?It is bright', text, re.DOTALL)
    assert "A secret" not in text  # named by the code alone, so it is not shown
    assert "domains/garden/schema.py</bdi>:14" in text


def test_a_rule_that_names_no_fact_stands_on_what_asked_for_a_rule(
    reviewer: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, fact("Water it"))
    now = timezone.now()
    need = Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", noted_at=now, changed_at=now
    )
    made = written(person, {"rules/water.py": "def check(today):\n    return []\n"})
    needs_proposed(user=person, ids=[need.pk], proposal=made, now=now)
    assert behind(page(reviewer, made)) == {"def check(today):": [1]}


def test_only_new_lines_lead_anywhere(
    reviewer: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("Water it"), fact("Twice"))
    approved(written(person, {"rules/water.py": RULE.format("1")}, facts=[1]), caregiver)
    made = written(person, {"rules/water.py": RULE.format("1, 2")}, facts=[2])
    for view in ("unified", "split"):
        assert behind(page(reviewer, made, view=view)) == {'"""Water it. Facts: 1, 2."""': [1, 2]}


def test_the_sentence_comes_with_the_turns_around_it(
    reviewer: Client, api: Api, person: MemoryUser
) -> None:
    talked(api, person, "far before", "before", "right before", "I have a fern")
    talked(api, person, "of something else", session="other")
    talked(api, person, "right after", "after", "far after")
    api.append(person, {**fact("A fern"), "message": 4, "session": "evening"})
    text = page(reviewer, written(person, {"rules/water.py": RULE.format("1")}, facts=[1]))
    turns = re.search(r'<ol class="turns.*?</ol>', text, re.DOTALL)
    assert turns is not None
    said = re.findall(r'<span dir="auto">(.*?)</span>', turns[0])
    assert said == ["before", "right before", "I have a fern", "right after", "after"]
    assert turns[0].count('class="source"') == 1
    assert "far before" not in text


def test_alerts_and_steps_lead_to_what_they_rest_on(
    reviewer: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, *(fact(f"Said {n}") for n in range(1, 6)))

    def on(seq: int) -> dict[str, Any]:
        one = finding(f"finding {seq}")
        return {**one, "evidence": [{**one["evidence"][0], "facts": [seq]}]}

    steps = [
        {"seq": 3, "on": "2026-03-06", "opened": [on(2)], "cleared": []},
        {"seq": None, "on": "2026-04-01", "opened": [], "cleared": [], "gone": [on(4)]},
    ]
    made = written(
        person, {"rules/water.py": "# x\n"}, provisional=Would((on(1),), {}), replay=steps
    )
    text = page(reviewer, made)
    assert [f'id="F{seq}"' in text for seq in range(1, 6)] == [True] * 4 + [False]


def test_a_reviewer_gets_no_link_to_a_page_they_may_not_see(
    reviewer: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("tea"))
    made = proposed(person)
    text = page(reviewer, made)
    assert "I bought tea" in text
    assert f"/people/{person.pk}?tab=facts" not in text
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert f"/people/{person.pk}?tab=facts" in page(client, made)


def test_who_looks_at_the_words_is_in_the_audit(
    reviewer: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, bought("tea"))
    page(reviewer, proposed(person))
    event = AuditEvent.objects.get(action="read", object_kind="proposal")
    assert event.person_id == person.pk


def test_hostile_words_are_words(reviewer: Client, api: Api, person: MemoryUser) -> None:
    talked(api, person, HOSTILE, "I have a fern", HOSTILE)
    api.append(person, {**fact(HOSTILE), "message": 2, "session": "evening", "source": HOSTILE})
    text = page(reviewer, written(person, {"rules/water.py": RULE.format("1")}, facts=[1]))
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert") >= 4


def test_many_facts_are_cut_with_their_number_and_no_link_leads_nowhere(
    reviewer: Client, api: Api, person: MemoryUser, django_assert_max_num_queries: Any
) -> None:
    api.append(person, *(fact(f"Said {n}") for n in range(100)))
    numbers = ", ".join(map(str, range(1, 101)))
    made = written(person, {"rules/w.py": RULE.format(numbers)}, facts=[*range(1, 101)])
    with django_assert_max_num_queries(60):
        text = page(reviewer, made)
    assert ">60 of 100<" in text
    anchors = set(re.findall(r'id="(F\d+)"', text))
    assert set(re.findall(r'href="#(F\d+)"', text)) <= anchors
    assert "+57</span>" in text
