"""The only way to a person: absent and forbidden look the same."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff

from memory import access
from memory.models import App, MemoryUser
from tests.api_client import Api
from tests.proposals import bought, proposed


def test_an_app_and_a_caregiver_reach_a_person(
    app: App, caregiver: Staff, person: MemoryUser
) -> None:
    for somebody in (app, caregiver):
        assert access.memory_user(somebody, person.pk) == person
        assert list(access.memory_users(somebody)) == [person]


def test_nobody_else_does(caregiver: Staff, outsider: Staff, person: MemoryUser) -> None:
    caregiver.is_active = False
    for somebody in (caregiver, outsider, AnonymousUser(), None):
        assert list(access.memory_users(somebody)) == []
        with pytest.raises(access.NotFound):
            access.memory_user(somebody, person.pk)


def test_who_is_forbidden_hears_what_is_heard_of_the_absent(
    app: App, outsider: Staff, person: MemoryUser
) -> None:
    with pytest.raises(access.NotFound) as forbidden:
        access.memory_user(outsider, person.pk)
    with pytest.raises(access.NotFound) as absent:
        access.memory_user(app, uuid4())
    assert str(forbidden.value) == str(absent.value)


def test_a_proposal_is_for_staff_alone(
    app: App, api: Api, caregiver: Staff, outsider: Staff, person: MemoryUser
) -> None:
    api.append(person, bought("a lamp"))
    proposal = proposed(person)
    assert access.proposal(caregiver, proposal.pk) == proposal
    assert list(access.proposals(caregiver).open()) == [proposal]
    for somebody in (app, outsider, AnonymousUser(), None):
        assert list(access.proposals(somebody)) == []
        with pytest.raises(access.NotFound):
            access.proposal(somebody, proposal.pk)
