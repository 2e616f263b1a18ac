"""Correct a fact: what is true instead, and what of its readings still holds, with other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory import access
from memory.actions.appended import Appended
from memory.actions.check_facts import FactsRefused, NewReading
from memory.actions.correct_fact import correct_fact
from memory.code import project_of
from memory.evaluator import Span, evaluator
from memory.log import FactEntry, ReadingEntry, facts_by_seq
from memory.project.kinds import Kind
from memory.rights import Right
from memory.views.pages import number_of, staff_page
from memory.views.values import describe

LONGEST = 10_000
LAST_ID = 2**63


class CorrectionForm(forms.Form):
    """The true words, and for each reading whether it holds with the values as they are now."""

    text = forms.CharField(
        label="What is true instead",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Say in a sentence what is true."},
    )

    def __init__(self, *args: Any, fact: FactEntry, kinds: Mapping[str, Kind], **kw: Any) -> None:
        super().__init__(*args, **kw)
        placed = {one.places for one in fact.readings}  # what waited until its kind was known
        self.readings = [
            one
            for one in fact.readings
            if one.op in ("assert", "update") and one.kind in kinds and one.seq not in placed
        ]
        self.kinds = kinds
        for one in self.readings:
            self.fields[f"keep-{one.seq}"] = forms.BooleanField(required=False)
            for name, value in _texts(one):
                self.fields[f"value-{one.seq}-{name}"] = forms.CharField(
                    label=name.replace("_", " "), initial=value, required=False, max_length=LONGEST
                )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each reading in words, with its box and its values."""
        for one in self.readings:
            kind = self.kinds[one.kind]
            yield {
                "words": describe(kind, one.data),
                "keep": self[f"keep-{one.seq}"],
                "values": [self[f"value-{one.seq}-{name}"] for name, _ in _texts(one)],
            }

    def kept(self) -> list[NewReading]:
        """The readings that hold, with the values as they were written."""
        return [self._reading(one) for one in self.readings if self.cleaned_data[f"keep-{one.seq}"]]

    def _reading(self, one: ReadingEntry) -> NewReading:
        data = dict(one.data)
        for name, _ in _texts(one):
            value = self.cleaned_data[f"value-{one.seq}-{name}"].strip()
            if value:
                data[name] = value
            else:
                del data[name]
        key = self.kinds[one.kind].key
        other = one.op == "assert" and any(data.get(name) != one.data.get(name) for name in key)
        op = "assert" if one.op == "assert" else "update"
        return NewReading(one.kind, op, None if other else one.record_id or None, data)  # type: ignore[arg-type]


def _texts(one: ReadingEntry) -> list[tuple[str, str]]:
    """The values that a person may write otherwise; lists and the like stay as they are."""
    return sorted((name, value) for name, value in one.data.items() if isinstance(value, str))


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.READINGS_CONFIRM)
def correct(request: HttpRequest, user_id: UUID, seq: int) -> HttpResponse:
    """The form; a post appends the correction and runs the rules."""
    person = access.memory_user(request.user, user_id, Right.READINGS_CONFIRM)
    fact = facts_by_seq(person, {seq}).get(seq)
    if fact is None:
        raise access.NotFound
    given = request.POST if request.method == "POST" else None
    form = CorrectionForm(given, fact=fact, kinds=project_of(person).kinds)
    if form.is_valid():
        now = timezone.now()
        try:
            appended = correct_fact(
                user_id=user_id,
                seq=seq,
                text=form.cleaned_data["text"],
                readings=form.kept(),
                actor=access.staff(request.user, Right.READINGS_CONFIRM),
                now=now,
            )
        except FactsRefused as error:
            form.add_error(None, "; ".join(one.detail for one in error.problems))
        else:
            span = Span(appended.first_seq, appended.last_seq, appended.through)
            evaluator().evaluate(user=appended.user, span=span, queued=appended.queued, now=now)
            return _corrected(request, seq, appended)
    context = {
        "person": person,
        "fact": fact,
        "form": form,
        "alert": _alert_asked(request),
        "now": timezone.now(),
    }
    return render(request, "memory/correct.html", context, status=422 if form.errors else 200)


def _corrected(request: HttpRequest, seq: int, appended: Appended) -> HttpResponse:
    messages.success(
        request,
        f"Corrected: fact {appended.last_seq} takes the place of fact {seq}.",
    )
    alert = _alert_asked(request)
    if alert is not None:
        return redirect("alert", alert)
    return redirect(f"{reverse('person', args=[appended.user.pk])}?tab=facts")


def _alert_asked(request: HttpRequest) -> int | None:
    """The alert from which somebody came, to which they go back."""
    return number_of(request.POST.get("alert") or request.GET.get("alert"), below=LAST_ID)
