"""Requests as the client sends them, made of the project's own prompts."""

from __future__ import annotations

import json
from typing import Any

from memory.checkpointer.prompts import Prompt, prompt


def read_request(*texts: str, day: str = "2026-03-06", template: str = "") -> dict[str, Any]:
    """A request to read; `template` stands for what the prompt might say in other words."""
    found = prompt("read")
    if template:
        found = Prompt("read", f"{template}\n{found.template}")
    lines = [
        json.dumps({"number": number, "from": "user", "at": day, "text": text}, ensure_ascii=False)
        for number, text in enumerate(texts, start=1)
    ]
    others = {name: f"(the {name})" for name in found.places if name != "messages"}
    filled = found.fill(messages="\n".join(lines), **others)
    return {
        "model": "any",
        "messages": [{"role": "user", "content": filled.text}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "read"}},
    }


def structure_request(*facts: str, comment: str = "(none)") -> dict[str, Any]:
    """A request for code."""
    found = prompt("structure")
    lines = [json.dumps({"fact": seq, "text": text}) for seq, text in enumerate(facts, start=7)]
    others = {name: "(none)" for name in found.places if name not in ("facts", "review")}
    filled = found.fill(facts="\n".join(lines), review=comment, **others)
    return {"messages": [{"role": "user", "content": filled.text}]}


def sent_back(request: dict[str, Any], answer: str, problem: str) -> dict[str, Any]:
    """The request after an answer in which something was wrong."""
    repair = prompt("repair").fill(problem=problem).text
    turns = [{"role": "assistant", "content": answer}, {"role": "user", "content": repair}]
    return {**request, "messages": [*request["messages"], *turns]}
