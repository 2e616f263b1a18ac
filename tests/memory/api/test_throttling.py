"""How many requests an app may make a minute."""

from __future__ import annotations

from typing import Any

from pytest_django import Settings

from memory.models import MemoryUser
from tests.api_client import Api, facts_path, pointers
from tests.facts import fact

LIMIT = 3


def _until_refused(api: Api, path: str) -> list[Any]:
    """Answers up to the first refusal; a minute may end among them, but not two."""
    answers: list[Any] = []
    while not answers or answers[-1].status_code == 200:
        assert len(answers) <= 3 * LIMIT
        answers.append(api.get(path))
    return answers


def test_an_app_that_asks_too_often_is_told_when_to_come_back(
    api: Api, person: MemoryUser, settings: Settings
) -> None:
    settings.REQUESTS_PER_MINUTE = LIMIT
    answers = _until_refused(api, f"users/{person.pk}")
    assert len(answers) > LIMIT
    refused = answers[-1]
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    pointers(refused)


def test_a_refused_post_stores_nothing(api: Api, person: MemoryUser, settings: Settings) -> None:
    settings.REQUESTS_PER_MINUTE = LIMIT
    stored = 0
    while (answer := api.post_facts(person, fact("one"))).status_code == 201:
        stored += 1
        assert stored <= 2 * LIMIT
    assert answer.status_code == 429
    settings.REQUESTS_PER_MINUTE = 1_000
    assert len(api.all(facts_path(person.pk))) == stored


def test_one_app_does_not_use_up_the_share_of_another(
    two_apps: tuple[Api, Api], person: MemoryUser, settings: Settings
) -> None:
    settings.REQUESTS_PER_MINUTE = LIMIT
    busy, quiet = two_apps
    _until_refused(busy, f"users/{person.pk}")
    assert quiet.get(f"users/{person.pk}").status_code == 200
