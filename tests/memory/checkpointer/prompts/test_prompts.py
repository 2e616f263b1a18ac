"""Prompts have versions, and no text that is filled in can leave its fence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.checkpointer.prompts import FOLDER, Prompt, PromptError, expanded, prompt

READ = Prompt("read", "Read this:\n{{facts}}\nand {{state}}")
NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))


def test_a_version_is_the_digest_of_all_bytes() -> None:
    assert READ.digest == Prompt("another", READ.template).digest
    assert READ.digest != Prompt("read", READ.template + " ").digest
    filled = READ.fill(facts="a", state="b")
    assert (filled.name, filled.digest) == ("read", READ.digest)


def test_a_part_belongs_to_the_version() -> None:
    files = {"whole": "One\n{{> part}}\nthree {{facts}}", "part": "two"}
    text = expanded("whole", files.__getitem__)
    assert text == "One\ntwo\nthree {{facts}}"
    files["part"] = "2"
    assert expanded("whole", files.__getitem__) != text
    with pytest.raises(PromptError, match="contains itself"):
        expanded("whole", {"whole": "{{> whole}}"}.__getitem__)


@pytest.mark.parametrize("texts", [{}, {"facts": "a"}, {"facts": "a", "state": "b", "more": "c"}])
def test_places_are_filled_exactly(texts: dict[str, str]) -> None:
    with pytest.raises(PromptError, match="read"):
        READ.fill(**texts)


@pytest.mark.parametrize("name", ["nothing", "../idioms", "idioms.md", ""])
def test_no_other_file_is_a_prompt(name: str) -> None:
    with pytest.raises(PromptError):
        prompt(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_can_be_filled(name: str) -> None:
    one = prompt(name)
    assert "{{" not in one.fill(**dict.fromkeys(one.places, "x")).text


def test_what_is_a_place_within_a_text_stays_text() -> None:
    filled = READ.fill(facts="{{state}} {{> idioms}}", state="secret")
    assert filled.text.count("secret") == 1
    assert "{{state}} {{> idioms}}" in filled.text


@given(st.text(), st.text())
def test_no_text_ends_its_fence(facts: str, state: str) -> None:
    text = READ.fill(facts=facts, state=state).text
    (code,) = set(re.findall(r"<<<facts ([0-9a-f]{16})\n", text)) - set(
        re.findall(r"<<<facts ([0-9a-f]{16})\n", facts + state)
    )
    assert text.count(code) == 4
    assert code not in (facts + state).casefold()
    assert f"<<<facts {code}\n{facts}\nfacts {code}>>>" in text


def test_whoever_copies_the_markers_is_inside_still() -> None:
    first = READ.fill(facts="x", state="y").text
    again = READ.fill(facts=first, state="y").text
    codes = {*re.findall(r"[0-9a-f]{16}", again)}
    assert len(codes) == 2
    assert READ.fill(facts="x", state="y").text == first
