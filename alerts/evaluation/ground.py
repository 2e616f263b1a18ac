"""What every project runs on: the library and the reference tables that ship with the app."""

from __future__ import annotations

import hashlib
from functools import cache

from memory.library.reference import load
from memory.project.shipped import library


@cache
def ground() -> str:
    """SHA-256 over the `uac` library and the reference tables, in hex."""
    return hashlib.sha256(f"{library().digest} {load().digest}".encode()).hexdigest()
