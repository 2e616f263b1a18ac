"""The pinned inputs: two published packages, checked by digest, and the records that they carry."""

import csv
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PRESCRIPTION = "HUMAN PRESCRIPTION DRUG"
HUMAN = frozenset({"HUMAN OTC DRUG", PRESCRIPTION})


class BadInput(ValueError):
    """An input is missing or is not the pinned one; the message says which and what to do."""


@dataclass(frozen=True)
class Product:
    """One product of the NDC directory."""

    ndc: str  # its product id, such as 0002-1407
    brand: str
    suffix: str
    substances: tuple[str, ...]
    classes: tuple[str, ...]  # established pharmacologic classes, without "[EPC]"
    category: str  # of its marketing, such as NDA
    prescription: bool


@dataclass(frozen=True)
class Concept:
    """A MeSH descriptor or a supplementary concept."""

    id: str
    label: str
    synonyms: tuple[str, ...]
    trees: tuple[str, ...]  # tree numbers; of a supplementary concept those of its heading


def open_input(folder: Path, pin: Mapping[str, Any]) -> zipfile.ZipFile:
    """The package `pin["file"]` of the folder. Raises BadInput unless its SHA-256 is the pinned."""
    path = folder / pin["file"]
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read; download it as the docs say") from error
    found = hashlib.sha256(content).hexdigest()
    if found != pin["sha256"]:
        raise BadInput(f"{path} is not the pinned file: SHA-256 {found}, not {pin['sha256']}")
    return zipfile.ZipFile(io.BytesIO(content))


def _lines(archive: zipfile.ZipFile, member: str, encoding: str) -> Iterator[dict[str, str]]:
    with archive.open(member) as raw, io.TextIOWrapper(raw, encoding=encoding, newline="") as text:
        yield from csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)


def read_products(archive: zipfile.ZipFile, pin: Mapping[str, Any]) -> list[Product]:
    """The human drugs of the directory that name their substances, in order of their ids."""
    found = []
    for line in _lines(archive, pin["products"], "latin-1"):
        if line["PRODUCTTYPENAME"] not in HUMAN or not line["SUBSTANCENAME"]:
            continue
        classes = [name.strip() for name in (line["PHARM_CLASSES"] or "").split(",")]
        found.append(
            Product(
                line["PRODUCTNDC"],
                line["PROPRIETARYNAME"].strip(),
                (line["PROPRIETARYNAMESUFFIX"] or "").strip(),
                tuple(name.strip() for name in line["SUBSTANCENAME"].split(";")),
                tuple(name[:-6] for name in classes if name.endswith(" [EPC]")),
                line["MARKETINGCATEGORYNAME"],
                line["PRODUCTTYPENAME"] == PRESCRIPTION,
            )
        )
    return sorted(found, key=lambda product: (product.ndc, product.brand, product.suffix))


def _cells(archive: zipfile.ZipFile, member: str) -> Iterator[list[str]]:
    with archive.open(member) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        for line in text:
            yield [*line.rstrip("\r\n").split("\t"), "", "", ""][:4]


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)


def read_concepts(archive: zipfile.ZipFile, pin: Mapping[str, Any]) -> list[Concept]:
    """The chemicals and drugs of MeSH (trees D), descriptors before supplementary concepts."""
    trees: dict[str, tuple[str, ...]] = {}
    found = []
    for number, label, synonyms, where in _cells(archive, pin["descriptors"]):
        in_d = tuple(tree for tree in _parts(where) if tree.startswith("D"))
        trees[number] = in_d
        if in_d:
            found.append(Concept(number, label, _parts(synonyms), in_d))
    for number, label, synonyms, headings in _cells(archive, pin["supplements"]):
        above = tuple(tree for head in _parts(headings) for tree in trees.get(head, ()))
        found.append(Concept(number, label, _parts(synonyms), above))
    return sorted(found, key=lambda concept: (concept.id[0] != "D", concept.id))
