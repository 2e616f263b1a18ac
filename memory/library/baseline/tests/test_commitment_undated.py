from datetime import date

from domains.commitments.schema import Commitment
from domains.schedule.schema import Engagement
from rules.commitment_undated import find_undated_commitments


def missing_words(engagements=None, **more):
    commitment = Commitment(id="c", title="return the router", **more)
    today = date(2026, 3, 10)
    found = find_undated_commitments([commitment], engagements or [], [], [], today)
    return [a.unknown for a in found]


def test_what_is_missing_is_named():
    assert missing_words(counts_from="delivery", offset_days=30) == [["the day of delivery"]]
    assert missing_words(counts_from="delivery", counts_from_on=date(2026, 3, 1)) == [
        ["how long before or after delivery it is due"]
    ]


def test_where_nothing_is_missing_it_is_silent():
    assert missing_words() == []
    assert missing_words(due_on=date(2026, 3, 1)) == []
    assert missing_words(counts_from_on=date(2026, 3, 1), offset_months=0) == []
    assert missing_words(counts_from="delivery", offset_days=30, status="done") == []
    assert missing_words(counts_from="delivery", offset_days=30, by_whom="ana") == []


def test_an_engagement_must_have_one_day():
    scan = Engagement(id="scan", title="MRI", on=date(2026, 3, 16))
    assert missing_words([scan], engagement="scan", offset_days=-3) == []
    scan.repeats = "monthly"
    assert len(missing_words([scan], engagement="scan", offset_days=-3)) == 1
    assert missing_words([], engagement="scan", offset_days=-3) == [
        ["the day of the engagement it counts from"]
    ]


def test_what_was_said_within_the_week_may_still_be_completed():
    assert missing_words(counts_from="delivery", offset_days=30, said_on=date(2026, 3, 4)) == []
    assert len(missing_words(counts_from="delivery", offset_days=30, said_on=date(2026, 3, 3))) == 1
