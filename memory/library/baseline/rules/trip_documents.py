"""Warns of a document that a trip is made on and that does not hold for it: expired, lost, used up.

Only the documents that the trip names; passports and visas have rules of their own. Which papers a
country or a carrier asks for is outside what this rule knows. Without a document that permits entry
(one with `entries`) the trip cannot be made, which is critical; without another it may be, which is
a warning. A trip that is only an idea is one step lower. A booked trip counts until it is over.
"""

from datetime import date

from domains.documents.schema import Document
from domains.documents.state import documents
from domains.people.schema import Person
from domains.people.state import people
from domains.travel.schema import Trip
from domains.travel.state import trips
from uac import (
    Alert,
    day_from,
    gap,
    journey_words,
    last_day_of_trip,
    long_date,
    sentence,
    shorten,
    surest_first,
)

DOCUMENT_RANKS = {"critical": 0, "warning": 1, "info": 2}
ONE_STEP_LOWER = {"critical": "warning", "warning": "info", "info": "info"}
APPLIED_TOLD_DAYS = 30  # before departure, as information
APPLIED_NEAR_DAYS = 10  # before departure, as a warning


def is_not_over(trip: Trip, today: date) -> bool:
    """Whether the trip is ahead, or booked and under way, as far as its dates are known."""
    last = last_day_of_trip(trip)
    if trip.status in ("done", "cancelled") or trip.departs_on is None or last is None:
        return False
    return trip.departs_on >= today or (trip.status == "booked" and last >= today)


def grade_for_trip(severity: str, document: Document, trip: Trip) -> str:
    """Critical only for a permit to enter; one step lower for a trip that is only an idea."""
    if severity == "critical" and document.entries is None:
        severity = "warning"
    return ONE_STEP_LOWER[severity] if trip.status == "considering" else severity


def paper_words(document: Document, people: dict[str, Person]) -> str:
    """Whose the document is, who issued it and the days it holds, as far as they were said."""
    parts = [shorten(document.name)]
    holder = people.get(document.holder or "")
    if holder is not None and holder.id != "me":
        parts.append(f"of {shorten(holder.name)}")
    issuer = people.get(document.issuer or "")
    if issuer is not None:
        parts.append(f"issued by {shorten(issuer.name)}")
    if document.valid_from is not None:
        parts.append(f"valid from {long_date(document.valid_from)}")
    if document.expires_on is not None:
        parts.append(f"valid until {long_date(document.expires_on)}")
    return ", ".join(parts)


def paper_alert(
    severity: str,
    document: Document,
    trip: Trip,
    people: dict[str, Person],
    tail: str,
    action: str,
    key: str,
) -> Alert:
    """An alert on one document and one trip; `tail` stands between their names."""

    def words(name: str, destination: str) -> str:
        idea = " (an idea so far)" if trip.status == "considering" else ""
        return f"{name} {tail} {destination}{idea}"

    return Alert(
        severity=grade_for_trip(severity, document, trip),
        summary=sentence(words, document.name, trip.destination),
        evidence=[document, trip],
        detail=f"{paper_words(document, people)}. {journey_words(trip)}.",
        unknown=[] if trip.returns_on else ["the day of return"],
        action=action,
        key=key,
        due=trip.departs_on,
    )


def paper_status_problem(
    document: Document, trip: Trip, people: dict[str, Person], today: date
) -> list[Alert]:
    """The alert when the document is not in the person's hands."""
    if trip.departs_on is None:
        return []
    departs, status = long_date(trip.departs_on), document.status
    if status in ("refused", "lost", "returned"):
        given = "given back" if status == "returned" else status
        tail = f"was {given}; departure is {departs} to"
        action = "Find out whether another can be had in time, or whether the trip can go without."
        return [paper_alert("critical", document, trip, people, tail, action, status)]
    if status != "applied" or today < day_from(trip.departs_on, 0, -APPLIED_TOLD_DAYS):
        return []
    near = today >= day_from(trip.departs_on, 0, -APPLIED_NEAR_DAYS)
    tail = f"is applied for, not recorded as received; departure is {departs} to"
    action = "Ask how the application stands, and record the document when it has come."
    severity = "warning" if near else "info"
    return [paper_alert(severity, document, trip, people, tail, action, "applied")]


def paper_date_problem(
    document: Document, trip: Trip, people: dict[str, Person], today: date
) -> list[Alert]:
    """The alert when the document does not hold on all days of the trip."""
    departs, last = trip.departs_on, last_day_of_trip(trip)
    begins, until = document.valid_from, document.expires_on
    if departs is None or last is None:
        return []
    if until is not None and until < departs:
        verb = "expired" if until < today else "expires"
        tail = f"{verb} {long_date(until)}, {gap(until, departs)} departure to"
        action = "Get one that holds for the trip, or move the trip."
        return [paper_alert("critical", document, trip, people, tail, action, "expired")]
    if begins is not None and begins > departs:
        tail = f"is not valid before {long_date(begins)}, {gap(begins, departs)} departure to"
        action = "Get one that holds from the day of departure, or move the trip."
        return [paper_alert("critical", document, trip, people, tail, action, "not yet valid")]
    if until is not None and until < last:
        verb = "expired" if until < today else "expires"
        tail = f"{verb} {long_date(until)}, {gap(until, last)} return from"
        action = "Extend it to the day of return, or come back before it ends."
        key = "expires during the trip"
        return [paper_alert("warning", document, trip, people, tail, action, key)]
    return []


def paper_not_checked(
    trip: Trip, document: Document | None, missing: str, key: str = "not checked"
) -> list[Alert]:
    """Says of a booked trip what is missing to check its document; of any other nothing."""
    if trip.status != "booked":
        return []

    def words(destination: str, name: str) -> str:
        lack = f"{missing} is not recorded"
        return f"{name} for the booked trip to {destination} was not checked: {lack}"

    name = document.name if document is not None else "A document"
    return [
        Alert(
            severity="info",
            summary=sentence(words, trip.destination, name),
            evidence=[trip] if document is None else [document, trip],
            grade="not checked",
            unknown=[missing],
            action="Record the document with its days.",
            key=key,
        )
    ]


def paper_successor(document: Document, documents: list[Document]) -> Document | None:
    """The document itself; of a replaced one the valid one of its name that lasts longest."""
    if document.status != "replaced":
        return document
    name = document.name.casefold().strip()
    newer = [
        d
        for d in documents
        if d.id != document.id
        and d.status in ("valid", "applied")
        and d.name.casefold().strip() == name
        and (d.holder or "me") == (document.holder or "me")
    ]
    newer.sort(
        key=lambda d: (d.status != "valid", (date.max - (d.expires_on or date.max)).days, d.id)
    )
    return newer[0] if newer else None


def papers_of_trip(
    trip: Trip, documents: list[Document], people: dict[str, Person], today: date
) -> list[Alert]:
    """The alerts for the documents that a trip names, at most one for each."""
    alerts: list[Alert] = []
    judged: list[str] = []
    known = {document.id: document for document in documents}
    for document_id in dict.fromkeys(trip.documents):
        named = known.get(document_id)
        if named is None:
            missing, key = "what the trip names", f"gone {document_id}"
            alerts.extend(paper_not_checked(trip, None, missing, key))
            continue
        document = paper_successor(named, documents)
        if document is None:
            alerts.extend(paper_not_checked(trip, named, "the one that replaced it"))
        elif document.id not in judged:
            judged.append(document.id)
            alerts.extend(paper_of_trip(document, trip, people, today))
    return alerts


def paper_of_trip(
    document: Document, trip: Trip, people: dict[str, Person], today: date
) -> list[Alert]:
    """The alert for one document of a trip, if any."""
    found = paper_status_problem(document, trip, people, today)
    found = found or paper_date_problem(document, trip, people, today)
    if found or document.expires_on is not None or document.status != "valid":
        return found
    return paper_not_checked(trip, document, "its last day")


def no_entry_left(document: Document, first: Trip, second: Trip) -> Alert:
    """The alert for a second trip on a document for a single entry."""
    done = first.status == "done"
    departs = long_date(second.departs_on) if second.departs_on else "on a day not recorded"
    spent = "already used for" if done else "needed for"

    def words(name: str, before: str, after: str) -> str:
        return f"Single-entry {name} is {spent} {before}: no entry left for {after}, {departs}"

    severity = "critical" if done and second.status == "booked" else "warning"
    return Alert(
        severity=grade_for_trip(severity, document, second),
        summary=sentence(words, document.name, first.destination, second.destination),
        evidence=[document, first, second],
        detail=f"{journey_words(first)}. {journey_words(second)}.",
        unknown=[] if first.returns_on else ["the day of return from the first trip"],
        action="Apply for a new one for the second trip.",
        key="second entry",
        due=second.departs_on,
    )


def entries_used(document: Document, trips: list[Trip]) -> list[Trip]:
    """The trips that name the document and fall within its days, the surest first."""
    used = []
    for trip in trips:
        entered = trip.departs_on
        if document.id not in trip.documents or trip.status == "cancelled" or entered is None:
            continue
        early = document.valid_from is not None and entered < document.valid_from
        if not early and (document.expires_on is None or entered <= document.expires_on):
            used.append(trip)
    return surest_first(used)


def single_entry_problems(document: Document, trips: list[Trip], today: date) -> list[Alert]:
    """The alerts for the trips ahead that would need a second entry on a single-entry document."""
    if document.entries != "single" or document.status not in ("valid", "applied"):
        return []
    used = entries_used(document, trips)
    alerts = []
    for trip in used[1:]:
        first = used[0]
        ahead = trip.departs_on is not None and trip.departs_on >= today
        began, left = first.departs_on, last_day_of_trip(first)
        ends = last_day_of_trip(trip)
        if not ahead or trip.departs_on is None or began is None or left is None or ends is None:
            continue
        # Days that touch or overlap are one stay, such as two towns of one journey.
        if is_not_over(trip, today) and (trip.departs_on > left or ends < began):
            alerts.append(no_entry_left(document, first, trip))
    return alerts


def find_document_problems(
    trips: list[Trip], documents: list[Document], people: list[Person], today: date
) -> list[Alert]:
    """All alerts for these trips and documents, the gravest first, whatever their order."""
    alerts: list[Alert] = []
    names = {person.id: person for person in people}
    for trip in sorted(trips, key=lambda t: t.id):
        if trip.documents and is_not_over(trip, today):
            alerts.extend(papers_of_trip(trip, documents, names, today))
    for document in sorted(documents, key=lambda d: d.id):
        alerts.extend(single_entry_problems(document, trips, today))
    return sorted(
        alerts, key=lambda a: (DOCUMENT_RANKS[a.severity], [r.id for r in a.evidence], a.key)
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded trips and the documents that they name."""
    return find_document_problems(trips, documents, people, today)
