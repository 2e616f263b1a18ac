"""What somebody asks the queue for: which items, of whom, in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from uuid import UUID

from django.http import QueryDict

from memory.models import ProposalOrigin
from memory.project.danger import DANGERS

STATUSES = {
    "open": "open",
    "decided": "decided",
    "failed": "failed checks",
    "changes": "changes asked for",
    "superseded": "replaced",
}
KINDS = {"proposal": "proposals", "held": "held readings", "concern": "concerns"}
ORDERS = {"danger": "gravest first", "oldest": "longest waiting first"}
MODEL = "model:"
LONGEST = 200


@dataclass(frozen=True)
class Asked:
    """The filters; an empty one lets everything pass.

    `by` is an origin of proposals or `model:` with the name of one. `sought` are letters of a name
    or an id: it is never part of an address.
    """

    status: str = "open"
    kind: str = ""
    danger: str = ""
    domain: str = ""
    by: str = ""
    team: str = ""
    order: str = "danger"
    sought: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it is for what still can be decided."""
        return self.status == "open"

    @property
    def model(self) -> str:
        """The name of the model that is asked for."""
        return self.by.removeprefix(MODEL) if self.by.startswith(MODEL) else ""

    @property
    def narrowed(self) -> bool:
        """Whether something that is there may not be shown."""
        return any((self.kind, self.danger, self.domain, self.by, self.team, self.sought))

    @property
    def query(self) -> str:
        """As the part of an address, without what was sought and what goes without saying."""
        said = QueryDict(mutable=True)
        for name, value in self.stated.items():
            said[name] = value
        return said.urlencode()

    @property
    def stated(self) -> Mapping[str, str]:
        """What differs from the queue as it is opened, by name, without what was sought."""
        plain = Asked()
        pairs = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "sought"}
        return {name: value for name, value in pairs.items() if value != getattr(plain, name)}


def asked_for(query: QueryDict, sought: str = "") -> Asked:
    """What an address or a form asks for; a choice that is none is taken for not made."""
    by = _text(query, "by")
    return Asked(
        status=_one_of(STATUSES, query, "status", "open"),
        kind=_one_of(KINDS, query, "kind"),
        danger=_one_of(dict.fromkeys(DANGERS), query, "danger"),
        domain=_text(query, "domain"),
        by=by if by.startswith(MODEL) or by in ProposalOrigin.values else "",
        team=_uuid(_text(query, "team")),
        order=_one_of(ORDERS, query, "order", "danger"),
        sought=sought.replace("\0", "").strip()[:LONGEST],
    )


def _text(query: QueryDict, name: str) -> str:
    return query.get(name, "").replace("\0", "").strip()[:LONGEST]


def _one_of(choices: Mapping[str, object], query: QueryDict, name: str, plain: str = "") -> str:
    value = query.get(name, plain)
    return value if value in choices else plain


def _uuid(text: str) -> str:
    try:
        return str(UUID(text)) if text else ""
    except ValueError:
        return ""
