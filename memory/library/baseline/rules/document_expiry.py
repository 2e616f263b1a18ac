"""Warns of a document that the person has to renew when it is about to expire or has expired.

Only of what the person renews: a document recorded with `renewal="holder"` and held by the person.
What comes by itself, ends for good, or of which nobody said who renews it is left alone, and so are
visas: they are asked for anew, not renewed. A passport is renewed by its holder, but missed only on
a journey: within its last 30 days it is told of as information, unless a trip ahead outlasts it,
which the rule on passports and trips tells of.

The warning begins a third of the validity before the last day, 3 to 30 days (30 where nobody said
when it began), and stays for 90 days after it: who has not renewed by then does without. It names
a trip that departs in those days, of which no record says whether it needs the document.
"""

from datetime import date

from domains.commitments.schema import Commitment
from domains.commitments.state import commitments
from domains.documents.schema import Document
from domains.documents.state import documents
from domains.people.schema import Person
from domains.people.state import people
from domains.travel.schema import Passport, Trip
from domains.travel.state import passports, trips
from uac import Alert, day_from, gap, lead_from, long_date, same_country, sentence, shorten

TOLD_AFTER_EXPIRY = 90  # days


def is_renewed_by_me(document: Document) -> bool:
    """Whether the person has to see to a new one before a recorded day."""
    mine = document.holder is None or document.holder == "me"
    return mine and document.renewal == "holder" and document.status == "valid"


def plain_title(name: str) -> str:
    """A document's name as two ways of writing it have in common."""
    return " ".join(name.casefold().split())


def newer_documents(document: Document, documents: list[Document]) -> list[Document]:
    """The person's other documents of the same name that outlast this one, or are applied for."""
    name, until = plain_title(document.name), document.expires_on
    found = []
    for other in documents:
        if other.id == document.id or plain_title(other.name) != name:
            continue
        if (other.holder or "me") != (document.holder or "me"):
            continue
        lasts = other.expires_on is None or (until is not None and other.expires_on > until)
        if other.status == "applied" or (other.status == "valid" and lasts):
            found.append(other)
    return sorted(found, key=lambda d: (d.status != "valid", d.id))


def is_told_as_commitment(document: Document, commitments: list[Commitment]) -> bool:
    """Whether an open commitment of the person is about it, which then tells of both days."""
    for one in commitments:
        dated = one.due_on is not None or (
            one.counts_from_on is not None
            and (one.offset_days is not None or one.offset_months is not None)
        )
        mine = one.by_whom is None or one.by_whom == "me"
        is_open = one.status == "open" and one.done_on is None
        if one.document == document.id and dated and mine and is_open:
            return True
    return False


def is_told_with_a_trip(document: Document, trips: list[Trip], today: date) -> bool:
    """Whether it expires on a trip that uses it and is not over, which the trip's rule tells of."""
    until = document.expires_on
    for trip in trips:
        if trip.status not in ("planning", "booked") or document.id not in trip.documents:
            continue
        if trip.departs_on is None or trip.returns_on is None or until is None:
            continue
        if trip.departs_on <= until < trip.returns_on and today <= trip.returns_on:
            return True
    return False


def trips_after(document: Document, trips: list[Trip]) -> list[tuple[Trip, str]]:
    """The next trips that depart after the document's last day, and how long after it."""
    until = document.expires_on
    found = []
    for trip in sorted(trips, key=lambda t: (t.departs_on or date.max, t.id)):
        departs = trip.departs_on
        if trip.status in ("done", "cancelled") or departs is None or until is None:
            continue
        if trip.documents or not until < departs <= day_from(until, 0, TOLD_AFTER_EXPIRY):
            continue
        idea = ", an idea so far," if trip.status == "considering" else ""
        lies = f"{gap(until, departs)} the trip to {shorten(trip.destination, 40)}{idea}"
        found.append((trip, f"{lies} on {long_date(departs)}"))
    return found[:3]


def document_details(document: Document, people: dict[str, Person]) -> str:
    """Who issued it, its number and since when it is valid, as far as it was said."""
    issuer = people.get(document.issuer or "")
    since = document.valid_from or document.issued_on
    parts = [
        f"issued by {shorten(issuer.name)}" if issuer is not None else "",
        f"number {shorten(document.number)}" if document.number else "",
        f"valid since {long_date(since)}" if since is not None else "",
        "to be renewed by its holder",
    ]
    said = ", ".join([part for part in parts if part])
    return f"{said[:1].upper()}{said[1:]}."


def expiry_of_document(
    document: Document,
    newer: list[Document],
    people: dict[str, Person],
    trips: list[Trip],
    today: date,
) -> list[Alert]:
    """The alert for one document that the person renews, if it is time for it."""
    until = document.expires_on
    if until is None or (newer and newer[0].status == "valid"):
        return []
    first = lead_from(document.valid_from or document.issued_on, until)
    if today < first or today > day_from(until, 0, TOLD_AFTER_EXPIRY):
        return []
    over = until < today
    after = trips_after(document, trips)

    def words(name: str) -> str:
        if newer:
            tail = ", a new one is applied for"
        elif after:
            tail = f", {after[0][1]}"
        else:
            tail = ", no new one is recorded" if over else ", and is renewed by its holder"
        return f"{name} {'expired' if over else 'expires'} {long_date(until)}{tail}"

    asks = [f"whether the trip to {shorten(trip.destination)} needs it" for trip, _ in after]
    far = "".join([f" Its last day is {lies}." for _, lies in after])
    renew = "Renew it, or record the new one or that it is no longer needed."
    return [
        Alert(
            severity="info" if newer else "warning",
            summary=sentence(words, document.name),
            evidence=[document, *newer],
            detail=document_details(document, people) + far,
            unknown=asks,
            action="Record the new one when it has come." if newer else renew,
            due=None if newer else until,
        )
    ]


def expiry_of_passport(passport: Passport, trips: list[Trip], today: date) -> list[Alert]:
    """Information in the last days of a passport that no trip ahead outlasts."""
    until = passport.expires_on
    if until is None or not lead_from(passport.issued_on, until) <= today <= until:
        return []
    for trip in trips:
        last = trip.returns_on or trip.departs_on
        if trip.status in ("done", "cancelled") or trip.departs_on is None or last is None:
            continue
        abroad = not trip.country or not same_country(trip.country, passport.issuing_country or "")
        if abroad and trip.departs_on >= today and last > until:
            return []

    def words(country: str) -> str:
        return f"{country} passport expires {long_date(until)}"

    return [
        Alert(
            severity="info",
            summary=sentence(words, passport.issuing_country or "The"),
            evidence=[passport],
            detail="No trip ahead is recorded that outlasts it.",
            unknown=["whether the person will travel or needs it as proof of who they are"],
            action="Renew it before the next journey abroad.",
            due=until,
        )
    ]


def find_expiring(
    documents: list[Document],
    passports: list[Passport],
    trips: list[Trip],
    commitments: list[Commitment],
    people: list[Person],
    today: date,
) -> list[Alert]:
    """All alerts for these papers, the gravest first, whatever their order."""
    alerts: list[Alert] = []
    names = {person.id: person for person in people}
    for document in sorted(documents, key=lambda d: d.id):
        if not is_renewed_by_me(document) or is_told_as_commitment(document, commitments):
            continue
        if not is_told_with_a_trip(document, trips, today):
            newer = newer_documents(document, documents)
            alerts.extend(expiry_of_document(document, newer, names, trips, today))
    for passport in sorted(passports, key=lambda p: p.id):
        alerts.extend(expiry_of_passport(passport, trips, today))
    return sorted(alerts, key=lambda a: (a.severity != "warning", [r.id for r in a.evidence]))


def check(today: date) -> list[Alert]:
    """The alerts for the recorded documents and passports."""
    return find_expiring(documents, passports, trips, commitments, people, today)
