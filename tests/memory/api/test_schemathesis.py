"""Whatever is sent to the API with a key of any scope: no 500, and no answer it does not describe.

The requests are generated from the description, the same ones at every run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from memory.models import MemoryUser
from memory.rights import SCOPES, Right
from tests.api_client import HOST, Api
from tests.facts import allergy, medication, note, trip
from tests.proposals import bought
from tests.staff import new_key

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
EXAMPLES = 6  # a key and operation
EXAMPLES_OF_ALL = 25
SECONDS = 60.0
PATHS = "/api/v1/users"


@pytest.fixture
def schema(transactional_db: None) -> Any:
    """The description, answered by the application itself."""
    described = SchemaGenerator().get_schema(request=None, public=True)
    application = get_wsgi_application()
    found = schemathesis.openapi.from_dict(described)
    found.app = application
    return found.include(path_regex=f"^{PATHS}|^/api/v1/webhooks")


@pytest.fixture
def known(api: Api, person: MemoryUser) -> UUID:
    """A person of whom something is known."""
    api.append(
        person, allergy("penicillin"), medication("Amoxicillin"), note("x"), bought("a lamp")
    )
    api.append(person, trip("Rome", "2027-01-01"))
    return person.pk


def _operations(schema: Any) -> Iterator[Any]:
    for result in schema.get_all_operations():
        yield result.ok()


def _send(operation: Any, secret: str, person: UUID, examples: int) -> dict[int, int]:
    """Generated requests to one operation; how many answers of each status there were."""
    statuses: dict[int, int] = {}

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(case=operation.as_strategy())
    def send(case: Any) -> None:
        if "user_id" in case.path_parameters:
            case.path_parameters["user_id"] = str(person)
        headers = {"Authorization": f"Bearer {secret}", "Host": HOST}
        answer = case.call(headers=headers, base_url=f"http://{HOST}")
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        described = CHECKS[1:] if answer.status_code == 503 else CHECKS  # no model: said as such
        case.validate_response(answer, checks=described)

    with suppress(Unsatisfiable):  # nothing can be generated for it
        send()
    return statuses


@pytest.mark.any_database
@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_a_key_of_one_scope_gets_described_answers(schema: Any, known: UUID, scope: Right) -> None:
    secret = new_key("narrow", scopes=[scope])
    statuses = [
        status
        for operation in _operations(schema)
        for status in _send(operation, secret, known, EXAMPLES)
    ]
    assert 403 in statuses
    assert any(status != 403 for status in statuses)


def test_a_key_of_every_scope_gets_described_answers(schema: Any, known: UUID) -> None:
    secret = new_key("wide")
    started = time.monotonic()
    seen: set[int] = set()
    count = 0
    for operation in _operations(schema):
        seen |= _send(operation, secret, known, EXAMPLES_OF_ALL).keys()
        count += 1
    assert count >= 13
    assert {200, 201, 400} <= seen
    assert time.monotonic() - started < SECONDS


def test_without_a_key_every_operation_refuses(schema: Any, known: UUID) -> None:
    for operation in _operations(schema):
        assert _send(operation, "uac_wrong", known, 2).keys() <= {401}
    assert reverse("api:users") == PATHS
