"""Warns of an order, an engagement or a payment that somebody forbade.

What is forbidden is found by reference only: the subject or a wider one, the person, the place or
a wider one, the thing. A prohibition that names several of them forbids them together, and it
holds for the people it was said for. An exception by whoever said it, or by somebody named for
that, is silent; how grave it would be is not recorded, so this is a warning and never more. An
idea, and what depends on something that nobody said, is only mentioned.
"""

from dataclasses import dataclass, field
from datetime import date

from domains.finance.state import payments
from domains.people.state import people
from domains.possessions.state import things
from domains.preferences.schema import Prohibition, Subject
from domains.preferences.state import orders, prohibitions, subjects
from domains.schedule.schema import Place
from domains.schedule.state import engagements, places
from uac import (
    Alert,
    Intended,
    brief_date,
    first_day_of,
    fullest,
    long_date,
    names_by_id,
    price_of_wish,
    shorten,
    speaker_words,
    wider_ids,
    wishes_of,
)

PROHIBITED_RANKS = {"warning": 0, "info": 1}


@dataclass
class World:
    """What wishes and prohibitions refer to."""

    names: dict[str, str]
    subjects: dict[str, Subject]
    places: dict[str, Place]
    things: dict[str, str] = field(default_factory=dict)  # their names


def hit_subject(wish: Intended, subject: str, world: World) -> str:
    """`hit` where the wish involves the subject or a part of it, `wider` where it names the whole.

    The whole may or may not hold the part, which only the next wider subject is asked about.
    """
    for own in wish.subjects:
        if subject in wider_ids(own, world.subjects):
            return "hit"
    wider = wider_ids(subject, world.subjects)[1:2]
    return "wider" if [own for own in wish.subjects if own in wider] else ""


def hits_of(ban: Prohibition, wish: Intended, world: World) -> dict[str, str]:
    """For each thing that the prohibition names: `hit`, `wider`, `open` (nobody said) or empty."""
    hits: dict[str, str] = {}
    if ban.subject is not None:
        hits["subject"] = hit_subject(wish, ban.subject, world)
    if ban.person is not None:
        hits["person"] = "hit" if ban.person in wish.people else ""
    if ban.place is not None:
        hits["place"] = "hit" if ban.place in wider_ids(wish.place, world.places) else ""
    if ban.thing is not None:
        hits["thing"] = "hit" if ban.thing in wish.things else ""
    return {
        sort: "open" if not hit and sort in wish.open_ends else hit for sort, hit in hits.items()
    }


def keys_of_wish(wish: Intended, world: World) -> list[str]:
    """The keys under which prohibitions that may concern the wish are filed (see `filed`)."""
    keys = [f"subject:{one}" for own in wish.subjects for one in wider_ids(own, world.subjects)]
    keys += [f"within:{own}" for own in wish.subjects]
    keys += [f"person:{who}" for who in wish.people]
    keys += [f"place:{where}" for where in wider_ids(wish.place, world.places)]
    keys += [f"thing:{what}" for what in wish.things]
    return list(dict.fromkeys(keys))


def filed(bans: list[Prohibition], world: World) -> dict[str, list[Prohibition]]:
    """The prohibitions by each thing that they name, and by the whole that it is part of."""
    files: dict[str, list[Prohibition]] = {}
    for ban in bans:
        named = [("person", ban.person), ("place", ban.place), ("thing", ban.thing)]
        keys = [f"{sort}:{one}" for sort, one in named if one is not None]
        if ban.subject is not None:
            keys.append(f"subject:{ban.subject}")
            keys += [f"within:{one}" for one in wider_ids(ban.subject, world.subjects)[1:2]]
        for key in keys:
            files.setdefault(key, []).append(ban)
    return files


def reach_of(ban: Prohibition, wish: Intended) -> str:
    """`sure` where the wish is for one of those bound, `vague` where that is not said."""
    bound = ban.for_whom or ["me"]
    if [who for who in wish.for_whom if who in bound and who != ban.person]:
        return "sure"
    met = ban.person is not None and ban.person in wish.people
    return "vague" if wish.vague and met and "me" in bound else ""


def may_allow(ban: Prohibition) -> list[str]:
    """Who may make an exception: those named for it, and whoever said it."""
    return list(dict.fromkeys([ban.said_by or "me", *ban.allowed_by]))


def names_in(people_ids: list[str], world: World) -> str:
    """Names joined by "and"."""
    return " and ".join([shorten(speaker_words(world.names, who), 40) for who in people_ids])


def doubts_about(ban: Prohibition, wish: Intended, hits: dict[str, str], world: World) -> list[str]:
    """What nobody said and would tell whether the prohibition is touched."""
    doubts = []
    if "wider" in hits.values() and ban.subject in world.subjects:
        doubts.append(f"whether it includes {shorten(world.subjects[ban.subject].name)}")
    if hits.get("person") == "open":
        doubts.append(f"whether it is from {names_in([ban.person or 'me'], world)}")
    if hits.get("place") == "open" and ban.place in world.places:
        doubts.append(f"whether it is at {shorten(world.places[ban.place].name)}")
    if reach_of(ban, wish) == "vague":
        doubts.append(f"whether {names_in(['me'], world)} takes part")
    return doubts


def ban_terms(ban: Prohibition, wish: Intended, world: World) -> str:
    """The prohibition and the wish as they are recorded."""
    words = [f"{names_in([ban.said_by or 'me'], world)} said: {shorten(ban.what, 120)}"]
    words += [f"for {names_in(ban.for_whom, world)}"] if ban.for_whom else []
    words += [f"since {long_date(ban.since)}"] if ban.since else []
    words += [f"until {long_date(ban.until)}"] if ban.until else []
    words += [f"because: {shorten(ban.reason, 200)}"] if ban.reason else []
    words += [] if ban.strict else ["said as a wish, not strictly"]
    firm = "only an idea so far" if wish.status == "considering" else wish.status
    other = [f"{shorten(wish.title, 120)}{price_of_wish(wish)}", firm]
    other += [f"wanted by {names_in([wish.wanted_by], world)}"] if wish.wanted_by else []
    if wish.record.on is not None:
        other.append(long_date(wish.record.on))
    if ban.thing is not None and ban.thing in wish.things:
        other.append(f"with {shorten(world.things.get(ban.thing, 'the thing named'))}")
    if ban.place is not None and wish.place is not None and wish.place in world.places:
        other.append(f"at {shorten(world.places[wish.place].name)}")
    if wish.allowed_by:
        other.append(f"allowed by {names_in(wish.allowed_by, world)}, who was not named for that")
    said, wish_words = "; ".join(words), ", ".join(other)
    return f"{said[:1].upper()}{said[1:]}. {wish_words[:1].upper()}{wish_words[1:]}."


def links_between(ban: Prohibition, wish: Intended, world: World) -> list[Subject]:
    """The subjects through which the wish falls under the prohibition, the narrow first."""
    for own in wish.subjects:
        chain = wider_ids(own, world.subjects)
        if ban.subject in chain:
            path = chain[: chain.index(ban.subject)]
            return [world.subjects[one] for one in path if one in world.subjects]
    return []


def advice_on(ban: Prohibition, wish: Intended, world: World) -> str:
    """One action: ask whoever may allow it."""
    own = may_allow(ban) == ["me"]
    if wish.status == "considering":
        return (
            "Leave it, or lift the prohibition."
            if own
            else f"Ask {names_in(may_allow(ban), world)} first."
        )
    if own:
        return "Call it off, or lift the prohibition."
    return f"Ask {names_in(may_allow(ban), world)} before it goes ahead."


def ban_summary(
    ban: Prohibition, wish: Intended, day: date | None, doubts: list[str], world: World
) -> str:
    """What, when, and against which words of whom; why and since when where there is room."""
    since = f", since {brief_date(ban.since)}" if ban.since is not None else ""

    def words(name: str, what: str, who: str, _: str = "") -> str:
        title = f"{name}{price_of_wish(wish)}"
        if doubts:
            return f"Whether {title} conflicts with “{what}”, said by {who}, is not known"
        when = f" on {long_date(day)}" if day is not None else ""
        if wish.status == "considering":
            return f"{title}{when}, an idea so far, would conflict with “{what}”, said by {who}"
        return f"{title}{when} conflicts with “{what}”, said by {who}"

    def dated_words(name: str, what: str, who: str, _: str = "") -> str:
        return f"{words(name, what, who)}{since}"

    def reasoned_words(name: str, what: str, who: str, why: str) -> str:
        return f"{words(name, what, who)}, because: {why}"

    def full_words(name: str, what: str, who: str, why: str) -> str:
        return f"{words(name, what, who)}{since}, because: {why}"

    versions = [words]
    if not doubts:
        # Why it was forbidden tells more than since when.
        reasoned = [full_words, reasoned_words] if ban.reason else []
        versions = [*reasoned, dated_words, words]
    speaker = speaker_words(world.names, ban.said_by)
    return fullest(versions, wish.title, ban.what, speaker, ban.reason or "")


def ban_alert(
    ban: Prohibition,
    wish: Intended,
    day: date | None,
    doubts: list[str],
    world: World,
    today: date,
) -> Alert:
    """The alert on one prohibition and one wish."""
    idea = wish.status == "considering"
    # Of one that is in force and without an end any day is one of its days.
    ends = ban.until is not None or (ban.since is not None and ban.since > today)
    unknown = doubts + (["the day it is for"] if day is None and ends else [])
    links = links_between(ban, wish, world)
    detail = ban_terms(ban, wish, world)
    for one in links:
        wider = world.subjects.get(one.part_of or "")
        detail += f" {shorten(one.name)} is part of {shorten(wider.name)}." if wider else ""
    return Alert(
        severity="warning" if ban.strict and not unknown and not idea else "info",
        summary=ban_summary(ban, wish, day, doubts, world),
        evidence=[ban, wish.record, *links],
        detail=detail,
        grade="not checked" if doubts else "",
        unknown=unknown,
        action=advice_on(ban, wish, world),
        due=day,
    )


def check_ban(ban: Prohibition, wish: Intended, world: World, today: date) -> list[Alert]:
    """The alert, if the prohibition is in force on the day of the wish and nobody allowed it."""
    hits = hits_of(ban, wish, world)
    found = [hit for hit in hits.values() if hit in ("hit", "wider")]
    if "" in hits.values() or not found or not reach_of(ban, wish):
        return []
    if [who for who in wish.allowed_by if who in may_allow(ban)]:
        return []
    falls, day = first_day_of(wish, ban.since, ban.until, today)
    doubts = doubts_about(ban, wish, hits, world)
    if not falls or (doubts and (wish.status == "considering" or not ban.strict)):
        return []
    return [ban_alert(ban, wish, day, doubts, world, today)]


def find_prohibited(
    prohibitions: list[Prohibition], wishes: list[Intended], world: World, today: date
) -> list[Alert]:
    """All alerts for these prohibitions and wishes, the gravest first, whatever their order."""
    bans = [ban for ban in prohibitions if ban.status == "in force"]
    files = filed(sorted(bans, key=lambda ban: ban.id), world)
    alerts: list[Alert] = []
    for wish in wishes:
        near: dict[str, Prohibition] = {}
        for key in keys_of_wish(wish, world):
            near.update({ban.id: ban for ban in files.get(key, [])})
        for ban_id in sorted(near):
            alerts.extend(check_ban(near[ban_id], wish, world, today))
    return sorted(
        alerts, key=lambda alert: (PROHIBITED_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def recorded_intentions() -> list[Intended]:
    """What the records say is intended, ordered or agreed."""
    return wishes_of(orders, engagements, payments)


def recorded_world() -> World:
    """What the records refer to."""
    by_id = {one.id: one for one in subjects}
    known_places = {one.id: one for one in places}
    return World(names_by_id(people), by_id, known_places, names_by_id(things))


def check(today: date) -> list[Alert]:
    """The alerts for the recorded prohibitions."""
    return find_prohibited(prohibitions, recorded_intentions(), recorded_world(), today)
