"""Search with vectors: made in the background, fused with words, and done without."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from memory.actions.embed_entries import (
    Unembedded,
    enqueue_embedding,
    enqueue_unembedded,
    store_vectors,
)
from memory.models import EmbeddedBlock, Job, JobStatus, MemoryUser, ModelCall, Stream
from memory.retrieval.vectors.kept import keeper
from tests.api_client import Api
from tests.facts import fact, note
from tests.memory.retrieval.vectors.folder import SIZE, make_model
from tests.model_server import Connection, Request, Script, model_server, status
from tests.people import new_person
from tests.proposals import current
from tests.queue import deliver_all

Json = dict[str, Any]


def _found(api: Api, person: MemoryUser, q: str, **query: Any) -> Json:
    answer = api.get(f"users/{person.pk}/search", q=q, **query)
    assert answer.status_code == 200, answer.content
    body: Json = answer.json()
    return body


def _seqs(found: Json) -> list[int]:
    return [one["seq"] for one in found["items"]]


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """A small model in a folder, configured."""
    settings.EMBED_FOLDER = make_model(tmp_path / "small")
    return Path(settings.EMBED_FOLDER)


def _embed(person: MemoryUser) -> None:
    assert enqueue_embedding(user=person, now=timezone.now())
    deliver_all()
    user = current(person)
    blocks = EmbeddedBlock.objects.filter(user=person)
    assert sum(block.count for block in blocks) == user.fact_seq + user.message_seq


def test_until_there_are_vectors_the_words_find(folder: Path, api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea with milk"), note("a trip"))
    found = _found(api, person, "tea")
    assert (_seqs(found), found["mode"]) == ([1], "hybrid")
    assert found["items"][0]["explanation"]["similarity"] is None
    _embed(person)
    (hit, *_) = _found(api, person, "tea")["items"]
    assert hit["seq"] == 1
    assert -1 <= hit["explanation"]["similarity"] <= 1


def test_the_same_text_is_the_nearest_by_meaning(
    folder: Path, api: Api, person: MemoryUser
) -> None:
    texts = ["milk", "tea", "a trip to rome", "trips to rome", "a", "tea milk"]
    api.append(person, *map(fact, texts))
    _embed(person)
    for seq, text in enumerate(texts, start=1):
        (first, *_) = _found(api, person, text, mode="vector")["items"]
        assert first["seq"] == seq
        assert first["explanation"]["similarity"] == pytest.approx(1, abs=0.01)
        assert first["explanation"]["words"] == 0


def test_what_was_known_then_has_no_later_vectors(
    folder: Path, api: Api, person: MemoryUser
) -> None:
    api.append(person, *map(fact, ("milk", "tea", "trip")))
    _embed(person)
    before = _found(api, person, "tea", mode="vector")
    api.append(person, *(fact("tea tea") for _ in range(70)))
    _embed(person)
    assert _found(api, person, "tea", mode="vector", as_of="3")["items"] == before["items"]


def test_another_model_makes_them_anew(
    folder: Path, api: Api, person: MemoryUser, settings: Settings, tmp_path: Path
) -> None:
    api.append(person, *map(fact, ("milk", "tea")))
    _embed(person)
    (old,) = EmbeddedBlock.objects.filter(user=person)
    before = _found(api, person, "tea trip")["items"][0]["explanation"]["similarity"]
    settings.EMBED_FOLDER = make_model(tmp_path / "other", seed=8)
    assert _found(api, person, "tea")["items"][0]["explanation"]["similarity"] is None
    assert enqueue_unembedded(now=timezone.now()) == 1
    deliver_all()
    (new,) = EmbeddedBlock.objects.filter(user=person)
    assert (new.dimension, new.count) == (SIZE, 2)
    assert new.model != old.model
    after = _found(api, person, "tea trip")["items"][0]["explanation"]["similarity"]
    assert after not in (None, before)


def test_the_sweep_finds_who_has_entries_without(
    folder: Path, api: Api, person: MemoryUser
) -> None:
    new_person()
    assert enqueue_unembedded(now=timezone.now()) == 0
    api.append(person, note("tea"))
    assert enqueue_unembedded(now=timezone.now()) == 1
    deliver_all()
    assert enqueue_unembedded(now=timezone.now()) == 0


def test_without_a_model_there_is_no_search_by_meaning(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    assert _found(api, person, "tea")["mode"] == "text"
    refused = api.get(f"users/{person.pk}/search", q="tea", mode="vector")
    assert refused.status_code == 400
    assert "No model that makes vectors" in refused.json()["detail"]
    assert not enqueue_embedding(user=person, now=timezone.now())
    assert enqueue_unembedded(now=timezone.now()) == 0


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Script]:
    """An endpoint that makes vectors."""
    with model_server() as script:
        settings.MODEL = {
            **settings.MODEL,
            "base_url": script.url,
            "models": {"embed": "small"},
        }
        yield script


def vectors(make: Callable[[int, str], list[float]], **usage: int) -> Any:
    """An act: a vector for each text, in any order."""

    def act(connection: Connection, request: Request) -> None:
        data = [
            {"object": "embedding", "index": number, "embedding": make(number, text)}
            for number, text in enumerate(request["input"])
        ]
        body = {"object": "list", "data": data[::-1], "model": request["model"], "usage": usage}
        connection.whole(200, json.dumps(body).encode())

    return act


def _by_letters(number: int, text: str) -> list[float]:
    return [1.0, float("tea" in text), float("milk" in text)]


def test_an_endpoint_makes_them_and_each_call_is_recorded(
    endpoint: Script, api: Api, person: MemoryUser
) -> None:
    endpoint.plays(vectors(_by_letters, prompt_tokens=7, total_tokens=7))
    api.append(person, *map(fact, ("milk", "tea", "a trip")))
    _embed(person)
    assert endpoint.requests[0]["input"] == ["milk", "tea", "a trip"]
    assert endpoint.requests[0]["model"] == "small"
    assert endpoint.paths == ["/v1/embeddings"]
    assert _seqs(_found(api, person, "teacup", mode="vector"))[0] == 2
    calls = ModelCall.objects.filter(user=person, stage="embed")
    assert [(one.outcome, one.tokens_in, one.model) for one in calls] == [("done", 7, "small")] * 2


BROKEN = {
    "an error": status(500, {"error": {"message": "down"}}),
    "too few": lambda connection, request: connection.whole(200, b'{"data": []}'),
    "no numbers": vectors(lambda number, text: ["a"]),  # type: ignore[list-item]
    "unequal": vectors(lambda number, text: [1.0] * (number + 1)),
    "empty": vectors(lambda number, text: []),
    "not JSON": lambda connection, request: connection.whole(200, b"<html>"),
}


@pytest.mark.parametrize("act", BROKEN.values(), ids=BROKEN)
def test_where_the_endpoint_fails_the_words_find(
    endpoint: Script, api: Api, person: MemoryUser, act: Any
) -> None:
    endpoint.plays(act)
    api.append(person, *map(fact, ("milk", "tea")))
    assert enqueue_embedding(user=person, now=timezone.now())
    for _ in range(6):
        try:
            deliver_all()
        except RuntimeError:
            continue
    assert Job.objects.get(name="embed").status == JobStatus.FAILED
    assert not EmbeddedBlock.objects.exists()
    assert enqueue_unembedded(now=timezone.now()) == 0
    found = _found(api, person, "tea")
    assert (_seqs(found), found["mode"]) == ([2], "text")


def test_where_vectors_have_another_length_by_now_all_are_made_anew(
    endpoint: Script, api: Api, person: MemoryUser
) -> None:
    endpoint.plays(vectors(lambda number, text: [1.0, 2.0, 3.0]))
    api.append(person, *map(fact, ("milk", "tea")))
    _embed(person)
    endpoint.plays(vectors(lambda number, text: [4.0, 3.0, 2.0, 1.0]))
    api.append(person, fact("a trip"))
    _embed(person)
    (block,) = EmbeddedBlock.objects.filter(user=person)
    assert (block.dimension, block.count) == (4, 3)
    inputs = [one["input"] for one in endpoint.requests]
    assert inputs == [["milk", "tea"], ["a trip"], ["milk", "tea", "a trip"]]


def test_what_a_process_keeps_of_vectors_is_of_their_length(person: MemoryUser) -> None:
    for size in (2, 3):
        EmbeddedBlock.objects.all().delete()
        place = Unembedded(person.pk, Stream.FACT, 0, 0, ["tea"])
        store_vectors(of=place, model="small", vectors=[[1.0] * size])
        found = keeper().similarities(person, "small", [1.0] * size, {Stream.FACT: 1})
        assert found == {(Stream.FACT, 1): pytest.approx(1, abs=0.01)}


@pytest.mark.parametrize("broken", [False, True])
def test_what_a_question_means_is_found_out_once(
    endpoint: Script, api: Api, person: MemoryUser, broken: bool
) -> None:
    endpoint.plays(status(500, {}) if broken else vectors(_by_letters))
    api.append(person, note("tea with milk"))
    api.post(f"users/{person.pk}/messages", {"messages": [{"role": "user", "content": "tea"}]})
    answer = api.get(f"users/{person.pk}/context", q="tea")
    assert answer.status_code == 200, answer.content
    assert [one["input"] for one in endpoint.requests] == [["tea"]]
