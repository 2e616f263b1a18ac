"""What the person takes, reacts to and lives with."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from uac import kind


@kind("allergies", key=("substance",))
@dataclass
class Allergy:
    """A substance that harmed or may harm the person."""

    id: str
    substance: str  # as it was said: an ingredient, a brand, a class, a food
    # None means that nobody said; only food and environment keep it out of drug checks.
    category: Literal["medication", "food", "environment", "other"] | None = None
    reaction: str | None = None  # what happened, such as "hives"
    severity: Literal["mild", "moderate", "severe"] | None = None
    noted_on: date | None = None


@kind("medications", key=("name",))
@dataclass
class Medication:
    """A drug that the person takes, took, was prescribed or thinks about."""

    id: str
    name: str  # ingredient or brand, strength and form may be part of it
    dose: str | None = None
    frequency: str | None = None
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
