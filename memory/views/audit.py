"""The auditors' page: who did or read what, and the same as CSV."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import audit
from memory.audit_search import Search, csv_lines, names_of
from memory.models import ActorKind, AuditDrop, AuditSeal, Outcome
from memory.rights import Right
from memory.views.pages import number_of, staff_page

PAGE = 100
MOST = 50_000
ANY = ("", "any")


class SearchForm(forms.Form):
    """What to look for."""

    actor_kind = forms.ChoiceField(choices=[ANY, *ActorKind.choices], required=False, label="Kind")
    actor = forms.CharField(max_length=80, required=False, label="User name, app or id")
    action = forms.CharField(max_length=60, required=False, label="Action begins with")
    person = forms.UUIDField(required=False, label="Id of the person")
    request_id = forms.CharField(max_length=32, required=False, label="Request")
    address = forms.CharField(max_length=45, required=False, label="Address")
    outcome = forms.ChoiceField(choices=[ANY, *Outcome.choices], required=False)
    since = forms.DateField(required=False, label="From", widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(required=False, label="Until", widget=forms.DateInput({"type": "date"}))


@require_safe
@staff_page(Right.AUDIT_READ)
def audit_page(request: HttpRequest) -> HttpResponse:
    """The events found, the newest first; `?before=` goes on below one."""
    form = SearchForm(request.GET)
    found = _search(form).events()
    before = number_of(request.GET.get("before"), below=2**63)
    if before is not None:
        found = found.filter(pk__lt=before)
    events = list(found[:PAGE])
    names = names_of(events)
    query = request.GET.copy()
    if len(events) == PAGE:
        query["before"] = str(events[-1].pk)
    context = {
        "form": form,
        "rows": [(event, names.get((event.actor_kind, event.actor_id), "")) for event in events],
        "more": query.urlencode() if len(events) == PAGE else "",
        "filtered": any(form.cleaned_data.values()) if form.is_valid() else True,
        "seal": AuditSeal.objects.order_by("-number").first(),
        "dropped": AuditDrop.objects.order_by("-through").first(),
    }
    return render(request, "memory/audit.html", context, status=200 if form.is_valid() else 422)


@require_POST
@staff_page(Right.AUDIT_READ)
def audit_csv(request: HttpRequest) -> HttpResponse:
    """The same events as a file, the newest 50,000 at most."""
    form = SearchForm(request.POST)
    if not form.is_valid():
        return HttpResponse("Mend the search first.", status=422, content_type="text/plain")
    now = timezone.now()
    audit.record("audit.export", actor=request.user, now=now)
    events = _search(form).events()[:MOST].iterator()
    answer = HttpResponse("".join(csv_lines(events)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="audit-{now:%Y%m%d-%H%M%S}.csv"'
    return answer


def _search(form: SearchForm) -> Search:
    if not form.is_valid():
        return Search()
    return Search(**{name: value for name, value in form.cleaned_data.items() if value})
