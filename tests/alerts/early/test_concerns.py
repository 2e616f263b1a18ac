"""What the model noticed: shown at once and once, few at a time, until a rule says it."""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.utils import timezone

from alerts.actions import ConcernNotOpen, dismiss_concern
from alerts.early.concerns import MOST_OPEN
from alerts.models import Alert, AlertEvent, EventKind
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.evaluator import evaluator
from memory.models import App, MemoryUser
from tests.alerts.early_words import (
    AMOXICILLIN,
    PENICILLIN,
    concern,
    events_of,
    noticed,
    statuses,
)
from tests.alerts.page import Page
from tests.alerts.standing import evaluated
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.together import paused_before, stores_findings, together


@pytest.fixture
def allergic(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with an allergy to penicillin."""
    api.append(person, allergy("penicillin", reaction="hives"))
    return person


def test_a_concern_shows_the_quote_and_the_records_as_they_stand(allergic: MemoryUser) -> None:
    (one,) = noticed(allergic, concern(records=(PENICILLIN, AMOXICILLIN)))
    assert (one.origin, one.rule, one.severity, one.status) == ("concern", "", "warning", "open")
    assert (one.quote, one.message_seq, one.facts) == ("I started amoxicillin", 1, [2])
    assert one.fact_seq == 1
    known, unknown = one.evidence
    assert (known["kind"], known["id"], known["facts"]) == (*PENICILLIN, [1])
    assert known["data"]["reaction"] == "hives"
    absent = {"kind": AMOXICILLIN[0], "id": AMOXICILLIN[1], "data": {}, "facts": []}
    assert unknown == absent
    assert events_of(one) == ["opened"]


def test_the_same_concern_twice_is_one(allergic: MemoryUser) -> None:
    again = concern(summary="Said in other words", severity="info", facts=(3,))
    assert len(noticed(allergic, concern(), concern())) == 1
    assert len(noticed(allergic, again)) == 1
    assert len(noticed(allergic, concern("I take amoxil"))) == 2
    assert len(noticed(allergic, concern(records=(AMOXICILLIN,)))) == 3


def test_the_same_concern_told_by_two_at_once_is_one(allergic: MemoryUser) -> None:
    together(*[partial(noticed, allergic, concern())] * 2)
    assert Alert.every.concerns().count() == 1
    assert AlertEvent.objects.count() == 1


def test_long_words_of_a_model_are_cut(allergic: MemoryUser) -> None:
    (one,) = noticed(allergic, concern(summary="a" * 300))
    assert one.summary == "a" * 139 + "…"


def test_a_concern_that_is_taken_back_with_its_facts_was_never_there(
    allergic: MemoryUser,
) -> None:
    with transaction.atomic():
        evaluator().notice(user=allergic, concerns=[concern()], now=timezone.now())
        transaction.set_rollback(True)
    assert not Alert.every.exists()


def test_a_concern_reaches_an_open_page(allergic: MemoryUser, caregiver: Staff) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            (one,) = await sync_to_async(noticed)(allergic, concern())
            (event,) = await page.events(1)
            assert (event["kind"], event["alert"]) == ("opened", one.pk)

    async_to_sync(scenario)()


def test_of_too_many_the_oldest_information_gives_way_and_says_so(
    allergic: MemoryUser, caplog: pytest.LogCaptureFixture
) -> None:
    graver = [concern(f"warning {number}") for number in range(2)]
    slighter = [concern(f"info {number}", severity="info") for number in range(MOST_OPEN - 2)]
    words = noticed(allergic, *graver, *slighter)
    assert statuses(words) == ["open"] * MOST_OPEN
    with caplog.at_level(logging.WARNING, logger="alerts.early.concerns"):
        words = noticed(allergic, concern("one more"))
    gone = words[2]
    assert gone.quote == "info 0"
    assert statuses(words) == ["open"] * 2 + ["resolved"] + ["open"] * (MOST_OPEN - 2)
    event = AlertEvent.objects.get(kind=EventKind.CLEARED)
    assert (event.alert_id, event.said_by_id) == (gone.pk, None)
    assert "gave way" in event.comment.lower()
    assert "1 concerns" in caplog.text


def test_of_too_many_warnings_the_oldest_gives_way_to_none_that_is_slighter(
    allergic: MemoryUser,
) -> None:
    words = noticed(allergic, *[concern(f"warning {number}") for number in range(MOST_OPEN)])
    words = noticed(allergic, concern("slight", severity="info"))
    assert statuses(words) == ["open"] * MOST_OPEN + ["resolved"]
    assert events_of(words[-1]) == ["opened", "cleared"]


# A rule that now says it


def test_a_rule_that_says_it_now_closes_the_concern(api: Api, allergic: MemoryUser) -> None:
    (one,) = noticed(allergic, concern())
    answer = api.append(allergic, medication("Amoxicillin"))  # fact 2, of which the concern is
    alert = Alert.objects.get()
    assert statuses([one]) == ["resolved"]
    event = AlertEvent.objects.get(alert=one, kind=EventKind.CLEARED)
    assert (event.said_by_id, event.fact_seq) == (alert.pk, 2)
    assert [told["id"] for told in answer["alerts"]["opened"]] == [alert.pk]
    assert answer["alerts"]["cleared"] == []


def test_an_alert_that_changes_may_say_it_too(api: Api, allergic: MemoryUser) -> None:
    api.append(allergic, medication("Amoxicillin"))
    (one,) = noticed(allergic, concern("It is worse than hives", facts=(3,)))
    api.append(allergic, allergy("penicillin", "update", reaction="anaphylaxis"))
    assert statuses([one]) == ["resolved"]
    assert AlertEvent.objects.get(alert=one, kind="cleared").said_by == Alert.objects.get()


def test_an_alert_on_all_the_records_says_it_whatever_the_facts(
    api: Api, allergic: MemoryUser
) -> None:
    words = noticed(allergic, concern(facts=(), records=(PENICILLIN, AMOXICILLIN)))
    api.append(allergic, medication("Amoxicillin"))
    assert statuses(words) == ["resolved"]


@pytest.mark.parametrize(
    "other",
    [
        concern(facts=(9,), records=(PENICILLIN, ("health.Medication", "warfarin"))),
        concern(facts=(), records=(PENICILLIN, ("health.Medication", "warfarin"))),
        concern(facts=(2,), records=(("health.Medication", "warfarin"),)),
        concern(facts=(9,), records=(PENICILLIN,)),
    ],
    ids=["another fact", "no fact", "another record", "its one record, another fact"],
)
def test_an_alert_about_something_else_leaves_the_concern(
    api: Api, allergic: MemoryUser, other: object
) -> None:
    words = noticed(allergic, other)  # type: ignore[arg-type]
    api.append(allergic, medication("Amoxicillin"))
    assert Alert.objects.count() == 1
    assert statuses(words) == ["open"]


def test_an_evaluation_that_finds_nothing_leaves_the_concern(
    api: Api, allergic: MemoryUser
) -> None:
    words = noticed(allergic, concern())
    api.append(allergic, note("I like tea"), medication("Paracetamol"))
    assert statuses(words) == ["open"]


def test_a_concern_is_closed_with_the_alert_or_not_at_all(api: Api, allergic: MemoryUser) -> None:
    """What opens the alert is one transaction with what closes the concern."""
    (one,) = noticed(allergic, concern())
    api.append(allergic, medication("Amoxicillin"))
    opened = AlertEvent.objects.get(alert=Alert.objects.get())
    closed = AlertEvent.objects.get(alert=one, kind="cleared")
    assert closed.pk == opened.pk + 1
    assert closed.at == opened.at


def test_a_concern_dismissed_while_the_rules_ran_stays_dismissed(
    app: App, allergic: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    (one,) = noticed(allergic, concern())
    append_facts(
        user_id=allergic.pk,
        facts=[
            NewFact(
                "x", readings=(NewReading(AMOXICILLIN[0], "assert", None, {"name": "Amoxicillin"}),)
            )
        ],
        actor=app,
        now=now,
    )  # as a process does that dies before it evaluates
    with paused_before(stores_findings, partial(evaluated, allergic)) as paused:
        dismiss_concern(alert=one, actor=caregiver, comment="", now=now)
        paused.finish()
    assert Alert.objects.get().status == "open"
    assert (statuses([one]), events_of(one)) == (["overridden"], ["opened", "dismissed"])


def test_a_concern_is_dismissed_or_said_by_a_rule_never_both(
    api: Api, allergic: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    (one,) = noticed(allergic, concern())

    def dismiss() -> str:
        try:
            return dismiss_concern(alert=one, actor=caregiver, comment="", now=now).kind
        except ConcernNotOpen:
            return "cleared"

    _, became = together(partial(api.append, allergic, medication("Amoxicillin")), dismiss)
    assert events_of(one) == ["opened", became]
    assert statuses([one]) == ["resolved" if became == "cleared" else "overridden"]
