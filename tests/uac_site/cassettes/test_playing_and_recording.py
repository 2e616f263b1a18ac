"""The project's client gets recorded answers over HTTP; others are asked for, or refused."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from memory.checkpointer.model.client import ModelClient
from memory.checkpointer.model.errors import ModelError
from memory.checkpointer.model.manner import Manners
from memory.checkpointer.model.question import Question
from memory.models import ModelCall
from tests.memory.checkpointer.model.conftest import GOOD, Drug, config_for, question
from tests.model_server import Script, answers, model_server, status
from tests.uac_site.cassettes.requests import read_request
from uac_site.cassettes.cassette import Cassettes, read_exchanges
from uac_site.cassettes.endpoint import PIECE, endpoint
from uac_site.cassettes.player import Player, Upstream, environment

__all__ = ["question"]


@pytest.fixture
def upstream() -> Iterator[Script]:
    """The endpoint behind, which has the answers."""
    with model_server() as script:
        yield script


def client_of(url: str) -> ModelClient:
    """The project's client."""
    return ModelClient(config=config_for(url), manners=Manners())


def ask(url: str, body: Any) -> tuple[int, Any]:
    """What an endpoint says to a body that no client of ours would send so."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc, timeout=20)
    connection.request("POST", f"{place.path}/chat/completions", json.dumps(body))
    response = connection.getresponse()
    found = response.status, json.loads(response.read())
    connection.close()
    return found


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_recorded_once_and_given_again(
    upstream: Script, question: Question[Drug], tmp_path: Path
) -> None:
    upstream.plays(answers(GOOD))
    file = tmp_path / "one.toml"
    player = Player(Cassettes(), Upstream(upstream.url, "sk-up"), into=file)
    with endpoint(player) as url:
        assert client_of(url).ask(question).value == Drug(**GOOD)
        assert client_of(url).ask(question).value == Drug(**GOOD)
    assert len(upstream.requests) == 1
    assert "stream" not in upstream.requests[0]
    assert upstream.headers[0]["authorization"] == "Bearer sk-up"
    with endpoint(Player(Cassettes.of(file))) as url:
        answer = client_of(url).ask(question)
    assert answer.value == Drug(**GOOD)
    assert answer.text == read_exchanges(file)[0].answer == json.dumps(GOOD, indent=2)


def test_nothing_of_the_request_is_in_the_file_unless_it_is_ours_to_show(
    upstream: Script, tmp_path: Path
) -> None:
    upstream.plays(answers("{}"))
    player = Player(Cassettes(), Upstream(upstream.url), into=tmp_path / "one.toml")
    shown = Player(Cassettes(), Upstream(upstream.url), into=tmp_path / "two.toml", labelled=True)
    for one in (player, shown):
        with endpoint(one) as url:
            assert ask(url, read_request("My wombat sings."))[0] == 200
    assert "wombat" not in (tmp_path / "one.toml").read_text()
    assert 'said = "My wombat sings."' in (tmp_path / "two.toml").read_text()


@pytest.mark.django_db(transaction=True)
def test_a_miss_says_how_to_record_and_ends_the_call(question: Question[Drug]) -> None:
    player = Player(Cassettes())
    with endpoint(player) as url:
        with pytest.raises(ModelError, match="404"):
            client_of(url).ask(question)
        code, said = ask(url, read_request("one"))
    assert code == 404
    assert "--record" in said["error"]["message"]
    assert (player.missed[1].stage, len(player.missed)) == ("read", 2)
    assert "2 not recorded" in player.told
    assert ModelCall.objects.get().status == 404


@pytest.mark.django_db(transaction=True)
def test_a_long_answer_comes_in_pieces(
    upstream: Script, question: Question[Drug], tmp_path: Path
) -> None:
    long = {"name": "x" * PIECE * 3, "milligrams": 1}
    upstream.plays(answers(long))
    player = Player(Cassettes(), Upstream(upstream.url))
    with endpoint(player) as url:
        assert client_of(url).ask(question).value == Drug(**long)
        body = {**read_request("one"), "stream": True}
        place = urlsplit(url)
        connection = http.client.HTTPConnection(place.netloc, timeout=20)
        connection.request("POST", f"{place.path}/chat/completions", json.dumps(body))
        events = connection.getresponse().read().decode().split("\n\n")
        connection.close()
    assert len(events) > 4
    assert events[-2:] == ["data: [DONE]", ""]
    assert player.asked == 2


def test_an_answer_for_an_earlier_prompt_is_given_and_counted(
    upstream: Script, tmp_path: Path
) -> None:
    upstream.plays(answers("{}"))
    player = Player(Cassettes(), Upstream(upstream.url), into=tmp_path / "one.toml")
    with endpoint(player) as url:
        assert ask(url, read_request("one"))[0] == 200
    again = Player(Cassettes.of(tmp_path))
    with endpoint(again) as url:
        assert ask(url, read_request("one", template="Be brief."))[0] == 200
    assert again.told == "1 recorded answers, 1 of them recorded against an earlier prompt"


def test_what_the_endpoint_refuses_is_passed_on_and_not_recorded(
    upstream: Script, tmp_path: Path
) -> None:
    upstream.plays(status(429, {"error": {"message": "slowly"}}))
    file = tmp_path / "one.toml"
    for behind, code in ((upstream.url, 429), ("http://127.0.0.1:9/v1", 502)):
        with endpoint(Player(Cassettes(), Upstream(behind), into=file)) as url:
            assert ask(url, read_request("one"))[0] == code
    assert not file.exists()


def test_an_endpoint_knows_its_two_addresses_only() -> None:
    with endpoint(Player(Cassettes())) as url:
        place = urlsplit(url)
        connection = http.client.HTTPConnection(place.netloc, timeout=20)
        found = []
        for method, path in (("GET", "/v1/models"), ("GET", "/"), ("POST", "/v1/files")):
            connection.request(method, path, "{}" if method == "POST" else None)
            response = connection.getresponse()
            found.append(response.status)
            response.read()
        connection.close()
    assert found == [200, 404, 404]


def test_processes_ask_this_endpoint_and_no_other() -> None:
    env = environment("http://127.0.0.1:1/v1", "m", stages=("read",))
    assert env["OPENAI_BASE_URL"] == "http://127.0.0.1:1/v1"
    assert (env["UAC_MODEL"], env["UAC_MODEL_READ"], env["UAC_MODEL_STRUCTURE"]) == ("", "m", "")
    assert environment("http://127.0.0.1:1/v1", "m")["UAC_MODEL_STRUCTURE"] == "m"
    assert env["UAC_MODEL_ASK"] == env["UAC_MODEL_EMBED"] == ""
    assert environment("http://127.0.0.1:1/v1", "m", stages=("ask",))["UAC_MODEL_ASK"] == "m"
