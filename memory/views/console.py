"""What stands around a query on the person's page: examples, and what there is to ask about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.checkpointer.model.config import model_config
from memory.code import project_of
from memory.models import MemoryUser, Stage
from memory.querying.examples import collections_of, examples_of


def console(someone: MemoryUser, counts: Mapping[str, int], code: str = "") -> dict[str, Any]:
    """What the console shows around the code: examples, and what there is to ask about."""
    found = collections_of(project_of(someone).kinds.values(), counts)
    return {
        "code": code,
        "collections": found,
        "examples": examples_of(found),
        "can_ask": bool(model_config().model_for(Stage.ASK)),
    }
