"""Back to the queue after a decision that was made in one of its lines."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from memory.queue.asked import LONGEST, asked_for

FIELD = "queue"
"""The field of a form that stands in the queue: the filters there, as in its address."""


def from_queue(request: HttpRequest) -> bool:
    """Whether a form was sent from there."""
    return FIELD in request.POST


def to_queue(request: HttpRequest) -> HttpResponse:
    """The queue with the filters that it had; what is not a filter is left out."""
    said = request.POST.get(FIELD, "")[: 10 * LONGEST]
    query = asked_for(QueryDict(said)).query
    address = reverse("proposals")
    return redirect(f"{address}?{query}" if query else address)
