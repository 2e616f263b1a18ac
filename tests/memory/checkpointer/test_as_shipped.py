"""Only what a person's files can have changed is type-checked again, and all of that."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest

from memory.checkpointer.as_shipped import changed_names, unchanged_files
from memory.checkpointer.checks import Check, Setting, run_checks, tables_for
from memory.checkpointer.trials import check_types
from memory.project.library import Library
from memory.project.shipped import baseline, library
from memory.project.tree import Project

BASELINE = baseline()
CODE = frozenset(path for path in BASELINE.files if not path.startswith("domains/"))
TODAY = date(2026, 11, 21)
TRAVEL = "domains/travel/schema.py"
PLANTS = '''"""What grows."""

from dataclasses import dataclass

from uac import kind


@kind("{collection}", key=("name",))
@dataclass
class {name}:
    """A plant."""

    id: str
    name: str
'''


def changed(**files: str) -> Project:
    """The shipped project with some files in place of its own; `__` stands for a slash."""
    return Project(
        {
            **BASELINE.files,
            **{f"{path.replace('__', '/')}.py": text for path, text in files.items()},
        }
    )


def unchanged(project: Project) -> frozenset[str]:
    """The rules and tests that need no check."""
    return unchanged_files(project, BASELINE, library())


def types_of(project: Project) -> Check:
    """The check of types, as a proposal has it."""
    found = run_checks(project, Setting(library(), tables_for(project), TODAY), ())
    return next(check for check in found if check.name == "types")


def test_every_file_of_the_shipped_project_is_right() -> None:
    done = check_types(BASELINE, library(), tables_for(BASELINE), TODAY)
    assert done == f"{len(BASELINE.files)} files, by ty"


def test_a_kind_or_a_rule_of_ones_own_changes_no_other() -> None:
    assert unchanged(BASELINE) == CODE
    assert unchanged(changed(rules__own=BASELINE.files["rules/disliked.py"])) == CODE
    assert (
        unchanged(changed(domains__garden__schema=PLANTS.format(name="Plant", collection="plants")))
        == CODE
    )


def test_a_rule_that_differs_is_checked_with_the_tests_that_import_it() -> None:
    rule = BASELINE.files["rules/passport_trip.py"] + "\n"
    again = CODE - unchanged(changed(rules__passport_trip=rule))
    assert again == {"rules/passport_trip.py", "tests/test_passport_trip.py"}


@pytest.mark.parametrize("domain", sorted(BASELINE.domains))
def test_whatever_imports_from_a_schema_that_differs_is_checked(domain: str) -> None:
    path = f"domains/{domain}/schema.py"
    project = Project({**BASELINE.files, path: BASELINE.files[path] + "\n"})
    importing = {
        one
        for one in CODE
        if re.search(rf"^from domains\.{domain}\.", BASELINE.files[one], re.MULTILINE)
    }
    assert importing.isdisjoint(unchanged(project))


def test_a_schema_that_is_gone_changes_what_it_held() -> None:
    files = {path: text for path, text in BASELINE.files.items() if path != TRAVEL}
    assert {"Trip", "trips", "Passport"} <= changed_names(Project(files), BASELINE)


def test_what_builds_on_a_schema_that_differs_differs_too() -> None:
    above = {
        "domains/a/schema.py": PLANTS.format(name="Plant", collection="plants"),
        "domains/b/schema.py": PLANTS.format(name="Bed", collection="beds")
        .replace("    name: str\n", '    name: str\n    plants: list[Ref["Plant"]]\n')
        .replace("import kind", "import Ref, kind"),
        "domains/c/schema.py": PLANTS.format(name="Plot", collection="plots").replace(
            "from uac", "from domains.b.schema import Bed\nfrom uac"
        ),
        "domains/d/schema.py": PLANTS.format(name="Pot", collection="pots"),
    }
    other = {**above, "domains/a/schema.py": above["domains/a/schema.py"] + "\n"}
    names = changed_names(Project(other), Project(above))
    assert names == {"Plant", "plants", "Bed", "beds", "Plot", "plots"}


def test_a_name_that_now_means_something_else_has_its_users_checked() -> None:
    rule = "rules/passport_trip.py"
    assert "usable" in BASELINE.files[rule]
    project = changed(domains__garden__schema=PLANTS.format(name="Plant", collection="usable"))
    assert rule not in unchanged(project)
    assert "rules/disliked.py" in unchanged(project)


def test_a_name_of_the_library_leaves_nothing_unchecked() -> None:
    project = changed(domains__garden__schema=PLANTS.format(name="Alert", collection="plants"))
    assert unchanged(project) == frozenset()


def test_the_check_says_what_it_took_as_known() -> None:
    project = changed(domains__garden__schema=PLANTS.format(name="Plant", collection="plants"))
    schemas = len(project.domains)
    known = f"{schemas} files, by ty; {len(CODE)} as shipped, checked with the app"
    assert types_of(project).detail == known


def test_a_shipped_rule_that_no_longer_fits_a_schema_is_found() -> None:
    text = BASELINE.files[TRAVEL].replace(
        "    expires_on: date | None = None  # the last day it is valid\n", "", 1
    )
    assert text != BASELINE.files[TRAVEL]
    found = types_of(changed(domains__travel__schema=text))
    assert not found.ok
    assert "expires_on" in found.detail


def test_with_another_library_everything_is_checked() -> None:
    rule = "rules/disliked.py"
    schemas = {path: text for path, text in BASELINE.files.items() if path not in CODE}
    project = Project({**schemas, rule: BASELINE.files[rule]})
    assert types_of(project).detail.endswith("1 as shipped, checked with the app")
    *modules, last = library().modules
    other = Library((*modules, replace(last, source=last.source + "\n")), library().exports)
    setting = Setting(other, tables_for(project), TODAY)
    details = [one.detail for one in run_checks(project, setting, ())]
    assert f"{len(schemas) + 1} files, by ty" in details
