from datetime import date

from domains.schedule.schema import Engagement, Place
from rules.place_unavailable import find_unavailable

PLACE_TODAY = date(2026, 3, 2)


def stay_alerts(since=None, until=None, status="agreed"):
    house = Place(id="house", name="the house", since=since, until=until)
    room = Place(id="room", name="the guest room", part_of="house")
    stay = Engagement(id="stay", title="Visit", on=date(2026, 5, 4), place="room", status=status)
    return find_unavailable([stay], [house, room], {}, PLACE_TODAY)


def test_the_first_and_the_last_day_belong_to_it():
    assert stay_alerts(since=date(2026, 5, 4), until=date(2026, 5, 4)) == []
    assert stay_alerts() == []
    (late,) = stay_alerts(until=date(2026, 5, 3))
    assert (late.severity, late.due) == ("warning", date(2026, 5, 4))
    assert late.summary == (
        "Visit in the guest room on Monday, May 4, 2026 is 1 day after the last day of the house,"
        " Sunday, May 3, 2026"
    )
    (early,) = stay_alerts(since=date(2026, 5, 5))
    assert "1 day before the first day of the house" in early.summary
    assert [record.id for record in early.evidence] == ["stay", "house", "room"]


def test_of_what_lasts_each_day_counts():
    stay = Engagement(
        id="stay", title="Visit", on=date(2026, 5, 4), until=date(2026, 5, 8), place="house"
    )
    house = Place(id="house", name="the house", until=date(2026, 5, 8))
    assert find_unavailable([stay], [house], {}, PLACE_TODAY) == []
    house = Place(id="house", name="the house", until=date(2026, 5, 7))
    (alert,) = find_unavailable([stay], [house], {}, PLACE_TODAY)
    assert alert.due == date(2026, 5, 8)


def test_an_idea_is_information_and_what_is_over_is_nothing():
    (idea,) = stay_alerts(until=date(2026, 5, 3), status="considering")
    assert idea.severity == "info"
    assert stay_alerts(until=date(2026, 5, 3), status="cancelled") == []
    assert stay_alerts(until=date(2026, 5, 3), status="done") == []
