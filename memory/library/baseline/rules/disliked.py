"""Mentions an order, an engagement or a payment that involves what somebody in it dislikes.

Never more than information, by reference only, and nothing on an idea. Silent where the same person
likes the very part of the disliked that is involved, or where it is forbidden to them anyway, of
which another rule warns.
"""

from datetime import date

from domains.finance.state import payments
from domains.people.schema import Person
from domains.people.state import people
from domains.preferences.schema import Preference, Prohibition, Subject
from domains.preferences.state import orders, preferences, prohibitions, subjects
from domains.schedule.state import engagements
from uac import (
    Alert,
    Intended,
    first_day_of,
    long_date,
    names_by_id,
    sentence,
    shorten,
    speaker_words,
    wider_ids,
    wishes_of,
)


def is_settled(
    dislike: Preference,
    chain: list[str],
    likes: list[Preference],
    bans: list[Prohibition],
) -> bool:
    """Whether the same person likes the narrower subject, or is forbidden it."""
    who = dislike.of_whom or "me"
    narrow = chain[: chain.index(dislike.subject or "")]
    liked = [one for one in likes if one.subject in narrow and (one.of_whom or "me") == who]
    banned = [ban for ban in bans if ban.subject in chain and who in (ban.for_whom or ["me"])]
    return bool(liked or banned)


def dislike_alert(
    dislike: Preference,
    wish: Intended,
    day: date | None,
    names: dict[str, str],
    path: list[Subject],
) -> Alert:
    """The word on one dislike and one wish."""
    when = f" on {long_date(day)}" if day is not None else ""
    speaker = speaker_words(names, dislike.of_whom)

    def words(title: str, who: str, what: str) -> str:
        return f"{title}{when} involves what {who} {dislike.attitude}: {what}"

    detail = f"Recorded: {shorten(dislike.what, 200)}."
    if dislike.reason:
        detail += f" Reason: {shorten(dislike.reason, 200)}."
    involved = " is part of ".join([shorten(one.name) for one in path])
    if len(path) > 1:
        detail += f" {involved}."
    return Alert(
        severity="info",
        summary=sentence(words, wish.title, speaker, path[-1].name if path else dislike.what),
        evidence=[dislike, wish.record, *path[:-1]],
        detail=f"{detail} {shorten(wish.title)} is {wish.status}.",
        unknown=[] if day is not None else ["the day it is for"],
        action=f"Ask {shorten(speaker)} whether it is all right.",
    )


def check_dislike(
    dislike: Preference,
    wish: Intended,
    by_id: dict[str, Subject],
    names: dict[str, str],
    today: date,
    likes: list[Preference],
    bans: list[Prohibition],
) -> list[Alert]:
    """The word, if the wish involves the disliked on a day on which the dislike stands."""
    for own in wish.subjects:
        chain = wider_ids(own, by_id)
        if dislike.subject not in chain or is_settled(dislike, chain, likes, bans):
            continue
        falls, day = first_day_of(wish, dislike.since, dislike.until, today)
        if falls:
            path = chain[: chain.index(dislike.subject) + 1]
            known = [by_id[one] for one in path if one in by_id]
            return [dislike_alert(dislike, wish, day, names, known)]
    return []


def find_dislikes(
    preferences: list[Preference],
    prohibitions: list[Prohibition],
    wishes: list[Intended],
    subjects: list[Subject],
    persons: list[Person],
    today: date,
) -> list[Alert]:
    """All words on these preferences and wishes, whatever their order."""
    names = names_by_id(persons)
    by_id = {one.id: one for one in subjects}
    bans = [ban for ban in prohibitions if ban.status == "in force" and ban.subject is not None]
    named = [one for one in preferences if one.subject is not None]
    likes = [one for one in named if one.attitude in ("likes", "loves")]
    dislikes = [one for one in named if one.attitude in ("dislikes", "hates")]
    alerts: list[Alert] = []
    for wish in [one for one in wishes if one.status != "considering" and one.subjects]:
        for dislike in dislikes:
            if (dislike.of_whom or "me") in wish.for_whom:
                alerts.extend(check_dislike(dislike, wish, by_id, names, today, likes, bans))
    return sorted(alerts, key=lambda alert: [record.id for record in alert.evidence])


def what_may_displease() -> list[Intended]:
    """What the records say is intended, ordered or agreed."""
    return wishes_of(orders, engagements, payments)


def check(today: date) -> list[Alert]:
    """The words on the recorded preferences."""
    return find_dislikes(preferences, prohibitions, what_may_displease(), subjects, people, today)
