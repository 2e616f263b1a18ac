"""The demo's conversation: posted once, read with recorded answers, and what it leaves to do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import settings as site
from django.utils import timezone
from pydantic import SecretStr
from pytest_django import Settings

from alerts.models import Alert, Origin
from memory.models import (
    HeldReading,
    MemoryUser,
    Message,
    Proposal,
    ReadStatus,
    Record,
    ToRead,
)
from uac_site.cassettes.cassette import Cassettes, read_exchanges
from uac_site.cassettes.endpoint import endpoint
from uac_site.cassettes.player import Player
from uac_site.examples.talk import (
    FILE,
    RECORDED,
    is_read,
    post_talk,
    read_talk,
    talk_here,
)

DATE = re.compile(r"\b(?:19|20)\d\d\b")


def test_neither_the_conversation_nor_its_answers_hold_a_date() -> None:
    assert DATE.search(FILE.read_text(encoding="utf-8")) is None
    said = [one.answer for file in RECORDED.glob("*.toml") for one in read_exchanges(file)]
    # the schema and tests of a proposal are whole files, with a date for the rule to be given
    prose = [re.sub(r"date\(\d{4}", "date(", one) for one in said]
    assert said != []
    assert [one for one in prose if DATE.search(one)] == []


@pytest.mark.django_db(transaction=True)
def test_without_a_model_it_waits_and_is_posted_once() -> None:
    talk, now = read_talk(), timezone.now()
    for later in (timedelta(), timedelta(days=3)):
        for user in post_talk(talk, now=now + later):
            assert user.external_id == talk.external_id
    turns = sum(len(session.turns) for session in talk.session)
    assert Message.objects.count() == turns
    assert ToRead.objects.waiting().count() == turns
    assert MemoryUser.objects.get().placements.get().team.name == talk.team
    assert not is_read(talk)


@pytest.mark.django_db(transaction=True)
def test_with_recorded_answers_all_that_the_demo_promises_is_there(settings: Settings) -> None:
    player = Player(Cassettes.of(RECORDED))
    with endpoint(player) as url:
        settings.MODEL = {
            **site.MODEL,
            "base_url": url,
            "api_key": SecretStr("none"),
            "models": {"": "recorded"},
        }
        talk_here()
        talk_here()
    assert player.missed == []
    assert is_read(read_talk())
    user = MemoryUser.objects.get()
    assert set(ToRead.objects.values_list("status", flat=True)) == {
        ReadStatus.READ,
        ReadStatus.NOTHING,
    }
    early = Alert.every.filter(user=user).values_list("origin", "status")
    assert sorted(early) == [(Origin.CONCERN, "open"), (Origin.PROVISIONAL, "open")]
    assert Proposal.objects.open().get().origin == "model"
    held = HeldReading.objects.held().get()
    assert (held.kind, held.op, held.record_id) == ("health.Allergy", "retract", "ibuprofen")
    assert Record.objects.filter(kind="health.Allergy").get().record_id == "ibuprofen"
