"""Whether the tests of a rule would notice a broken one: they are run against broken ones.

A rule's functions that give alerts are made to give none, and then to give one where they gave
none. Each time a test has to fail: so one test at least sees the rule fire, and one sees it silent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from memory.checkpointer.checks import Setting
from memory.checkpointer.structuring.bounds import tests_of
from memory.checkpointer.trials import Changed, TestFailed, check_tests
from memory.project.parsing import parse_python
from memory.project.tree import Project

ALERTS = "list[Alert]"
MUTE = "[]"
LOUD = '{was}(*args, **named) or [Alert(severity="info", summary="loud", evidence=[])]'


class NotProved(ValueError):
    """Tests that do not notice a broken rule, a line each."""


def prove_tests(project: Project, rules: Iterable[str], setting: Setting) -> str:
    """Run the tests of each rule against two broken ones; how many there were.

    Raises NotProved, and SandboxError where the sandbox had to end a run.
    """
    problems = []
    count = 0
    for rule in rules:
        functions = _tested(rule, project)
        count += 1
        if not functions:
            problems.append(
                f"rules/{rule}.py: its tests import no function of it that is declared to give"
                f" {ALERTS}; import the one that does the work"
            )
            continue
        if not _notices(project, rule, functions, MUTE, setting):
            problems.append(f"{_names(rule, project)}: no test fails when the rule says nothing")
        if not _notices(project, rule, functions, LOUD, setting):
            problems.append(
                f"{_names(rule, project)}: no test fails when the rule speaks where it should not;"
                " assert that it is silent"
            )
    if problems:
        raise NotProved("\n".join(problems))
    return "1 rule, broken twice" if count == 1 else f"{count} rules, each broken twice"


def _notices(
    project: Project, rule: str, functions: Iterable[str], body: str, setting: Setting
) -> bool:
    """Whether a test of the rule fails when its functions are replaced."""
    code = "".join(_replaced(name, body) for name in functions)
    only = frozenset(tests_of(rule, project))
    broken = Changed({f"rules/{rule}.py": code}, only)
    try:
        check_tests(project, setting.library, setting.tables, setting.today, broken)
    except TestFailed:
        return True
    return False


def _replaced(name: str, body: str) -> str:
    was = f"_uac_was_{name}"
    return f"{was} = {name}\n\n\ndef {name}(*args, **named):\n    return {body.format(was=was)}\n"


def _tested(rule: str, project: Project) -> list[str]:
    """The functions of a rule that give alerts and that its tests call."""
    tree = parse_python(project.files[f"rules/{rule}.py"])
    giving = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns) == ALERTS
    }
    imported = {
        alias.name
        for text in tests_of(rule, project).values()
        for node in parse_python(text).body
        if isinstance(node, ast.ImportFrom) and node.module == f"rules.{rule}"
        for alias in node.names
    }
    return sorted(giving & imported)


def _names(rule: str, project: Project) -> str:
    return ", ".join(tests_of(rule, project))
