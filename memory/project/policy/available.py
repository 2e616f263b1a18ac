"""What exists in the sandbox and means the same there as under CPython 3.11.

Found by asking both (tests/memory/project/test_differential.py asks again).
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text as a set of names."""
    return frozenset(text.split())


BUILTINS = words(
    "abs all any bin bool chr dict divmod enumerate filter float frozenset hex int isinstance iter"
    " len list map max min next oct ord pow range repr reversed round set sorted str sum tuple"
    " type zip bytes True False None NotImplemented"
    " ArithmeticError AssertionError AttributeError Exception IndexError KeyError LookupError"
    " NameError NotImplementedError OverflowError RuntimeError StopIteration TypeError ValueError"
    " ZeroDivisionError UnicodeDecodeError UnicodeEncodeError getattr hasattr object print"
)

# Why a builtin of CPython may not be used, and what to use instead.
REFUSED_BUILTINS = {
    "eval": "call the function itself",
    "exec": "call the function itself",
    "compile": "call the function itself",
    "__import__": "import at the top of the file",
    "open": "there are no files; all data is in the state",
    "input": "nobody is asked; all data is in the state",
    "breakpoint": "remove it",
    "globals": "name what you need",
    "locals": "name what you need",
    "vars": "name the fields",
    "dir": "name the fields",
    "setattr": "build a new object; state is not changed",
    "delattr": "build a new object; state is not changed",
    "hash": "compare the values; a hash differs between interpreters",
    "id": "compare with == or by the field id",
    "super": "there is no inheritance",
    "property": "write a function",
    "classmethod": "write a function",
    "staticmethod": "write a function",
    "callable": "say what the argument is",
    "issubclass": "there is no inheritance; use isinstance",
    "format": 'write an f-string: f"{value:.2f}"',
    "ascii": "use repr",
    "complex": "use float",
    "bytearray": "use a list",
    "memoryview": "use bytes",
    "slice": "write value[start:stop]",
    "BaseException": "name the exception you expect",
    "SystemExit": "return instead",
    "KeyboardInterrupt": "name the exception you expect",
    "GeneratorExit": "name the exception you expect",
    "MemoryError": "limits are not caught",
    "RecursionError": "limits are not caught",
    "TimeoutError": "limits are not caught",
}

MODULES: dict[str, frozenset[str]] = {
    "bisect": words("bisect_left bisect_right insort_left insort_right"),
    "collections": words("Counter defaultdict deque"),
    "copy": frozenset(["deepcopy"]),
    "dataclasses": words("dataclass field"),
    "datetime": words("date datetime time timedelta timezone"),
    "decimal": words(
        "Decimal ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN"
        " ROUND_HALF_UP ROUND_UP InvalidOperation"
    ),
    "functools": words("reduce partial"),
    "itertools": words(
        "accumulate chain combinations groupby islice pairwise permutations product takewhile"
        " dropwhile zip_longest"
    ),
    "json": words("dumps loads"),
    "math": words(
        "ceil comb copysign dist factorial fabs floor fmod fsum gcd hypot inf isclose isfinite"
        " isinf isnan isqrt lcm log log10 log2 exp nan perm pi prod sqrt trunc e tau"
    ),
    "re": words(
        "compile escape findall finditer fullmatch match search split sub IGNORECASE I MULTILINE"
        " M DOTALL S Match Pattern"
    ),
    "typing": words("Any Callable Final Iterable Iterator Literal Mapping Optional Sequence Union"),
    "unicodedata": words("category combining name normalize"),
}

# These name a class or function too, so the module itself is never bound to a name.
ONLY_FROM = words("bisect copy dataclasses datetime decimal typing")

# Attributes of builtin types that CPython has and the sandbox lacks; none is likely for a field.
MISSING_ATTRIBUTES = {
    "format_map": "write an f-string",
    "maketrans": "use replace, or join over a list",
    "translate": "use replace, or join over a list",
    "as_integer_ratio": "use Decimal",
    "bit_count": 'use bin(value).count("1")',
    "bit_length": "use len(bin(value)) - 2",
    "is_integer": "compare with int(value)",
    "fromhex": "use int(text, 16)",
    "from_bytes": "use int(text, 16)",
    "to_bytes": "keep the number",
    "difference_update": "use -=",
    "intersection_update": "use &=",
    "symmetric_difference_update": "use ^=",
    "isocalendar": "use week_key from uac",
    "fromisocalendar": "count from a Monday with timedelta",
    "toordinal": "subtract dates: (day - other).days",
    "fromordinal": "add a timedelta to a date",
    "timetuple": "use the fields year, month, day",
    "utctimetuple": "use the fields year, month, day",
    "subn": "use re.sub",
    "from_float": "use Decimal(str(value))",
}
