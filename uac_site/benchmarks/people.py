"""People with a known state, put into the log by the action that the API calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone

from alerts.evaluation.run import evaluate, queue_limits
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.actions.users import get_or_create_user
from memory.api.fields import MAX_BATCH
from memory.models import App, MemoryUser
from uac_site.benchmarks.conversation import Sentence

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)  # before anything that is posted about these people
AHEAD = 3  # trips that are still to begin; the others are over
COUNTRIES = ("Japan", "France", "Brazil", "Kenya", "Canada", "India", "Norway", "Peru")
DRUGS = ("metformin", "lisinopril", "atorvastatin", "omeprazole", "amlodipine", "sertraline")
FOODS = ("peanuts", "shellfish", "milk", "eggs", "soy", "wheat")


@dataclass(frozen=True)
class Person:
    """A person of the scratch database and where to post about them."""

    user: MemoryUser

    @property
    def facts(self) -> str:
        """The address that takes facts."""
        return f"/api/v1/users/{self.user.pk}/facts"


def make_person(app: App, name: str, readings: Iterable[NewReading]) -> Person:
    """A person with these records, evaluated through the last of them."""
    now = timezone.now()
    user, _ = get_or_create_user(
        external_id=name, display_name=name, timezone="UTC", actor=app, now=now
    )
    facts = [
        NewFact(text=f"{reading.kind} {number}", occurred_at=LONG_AGO, readings=(reading,))
        for number, reading in enumerate(readings, start=1)
    ]
    for start in range(0, len(facts), MAX_BATCH):
        append_facts(
            user_id=user.pk,
            facts=facts[start : start + MAX_BATCH],
            actor=app,
            now=now,
        )
    evaluate(user_id=user.pk, now=now, limits=queue_limits())
    return Person(user)


def trip_id(number: int) -> str:
    """The id of a person's trip."""
    return f"trip-{number}"


def departure(number: int, today: date) -> date:
    """When a trip begins: the first `AHEAD` lie ahead, four weeks apart, the others are over."""
    weeks = 4 * (number + 1) if number < AHEAD else -4 * (number + 1)
    return today + timedelta(weeks=weeks)


def trips(count: int, today: date) -> list[NewReading]:
    """Trips of two weeks to eight countries; those ahead are booked."""
    return [
        _said(
            "travel.Trip",
            trip_id(number),
            destination=f"Town {number}",
            country=COUNTRIES[number % len(COUNTRIES)],
            departs_on=departure(number, today).isoformat(),
            returns_on=(departure(number, today) + timedelta(weeks=2)).isoformat(),
            status="booked" if number < AHEAD else "done",
        )
        for number in range(count)
    ]


def passports(count: int, today: date) -> list[NewReading]:
    """Passports of ten years each, the last of which is new; the others have expired."""
    return [
        _said(
            "travel.Passport",
            f"passport-{number}",
            issuing_country=f"Home {number}",
            expires_on=(today + timedelta(days=3_600 * (1 - (count - 1 - number)))).isoformat(),
        )
        for number in range(count)
    ]


def visas(count: int, today: date) -> list[NewReading]:
    """Visas to the countries of the trips, valid for 75 days: too short for the last trip ahead."""
    return [
        _said(
            "travel.Visa",
            f"visa-{number}",
            country=COUNTRIES[number % len(COUNTRIES)],
            entries="multiple",
            valid_from=(today - timedelta(days=30 * number)).isoformat(),
            expires_on=(today + timedelta(days=75)).isoformat(),
        )
        for number in range(count)
    ]


def medications(count: int) -> list[NewReading]:
    """Ten courses of each of six drugs, of which the first is still taken."""
    return [
        _said(
            "health.Medication",
            f"medication-{number}",
            name=DRUGS[number // 10 % len(DRUGS)],
            dose=f"{5 * (number + 1)} mg",
            frequency="once a day",
            status="stopped" if number % 10 else "taking",
        )
        for number in range(count)
    ]


def allergies(count: int) -> list[NewReading]:
    """Allergies, the first of them to penicillin, the others to foods."""
    return [
        _said(
            "health.Allergy",
            f"allergy-{number}",
            substance=FOODS[number % len(FOODS)] if number else "penicillin",
            category="food" if number else "medication",
            reaction="hives",
        )
        for number in range(count)
    ]


def conditions(count: int) -> list[NewReading]:
    """Conditions, which no rule reads."""
    return [
        _said("health.Condition", f"condition-{number}", name=f"condition {number}")
        for number in range(count)
    ]


def notes(count: int, sentences: Sequence[Sentence]) -> list[NewReading]:
    """Notes, which no rule reads, with the conversation's sentences."""
    return [
        _said("notes.Note", f"note-{number}", text=sentences[number % len(sentences)].text)
        for number in range(count)
    ]


def traveller(today: date) -> list[NewReading]:
    """67 records that the rules of passports and visas read, 127 where each counts its own."""
    return [*trips(60, today), *passports(2, today), *visas(5, today)]


def everybody(today: date, sentences: Sequence[Sentence]) -> list[NewReading]:
    """500 records over all seven kinds, as many years of a person leave them."""
    typed = [
        *allergies(20),
        *medications(60),
        *conditions(20),
        *trips(60, today),
        *passports(2, today),
        *visas(5, today),
    ]
    return [*typed, *notes(500 - len(typed), sentences)]


def _said(kind: str, record_id: str, **data: Any) -> NewReading:
    return NewReading(kind, "assert", record_id, data)
