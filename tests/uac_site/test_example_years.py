"""The example people's years, before anything is stored."""

from __future__ import annotations

from datetime import date

import pytest

from uac_site.examples.people import Person, read_everyday, read_people
from uac_site.examples.year import DAYS, Year

TODAY = date(2026, 11, 21)
PEOPLE = read_people()


def year_of(person: Person, today: date = TODAY) -> Year:
    return Year(person, read_everyday(), today)


@pytest.fixture(params=PEOPLE, ids=[person.external_id for person in PEOPLE])
def person(request: pytest.FixtureRequest) -> Person:
    """Each example person in turn."""
    example: Person = request.param
    return example


def test_the_same_day_gives_the_same_year(person: Person) -> None:
    assert year_of(person).moments() == year_of(person).moments()


def test_another_day_gives_other_ordinary_days(person: Person) -> None:
    texts = {moment.text for moment in year_of(person).moments()}
    later = {moment.text for moment in year_of(person, date(2026, 11, 22)).moments()}
    assert len(texts - later) > 50


def test_a_year_holds_some_hundred_different_facts(person: Person) -> None:
    texts = [moment.text for moment in year_of(person).moments()]
    assert 250 <= len(texts) <= 400
    assert len(set(texts)) == len(texts)


def test_every_slot_is_filled_and_every_sentence_begins_and_ends(person: Person) -> None:
    for moment in year_of(person).moments():
        for text in filter(None, (moment.text, moment.said, moment.reply)):
            assert "{" not in text
            assert text[0].isupper() or text[0].isdigit()
            assert text[-1] in ".!?"


def test_every_date_of_a_reading_is_filled(person: Person) -> None:
    readings = [one for moment in year_of(person).moments() for one in moment.readings]
    assert "{day" not in repr(readings)
    assert len([one for one in readings if one.kind != "notes.Note"]) >= 25


def test_who_told_it_speaks_of_themselves(person: Person) -> None:
    told = [moment for moment in year_of(person).moments() if moment.said]
    assert told
    assert [moment for moment in told if person.first_name in moment.said] == []


def test_a_year_ends_before_today_and_goes_forward(person: Person) -> None:
    moments = year_of(person).moments()
    dates = [moment.at.date() for moment in moments]
    assert dates == sorted(dates)
    assert dates[-1] < TODAY
    assert (TODAY - dates[0]).days <= DAYS


@pytest.mark.parametrize("today", [date(2028, 2, 29), date(2027, 1, 1), date(2027, 3, 29)])
def test_any_day_can_be_today(person: Person, today: date) -> None:
    assert year_of(person, today).moments()
