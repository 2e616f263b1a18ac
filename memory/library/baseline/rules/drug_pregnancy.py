"""Warns of a drug whose label forbids it, or warns of it in a box, in pregnancy or breastfeeding.

Only the drugs of the reference table count. A pregnancy that is hoped for is at most a warning, one
that ended is silent. A pregnancy still recorded long after its due date is at most a warning, since
it may be over. Of a drug that the table does not know `drug_unknown` speaks.
"""

from datetime import date
from typing import Any

from domains.health.schema import Medication, Pregnancy
from domains.health.state import medications, pregnancies
from uac import (
    Alert,
    Taking,
    birth_due_by,
    date_words,
    find_cautions,
    long_date,
    party_of,
    pregnancy_is_over,
    pregnancy_is_overdue,
    row_label,
    sentence,
    shorten,
    taken_in_pregnancy,
    taking_words,
    takings_of,
)

CAUTION_RANKS = {"critical": 0, "warning": 1, "info": 2}


def pregnancy_words(pregnancy: Pregnancy) -> str:
    """What was said of the pregnancy, as a sentence."""
    words = {
        "trying": "A pregnancy is hoped for",
        "pregnant": "A pregnancy is recorded",
        "breastfeeding": "Breastfeeding is recorded",
        "ended": "A pregnancy has ended",
    }[pregnancy.status]
    if pregnancy.since is not None:
        words += f" since {date_words(pregnancy.since)}"
    if pregnancy.due_on is not None and pregnancy.status == "pregnant":
        words += f", due on {long_date(pregnancy.due_on)}"
    elif pregnancy.due_in is not None and pregnancy.status == "pregnant":
        words += f", due in {date_words(pregnancy.due_in)}"
    return words + "."


def caution_sentence(taking: Taking, pregnancy: Pregnancy) -> str:
    """The summary for one drug and one pregnancy."""
    when = {
        "trying": "while a pregnancy is hoped for",
        "pregnant": "in pregnancy",
        "breastfeeding": "while breastfeeding",
    }[pregnancy.status]

    def words(name: str) -> str:
        if taking.idea:
            return f"{name}, an idea so far, would be harmful {when}"
        if taking.record.status == "prescribed":
            return f"{name} is prescribed, but its label warns against it {when}"
        return f"{name} is taken, but its label warns against it {when}"

    return sentence(words, taking.record.name)


def caution_severity(row: dict[str, Any], taking: Taking, pregnancy: Pregnancy, late: bool) -> str:
    """The row's severity; at most a warning for an idea, a hope or an overdue record."""
    mild = taking.idea or late or pregnancy.status == "trying"
    return "warning" if mild and row["severity"] == "critical" else row["severity"]


def caution_unknowns(pregnancy: Pregnancy, late: bool, member: str) -> list[str]:
    """What is not known and would change the judgement."""
    unknown = [f"which of the {row_label(member)} it is"] if member.startswith("class:") else []
    due = birth_due_by(pregnancy)
    if late and due is not None:
        unknown.append(f"whether the pregnancy due by {long_date(due)} is over")
    return unknown


def caution_alert(
    found: tuple[dict[str, Any], str], taking: Taking, pregnancy: Pregnancy, late: bool
) -> Alert:
    """The alert for one drug in one pregnancy; `found` is the row and the ingredient."""
    row, member = found
    name = shorten(taking.record.name)
    contains = "" if name.casefold() == row_label(member).casefold() else f" ({row_label(member)})"
    taken = taking_words(taking.record, taking.record.prescriber)
    taken = f"{name[:1].upper()}{name[1:]}{contains} {taken}."
    detail = f"{row['effect']} {taken}"
    action = row["action"]
    if taking.idea:
        action = "Ask the prescriber or a pharmacist about another drug before starting it."
    elif pregnancy.status == "trying":
        action = "Ask the prescriber about it before a pregnancy begins; do not stop it alone."
    return Alert(
        severity=caution_severity(row, taking, pregnancy, late),
        summary=caution_sentence(taking, pregnancy),
        evidence=[taking.record, pregnancy],
        detail=f"{detail} {pregnancy_words(pregnancy)}",
        grade={"critical": "contraindicated"}.get(row["severity"], "caution"),
        basis=[row["id"], member],
        unknown=caution_unknowns(pregnancy, late, member),
        action=action,
    )


def pregnancy_alerts(takings: list[Taking], pregnancy: Pregnancy, today: date) -> list[Alert]:
    """The alerts of one pregnancy: for each drug the gravest caution."""
    state = "breastfeeding" if pregnancy.status == "breastfeeding" else "pregnant"
    late = pregnancy_is_overdue(pregnancy, today)
    alerts = []
    for taking in takings:
        if not late and not taken_in_pregnancy(taking, pregnancy):
            continue
        found = find_cautions(party_of(taking.record.name), state)
        if found:
            gravest = sorted(found, key=lambda one: (CAUTION_RANKS[one[0]["severity"]], one[1]))[0]
            alerts.append(caution_alert(gravest, taking, pregnancy, late))
    return alerts


def find_pregnancy_cautions(
    drugs: list[Medication], states: list[Pregnancy], today: date
) -> list[Alert]:
    """All alerts for these records, the gravest first."""
    lasting = sorted([p for p in states if not pregnancy_is_over(p, today)], key=lambda p: p.id)
    if [p for p in lasting if p.status == "pregnant"]:
        lasting = [p for p in lasting if p.status != "trying"]  # the hope was fulfilled
    if not lasting:
        return []
    takings = takings_of(drugs, today)
    alerts = [a for p in lasting for a in pregnancy_alerts(takings, p, today)]
    return sorted(
        alerts, key=lambda a: (CAUTION_RANKS[a.severity], [record.id for record in a.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and pregnancies."""
    return find_pregnancy_cautions(medications, pregnancies, today)
