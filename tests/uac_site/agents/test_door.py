"""Who may come in at `/mcp`, and what is refused there."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import MCPError

from memory.rights import Right
from tests.real_site import HOST, RealSite
from tests.uac_site.agents.recorder import connected
from uac_site.agents.calls import path
from uac_site.agents.door import LARGEST, PATH, Door, origin_allowed

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}
HEADERS = {**ACCEPT, "Content-Type": "application/json", "Host": "localhost"}


def _post(
    site: RealSite, message: Any = LIST, secret: str | None = None, **headers: str
) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    key = {"Authorization": f"Bearer {secret or site.secret}"}
    return httpx.post(
        f"{site.url}/mcp", json=message, headers={**ACCEPT, **key, **named}, timeout=60
    )


def _call(site: RealSite, secret: str, name: str, **arguments: Any) -> Any:
    async def call() -> Any:
        async with connected(site.url, secret) as client:
            return await client.call_tool(name, arguments)

    return asyncio.run(call())


async def _any_key(scope: Any, receive: Any, send: Any) -> None:
    """An API for which every key may ask queries."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b'{"scopes": ["query"]}'})


async def _elsewhere(scope: Any, receive: Any, send: Any) -> None:
    """An API that wants https."""
    where = (b"location", b"https://localhost/api/v1/key")
    await send({"type": "http.response.start", "status": 301, "headers": [where]})
    await send({"type": "http.response.body", "body": b""})


async def _status(door: Door) -> int:
    """What a door answers to a message."""
    answers: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": json.dumps(LIST).encode()}

    async def send(message: Any) -> None:
        answers.append(message)

    headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    scope = {"type": "http", "method": "POST", "path": PATH, "headers": headers}
    await door(scope, receive, send)
    return int(answers[0]["status"])


def test_without_a_key_nobody_is_told_anything(site: RealSite) -> None:
    answer = httpx.post(f"{site.url}/mcp", json=LIST, headers=ACCEPT)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "tools" not in answer.text
    assert answer.headers["cache-control"] == _post(site).headers["cache-control"] == "no-store"
    cookie = httpx.post(f"{site.url}/mcp", json=LIST, headers={**ACCEPT, "Cookie": "sessionid=x"})
    assert cookie.status_code == 401


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        (f"http://{HOST}", 200),
        (f"https://{HOST}:8443", 200),
        ("http://evil.example", 403),
        (f"http://{HOST}.evil.example", 403),
        ("null", 403),
        ("", 403),
        (f"file://{HOST}", 403),
        ("http://[", 403),
    ],
)
def test_pages_of_other_sites_may_not_call(site: RealSite, origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert _post(site, **headers).status_code == status


def test_another_host_is_not_ours(site: RealSite) -> None:
    assert _post(site, Host="evil.example").status_code == 400


@given(st.text())
def test_any_origin_is_judged(origin: str) -> None:
    assert not origin_allowed(origin, ["example.org"]) or "example.org" in origin.casefold()


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_and_no_session(site: RealSite, method: str) -> None:
    headers = {**ACCEPT, "Authorization": f"Bearer {site.secret}"}
    answer = httpx.request(method, f"{site.url}/mcp", headers=headers)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_message_that_is_too_large_is_not_read(site: RealSite) -> None:
    answer = _post(site, {**LIST, "params": {"x": "y" * LARGEST}})
    assert answer.status_code == 413


def test_what_is_no_message_is_told(site: RealSite) -> None:
    assert _post(site, {"hello": 1}).status_code == 400
    assert _post(site, [LIST]).status_code == 400


def test_each_message_counts_as_one_request(site: RealSite) -> None:
    person = site.new_person()
    secret = site.key(Right.QUERY, app="hurried", per_minute=4)
    call = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "query", "arguments": {"user_id": person, "code": "1 + 1"}},
    }  # fmt: skip
    answers = [_post(site, call, secret) for _ in range(9)]  # a minute may end among them
    allowed = [one for one in answers if one.status_code == 200]
    assert all(one.json()["result"]["structuredContent"]["value"] == 2 for one in allowed)
    assert 4 <= len(allowed) <= 8
    refused = next(one for one in answers if one.status_code == 429)
    assert int(refused.headers["retry-after"]) >= 1


def test_two_first_messages_at_once_are_both_answered() -> None:
    async def both() -> list[Any]:
        door = Door(_any_key)  # of a process that has just started
        return [*await asyncio.gather(_status(door), _status(door), return_exceptions=True)]

    assert asyncio.run(both()) == [200, 200]


def test_a_message_leaves_no_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert asyncio.run(_status(Door(_any_key))) == 200
    assert [one for one in caplog.records if one.name != "asyncio"] == []


def test_an_answer_names_its_request(site: RealSite) -> None:
    asked = "0af7651916cd43dd8448eb211c80319c"
    answers = [_post(site, X_Request_ID=asked), _post(site, {"hello": 1}, X_Request_ID=asked)]
    answers.append(_post(site, secret="uac_wrong", X_Request_ID=asked))
    assert [one.headers.get_list("x-request-id") for one in answers] == [[asked]] * 3
    assert answers[2].json()["request_id"] == asked
    assert len(_post(site, Origin="http://evil.example").headers["x-request-id"]) == 32


def test_a_key_sees_nobody_beyond_its_reach(site: RealSite) -> None:
    person = site.new_person()
    stranger = site.key(Right.QUERY, app="another", own=True)
    for secret, user_id in ((stranger, person), (site.secret, str(UUID(int=0)))):
        answer = _call(site, secret, "query", user_id=user_id, code="1")
        assert answer.is_error
        assert answer.content[0].text.startswith("404 Not found")


def test_arguments_that_do_not_fit_are_named(site: RealSite) -> None:
    person = site.new_person()
    many = _call(site, site.secret, "remember", user_id=person, facts=[{"text": "", "x": 1}])
    assert many.is_error
    assert "/facts/0/text" in many.content[0].text
    assert "/facts/0/x" in many.content[0].text
    unfit = _call(
        site, site.secret, "remember", user_id=person,
        facts=[{"text": "x", "readings": [{"kind": "health.Allergy", "data": {"sub": 1}}]}],
    )  # fmt: skip
    assert unfit.is_error
    assert "422" in unfit.content[0].text
    assert "/facts/0/readings/0/data" in unfit.content[0].text


def test_the_same_key_of_a_request_has_the_effect_of_one(site: RealSite) -> None:
    person = site.new_person()
    fact = {"facts": [{"text": "tea"}], "idempotency_key": "once", "user_id": person}
    first, again = (_call(site, site.secret, "remember", **fact) for _ in range(2))
    assert first.structured_content["facts"] == again.structured_content["facts"]
    with site.api() as api:
        assert len(api.get(f"users/{person}/facts").json()["items"]) == 1


@pytest.mark.parametrize(
    "uri", ["uac://users/x/code", "file:///etc/passwd", "uac://users/../../key/manifest"]
)
def test_there_is_no_other_resource(site: RealSite, uri: str) -> None:
    async def read() -> None:
        async with connected(site.url, site.secret) as client:
            await client.read_resource(uri)

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(read())
    assert raised.group_contains(MCPError, depth=None)


def test_there_is_no_other_tool(site: RealSite) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        _call(site, site.secret, "erase", user_id="x")
    assert raised.group_contains(MCPError, match="no tool 'erase'", depth=None)


@given(st.lists(st.text(), min_size=1))
def test_no_part_of_a_path_leaves_its_place(parts: list[str]) -> None:
    joined = path(*parts)
    assert [unquote(one) for one in joined.split("/")] == [
        one.encode("utf-8", "replace").decode() for one in parts
    ]
    assert joined.isascii()
    assert not set(joined) & set("?#%00\n") - set("%0")


def test_a_message_without_https_is_refused_where_the_site_wants_it() -> None:
    assert asyncio.run(_status(Door(_elsewhere))) == 403
