"""Warns of two engagements that take the same person, thing or exclusive place at the same time.

A person is taken by clock times, and by an engagement agreed for all day: other whole days of a
calendar (birthdays, deadlines, "working from home") leave room. A thing or an exclusive place is
taken by every whole day. Only minutes that both surely take count, and travel is not guessed, but
who begins at one place is not at another within an hour. What lies within the other at the same
place, or within a working day, is part of it. How much either matters is not recorded, so two firm
engagements are a warning and never more, and an idea is only mentioned.
"""

from datetime import date

from domains.people.schema import Person
from domains.people.state import people
from domains.possessions.schema import Thing
from domains.possessions.state import things
from domains.schedule.schema import Engagement, Place
from domains.schedule.state import engagements, places
from uac import (
    BY_CLOCK,
    Alert,
    ClashContext,
    EngagementClash,
    TimeStretch,
    brief_date,
    claims_of,
    claims_person,
    clashes_of,
    clock_of_minute,
    day_and_time,
    engagement_terms,
    first_meeting,
    fullest,
    hours_words,
    long_date,
    names_by_id,
    repeats_horizon,
    same_spot,
    shorten,
    speaker_words,
    stands_in,
    takes_more_than_persons,
    whole_of_day,
    zone_of_engagement,
)

ROUTINES = ("daily", "weekdays")
CONFLICT_RANKS = {"warning": 0, "info": 1}


def is_within(inner: TimeStretch, outer: TimeStretch) -> bool:
    """Whether the whole of one lies in the time of the other."""
    return outer.start <= inner.start and inner.end <= outer.end


def belongs_to_day(clash: EngagementClash) -> bool:
    """Whether one may be part of the other, which takes all day: guests or words in common."""
    guests = [claim for claim in clash.shared if claim != "person:me"]
    words = [
        {word for word in e.title.casefold().replace("'", " ").split() if len(word) > 4}
        for e in (clash.first, clash.second)
    ]
    return bool(guests or words[0] & words[1])


def is_part(clash: EngagementClash, diary: ClashContext) -> bool:
    """Whether one is part of the other: within it at the same place, or in a working day.

    Two with the very same times at the same place are not told apart from one recorded twice.
    """
    one, other = first_meeting(clash)
    within = is_within(one, other) or is_within(other, one)
    same_time = is_within(one, other) and is_within(other, one)
    theirs = claims_of(clash.second, diary)
    persons = [c for c in claims_of(clash.first, diary) if c in theirs and claims_person(c)]
    if within and persons and same_spot(clash, diary):
        return not same_time
    routines = [e for e in (clash.first, clash.second) if e.repeats in ROUTINES]
    if len(routines) != 1 or takes_more_than_persons(clash):
        return False
    if whole_of_day(clash) is not None:
        return True  # of a working day one knows
    routine = one if one.record.repeats in ROUTINES else other
    apart = clash.first.place and clash.second.place and not same_spot(clash, diary)
    return not apart and is_within(other if routine is one else one, routine)


def told_twice(clash: EngagementClash, diary: ClashContext) -> bool:
    """Whether both may be one engagement that was told twice, perhaps in other words."""
    one, other = first_meeting(clash)
    if is_within(one, other) and is_within(other, one) and same_spot(clash, diary):
        return True
    apart = clash.first.place and clash.second.place and not same_spot(clash, diary)
    first, second = [set(e.title.casefold().split()) for e in (clash.first, clash.second)]
    # "dentist" and "dentist appointment" at ten o'clock.
    return not apart and one.start == other.start and (first <= second or second <= first)


def zones_of(clash: EngagementClash, diary: ClashContext) -> list[str]:
    """The different time zones recorded of the two places; empty where they are the same."""
    found = [zone_of_engagement(clash.first, diary), zone_of_engagement(clash.second, diary)]
    return found if found[0] != found[1] else []


def shared_words(clash: EngagementClash, diary: ClashContext) -> str:
    """What both take, the person remembered apart; empty when it is them alone."""
    return claim_words(clash.shared, diary)


def claim_words(claims: list[str], diary: ClashContext) -> str:
    """What is claimed, by name; the person remembered is left out where nothing else is."""
    words = []
    for claim in claims:
        sort, _, known = claim.partition(":")
        if sort == "person" and (known != "me" or len(claims) > 1):
            words.append(speaker_words(diary.names, known))
        elif sort == "thing":
            words.append(diary.things[known].name if known in diary.things else "the same thing")
        elif sort == "place":
            words.append(diary.places[known].name)
    return " and ".join([shorten(word, 30) for word in words])


def hours_of(clash: EngagementClash) -> str:
    """From when to when the two surely meet for the first time; empty for whole days."""
    one, other = first_meeting(clash)
    if one.level != BY_CLOCK and other.level != BY_CLOCK:
        return ""
    start, end = max(one.start, other.start), min(one.end, other.end)
    if end - start == 1:
        return f" at {clock_of_minute(start)}"
    return f", {clock_of_minute(start)} to {clock_of_minute(end)}"


def gaps_of(clash: EngagementClash, diary: ClashContext) -> list[str]:
    """What nobody has said and would change the judgement."""
    unknown = []
    one, other = first_meeting(clash)
    whole = whole_of_day(clash)
    if whole is not None:
        unknown.append(f"whether {shorten(whole.title)} leaves time for the other")
        if belongs_to_day(clash):
            unknown.append("whether the one is part of the other")
    for stretch in (one, other):
        engagement = stretch.record
        title = shorten(engagement.title)
        if not engagement.all_day and engagement.starts_at is None:
            unknown.append(f"when {title} begins")
        if not engagement.all_day and engagement.ends_at is None:
            unknown.append(f"when {title} ends")
        if stands_in(stretch.day, engagement.on, engagement.repeats):
            unknown.append(f"on which day {title} is in a month without day {engagement.on.day}")
    if zones_of(clash, diary):
        unknown.append("whether both times are of the same time zone")
    if told_twice(clash, diary):
        unknown.append("whether both are the same engagement")
    return unknown


def doubt_of(clash: EngagementClash, diary: ClashContext) -> str:
    """Why it cannot be said whether the two meet; empty when it can."""
    if zones_of(clash, diary):
        zones = [zone for zone in zones_of(clash, diary) if zone]
        return "their time zones differ" if len(zones) == 2 else "one time zone is not recorded"
    return "" if clash.sure else "a time is not recorded"


def grade_of(clash: EngagementClash, diary: ClashContext) -> str:
    """A warning for two firm engagements that surely meet; else information."""
    one, other = first_meeting(clash)
    twice = told_twice(clash, diary)
    moved = [s for s in (one, other) if stands_in(s.day, s.record.on, s.record.repeats)]
    routines = [s for s in (one, other) if s.record.repeats in ROUTINES]
    persons_only = not takes_more_than_persons(clash)
    idea = "considering" in (clash.first.status, clash.second.status)
    if idea or moved or (twice and persons_only) or (len(routines) == 1 and persons_only):
        return "info"
    if whole_of_day(clash) is not None:
        # What comes again and again is left out for a day; what may be part of it is no conflict.
        again = [e for e in (clash.first, clash.second) if e.repeats is not None]
        return "info" if again or belongs_to_day(clash) else "warning"
    return "warning"


def day_summary(clash: EngagementClash, whole: Engagement) -> str:
    """The sentence on one that takes the whole day of the other."""
    other = clash.second if clash.first is whole else clash.first
    idea = other.status == "considering"
    verb = ", an idea so far, would conflict with" if idea else " conflicts with"
    when = day_and_time(other, min(clash.meets))

    def words(first: str, second: str) -> str:
        return f"{second} on {when}{verb} {first}, which takes the whole day"

    return fullest([words], whole.title, other.title)


def starts_summary(clash: EngagementClash) -> str:
    """The sentence on two that begin soon after each other at different places."""
    one, other = sorted(first_meeting(clash), key=lambda stretch: stretch.start)
    start, late = [clock_of_minute(stretch.start) for stretch in (one, other)]
    day = long_date(min(clash.meets))
    idea = "considering" in (clash.first.status, clash.second.status)
    verb = "would conflict (one is an idea so far)" if idea else "conflict"

    def words(first: str, second: str) -> str:
        return f"{first} at {start} and {second} at {late} on {day} {verb}: two places"

    return fullest([words], one.record.title, other.record.title)


def clash_summary(clash: EngagementClash, diary: ClashContext, doubt: str) -> str:
    """The sentence: which two, what both take, when, and how often again."""
    whole, (start, later) = whole_of_day(clash), first_meeting(clash)
    if whole is not None:
        return day_summary(clash, whole)
    if not doubt and (start.end <= later.start or later.end <= start.start):
        return starts_summary(clash)
    one, other = clash.first, clash.second
    if one.status == "considering":
        one, other = other, one
    idea = other.status == "considering"
    shared = shared_words(clash, diary)
    day = long_date(min(clash.meets))
    again = len(clash.meets) - 1

    def words(first: str, second: str, when: str = "") -> str:
        if doubt:
            both = f"both need {shared}" if shared else "overlap"
            return f"Whether {first} and {second} {both} on {day} was not checked: {doubt}"
        return joined(first, second, f"{when or day}{hours_of(clash)}")

    def timed_words(first: str, second: str, when: str = "") -> str:
        return joined(f"{first} ({own[0]})", f"{second} ({own[1]})", when or day)

    def joined(first: str, second: str, when: str) -> str:
        more = f", and {again} more time{'s' if again > 1 else ''}" if again else ""
        late = f"{second}, an idea so far," if idea else second
        if not shared:
            return f"{first} and {late} {'would overlap' if idea else 'overlap'} on {when}{more}"
        pair = f"{first} conflicts with {second}"
        if idea:
            pair = f"{late} would conflict with {first}"
        return f"{pair} on {when}{more}: both need {shared}"

    def brief_words(first: str, second: str) -> str:
        return words(first, second, brief_date(min(clash.meets)))

    def timed_brief_words(first: str, second: str) -> str:
        return timed_words(first, second, brief_date(min(clash.meets)))

    own = [hours_words(one), hours_words(other)]
    timed = [timed_words, timed_brief_words] if own[0] and own[1] and not doubt else []
    return fullest([*timed, words, brief_words], one.title, other.title)


def only_one_of(clash: EngagementClash, diary: ClashContext) -> str:
    """What follows where both stand: `Only one of them can have the car then.`"""
    if not takes_more_than_persons(clash):
        return "Nobody can be at both at once."
    kept = [claim for claim in clash.shared if not claims_person(claim)]
    return f"Only one of the two can have {claim_words(kept, diary)} then."


def clash_alert(clash: EngagementClash, diary: ClashContext, today: date) -> Alert:
    """The alert on one pair."""
    doubt = doubt_of(clash, diary)
    one, other = first_meeting(clash)
    terms = [engagement_terms(s.record, s.day, diary.places, diary.names) for s in (one, other)]
    maybe_one = doubt or told_twice(clash, diary)
    detail = "" if maybe_one else f"{only_one_of(clash, diary)} "
    detail += " ".join(terms)
    if len(clash.meets) > 1:
        detail += (
            f" Days are counted until {long_date(max(repeats_horizon(today), max(clash.meets)))}."
        )
    idea = "considering" in (clash.first.status, clash.second.status)
    return Alert(
        severity="info" if doubt else grade_of(clash, diary),
        summary=clash_summary(clash, diary, doubt),
        evidence=[clash.first, clash.second],
        detail=detail,
        grade="not checked" if doubt else "",
        unknown=gaps_of(clash, diary),
        action=(
            "Record the missing times, or say that both can be kept."
            if doubt
            else "Decide with the other engagement in view."
            if idea
            else "Find out whether both are the same engagement."
            if told_twice(clash, diary)
            else "Move one of them, or find somebody or something else for it."
        ),
        due=min(clash.meets),
    )


def matters(clash: EngagementClash, diary: ClashContext) -> bool:
    """Whether anybody should read of it: not of two ideas, nor of what is part of the other."""
    ideas = [e for e in (clash.first, clash.second) if e.status == "considering"]
    unsure = not clash.sure or bool(zones_of(clash, diary))
    if len(ideas) == 2 or (ideas and unsure):
        return False
    return not is_part(clash, diary)


def find_engagement_conflicts(
    engagements: list[Engagement],
    persons: list[Person],
    things: list[Thing],
    places: list[Place],
    today: date,
) -> list[Alert]:
    """All alerts for these engagements, the gravest first, whatever their order."""
    diary = ClashContext(
        {p.id: p for p in persons},
        names_by_id(persons),
        {t.id: t for t in things},
        {p.id: p for p in places},
    )
    chosen = [e for e in engagements if e.status not in ("done", "cancelled")]
    clashes = clashes_of(sorted(chosen, key=lambda e: e.id), diary, today)
    alerts = [clash_alert(c, diary, today) for c in clashes if matters(c, diary)]
    return sorted(
        alerts, key=lambda alert: (CONFLICT_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded engagements."""
    return find_engagement_conflicts(engagements, people, things, places, today)
