"""A person posted over HTTP, downloaded as a zip and run under plain CPython: the same alerts."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command

from alerts.models import Alert
from memory.models import MemoryUser
from memory.project.runner.canonical import CanonicalAlert, canonical_text
from tests.api_client import Api
from tests.facts import medication
from tests.people import new_person
from tests.proposals import approved, bought, proposed, with_files
from uac_site.examples.people import Person, read_everyday, read_people
from uac_site.examples.year import Year

PEOPLE = list(read_people())
BATCH = 500
RULE = '''"""Warns of what was dear."""

from datetime import date

from domains.purchases.state import purchases
from uac import Alert


def check(today: date) -> list[Alert]:
    return [
        Alert(severity="info", summary=f"Dear: {purchase.item}", evidence=[purchase])
        for purchase in purchases
        if purchase.price > 30
    ]
'''


def post_year(api: Api, person: MemoryUser, example: Person) -> None:
    """The person's year, as an app posts it."""
    moments = Year(example, read_everyday(), datetime.now(UTC).date()).moments()
    facts = [
        {
            "text": moment.text,
            "occurred_at": min(moment.at, datetime.now(UTC)).isoformat(),
            "source": moment.source,
            "readings": [
                {"kind": one.kind, "op": one.op, "data": one.data}
                | ({"id": one.id} if one.id else {})
                for one in moment.readings
            ],
        }
        for moment in moments
    ]
    for start in range(0, len(facts), BATCH):
        api.append(person, *facts[start : start + BATCH])
    api.append(person, {"text": "That was the year."})  # a post of one evaluates at once


def standing(person: MemoryUser) -> str:
    """The alerts that stand in the database, in the form that two sides compare."""
    return canonical_text(
        CanonicalAlert(
            severity=one.severity,
            summary=one.summary,
            rule=one.rule,
            detail=one.detail,
            grade=one.grade,
            action=one.action,
            basis=tuple(one.basis),
            unknown=tuple(one.unknown),
            evidence=tuple((part["kind"], part["id"]) for part in one.evidence),
            due=one.due,
        )
        for one in Alert.objects.standing().filter(user=person)
    )


def unpacked(api: Api, person: MemoryUser, folder: Path) -> Path:
    """The person's zip, unpacked."""
    answer = api.get(f"users/{person.pk}/code.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(folder)
    return folder


def run(folder: Path, *arguments: str, site: bool = False) -> Any:
    """CPython in the folder, with the standard library alone unless `site`."""
    return subprocess.run(
        [sys.executable, *([] if site else ["-S"]), *arguments],
        cwd=folder,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.any_database
@pytest.mark.parametrize("example", PEOPLE, ids=[one.external_id for one in PEOPLE])
def test_the_exported_person_raises_the_servers_alerts_byte_for_byte(
    api: Api, tmp_path: Path, example: Person
) -> None:
    person = new_person(zone=example.timezone)
    post_year(api, person, example)
    folder = unpacked(api, person, tmp_path)
    result = run(folder, "-m", "uac_runner")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == standing(person)
    tests = run(
        folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django", site=True
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert re.search(r"\b\d+ passed", tests.stdout)


def test_some_example_raises_alerts_at_all(api: Api) -> None:
    person = new_person()
    post_year(api, person, PEOPLE[0])
    assert standing(person).count("\n") >= 1


def test_a_persons_own_kind_and_rule_run_there_too(
    api: Api, person: MemoryUser, caregiver: Staff, tmp_path: Path
) -> None:
    api.append(person, bought("a lamp", 20), bought("a chair", 35))
    approved(proposed(person), caregiver)
    approved(proposed(person, with_files(person, {"rules/dear.py": RULE})), caregiver)
    api.append(person, bought("a table", 90))
    result = run(unpacked(api, person, tmp_path), "-m", "uac_runner")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("Dear: ") == 2
    assert result.stdout == standing(person)


def test_the_command_writes_what_the_zip_holds(
    api: Api, person: MemoryUser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.append(person, medication("Amoxicillin"))
    downloaded = unpacked(api, person, tmp_path / "zip")
    for name, said in (("id", str(person.pk)), ("external", person.external_id)):
        target = tmp_path / name
        call_command("export_project", "--user", said, str(target))
        assert "through fact 1" in capsys.readouterr().out
        written = {path.relative_to(target): path for path in target.rglob("*") if path.is_file()}
        assert {str(path): one.read_bytes() for path, one in written.items()} == {
            str(path.relative_to(downloaded)): path.read_bytes()
            for path in downloaded.rglob("*")
            if path.is_file()
        }


def test_what_an_agent_is_told_to_run_runs(api: Api, person: MemoryUser, tmp_path: Path) -> None:
    api.append(person, medication("Amoxicillin"), medication("Ibuprofen"))
    folder = unpacked(api, person, tmp_path / "zip")
    guide = (folder / "AGENTS.md").read_text()
    (count,) = re.findall(r'python -c "(.*)"', guide)
    for arguments, said in ((["-c", count], "2\n"), (["-m", "uac_runner"], "")):
        assert arguments[0] == "-c" or " ".join(arguments) in guide
        done = subprocess.run(
            [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=True
        )
        assert said in done.stdout
    for path in re.findall(r"`([a-z_]+\.py|uac/)`", guide):
        assert (folder / path).exists()


def test_the_command_says_what_is_wrong(person: MemoryUser, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nobody with the id 'x'"):
        call_command("export_project", "--user", "x", str(tmp_path / "new"))
    (tmp_path / "there").write_text("")
    with pytest.raises(CommandError, match="not empty"):
        call_command("export_project", "--user", str(person.pk), str(tmp_path))


def test_the_command_takes_another_day(person: MemoryUser, tmp_path: Path) -> None:
    call_command("export_project", "--user", str(person.pk), "--today=2026-01-31", str(tmp_path))
    assert "TODAY = '2026-01-31'" in (tmp_path / "manifest.py").read_text()
