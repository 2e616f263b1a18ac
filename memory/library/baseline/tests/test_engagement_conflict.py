from datetime import date, time

from domains.people.schema import Person
from domains.possessions.schema import Thing
from domains.schedule.schema import Engagement, Place
from rules.engagement_conflict import find_engagement_conflicts

CONFLICT_DAY = date(2026, 3, 5)


def timed(name, start, end, status="agreed", people=None, place=None, things=None):
    return Engagement(
        id=name,
        title=name,
        on=CONFLICT_DAY,
        starts_at=start,
        ends_at=end,
        people=people or [],
        things=things or [],
        place=place,
        status=status,
    )


def conflicts(engagements, places=None):
    persons = [Person(id="ann", name="Ann"), Person(id="bank", name="Bank", sort="organisation")]
    things = [Thing(id="car", name="the car")]
    found = find_engagement_conflicts(engagements, persons, things, places or [], date(2026, 3, 2))
    turned = find_engagement_conflicts(
        engagements[::-1], persons, things, places or [], date(2026, 3, 2)
    )
    assert [a.summary for a in found] == [a.summary for a in turned]
    return found


def test_two_at_once_are_a_warning_and_an_idea_is_only_mentioned():
    dentist = timed("Dentist", time(10), time(11))
    talk = timed("Talk", time(10, 30), None)
    assert [a.severity for a in conflicts([dentist, talk])] == ["warning"]
    assert conflicts([dentist, talk])[0].unknown == ["when Talk ends"]
    talk = timed("Talk", time(10, 30), None, "considering")
    found = conflicts([dentist, talk])
    assert [a.severity for a in found] == ["info"]
    assert found[0].summary == (
        "Dentist (10:00 AM to 11:00 AM) and Talk (10:30 AM), an idea so far,"
        " would overlap on Thursday, March 5, 2026"
    )


def test_what_follows_is_no_conflict():
    assert conflicts([timed("A", time(10), time(11)), timed("B", time(11), time(12))]) == []
    assert conflicts([timed("A", time(10), None), timed("B", time(10, 1), None)]) == []


def test_people_and_things_are_taken_by_reference():
    ann = timed("Ann's lesson", time(10), time(11), people=["ann"])
    mine = timed("Lunch", time(10), time(11))
    assert conflicts([ann, mine]) == []
    both = timed("Lunch", time(10), time(11), people=["ann", "me"])
    assert [a.severity for a in conflicts([ann, both])] == ["warning"]
    one = timed("A", time(10), time(11), people=["bank"], things=["car"])
    other = timed("B", time(10), time(11), people=["ann"], things=["car"])
    assert "both need the car" in conflicts([one, other])[0].summary
    one = timed("A", time(10), time(11), people=["bank"])
    other = timed("B", time(10), time(11), people=["ann", "bank"])
    assert conflicts([one, other]) == []


def test_a_part_of_a_longer_one_at_the_same_place_is_silent():
    places = [Place(id="hall", name="Hall"), Place(id="room", name="Room", part_of="hall")]
    whole = timed("Fair", time(9), time(17), place="hall")
    part = timed("Opening", time(10), time(11), place="room")
    assert conflicts([whole, part], places) == []
    part = timed("Opening", time(16), time(18), place="room")
    assert [a.severity for a in conflicts([whole, part], places)] == ["warning"]


def test_days_on_a_conference_take_the_hours_and_not_the_nights():
    fair = Engagement(
        id="fair",
        title="Fair",
        on=date(2026, 3, 4),
        until=date(2026, 3, 6),
        starts_at=time(9),
        ends_at=time(17),
    )
    assert conflicts([fair, timed("Dinner", time(19), time(21))]) == []
    assert [a.severity for a in conflicts([fair, timed("Call", time(12), None)])] == ["warning"]
