"""What a process keeps of people in memory goes with an erasure, here and in other processes."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff

from memory import forgetting
from memory.actions.erase import ask_erasure, confirm_erasure
from memory.code import project_of
from memory.forgetting import bounded_caches, byte_caches, forget, forget_if_told
from memory.models import ErasureReason, MemoryUser
from memory.project.review.render import show_diff
from memory.project.schema import parse_domain
from memory.querying.ask import ask
from memory.querying.lanes import lane_of
from memory.rights import Role
from memory.sandbox.pool import pool
from tests.api_client import Api
from tests.memory.erasure.planted import told_everywhere
from tests.staff import new_staff


@pytest.fixture
def told(api: Api, caregiver: Staff, now: datetime) -> MemoryUser:
    """A person whose code and records this process has in its caches."""
    person = told_everywhere(api, caregiver)
    show_diff({}, project_of(person).files)
    ask(person, "len(allergies)", now=now)
    return person


def _erase(person: MemoryUser, now: datetime) -> None:
    one, other = (new_staff(name, Role.ADMIN) for name in ("one", "other"))
    asked = ask_erasure(user_id=person.pk, actor=one, reason=ErasureReason.WISH, now=now)
    confirm_erasure(erasure_id=asked.pk, actor=other, now=now)


def _kept() -> int:
    values = sum(cached.cache_info().currsize for cached in bounded_caches())
    return values + sum(kept.held for kept in byte_caches())


def test_the_process_that_erases_forgets_at_once(told: MemoryUser, now: datetime) -> None:
    assert _kept() > 0
    assert any(kept.held for kept in byte_caches())
    of_queries = set(lane_of(told.pk)._all)  # one of them still has the state that was asked about
    keepers = pool()._all | of_queries
    assert of_queries < keepers
    _erase(told, now)
    assert _kept() == 0
    assert not keepers & (pool()._all | lane_of(told.pk)._all)
    assert all(keeper.process.poll() is not None for keeper in keepers)


def test_another_process_forgets_when_it_next_looks(
    told: MemoryUser, now: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr(forgetting, "_newest", forgetting.Newest())
    forget_if_told()
    _erase(told, now)
    parse_domain("notes", "")  # as if this one had not erased, and had it all still
    forgetting._newest.looked -= forgetting.LOOK_SECONDS + 1
    forget_if_told()
    assert _kept() == 0
    assert forgetting._newest.known is not None


def test_a_keeper_at_work_is_stopped_when_it_is_done(transactional_db: None) -> None:
    with pool().keeper(time.monotonic() + 30) as keeper:
        forget()
        assert keeper.process.poll() is None
    assert keeper.process.poll() is not None
