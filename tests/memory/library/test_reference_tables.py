"""Reading, validating and cutting the reference tables."""

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.library import reference
from memory.library.table_rows import BadTable
from memory.library.uac import drugs
from memory.library.uac import rows as table_of_uac
from memory.library.uac.comparing import compare

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
def test_a_wrong_table_is_refused_with_the_row_and_the_fault(tmp_path, text, message):
    (tmp_path / "drugs.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadTable, match=r"drugs\.toml") as caught:
        reference.read_tables(tmp_path)
    assert message in str(caught.value)


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(BadTable, match="holds no table"):
        reference.read_tables(tmp_path)


def test_the_digest_follows_the_bytes(tmp_path):
    for path in reference.TABLES.glob("*.toml"):
        shutil.copy(path, tmp_path)
    copy = tmp_path / "drugs.toml"
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
    monkeypatch.setattr(table_of_uac, "drug_rows", rows)
    for held in (
        table_of_uac._uac_rows,
        table_of_uac._uac_names,
        table_of_uac._uac_intakes,
        table_of_uac._uac_crosses_of,
    ):
        held.clear()
    table_of_uac._uac_crosses.clear()
    drugs._uac_drugs_read.clear()
    drugs._uac_allergens_read.clear()
    drug, allergen = drugs.read_drug(medication), drugs.read_allergen(substance)
    return drug, allergen, compare(drug, allergen)


WORDS = st.one_of(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=3).map(" / ".join),
    st.sampled_from(NAMES).map(lambda name: f"{name} sodium 250 mg tablets (brand)"),
    st.text(max_size=20),
)


# The whole table is loaded anew for each example.
@settings(deadline=None, max_examples=25)
@given(medication=WORDS, substance=WORDS)
def test_a_selection_judges_as_the_whole_table_does(medication, substance):
    with pytest.MonkeyPatch.context() as patch:
        whole = verdict(patch, TABLES.select_all(), medication, substance)
        cut = verdict(patch, TABLES.select([medication, substance]), medication, substance)
    assert cut == whole


def test_a_pair_comes_only_where_both_of_its_sides_are_named(tmp_path):
    rows = [
        '{ id = "drug:one", type = "drug", names = ["one"], source = "s" }',
        '{ id = "drug:two", type = "drug", names = ["two"], source = "s" }',
        '{ id = "drug:three", type = "drug", names = ["three"], source = "s" }',
        '{ id = "intake:tea", names = ["tea"], source = "s" }',
        '{ id = "group:g", names = ["one"], members = ["drug:one", "drug:three"], source = "s" }',
        '{ id = "pair:p", first = "group:g", second = "intake:tea", severity = "info",'
        ' effect = "e", action = "a", source = "s" }',
        '{ id = "caution:c", members = ["group:g"], state = "pregnant", severity = "info",'
        ' effect = "e", action = "a", source = "s", key = "k" }',
    ]
    (tmp_path / "t.toml").write_text(table(*rows), encoding="utf-8")
    tables = reference.read_tables(tmp_path)
    both_sides = {row["id"]: row for row in tables.select(["one", "tea"])}
    assert set(both_sides) == {"drug:one", "intake:tea", "group:g", "pair:p", "caution:c"}
    assert both_sides["group:g"]["members"] == ["drug:one"]
    assert "pair:p" not in {row["id"] for row in tables.select(["one"])}
    assert [row["id"] for row in tables.select(["two"])] == ["drug:two"]
    row = tables.row("caution:c")
    assert row is not None
    assert (row["key"], row["file"], row["reviewer"]) == ("k", "t.toml", "x")
