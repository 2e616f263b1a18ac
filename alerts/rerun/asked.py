"""What somebody asks the rules to try: names of drugs, an allergy, and what else would matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.http import QueryDict

DRUGS = 4
LONGEST = 120
SEVERITIES = ("mild", "moderate", "severe")
NATURES = ("allergy", "intolerance")
STATES = ("trying", "pregnant", "breastfeeding")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "severity": SEVERITIES,
    "nature": NATURES,
    "pregnancy": STATES,
}


@dataclass(frozen=True)
class Asked:
    """Texts as they were typed; empty where nothing was said."""

    drugs: tuple[str, ...] = ()
    allergy: str = ""
    reaction: str = ""
    severity: str = ""
    nature: str = ""
    tolerated: str = ""
    intake: str = ""
    pregnancy: str = ""

    @property
    def anything(self) -> bool:
        """Whether there is something to try."""
        return bool(self.drugs or self.allergy or self.intake)

    @property
    def drug_fields(self) -> list[str]:
        """A text for each field of a drug."""
        return [*self.drugs, *[""] * (DRUGS - len(self.drugs))]

    @property
    def texts(self) -> str:
        """All names that the tables may know."""
        return "\n".join([*self.drugs, self.allergy, self.tolerated, self.intake])

    def records(self) -> list[tuple[str, str, dict[str, Any]]]:
        """The kind, an id and the data of each made-up record."""
        made: list[tuple[str, str, dict[str, Any]]] = [
            ("health.Medication", f"drug-{number}", {"name": name, "status": "taking"})
            for number, name in enumerate(self.drugs, 1)
        ]
        if self.allergy:
            made.append(("health.Allergy", "allergy", self._allergy()))
        if self.intake:
            made.append(("health.Intake", "intake", {"what": self.intake}))
        if self.pregnancy:
            made.append(("health.Pregnancy", "pregnancy", {"status": self.pregnancy}))
        return made

    def _allergy(self) -> dict[str, Any]:
        said = {"substance": self.allergy, "reaction": self.reaction, "severity": self.severity}
        named = {name: value for name, value in said.items() if value}
        if self.nature:
            named["nature"] = self.nature
        return named | ({"tolerated": [self.tolerated]} if self.tolerated else {})


class TooMuch(ValueError):
    """More was typed than is tried at once; the message says what is allowed."""


def asked_for(query: QueryDict) -> Asked:
    """What an address asks for; a choice that is none is taken for not made. Raises TooMuch."""
    drugs = tuple(text for one in query.getlist("drug") if (text := _plain(one)))
    if len(drugs) > DRUGS:
        raise TooMuch(f"At most {DRUGS} drugs are tried at once.")
    texts = {one.name: _plain(query.get(one.name, "")) for one in fields(Asked)[1:]}
    if any(len(text) > LONGEST for text in (*drugs, *texts.values())):
        raise TooMuch(f"A name or a reaction may have {LONGEST} characters.")
    chosen = {
        name: texts[name] if texts[name] in allowed else "" for name, allowed in CHOICES.items()
    }
    return Asked(drugs=drugs, **(texts | chosen))


def _plain(text: str) -> str:
    """The text in one line, without what no name holds."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
