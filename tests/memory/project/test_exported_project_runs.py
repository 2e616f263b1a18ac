"""An exported project under plain CPython raises the alerts the server raises."""

import os
import re
import subprocess
import sys
from datetime import date

import pytest

from memory.project.export import export_files, write_folder
from memory.project.tree import Project
from tests.memory.project.readers import (
    BOOKS_RULE,
    TODAY,
    alerts_of_the_server,
    overlay,
    rendered,
)


@pytest.fixture(scope="module")
def project():
    return overlay()


@pytest.fixture(scope="module")
def records(project):
    return rendered(project)


@pytest.fixture(scope="module")
def folder(project, records, tmp_path_factory):
    target = tmp_path_factory.mktemp("export") / "project"
    write_folder(export_files(project, records, today=TODAY), target)
    return target


def python(folder, *arguments):
    """CPython with the standard library only: isolated from the site and its variables."""
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        cwd=folder,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"},
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_the_folder_raises_the_servers_alerts_byte_for_byte(project, records, folder):
    result = python(folder, "-m", "uac_runner")
    assert result.stderr == b""
    assert result.returncode == 0
    assert result.stdout.decode() == alerts_of_the_server(project, records, TODAY)
    rules = set(re.findall(r'"rule":"(\w+)"', result.stdout.decode()))
    assert rules == {"books_due", "drug_allergy", "drug_unknown", "passport_trip", "visa_trip"}


def test_another_day_gives_the_alerts_of_that_day(project, records, folder):
    day = date(2026, 1, 29)
    result = python(folder, "-m", "uac_runner", "--today", day.isoformat())
    assert result.stdout.decode() == alerts_of_the_server(project, records, day)
    assert b"Due: " not in result.stdout


def test_a_day_that_is_none_is_refused_with_the_usage(folder):
    result = python(folder, "-m", "uac_runner", "--today", "soon")
    assert result.returncode == 2
    assert b"--today YYYY-MM-DD" in result.stderr


def test_the_projects_tests_pass_in_the_folder(folder):
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"],
        cwd=folder,
        env={"PATH": os.environ.get("PATH", "")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    shipped = [path.read_text(encoding="utf-8") for path in (folder / "tests").glob("test_*.py")]
    functions = sum(len(re.findall(r"^def test_", text, re.MULTILINE)) for text in shipped)
    assert functions > 100
    assert f"{functions} passed" in result.stdout


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("None", "did not return a list"),
        ("['x']", "is not an Alert"),
        ("[Alert(severity='bad', summary='s', evidence=[books[0]])]", "does not hold: severity"),
        ("[Alert(severity='info', summary='s' * 141, evidence=[books[0]])]", "hold: summary"),
        ("[Alert(severity='info', summary='s', evidence=[])]", "does not hold: evidence"),
        (
            "[Alert(severity='info', summary='s', evidence=[books[0]], grade='g' * 41)]",
            "hold: grade",
        ),
        ("[Alert(severity='info', summary='s', evidence=[today])]", "is not a record"),
        (
            "[Alert(severity='info', summary='s', evidence=[Loan(library='', due_on=today)])]",
            "is not a record",
        ),
    ],
)
def test_a_rule_that_fails_is_named_and_the_others_run(answer, reason, project, records, tmp_path):
    bad = (
        "from datetime import date\n\nfrom domains.books.schema import Loan\n"
        "from domains.books.state import books\nfrom uac import Alert\n\n\n"
        f"def check(today: date) -> list[Alert]:\n    return {answer}\n"
    )
    broken = Project({**project.files, "rules/bad.py": bad})
    write_folder(export_files(broken, records, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert result.returncode == 1
    assert re.search(f"^Rule bad failed: .*{reason}", result.stderr.decode())
    assert result.stdout.decode() == alerts_of_the_server(project, records, TODAY)


def test_a_record_that_a_rule_makes_up_is_no_evidence(project, records, tmp_path):
    rule = BOOKS_RULE.replace("evidence=[book]", "evidence=[Book('x', 'y', book.price, 0.1, None)]")
    broken = Project({**project.files, "rules/books_due.py": rule})
    write_folder(export_files(broken, records, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert result.returncode == 1
    assert b"that is not in the state" in result.stderr


def test_of_two_alerts_over_the_same_the_graver_stands(project, records, tmp_path):
    rule = BOOKS_RULE.replace('severity="info"', 'severity="critical"')
    changed = Project({**project.files, "rules/books_due.py": rule})
    write_folder(export_files(changed, records, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert result.stdout.decode() == alerts_of_the_server(changed, records, TODAY)
    assert b'"summary":"second"' in result.stdout


def test_what_a_rule_prints_does_not_mix_with_the_alerts(project, records, tmp_path):
    rule = BOOKS_RULE.replace("    found = []", "    print('here')\n    found = []", 1)
    chatty = Project({**project.files, "rules/books_due.py": rule})
    write_folder(export_files(chatty, records, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert result.stderr == b"here\n"
    assert result.stdout.decode() == alerts_of_the_server(project, records, TODAY)


def test_an_empty_project_raises_nothing(tmp_path):
    write_folder(export_files(Project({}), {}, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_what_no_database_holds_is_replaced_on_both_sides(project, records, tmp_path):
    rule = BOOKS_RULE.replace('summary="second"', r'summary="se\0cond", detail="\x00"')
    changed = Project({**project.files, "rules/books_due.py": rule})
    write_folder(export_files(changed, records, today=TODAY), tmp_path)
    result = python(tmp_path, "-m", "uac_runner")
    assert result.stdout.decode() == alerts_of_the_server(changed, records, TODAY)
