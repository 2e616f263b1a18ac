"""`python -m memory.library.building --inputs DIR`: write the generated tables anew.

With `--verify` nothing is written: the rows kept by hand are looked up in the inputs.
"""

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory.library.building.inputs import (
    BadInput,
    Concept,
    Product,
    open_input,
    read_concepts,
    read_products,
)
from memory.library.building.known import Known
from memory.library.building.mesh import mesh_rows
from memory.library.building.naming import Naming
from memory.library.building.ndc import ndc_rows
from memory.library.building.verifying import unproved
from memory.library.building.writing import rendered
from memory.library.built_rows import parse_built
from memory.library.reference import TABLES
from memory.library.table_rows import parse_table

CONFIG = Path(__file__).resolve().parent / "config.toml"
GENERATED = ("ndc.toml", "mesh.toml")


def built(inputs: Path, config_text: str, rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The text of each generated file by its name.

    `rows` are those that stand before the generated ones. Raises BadInput and BadTable.
    """
    config = tomllib.loads(config_text)
    naming, known = Naming(config), Known(rows)
    digest = hashlib.sha256(config_text.encode()).hexdigest()
    products, concepts = _read(inputs, config)
    made: dict[str, list[dict[str, Any]]] = {
        "ndc": ndc_rows(products, known, naming, config),
        "mesh": mesh_rows(concepts, known, naming, config),
    }
    return {
        f"{source}.toml": checked(
            rendered(rows, config=config, source=source, built_from=digest), f"{source}.toml"
        )
        for source, rows in made.items()
    }


def checked(text: str, name: str) -> str:
    """The text, when its rows are right and the quick reading gives the same as the careful one.

    Raises BadInput and BadTable.
    """
    careful = parse_table(text, name)
    try:
        quick = parse_built(text)
    except ValueError:
        quick = None
    if quick != careful:
        raise BadInput(f"{name}: a name in it looks like a field and cannot be read quickly")
    return text


def verified(inputs: Path, config_text: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each claim of a row by hand that the inputs do not bear out. Raises BadInput."""
    config = tomllib.loads(config_text)
    return unproved(rows, *_read(inputs, config), Naming(config), config)


def _read(inputs: Path, config: Mapping[str, Any]) -> tuple[list[Product], list[Concept]]:
    pins = config["inputs"]
    with open_input(inputs, pins["ndc"]) as archive:
        products = read_products(archive, pins["ndc"])
    with open_input(inputs, pins["mesh"]) as archive:
        return products, read_concepts(archive, pins["mesh"])


def by_hand(tables: Path) -> list[dict[str, Any]]:
    """The rows of a folder's files that are not generated. Raises BadTable."""
    paths = sorted(path for path in tables.glob("*.toml") if path.name not in GENERATED)
    return [
        row for path in paths for row in parse_table(path.read_text(encoding="utf-8"), path.name)[1]
    ]


def main() -> None:
    """Build from the downloaded inputs into the folder of the tables."""
    parser = argparse.ArgumentParser(prog="python -m memory.library.building")
    parser.add_argument("--inputs", type=Path, required=True, help="the folder of the downloads")
    parser.add_argument("--tables", type=Path, default=TABLES, help="where the tables are")
    parser.add_argument("--verify", action="store_true", help="only check the rows kept by hand")
    options = parser.parse_args()
    if options.verify:
        lines = verified(
            options.inputs, CONFIG.read_text(encoding="utf-8"), by_hand(options.tables)
        )
        sys.exit("\n".join(lines) or 0)
    files = built(options.inputs, CONFIG.read_text(encoding="utf-8"), by_hand(options.tables))
    for name, text in files.items():
        (options.tables / name).write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10) + '  {'):,} rows, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
