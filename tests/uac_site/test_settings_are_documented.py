"""The documents name what there is."""

from __future__ import annotations

import re
import tomllib

import pytest

from uac_site.env import BASE_DIR, Environment

PROJECT = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("name", sorted(Environment.model_fields))
def test_operations_name_every_setting(name: str) -> None:
    rows = (BASE_DIR / "docs" / "operations.md").read_text().splitlines()
    assert [row for row in rows if row.startswith(f"| `{name.upper()}` |")]


def test_operations_name_no_setting_that_is_gone() -> None:
    text = (BASE_DIR / "docs" / "operations.md").read_text()
    named = re.findall(r"^\| `([A-Z_]+)` \|", text, re.MULTILINE)
    assert {name.lower() for name in named} == set(Environment.model_fields)


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_the_readme_says_why_each_dependency_is_here(requirement: str) -> None:
    name = re.split(r"[\[=]", requirement)[0]
    table = (BASE_DIR / "README.md").read_text().split("## Dependencies")[1]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| ")]
    assert name in ", ".join(rows).replace(" ", "").split(",")


def test_every_package_is_pinned_to_one_version() -> None:
    lines = (BASE_DIR / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = {line.split("==")[0].lower().replace("_", "-"): line.split("==")[1] for line in lines}
    chosen = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    for requirement in chosen:
        pin, _, _ = requirement.partition(";")
        name, version = re.sub(r"\[.*\]", "", pin).lower().split("==")
        assert pinned[name.replace("_", "-")] == version
