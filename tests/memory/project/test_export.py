"""A project as files for a folder or a zip."""

import io
import zipfile

import pytest

from memory.project.export import ExportError, export_files, write_folder, zip_bytes
from memory.project.tree import Project
from tests.memory.project.readers import TODAY, overlay, rendered


@pytest.fixture(scope="module")
def project():
    return overlay()


@pytest.fixture(scope="module")
def records(project):
    return rendered(project)


def test_the_state_imports_what_its_types_need(project, records):
    files = export_files(project, records, today=TODAY)
    assert files["domains/books/state.py"].startswith(
        '''"""The records of the domain books. Rendered from the log."""

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

from domains.books.schema import Book, Loan, Reader
from uac import DateSpan, PartialDate

reader = Reader(id='reader', born=PartialDate(1990, 5), reads=DateSpan('''
    )
    assert files["domains/notes/state.py"] == (
        '''"""The records of the domain notes. Rendered from the log."""

from domains.notes.schema import Note

notes = []
'''
    )


def test_a_zip_has_the_same_bytes_whenever_it_is_made(project, records):
    files = export_files(project, records, today=TODAY)
    shuffled = {kind: list(reversed(rows)) for kind, rows in reversed(records.items())}
    again = export_files(project, shuffled, today=TODAY)
    assert zip_bytes(files) == zip_bytes(dict(reversed(again.items())))
    with zipfile.ZipFile(io.BytesIO(zip_bytes(files))) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}


@pytest.mark.parametrize(
    "path",
    [
        "../evil.py",
        "/etc/evil.py",
        "rules/../../evil.py",
        "rules//x.py",
        "rules/.hidden.py",
        "rules\\x.py",
        "rules/x\n.py",
        "json.py",
        "uac/text.py",
        "uac_runner/x.py",
        "manifest.py",
        "domains/books/state.py",
        "domains/books/State.py",
        "tests/Test_drug_allergy.py",
    ],
)
def test_a_path_that_may_not_be_written_is_refused(path, project):
    with pytest.raises(ExportError):
        export_files(Project({**project.files, path: ""}), {}, today=TODAY)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match="not empty"):
        write_folder({"x.py": ""}, tmp_path)
