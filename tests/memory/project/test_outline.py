"""What a proposal changes, in a few names."""

from __future__ import annotations

from memory.project.danger import NONE, counted, gravest
from memory.project.outline import outline

SCHEMA = "domains/garden/schema.py"
PLANT = '''"""What grows."""

from dataclasses import dataclass

from uac import kind


@kind("plants", key=("name",))
@dataclass
class Plant:
    """A plant."""

    id: str
    name: str
'''
TREE = (
    PLANT
    + '''

@kind("trees", key=("name",))
@dataclass
class Tree:
    """A tree."""

    id: str
    name: str
'''
)
RULE = "from domains.notes.state import notes\nfrom domains.travel.state import trips\n"


def test_kinds_are_named_by_what_becomes_of_them() -> None:
    thirsty = PLANT.replace("name: str\n", "name: str\n    thirsty: bool = False\n")
    assert outline({}, {SCHEMA: PLANT})["kinds"] == [["added", "garden.Plant"]]
    assert outline({SCHEMA: PLANT}, {SCHEMA: thirsty})["kinds"] == [["changed", "garden.Plant"]]
    assert outline({SCHEMA: TREE}, {SCHEMA: PLANT})["kinds"] == [["removed", "garden.Tree"]]


def test_a_rule_brings_the_domains_that_it_reads() -> None:
    found = outline(
        {}, {"rules/away.py": RULE, "tests/test_away.py": "from domains.x.state import y"}
    )
    assert found == {"domains": ["notes", "travel"], "kinds": [], "rules": [["added", "away"]]}


def test_a_removed_rule_names_the_domains_that_it_read() -> None:
    found = outline({"rules/away.py": RULE}, {})
    assert (found["domains"], found["rules"]) == (["notes", "travel"], [["removed", "away"]])


def test_what_is_not_python_still_has_an_outline() -> None:
    found = outline({SCHEMA: PLANT}, {SCHEMA: "class (", "rules/broken.py": "def ("})
    assert found == {
        "domains": ["garden"],
        "kinds": [["removed", "garden.Plant"]],
        "rules": [["added", "broken"]],
    }


def test_nothing_differs() -> None:
    assert outline({SCHEMA: PLANT}, {SCHEMA: PLANT}) == {"domains": [], "kinds": [], "rules": []}


def test_dangers_are_ranked_and_counted_the_gravest_first() -> None:
    assert gravest(["info", "critical", "warning"]) == 0
    assert gravest([]) == NONE
    assert gravest(["made up"]) == NONE
    found = [{"severity": one} for one in ("info", "critical", "info")]
    assert list(counted(found).items()) == [("critical", 1), ("info", 2)]
