"""Reading, validating and cutting the reference tables."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.library import reference
from memory.library.uac import drugs

TABLES = reference.load()
NAMES = sorted({name for row in TABLES.rows.values() for name in row.get("names", ())})
HEADER = 'version = "1"\ndate = 2026-01-01\nreviewer = "x"\n'
SOURCES = '[sources.s]\ntitle = "t"\nreference = "r"\n'


def table(*rows):
    return HEADER + "rows = [\n" + ",\n".join(rows) + "\n]\n" + SOURCES


ROW = '{ id = "drug:a", type = "drug", names = ["a"], source = "s" }'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows = [", "drugs.toml: not TOML"),
        (table('{ id = "drug:a", type = "drug", source = "s" }'), "names: Field required"),
        (table(ROW.replace("drug:a", "Drug A")), "should match pattern"),
        (table(ROW.replace('"s" }', '"s", colour = "red" }')), "colour: Extra inputs"),
        (table(ROW, ROW), "drug:a: the id occurs twice"),
        (table(ROW, ROW.replace("drug:a", "drug:b")), "the name 'a' already belongs to drug:a"),
        (table(ROW.replace('"s"', '"t"')), "drug:a: source 't' is not under [sources]"),
        (
            table(ROW.replace('"s" }', '"s", classes = ["class:x"] }')),
            "drug:a: classes names 'class:x', which is no class row",
        ),
        (table(ROW.replace("drug:a", "class:a")), "begins with 'drug:'"),
    ],
)
def test_a_wrong_table_is_refused_with_the_row_and_the_fault(text, message):
    with pytest.raises(reference.BadTable, match=r"drugs\.toml") as caught:
        reference.parse_table(text, "drugs.toml")
    assert message in str(caught.value)


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(reference.BadTable, match=r"drugs\.toml: cannot be read"):
        reference.read_tables(tmp_path)


def test_the_digest_follows_the_bytes(tmp_path):
    copy = tmp_path / "drugs.toml"
    shutil.copy(reference.TABLES / "drugs.toml", copy)
    assert reference.read_tables(tmp_path).digest == TABLES.digest
    copy.write_bytes(copy.read_bytes() + b"\n")
    assert reference.read_tables(tmp_path).digest != TABLES.digest


def test_a_row_carries_its_citation():
    row = TABLES.row("cross:aminopenicillins-cephalosporins")
    assert row is not None
    assert "PMID 31362351" in row["citation"]
    assert TABLES.row("drug:unheard-of") is None
    with pytest.raises(TypeError):
        row["note"] = "changed"  # type: ignore[index]


def test_a_selection_is_small_plain_and_stable():
    rows = TABLES.select(["Augmentin 500 mg", "Penicillin"])
    assert rows == TABLES.select(["Penicillin", "Augmentin 500 mg", "weather"])
    assert json.loads(json.dumps(rows)) == rows
    assert {"product:co-amoxiclav", "drug:clavulanate", "class:beta-lactams"} <= {
        row["id"] for row in rows
    }
    assert len(rows) < 20
    assert TABLES.select([]) == []
    assert len(TABLES.select_all()) == len(TABLES.rows)


def verdict(monkeypatch, rows, medication, substance):
    monkeypatch.setattr(drugs, "drug_rows", rows)
    monkeypatch.setattr(drugs, "_uac_rows", {})
    monkeypatch.setattr(drugs, "_uac_names", {})
    drug, allergen = drugs.read_drug(medication), drugs.read_allergen(substance)
    return drug, allergen, drugs.compare(drug, allergen)


WORDS = st.one_of(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=3).map(" / ".join),
    st.sampled_from(NAMES).map(lambda name: f"{name} sodium 250 mg tablets (brand)"),
    st.text(max_size=20),
)


@given(medication=WORDS, substance=WORDS)
def test_a_selection_judges_as_the_whole_table_does(medication, substance):
    with pytest.MonkeyPatch.context() as patch:
        whole = verdict(patch, TABLES.select_all(), medication, substance)
        cut = verdict(patch, TABLES.select([medication, substance]), medication, substance)
    assert cut == whole
