"""A bundle brings its person in as they were, verified before and after, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command

from memory.actions.export_person import export_person
from memory.actions.rebuild_state import rebuild_state
from memory.models import App, AuditEvent, Fact, FactBody, MemoryUser, Message, Reading
from memory.project.person_bundle import MANIFEST, files_in, json_lines, pack
from memory.rights import Role
from memory.verification import verify_user
from tests.api_client import Api
from tests.database import empty_database
from tests.facts import allergy, medication, note
from tests.people import new_person
from tests.proposals import approved, bought, proposed
from tests.queue import deliver_all
from tests.staff import new_key, new_staff

Mend = Callable[[dict[str, bytes]], None]


def _bundle(person: MemoryUser, now: Any) -> bytes:
    admin = new_staff("exporting admin", Role.ADMIN)
    return export_person(user_id=person.pk, actor=admin, now=now).content


def _elsewhere(raw: bytes, tmp_path: Path) -> tuple[Api, Path]:
    """Another site, with an app of its own, and the bundle there."""
    empty_database()
    path = tmp_path / "person.zip"
    path.write_bytes(raw)
    return Api(new_key("there")), path


def _import(path: Path, app: str = "there") -> str:
    out = StringIO()
    call_command("import_person", str(path), "--app", app, stdout=out)
    return out.getvalue()


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """Somebody with a conversation, a correction and an alert."""
    turns = [{"role": "user", "content": "Hello", "said_at": "0476-09-04T12:00:00Z"}]
    api.post(f"users/{person.pk}/messages", {"messages": turns})
    api.append(person, allergy("penicillin"), medication("amoxicillin"), note("tea"))
    api.append(person, {"text": "It was coffee", "corrects": 3})
    return person


def test_the_person_is_there_as_they_were(
    api: Api, told: MemoryUser, now: Any, tmp_path: Path
) -> None:
    def seen(by: Api) -> list[Any]:
        path = f"users/{told.pk}"
        lists = [by.all(f"{path}/{what}") for what in ("facts", "messages")]
        return [*lists, by.records(told, "health.Allergy"), by.get(path).json()["head"]]

    before = seen(api)
    alerts = [(one["rule"], one["summary"]) for one in api.alerts(told)]
    there, path = _elsewhere(_bundle(told, now), tmp_path)
    assert "entries hold" in _import(path)
    assert seen(there) == before
    assert verify_user(told.pk) == []
    assert rebuild_state(user_id=told.pk, check_only=True) == []
    deliver_all()
    assert [(one["rule"], one["summary"]) for one in there.alerts(told)] == alerts != []
    there.append(told, note("and on it goes"))
    assert verify_user(told.pk) == []
    event = AuditEvent.objects.get(action="person.import")
    assert (event.person_id, len(event.object_id)) == (told.pk, 64)


def test_nobody_comes_twice(api: Api, told: MemoryUser, now: Any, tmp_path: Path) -> None:
    _, path = _elsewhere(_bundle(told, now), tmp_path)
    _import(path)
    with pytest.raises(CommandError, match="is here already"):
        _import(path)
    assert Fact.objects.filter(user=told).count() == 4


def test_own_code_waits_for_a_person(
    api: Api, person: MemoryUser, caregiver: Staff, now: Any, tmp_path: Path
) -> None:
    api.append(person, bought("bread"))
    approved(proposed(person), caregiver)
    there, path = _elsewhere(_bundle(person, now), tmp_path)
    out = _import(path)
    assert "not active here" in out
    assert "Without a kind here: purchases.Purchase." in out
    kinds = {one["kind"] for one in there.get(f"users/{person.pk}/state").json()["kinds"]}
    assert "purchases.Purchase" not in kinds
    assert verify_user(person.pk) == []


def _changed_text(files: dict[str, bytes]) -> None:
    files["log/facts.jsonl"] = files["log/facts.jsonl"].replace(b"tea", b"gin")


def _missing_fact(files: dict[str, bytes]) -> None:
    files["log/facts.jsonl"] = files["log/facts.jsonl"].split(b"\n", 1)[1]


def _another_person(files: dict[str, bytes]) -> None:
    row = json.loads(files["person.json"])
    files["person.json"] = json_lines(
        [{**row, "id": "00000000-0000-0000-0000-000000000001"}]
    ).encode()


def _another_column(files: dict[str, bytes]) -> None:
    rows = [json.loads(one) for one in files["log/facts.jsonl"].decode().splitlines()]
    rows[0]["occurred_at"] = "2001-01-01T00:00:00.000000Z"
    files["log/facts.jsonl"] = json_lines(rows).encode()


def _no_moment(files: dict[str, bytes]) -> None:
    path = "log/messages.jsonl"
    files[path] = json_lines([{**json.loads(files[path]), "recorded_at": None}]).encode()


def _no_salt(files: dict[str, bytes]) -> None:
    path = "log/messages.jsonl"
    row = json.loads(files[path])
    del row["salt"]
    files[path] = json_lines([row]).encode()


def _no_zone(files: dict[str, bytes]) -> None:
    row = json.loads(files["person.json"])
    files["person.json"] = json_lines([{**row, "timezone": "Mars/Base"}]).encode()


@pytest.mark.parametrize(
    ("mend", "said"),
    [
        (_changed_text, "its text is not the one that was recorded"),
        (_missing_fact, "is missing"),
        (_another_person, "its person is another"),
        (_another_column, "column occurred_at is not what was recorded"),
        (_no_moment, "lacks what a person needs"),
        (_no_salt, "a row has not the columns of its file"),
        (_no_zone, "not an IANA time zone"),
    ],
)
def test_a_bundle_that_was_changed_leaves_nothing(
    api: Api, told: MemoryUser, now: Any, tmp_path: Path, mend: Mend, said: str
) -> None:
    files = files_in(_bundle(told, now))
    manifest = json.loads(files.pop(MANIFEST))
    mend(files)
    about = {name: manifest[name] for name in ("user_id", "exported_at", "heads")}
    raw, _ = pack({name: content.decode() for name, content in files.items()}, about)
    _, path = _elsewhere(raw, tmp_path)
    with pytest.raises(CommandError, match=said):
        _import(path)
    for model in (MemoryUser, Fact, FactBody, Message, Reading):
        assert not model._base_manager.exists()


def test_a_name_that_the_app_uses_for_somebody_else_is_told(
    api: Api, told: MemoryUser, now: Any, tmp_path: Path
) -> None:
    there, path = _elsewhere(_bundle(told, now), tmp_path)
    there.post("users", {"external_id": told.external_id})
    with pytest.raises(CommandError, match="calls somebody else"):
        _import(path)
    App.objects.create(name="another", created_at=now)
    assert "entries hold" in _import(path, "another")


def test_what_is_no_bundle_is_told(api: Api, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"no zip")
    assert new_person()
    with pytest.raises(CommandError, match="was not imported: it is no zip"):
        _import(tmp_path / "x.zip", "chat")
