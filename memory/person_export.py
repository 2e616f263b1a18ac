"""Gather everything about one person for `memory.project.person_bundle`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Model

from memory.belongings import belongings
from memory.files import files_of
from memory.models import (
    AuditEvent,
    Blob,
    CodeVersion,
    EmbeddedBlock,
    IndexedBlock,
    MemoryUser,
    Posting,
    Proposal,
    Stream,
    Tree,
    WordIndex,
)
from memory.models.entry import Body, Entry
from memory.project.chain import moment
from memory.project.person_bundle import BLOBS, STREAMS, TREES, json_lines, pack
from memory.snapshot import snapshot
from memory.verification import CHAINS

DERIVED = (WordIndex, IndexedBlock, Posting, EmbeddedBlock)
README = """Everything recorded about one person, as JSON lines.

`manage.py verify_bundle` on a site, or memory/project/person_bundle.py by itself, computes every
digest and chain again. Salts and canonical texts in `log/` are those that were hashed.
"""
Row = dict[str, Any]


@dataclass(frozen=True)
class PersonBundle:
    """The zip, and the digest of its manifest, which the audit keeps."""

    content: bytes
    digest: str


def bundle_of(user_id: UUID, *, now: datetime) -> PersonBundle:
    """Everything about a person at one moment; who asks has been let in before."""
    with snapshot():
        user = MemoryUser.objects.get(pk=user_id)
        files = {
            "README.txt": README,
            "person.json": json_lines([_columns(user)]),
            "audit.jsonl": json_lines(_audit(user)),
            **_log(user),
            **_tables(user),
            **_code(user),
        }
    project = files_of(user_id, now=now).exported
    files |= {f"project/{path}": text for path, text in project.items()}
    heads = {
        str(stream): {
            "seq": getattr(user, f"{stream}_seq"),
            "hash": getattr(user, f"{stream}_head"),
        }
        for stream in Stream
    }
    about = {"user_id": str(user.pk), "exported_at": moment(now), "heads": heads}
    return PersonBundle(*pack(files, about))


def _log(user: MemoryUser) -> dict[str, str]:
    return {
        STREAMS[str(chain.stream)]: json_lines(_entries(user, chain.entries, chain.bodies))
        for chain in CHAINS
    }


def _entries(user: MemoryUser, entries: type[Entry], bodies: type[Body]) -> Iterator[Row]:
    said = {body.seq: body for body in bodies._default_manager.filter(user=user).iterator()}
    for entry in entries._default_manager.filter(user=user).order_by("seq").iterator():
        yield {**_columns(entry), **_columns(said[entry.seq])}


def _tables(user: MemoryUser) -> dict[str, str]:
    """Every other table that refers to the person; what search makes of the log is left out."""
    logged = {model for chain in CHAINS for model in (chain.entries, chain.bodies)}
    return {
        f"tables/{one.name}.jsonl": json_lines([_columns(row) for row in one.rows(user.pk)])
        for one in belongings()
        if one.model not in logged and one.model not in DERIVED
    }


def _audit(user: MemoryUser) -> Iterator[Row]:
    for event in AuditEvent.objects.filter(person_id=user.pk).order_by("pk").iterator():
        yield _columns(event)


def _code(user: MemoryUser) -> dict[str, str]:
    """Every project the person has had, or that was proposed."""
    digests = {user.tree, user.baseline} - {""}
    for model in (CodeVersion, Proposal):
        for pair in model._base_manager.filter(user=user).values_list("tree", "baseline"):
            digests |= {*pair}
    trees = list(Tree.objects.filter(pk__in=digests).order_by("pk"))
    blobs = {blob for tree in trees for blob in tree.files.values()}
    texts = Blob.objects.filter(pk__in=blobs).values_list("digest", "text")
    return {
        TREES: json_lines([{"digest": tree.pk, "files": tree.files} for tree in trees]),
        **{f"{BLOBS}{digest}.txt": text for digest, text in texts},
    }


def _columns(row: Model) -> Row:
    names = [field.attname for field in row._meta.concrete_fields]
    return {name: _value(getattr(row, name)) for name in names}


def _value(value: Any) -> Any:
    match value:
        case datetime():
            return moment(value)
        case date():
            return value.isoformat()
        case UUID() | Decimal():
            return str(value)
    return value
