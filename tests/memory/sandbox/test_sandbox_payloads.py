"""Hostile code gets nothing, ends in time, and leaves a sandbox that still works.

The payloads lie in `payloads/*.txt`; `CANARY` stands for a readable file with a secret in it and
`VARIABLE` for an environment variable that holds the same secret. Where two limits lie close
together, which of them comes first depends on the machine: `limit memory or limit time`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory.sandbox import CodeRaised, LimitExceeded, Limits, Outcome, SandboxError

from .conftest import RunCode

SECRET = "swordfish-4711"
VARIABLE = "UAC_TEST_SECRET"
LONGEST = 4.0  # seconds: the budget of 1.5, a second and a half of grace, and a slow machine


@dataclass(frozen=True)
class Payload:
    name: str
    expected: str
    leaks_under_cpython: bool
    code: str

    def written_for(self, canary: Path) -> str:
        return self.code.replace("CANARY", str(canary)).replace("VARIABLE", VARIABLE)


def read_payloads(pattern: str) -> list[Payload]:
    found = []
    for path in sorted((Path(__file__).parent / "payloads").glob(pattern)):
        for block in path.read_text().split("### ")[1:]:
            head, _, code = block.partition("\n")
            name, expected, *rest = head.split(" | ")
            found.append(Payload(name, expected, bool(rest), code.strip()))
    return found


PAYLOADS = read_payloads("*.txt")
BOMBS = {
    "parentheses": "(" * 10_000 + ")" * 10_000,
    "minus signs": "-" * 100_000 + "1",
    "one long or": " or ".join(["0"] * 50_000),
    "one long attribute": "x" + ".x" * 50_000,
    "nested ifs": "".join(" " * i + "if 1:\n" for i in range(500)) + " " * 500 + "pass",
}


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with the secret in it and another with the secret as its name."""
    monkeypatch.setenv(VARIABLE, SECRET)
    path = tmp_path / "canary.txt"
    path.write_text(f'password = "{SECRET}"')
    (tmp_path / f"{SECRET}.name").touch()
    yield path
    assert path.read_text() == f'password = "{SECRET}"', "the payload changed the file"
    assert len(list(tmp_path.iterdir())) == 2, "the payload made a file"


def outcome_of(run_code: RunCode, code: str, limits: Limits) -> tuple[str, object]:
    """How it ended, in the words of the payload files, and all that came back."""
    try:
        outcome: Outcome = run_code(code, limits=limits)
    except CodeRaised as error:
        return f"raises {error.type_name}", error.__dict__
    except LimitExceeded as error:
        return f"limit {error.limit}", error.__dict__
    except SandboxError as error:
        return f"refused {type(error).__name__}", error.__dict__
    return "gives", (outcome.values, outcome.printed)


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.name)
def test_hostile_code_is_contained(
    payload: Payload, canary: Path, run_code: RunCode, small: Limits
) -> None:
    started = time.monotonic()
    ending, everything = outcome_of(run_code, payload.written_for(canary), small)
    assert time.monotonic() - started < LONGEST
    assert SECRET not in repr(everything)
    if payload.expected.startswith("gives "):
        value = ast.literal_eval(payload.expected.removeprefix("gives "))
        assert (ending, everything) == ("gives", ((value,), ""))
    else:
        assert ending in payload.expected.split(" or ")
    assert run_code("1 + 1").values == (2,)


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_source_that_is_nested_too_deeply_is_refused(
    source: str, run_code: RunCode, small: Limits
) -> None:
    assert outcome_of(run_code, source, small)[0] == "refused SyntaxRefused"
    assert run_code("1 + 1").values == (2,)


LEAKS = [payload for payload in PAYLOADS if payload.leaks_under_cpython]


def test_there_are_many_payloads_that_would_leak() -> None:
    assert len(LEAKS) >= 30
    assert len(PAYLOADS) >= 200


@pytest.mark.parametrize("payload", LEAKS, ids=lambda payload: payload.name)
def test_the_same_code_does_leak_under_cpython(payload: Payload, canary: Path) -> None:
    """Without this, a payload with a typing error in it would count as contained."""
    source = payload.written_for(canary)
    code = f"scope = {{}}\nexec({source!r}, scope)\nprint(repr(scope['result']))"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=30
    )
    assert SECRET in done.stdout
