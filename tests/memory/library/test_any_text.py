"""Whatever is typed: no rule fails, no summary is too long, order changes nothing."""

from datetime import date

from domains.health.schema import Allergy, Medication
from domains.travel.schema import Passport, Trip, Visa
from hypothesis import given
from hypothesis import strategies as st
from rules.drug_allergy import find_conflicts
from rules.passport_trip import find_passport_problems
from rules.visa_trip import find_visa_problems
from uac import row_of

row_of("")  # reads the tables, before the clock of the first example starts

KNOWN = ["penicillin", "Augmentin 500 mg", "NSAIDs", "cephalexin", "peanut", "NKDA", "Zorblax"]
PLACES = ["Japan", "USA", "France", "Germany", "Schengen", "Tokyo", ""]
LONG = st.sampled_from(["w" * 300, "Zorblax " * 40, "ﷺ" * 300])
TEXT = st.text(max_size=300) | LONG
NAME = st.sampled_from(KNOWN) | TEXT
PLACE = st.sampled_from(PLACES) | TEXT
DAY = st.none() | st.dates() | st.dates(date(2024, 1, 1), date(2026, 12, 31))


def ids(records):
    """The same records with ids of their own."""
    for number, record in enumerate(records):
        record.id = f"r{number:02d}"
    return records


def several(kind, **fields):
    return st.lists(st.builds(kind, id=st.just(""), **fields), max_size=4).map(ids)


MEDICATIONS = several(
    Medication,
    name=NAME,
    status=st.sampled_from(["considered", "prescribed", "taking", "stopped"]),
    stopped_on=DAY,
)
ALLERGIES = several(
    Allergy,
    substance=NAME,
    category=st.sampled_from([None, "medication", "food", "environment", "other"]),
    reaction=st.none() | TEXT | st.just("anaphylaxis"),
    severity=st.sampled_from([None, "mild", "moderate", "severe"]),
)
TRIPS = several(
    Trip,
    destination=PLACE,
    country=st.none() | PLACE,
    departs_on=DAY,
    returns_on=DAY,
    status=st.sampled_from(["considering", "planning", "booked", "done", "cancelled"]),
    passport_country=st.none() | PLACE,
)
PASSPORTS = several(Passport, issuing_country=PLACE, expires_on=DAY)
VISAS = several(
    Visa,
    country=PLACE,
    entries=st.sampled_from([None, "single", "multiple"]),
    valid_from=DAY,
    expires_on=DAY,
    status=st.sampled_from(["applied", "granted", "refused", "cancelled"]),
)
TODAY = st.dates() | st.dates(date(2024, 1, 1), date(2026, 12, 31))


def assert_sound(alerts):
    for alert in alerts:
        assert 0 < len(alert.summary) <= 140
        assert "\n" not in alert.summary
        assert len(alert.detail) <= 2000
        assert alert.severity in ("info", "warning", "critical")
        assert alert.evidence
        assert alert.action
        assert all(len(line) <= 200 for line in alert.unknown)
    identities = [(a.key, [(type(r), r.id) for r in a.evidence]) for a in alerts]
    assert all(identities.count(identity) == 1 for identity in identities)


@given(medications=MEDICATIONS, allergies=ALLERGIES, today=TODAY)
def test_drug_allergy(medications, allergies, today):
    alerts = find_conflicts(medications, allergies, today)
    assert_sound(alerts)
    assert find_conflicts(medications[::-1], allergies[::-1], today) == alerts


@given(trips=TRIPS, passports=PASSPORTS, today=TODAY)
def test_passport_trip(trips, passports, today):
    alerts = find_passport_problems(trips, passports, today)
    assert_sound(alerts)
    assert find_passport_problems(trips[::-1], passports[::-1], today) == alerts


@given(trips=TRIPS, visas=VISAS, today=TODAY)
def test_visa_trip(trips, visas, today):
    alerts = find_visa_problems(trips, visas, today)
    assert_sound(alerts)
    assert find_visa_problems(trips[::-1], visas[::-1], today) == alerts
