"""The libraries below would log what they send, if they were let: nothing of it reaches the log."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.memory.checkpointer.model.conftest import KEY
from tests.model_server import Script, answers
from uac_site.env import BASE_DIR

WORD = "quixotamol"
ASKS = f"""
import logging, sys, time
import django
django.setup()
from pydantic import SecretStr
from memory.checkpointer.model.guard import Guard
from memory.checkpointer.model.manner import Manner
from memory.checkpointer.model.wire import Endpoint, Reply, Sent, exchange
logging.getLogger("memory").debug("debugging is on")
sent = Sent("small", (("user", "{WORD}"),), "answer", {{"type": "integer"}}, 100)
guard = Guard(time.monotonic() + 20, 100_000, time.monotonic, lambda: False)
reply = Reply()
exchange(Endpoint(sys.argv[1], SecretStr("{KEY}"), 5, 5), sent, Manner(), guard=guard, reply=reply)
print(reply.text)
"""


def test_at_the_most_talkative_level_there_is_no_word_and_no_key(server: Script) -> None:
    server.plays(answers(5))
    ended = subprocess.run(
        [sys.executable, "-c", ASKS, server.url],
        cwd=BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "uac_site.settings",
            "LOG_LEVEL": "DEBUG",
            "OPENAI_LOG": "debug",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "5\n"), ended.stderr
    assert "debugging is on" in ended.stderr
    assert WORD in str(server.requests)
    assert WORD not in ended.stderr
    assert KEY not in ended.stderr
