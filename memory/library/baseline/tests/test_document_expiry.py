from datetime import date

from domains.commitments.schema import Commitment
from domains.documents.schema import Document
from domains.travel.schema import Passport, Trip
from rules.document_expiry import find_expiring


def licence(renewal="holder", status="valid", issued_on=None):
    return Document(
        id="licence",
        name="driving licence",
        issued_on=issued_on,
        expires_on=date(2026, 3, 31),
        renewal=renewal,
        status=status,
    )


def told_of(documents, today, commitments=None, trips=None, passports=None):
    found = find_expiring(documents, passports or [], trips or [], commitments or [], [], today)
    return [a.severity for a in found]


def test_a_licence_is_told_of_for_thirty_days_before_and_ninety_after():
    assert told_of([licence()], date(2026, 2, 28)) == []
    assert told_of([licence()], date(2026, 3, 1)) == ["warning"]
    assert told_of([licence()], date(2026, 6, 29)) == ["warning"]
    assert told_of([licence()], date(2026, 6, 30)) == []


def test_a_short_validity_has_a_short_lead():
    short = licence(issued_on=date(2026, 3, 10))
    assert told_of([short], date(2026, 3, 23)) == []
    assert told_of([short], date(2026, 3, 24)) == ["warning"]


def test_only_what_the_person_renews_is_counted_down():
    today = date(2026, 3, 20)
    assert told_of([licence(renewal="automatic")], today) == []
    assert told_of([licence(renewal="none")], today) == []
    assert told_of([licence(renewal=None)], today) == []
    assert told_of([licence(status="replaced")], today) == []


def test_a_commitment_to_renew_it_tells_instead():
    renew = Commitment(id="c", title="Renew", due_on=date(2026, 3, 26), document="licence")
    assert told_of([licence()], date(2026, 3, 20), [renew]) == []
    renew.status = "done"
    assert told_of([licence()], date(2026, 3, 20), [renew]) == ["warning"]


def test_a_passport_is_information_unless_a_trip_outlasts_it():
    passport = Passport(id="us", issuing_country="United States", expires_on=date(2026, 3, 31))
    today = date(2026, 3, 20)
    assert told_of([], today, passports=[passport]) == ["info"]
    trip = Trip(id="rome", destination="Rome", country="Italy", departs_on=date(2026, 4, 1))
    assert told_of([], today, passports=[passport], trips=[trip]) == []
    assert told_of([], date(2026, 4, 1), passports=[passport]) == []
