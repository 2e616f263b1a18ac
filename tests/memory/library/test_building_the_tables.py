"""The generated tables: built from small made-up inputs, and not changed by hand since."""

import hashlib
import json
import re
import tomllib
import zipfile

import pytest

from memory.library import reference
from memory.library.building.__main__ import CONFIG, GENERATED, built, checked, verified
from memory.library.building.inputs import BadInput
from memory.library.building.writing import rendered
from memory.library.built_rows import parse_built
from memory.library.table_rows import parse_table

COLUMNS = (
    "PRODUCTNDC", "PRODUCTTYPENAME", "PROPRIETARYNAME", "PROPRIETARYNAMESUFFIX",
    "MARKETINGCATEGORYNAME", "SUBSTANCENAME", "PHARM_CLASSES",
)  # fmt: skip
RX, OTC = "HUMAN PRESCRIPTION DRUG", "HUMAN OTC DRUG"
PRODUCTS = [
    (
        "1-1",
        RX,
        "Zorbacil",
        "",
        "NDA",
        "ZORBACILLIN SODIUM",
        "Penicillin-class Antibacterial [EPC]",
    ),
    ("1-2", RX, "Zorbacil", "Plus", "NDA", "ZORBACILLIN; CLAVUNATE", ""),
    ("1-3", RX, "Twofold", "", "ANDA", "ZORBACILLIN; CLAVUNATE POTASSIUM", ""),
    ("1-4", RX, "My Way", "", "ANDA", "ZORBACILLIN", ""),
    ("1-5", OTC, "Shopbrand", "", "ANDA", "ZORBACILLIN", ""),
    ("1-6", RX, "Diluta", "", "UNAPPROVED HOMEOPATHIC", "MERCURIUS", ""),
    ("1-7", RX, "Sunprod", "", "NDA", "AMOXICILLIN TRIHYDRATE", ""),
    ("1-8", RX, "Grassex", "", "BLA", "LOLIUM POLLEN", "Pollen Allergenic Extract [EPC]"),
    ("1-9", RX, "Quoric", "", "NDA", "QUORIC ACID", ""),
    ("2-1", "VACCINE", "Vaxi", "", "BLA", "VAXIGEN", ""),
]
DESCRIPTORS = [
    "D1\tZorbacillin\tZorbacilin|Zorbacillin, Natural|ZBC\tD02.1",
    "D2\tMyopril\tMyopril Maleate\tD02.2",
    "D3\tMyoprils\t\tD02.2",
    "D4\tHouses\tHouse\tJ01",
]
SUPPLEMENTS = ["C1\tfoocillin\tfoocilin\tD5", "C2\thousekeeping\t\tD4"]
BY_HAND = [{"id": "drug:amoxicillin", "type": "drug", "names": ["amoxicillin", "Amoxil"]}]


def package(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def made(tmp_path):
    """The folder of made-up inputs, and the configuration that pins them."""
    lines = ["\t".join(COLUMNS), *("\t".join(row) for row in PRODUCTS)]
    text = CONFIG.read_text(encoding="utf-8")
    config = tomllib.loads(text)
    ndc, mesh = config["inputs"]["ndc"], config["inputs"]["mesh"]
    digests = {
        ndc["sha256"]: package(tmp_path / ndc["file"], {ndc["products"]: "\n".join(lines) + "\n"}),
        mesh["sha256"]: package(
            tmp_path / mesh["file"],
            {
                mesh["descriptors"]: "\n".join(DESCRIPTORS),
                mesh["supplements"]: "\n".join(SUPPLEMENTS),
            },
        ),
    }
    for pinned, digest in digests.items():
        text = text.replace(pinned, digest)
    return tmp_path, text


def build(made):
    folder, text = made
    return built(folder, text, BY_HAND)


def rows_of(files, name):
    return {row["id"]: row for row in parse_table(files[name], name)[1]}


def test_ingredients_lose_their_salt_and_gain_their_class(made):
    rows = rows_of(build(made), "ndc.toml")
    assert rows["drug:zorbacillin"] == {
        "id": "drug:zorbacillin", "type": "drug", "source": "ndc", "names": ["zorbacillin"],
        "classes": ["class:penicillins"], "key": "1-1",
    }  # fmt: skip
    assert rows["drug:quoric-acid"]["names"] == ["quoric acid", "quorate"]


def test_a_brand_counts_where_all_its_products_agree_and_it_is_no_everyday_word(made):
    rows = rows_of(build(made), "ndc.toml")
    brands = {row["names"][0]: row["ingredients"] for row in rows.values() if "ingredients" in row}
    assert brands == {
        "Zorbacil Plus": ["drug:clavunate", "drug:zorbacillin"],
        "Twofold": ["drug:clavunate", "drug:zorbacillin"],
        "Sunprod": ["drug:amoxicillin"],
        "Quoric": ["drug:quoric-acid"],
    }


def test_rows_by_hand_stand_first_and_what_is_no_drug_is_left_out(made):
    files = build(made)
    assert "drug:amoxicillin" not in rows_of(files, "ndc.toml")
    assert not re.search("mercurius|lolium|vaxigen", "".join(files.values()), re.IGNORECASE)


def test_mesh_gives_other_names_and_drugs_by_place_or_stem(made):
    rows = rows_of(build(made), "mesh.toml")
    assert rows["product:mesh-d1"]["names"] == ["Zorbacilin"]
    assert rows["product:mesh-d1"]["ingredients"] == ["drug:zorbacillin"]
    assert rows["drug:myopril"]["key"] == "D2"
    assert rows["drug:foocillin"]["key"] == "C1"
    assert not [row_id for row_id in rows if re.search("myoprils|house", row_id)]


def test_the_same_inputs_give_the_same_bytes(made):
    assert build(made) == build(made)


def test_another_file_than_the_pinned_is_refused(made):
    folder, text = made
    with pytest.raises(BadInput, match="is not the pinned file"):
        built(folder, CONFIG.read_text(encoding="utf-8"), BY_HAND)
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(BadInput, match="cannot be read"):
        built(folder, text, BY_HAND)


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("Odd, key =", True),
        ('Odd, names = ["', True),
        ("Odd {id = 1}", True),
        ("Odd, key = ", False),
    ],
)
def test_a_name_that_would_be_read_as_a_field_is_refused(name, readable):
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    rows = [{"id": "drug:odd", "names": [name]}]
    text = rendered(rows, config=config, source="ndc", built_from="-")
    if readable:
        assert checked(text, "ndc.toml") == text
    else:
        with pytest.raises(BadInput, match="looks like a field"):
            checked(text, "ndc.toml")


@pytest.mark.parametrize("name", GENERATED)
def test_the_committed_table_is_read_quickly_as_it_is_read_with_care(name):
    text = (reference.TABLES / name).read_text(encoding="utf-8")
    assert parse_built(text) == parse_table(text, name)
    assert parse_built(text.replace('names = ["a', 'names = ["b', 1)) is None
    assert parse_built((reference.TABLES / "drugs.toml").read_text(encoding="utf-8")) is None


CLAIMS = [
    {"id": "class:penicillins", "type": "class", "names": ["penicillins"], "source": "ndc"},
    {"id": "class:myoprils", "type": "class", "names": ["myoprils"], "source": "mesh"},
    {"id": "class:myths", "type": "class", "names": ["myths"], "source": "ndc"},
    {"id": "drug:zorbacillin", "type": "drug", "names": ["zorbacillin"], "source": "ndc",
     "classes": ["class:penicillins"]},
    {"id": "drug:myopril", "type": "drug", "names": ["myopril"], "source": "mesh",
     "classes": ["class:myoprils"]},
    {"id": "drug:clavunate", "type": "drug", "names": ["clavunate"], "source": "ndc",
     "classes": ["class:penicillins"]},
    {"id": "drug:unheard", "type": "drug", "names": ["unheard"], "source": "mesh"},
    {"id": "drug:remembered", "type": "drug", "names": ["remembered"], "source": "author"},
    {"id": "product:twofold", "type": "product", "names": ["Twofold"], "source": "ndc",
     "ingredients": ["drug:zorbacillin", "drug:clavunate"]},
    {"id": "product:sunprod", "type": "product", "names": ["Sunprod"], "source": "ndc",
     "ingredients": ["drug:zorbacillin"]},
    {"id": "product:zorbacil", "type": "product", "names": ["Zorbacil"], "source": "ndc",
     "ingredients": ["drug:zorbacillin"]},
]  # fmt: skip


def test_rows_by_hand_whose_source_does_not_say_so_are_told(made):
    folder, text = made
    assert verified(folder, text, CLAIMS) == [
        "class:myths: ndc has none of its names",
        "drug:clavunate: ndc does not say class:penicillins",
        "drug:unheard: mesh has none of its names",
        "product:sunprod: ndc has no product of these ingredients",
        "product:zorbacil: ndc has other ingredients under its names too",
    ]


@pytest.mark.parametrize("name", GENERATED)
def test_the_committed_table_is_the_one_that_was_built(name):
    text = (reference.TABLES / name).read_text(encoding="utf-8")
    lines = "".join(line for line in text.splitlines(keepends=True) if line.startswith("  {"))
    said = dict(re.findall(r"^# (configuration|rows): ([0-9a-f]{64})$", text, re.MULTILINE))
    assert said == {
        "configuration": hashlib.sha256(CONFIG.read_bytes()).hexdigest(),
        "rows": hashlib.sha256(lines.encode()).hexdigest(),
    }


def test_the_tables_are_as_large_as_promised():
    rows = reference.load().rows.values()
    names = {name for row in rows if row["type"] in ("drug", "product") for name in row["names"]}
    groups = [row for row in rows if row["type"] == "class"]
    assert len(names) >= 2_000
    assert len(groups) >= 25
    assert json.dumps([row["id"] for row in rows if row["type"] == "class" and row.get("shared")])
