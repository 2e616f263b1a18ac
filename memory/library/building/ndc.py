"""Rows from the NDC directory: ingredients with their classes, brands with their ingredients."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory.library.building.inputs import Product
from memory.library.building.known import Known
from memory.library.building.naming import Naming, slug
from memory.library.uac.names import normalise, without_salt

Row = dict[str, Any]


def ndc_rows(
    products: Sequence[Product], known: Known, naming: Naming, config: Mapping[str, Any]
) -> list[Row]:
    """The rows in order of their ids; `known` takes up their names."""
    kept = [product for product in products if _is_drug(product, config)]
    rows = _ingredient_rows(kept, known, naming, config["epc"])
    return sorted([*rows, *_brand_rows(products, kept, known, naming)], key=lambda row: row["id"])


def _is_drug(product: Product, config: Mapping[str, Any]) -> bool:
    """Neither homeopathic nor an allergen extract, nor a cosmetic or a mixture of plants."""
    plain = product.category in config["ndc"]["unreviewed"] and not product.prescription
    return (
        not plain
        and product.category not in config["ndc"]["left_out_categories"]
        and not any("llergen" in name for name in product.classes)
        and len(product.substances) <= config["ndc"]["most_substances"]
    )


def _ingredient_rows(
    products: Iterable[Product], known: Known, naming: Naming, epc: Mapping[str, str]
) -> list[Row]:
    """A row for each substance without a hand-kept one; its full name too where a salt hides it."""
    forms: dict[str, dict[str, str]] = defaultdict(dict)  # ingredient -> full name -> ndc
    classes: dict[str, set[str]] = defaultdict(set)
    for product in products:
        for substance in product.substances:
            name = naming.ingredient(substance)
            if not naming.telling(name) or known.of(naming.whole(substance)):
                continue
            forms[name].setdefault(naming.whole(substance), product.ndc)
            if len(product.substances) == 1:
                classes[name] |= {epc[text] for text in product.classes if text in epc}
    rows = []
    for name, by_form in sorted(forms.items()):
        if known.of(name) or f"drug:{slug(name)}" in known.ids:
            continue
        # A form that is not found by taking off its salt is a name of its own.
        more = [form for form in sorted(by_form) if form != name and without_salt(form) != name]
        own = [text for text in naming.with_acid(name) if text == name or not known.of(text)]
        row = {
            "id": f"drug:{slug(name)}",
            "names": [*own, *more],
            "classes": sorted(classes[name]),
            "key": min(by_form.values()),
        }
        rows.append(row)
        known.add(row)
    return rows


def _brand_rows(
    products: Iterable[Product], kept: Iterable[Product], known: Known, naming: Naming
) -> list[Row]:
    """A row for each brand of which every product has the same ingredients."""
    meant: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for product in products:
        contents = tuple(sorted(_contents(product, known, naming)))
        for key in _brand_keys(product):
            meant[key].add(contents)
    shown: dict[str, tuple[str, str]] = {}
    for product in kept:
        if product.prescription or product.category in naming.config["ndc"]["over_the_counter"]:
            for key, text in _brand_keys(product).items():
                shown.setdefault(key, (text, product.ndc))
    rows = []
    for key, (text, ndc) in sorted(shown.items()):
        (contents, *others) = meant[key]
        row_id = f"product:{slug(key)}"
        if others or not all(contents) or not _worth_a_row(key, contents, known, naming):
            continue
        if row_id in known.ids:
            continue
        row = {"id": row_id, "names": [text], "ingredients": list(contents), "key": ndc}
        rows.append(row)
        known.add(row)
    return rows


def _contents(product: Product, known: Known, naming: Naming) -> set[str]:
    """The ids of a product's ingredients; "" stands for one that the tables do not have."""
    return {
        known.drug(naming.whole(name)) or known.drug(naming.ingredient(name))
        for name in product.substances
    }


def _brand_keys(product: Product) -> dict[str, str]:
    """The brand, alone and with its suffix, by its normalised form.

    The brand alone counts for every product that bears it, so that a brand with a suffix and other
    ingredients makes the bare brand ambiguous.
    """
    texts = [product.brand]
    if product.suffix:
        texts.append(f"{product.brand} {product.suffix}")
    return {normalise(text): " ".join(text.split()) for text in texts if text}


def _worth_a_row(key: str, contents: tuple[str, ...], known: Known, naming: Naming) -> bool:
    """Whether it is a name of its own: telling, not owned, not the ingredients' own names."""
    if not naming.telling(key) or known.of(key):
        return False
    words = key.split()
    parts = [known.drug(word) for word in words]
    return not (any(parts) and any(known.drug(" ".join(words[i:])) for i in range(len(words))))
