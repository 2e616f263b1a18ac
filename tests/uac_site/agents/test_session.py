"""A session of the official MCP client with a real site, recorded message by message."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent, TextResourceContents

from memory.rights import Right
from tests.real_site import RealSite
from tests.uac_site.agents.recorder import Recorder, connected

RECORDED = Path(__file__).with_name("session.txt")
FACTS = [
    {
        "text": "Penicillin gave me hives as a child.",
        "readings": [
            {"kind": "health.Allergy", "data": {"substance": "penicillin", "reaction": "hives"}}
        ],
    },
    {
        "text": "Dr. Chen prescribed amoxicillin.",
        "readings": [{"kind": "health.Medication", "data": {"name": "amoxicillin"}}],
    },
]


def _text(answer: CallToolResult) -> str:
    """What a tool said, as text."""
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


async def _session(client: Client, person: str) -> None:
    """What an agent does: look what there is, remember, count, look what is wrong."""
    tools = await client.list_tools()
    assert [one.name for one in tools.tools] == [
        *("remember", "search", "context", "query", "ask", "alerts")
    ]
    told = await client.call_tool("remember", {"user_id": person, "facts": FACTS})
    assert [one["seq"] for one in told.structured_content["facts"]] == [1, 2]
    assert [one["rule"] for one in told.structured_content["alerts"]["opened"]] == ["drug_allergy"]
    query = {"user_id": person, "code": "[m.name for m in medications]"}
    assert (await client.call_tool("query", query)).structured_content["value"] == ["amoxicillin"]
    alerts = (await client.call_tool("alerts", {"user_id": person})).structured_content["items"]
    assert [(one["rule"], one["status"]) for one in alerts] == [("drug_allergy", "open")]
    then = {"user_id": person, "as_of": "1"}
    assert (await client.call_tool("alerts", then)).structured_content["items"] == []
    found = await client.call_tool("search", {"user_id": person, "q": "hives", "among": "facts"})
    assert [one["seq"] for one in found.structured_content["items"]] == [1]
    context = await client.call_tool("context", {"user_id": person, "q": "hives"})
    assert _text(context) == context.structured_content["text"]
    assert "[alert" in _text(context)
    manifest = await client.read_resource(f"uac://users/{person}/manifest")
    (contents,) = manifest.contents
    assert isinstance(contents, TextResourceContents)
    assert "'health.Allergy': {'collection': 'allergies'" in contents.text
    asked = await client.call_tool("ask", {"user_id": person, "question": "Which allergies?"})
    assert (asked.is_error, _text(asked)) == (
        True,
        "503 No model: No model is configured here to answer questions; send Python to `query`.",
    )


async def _recorded(site: RealSite, mode: str) -> str:
    recorder = Recorder()
    person = site.new_person()
    async with connected(site.url, site.secret, recorder, mode) as client:
        await _session(client, person)
    narrow = site.key(Right.ALERTS_READ, app="reads alerts")
    async with connected(site.url, narrow, recorder, mode) as client:
        assert [one.name for one in (await client.list_tools()).tools] == ["alerts"]
        refused = await client.call_tool("remember", {"user_id": person, "facts": FACTS[:1]})
        assert refused.is_error
        assert "lacks the scope facts:write" in _text(refused)
    for secret in (None, "uac_wrong"):
        await _refused(site, secret, recorder, mode)
    return recorder.text


async def _refused(site: RealSite, secret: str | None, recorder: Recorder, mode: str) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - a group of the client's own
        async with connected(site.url, secret, recorder, mode) as client:
            await client.list_tools()
    assert any(isinstance(one, MCPError) for one in _leaves(raised.value))
    assert recorder.lines[-1].startswith("< 401 ")


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in _leaves(one)]
    return [error]


def test_a_session_is_as_it_was_recorded(site: RealSite) -> None:
    text = asyncio.run(_recorded(site, "legacy"))
    if os.environ.get("UAC_WRITE_TABLES"):
        RECORDED.write_text(text, encoding="utf-8")
    assert text.splitlines() == RECORDED.read_text(encoding="utf-8").splitlines()


def test_the_newest_protocol_is_spoken_too(site: RealSite) -> None:
    text = asyncio.run(_recorded(site, "auto"))
    served, _, refused = text.partition("< 401 ")
    assert '"method": "server/discover"' in served
    assert '"method": "initialize"' not in served
    assert "< 200 " not in refused


def test_every_answer_fits_the_schema_that_its_tool_declares(site: RealSite) -> None:
    async def described() -> list[Any]:
        async with connected(site.url, site.secret) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(described())
    for one in tools:
        assert one.input_schema["additionalProperties"] is False
        assert "user_id" in one.input_schema["required"]
        assert one.output_schema["type"] == "object"
        assert one.description
    reading = {one.name for one in tools if one.annotations.read_only_hint}
    assert reading == {"search", "context", "query", "ask", "alerts"}
