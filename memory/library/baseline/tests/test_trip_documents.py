from datetime import date

from domains.documents.schema import Document
from domains.travel.schema import Trip
from rules.trip_documents import find_document_problems

PAPERS_TODAY = date(2026, 3, 1)


def paper_trip(status="booked", **more):
    return Trip(
        id="perth",
        destination="Perth",
        departs_on=date(2026, 4, 10),
        returns_on=date(2026, 4, 20),
        status=status,
        documents=["permit"],
        **more,
    )


def permit(entries="multiple", expires_on=None, status="valid"):
    return Document(
        id="permit", name="entry permit", entries=entries, expires_on=expires_on, status=status
    )


def paper_severities(document, trip):
    return [a.severity for a in find_document_problems([trip], [document], [], PAPERS_TODAY)]


def test_a_permit_must_hold_on_every_day_of_the_trip():
    assert paper_severities(permit(expires_on=date(2026, 4, 9)), paper_trip()) == ["critical"]
    assert paper_severities(permit(expires_on=date(2026, 4, 10)), paper_trip()) == ["warning"]
    assert paper_severities(permit(expires_on=date(2026, 4, 20)), paper_trip()) == []


def test_an_idea_is_one_step_lower_and_another_paper_is_no_permit():
    short = date(2026, 4, 9)
    assert paper_severities(permit(expires_on=short), paper_trip("considering")) == ["warning"]
    assert paper_severities(permit(None, expires_on=short), paper_trip()) == ["warning"]
    assert paper_severities(permit(None, expires_on=short), paper_trip("considering")) == ["info"]


def test_lost_and_refused_papers_are_named_with_the_day_of_departure():
    found = find_document_problems([paper_trip()], [permit(status="lost")], [], PAPERS_TODAY)
    assert [a.summary for a in found] == [
        "Entry permit was lost; departure is Friday, April 10, 2026 to Perth"
    ]
    assert paper_severities(permit(status="refused"), paper_trip()) == ["critical"]
    assert paper_severities(permit(status="applied"), paper_trip()) == []


def test_a_paper_that_is_not_recorded_is_not_checked():
    found = find_document_problems([paper_trip()], [], [], PAPERS_TODAY)
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    assert find_document_problems([paper_trip("planning")], [], [], PAPERS_TODAY) == []


def test_a_single_entry_is_used_by_the_trips_that_name_the_permit():
    document = permit("single", date(2026, 12, 31))
    later = paper_trip()
    later.id, later.departs_on, later.returns_on = "broome", date(2026, 6, 1), None
    found = find_document_problems([later, paper_trip()], [document], [], PAPERS_TODAY)
    assert [(a.severity, a.key) for a in found] == [("warning", "second entry")]
    assert [record.id for record in found[0].evidence] == ["permit", "perth", "broome"]
    later.documents = []
    assert find_document_problems([later, paper_trip()], [document], [], PAPERS_TODAY) == []


def test_a_replaced_paper_and_the_new_one_are_judged_once():
    old = permit(status="replaced")
    new = Document(id="new", name="Entry permit", entries="multiple", expires_on=date(2026, 4, 9))
    trip = paper_trip()
    trip.documents = ["permit", "new"]
    found = find_document_problems([trip], [old, new], [], PAPERS_TODAY)
    assert [[record.id for record in a.evidence] for a in found] == [["new", "perth"]]
    assert [a.unknown for a in find_document_problems([trip], [old], [], PAPERS_TODAY)] == [
        ["the one that replaced it"],
        ["what the trip names"],
    ]
