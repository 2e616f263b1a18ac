"""A person about whom a word has been said everywhere, and where in the database it is found."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User as Staff
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.utils import timezone

from alerts.actions import override_alert
from alerts.delivery.tasks import tell
from alerts.delivery.webhooks import KINDS, Wishes, add_team_webhook
from alerts.escalation.policies import Manner, NewStep, add_step, set_manner
from alerts.models import Alert, Delivery, OverrideReason, Severity, Webhook
from memory.actions.index_words import index_batch, next_batch
from memory.actions.jobs import enqueue
from memory.actions.proposals import reject_proposal
from memory.audit import CONSOLE
from memory.evaluator import Would
from memory.models import (
    CallOutcome,
    CarePlacement,
    HeldReading,
    MemoryUser,
    ModelCall,
    Need,
    Proposal,
    ProposalOrigin,
    Stage,
    ToRead,
)
from tests.api_client import Api
from tests.facts import allergy, fact, medication, reading
from tests.proposals import approved, current, proposed
from tests.staff import ward

WORD = "quixotamol"
OTHER = "zanzibarone"


def told_everywhere(api: Api, staff: Staff, word: str = WORD) -> MemoryUser:
    """A new person, their name, log, code, alerts, proposals and jobs all with the word in them."""
    made = api.post("users", {"external_id": f"id-{word}", "display_name": f"Mx {word}"}).json()
    person = MemoryUser.objects.get(pk=made["user_id"])
    CarePlacement.objects.create(team=ward(), user=person, starts_at=timezone.now())
    said = {
        **allergy("penicillin", reaction=word),
        "source": f"src {word}",
        "session": f"ses {word}",
        "metadata": {word: [word]},
    }
    api.post_facts(person, said, key=f"key-{word}")
    api.append(person, medication("Amoxicillin"))
    api.append(person, fact(f"about {word}", reading("notes.Note", text=word)))
    api.append(person, allergy(word))
    turn = {"messages": [{"role": "user", "content": word}], "session": word}
    assert api.post(f"users/{person.pk}/messages", turn).status_code == 201
    _code(api, person, staff, word)
    _told_to_others(person)
    for alert in Alert.objects.filter(user=person, status="open"):
        override_alert(
            alert=alert,
            actor=staff,
            reason=OverrideReason.OTHER,
            comment=f"because of {word}",
            now=timezone.now(),
        )
    with transaction.atomic():
        enqueue(name="planted", user=person, now=timezone.now(), said=word)
    _model_call(person, word)
    _read(person, word)
    _need(person, word)
    _indexed(person)
    of_people = ContentType.objects.get_for_model(MemoryUser)
    LogEntry.objects.create(
        user=staff,
        content_type=of_people,
        object_id=str(person.pk),
        object_repr=str(person),
        action_flag=CHANGE,
    )
    return current(person)


def _told_to_others(person: MemoryUser) -> None:
    """Alerts escalated, in the end as an alert that nobody acknowledges, with what they say."""
    now, wishes = timezone.now(), Wishes("https://hooks.example.org/", list(KINDS), Severity.INFO)
    wishes = replace(wishes, tells_summary=True, people=[person.pk])
    webhook, _ = add_team_webhook(team=ward(), wishes=wishes, actor=CONSOLE, now=now)
    Webhook.objects.filter(pk=webhook.pk).update(since_event=0)
    manner = Manner("UTC", unanswered_minutes=1, unanswered_least=Severity.INFO)
    set_manner(team=ward(), manner=manner, actor=CONSOLE, now=now)
    step = NewStep(0, Severity.INFO, by_browser=True, by_email=True)
    add_step(team=ward(), step=step, actor=CONSOLE, now=now)
    tell(now=now + timedelta(hours=1))
    assert Delivery.objects.filter(user=person, channel="webhook").exists()
    assert Alert.objects.filter(user=person, origin="unanswered").exists()


def _read(person: MemoryUser, word: str) -> None:
    """What a model has read of the person, and what it holds."""
    ToRead.objects.filter(user=person).update(reason=word, found=[{"quote": word}])
    HeldReading.objects.create(
        user=person,
        fact_seq=1,
        kind="health.Allergy",
        record_id=word,
        op="retract",
        data={word: word},
        effective_at=timezone.now(),
        quote=word,
        held_at=timezone.now(),
    )


def _indexed(person: MemoryUser) -> None:
    """Everything said so far, as search finds it."""
    while (batch := next_batch(person.pk)) is not None:
        index_batch(batch)


def _need(person: MemoryUser, word: str) -> None:
    """What asks for code, and the proposal of a model that answers it and follows another."""
    follows = Proposal.objects.filter(user=person).latest("created_at")
    proposal = proposed(
        person,
        origin=ProposalOrigin.MODEL,
        model=word,
        provisional=Would(({**_finding(word), "evidence": []},), {word: word}),
        replay=[{"seq": 1, "on": "2026-03-06", "opened": [_finding(word)], "cleared": []}],
        attempts=[{"problem": word, "tree": None}],
        follows=follows.pk,
        comment=word,
    )
    Need.objects.create(
        user=person,
        fact_seq=1,
        cause="concern",
        needs="rule",
        about={"concern": 1, "summary": word, "records": []},
        status="proposed",
        proposal=proposal,
        reason=word,
        noted_at=timezone.now(),
        changed_at=timezone.now(),
    )


def _finding(word: str) -> dict[str, Any]:
    texts = dict.fromkeys(("rule", "key", "summary", "detail", "grade", "action"), word)
    return {**texts, "severity": "info", "basis": [], "unknown": [], "due": None}


def _model_call(person: MemoryUser, word: str) -> None:
    """A call about the person; its table has no place for a word, so the model is called so."""
    ModelCall.objects.create(
        user=person,
        attempt=1,
        stage=Stage.READ,
        endpoint="https://models.example.org/v1",
        model=word,
        prompt="read",
        prompt_digest="0" * 64,
        started_at=timezone.now(),
        outcome=CallOutcome.DONE,
    )


def _code(api: Api, person: MemoryUser, staff: Staff, word: str) -> None:
    """A version of their own with a kind called so, and a proposal that was turned down."""
    kind = f"{word}s.{word.title()}"
    api.append(person, fact(word, reading(kind, **{word: word, "count": 3})))
    approved(proposed(person), staff)
    api.append(person, fact(word, reading(f"other_{word}s.Gadget", **{word: word})))
    reject_proposal(
        proposal_id=proposed(person).pk,
        actor=staff,
        reason=f"no {word}",
        now=timezone.now(),
    )
    api.append(person, fact(word, reading(f"third_{word}s.Another", **{word: word})))
    proposed(person)


def found_in_tables(word: str) -> dict[str, int]:
    """How many rows of each table hold the word, in any column and any case."""
    found = {}
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            count = sum(word in _text(row) for row in cursor.fetchall())
        if count:
            found[table] = count
    return found


def _text(row: tuple[Any, ...]) -> str:
    return " ".join(str(value) for value in row).casefold()


def found_in_files(word: str) -> list[str]:
    """The files of an SQLite database that hold the word."""
    if connection.vendor != "sqlite":
        return []
    name = Path(str(connection.settings_dict["NAME"]))
    files = [path for path in name.parent.iterdir() if path.name.startswith(name.name)]
    assert files
    return [path.name for path in files if word.encode() in path.read_bytes().lower()]
