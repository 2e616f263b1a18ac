"""The plain form of a drug's or allergen's name, and the parts of a combined one."""

import re
import unicodedata

# Words of strength, form, route and frequency, and words around an allergen; none names a drug.
_uac_noise_text = (
    "tablet tablets tab tabs capsule capsules cap caps caplet caplets softgel softgels pill"
    " pills oral orally solution suspension syrup liquid injection injectable infusion iv im"
    " cream gel ointment lotion drop drops eye ear nasal ophthalmic otic topical vaginal rectal"
    " suppository spray patch powder sublingual chewable disintegrating dispersible extended"
    " delayed sustained modified immediate controlled release released er xr sr xl cr ec dr odt"
    " enteric coated film generic daily once twice prn bid tid qid qd needed as food meals"
    " strength extra regular maximum double ds hfa mg mcg ml per day low dose"
    " allergy allergies allergic to intolerance hypersensitivity sensitivity antibiotic"
    " antibiotics drug drugs medicine medicines medication medications family class group"
    " containing type based product products usp chelated preparation preparations extract extracts"
    " buccal transdermal intravenous intramuscular subcutaneous inhalation inhalant inhaler"
    " nebulizer nebuliser nebules lozenge lozenges troche troches film films strip strips gum"
    " granules granule elixir emulsion foam paste shampoo soap wash swab swabs pad pads patches"
    " effervescent wafer wafers packet packets sachet sachets vial vials ampule ampoule syringe"
    " prefilled autoinjector actuation actuat metered unt meq suppositories rapid melt odts"
    " pack kit implant enema douche rinse mouthwash injector injectors autoinjectors cartridge"
    " cartridges filled syringes resistant prolonged osmotic weekly monthly augmented"
    " micronized micronised microcrystalline macrocrystals macrocrystalline inhalers"
)
# Words that lead up to those, dropped at the end: "powder for oral solution", "pen injector".
_uac_leading_words = {"for", "in", "per", "each", "pen", "auto", "pre", "dry", "gastro"}
# Salts and hydrates, taken off only when what remains is itself a known name.
_uac_salt_text = (
    "sodium potassium calcium magnesium hydrochloride hcl hydrobromide hbr sulfate sulphate"
    " maleate tartrate succinate mesylate mesilate besylate besilate citrate phosphate acetate"
    " fumarate trihydrate dihydrate monohydrate anhydrous hydrate hyclate axetil proxetil"
    " pivoxil carbonate benzathine procaine tromethamine bitartrate lysine epolamine"
    " dihydrochloride trihydrochloride monohydrochloride dihydrobromide hemihydrate sesquihydrate"
    " tetrahydrate pentahydrate hexahydrate heptahydrate disodium trisodium dipotassium"
    " monosodium nitrate mononitrate bromide chloride iodide methylbromide methylsulfate"
    " bisulfate hemisulfate hydrogen malate dimaleate difumarate hemifumarate lactate gluconate"
    " aspartate saccharate pamoate embonate palmitate stearate decanoate enanthate cypionate"
    " undecanoate propionate dipropionate valerate butyrate furoate acetonide diacetate benzoate"
    " tosylate ditosylate esylate edisylate isethionate napsylate camsylate oxalate tannate"
    " polistirex etabonate pivalate caproate ethanolate hippurate mandelate gluceptate"
    " lactobionate ethylsuccinate estolate medoxomil"
    " cilexetil kamedoxomil etexilate mofetil disoproxil alafenamide fosamil meglumine"
    " dimeglumine olamine diolamine arginine erbumine tosilate dimesylate bitartarate"
    " mucate resinate orotate picolinate teoclate xinafoate trifenatate phosphates salt"
    " monophosphate diphosphate triphosphate subcitrate"
)
_uac_noise_words = set(_uac_noise_text.split())
_uac_salt_words = set(_uac_salt_text.split())
_uac_metal_words = {"sodium", "potassium", "calcium", "magnesium", "disodium", "dipotassium"}
_uac_units = (
    "mg|mcg|µg|μg|ug|g|gm|gram|grams|milligrams?|micrograms?|mmol|ml|iu|unt|unit|units|meq|%"
    "|hr|hrs|hour|hours|h"
)
# Plain character ranges: Unicode classes cost the sandbox milliseconds to compile.
_uac_number = "[0-9]+(?:[.,][0-9]+)*"
_uac_strength = re.compile(
    f"(?<![a-z0-9]){_uac_number}(?: *[/-] *{_uac_number})* *-? *(?:{_uac_units})(?![a-z0-9])"
    f"(?:(?: */ *| +(?:in|per) +)(?:{_uac_number} *)?"
    "(?:ml|l|g|gm|mg|actuation|actuat|puff|spray|dose|tablet|hr|h|day)(?![a-z0-9]))?"
)
# A bare number of two digits or more is a strength ("amoxicillin 500", "percocet 5/325");
# a single digit is part of a name ("tylenol 3").
_uac_bare_number = re.compile(
    f"(?<![a-z0-9.])(?:[0-9]{_uac_number}(?: *[/-] *{_uac_number})*"
    f"|{_uac_number}(?: *[/-] *{_uac_number})+)(?![a-z0-9])"
)
_uac_separator = re.compile("[/+&,;]| (?:and|with|plus) ")
# Words that a comma ties to the name before it: "estrogens, conjugated".
_uac_tied = re.compile(
    ", *(?=(?:conjugated|esterified|monobasic|dibasic|tribasic|usp|synthetic|chelated|anhydrous"
    "|monohydrate|dihydrate|trihydrate|macrocrystals|micronized|dried"
    "|recombinant|unspecified|human|a|b)(?![a-z0-9]))"
)
_uac_bracketed = re.compile(r"[\[(]([^\[\]()]*)[\])]")
_uac_no_allergy = [
    "none", "no", "nil", "nka", "nkda", "nka nkda", "no known", "no known drug", "none known",
    "not known", "no known medication", "denies", "n a",
]  # fmt: skip


def _uac_fold(text: str) -> str:
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = "".join([" " if c in "®™℠" else c for c in text])
    folded = unicodedata.normalize("NFKC", folded).casefold()
    visible = "".join([c for c in folded if unicodedata.category(c) != "Cf"])
    return " ".join(visible.split())


def _uac_words(folded: str) -> list[str]:
    return "".join([c if c.isalnum() else " " for c in folded]).split()


def _uac_core(folded: str) -> str:
    """The words that may name a substance; empty when there are none."""
    bare = _uac_bare_number.sub(" ", _uac_strength.sub(" ", folded))
    words = [word for word in _uac_words(bare) if word not in _uac_noise_words]
    while len(words) > 1 and words[-1] in _uac_leading_words:
        words.pop()
    return " ".join(words)


def normalise(name: str) -> str:
    """The name in lower case without punctuation, strength, form or frequency.

    `Amoxicillin 500 mg Tablets` and `AMOXICILLIN` become `amoxicillin`. A name made of nothing
    but such words is returned whole.
    """
    if name.isascii() and name.isalpha():
        return name.casefold()  # one plain word, whatever it is
    folded = _uac_fold(name)
    return _uac_core(folded) or " ".join(_uac_words(folded))


def names_something(plain: str) -> bool:
    """Whether a normalised name holds more than words of strength, form or frequency."""
    if plain.isascii() and plain.isalpha():
        return plain not in _uac_noise_words
    return _uac_core(plain) != ""


def without_salt(plain: str) -> str:
    """A normalised name without the words for its salt around it.

    `amoxicillin sodium` becomes `amoxicillin`, `sodium valproate` `valproate`. Of a name that is
    nothing but a salt its one metal is left: `magnesium gluconate` becomes `magnesium`.
    """
    words = plain.split()
    end = len(words)
    while end > 0 and words[end - 1] in _uac_salt_words:
        end -= 1
    if end == 0:
        metals = [word for word in words if word in _uac_metal_words]
        return words[0] if words and (not metals or metals == words[:1]) else plain
    start = 1 if end > 1 and words[0] in _uac_metal_words else 0
    return " ".join(words[start:end])


def _uac_split(folded: str) -> list[str]:
    if "," in folded:
        folded = _uac_tied.sub(" ", folded)
    bare = _uac_bare_number.sub(" ", _uac_strength.sub(" ", folded))
    parts: list[str] = []
    for piece in _uac_separator.split(bare):
        core = _uac_core(piece)
        if core and core not in parts:
            parts.append(core)
    return parts


def is_single(name: str) -> bool:
    """Whether a name has nothing that `components` would take apart: one part, no brackets."""
    if name.isalpha():
        return True
    marks = [mark for mark in "/+&,;[(" if mark in name]
    words = name.casefold().split()
    return not marks and "and" not in words and "with" not in words and "plus" not in words


def components(name: str) -> "tuple[list[str], list[str]]":
    """The parts of a combined name, and the parts given in brackets, each in normalised form.

    `Amoxicillin 500 MG / Clavulanate 125 MG [Augmentin]` has the parts `amoxicillin` and
    `clavulanate`, and in brackets `augmentin`.
    """
    folded = _uac_fold(name)
    inside: list[str] = []
    for text in _uac_bracketed.findall(folded):
        inside.extend([part for part in _uac_split(text) if part not in inside])
    outside = _uac_split(_uac_bracketed.sub(" ", folded))
    if not outside and not inside and normalise(name):
        outside = [normalise(name)]
    return outside, inside


def says_no_allergy(substance: str) -> bool:
    """Whether the text states that there is no allergy (`NKDA`, `no known drug allergies`)."""
    return normalise(substance) in _uac_no_allergy
