"""Facts that come in while a proposal is approved are placed or read at once; none is lost."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import User as Staff

from memory.actions.rebuild_state import rebuild_state
from memory.models import MemoryUser, Waiting
from memory.verification import verify_user
from tests.api_client import Api
from tests.proposals import PURCHASE, approved, bought, proposed
from tests.together import together

POSTS = 6


def test_whichever_comes_first(api: Api, person: MemoryUser, caregiver: Staff) -> None:
    api.append(person, bought("a lamp"))
    proposal = proposed(person)
    posts = [partial(api.append, person, bought(f"item {number}")) for number in range(POSTS)]
    together(*posts, partial(approved, proposal, caregiver))
    assert len(api.records(person, PURCHASE)) == POSTS + 1
    assert not Waiting.objects.exists()
    assert rebuild_state(user_id=person.pk, check_only=True) == []
    assert verify_user(person.pk) == []
