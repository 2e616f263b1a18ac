"""Facts as an app posts them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def reading(kind: str, op: str = "assert", record: str | None = None, /, **data: Any) -> Json:
    """One reading; `record` is the id where it is given."""
    named = {} if record is None else {"id": record}
    return {"kind": kind, "op": op, "data": data, **named}


def fact(text: str, *readings: Json, **more: Any) -> Json:
    """One fact with its readings."""
    return {"text": text, "readings": list(readings), **more}


def allergy(substance: str, op: str = "assert", **data: Any) -> Json:
    """A fact that the person is allergic to something."""
    said = f"I am allergic to {substance}"
    return fact(said, reading("health.Allergy", op, substance=substance, **data))


def medication(name: str, op: str = "assert", **data: Any) -> Json:
    """A fact that the person takes something."""
    return fact(f"I take {name}", reading("health.Medication", op, name=name, **data))


def trip(destination: str, departs_on: str, op: str = "assert", **data: Any) -> Json:
    """A fact about a journey."""
    named = {"destination": destination, "departs_on": departs_on, **data}
    return fact(f"Going to {destination}", reading("travel.Trip", op, **named))


def passport(country: str, expires_on: str) -> Json:
    """A fact about a passport."""
    said = reading("travel.Passport", issuing_country=country, expires_on=expires_on)
    return fact(f"My {country} passport", said)


def note(text: str) -> Json:
    """A fact that no rule reads."""
    return fact(text, reading("notes.Note", text=text))
