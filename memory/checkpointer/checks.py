"""The checks that every proposed project passes before a person may approve it.

Nothing of a project runs outside the sandbox. A check that finds something ends what comes after
it: what follows could not be trusted, and says that it was not run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from memory.checkpointer.as_shipped import unchanged_files
from memory.checkpointer.refold import StoredRecord, check_refold
from memory.checkpointer.trials import check_tests, check_types
from memory.looked_up import rows_for
from memory.project import shipped
from memory.project.library import Library
from memory.project.policy import check as check_policy
from memory.project.schema import SchemaError
from memory.project.tree import Project, ProjectError
from memory.sandbox import NoWorker, SandboxError

LONGEST_DETAIL = 4_000
MOST_LINES = 20


@dataclass(frozen=True)
class Check:
    """What a check found: `detail` is one or a few lines, `seconds` how long it took."""

    name: str
    ok: bool
    detail: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """As it is stored with a proposal."""
        return asdict(self)


@dataclass(frozen=True)
class Setting:
    """What a project is checked with: the library, the rows of the tables, the person's date."""

    library: Library
    tables: Mapping[str, Any]
    today: date


def tables_for(project: Project) -> dict[str, Any]:
    """The rows of the tables that the project's own rules and tests may look up."""
    return {"drug_rows": rows_for(project.files.values())}


def run_checks(
    project: Project, setting: Setting, records: Iterable[StoredRecord]
) -> tuple[Check, ...]:
    """Every check in order, each with its result.

    `records` are all of the person's, and those that would be placed. Raises NoWorker where the
    sandbox has no room, which says nothing about the project.
    """
    kept = tuple(records)
    steps: tuple[tuple[str, Callable[[], str]], ...] = (
        ("policy", lambda: _policy(project, setting.library)),
        ("schemas", lambda: _schemas(project)),
        ("types", lambda: _types(project, setting)),
        ("tests", lambda: check_tests(project, setting.library, setting.tables, setting.today)),
        ("records", lambda: check_refold(project, setting.library, kept, setting.today)),
    )
    found: list[Check] = []
    for name, step in steps:
        broken = next((one.name for one in found if not one.ok), "")
        found.append(_skipped(name, broken) if broken else run_check(name, step))
    return tuple(found)


def _skipped(name: str, broken: str) -> Check:
    return Check(name, False, f"not run: {broken} must pass first", 0.0)


def run_check(name: str, step: Callable[[], str]) -> Check:
    """One check: `step` gives its detail, or raises ValueError or SandboxError. Raises NoWorker."""
    started = time.perf_counter()
    try:
        ok, detail = True, step()
    except NoWorker:
        raise
    except SandboxError as error:
        ok, detail = False, error.display
    except ValueError as error:
        ok, detail = False, str(error)
    return Check(name, ok, detail[:LONGEST_DETAIL], round(time.perf_counter() - started, 3))


def _policy(project: Project, library: Library) -> str:
    violations = check_policy(project.files, library)
    if violations:
        raise PolicyBroken([str(one) for one in violations])
    return _count(len(project.files), "file")


def _types(project: Project, setting: Setting) -> str:
    """The types of all that is not as it was when the shipped project was checked."""
    library, known = setting.library, frozenset[str]()
    if library.digest == shipped.library().digest:
        known = unchanged_files(project, shipped.baseline(), library)
    return check_types(project, library, setting.tables, setting.today, known)


class PolicyBroken(ValueError):
    """What the policy does not allow, a line each."""

    def __init__(self, lines: Sequence[str]) -> None:
        more = len(lines) - MOST_LINES
        shown = [*lines[:MOST_LINES], *([f"and {more} more"] if more > 0 else [])]
        super().__init__("\n".join(shown))


def _schemas(project: Project) -> str:
    try:
        kinds, rules = project.kinds, project.rules
    except (ProjectError, SchemaError, SyntaxError) as error:
        raise ValueError(str(error)) from error
    domains = _count(len(project.schemas), "domain")
    return f"{domains}, {_count(len(kinds), 'kind')}, {_count(len(rules), 'rule')}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
