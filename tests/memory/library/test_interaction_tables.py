"""The tables of interactions and of cautions: what must be on them, and what must not."""

from datetime import date

import pytest
from domains.health.schema import Intake, Medication
from rules.drug_interaction import find_drug_interactions
from uac import row_of, taking_of, takings_of

from memory.library import reference

TODAY = date(2026, 3, 2)
TABLES = reference.load()
OWN = ("interactions.toml", "pregnancy.toml")


def between(first, second, foods=()):
    drugs = [Medication(id=f"{at}", name=name) for at, name in enumerate([first, second]) if name]
    eaten = [Intake(id=name, what=name) for name in foods]
    return [alert.severity for alert in find_drug_interactions(drugs, eaten, TODAY)]


# One example for each entry of the panel's list (Phansalkar 2012), PPIs apart: those are a caution.
PANEL = [
    ("Adderall", "tranylcypromine"),
    ("Uloric", "Imuran"),
    ("Prozac", "Nardil"),
    ("irinotecan", "Noxafil"),
    ("Demerol", "Marplan"),
    ("nortriptyline", "phenelzine"),
    ("procarbazine", "Parnate"),
    ("Imitrex", "Nardil"),
    ("Cafergot", "clarithromycin"),
    ("lovastatin", "nelfinavir"),
    ("Rozerem", "fluvoxamine"),
    ("Prezista", "rifampin"),
    ("Orap", "sotalol"),
    ("Zanaflex", "Cipro"),
    ("Cafergot", "Prezista"),
    ("phentermine", "Nardil"),
    ("Strattera", "Nardil"),
    ("Sudafed", "Parnate"),
    ("nefazodone", "Nardil"),
    ("Cymbalta", "Marplan"),
    ("procarbazine", "Nardil"),
    ("procarbazine", "Zoloft"),
    ("procarbazine", "amitriptyline"),
    ("procarbazine", "Ritalin"),
    ("procarbazine", "Demerol"),
    ("procarbazine", "sumatriptan"),
]


@pytest.mark.parametrize(("first", "second"), PANEL)
def test_the_panels_pairs_are_critical_either_way_round(first, second):
    assert between(first, second) == ["critical"]
    assert between(second, first) == ["critical"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Reyataz", "Prilosec"),
        ("warfarin", "Bactrim"),
        ("warfarin", "naproxen"),
        ("oxycodone", "Xanax"),
        ("lithium", "lisinopril"),
        ("methotrexate", "trimethoprim"),
        ("colchicine", "clarithromycin"),
        ("Plavix", "Nexium"),
        ("sumatriptan", "ergotamine"),
        (
            "selegiline",
            "sertraline",
        ),  # the panel would weigh it lower than the other MAO inhibitors
        ("Nardil", "morphine"),
        ("Prezista", "carbamazepine"),
    ],
)
def test_other_pairs_need_a_check(first, second):
    assert between(first, second) == ["warning"]


QUIET = [
    ("Reyataz", "famotidine"),  # taken off by the panel
    ("Reyataz", "calcium carbonate"),
    ("linezolid", "sumatriptan"),  # rejected by the panel
    ("linezolid", "Sudafed"),
    ("linezolid", "Adderall"),
    ("metformin", "iohexol"),
    ("sertraline", "trazodone"),  # only MAO inhibitors are forbidden beside them
    ("sertraline", "sumatriptan"),  # a weak signal that is overridden nearly always
    ("pravastatin", "clarithromycin"),  # not broken down by CYP3A4
    ("simvastatin", "azithromycin"),  # hardly inhibits CYP3A4
    ("simvastatin", "amlodipine"),  # a matter of the dose
    ("tizanidine", "levofloxacin"),  # no inhibitor of CYP1A2
    ("tizanidine", "ofloxacin"),
    ("febuxostat", "methotrexate"),
    ("clopidogrel", "pantoprazole"),
    ("warfarin", "acetaminophen"),
    ("warfarin", "amoxicillin"),
    ("apixaban", "aspirin 81 mg"),  # often meant
    ("methotrexate", "folic acid"),
    ("hydroxyzine", "hydralazine"),
    ("lisinopril", "spironolactone"),  # usual, watched by blood tests
    ("citalopram", "ondansetron"),  # no label forbids it
    ("haloperidol", "escitalopram"),
    ("Golytely", "lisinopril"),
    ("tramadol", "gabapentin"),
    ("sildenafil", "tamsulosin"),
    ("naltrexone", "loperamide"),  # no opioid of the brain
    ("disulfiram", "acamprosate"),
    ("ketoconazole shampoo", "simvastatin"),
    ("ciprofloxacin eye drops", "tizanidine"),
    ("erythromycin ophthalmic ointment", "pimozide"),
]


@pytest.mark.parametrize(("first", "second"), QUIET)
def test_pairs_that_must_not_alarm(first, second):
    assert between(first, second) == []


@pytest.mark.parametrize(
    ("drug", "food", "severity"),
    [
        ("Zocor", "grapefruit juice", "warning"),
        ("atorvastatin", "grapefruit", "info"),
        ("rosuvastatin", "grapefruit", None),
        ("Nardil", "aged cheese", "critical"),
        ("Nardil", "cottage cheese", None),
        ("Antabuse", "beer", "critical"),
        ("Flagyl", "wine", "warning"),
        ("amoxicillin", "wine", None),
        ("Zoloft", "St. John's wort", "warning"),
        ("Prezista", "St John's wort", "critical"),
        ("warfarin", "spinach", None),
        ("levothyroxine", "coffee", None),
    ],
)
def test_foods_drinks_and_herbs(drug, food, severity):
    assert between(drug, None, [food]) == ([severity] if severity else [])


def own_rows():
    rows = [TABLES.row(row_id) for row_id in TABLES.rows]
    return [row for row in rows if row is not None and row["file"] in OWN]


def test_every_row_names_its_place_in_its_source_and_no_pharmacist_yet():
    for row in own_rows():
        assert row["reviewer"].startswith("none yet")
        assert row["citation"]
        assert row["type"] == "intake" or row["key"], row["id"]


# The fifteen entries of the panel's list, by the pairs that stand for each.
ENTRIES = {
    "amphetamines and MAOIs": {
        "maois-amphetamines", "maois-atomoxetine", "maois-pseudoephedrine",
        "procarbazine-amphetamines",
    },
    "atazanavir and PPIs": {"atazanavir-ppis"},
    "febuxostat and azathioprine, mercaptopurine": {"febuxostat-thiopurines"},
    "SSRIs and MAOIs": {
        "maois-ssris", "maois-fluoxetine", "maois-duloxetine", "maois-milnacipran",
        "maois-nefazodone", "procarbazine-ssris",
    },
    "irinotecan and strong CYP3A4 inhibitors": {"irinotecan-strong-cyp3a4-inhibitors"},
    "narcotic analgesics and MAOIs": {
        "maois-opioids", "maois-other-opioids", "procarbazine-opioids",
    },
    "tricyclics and MAOIs": {"maois-tricyclics", "procarbazine-tricyclics"},
    "high-risk QT drugs": {"qt-prolonging"},
    "ramelteon and strong CYP1A2 inhibitors": {"ramelteon-fluvoxamine"},
    "strong CYP3A4 inducers and protease inhibitors": {
        "protease-inhibitors-rifampin", "protease-inhibitors-inducers",
    },
    "statins and CYP3A4, protease inhibitors": {
        "statins-strong-cyp3a4-inhibitors", "statins-protease-inhibitors",
    },
    "ergots and CYP3A4, protease inhibitors": {
        "ergots-strong-cyp3a4-inhibitors", "ergots-protease-inhibitors",
    },
    "tizanidine and CYP1A2 inhibitors": {"tizanidine-cyp1a2-inhibitors"},
    "tranylcypromine and procarbazine": {"tranylcypromine-procarbazine"},
    "triptans and MAOIs": {"maois-triptans", "procarbazine-triptans"},
}  # fmt: skip


def test_the_panels_fifteen_entries_and_nothing_else_are_cited_as_its_own():
    cited = [row["id"] for row in own_rows() if row["type"] == "pair" and of_the_panel(row)]
    wanted = {f"pair:{name}" for names in ENTRIES.values() for name in names}
    assert len(ENTRIES) == 15
    assert sorted(cited) == sorted(wanted)


def of_the_panel(row):
    return "Phansalkar" in row["citation"]


REJECTED = [
    "pde5-inhibitors-nitrates", "simvastatin-others", "lovastatin-others",
    "sodium-oxybate-benzodiazepines", "alcohol-sodium-oxybate",
]  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_what_the_panel_rejected_rests_on_the_label(name):
    row = TABLES.row(f"pair:{name}")
    assert row is not None
    assert not of_the_panel(row)
    assert "FDA label" in row["citation"]


def test_what_is_forbidden_says_why_and_what_to_do():
    for row in own_rows():
        if row["type"] in ("pair", "caution"):
            assert row["effect"].endswith("."), row["id"]
            assert row["action"].endswith("."), row["id"]
            assert len(row["effect"]) < 200, row["id"]


def test_every_group_is_used():
    named = {
        row[side] for row in own_rows() if row["type"] == "pair" for side in ("first", "second")
    }
    named |= {"group:twice-harmless", "group:twice-strengths", "group:local-forms"}
    assert {row["id"] for row in own_rows() if row["type"] == "group"} == named & {
        row["id"] for row in own_rows() if row["type"] == "group"
    }


def test_the_exceptions_that_the_rules_name_are_there():
    for name in ("twice-harmless", "twice-strengths", "local-forms"):
        assert row_of(f"group:{name}")["members"]


def test_many_pairs_are_cut_visibly():
    drugs = [Medication(id=f"s{at:02}", name=f"simvastatin {at + 10} mg") for at in range(20)]
    drugs += [Medication(id=f"c{at:02}", name=f"clarithromycin {at + 10} mg") for at in range(20)]
    alerts = find_drug_interactions(drugs, [], TODAY)
    assert len(alerts) == 301
    assert alerts[0].summary == "More than 300 pairs of drugs interact; the others are not listed"


def test_when_something_is_taken():
    records = [
        Medication(id="ahead", name="a", status="stopped", stopped_on=date(2026, 3, 3)),
        Medication(id="gone", name="a", stopped_on=date(2026, 2, 20)),
        Medication(id="lost", name="a", status="stopped"),
        Medication(id="today", name="a", status="stopped", stopped_on=TODAY),
        Medication(id="last", name="a", stopped_on=TODAY),
        Intake(id="never", what="a", status="avoided"),
    ]
    assert [t.record.id for t in takings_of(records, TODAY)] == ["ahead", "last"]
    assert [t.record.id for t in takings_of(records, TODAY, 11)] == [
        "ahead", "gone", "last", "lost", "today",
    ]  # fmt: skip
    assert [t.record.id for t in takings_of(records, TODAY, 10)] == [
        "ahead",
        "last",
        "lost",
        "today",
    ]
    assert [taking_of(record, TODAY).over for record in records] == [
        False, True, True, True, False, True,
    ]  # fmt: skip
