"""Everything about one person as one zip that proves itself: its shape, and its verification.

`manifest.json` names every other file with its SHA-256 and length, and the heads of the person's
three chains. `log/*.jsonl` hold the entries with salts and canonical texts, from which the chains
can be computed again; `tables/*.jsonl` the rows of every other table; `code/` the projects by their
digests; `project/` the same as a folder that runs under plain Python.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memory.project.chain import commitment, link
from memory.project.export import zip_bytes
from memory.project.tree import Project

MANIFEST = "manifest.json"
FORMAT = "user-as-code person 1"
GENESIS = "0" * 64
STREAMS = {stream: f"log/{stream}s.jsonl" for stream in ("message", "fact", "reading")}
TREES = "code/trees.jsonl"
BLOBS = "code/blobs/"


class NotABundle(ValueError):
    """Bytes that are no zip with a manifest of this format."""


@dataclass(frozen=True)
class Checked:
    """What a bundle holds, the digest of its manifest, and what is wrong with it."""

    manifest: Mapping[str, Any]
    digest: str
    entries: int
    faults: tuple[str, ...]


def json_lines(rows: Iterator[Mapping[str, Any]] | list[Mapping[str, Any]]) -> str:
    """Rows as JSON, one a line, keys in order."""
    return "".join(f"{json.dumps(row, sort_keys=True, ensure_ascii=False)}\n" for row in rows)


def pack(files: Mapping[str, str], about: Mapping[str, Any]) -> tuple[bytes, str]:
    """The zip, and the digest of its manifest."""
    listed = {
        path: {"sha256": _sha256(text.encode()), "bytes": len(text.encode())}
        for path, text in sorted(files.items())
    }
    manifest = {"format": FORMAT, **about, "files": listed}
    text = json.dumps(manifest, sort_keys=True, ensure_ascii=False, indent=1) + "\n"
    return zip_bytes({**files, MANIFEST: text}), _sha256(text.encode())


def check(raw: bytes) -> Checked:
    """Compute every digest and link again. Raises NotABundle."""
    files = files_in(raw)
    try:
        manifest = json.loads(files[MANIFEST])
        if manifest["format"] != FORMAT:
            raise NotABundle(f"its format is {manifest['format']!r}, not {FORMAT!r}")
        listed = dict(manifest["files"])
    except (KeyError, TypeError, ValueError) as error:
        raise NotABundle("it has no manifest of this format") from error
    faults = [*_unlisted(files, listed), *_changed(files, listed)]
    entries = 0
    if not faults:
        try:
            for stream, path in STREAMS.items():
                count, fault = _chain(stream, files[path], manifest)
                entries += count
                faults += [fault] if fault else []
            faults += _code(files)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            faults.append(f"a row has not the columns of its file ({error})")
    return Checked(manifest, _sha256(files[MANIFEST]), entries, tuple(faults))


def files_in(raw: bytes) -> dict[str, bytes]:
    """The files of a bundle by their paths, unverified. Raises NotABundle."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            if len(set(names)) != len(names):
                raise NotABundle("a file is in it twice")
            return {name: archive.read(name) for name in names}
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError) as error:
        raise NotABundle("it is no zip, or a broken one") from error


def _unlisted(files: Mapping[str, bytes], listed: Mapping[str, Any]) -> Iterator[str]:
    needed = {*STREAMS.values(), TREES}
    for path in sorted(files.keys() - listed.keys() - {MANIFEST}):
        yield f"{path} is not in the manifest"
    for path in sorted((listed.keys() | needed) - files.keys()):
        yield f"{path} is missing"


def _changed(files: Mapping[str, bytes], listed: Mapping[str, Any]) -> Iterator[str]:
    for path in sorted(listed.keys() & files.keys()):
        raw = files[path]
        if listed[path] != {"sha256": _sha256(raw), "bytes": len(raw)}:
            yield f"{path} is not what the manifest says"


def _chain(stream: str, raw: bytes, manifest: Mapping[str, Any]) -> tuple[int, str | None]:
    """How many entries a stream has, and the first thing wrong with it."""
    head, seq = GENESIS, 0
    user_id = str(manifest["user_id"])
    for row in _rows(raw):
        seq += 1
        if row["seq"] != seq:
            return seq, f"{stream} {seq} is missing"
        if commitment(row["salt"], row["canonical"]) != row["commitment"]:
            return seq, f"{stream} {seq}: its text is not the one that was recorded"
        head = link(head, stream=stream, user_id=user_id, seq=seq, committed=row["commitment"])
        if row["hash"] != head:
            return seq, f"{stream} {seq}: its hash does not follow from the entry before"
    if manifest["heads"][stream] != {"seq": seq, "hash": head}:
        return seq, f"the chain of {stream}s does not end at its head"
    return seq, None


def _code(files: Mapping[str, bytes]) -> Iterator[str]:
    for tree in _rows(files[TREES]):
        texts = {}
        for path, blob in tree["files"].items():
            raw = files.get(f"{BLOBS}{blob}.txt")
            if raw is None or _sha256(raw) != blob:
                yield f"project {tree['digest']}: the text of {path} is missing or another"
                break
            texts[path] = raw.decode()
        else:
            if Project(texts).digest != tree["digest"]:
                yield f"project {tree['digest']} is not what its digest says"


def _rows(raw: bytes) -> Iterator[dict[str, Any]]:
    for line in raw.decode().split("\n"):
        if line:
            yield json.loads(line)


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
