"""Check what a rule returned as the server does, so that both raise the same alerts."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date
from typing import Any

from .canonical import SEVERITIES, CanonicalAlert

MOST_ALERTS = 500
MOST_EVIDENCE = 50
TEXTS = {"summary": 140, "detail": 2_000, "grade": 40, "action": 2_000, "key": 200}
LISTS = {"basis": (100, 200), "unknown": (20, 2_000)}  # items, characters each


class BadAlert(ValueError):
    """A rule answered something else than alerts that hold; none of its answer counts."""


def alerts_of(
    rule: str, value: Any, kinds: Mapping[str, str], records: Set[tuple[str, str]]
) -> list[CanonicalAlert]:
    """The alerts in a rule's answer, each once.

    `kinds` names the kind of each class, `records` holds the kind and id of all there are. Of two
    alerts with the same key and evidence the graver stands. Raises BadAlert.
    """
    if not isinstance(value, list) or len(value) > MOST_ALERTS:
        raise BadAlert(f"did not return a list of at most {MOST_ALERTS} alerts")
    found: dict[tuple[Any, ...], CanonicalAlert] = {}
    for item in value:
        key, alert = _alert(rule, item, kinds, records)
        place = (key, tuple(sorted(alert.evidence)))
        standing = found.get(place)
        if standing is None or _rank(alert) < _rank(standing):
            found[place] = alert
    return list(found.values())


def _rank(alert: CanonicalAlert) -> int:
    return SEVERITIES.index(alert.severity)


def _alert(
    rule: str, item: Any, kinds: Mapping[str, str], records: Set[tuple[str, str]]
) -> tuple[str, CanonicalAlert]:
    if type(item).__name__ != "Alert":
        raise BadAlert("returned something that is not an Alert")
    said = dict(vars(item))
    bad = [name for name, most in TEXTS.items() if not _is_text(said.get(name), most)]
    bad += [name for name, most in LISTS.items() if not _is_texts(said.get(name), *most)]
    bad += [] if said.get("severity") in SEVERITIES else ["severity"]
    bad += [] if said.get("summary") else ["summary"]
    bad += [] if _is_day(said.get("due")) else ["due"]
    evidence = said.pop("evidence", None)
    if not isinstance(evidence, list) or not 0 < len(evidence) <= MOST_EVIDENCE:
        bad.append("evidence")
    if bad:
        raise BadAlert(f"returned an Alert that does not hold: {', '.join(bad)}")
    key = said.pop("key")
    said |= {name: _storable(said[name]) for name in TEXTS if name in said}
    said |= {name: tuple(map(_storable, said[name])) for name in LISTS}
    refs = tuple(_reference(record, kinds, records) for record in evidence or ())
    return key, CanonicalAlert(rule=rule, evidence=refs, **said)


def _storable(text: str) -> str:
    """The text as it leaves the sandbox: U+FFFD for each NUL and each half of a surrogate pair."""
    text = text.replace("\0", "\ufffd")
    return "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in text)


def _is_text(value: Any, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most


def _is_day(value: Any) -> bool:
    """Whether it is a date, which a time on a day is not, or nothing."""
    return value is None or type(value) is date


def _is_texts(value: Any, most: int, longest: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(_is_text(item, longest) for item in value)
    )


def _reference(
    record: Any, kinds: Mapping[str, str], records: Set[tuple[str, str]]
) -> tuple[str, str]:
    ref = (kinds.get(type(record).__name__, ""), getattr(record, "id", None))
    if not ref[0] or not isinstance(ref[1], str):
        raise BadAlert("returned an Alert whose evidence is not a record")
    if ref not in records:
        raise BadAlert("named a record as evidence that is not in the state")
    return ref[0], ref[1]
