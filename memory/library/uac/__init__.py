"""The small package that a user project imports: the same source runs in CPython 3.11 and in Monty.

The order of the imports below is the order in which the files are joined for the sandbox, so a
file may use only what stands above it. Names at the top of a file are unique over the package;
private ones begin with `_uac_`, because a rule shares their namespace there.
"""

# ruff: noqa: I001 (the order has a meaning, see above)
from .schema import Ref, kind
from .alert import Alert
from .text import add_months, clock, gap, long_date, money, sentence, shorten
from .dates import (
    DateSpan,
    PartialDate,
    date_words,
    earliest_day,
    latest_day,
    possibly_after,
    possibly_before,
    possibly_same_day,
    possibly_within,
    span_words,
    surely_after,
    surely_before,
    surely_within,
)
from .stats import (
    count_by,
    group_by,
    mean,
    median,
    month_key,
    most_common,
    quarter_key,
    rounded,
    stdev,
    sum_by,
    week_key,
    year_key,
)
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
    "DateSpan",
    "Drug",
    "Match",
    "PartialDate",
    "Ref",
    "add_months",
    "clock",
    "compare",
    "components",
    "count_by",
    "date_words",
    "earliest_day",
    "find_allergen",
    "find_drug",
    "gap",
    "group_by",
    "in_schengen",
    "is_country",
    "kind",
    "latest_day",
    "long_date",
    "mean",
    "median",
    "money",
    "month_key",
    "most_common",
    "normalise",
    "possibly_after",
    "possibly_before",
    "possibly_same_day",
    "possibly_within",
    "quarter_key",
    "read_allergen",
    "read_drug",
    "rounded",
    "same_country",
    "same_words",
    "says_no_allergy",
    "sentence",
    "shorten",
    "span_words",
    "stdev",
    "sum_by",
    "surely_after",
    "surely_before",
    "surely_within",
    "week_key",
    "year_key",
]
