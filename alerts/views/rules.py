"""The rules on pages: which there are, and each with its code, its history and its examples."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from alerts import access
from alerts.models import Status
from alerts.views.rule_counts import SPANS, RuleCounts, concern_counts, counts_by_rule
from alerts.views.rule_page import page_of
from memory.access import NotFound, may, memory_user, memory_users
from memory.code import adopted_baseline
from memory.models import MemoryUser
from memory.project.tree import Rule
from memory.rights import Right
from memory.views.pages import staff_page


@dataclass(frozen=True)
class RuleLine:
    """A rule in the list; `counts` is None for who may not see alerts."""

    rule: Rule
    counts: RuleCounts | None
    open: int

    @property
    def headline(self) -> str:
        """One sentence: what it warns of."""
        return self.rule.doc.partition("\n")[0]


@require_safe
@staff_page(Right.CODE_READ)
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the baseline in force."""
    project, sees = adopted_baseline(), may(request.user, Right.ALERTS_READ)
    events, now = access.events(request.user), timezone.now()
    counts = counts_by_rule(events, now) if sees else {}
    opened = _open_by_rule(request) if sees else {}
    lines = [
        RuleLine(rule, counts.get(name, RuleCounts()) if sees else None, opened.get(name, 0))
        for name, rule in project.rules.items()
    ]
    context = {
        "lines": lines,
        "sees": sees,
        "people": memory_users(request.user, Right.ALERTS_READ).count() if sees else 0,
        "digest": project.digest,
        "concerns": concern_counts(events, now) if sees else None,
        "spans": [words for words, _ in SPANS],
    }
    return render(request, "alerts/rules.html", context)


@require_safe
@staff_page(Right.CODE_READ)
def rule(request: HttpRequest, name: str) -> HttpResponse:
    """One rule of the baseline in force."""
    return _rule(request, name, None)


@require_safe
@staff_page(Right.CODE_READ)
def person_rule(request: HttpRequest, user_id: UUID, name: str) -> HttpResponse:
    """One rule of a person's own code."""
    return _rule(request, name, memory_user(request.user, user_id, Right.CODE_READ))


def _rule(request: HttpRequest, name: str, person: MemoryUser | None) -> HttpResponse:
    now = timezone.now()
    page = page_of(name, request.user, person=person, now=now)
    if page is None:
        raise NotFound
    spans = [words for words, _ in SPANS]
    context = {"page": page, "person": person, "spans": spans, "now": now}
    return render(request, "alerts/rule.html", context)


def _open_by_rule(request: HttpRequest) -> dict[str, int]:
    rows = access.alerts(request.user).filter(status=Status.OPEN).values_list("rule")
    return dict(rows.annotate(count=Count("pk")).order_by())
