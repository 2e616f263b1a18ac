"""Names for what apps send: JSON names as fields, class names as collections.

The same name always becomes the same field, so nothing has to remember who was renamed: `fit`
brings a payload to its kind by the rule that made the kind's fields.
"""

from __future__ import annotations

import json
import keyword
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from memory.project import schema
from memory.project.field_types import SHADOWING
from memory.project.schema import Field, Kind

NAME_LENGTH = 100
SHOWN_LENGTH = 40
IRREGULAR = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "life": "lives",
    "wife": "wives",
    "knife": "knives",
    "half": "halves",
    "quiz": "quizzes",
    "series": "series",
}
# Latin letters that are not one of ASCII with an accent.
LATIN = {
    **{"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH"},
    **{"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ł": "l", "Ł": "L"},
    **{"ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N"},
}


def field_name(json_name: str) -> str:
    """The field that holds what a payload calls `json_name`.

    Identifiers in ASCII stay as they are. Letters lose their accents (`größe`: `grosse`), those of
    other scripts are told by their numbers (`u65e5`), because the policy wants names that look like
    no others; other characters become `_`. A keyword, a type's name (`date`) and any name that is
    no `id` but would become one get a trailing `_`; a capital at the front becomes small, because
    classes have capitals.
    """
    name = "".join(map(_in_ascii, unicodedata.normalize("NFKD", json_name[:NAME_LENGTH])))
    name = re.sub(r"__+", "_", name) if name != json_name else name
    name = name.lstrip("_")[:NAME_LENGTH] or "field_"
    name = name.lower() if name.isupper() else name[0].lower() + name[1:]
    if not name.isidentifier():
        name = f"n_{name}"
    if keyword.iskeyword(name) or name in SHADOWING or (name == "id" and json_name != "id"):
        return f"{name}_"
    return name


def _in_ascii(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isalnum() else "_"
    if letter in LATIN:
        return LATIN[letter]
    if unicodedata.combining(letter):
        return ""
    return f"u{ord(letter):x}" if letter.isalnum() else "_"


def snake_case(class_name: str) -> str:
    """`BloodPressure` as `blood_pressure`, `HTTPRequest` as `http_request`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name)
    return words.lower()


def collection_name(class_name: str) -> str:
    """The plural of a class in snake case: `Purchase` is kept in `purchases`."""
    before, _, last = snake_case(class_name).rpartition("_")
    return f"{before}_{plural(last)}" if before else plural(last)


def plural(word: str) -> str:
    """The plural of an English noun in small letters; a plural stays one."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if re.search(r"(?:[^aeiou]|qu)y$", word):
        return f"{word[:-1]}ies"
    if word.endswith("sis"):
        return f"{word[:-2]}es"
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return word if re.search(r"[^su]s$", word) else f"{word}es"
    return f"{word}s"


def shown(json_name: str) -> str:
    """A JSON name for a comment or a message: on one line, in ASCII, cut."""
    if json_name.isascii() and json_name.isidentifier() and len(json_name) <= NAME_LENGTH:
        return json_name
    return json.dumps(json_name[:SHOWN_LENGTH] + "..." * (len(json_name) > SHOWN_LENGTH))


def fit(kind: Kind, data: Mapping[str, Any]) -> dict[str, Any]:
    """A payload with its names as the kind's fields have them, at every depth.

    A number as `id` becomes text, because a record's id is text; where the kind has a field `id_`,
    the payload's id is a value like any other. What is no field keeps its name, to be refused.
    """
    fitted = _renamed(kind.fields, data)
    if "id" in fitted and kind.field("id_") is not None and "id_" not in fitted:
        fitted["id_"] = fitted.pop("id")
    said = fitted.get("id")
    if isinstance(said, int) and not isinstance(said, bool):
        fitted["id"] = str(said)
    return fitted


def _renamed(fields: tuple[Field, ...], data: Mapping[str, Any]) -> dict[str, Any]:
    types = {field.name: field.type for field in fields}
    renamed: dict[str, Any] = {}
    for json_name, value in data.items():
        name = json_name
        if json_name not in types and field_name(json_name) in types:
            name = field_name(json_name)
        if name in renamed or (name != json_name and name in data):
            name = json_name  # both names are there; the one that does not fit is refused
        renamed[name] = _fitted(types[name], value) if name in types else value
    return renamed


def _fitted(type_: schema.Type, value: Any) -> Any:
    match type_, value:
        case schema.Optional(item=item), _:
            return _fitted(item, value)
        case schema.Listing(item=item), list():
            return [_fitted(item, part) for part in value]
        case schema.Mapping(item=item), dict():
            return {name: _fitted(item, part) for name, part in value.items()}
        case schema.Nested(fields=fields), dict():
            return _renamed(fields, value)
        case _:
            return value
