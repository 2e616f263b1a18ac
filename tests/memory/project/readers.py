"""A project with a domain of its own, records with hostile texts, and what the server says."""

from datetime import date

from alerts.evaluation.engine import RunSetting, run_rules
from memory.library.reference import load
from memory.project.bundle import Situation, StateSlice
from memory.project.payload import check_payload
from memory.project.render import render_record
from memory.project.runner.canonical import CanonicalAlert, canonical_text
from memory.project.shipped import baseline, library
from memory.project.tree import Project
from memory.sandbox import Limits

TODAY = date(2026, 1, 31)
HOSTILE = [
    "quotes ' and \" and '''\"\"\"",
    "line\nline\r\n\tend\\",
    "{braces} %s {x!r} ${y}",
    "\u202eabc\u2066 \u200b\ufeff",
    "１２３ 🙂 𝔞 é",
    "</script><b>",
    "x" * 20_000,
]
BOOKS_SCHEMA = '''"""What the person reads."""

from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal

from uac import DateSpan, PartialDate, kind


@kind("reader", singleton=True)
@dataclass
class Reader:
    """The person who reads."""

    id: str
    born: PartialDate
    reads: DateSpan | None = None


@dataclass
class Loan:
    """From whom, until when."""

    library: str
    due_on: date


@kind("books", key=("title",))
@dataclass
class Book:
    """A book: \u202e hostile \\"\\"\\" words {in} the docstring."""

    id: str
    title: str
    price: Decimal
    weight: float
    bought_at: datetime
    loan: Loan | None = None
    read_at: list[time] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    status: Literal["open", "read"] = "open"
'''
BOOKS_RULE = '''"""Books that are due."""

from datetime import date

from domains.books.schema import Book
from domains.books.state import books, reader
from uac import Alert, date_words, long_date, shorten


def words(book: Book) -> str:
    """The sentence."""
    return f"Due: {shorten(book.title, 80)}"


def check(today: date) -> list[Alert]:
    """A loan that ends today or ended before."""
    found = []
    if reader is not None and today > date(1990, 5, 31):
        text = f"born in {date_words(reader.born)}"
        found.append(Alert(severity="info", summary=text, evidence=[reader]))
    for book in books:
        if book.loan is not None and book.loan.due_on <= today:
            found.append(
                Alert(
                    severity="warning",
                    summary=words(book),
                    evidence=[book],
                    detail=f"{book.title[:900]} {long_date(book.loan.due_on)} {book.price}",
                    unknown=[book.loan.library],
                )
            )
            found.append(Alert(severity="info", summary="second", evidence=[book]))
    return found
'''
BOOKS_TEST = """from datetime import date

from rules.books_due import check


def test_nothing_is_due_in_the_year_1():
    assert check(date.min) == []
"""


def overlay():
    """The baseline with a domain of its own."""
    return Project(
        {
            **baseline().files,
            "domains/books/schema.py": BOOKS_SCHEMA,
            "rules/books_due.py": BOOKS_RULE,
            "tests/test_books_due.py": BOOKS_TEST,
        }
    )


def said():
    """Readings that raise alerts of every rule."""
    yield "health.Allergy", {"substance": "penicillin", "reaction": HOSTILE[0]}
    yield "health.Medication", {"name": "Amoxicillin 500 mg", "dose": HOSTILE[1]}
    yield "health.Medication", {"name": "Zorblax"}
    trip = {"destination": "Tokyo", "country": "Japan", "status": "booked"}
    yield "travel.Trip", {**trip, "departs_on": "2026-03-01", "returns_on": "2026-03-09"}
    yield "travel.Passport", {"issuing_country": "United States", "expires_on": "2026-03-05"}
    span = {"start": "2019", "end": None, "approximate": True}
    yield "books.Reader", {"born": "1990-05", "reads": span}
    yield "travel.Visa", {"country": "Japan", "expires_on": "2026-03-02"}
    for number, text in enumerate(HOSTILE):
        book = {"title": f"{number} {text}", "price": "12.50", "weight": 0.1}
        loan = {"library": text[:1_000], "due_on": "2026-01-30"}
        book |= {"bought_at": "2026-01-01T10:00:00+05:45", "loan": loan}
        yield "books.Book", {**book, "read_at": ["01:30", "23:59:59"], "marks": {text: number}}


def rendered(project):
    """The id and source of each record, by kind."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind_name, data in said():
        kind = project.kinds[kind_name]
        payload = check_payload(kind, "assert", None, data, fallback_id="f1-1")
        source = render_record(kind, payload.record_id, payload.data)
        found.setdefault(kind_name, []).append((payload.record_id, source))
    return found


def alerts_of_the_server(project, records, today):
    setting = RunSetting(
        project=project,
        library=library(),
        limits=Limits(total_seconds=30.0, feed_seconds=10.0),
    )
    slices = {
        kind.collection: [source for _, source in sorted(records.get(name, ()))]
        for name, kind in project.kinds.items()
    }
    situation = Situation(StateSlice(slices), today, {"drug_rows": load().select_all()})
    findings = run_rules(setting, situation, project.rules.values())
    assert findings.failed == {}
    return canonical_text(
        CanonicalAlert(
            severity=one.severity,
            summary=one.summary,
            rule=one.rule,
            detail=one.detail,
            grade=one.grade,
            action=one.action,
            basis=one.basis,
            unknown=one.unknown,
            evidence=tuple((ref.kind, ref.record_id) for ref in one.evidence),
            due=one.due,
        )
        for one in findings.found
    )
