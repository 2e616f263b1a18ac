"""Everything about one person as one zip that proves itself, and that says when it was changed."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from memory.actions.export_person import export_person
from memory.models import AuditEvent, MemoryUser
from memory.project.person_bundle import MANIFEST, NotABundle, check
from memory.rights import Role
from tests.api_client import Api
from tests.memory.erasure.planted import OTHER, WORD, told_everywhere
from tests.staff import new_staff


@pytest.fixture
def admin(transactional_db: None) -> Staff:
    """Who may export."""
    return new_staff("admin", Role.ADMIN)


@pytest.fixture
def told(api: Api, caregiver: Staff) -> MemoryUser:
    """A person with a word in every table, beside another one."""
    told_everywhere(api, caregiver, OTHER)
    return told_everywhere(api, caregiver)


@pytest.fixture
def raw(told: MemoryUser, admin: Staff, now: datetime) -> bytes:
    """The person's bundle."""
    return export_person(user_id=told.pk, actor=admin, now=now).content


def _files(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _listed_anew(files: dict[str, bytes]) -> dict[str, bytes]:
    """With a manifest as it would be for these files: what a clever thief would do."""
    manifest = json.loads(files[MANIFEST])
    manifest["files"] = {
        path: {"sha256": hashlib.sha256(text).hexdigest(), "bytes": len(text)}
        for path, text in files.items()
        if path != MANIFEST
    }
    return {**files, MANIFEST: json.dumps(manifest).encode()}


def test_all_of_the_person_is_in_it_and_nobody_else(told: MemoryUser, raw: bytes) -> None:
    files = _files(raw)
    with_word = {path for path, text in files.items() if WORD.encode() in text.lower()}
    assert {
        *("person.json", "log/facts.jsonl", "log/readings.jsonl", "log/messages.jsonl"),
        *("tables/alerts.alert.jsonl", "tables/alerts.alertevent.jsonl"),
        *("tables/memory.record.jsonl", "tables/memory.proposal.jsonl"),
        *(
            "tables/memory.modelcall.jsonl",
            "tables/memory.codeversion.jsonl",
            "tables/memory.submission.jsonl",
        ),
        "project/domains/health/state.py",
    } <= with_word
    assert any(path.startswith("code/blobs/") for path in with_word)
    assert "audit.jsonl" in files
    assert "tables/memory.posting.jsonl" not in files  # it is made from the log
    assert WORD.encode() not in files["audit.jsonl"]
    assert not any(OTHER.encode() in text.lower() for text in files.values())


def test_it_verifies_and_the_audit_knows_it(raw: bytes, tmp_path: Path, admin: Staff) -> None:
    found = check(raw)
    assert found.faults == ()
    assert found.entries > 10
    event = AuditEvent.objects.get(action="person.export")
    assert (event.object_id, event.actor_id) == (found.digest, str(admin.pk))
    (tmp_path / "person.zip").write_bytes(raw)
    out = StringIO()
    call_command("verify_bundle", str(tmp_path / "person.zip"), stdout=out)
    assert "exported by this site on" in out.getvalue()


@pytest.mark.parametrize(
    "path",
    ["person.json", "audit.jsonl", "log/facts.jsonl", "tables/memory.record.jsonl", "README.txt"],
)
def test_a_changed_file_is_named(raw: bytes, path: str) -> None:
    files = _files(raw)
    files[path] = files[path].replace(b"e", b"E", 1)
    assert check(_zipped(files)).faults == (f"{path} is not what the manifest says",)


def test_a_missing_and_an_added_file_are_named(raw: bytes) -> None:
    files = _files(raw)
    del files["log/messages.jsonl"]
    files["more.txt"] = b"more"
    assert check(_zipped(files)).faults == (
        "more.txt is not in the manifest",
        "log/messages.jsonl is missing",
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: [lines[0].replace(b"penicillin", b"P"), *lines[1:]], "fact 1: its text"),
        (lambda lines: [lines[0], *lines[2:]], "fact 2 is missing"),
        (lambda lines: lines[:-1], "does not end at its head"),
    ],
)
def test_a_log_changed_together_with_the_manifest_is_noticed(
    raw: bytes, change: Any, fault: str
) -> None:
    files = _files(raw)
    lines = files["log/facts.jsonl"].split(b"\n")[:-1]
    files["log/facts.jsonl"] = b"\n".join([*change(lines), b""])
    (said,) = check(_zipped(_listed_anew(files))).faults
    assert fault in said


def test_code_that_is_not_what_its_digest_says_is_noticed(raw: bytes) -> None:
    files = _files(raw)
    blob = min(path for path in files if path.startswith("code/blobs/"))
    files[blob] += b"# more\n"
    (said, *_) = check(_zipped(_listed_anew(files))).faults
    assert "is missing or another" in said


@pytest.mark.parametrize("raw", [b"", b"PK\x05\x06" + b"\0" * 18, b"not a zip"])
def test_other_files_are_no_bundle(raw: bytes, tmp_path: Path) -> None:
    with pytest.raises(NotABundle):
        check(raw)


@pytest.mark.django_db
def test_the_command_fails_on_what_does_not_hold(raw: bytes, tmp_path: Path) -> None:
    files = _files(raw)
    files["person.json"] += b"\n"
    (tmp_path / "person.zip").write_bytes(_zipped(files))
    with pytest.raises(CommandError, match="does not hold"):
        call_command("verify_bundle", str(tmp_path / "person.zip"), stderr=StringIO())
    with pytest.raises(CommandError, match="no bundle"):
        call_command("verify_bundle", str(tmp_path / "none.zip"))


def test_nobody_but_an_admin_exports(told: MemoryUser, caregiver: Staff, now: datetime) -> None:
    with pytest.raises(PermissionDenied):
        export_person(user_id=told.pk, actor=caregiver, now=now)
    assert not AuditEvent.objects.filter(action="person.export").exists()
