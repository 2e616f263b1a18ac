"""What the person takes, reacts to and lives with."""

from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal
from typing import Literal

from uac import PartialDate, Ref, kind


@kind("allergies", key=("substance",))
@dataclass
class Allergy:
    """A substance that harmed or may harm the person."""

    id: str
    substance: str  # as it was said: an ingredient, a brand, a class, a food
    # None means that nobody said; only food and environment keep it out of drug checks.
    category: Literal["medication", "food", "environment", "other"] | None = None
    # An intolerance is an effect, such as nausea, that is not immune.
    nature: Literal["allergy", "intolerance"] | None = None
    reaction: str | None = None  # what happened, such as "hives"
    severity: Literal["mild", "moderate", "severe"] | None = None
    noted_on: date | None = None
    tolerated_since: PartialDate | None = None  # the substance itself, taken without a reaction
    tolerated: list[str] = field(default_factory=list)  # related drugs taken without a reaction


@kind("medications", key=("name",))
@dataclass
class Medication:
    """A drug that the person takes, took, was prescribed or thinks about."""

    id: str
    name: str  # ingredient or brand, strength and form may be part of it
    dose: str | None = None  # as it was said: "500 mg"
    frequency: str | None = None
    # The dose in figures, where it was said so plainly that it can be compared with a limit.
    amount: Decimal | None = None  # at one time, of the ingredient
    unit: Literal["mcg", "mg", "g", "IU", "units", "mL"] | None = None
    times_a_day: Decimal | None = None  # at most, for a drug taken as needed
    # "prescribed" is not taken yet; "considered" is only an idea, the person's or a clinician's.
    status: Literal["considered", "prescribed", "taking", "stopped"] = "taking"
    started_on: date | None = None
    stopped_on: date | None = None  # the last day; may lie ahead for a course
    prescriber: str | None = None


@kind("conditions", key=("name",))
@dataclass
class Condition:
    """An illness or lasting state of health."""

    id: str
    name: str
    status: Literal["active", "resolved"] = "active"
    since: date | None = None


@kind("pregnancies", key=())
@dataclass
class Pregnancy:
    """A pregnancy of the person, hoped for, present or past."""

    id: str
    status: Literal["trying", "pregnant", "breastfeeding", "ended"]
    since: PartialDate | None = None
    due_on: date | None = None
    ended_on: date | None = None
    due_in: PartialDate | None = None  # where only the month was said


@kind("measurements", key=())
@dataclass
class Measurement:
    """One value that was measured: a weight, a pressure, a level in the blood."""

    id: str
    what: str  # "weight", "systolic blood pressure", "potassium"
    value: Decimal
    unit: str | None = None
    on: date | None = None
    at: time | None = None
    by: Ref["Person"] | None = None  # None: the person remembered


@kind("intakes", key=("what",))
@dataclass
class Intake:
    """A food, drink, herb or supplement that the person takes in beside drugs."""

    id: str
    what: str  # "grapefruit juice", "St John's wort"
    category: Literal["food", "drink", "alcohol", "supplement", "tobacco"] | None = None
    # "considered" is only an idea; "avoided" was said to be kept away from.
    status: Literal["considered", "regular", "occasional", "stopped", "avoided"] = "regular"
    started_on: date | None = None
    stopped_on: date | None = None


@kind("dose_limits", key=("substance", "per"))
@dataclass
class DoseLimit:
    """The most of a drug for this person, as a clinician set it."""

    id: str
    substance: str  # ingredient or brand
    amount: Decimal
    unit: Literal["mcg", "mg", "g", "IU", "units", "mL"]
    per: Literal["dose", "day"]
    set_by: Ref["Person"] | None = None
    set_on: date | None = None
    until: date | None = None  # the last day it holds
    reason: str | None = None
