"""Doses held against a limit for one drug: what they come to in its unit, and what is missing."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .drugs import Drug, read_drug
from .rows import row_label
from .text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .taking import Taking

_uac_micrograms = {"mcg": Decimal(1), "mg": Decimal(1_000), "g": Decimal(1_000_000)}


def amount_words(amount: Decimal, unit: str) -> str:
    """`4,500 mg`, `0.5 mg`: no zeros behind the point."""
    text = f"{amount:,f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}"


def _uac_in_units(amount: Decimal, unit: str, wanted: str) -> Decimal | None:
    """The amount in the wanted unit; None where the units cannot be compared."""
    if unit == wanted:
        return amount
    if unit in _uac_micrograms and wanted in _uac_micrograms:
        return amount * _uac_micrograms[unit] / _uac_micrograms[wanted]
    return None


def limited(drug: Drug, substance: Drug) -> bool:
    """Whether a medication holds what the limit is about; unknown names count by their words."""
    if [one for one in drug.ingredients if one in substance.ingredients]:
        return True
    named = drug.words + drug.aside
    return not substance.ingredients and bool([w for w in named if w in substance.words])


def _uac_dose_of(medication: Any, drug: Drug, limit: Any) -> Decimal | None:
    """What is taken at a time or a day, in the limit's unit; None where that cannot be told."""
    if medication.amount is None or medication.unit is None or len(drug.ingredients) > 1:
        return None
    amount = _uac_in_units(medication.amount, medication.unit, limit.unit)
    if amount is None or limit.per == "dose":
        return amount
    return None if medication.times_a_day is None else amount * medication.times_a_day


def _uac_gap_in_dose(medication: Any, drug: Drug, limit: Any) -> str:
    """What is missing to compare a medication with the limit, in words."""
    name = shorten(medication.name)
    if len(drug.ingredients) > 1:
        shared = [row_label(one) for one in drug.ingredients]
        return f"how much of each ingredient {name} holds ({', '.join(shared[:4])})"
    if medication.amount is None or medication.unit is None:
        return f"how much {name} is taken at a time"
    if _uac_in_units(medication.amount, medication.unit, limit.unit) is None:
        return f"how much {name} is in {limit.unit}: it is recorded in {medication.unit}"
    return f"how often a day {name} is taken at most"


def gaps_among(limit: Any, takings: "Iterable[Taking]") -> list[str]:
    """What is missing of the medications that cannot be compared with the limit."""
    drugs = [(taking.record, read_drug(taking.record.name)) for taking in takings]
    return [
        _uac_gap_in_dose(m, drug, limit)
        for m, drug in drugs
        if _uac_dose_of(m, drug, limit) is None
    ]


def comparable(limit: Any, takings: "Iterable[Taking]") -> "list[tuple[Taking, Decimal]]":
    """The medications whose dose can be compared with the limit, with that dose."""
    doses = [(t, _uac_dose_of(t.record, read_drug(t.record.name), limit)) for t in takings]
    return [(taking, dose) for taking, dose in doses if dose is not None]
