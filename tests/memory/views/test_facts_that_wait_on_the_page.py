"""A fact whose reading waits, was placed or was taken back says so where facts are listed."""

from __future__ import annotations

from django.contrib.auth.models import User as Staff

from memory.log import FactFilter, page_of_facts
from memory.models import MemoryUser
from memory.views.sentences import lines_of
from tests.api_client import Api
from tests.facts import fact, reading
from tests.proposals import PURCHASE, approved, bought, current, proposed


def _effects(person: MemoryUser) -> list[list[str]]:
    entries = page_of_facts(person, FactFilter(), after=None, limit=50, newest_first=False)
    return [[one.effect for one in line.readings] for line in lines_of(current(person), entries)]


def test_each_reading_says_where_it_stands(api: Api, person: MemoryUser, caregiver: Staff) -> None:
    api.append(person, bought("a lamp"), bought("a chair"))
    assert _effects(person) == [["waiting"], ["waiting"]]
    api.append(person, fact("No.", corrects=2))
    assert _effects(person) == [["waiting"], ["taken back"], ["taken back"]]
    approved(proposed(person), caregiver)
    assert _effects(person) == [["placed", "created"], ["taken back"], ["taken back"]]


def test_what_waits_is_shown_as_it_was_sent(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("x", reading(PURCHASE, **{"<b>": "{{ 1 }}", "n": 5})))
    (entry,) = page_of_facts(person, FactFilter(), after=None, limit=1, newest_first=True)
    (line,) = lines_of(person, [entry])
    assert line.readings[0].words == "<b> {{ 1 }}, n 5"
