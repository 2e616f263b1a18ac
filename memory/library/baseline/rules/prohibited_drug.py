"""Warns of a medication that somebody forbade, by its name or by a class of drugs it belongs to.

Found by the drug table: the same ingredient, or a member of the class that was named. A drug that
was forbidden by name does not forbid its relatives. Critical only where somebody else strictly
forbade to the person what they take or are prescribed, and it is swallowed or injected as far as is
known; only information for a gel, cream or drops of a drug that hardly reaches the blood so.
A substance that the table does not know was not checked, and is never taken as allowed; of a
medication that it does not know `drug_unknown` speaks.
"""

from datetime import date

from domains.health.schema import Medication
from domains.health.state import medications
from domains.people.schema import Person
from domains.people.state import people
from domains.preferences.schema import Prohibition
from domains.preferences.state import prohibitions
from uac import (
    Alert,
    Forbidden,
    Match,
    bans_on_drugs,
    falls_in_force,
    forbidden_match,
    fullest,
    long_date,
    names_by_id,
    party_of,
    read_drug,
    route_of,
    sentence,
    shorten,
    systemic_party_of,
    taking_of,
    taking_words,
)

DRUG_BAN_RANKS = {"critical": 0, "warning": 1, "info": 2}


def hardly_absorbed(medication: Medication) -> bool:
    """Whether it is a gel, cream or drops of a drug that hardly reaches the blood from there."""
    name = medication.name
    return bool(party_of(name)) and not systemic_party_of(name)


def drug_ban_severity(ban: Prohibition, medication: Medication, match: Match) -> str:
    """Critical for what somebody else strictly forbade; an idea and a mere wish never are."""
    if not ban.strict or hardly_absorbed(medication):
        return "info"
    sure = ban.said_by not in (None, "me") and not match.unknown
    firm = medication.status != "considered" and route_of(medication.name) != "local"
    return "critical" if sure and firm else "warning"


def drug_ban_detail(found: Forbidden, medication: Medication, match: Match) -> str:
    """Who said what and why, from when to when, and how the drug falls under it."""
    ban = found.ban
    words = [f"{shorten(found.speaker)} said: {shorten(ban.what, 200)}"]
    words += [f"since {long_date(ban.since)}"] if ban.since else []
    words += [f"until {long_date(ban.until)}"] if ban.until else []
    words += [f"because: {shorten(ban.reason, 200)}"] if ban.reason else []
    words += [] if ban.strict else ["said as a wish, not strictly"]
    state = f"{shorten(medication.name)} {taking_words(medication)}."
    said = "; ".join(words)
    local = " Little of it is absorbed from there." if hardly_absorbed(medication) else ""
    reason = f"{match.reason[:1].upper()}{match.reason[1:]}"
    return f"{said[:1].upper()}{said[1:]}. {state} {reason}{local}"


def drug_ban_alert(found: Forbidden, medication: Medication, match: Match) -> Alert:
    """The alert on one medication and one prohibition."""
    idea = medication.status == "considered"
    severity = drug_ban_severity(found.ban, medication, match)

    def words(name: str, what: str, who: str, _: str = "") -> str:
        if idea:
            return f"{name}, an idea so far, would conflict with “{what}”, said by {who}"
        return f"{name} conflicts with “{what}”, said by {who}"

    def reasoned_words(name: str, what: str, who: str, why: str) -> str:
        return f"{words(name, what, who)}, because: {why}"

    unknown = list(match.unknown)
    if route_of(medication.name) == "local":
        unknown.append("whether it also holds for a form that acts where it is put")
    if not found.ban.reason:
        unknown.append("why it was forbidden")
    who = shorten(found.speaker)
    ask = "a doctor or pharmacist" if found.ban.said_by in (None, "me") else who
    return Alert(
        severity=severity,
        summary=fullest(
            [reasoned_words, words] if found.ban.reason else [words],
            medication.name,
            found.ban.what,
            found.speaker,
            found.ban.reason or "",
        ),
        evidence=[medication, found.ban],
        detail=drug_ban_detail(found, medication, match),
        grade=match.grade,
        basis=match.basis,
        unknown=unknown,
        action=(
            f"Ask {ask} before starting it."
            if idea
            else f"Ask {ask} or the prescriber before the next dose."
        ),
    )


def substance_not_checked(found: Forbidden) -> Alert:
    """Says that the table does not know what was forbidden."""
    missing = " and ".join(found.allergen.missing)

    def words(what: str, who: str) -> str:
        return f"Medications were not checked against “{what}”, said by {who}"

    return Alert(
        severity="info",
        summary=sentence(words, found.ban.what, found.speaker),
        evidence=[found.ban],
        detail=f"The drug table does not know {shorten(missing, 200)}.",
        grade="not checked",
        basis=found.allergen.rows,
        unknown=[f"which drugs {shorten(part)} means" for part in found.allergen.missing[:10]],
        action="Record the substance by its ingredient or class.",
        key="substance not checked",
    )


def find_forbidden_drugs(
    medications: list[Medication],
    prohibitions: list[Prohibition],
    persons: list[Person],
    today: date,
) -> list[Alert]:
    """All alerts for these medications and prohibitions, the gravest first, in whatever order."""
    bans = bans_on_drugs(prohibitions, names_by_id(persons), today)
    if not bans:
        return []
    alerts: list[Alert] = []
    missed: dict[str, Forbidden] = {}
    for medication in sorted(medications, key=lambda one: one.id):
        taken = taking_of(medication, today)
        now = [b for b in bans if not taken.over and falls_in_force(b.ban, taken, today)]
        if not now:
            continue
        drug = read_drug(medication.name)
        for found in now:
            match = forbidden_match(drug, found.allergen)
            if match is not None:
                alerts.append(drug_ban_alert(found, medication, match))
            elif found.allergen.missing:
                missed[found.ban.id] = found
    alerts.extend([substance_not_checked(missed[ban_id]) for ban_id in sorted(missed)])
    return sorted(
        alerts, key=lambda alert: (DRUG_BAN_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and prohibitions of drugs."""
    return find_forbidden_drugs(medications, prohibitions, people, today)
