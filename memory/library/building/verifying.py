"""Whether the inputs say what rows kept by hand claim of them: `--verify`.

A row whose source is `ndc` or `mesh` claims that its ingredient, its classes or what its product
contains stand there. What cannot be found there is somebody's word and needs another source.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory.library.building.inputs import Concept, Product
from memory.library.building.known import Known
from memory.library.building.naming import Naming
from memory.library.uac.names import normalise

Row = Mapping[str, Any]
Claims = Mapping[str, set[str]]  # what a source says of an id: the ids of its classes


def unproved(
    rows: Sequence[Row],
    products: Iterable[Product],
    concepts: Iterable[Concept],
    naming: Naming,
    config: Mapping[str, Any],
) -> list[str]:
    """One line for each claim of a row by hand that its source does not bear out."""
    directory = Directory(rows, products, naming, config["epc"])
    headings = _headings(rows, concepts, config["mesh"]["classes"])
    return [
        *_beyond([row for row in rows if row["source"] == "ndc"], directory.classes),
        *_beyond([row for row in rows if row["source"] == "mesh"], headings),
        *_other_contents([row for row in rows if row["source"] == "ndc"], directory),
    ]


class Directory:
    """What the NDC directory says of the ingredients and products of the rows."""

    def __init__(
        self, rows: Iterable[Row], products: Iterable[Product], naming: Naming, epc: Row
    ) -> None:
        self.known, self.naming = Known(rows), naming
        self.classes: dict[str, set[str]] = defaultdict(set)  # ingredient, class -> its classes
        self.contents: dict[str, set[frozenset[str]]] = defaultdict(set)  # by product's name
        self.mixtures: set[frozenset[str]] = set()
        for product in products:
            self._take(product, {epc[text] for text in product.classes if text in epc})

    def _take(self, product: Product, classes: set[str]) -> None:
        inside = frozenset(map(self._drug, product.substances))
        self.mixtures.add(inside)
        for text in (product.brand, f"{product.brand} {product.suffix}"):
            self.contents[self.known.owners.get(normalise(text), "")].add(inside)
        for row_id in inside:
            # Of a mixture's classes it is not known which belongs to which ingredient.
            self.classes[row_id] |= classes if len(inside) == 1 else set()
        for row_id in classes:
            self.classes[row_id] |= set()

    def _drug(self, substance: str) -> str:
        whole, plain = self.naming.whole(substance), self.naming.ingredient(substance)
        return self.known.drug(whole) or self.known.drug(plain)


def _headings(rows: Iterable[Row], concepts: Iterable[Concept], tops: Row) -> Claims:
    """What MeSH says: the classes of a row are those under whose tree numbers it stands."""
    owners = Known(rows).owners
    trees: dict[str, set[str]] = defaultdict(set)
    for concept in concepts:
        for text in (concept.label, *concept.synonyms):
            if normalise(text) in owners:
                trees[owners[normalise(text)]] |= set(concept.trees)
    above = dict(tops)
    for row_id in [row_id for row_id in trees if row_id.startswith("class:")]:
        above |= dict.fromkeys(trees[row_id], row_id)
    return {
        row_id: {above[up] for tree in own for up in _ups(tree) if up in above}
        for row_id, own in trees.items()
    }


def _ups(tree: str) -> list[str]:
    """A tree number and those above it."""
    parts = tree.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _beyond(rows: Iterable[Row], claims: Claims) -> list[str]:
    lines = []
    for row in rows:
        if row["type"] in ("drug", "class") and row["id"] not in claims:
            lines.append(f"{row['id']}: {row['source']} has none of its names")
        elif row["type"] == "drug":
            more = set(row.get("classes", ())) - claims[row["id"]]
            lines += [f"{row['id']}: {row['source']} does not say {one}" for one in sorted(more)]
    return lines


def _other_contents(rows: Iterable[Row], directory: Directory) -> list[str]:
    """Products that the directory has with other ingredients, or not at all."""
    lines = []
    for row in rows:
        if row["type"] != "product":
            continue
        inside, found = frozenset(row["ingredients"]), directory.contents.get(row["id"], set())
        if inside not in (found or directory.mixtures):
            lines.append(f"{row['id']}: {row['source']} has no product of these ingredients")
        elif found - {inside}:
            lines.append(f"{row['id']}: {row['source']} has other ingredients under its names too")
    return lines
