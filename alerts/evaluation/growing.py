"""A person's records as they grew with each fact, folded from the log for rules to read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from alerts.evaluation.queries import RecordRow
from memory.actions.project_state import Key, statement_of
from memory.models import MemoryUser, ReadingBody
from memory.project.fold import Folded, Statement, fold
from memory.project.payload import PayloadError, check_payload
from memory.project.render import render_record
from memory.project.schema import Kind

Said = tuple[Key, Statement]
Placed = Mapping[Key, Sequence[Statement]]


def said_of(user: MemoryUser, kinds: Collection[str], placed: Placed) -> list[Said]:
    """What the log, and what is placed, says of the records of these kinds, fact by fact.

    What was read later than its fact stands with its fact.
    """
    bodies = ReadingBody.objects.filter(user=user, kind__in=kinds).exclude(record_id="")
    said = [statement_of(text) for text in bodies.values_list("canonical", flat=True).iterator()]
    said += [(key, one) for key, some in placed.items() if key[0] in kinds for one in some]
    return sorted(said, key=lambda pair: (pair[1].fact_seq, pair[1].seq))


class Growing:
    """The records under the kinds of a project, as more and more is said of them.

    Whatever kinds they had before, they are read as these; what a kind would refuse is not there.
    """

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.rows: dict[Key, RecordRow] = {}
        self._kinds = kinds
        self._said: dict[Key, list[Statement]] = defaultdict(list)

    def add(self, said: Iterable[Said]) -> dict[Key, RecordRow | None]:
        """Fold what more is said into the records; gives the rows that stood there before."""
        spoken_of = set()
        for key, one in said:
            self._said[key].append(one)
            spoken_of.add(key)
        before = {key: self.rows.get(key) for key in spoken_of}
        self.restore({key: self._row(key, fold(self._said[key])) for key in spoken_of})
        return before

    def restore(self, rows: Mapping[Key, RecordRow | None]) -> None:
        """Put rows in the place of those that stand there."""
        for key, row in rows.items():
            if row is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = row

    def _row(self, key: Key, folded: Folded | None) -> RecordRow | None:
        name, record_id = key
        if folded is None:
            return None
        kind = self._kinds[name]
        try:
            read = check_payload(kind, "assert", record_id, folded.data, fallback_id=record_id)
        except PayloadError:
            return None
        source = render_record(kind, record_id, read.data)
        return name, record_id, source, json.dumps(read.data), json.dumps(folded.facts)
