"""`manage.py import_facts` records a file once, however often it is begun."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory.importing import facts
from memory.models import Fact, Job, MemoryUser
from memory.verification import verify_user
from tests.api_client import Api
from tests.queue import deliver_all


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of three, so that a small file has several."""
    for function in (facts.check, facts.record):
        monkeypatch.setattr(
            function, "__kwdefaults__", {**(function.__kwdefaults__ or {}), "size": 3}
        )


def _write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def _import(path: Path, person: MemoryUser, *more: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(
        "import_facts", str(path), "--user", str(person.pk), "--app", "chat", *more,
        stdout=out, stderr=err,
    )  # fmt: skip
    return out.getvalue(), err.getvalue()


def _texts(api: Api, person: MemoryUser) -> list[str]:
    return [one["text"] for one in api.all(f"users/{person.pk}/facts", order="asc")]


def _note(number: int) -> dict[str, Any]:
    return {"text": f"note {number}", "occurred_at": "2026-01-01T10:00:00+01:00"}


def test_a_file_is_recorded_once(api: Api, person: MemoryUser, tmp_path: Path) -> None:
    path = _write(tmp_path / "facts.jsonl", *map(_note, range(8)))
    out, err = _import(path, person)
    assert out.startswith("8 facts recorded, 0 were there from before")
    assert err.splitlines() == [
        "[###########-------------------] 3 of 8 facts, 37 %",
        "[######################--------] 6 of 8 facts, 75 %",
        "[##############################] 8 of 8 facts, 100 %",
    ]
    assert _texts(api, person) == [f"note {number}" for number in range(8)]
    out, _ = _import(path, person)
    assert out.startswith("0 facts recorded, 8 were there from before")
    assert Fact.objects.filter(user=person).count() == 8
    assert verify_user(person.pk) == []


def test_each_batch_is_recorded_when_its_turn_comes(
    api: Api, person: MemoryUser, tmp_path: Path
) -> None:
    _import(_write(tmp_path / "facts.jsonl", *map(_note, range(8))), person)
    recorded = Fact.objects.filter(user=person).order_by("seq")
    moments = list(recorded.values_list("recorded_at", flat=True))
    assert moments == sorted(moments)
    assert [moments.count(one) for one in dict.fromkeys(moments)] == [3, 3, 2]


def test_it_goes_on_after_the_line_that_was_mended(
    api: Api, person: MemoryUser, tmp_path: Path
) -> None:
    wrong = {"text": "x", "readings": [{"kind": "health.Allergy", "data": {"substanz": "nuts"}}]}
    path = _write(tmp_path / "facts.jsonl", *map(_note, range(4)), wrong, _note(5))
    with pytest.raises(CommandError) as raised:
        _import(path, person)
    assert "line 5: /readings/0/data" in str(raised.value)
    assert _texts(api, person) == ["note 0", "note 1", "note 2"]
    wrong["readings"] = [{"kind": "health.Allergy", "data": {"substance": "nuts"}}]
    _write(path, *map(_note, range(4)), wrong, _note(5))
    out, _ = _import(path, person)
    assert out.startswith("3 facts recorded, 3 were there from before")
    assert _texts(api, person) == ["note 0", "note 1", "note 2", "note 3", "x", "note 5"]


def test_the_rules_run_over_what_was_imported(api: Api, person: MemoryUser, tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text(
        "text,kind,data.substance,data.name\n"
        "Penicillin gave me hives,health.Allergy,penicillin,\n"
        "I take amoxicillin,health.Medication,,amoxicillin\n"
    )
    _import(path, person)
    assert Job.objects.filter(name="evaluate", user=person).exists()
    deliver_all()
    assert [one["rule"] for one in api.alerts(person)] == ["drug_allergy"]


def test_nothing_is_recorded_where_a_line_has_no_shape_of_a_fact(
    api: Api, person: MemoryUser, tmp_path: Path
) -> None:
    later = {"text": "x", "occurred_at": "2999-01-01T00:00:00Z"}
    path = _write(tmp_path / "f.jsonl", *map(_note, range(4)), {"txt": 1}, later, [], {"text": " "})
    with pytest.raises(CommandError) as raised:
        _import(path, person)
    told = str(raised.value).splitlines()
    assert any(line.startswith("line 5: /txt") for line in told)
    assert any(line.startswith("line 8: /text") for line in told)
    assert _texts(api, person) == []


def test_a_file_may_be_looked_at_alone(api: Api, person: MemoryUser, tmp_path: Path) -> None:
    path = _write(tmp_path / "facts.ndjson", _note(1))
    assert _import(path, person, "--check")[0].startswith("1 facts have the shape of one")
    assert _texts(api, person) == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("f.txt", b"", "give --format"),
        ("f.csv", b"\xff\xfe\x00", "cannot be read"),
        ("f.jsonl", b'{"text": "\\u0000"}', "line 1"),
        ("f.jsonl", b'{"text": "x", "metadata": {"a": NaN}}', "line 1"),
        ("f.jsonl", b'{"text": "x", "text": "y"}', "line 1"),
    ],
)
def test_what_cannot_be_read_is_told(
    api: Api, person: MemoryUser, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CommandError, match=said):
        _import(path, person)


def test_an_app_or_a_person_who_is_not_there_is_told(person: MemoryUser, tmp_path: Path) -> None:
    path = _write(tmp_path / "f.jsonl", _note(1))
    with pytest.raises(CommandError, match="There is no app"):
        _import(path, person)
    with pytest.raises(CommandError, match="There is nobody"):
        call_command("import_facts", str(path), "--user", "nobody", "--app", "chat")
