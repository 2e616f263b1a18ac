"""The page on which staff try the rules: type drugs and an allergy, see what they would say."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from alerts.rerun import Busy
from alerts.rerun.asked import CHOICES, LONGEST, Asked, TooMuch, asked_for
from alerts.rerun.trying import Tried, try_out
from alerts.views.panel import basis_of
from memory.code import adopted_baseline
from memory.library.reference import load
from memory.project.payload import PayloadError
from memory.rights import Right
from memory.views.pages import staff_page
from memory.views.reference_index import index

EXAMPLES = (
    ("Augmentin, penicillin caused anaphylaxis", "drug=Augmentin&allergy=penicillin"
     "&reaction=anaphylaxis&severity=severe"),
    ("Cefazolin, penicillin caused a rash", "drug=cefazolin&allergy=penicillin&reaction=rash"),
    ("Furosemide, a sulfa allergy", "drug=furosemide&allergy=sulfa&reaction=hives"),
    ("Warfarin with ibuprofen", "drug=warfarin&drug=ibuprofen"),
    ("Simvastatin with grapefruit juice", "drug=simvastatin&intake=grapefruit+juice"),
    ("Lisinopril in pregnancy", "drug=lisinopril&pregnancy=pregnant"),
)  # fmt: skip


@require_safe
@staff_page(Right.CODE_READ)
def try_it(request: HttpRequest) -> HttpResponse:
    """The form, and what the rules say of what the address asks."""
    problem, status = "", 200
    asked, tried = Asked(), None
    try:
        asked = asked_for(request.GET)
        tried = _tried(asked)
    except (TooMuch, PayloadError) as error:
        problem, status = str(error), 400
    except Busy:
        problem = "The sandbox is busy: nothing was checked. Try again in a moment."
        status = 503
    context = {
        "asked": asked,
        "tried": tried,
        "told": [(one, basis_of(one.finding.basis)) for one in tried.told] if tried else [],
        "problem": problem,
        "choices": CHOICES,
        "longest": LONGEST,
        "examples": EXAMPLES,
        "files": _dated(),
        "unreviewed": [file for file in index().files if not file.reviewed],
    }
    return render(request, "alerts/try_it.html", context, status=status)


def _tried(asked: Asked) -> Tried | None:
    if not asked.anything:
        return None
    return try_out(asked, adopted_baseline(), today=timezone.localdate())


def _dated() -> dict[str, Any]:
    """The newest date of the tables, and their digest."""
    tables = load()
    return {"date": max(one.date for one in tables.files.values()), "digest": tables.digest}
