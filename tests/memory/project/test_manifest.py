"""The compact index of a project."""

import runpy
from datetime import date

from memory.project.manifest import render_manifest
from memory.project.shipped import baseline
from memory.project.tree import Project

TODAY = date(2026, 1, 31)


def evaluated(source, tmp_path):
    path = tmp_path / "manifest.py"
    path.write_text(source, encoding="utf-8")
    return runpy.run_path(str(path))


def test_the_index_names_domains_kinds_counts_and_rules(tmp_path):
    source = render_manifest(baseline(), {"travel.Trip": 3}, today=TODAY)
    index = evaluated(source, tmp_path)
    assert index["TODAY"] == "2026-01-31"
    assert index["VERSION"] == baseline().digest
    assert index["DOMAINS"]["travel"] == "Where the person travels, and the documents for it."
    assert index["KINDS"]["travel.Trip"] == {
        "collection": "trips",
        "key": ("destination", "departs_on"),
        "records": 3,
        "about": "A journey the person made, is about to make or thinks about.",
    }
    assert index["KINDS"]["notes.Note"]["records"] == 0
    assert set(index["RULES"]["drug_allergy"]["reads"]) == {"allergies", "medications"}


def test_the_same_project_gives_the_same_bytes():
    files = dict(reversed(list(baseline().files.items())))
    first = render_manifest(baseline(), {"travel.Trip": 3}, today=TODAY)
    assert render_manifest(Project(files), {"travel.Trip": 3}, today=TODAY) == first


def test_hostile_docstrings_stay_text(tmp_path):
    doc = "'''} \\\"\\\"\\\" {x} \\u202e ' \\\\"
    schema = (
        f'"""{doc}"""\nfrom dataclasses import dataclass\nfrom uac import kind\n'
        f'@kind("things", key=())\n@dataclass\nclass Thing:\n    """{doc}"""\n    id: str\n'
    )
    project = Project({"domains/x/schema.py": schema, "rules/r.py": f'"""{doc}"""\n'})
    source = render_manifest(project, {}, today=TODAY)
    assert "\u202e" not in source
    index = evaluated(source, tmp_path)
    said = "'''} \"\"\" {x} \u202e ' \\"
    assert index["DOMAINS"] == {"x": said}
    assert index["KINDS"]["x.Thing"]["about"] == said
    assert index["RULES"] == {"r": {"reads": (), "about": said}}


def test_an_empty_project_has_an_index_too(tmp_path):
    index = evaluated(render_manifest(Project({}), {}, today=TODAY), tmp_path)
    assert (index["DOMAINS"], index["KINDS"], index["RULES"]) == ({}, {}, {})
