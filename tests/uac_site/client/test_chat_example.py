"""The chat loop of the documentation, run as it is with a scripted model and a real site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.model_server import body, completion, model_server
from tests.real_site import RealSite
from uac_site.client import UacClient

CHAT = Path(__file__).parents[3] / "docs" / "examples" / "chat.py"


def _calls(name: str, arguments: Any) -> bytes:
    """A model's answer that calls a tool."""
    called = completion(None, finish="tool_calls")
    called["choices"][0]["message"] = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call-{name}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
        ],
    }
    return json.dumps(called).encode()


def _says(text: str) -> bytes:
    return json.dumps(completion(text)).encode()


def test_a_chat_remembers_counts_and_knows_the_next_time(site: RealSite) -> None:
    script = [
        _calls("remember", {"text": "I am allergic to latex"}),
        _says("I will remember that."),
        _calls("query", ["len(allergies)"]),
        _calls("query", {"code": "len(allergies"}),
        _calls("query", {"code": "len(allergies)"}),
        _says("None is recorded in types yet."),
    ]
    with model_server() as model:
        model.plays(*(body(one) for one in script))
        environment = {
            **os.environ,
            "PYTHONPATH": str(CHAT.parents[2]),
            "UAC_URL": site.url,
            "UAC_KEY": site.secret,
            "UAC_PERSON": "chats",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-x",
            "CHAT_MODEL": "scripted",
        }
        done = subprocess.run(
            [sys.executable, str(CHAT)],
            input="I am allergic to latex\nHow many allergies have I?\n\n",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["I will remember that.", "None is recorded in types yet."]
    results = [one["content"] for one in model.requests[-1]["messages"] if one["role"] == "tool"]
    assert results[0] == "Recorded as fact 1."
    assert results[1].startswith("It failed: ")
    assert "never closed" in results[2]
    assert results[3] == "0"
    assert "latex" not in model.requests[0]["messages"][0]["content"]
    assert "I am allergic to latex" in model.requests[2]["messages"][0]["content"]
    with UacClient(site.url, site.secret) as memory:
        person = memory.find_user("chats").user_id
        roles = [one.role for one in memory.messages(person, order="asc").items]
        assert roles == ["user", "assistant"] * 2
