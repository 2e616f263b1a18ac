"""The small package that a user project imports: the same source runs in CPython 3.11 and in Monty.

The order of the imports below is the order in which the files are joined for the sandbox, so a
file may use only what stands above it. Names at the top of a file are unique over the package;
private ones begin with `_uac_`, because a rule shares their namespace there.
"""

# ruff: noqa: I001 (the order has a meaning, see above)
from .schema import Ref, kind
from .alert import Alert
from .text import add_months, clock, gap, long_date, money, sentence, shorten
from .places import in_schengen, is_country, same_country
from .names import components, normalise, says_no_allergy
from .drugs import (
    Allergen,
    Drug,
    Match,
    compare,
    find_allergen,
    find_drug,
    read_allergen,
    read_drug,
    same_words,
)

__all__ = [
    "Alert",
    "Allergen",
    "Drug",
    "Match",
    "Ref",
    "add_months",
    "clock",
    "compare",
    "components",
    "find_allergen",
    "find_drug",
    "gap",
    "in_schengen",
    "is_country",
    "kind",
    "long_date",
    "money",
    "normalise",
    "read_allergen",
    "read_drug",
    "same_country",
    "same_words",
    "says_no_allergy",
    "sentence",
    "shorten",
]
