"""What a context may draw from: the manifest, records, facts and messages that matter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memory.answering.excerpts import Excerpt
from memory.answering.find import Channels, likeliest, newest_excerpts
from memory.checkpointer.reading.batch import records_about
from memory.checkpointer.reading.item import Shown
from memory.checkpointer.reading.protected import PROTECTED
from memory.checkpointer.reading.ranking import companions, ranked
from memory.checkpointer.structuring.lines import LONGEST_RECORD, record_line
from memory.code import project_of
from memory.models import MemoryUser, Record, Stream
from memory.project.tree import Project
from memory.retrieval.context import Line, Name, Section, one_line

MANIFEST_SHARE, STATE_SHARE, FACTS_SHARE, MESSAGES_SHARE = 0.15, 0.3, 0.2, 0.15
ALLERGY, NOTE = "health.Allergy", "notes.Note"
MOST_RECORDS = 60
"""Never the whole state: who wants more reads the kind, or queries."""
HEADINGS: Mapping[Name, str] = {
    "manifest": "What is recorded, by domain (read a kind, or query its collection, for more)",
    "state": "Records that matter here",
    "facts": "What was noted",
    "messages": "What was said",
}
NO_SCOPE = "The key lacks the scope {}."


def title_of(user: MemoryUser, now: datetime) -> str:
    """Whom it is about, and their date."""
    today = user.local_date(now)
    return f"What is known of {str(user)[:100]} on {today:%A} {today.isoformat()} ({user.timezone})"


def memory_sections(user: MemoryUser, q: str, *, channels: Channels) -> list[Section]:
    """The sections of the memory for a question, or without one; the number of queries is bounded.

    `channels` are those of facts and messages that whoever asks may read.
    """
    project = project_of(user)
    counts = Record.objects.filter(user=user).count_by_kind()
    said = [q] if q.strip() else []
    records = _records(user, project, said)[:MOST_RECORDS]
    kinds = ranked(project, said, {one.kind for one in records})
    found = likeliest(user, q, channels=channels) if said else {}
    return [
        Section(
            "manifest",
            HEADINGS["manifest"],
            tuple(_manifest(project, counts, kinds)),
            MANIFEST_SHARE,
            "Domains with records, those first that the question most likely means.",
        ),
        Section(
            "state",
            HEADINGS["state"],
            tuple(_state(user, records)),
            STATE_SHARE,
            "Allergies, and what else protects the person where it bears on the question; then "
            "records that the question names, and those that a rule reads beside them; never all.",
        ),
        _said(user, Stream.FACT, channels, found.get(Stream.FACT)),
        _said(user, Stream.MESSAGE, channels, found.get(Stream.MESSAGE)),
    ]


def _records(user: MemoryUser, project: Project, said: Sequence[str]) -> list[Shown]:
    """Records that matter for a question, what must not be overlooked first.

    Notes are left to the facts that they come from.
    """
    found = [one for one in records_about(user, project, said) if one.kind != NOTE]
    foremost = {ALLERGY, *(PROTECTED & companions(project, said))}
    return sorted(found, key=lambda one: one.kind not in foremost)


def _manifest(project: Project, counts: Mapping[str, int], kinds: Sequence[str]) -> Iterable[Line]:
    """A line for each domain with records, and one that names the others."""
    domains = list(dict.fromkeys(name.partition(".")[0] for name in kinds))
    empty = []
    for domain in domains:
        told = [name for name in kinds if name.startswith(f"{domain}.") and counts.get(name)]
        if not told:
            empty.append(domain)
            continue
        parts = (f"{counts[name]} in {project.kinds[name].collection} ({name})" for name in told)
        yield Line(f"[{domain}] {'; '.join(parts)}", {"domain": domain})
    if empty:
        yield Line(f"nothing recorded yet: {', '.join(sorted(empty))}", {"domain": None})


def _state(user: MemoryUser, records: Sequence[Shown]) -> Iterable[Line]:
    keys = {(one.kind, one.record_id) for one in records}
    rows = Record.objects.filter(
        user=user, kind__in={kind for kind, _ in keys}, record_id__in={name for _, name in keys}
    )
    facts = {
        (kind, record_id): seqs
        for kind, record_id, seqs in rows.values_list("kind", "record_id", "facts")
    }
    for one in records:
        seqs = facts.get((one.kind, one.record_id), [])
        text, _ = one_line(record_line(one), LONGEST_RECORD)
        source = {"kind": one.kind, "id": one.record_id, "facts": seqs}
        yield Line(f"[{_facts(seqs)}] {text}", source, cut=_is_cut(one, text))


def _is_cut(record: Shown, line: str) -> bool:
    """Whether a record's line leaves out a field or the end of one."""
    shown = json.loads(line)
    told = {name: value for name, value in record.data.items() if value not in (None, [], {})}
    return any(shown.get(name) != value for name, value in told.items())


def _facts(seqs: Sequence[int]) -> str:
    return f"fact{'' if len(seqs) == 1 else 's'} {', '.join(map(str, seqs))}"


def _said(
    user: MemoryUser, stream: Stream, channels: Channels, found: Sequence[Excerpt] | None
) -> Section:
    """What was noted, or said: as it was `found` for a question; without one the newest first."""
    name: Name = "facts" if stream == Stream.FACT else "messages"
    lines: tuple[Line, ...] = ()
    withheld = ""
    if stream in channels:
        newest = list(newest_excerpts(user, [stream]))
        shown = newest[::-1] if found is None else dict.fromkeys([*found, *newest])
        lines = tuple(map(_excerpt, shown))
    else:
        withheld = NO_SCOPE.format(f"{name}:read")
    return Section(
        name,
        HEADINGS[name],
        lines,
        FACTS_SHARE if stream == Stream.FACT else MESSAGES_SHARE,
        "As search ranks them for the question, then the newest; without what was corrected.",
        withheld,
    )


def _excerpt(one: Excerpt) -> Line:
    text, cut = one_line(one.text)
    speaker = f", {one_line(one.speaker, 60)[0]}" if one.speaker else ""
    return Line(f"[{one.stream} {one.seq}{speaker}, {one.when}] {text}", {one.stream: one.seq}, cut)
