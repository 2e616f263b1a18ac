"""How a typed name becomes a drug or an allergen of the table."""

import pytest
from uac import find_allergen, find_drug, normalise, says_no_allergy


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("Amoxicillin 500 mg Tablets", "amoxicillin"),
        ("AMOXICILLIN", "amoxicillin"),
        ("amoxi\u200bcillin", "amoxicillin"),
        ("ａｍｏｘｉｃｉｌｌｉｎ", "amoxicillin"),
        ("Toprol-XL 50", "toprol"),
        ("Tylenol #3", "tylenol 3"),
        ("penicillin antibiotics", "penicillin"),
        ("ibuprofen 200mg/5 ml oral suspension", "ibuprofen"),
        ("enoxaparin 40 MG in 0.4 ML Prefilled Syringe", "enoxaparin"),
        ("semaglutide 1 MG/DOSE Pen Injector", "semaglutide"),
        ("Pen VK 500 mg", "pen vk"),
        ("lansoprazole 30 mg gastro-resistant capsules", "lansoprazole"),
        ("ceftriaxone 1 GM powder for solution for injection", "ceftriaxone"),
        ("salbutamol 100 micrograms/dose inhaler", "salbutamol"),
        ("500 mg tablets", "500 mg tablets"),
        ("", ""),
    ],
)
def test_normalise(typed, plain):
    assert normalise(typed) == plain


@pytest.mark.parametrize(
    ("typed", "ingredients"),
    [
        ("Augmentin", ["amoxicillin", "clavulanate"]),
        ("co-amoxiclav 625", ["amoxicillin", "clavulanate"]),
        ("amoxicillin and clavulanate", ["amoxicillin", "clavulanate"]),
        ("12 HR Amoxicillin 1000 MG / Clavulanate 62.5 MG XR [Augmentin]", None),
        ("Naproxen Sodium 220mg", ["naproxen"]),
        ("Zoloft (sertraline)", ["sertraline"]),
        ("sertraline (for anxiety)", ["sertraline"]),
        ("amoxicillin for a sinus infection", ["amoxicillin"]),
        ("aspirin caffeine", ["aspirin", "caffeine"]),
        ("Vitamin B 12 0.01 MG Oral Tablet", ["vitamin-b12"]),
        ("Lithium Carbonate 600 MG", ["lithium"]),
        ("calcium carbonate", ["calcium-carbonate"]),
        ("penicillamine", ["penicillamine"]),
        ("cholecalciferol calcium carbonate", ["vitamin-d", "calcium-carbonate"]),
        ("Calcium Carbonate 600 MG / Cholecalciferol 400 UNT", ["calcium-carbonate", "vitamin-d"]),
        ("losartan potassium", ["losartan"]),
        ("magnesium gluconate", ["magnesium"]),
        ("Percocet 5/325", ["oxycodone", "paracetamol"]),
        ("Estrogens, Conjugated (USP) 0.3 MG Oral Tablet", ["conjugated-estrogens"]),
        ("Cyclizine Hydrochloride 25 MG [Bonine For Kids]", ["cyclizine"]),
    ],
)
def test_a_known_name_is_found(typed, ingredients):
    wanted = ingredients or ["amoxicillin", "clavulanate"]
    drug = find_drug(typed)
    assert drug is not None
    assert drug.ingredients == [f"drug:{name}" for name in wanted]
    assert drug.missing == []


@pytest.mark.parametrize(
    "typed",
    [
        "", "   ", "💊", "500 mg", "antibiotic", "amoxi", "Tylenol Cold",
        "not amoxicillin", "instead of amoxicillin", "amoxicillinum forte", "pen", "peanut",
        "Advil Cold & Sinus", "sulfate", "sodium", "water pill", "Bonine for kids", "hello there",
    ],
)  # fmt: skip
def test_a_name_that_is_not_in_the_table_is_never_guessed(typed):
    assert find_drug(typed) is None


@pytest.mark.parametrize(
    ("typed", "row"),
    [
        ("PCN", "drug:penicillin"),
        ("penicillins", "class:penicillins"),
        ("sulfa drugs", "class:sulfonamides"),
        ("NSAIDs", "class:nsaids"),
        ("non-steroidal anti-inflammatory drugs", "class:nsaids"),
        ("Keflex", "drug:cefalexin"),
        ("allergic to cephalosporins", "class:cephalosporins"),
        ("Peanuts", "other:foods"),
        ("cat dander", "other:surroundings"),
    ],
)
def test_an_allergen_may_be_an_ingredient_a_class_a_brand_or_no_drug(typed, row):
    allergen = find_allergen(typed)
    assert allergen is not None
    assert allergen.rows == [row]


def test_a_statement_of_no_allergy_is_no_allergen():
    assert all(says_no_allergy(t) for t in ("NKDA", "None.", "no known drug allergies", "n/a"))
    assert not any(says_no_allergy(t) for t in ("penicillin", "noni", "", "no penicillin"))
    assert find_allergen("NKDA") is None
