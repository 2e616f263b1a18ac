"""What was read and has no place, states what nothing watches, or comes up often, asks for code."""

from __future__ import annotations

from django.conf import settings as site
from django.utils import timezone
from pytest_django import Settings

from memory.actions.needs import note_needs
from memory.models import Job, MemoryUser, Need
from memory.tasks import run_job
from tests.api_client import Api
from tests.facts import Json, fact, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Script, answers
from tests.proposals import current

MAIL = "Only write to me, never call"
NOBODY_WRITES = {"read": "small"}
"""Models of a site on which one reads and none writes code."""


def read(server: Script, says: Post, settings: Settings, *facts: Json, **models: str) -> None:
    """Post what the facts quote, each in a turn, and run the jobs that read it."""
    settings.MODEL = {**site.MODEL, "models": models or NOBODY_WRITES}
    server.plays(answers(answer(*(entry(n, one) for n, one in enumerate(facts, 1)))))
    says(*(one["quote"] for one in facts))
    while (job := Job.objects.filter(name="read", status="queued").first()) is not None:
        run_job(str(job.pk))


def noted(person: MemoryUser) -> list[tuple[int, str, str, str]]:
    rows = Need.objects.filter(user=person).order_by("pk")
    return [(one.fact_seq, one.cause, one.needs, one.status) for one in rows]


def a_note(quote: str, topic: str = "tea") -> Json:
    return found(quote, reading("notes.Note", text=quote, topic=topic))


def test_what_fits_no_kind_and_needs_one_asks_for_it(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    read(server, says, settings, found("My boat is the Anna", needs="kind"))
    assert noted(person) == [(1, "reading", "kind", "open")]
    assert not Job.objects.filter(name="structure").exists()


def test_with_a_model_for_it_code_is_asked_for_at_once(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    read(server, says, settings, found("My boat is the Anna", needs="kind"), **{"": "small"})
    assert Job.objects.get(name="structure").user == person


def test_what_fits_and_what_needs_nothing_does_not_ask(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    fits = found("I take ibuprofen", reading("health.Medication", name="ibuprofen"))
    read(server, says, settings, fits, found("Nice day", fit="none", needs="nothing"))
    assert noted(person) == []


def test_a_prohibition_of_which_the_model_says_that_no_rule_watches_it_is_a_constraint(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    said = reading("preferences.Prohibition", what="calls")
    read(server, says, settings, found(MAIL, said, needs="rule"), **{"": "small"})
    assert noted(person) == [(1, "constraint", "rule", "open")]
    assert Need.objects.get().about == {"fields": ["preferences.Prohibition.what"]}
    assert Job.objects.filter(name="structure").exists()


def test_an_exact_reading_that_wants_a_rule_waits_a_day(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    said = found(
        "My Visa for China", reading("travel.Visa", country="China", entries="single"), needs="rule"
    )
    read(server, says, settings, said, **{"": "small"})
    assert noted(person) == [(1, "age", "rule", "open")]
    assert not Job.objects.filter(name="structure").exists()


def test_a_conflict_for_which_the_model_found_no_rule_asks_for_one_at_once(
    api: Api, person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    api.append(person, fact("My skis stay with Ben", reading("possessions.Thing", name="skis")))
    said = found("I take the skis to Davos", reading("notes.Note", text="skis"), needs="rule")
    beside = found("Snow is fine", reading("notes.Note", text="snow"))
    skis = {"kind": "possessions.Thing", "id": "skis"}
    noticed = {"number": 1, "quote": "the skis", "why": "", "severity": "info", "records": [skis]}
    concern = {**noticed, "summary": "The skis are with Ben"}
    settings.MODEL = {**site.MODEL, "models": {"": "small"}}
    server.plays(answers({**answer(entry(1, said, beside)), "concerns": [concern]}))
    says(f"{said['quote']}. {beside['quote']}")
    run_job(str(Job.objects.get(name="read", status="queued").pk))
    (need,) = Need.objects.filter(cause="reading")
    assert (need.fact_seq, need.needs, need.status) == (2, "rule", "open")
    assert need.about == {"summary": "The skis are with Ben", "records": [skis]}
    assert not Need.objects.filter(fact_seq=3).exists()
    assert Job.objects.filter(name="structure").exists()


def test_the_third_note_of_a_topic_asks_for_a_kind(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    read(server, says, settings, a_note("I like oolong"), a_note("Green tea is dull", "Tea "))
    assert noted(person) == []
    read(server, says, settings, a_note("Sencha tastes of grass"), a_note("I sold it", "car"))
    assert noted(person) == [(3, "notes", "kind", "open")]
    assert Need.objects.get().about == {"topic": "tea", "facts": [1, 2, 3]}
    read(server, says, settings, a_note("Assam is fine"), a_note("Mate is no tea"))
    assert len(noted(person)) == 1, "two new notes are not three"


def test_an_app_cannot_ask_by_what_it_writes_into_metadata(api: Api, person: MemoryUser) -> None:
    said = {**fact("x"), "metadata": {"read": {"fit": "none", "needs": "kind", "quote": "x"}}}
    api.append(person, said)
    assert note_needs(user=person, seqs=[1], now=timezone.now()) == 0
    assert noted(person) == []


def test_the_same_facts_ask_once(
    person: MemoryUser, server: Script, says: Post, settings: Settings
) -> None:
    read(server, says, settings, found("My boat is the Anna", needs="kind"))
    Need.objects.update(status="dropped")
    assert note_needs(user=current(person), seqs=[1], now=timezone.now()) == 0
    assert noted(person) == [(1, "reading", "kind", "dropped")]
