"""An address that is none is answered like the rest of the API."""

from __future__ import annotations

import pytest

from memory.models import MemoryUser
from tests.api_client import PROBLEM, Api


@pytest.mark.parametrize(
    "path", ["", "nothing", "users/1/facts", "users/x/y/z", "facts", "of%0Alines"]
)
def test_an_unknown_address_is_a_problem_and_no_page(api: Api, path: str) -> None:
    for answer in (api.get(path), api.post(path, {})):
        assert (answer.status_code, answer["Content-Type"]) == (404, PROBLEM)
        assert "/api/v1/docs" in answer.json()["detail"]


def test_without_a_key_nobody_learns_which_addresses_there_are(person: MemoryUser) -> None:
    assert Api(None).get("nothing").status_code == 401
    assert Api(None).get(f"users/{person.pk}/facts").status_code == 401
