"""Prove an alert: the button on its panel."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from alerts import access
from alerts.rerun import BUSY, Busy
from alerts.rerun.proof import NotProvable, Proof, prove
from alerts.views.dashboard import show_panel
from memory.rights import Right
from memory.views.pages import staff_page


@require_POST
@staff_page(Right.ALERTS_READ)
def prove_alert(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Run the alert's rule again and show the panel with what came of it."""
    found = access.alert(request.user, alert_id)
    proof: Proof | None = None
    not_proved = ""
    try:
        proof = prove(found)
    except NotProvable as error:
        not_proved = f"It cannot be run again: {error}."
    except Busy:
        not_proved = BUSY
    return show_panel(request, found, {"proof": proof, "not_proved": not_proved})
