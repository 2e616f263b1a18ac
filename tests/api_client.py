"""The front door as an app uses it: HTTP with a key, and nothing else."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.test import Client

from memory.models import MemoryUser

HOST = "localhost"
PROBLEM = "application/problem+json"


class Api:
    """The API under `/api/v1/`, called with one secret (or none)."""

    def __init__(self, secret: str | None) -> None:
        headers = {} if secret is None else {"authorization": f"Bearer {secret}"}
        self.client = Client(SERVER_NAME=HOST, headers=headers)

    def get(self, path: str, **query: Any) -> Any:
        """GET, the query as keywords."""
        return self.client.get(self._address(path), query)

    def post(self, path: str, body: Any, *, key: str | None = None, raw: bool = False) -> Any:
        """POST a value as JSON (or bytes as they are), with an idempotency key if there is one."""
        content = body if raw else json.dumps(body)
        headers = {} if key is None else {"idempotency-key": key}
        return self.client.post(
            self._address(path), content, content_type="application/json", headers=headers
        )

    def post_facts(self, person: MemoryUser, *facts: Any, key: str | None = None) -> Any:
        """POST facts: one as itself, several as a batch."""
        body = facts[0] if len(facts) == 1 else {"facts": list(facts)}
        return self.post(f"users/{person.pk}/facts", body, key=key)

    def append(self, person: MemoryUser, *facts: Any) -> Any:
        """POST facts that must be taken; the answer's value."""
        answer = self.post_facts(person, *facts)
        assert answer.status_code == 201, answer.content
        return answer.json()

    def pages(self, path: str, **query: Any) -> list[list[Any]]:
        """Every page of a list, by following its links."""
        found = [self.get(path, **query).json()]
        while found[-1]["next"]:
            found.append(self.client.get(found[-1]["next"]).json())
        return [page["items"] for page in found]

    def all(self, path: str, **query: Any) -> list[Any]:
        """Every item of a list."""
        return [item for page in self.pages(path, **query) for item in page]

    def alerts(self, person: MemoryUser, **query: Any) -> list[Any]:
        """Every alert of a person."""
        return self.all(f"users/{person.pk}/alerts", **query)

    def records(self, person: MemoryUser, kind: str) -> dict[str, Any]:
        """The data of every record of a kind, by id."""
        return {row["id"]: row["data"] for row in self.all(f"users/{person.pk}/state/{kind}")}

    @staticmethod
    def _address(path: str) -> str:
        return f"/api/v1/{path}"


def pointers(answer: Any) -> dict[str, str]:
    """The errors of a refusal by JSON pointer; checks that it is an RFC 9457 document."""
    body = answer.json()
    assert answer["Content-Type"] == PROBLEM
    assert body["status"] == answer.status_code
    assert body["type"]
    assert body["title"]
    assert body["detail"]
    return {error["pointer"]: error["detail"] for error in body.get("errors", [])}


def facts_path(user_id: UUID) -> str:
    """Where a person's facts are."""
    return f"users/{user_id}/facts"
