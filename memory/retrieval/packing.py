"""Whole numbers packed as bytes, little-endian, for columns that hold many of them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from typing import Literal

Width = Literal["H", "I"]
"""16 or 32 bits, without sign."""
MOST = {"H": 2**16 - 1, "I": 2**32 - 1}


def pack(width: Width, numbers: Iterable[int]) -> bytes:
    """The numbers as bytes; a greater one than fits counts as the greatest that does."""
    most = MOST[width]
    return _little(array(width, [min(number, most) for number in numbers])).tobytes()


def unpack(width: Width, raw: bytes | memoryview) -> array[int]:
    """What `pack` packed."""
    numbers = array(width)
    numbers.frombytes(raw)
    return _little(numbers)


def _little(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
