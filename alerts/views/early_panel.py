"""Everything a person decides an early word from: the words said beside the records named."""

from __future__ import annotations

from dataclasses import dataclass

from alerts.models import Alert, AlertEvent, EventKind, Origin, Watermark
from alerts.views.board import actor_name
from alerts.views.panel import HISTORY, EvidenceCard, cards_of
from memory.code import load_project, project_of
from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser
from memory.views.banner import Banner, banner_of

HAPPENED = {
    (Origin.CONCERN, EventKind.OPENED): "noticed by the model",
    (Origin.CONCERN, EventKind.CLEARED): "closed",
    (Origin.PROVISIONAL, EventKind.OPENED): "found by a proposed rule",
    (Origin.PROVISIONAL, EventKind.CHANGED): "found otherwise by a proposed rule",
    (Origin.PROVISIONAL, EventKind.CLEARED): "no longer proposed: decided, replaced, or not found",
}


@dataclass(frozen=True)
class EarlyLine:
    """An event of an early word, in words; `said_by` is the alert that says it now."""

    event: AlertEvent
    words: str

    @property
    def said_by(self) -> int | None:
        """The id of that alert."""
        return self.event.said_by_id


@dataclass(frozen=True)
class EarlyPanel:
    """An early word with all that its page shows."""

    alert: Alert
    banner: Banner
    cards: tuple[EvidenceCard, ...]
    read_as: tuple[FactEntry, ...]
    history: tuple[EarlyLine, ...]
    rule_says: str
    mark: Watermark | None
    template: str = "alerts/early_panel.html"

    @property
    def person(self) -> MemoryUser:
        """Whom it is about."""
        return self.alert.user

    @property
    def is_concern(self) -> bool:
        """Whether the model noticed it; else a proposed rule says it."""
        return self.alert.origin == Origin.CONCERN


def early_panel_of(alert: Alert) -> EarlyPanel:
    """Read what belongs to an early word; a proposed rule's records are of the proposed kinds."""
    proposed = alert.origin == Origin.PROVISIONAL
    project = load_project(alert.version) if proposed else project_of(alert.user)
    rule = project.rules.get(alert.rule)
    facts = facts_by_seq(alert.user, alert.facts or ())
    return EarlyPanel(
        alert=alert,
        banner=banner_of(alert.user),
        cards=cards_of(alert, project),
        read_as=tuple(facts[seq] for seq in sorted(facts)),
        history=_history(alert),
        rule_says=rule.doc.partition("\n")[0] if rule else "",
        mark=Watermark.objects.filter(user=alert.user).first(),
    )


def _history(alert: Alert) -> tuple[EarlyLine, ...]:
    events = AlertEvent.objects.filter(alert=alert).select_related("actor", "app").order_by("-pk")
    return tuple(EarlyLine(event, _words(alert, event)) for event in events[:HISTORY])


def _words(alert: Alert, event: AlertEvent) -> str:
    match event.kind:
        case EventKind.DISMISSED:
            return f"dismissed by {actor_name(event)}"
        case EventKind.SENT:
            return f"{actor_name(event)} asked for a rule"
    return HAPPENED[Origin(alert.origin), EventKind(event.kind)]
