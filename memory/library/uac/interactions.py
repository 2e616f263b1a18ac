"""Which interactions, duplications and cautions of the reference tables concern some drugs.

A party is what the tables know of one record: ids of `drug`, `class` and `intake` rows. A pair row
whose two sides differ is an interaction; one whose sides are the same says that two members of that
side are one too many.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .drugs import Drug, read_drug
from .rows import _uac_classes, _uac_load_once, _uac_row, _uac_rows, find_intake
from .taking import route_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_uac_interactions_loaded: list[bool] = []
_uac_groups_of: dict[str, list[str]] = {}  # a member -> the groups that name it
_uac_pairs: list[dict[str, Any]] = []  # the gravest first
_uac_twice: list[dict[str, Any]] = []
_uac_cautions_of: dict[str, list[dict[str, Any]]] = {}  # a member -> the cautions that name it
_uac_sides_of: dict[str, list[str]] = {}
_uac_grave = {"critical": 0, "warning": 1, "info": 2}
_uac_hits_at_most = 2000


@dataclass
class Interaction:
    """Two parties on the two sides of a pair row, and the ids through which they are there."""

    pair: dict[str, Any]
    first: int  # indexes of parties
    second: int
    first_member: str
    second_member: str


def _uac_load_interactions() -> None:
    if _uac_interactions_loaded:
        return
    _uac_interactions_loaded.append(True)
    _uac_load_once()
    pairs: list[dict[str, Any]] = []
    for row_id in sorted(_uac_rows):
        row = _uac_rows[row_id]
        if row["type"] == "group":
            for member in row["members"]:
                _uac_groups_of[member] = [*_uac_groups_of.get(member, []), row_id]
        elif row["type"] == "pair":
            (_uac_twice if row["first"] == row["second"] else pairs).append(row)
        elif row["type"] == "caution":
            for member in row["members"]:
                _uac_cautions_of[member] = [*_uac_cautions_of.get(member, []), row]
    _uac_pairs.extend(sorted(pairs, key=lambda row: _uac_grave[row["severity"]]))


def party_of(name: str) -> list[str]:
    """The ids for a medication's name: its ingredients, a class or an intake it states."""
    drug = read_drug(name)
    return ids_of_drug(drug)


def ids_of_drug(drug: Drug) -> list[str]:
    """The ids by which a drug takes part in interactions."""
    taken_in = [row_id for row_id in drug.rows if row_id.startswith("intake:")]
    return drug.ingredients + drug.groups + taken_in


def systemic_party_of(name: str) -> list[str]:
    """The ids for a medication's name without those that a local form keeps from the blood."""
    found = party_of(name)
    if route_of(name) != "local":
        return found
    _uac_load_interactions()
    quiet = _uac_row("group:local-forms").get("members", [])
    return [row_id for row_id in found if row_id not in quiet]


def party_of_intake(name: str, category: "str | None" = None) -> list[str]:
    """The ids for a food, drink, herb or supplement; a drug taken as a supplement is found too."""
    known = find_intake(name)
    found = [known] if known else party_of(name)
    alcohol = category == "alcohol" and "intake:alcohol" not in found
    return [*found, "intake:alcohol"] if alcohol else found


def sides_of(member: str) -> list[str]:
    """Every side of a pair on which one id stands: itself, its classes, the groups of both."""
    _uac_load_interactions()
    known = _uac_sides_of.get(member)
    if known is None:
        general = _uac_row(member).get("general", "")
        own = [member, *_uac_classes(member)] + ([general] if general else [])
        if member.startswith("class:"):
            parent = _uac_row(member).get("parent", "")
            own += [parent] if parent else []
        groups = [group for row_id in own for group in _uac_groups_of.get(row_id, [])]
        known = own + [group for group in groups if group not in own]
        _uac_sides_of[member] = known
    return known


def is_interacting(party: list[str]) -> bool:
    """Whether a party belongs to a group that some drug should not meet."""
    for member in party:
        for side in sides_of(member):
            # Groups `twice-...` and `local-...` are about duplicates and forms.
            if side.startswith("group:") and not side.startswith(("group:twice-", "group:local-")):
                return True
    return False


def _uac_by_side(parties: "Iterable[list[str]]") -> "dict[str, list[tuple[int, str]]]":
    sides: dict[str, list[tuple[int, str]]] = {}
    for index, party in enumerate(parties):
        for member in party:
            for side in sides_of(member):
                if side in sides:
                    sides[side].append((index, member))
                else:
                    sides[side] = [(index, member)]
    return sides


def find_interactions(parties: list[list[str]]) -> list[Interaction]:
    """Every pair row that two different parties fill, the gravest first; at most 2,000."""
    sides = _uac_by_side(parties)
    found: list[Interaction] = []
    _uac_load_interactions()
    for pair in _uac_pairs:
        firsts, seconds = sides.get(pair["first"]), sides.get(pair["second"])
        if not firsts or not seconds:
            continue
        for one, one_member in firsts:
            for two, two_member in seconds:
                if one != two and one_member != two_member and len(found) < _uac_hits_at_most:
                    found.append(Interaction(pair, one, two, one_member, two_member))
    return found


def longest_wash_out() -> int:
    """The most days for which a side of any of the pairs at hand counts after its last day."""
    _uac_load_interactions()
    sides = ["washout_first_days", "washout_second_days"]
    return max([pair.get(side, 0) for pair in _uac_pairs for side in sides], default=0)


def find_twice(parties: list[list[str]]) -> "list[tuple[dict[str, Any], list[tuple[int, str]]]]":
    """The rows that forbid two of one kind, with (index, id) of the parties that are of it.

    Only rows with at least two parties that stand there by different ids.
    """
    sides = _uac_by_side(parties)
    found = []
    for row in _uac_twice:
        members = sides.get(row["first"], [])
        if len({index for index, _ in members}) > 1 and len({one for _, one in members}) > 1:
            found.append((row, members))
    return found


def find_cautions(party: list[str], state: str) -> "list[tuple[dict[str, Any], str]]":
    """The cautions about a party in a state (`pregnant`), each with the id it is about."""
    found = []
    for member in party:
        rows: list[dict[str, Any]] = []
        for side in sides_of(member):
            for row in _uac_cautions_of.get(side, []):
                if row["state"] == state and row not in rows:
                    rows.append(row)
                    found.append((row, member))
    return found
