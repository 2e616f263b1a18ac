"""Warns of a drug that should not meet another drug, or a food, drink or herb, that is taken.

Only pairs of the reference table count, and only while both are taken, prescribed or considered, or
while one that was stopped still counts (its wash-out). A stopped drug without a date is said to be
not checked where a wash-out matters, and nowhere else. Of a drug that the table does not know
`drug_unknown` speaks. Unknown foods are silent, since most foods are.
"""

from datetime import date

from domains.health.schema import Intake, Medication
from domains.health.state import intakes, medications
from uac import (
    SUMMARY_LIMIT,
    Alert,
    Interaction,
    Taking,
    find_interactions,
    gap,
    how_taken_together,
    long_date,
    longest_wash_out,
    party_of_intake,
    row_label,
    sentence,
    shorten,
    systemic_party_of,
    taking_words,
    takings_of,
    washed_out_on,
)

INTERACTION_RANKS = {"critical": 0, "warning": 1, "info": 2}
INTERACTION_GRADES = {"critical": "contraindicated", "warning": "caution", "info": "minor"}
MOST_INTERACTIONS = 300


def what_is_taken(record: Medication | Intake) -> str:
    """What the record calls it."""
    return record.what if isinstance(record, Intake) else record.name


def prescriber_of(record: Medication | Intake) -> str | None:
    """Who prescribed it; nobody prescribes what is eaten or drunk."""
    return None if isinstance(record, Intake) else record.prescriber


def interacting_party(record: Medication | Intake) -> list[str]:
    """The ids of the table for a record."""
    if isinstance(record, Intake):
        return party_of_intake(record.what, record.category)
    return systemic_party_of(record.name)


def member_words(member: str, side: str) -> str:
    """Why an ingredient stands on a side, where that is not plain."""
    if member == side or row_label(member) == row_label(side):
        return ""
    label = row_label(member)
    return f" {label[:1].upper()}{label[1:]} is one of the {row_label(side)}."


def both_words(one: Taking, other: Taking) -> str:
    """When each of them is taken."""
    records = [one.record, other.record]
    lines = [f"{shorten(what_is_taken(r))} {taking_words(r, prescriber_of(r))}" for r in records]
    return "".join([f" {line[:1].upper()}{line[1:]}." for line in lines])


def met_words(ideas: list[Taking], severity: str) -> str:
    """The words between the two names; an idea stands first."""
    if ideas:
        would = {"critical": "must not be taken with", "warning": "would need a check beside"}
        return f", an idea so far, {would.get(severity, 'would go poorly with')}"
    plain = {"critical": " must not be taken with", "warning": " needs a check beside"}
    return plain.get(severity, " goes poorly with")


def together_sentence(one: Taking, other: Taking, severity: str, effect: str) -> str:
    """The summary for two that are taken on the same days, with the effect where it fits."""
    ideas = [taking for taking in [one, other] if taking.idea]
    turned = in_reading_order(one, other)[0] is not one.record
    if len(ideas) == 1:
        turned = ideas[0] is other
    first, second = (other, one) if turned else (one, other)
    between = met_words(ideas, severity)

    def words(name: str, beside: str) -> str:
        return f"{name}{between} {beside}"

    plain = sentence(words, what_is_taken(first.record), what_is_taken(second.record))
    brief = effect.partition(";")[0].partition(". ")[0].rstrip(".")
    full = f"{plain}. {brief}."
    return full if len(full) <= SUMMARY_LIMIT else plain


def washing_sentence(gone: Taking, taken: Taking, days: int) -> str:
    """The summary for one that was stopped too short before the other."""
    until = long_date(washed_out_on(gone, days))
    idea = ", an idea so far," if taken.idea else ""

    def words(name: str, stopped: str) -> str:
        return f"{name}{idea} is too soon after {stopped}: not before {until}"

    return sentence(words, what_is_taken(taken.record), what_is_taken(gone.record))


def washing_detail(gone: Taking, taken: Taking, days: int) -> str:
    """The two dates, how they lie to each other, and what the label asks for."""
    text = f" After {shorten(what_is_taken(gone.record))} the label asks for {days} days without it"
    text += f"; its last day is {long_date(gone.last)}"
    started = taken.record.started_on
    if started is None or started <= gone.last:
        return text + "."
    name = shorten(what_is_taken(taken.record))
    return text + f", and {name} starts {gap(started, gone.last)} that, on {long_date(started)}."


def interaction_detail(hit: Interaction, one: Taking, other: Taking) -> str:
    """The effect, why each side counts, and when each is taken."""
    pair = hit.pair
    text = pair["effect"] + member_words(hit.first_member, pair["first"])
    return text + member_words(hit.second_member, pair["second"]) + both_words(one, other)


def interaction_basis(hit: Interaction) -> list[str]:
    """The rows that the alert rests on, each once."""
    pair = hit.pair
    row_ids = [pair["id"], hit.first_member, hit.second_member, pair["first"], pair["second"]]
    return [row_id for at, row_id in enumerate(row_ids) if row_id not in row_ids[:at]]


def no_graver(severity: str, most: str) -> str:
    """The severity, but at most the other one."""
    return severity if INTERACTION_RANKS[severity] >= INTERACTION_RANKS[most] else most


def class_unknowns(hit: Interaction) -> list[str]:
    """What is not known where a record names a class instead of a drug."""
    named = [m for m in [hit.first_member, hit.second_member] if m.startswith("class:")]
    return [f"which of the {row_label(member)} it is" for member in named]


def interaction_alert(hit: Interaction, one: Taking, other: Taking, how: str) -> Alert:
    """The alert for a pair whose sides meet; `how` is what `how_taken_together` said."""
    severity = no_graver(hit.pair["severity"], "warning" if one.idea or other.idea else "critical")
    first_gone = how == "after one"
    detail = interaction_detail(hit, one, other)
    action = hit.pair["action"]
    if how == "together":
        summary = together_sentence(one, other, hit.pair["severity"], hit.pair["effect"])
    else:
        gone, taken = (one, other) if first_gone else (other, one)
        days = hit.pair.get("washout_first_days" if first_gone else "washout_second_days", 0)
        summary = washing_sentence(gone, taken, days)
        detail += washing_detail(gone, taken, days)
        name = shorten(what_is_taken(taken.record))
        action = f"Ask the prescriber before the next dose of {name}."
    if (one.idea or other.idea) and hit.pair["severity"] == "critical":
        action = "Ask a pharmacist or doctor about the other one before starting it."
    return Alert(
        severity=severity,
        summary=summary,
        evidence=in_reading_order(one, other),
        detail=detail,
        grade=INTERACTION_GRADES[hit.pair["severity"]],
        basis=interaction_basis(hit),
        unknown=class_unknowns(hit),
        action=action,
    )


def in_reading_order(one: Taking, other: Taking) -> list[Medication | Intake]:
    """Both records: medications before intakes, each by id."""
    records = [one.record, other.record]
    return sorted(records, key=lambda record: (isinstance(record, Intake), record.id))


def undated_alert(hit: Interaction, gone: Taking, taken: Taking, days: int) -> Alert:
    """Says that the wash-out of a drug cannot be judged: nobody said when it was stopped."""
    name = what_is_taken(gone.record)

    def words(stopped: str, beside: str) -> str:
        return f"{stopped} was stopped, no date said: whether {beside} is too soon was not checked"

    detail = interaction_detail(hit, gone, taken)
    return Alert(
        severity="info",
        summary=sentence(words, name, what_is_taken(taken.record)),
        evidence=in_reading_order(gone, taken),
        detail=f"{detail} After {shorten(name)} the label asks for {days} days without it.",
        grade="not checked",
        basis=interaction_basis(hit),
        unknown=[f"when {shorten(name)} was stopped"],
        action=f"Find out on which day {shorten(name)} was last taken, and record it.",
    )


def judge_interaction(hit: Interaction, takings: list[Taking], today: date) -> Alert | None:
    """The alert for two records on the sides of a pair, or None where they do not meet."""
    one, other = takings[hit.first], takings[hit.second]
    first_days = hit.pair.get("washout_first_days", 0)
    second_days = hit.pair.get("washout_second_days", 0)
    how = how_taken_together(one, other, today, first_days, second_days)
    if how == "unknown one":
        return undated_alert(hit, one, other, first_days)
    if how == "unknown other":
        return undated_alert(hit, other, one, second_days)
    return interaction_alert(hit, one, other, how) if how else None


def overflow_alert(alerts: list[Alert]) -> Alert:
    """Says that there are more interactions than can be listed."""
    return Alert(
        severity="critical",
        summary=f"More than {MOST_INTERACTIONS} pairs of drugs interact; the others are not listed",
        evidence=alerts[0].evidence,
        action="Have a pharmacist review the whole list of medications.",
        key="more interactions than listed",
    )


def find_drug_interactions(
    drugs: list[Medication], foods: list[Intake], today: date
) -> list[Alert]:
    """All alerts for these records, the gravest first, one for each two records."""
    longest = longest_wash_out()
    takings = takings_of(drugs, today, longest) + takings_of(foods, today, longest)
    parties = [interacting_party(taking.record) for taking in takings]
    best: dict[tuple[int, int], Alert] = {}
    for hit in find_interactions(parties):
        place = (min(hit.first, hit.second), max(hit.first, hit.second))
        standing = best.get(place)
        if len(best) > MOST_INTERACTIONS:
            break  # the gravest come first
        if standing is not None and standing.severity == "critical":
            continue
        alert = judge_interaction(hit, takings, today)
        if alert is None:
            continue
        if (
            standing is None
            or INTERACTION_RANKS[alert.severity] < INTERACTION_RANKS[standing.severity]
        ):
            best[place] = alert
    found = list(best.values())
    ranked = sorted(
        found, key=lambda a: (INTERACTION_RANKS[a.severity], [record.id for record in a.evidence])
    )
    if len(ranked) <= MOST_INTERACTIONS:
        return ranked
    return [overflow_alert(ranked), *ranked[:MOST_INTERACTIONS]]


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and intakes."""
    return find_drug_interactions(medications, intakes, today)
