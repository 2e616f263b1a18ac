"""Warns of something that has to be done by a day, when the day is near or has passed.

The day was said, or follows from another day: 30 days after delivery, 60 days before the lease
ends. The warning begins a third of the period before it, 3 to 30 days. Where nobody said when the
period began it begins 30 days before as information and becomes a warning 10 days before.

Never critical: what is lost when a day is missed is recorded in words, and whether "the refund" is
20 dollars or a year's rent no rule can weigh. What is not recorded as done stays for 30 days after
the day and then goes: by then it has been done, or a reminder of it no longer helps. What somebody
else has to do is theirs until the day has passed; then it is information, since the person can only
ask for it. An appointment for it that is after the last day is told of from the start. Where the
day cannot be told, `commitment_undated` says why.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from domains.commitments.schema import Commitment
from domains.commitments.state import commitments
from domains.documents.schema import Document
from domains.documents.state import documents
from domains.finance.schema import Contract
from domains.finance.state import contracts
from domains.people.schema import Person
from domains.people.state import people
from domains.possessions.schema import Thing
from domains.possessions.state import things
from domains.schedule.schema import Engagement
from domains.schedule.state import engagements
from uac import (
    Alert,
    CommitmentDeadline,
    brief_date,
    day_from,
    deadline_of,
    fullest,
    gap,
    is_my_commitment,
    is_open_commitment,
    lead_from,
    long_date,
    money,
    shorten,
)

COMMITMENT_OVERDUE_DAYS = 30
COMMITMENT_NEAR_DAYS = 10  # a third of the 30 days that are assumed where the period is not known
EXPIRED_DOCUMENT_DAYS = 90  # as long as an expired document is told of
COMMITMENT_RANKS = {"warning": 0, "info": 1}


@dataclass(frozen=True)
class CommitmentRecords:
    """The records that commitments refer to, by their ids."""

    engagements: dict[str, Engagement] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    contracts: dict[str, Contract] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)


def expiring_document(deadline: CommitmentDeadline, around: CommitmentRecords) -> Document | None:
    """The document that the person renews and that this commitment is about."""
    found = around.documents.get(deadline.commitment.document or "")
    if found is None or found.expires_on is None or found.renewal != "holder":
        return None
    mine = found.holder is None or found.holder == "me"
    return found if mine and found.status == "valid" else None


def commitment_span(deadline: CommitmentDeadline, around: CommitmentRecords) -> tuple[date, date]:
    """The first and the last day on which the commitment is told of.

    One about a document that the person renews is told of as soon and as long as the document.
    """
    first = lead_from(deadline.start, deadline.due)
    if is_too_late(deadline, around):
        first = date.min
    last = day_from(deadline.due, 0, COMMITMENT_OVERDUE_DAYS)
    if not is_my_commitment(deadline.commitment):
        # Whether another has done it is no question as long as they have time.
        return day_from(deadline.due, 0, 1), last
    paper = expiring_document(deadline, around)
    if paper is None or paper.expires_on is None:
        return first, last
    soon = lead_from(paper.valid_from or paper.issued_on, paper.expires_on)
    return min(first, soon), max(last, day_from(paper.expires_on, 0, EXPIRED_DOCUMENT_DAYS))


def settled_elsewhere(commitment: Commitment, around: CommitmentRecords) -> str:
    """What another record says that may have settled the commitment, in words; empty if nothing."""
    thing = around.things.get(commitment.thing or "")
    if thing is not None and thing.status in ("returned", "sold"):
        return f"{shorten(thing.name)} is recorded as {thing.status}"
    contract = around.contracts.get(commitment.contract or "")
    # With a thing beside the contract it is the thing that has to be seen to.
    if contract is not None and not commitment.thing and contract.status == "cancelled":
        return f"{shorten(contract.name)} is recorded as cancelled"
    document = around.documents.get(commitment.document or "")
    if document is not None and document.status in ("replaced", "returned"):
        return f"{shorten(document.name)} is recorded as {document.status}"
    return ""


def appointment_of(deadline: CommitmentDeadline, around: CommitmentRecords) -> Engagement | None:
    """The engagement at which it is to be done, where that is on one known day and still holds."""
    found = around.engagements.get(deadline.commitment.appointment or "")
    if found is None or found.on is None or found.repeats is not None:
        return None
    return found if found.status != "cancelled" else None


def appointment_end(appointment: Engagement) -> date:
    """The last day of an appointment that `appointment_of` has found."""
    on = appointment.on or date.min
    return max(appointment.until or on, on)


def is_too_late(deadline: CommitmentDeadline, around: CommitmentRecords) -> bool:
    """Whether the appointment for it ends only after the last day."""
    appointment = appointment_of(deadline, around)
    return appointment is not None and appointment_end(appointment) > deadline.due


def appointment_words(deadline: CommitmentDeadline, around: CommitmentRecords) -> str:
    """`“Inspection” is on Thursday, November 7, 2024, 2 days before the last day`; or empty."""
    appointment = appointment_of(deadline, around)
    if appointment is None:
        return ""
    day = appointment_end(appointment)
    lies = gap(day, deadline.due)
    when = "the last day" if lies == "the same day" else f"{lies} the last day"
    return f"“{shorten(appointment.title)}” for it is on {long_date(day)}, {when}"


def is_only_an_idea(deadline: CommitmentDeadline, around: CommitmentRecords) -> bool:
    """Whether the day it counts from is that of an engagement nobody has decided on."""
    if not deadline.counted or deadline.commitment.counts_from_on is not None:
        return False
    engagement = around.engagements.get(deadline.commitment.engagement or "")
    return engagement is not None and engagement.status == "considering"


def commitment_severity(
    deadline: CommitmentDeadline, around: CommitmentRecords, today: date
) -> str:
    """Information where it is another's, maybe settled, an idea, or far off; else a warning."""
    one = deadline.commitment
    if is_my_commitment(one) and is_too_late(deadline, around):
        return "info" if settled_elsewhere(one, around) else "warning"
    if (
        not is_my_commitment(one)
        or settled_elsewhere(one, around)
        or is_only_an_idea(deadline, around)
    ):
        return "info"
    paper = expiring_document(deadline, around)
    if deadline.start is None and paper is None:
        return "warning" if (deadline.due - today).days <= COMMITMENT_NEAR_DAYS else "info"
    return "warning"


def commitment_groups(found: list[CommitmentDeadline]) -> list[list[CommitmentDeadline]]:
    """Those with one last day and one thing, contract or document in common stand together."""
    groups: list[list[CommitmentDeadline]] = []
    group_at: dict[str, int] = {}
    for deadline in sorted(found, key=lambda d: (d.due, d.commitment.id)):
        one = deadline.commitment
        who = "me" if is_my_commitment(one) else one.by_whom
        named = {"thing": one.thing, "contract": one.contract, "document": one.document}
        keys = [f"{deadline.due}|{who}|{what}|{ref}" for what, ref in named.items() if ref]
        at = [group_at[key] for key in keys if key in group_at]
        if at:
            groups[at[0]].append(deadline)
        else:
            at = [len(groups)]
            groups.append([deadline])
        for key in keys:
            group_at.setdefault(key, at[0])
    return groups


def commitment_summary(
    group: list[CommitmentDeadline], around: CommitmentRecords, today: date
) -> str:
    """`Return the router: due Friday, …, 30 days after delivery; if missed: the refund`.

    What it counts from is left out first, then what is lost: both are in the detail too.
    """
    first = group[0]
    titles = [d.commitment.title for d in group]
    lost = [d.commitment.consequence for d in group if d.commitment.consequence]
    who = (
        ""
        if is_my_commitment(first.commitment)
        else commitment_person(first.commitment.by_whom, around)
    )
    more = f" and {len(titles) - 1} more" if len(titles) > 2 else ""
    over = first.due < today
    late = [d for d in group if is_too_late(d, around)]

    def bare(title: str, second: str, owner: str, *_: str) -> str:
        what = f"{title} and {second}" if len(titles) == 2 else f"{title}{more}"
        what = f"{owner}: {what}" if owner else what
        if over:
            return f"{what}: was due {long_date(first.due)}, not recorded as done"
        return f"{what}: due {long_date(first.due)}"

    def meant(title: str, second: str, owner: str, stake: str, *rest: str) -> str:
        tail = f"; if missed: {stake}" if stake else ""
        return f"{bare(title, second, owner)}{tail}"

    def whole(title: str, second: str, owner: str, stake: str, counted: str) -> str:
        period = f", {counted}" if counted and not over else ""
        tail = f"; if missed: {stake}" if stake else ""
        return f"{bare(title, second, owner)}{period}{tail}"

    def missed(title: str, second: str, owner: str, *_: str) -> str:
        found = appointment_of(late[0], around)
        day = brief_date(appointment_end(found)) if found is not None else ""
        lies = gap(appointment_end(found), first.due) if found is not None else ""
        return f"{bare(title, second, owner)}, but the appointment for it is {lies} that, {day}"

    second = titles[1] if len(titles) == 2 else ""
    versions = [missed] if late and not over else [whole, meant, bare]
    return fullest(versions, titles[0], second, who, lost[0] if lost else "", first.counted)


def commitment_person(person_id: str | None, around: CommitmentRecords) -> str:
    """The name of a person, `somebody else` where no record says it."""
    if person_id == "me":
        return "the person remembered"
    found = around.people.get(person_id or "")
    return shorten(found.name) if found is not None else "somebody else"


def commitment_detail(deadline: CommitmentDeadline, around: CommitmentRecords) -> str:
    """Who is owed it, what it counts from, what is lost, and what else was recorded of it."""
    one = deadline.commitment
    parts = [f"{shorten(one.title, 120)}: the last day is {long_date(deadline.due)}."]
    if one.consequence:
        parts.append(f"If it is missed: {shorten(one.consequence, 200)}.")
    appointment = appointment_words(deadline, around)
    if appointment:
        parts.append(f"{appointment}.")
    if deadline.counted and deadline.anchor:
        parts.append(f"That is {deadline.counted} ({long_date(deadline.anchor)}).")
    if is_only_an_idea(deadline, around):
        parts.append("The day it counts from is that of an engagement that is only an idea so far.")
    if one.said_on:
        parts.append(f"It was said on {long_date(one.said_on)}.")
    parts += commitment_about(one, around)
    if one.owed_to:
        parts.append(f"Owed to {commitment_person(one.owed_to, around)}.")
    paper = expiring_document(deadline, around)
    if paper is not None and paper.expires_on is not None:
        lies = gap(paper.expires_on, deadline.due)
        lies = "on the last day" if lies == "the same day" else f"{lies} the last day"
        parts.append(f"{shorten(paper.name)} is valid until {long_date(paper.expires_on)}, {lies}.")
    settled = settled_elsewhere(one, around)
    if settled:
        parts.append(f"{settled[:1].upper()}{settled[1:]}; the commitment is still open.")
    return " ".join(parts)


def commitment_about(one: Commitment, around: CommitmentRecords) -> list[str]:
    """What the thing and the contract are that it is about: price, seller, partner and days."""
    parts = []
    thing = around.things.get(one.thing or "")
    if thing is not None:
        terms = [money(thing.price, thing.currency)] if thing.price is not None else []
        terms += [f"bought on {long_date(thing.bought_on)}"] if thing.bought_on else []
        terms += [f"received on {long_date(thing.received_on)}"] if thing.received_on else []
        terms += [f"from {commitment_person(thing.seller, around)}"] if thing.seller else []
        parts += [f"{shorten(thing.name)}: {', '.join(terms)}."] if terms else []
    contract = around.contracts.get(one.contract or "")
    if contract is not None:
        terms = (
            [f"with {commitment_person(contract.provider, around)}"] if contract.provider else []
        )
        if contract.amount is not None:
            per = f" a {contract.per}" if contract.per else ""
            terms.append(f"{money(contract.amount, contract.currency)}{per}")
        terms += [f"ends on {long_date(contract.ends_on)}"] if contract.ends_on else []
        parts += [f"{shorten(contract.name)}: {', '.join(terms)}."] if terms else []
    return parts


def commitment_evidence(group: list[CommitmentDeadline], around: CommitmentRecords) -> list[Any]:
    """The commitments and then, each once, the records that they refer to."""
    found: list[Any] = [d.commitment for d in group]
    for deadline in group:
        one = deadline.commitment
        for record in (
            around.engagements.get(one.engagement or ""),
            around.things.get(one.thing or ""),
            around.contracts.get(one.contract or ""),
            around.documents.get(one.document or ""),
            appointment_of(deadline, around),
        ):
            if record is not None and record not in found:
                found.append(record)
    return found


def commitment_action(
    group: list[CommitmentDeadline], around: CommitmentRecords, today: date
) -> str:
    """The one thing to do now."""
    one, due = group[0].commitment, long_date(group[0].due)
    settled = settled_elsewhere(one, around)
    if settled:
        return "Record whether it is done, or what is left of it."
    if not is_my_commitment(one):
        return f"Ask {commitment_person(one.by_whom, around)} whether it is done."
    if group[0].due >= today and [d for d in group if is_too_late(d, around)]:
        return f"Get an earlier appointment, or more time than until {due}."
    if group[0].due < today:
        return "Do it now or ask for more time; record it if it is done."
    return f"Do it by {due}, and record when it is done."


def commitment_alert(
    group: list[CommitmentDeadline], around: CommitmentRecords, today: date
) -> list[Alert]:
    """The alert for commitments that stand together, if it is time for it."""
    spans = [commitment_span(d, around) for d in group]
    if today < min([first for first, _ in spans]) or today > max([last for _, last in spans]):
        return []
    severities = [commitment_severity(d, around, today) for d in group]
    unknown = [d.unknown for d in group if d.unknown]
    if [d for d in group if settled_elsewhere(d.commitment, around)]:
        unknown.append("whether that settles the commitment")
    return [
        Alert(
            severity=min(severities, key=lambda s: COMMITMENT_RANKS[s]),
            summary=commitment_summary(group, around, today),
            evidence=commitment_evidence(group, around),
            detail=shorten("\n".join([commitment_detail(d, around) for d in group]), 2000),
            unknown=unknown,
            action=commitment_action(group, around, today),
            due=group[0].due,
        )
    ]


def find_commitments_due(
    commitments: list[Commitment], around: CommitmentRecords, today: date
) -> list[Alert]:
    """All alerts for these commitments, the gravest first, whatever their order."""
    alerts: list[Alert] = []
    still = [one for one in commitments if is_open_commitment(one)]
    deadlines = [
        deadline_of(
            one,
            around.engagements.get(one.engagement or ""),
            around.things.get(one.thing or ""),
            around.contracts.get(one.contract or ""),
        )
        for one in still
    ]
    for group in commitment_groups([d for d in deadlines if d is not None]):
        alerts.extend(commitment_alert(group, around, today))
    return sorted(
        alerts, key=lambda a: (COMMITMENT_RANKS[a.severity], [record.id for record in a.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded commitments."""
    around = CommitmentRecords(
        {record.id: record for record in engagements},
        {record.id: record for record in things},
        {record.id: record for record in contracts},
        {record.id: record for record in documents},
        {record.id: record for record in people},
    )
    return find_commitments_due(commitments, around, today)
