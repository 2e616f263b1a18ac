"""The staff pages by HTTP, and an alert to look at there."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User as Staff
from django.test import Client

from alerts.models import Alert
from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import fact, reading

BY_SCRIPT = {"X-Requested-With": "fetch"}
HOSTILE = "<img src=x onerror=alert(1)>"


def logged_in(staff: Staff, **options: Any) -> Client:
    """The pages as a member of staff sees them."""
    client = Client(SERVER_NAME=HOST, **options)
    client.force_login(staff)
    return client


def text_of(client: Client, path: str, **query: Any) -> str:
    """The text of a page that must be there."""
    answer = client.get(path, query)
    assert answer.status_code == 200
    return answer.content.decode()


def critical_alert(api: Api, person: MemoryUser) -> Alert:
    """A critical alert of two facts with months between them."""
    api.append(
        person,
        fact(
            "Penicillin closed my throat once.",
            reading("health.Allergy", substance="penicillin", severity="severe"),
            occurred_at="2026-01-05T10:00:00Z",
            source="Companion app",
        ),
    )
    api.append(
        person,
        fact("Amoxicillin since today.", reading("health.Medication", name="amoxicillin")),
    )
    return Alert.objects.get()
