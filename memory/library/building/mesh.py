"""Rows from MeSH: other names of known ingredients, and drugs that the NDC directory lacks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory.library.building.inputs import Concept
from memory.library.building.known import Known
from memory.library.building.naming import Naming, slug
from memory.library.uac.names import normalise, without_salt

Row = dict[str, Any]


def mesh_rows(
    concepts: Sequence[Concept], known: Known, naming: Naming, config: Mapping[str, Any]
) -> list[Row]:
    """The rows in order of their ids; `known` takes up their names."""
    new = _drug_rows(concepts, known, naming, config["mesh"])
    return sorted([*new, *_synonym_rows(concepts, known, naming)], key=lambda row: row["id"])


def _drug_rows(
    concepts: Iterable[Concept], known: Known, naming: Naming, config: Mapping[str, Any]
) -> list[Row]:
    """A row for each concept that looks like one ingredient and is not known by any name."""
    rows = []
    for concept in concepts:
        name = normalise(concept.label)
        row_id = f"drug:{slug(name)}"
        if not _is_ingredient(concept, config) or not naming.telling(name) or row_id in known.ids:
            continue
        if known.of(name) or _known_by_synonym(concept, known):
            continue
        shown = concept.label[:1].lower() + concept.label[1:]
        row = {
            "id": row_id,
            "names": [text for text in naming.with_acid(shown) if not known.of(normalise(text))],
            "classes": classes_of(concept.trees, config["classes"]) or by_stem(name, config),
            "key": concept.id,
        }
        rows.append(row)
        known.add(row)
    return rows


def _is_ingredient(concept: Concept, config: Mapping[str, Any]) -> bool:
    """Whether it is one substance by its place in MeSH or by the stem of its name."""
    label = concept.label
    first, _, second = label.partition(" ")
    if second not in ("", *config["second_words"]) or not first.isalpha() or first.isupper():
        return False
    # A plural is the heading of a whole class. Of supplementary concepts every member of an
    # allergen family counts, whatever it is called.
    places = config["trees"] if concept.id[0] == "D" else config["classes"]
    placed = not label.endswith("s") and _in(concept.trees, places)
    return placed or label.casefold().endswith(tuple(config["stems"]))


def _known_by_synonym(concept: Concept, known: Known) -> bool:
    return any(known.of(normalise(text)) for text in concept.synonyms if "," not in text)


def _in(trees: Iterable[str], wanted: Iterable[str]) -> bool:
    return any(f"{tree}.".startswith(f"{top}.") for tree in trees for top in wanted)


def classes_of(trees: Iterable[str], tops: Mapping[str, str]) -> list[str]:
    """The classes under whose tree numbers a concept stands."""
    return sorted({tops[top] for top in tops if _in(trees, [top])})


def by_stem(name: str, config: Mapping[str, Any]) -> list[str]:
    """The class that the stem of an international name tells, where one does."""
    stems = config["classes_by_stem"]
    return sorted({stems[stem] for stem in stems if name.endswith(stem)})


def _synonym_rows(concepts: Iterable[Concept], known: Known, naming: Naming) -> list[Row]:
    """A row for each descriptor of a known ingredient that has names the tables lack.

    A name that two descriptors give is nobody's.
    """
    wanted: dict[str, tuple[Concept, str]] = {}
    claims: dict[str, set[str]] = defaultdict(set)
    for concept in concepts:
        # Exactly: what MeSH says of an ester's own record is not true of its parent.
        target = known.owners.get(normalise(concept.label), "")
        for text in (concept.label, *concept.synonyms):
            claims[normalise(text)].add(concept.id)
        if target.startswith("drug:"):
            wanted[concept.id] = (concept, target)
    rows = []
    for concept, target in wanted.values():
        names = _fresh_names(concept, known, naming, claims)
        row_id = f"product:mesh-{concept.id.casefold()}"
        if names:
            row = {"id": row_id, "names": names, "ingredients": [target], "key": concept.id}
            rows.append(row)
            known.add(row)
    return rows


def _fresh_names(
    concept: Concept, known: Known, naming: Naming, claims: Mapping[str, set[str]]
) -> list[str]:
    fresh: dict[str, str] = {}
    for text in (more for synonym in concept.synonyms for more in naming.with_acid(synonym)):
        key = normalise(text)
        if not naming.plain(text) or not naming.telling(key) or len(claims.get(key, ())) > 1:
            continue
        if not known.of(key) and without_salt(key) not in fresh:
            fresh.setdefault(key, text)
    return list(fresh.values())
