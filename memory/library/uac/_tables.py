"""The rows of the drug table under CPython; in the sandbox they are the input `drug_rows`."""

import tomllib
from pathlib import Path
from typing import Any


def _read_rows() -> list[dict[str, Any]]:
    here = Path(__file__).resolve().parent
    # Beside the package in an exported project, one folder up in the application.
    for path in (here / "drugs.toml", here.parent / "tables" / "drugs.toml"):
        if path.is_file():
            return list(tomllib.loads(path.read_text(encoding="utf-8"))["rows"])
    raise FileNotFoundError("drugs.toml is missing: it belongs beside the uac package")


drug_rows: list[dict[str, Any]] = _read_rows()
