"""Expressions made up by hypothesis, over the kinds of values that records hold."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import strategies as st

# Letters that change when cased or normalised, marks, joiners, spaces, signs, digits.
CHARACTERS = [
    *"aZ10_-.,:;'\"\\{}%$#/ ", "é", "ß", "İ", "ı", "ǅ", "ﬁ", "Σ", "ς", "e\u0301", "日", "ñ", "ŉ",
    "\u1e9e", "Ａ", "½", "²", "Ⅷ", "😀", "\u200b", "\u202e", "\u00a0", "\u3000", "\t", "\n", "\r",
    "\ufeff", "\u2028", "\x85", "\x7f", "\U00010400", "\ue000",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(CHARACTERS), max_size=8).map(lambda parts: ascii("".join(parts)))
FLOATS = st.one_of(
    st.floats(-1e6, 1e6),
    st.integers(-1000, 1000).map(lambda n: n / 8),
    st.decimals(-1000, 1000, places=2).map(float),
    st.sampled_from([0.0, -0.0, 0.5, 2.5, 1e15, 1e16, 1e22, 5e-324, 1.7976931348623157e308, 1e-7]),
).map(repr)
INTS = st.one_of(st.integers(-20, 20), st.integers(-(10**30), 10**30)).map(repr)
DECIMALS = st.one_of(
    st.decimals(-1000, 1000, places=2), st.decimals(allow_nan=False, allow_infinity=False, places=4)
).map(lambda value: f"Decimal({str(value)!r})")
DATES = st.dates(date(1000, 1, 1), date(9990, 1, 1)).map(
    lambda d: f"date({d.year}, {d.month}, {d.day})"
)
MOMENTS = st.datetimes().map(
    lambda m: f"datetime({m.year}, {m.month}, {m.day}, {m.hour}, {m.minute}, {m.second})"
)
PARTIAL = st.one_of(
    st.integers(1, 9999).map(lambda y: f"PartialDate({y})"),
    st.dates().map(lambda d: f"PartialDate({d.year}, {d.month})"),
    st.dates().map(lambda d: f"PartialDate({d.year}, {d.month}, {d.day})"),
)
SMALL = st.integers(-4, 9).map(repr)
POSITIVE = st.integers(1, 9).map(repr)
ALIGN = st.sampled_from(["", "<", ">", "^", "=", "*^", "0>"])
FORMS = st.builds(
    "".join,
    st.tuples(
        ALIGN,
        st.sampled_from(["", "+", " "]),
        st.sampled_from(["", "0"]),
        st.sampled_from(["", "5", "12"]),
        st.sampled_from(["", ",", "_"]),
        st.sampled_from(["", ".0", ".1", ".2", ".5"]),
        st.sampled_from(["", "f", "e", "g", "%"]),
    ),
)
KEYS = st.sampled_from(
    ["p.amount", "p.on", "p.category", "p.quantity", "p.shop or ''", "len(p.tags)", "p.item"]
)
TESTS = st.sampled_from(
    [
        "p.amount > 3", "p.shop", "not p.shop", "p.on >= date(2026, 2, 1)", "p.tags", "p.seller",
        "'weekly' in p.tags", "p.category == 'food'", "p.quantity % 2", "p.item < 'c'",
        "p.seller and p.seller.rating", "p.split.get('ada')", "p.category in ('home', 'food')",
        "p.item.startswith('b')", "p.on.month == 2 and p.amount", "p.trip is None",
    ]
)  # fmt: skip
PLACES = {
    "T": TEXT, "F": FLOATS, "I": INTS, "D": DECIMALS, "Y": DATES, "M": MOMENTS, "P": PARTIAL,
    "S": SMALL, "N": POSITIVE, "FORM": FORMS, "KEY": KEYS, "TEST": TESTS,
    "OP": st.sampled_from(["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!="]),
    "CMP": st.sampled_from(["<", "<=", "==", "!=", ">"]),
    "CASE": st.sampled_from(["upper", "lower", "title", "casefold", "capitalize", "swapcase"]),
    "IS": st.sampled_from(["isalpha", "isalnum", "isdigit", "isspace", "isupper", "istitle"]),
    "CUT": st.sampled_from(["strip", "lstrip", "rstrip", "split", "splitlines"]),
    "FIND": st.sampled_from(["split", "partition", "rpartition", "count", "find", "startswith"]),
    "ROUND": st.sampled_from(["ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_DOWN", "ROUND_CEILING"]),
    "CODE": st.sampled_from(["%A %d %B", "%j", "%U", "%V", "%G", "%a %b", "%y", "%-d.%-m.", "%F"]),
    "SURE": st.sampled_from(["surely_before", "surely_after", "possibly_before", "possibly_after"]),
    "NF": st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
    "BOOL": st.sampled_from(["True", "False"]),
}  # fmt: skip
TEMPLATES = [
    "<F> <OP> <F>", "<I> <OP> <I>", "<D> <OP> <D>", "<D> <OP> <S>", "<F> <OP> <S>", "<I> <CMP> <F>",
    "str(<F>), repr(<F>)", "round(<F>)", "rounded(<F>, <N>)", "rounded(<D>, <N>)", "int(<F>)",
    "abs(<F>), -<D>, bool(<D>), float(<I>)", "divmod(<D>, <N>)", "divmod(<I>, <S>)",
    "f'{<F>:<FORM>}'", "f'{<D>:<FORM>}'", "f'{<I>:<FORM>}'", "money(<D>, 'EUR')",
    "<D>.quantize(Decimal('0.01'), rounding='<ROUND>')", "sum([<D>, <D>, <S>])",
    "sum([<F>, <F>, <F>]), min(<F>, <D>), max([<F>, <S>])", "sorted([<F>, <D>, <S>, <I>])",
    "mean([<F>, <F>]), median([<F>, <S>, <F>])", "stdev([<D>, <D>, <S>])", "stdev([<F>, <F>])",
    "<T>.<CASE>()", "<T>.<IS>()", "<T>.<CUT>()", "<T>.<FIND>(<T>)", "<T>.replace(<T>, <T>)",
    "repr(<T>), len(<T>)", "<T>[<S>:<S>]", "<T> <CMP> <T>", "<T> in <T>",
    "sorted(<T>, reverse=<BOOL>)", "sorted([<T>, <T>, <T>])", "<T>.join([<T>, <T>])",
    "f'{<T>:>5}|{<T>:*^7.2}'", "unicodedata.normalize('<NF>', <T>)",
    "'%s|%r|%5s' % (<T>, <T>, <T>)",
    "[unicodedata.category(c) for c in <T>]", "shorten(<T>, 4), normalise(<T>), components(<T>)",
    "re.sub('[ -]+', '_', <T>), re.split('[,.]', <T>), re.findall('[a-z]+|[0-9]', <T>)",
    "<Y> + timedelta(days=<S>)", "(<Y> - <Y>).days", "<Y> <CMP> <Y>", "<Y>.strftime('<CODE>')",
    "week_key(<Y>), month_key(<Y>), quarter_key(<Y>), <Y>.weekday()",
    "long_date(<Y>), gap(<Y>, <Y>)",
    "add_months(<Y>, <S>)", "str(<M> - <M>), (<M> - <M>).total_seconds()", "<M>.isoformat()",
    "str(<M> + timedelta(hours=<S>, minutes=<S>))", "datetime.fromisoformat(<M>.isoformat())",
    "<SURE>(<P>, <P>)", "<SURE>(<P>, <Y>)", "date_words(<P>), earliest_day(<P>), latest_day(<P>)",
    "<P> == <P>, repr(<P>)", "span_words(DateSpan(<P>, <P>))", "json.dumps([<F>, <T>, <I>])",
    "list(range(<S>, <S>, <N>))", "[<S>, <S>, <S>, <S>][<S>:<S>]", "[<S>, <S>].index(<S>)",
    "{<S>: <T>, <S>: <T>}", "dict(zip([<T>, <T>], [<S>, <S>]))", "sorted({<S>, <S>, <S>} | {<S>})",
    "[p.id for p in purchases if <TEST>]", "sum(p.amount for p in purchases if <TEST>)",
    "[p.id for p in sorted(purchases, key=lambda p: (<KEY>, p.id), reverse=<BOOL>)]",
    "[p.id for p in sorted(purchases, key=lambda p: <KEY>)]",
    "max(purchases, key=lambda p: <KEY>).id",
    "{k: [p.id for p in v] for k, v in group_by(purchases, lambda p: <KEY>).items()}",
    "sum_by(purchases, lambda p: <KEY>, lambda p: p.amount)", "any(<TEST> for p in purchases)",
    "count_by([p for p in purchases if <TEST>], lambda p: <KEY>)", "all(<TEST> for p in purchases)",
    "most_common([<KEY> for p in purchases], <N>)",
    "next(iter([p.id for p in purchases if <TEST>]), None)",
    "[(<KEY>, <KEY>) for p in purchases if <TEST> and <TEST> or <TEST>]",
    "[repr(p) for p in purchases if <TEST>][:2]", "[p for p in purchases if <TEST>][<S>]",
    "mean([p.amount for p in purchases if <TEST>])", "purchases[<S>].item[<S>:]",
    "len({<KEY> for p in purchases if <TEST>})",
    "[f'{<KEY>}|{p.amount:>9,.2f}' for p in purchases]",
    "<D> in [p.amount for p in purchases], [p.amount <CMP> <D> for p in purchases]",
    "[(today - p.on).days <CMP> <N> for p in purchases], today <CMP> <Y>",
]  # fmt: skip


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """One expression: a template with each of its places filled."""
    template = draw(st.sampled_from(TEMPLATES))
    return re.sub(r"<([A-Z]+)>", lambda place: draw(PLACES[place[1]]), template)
