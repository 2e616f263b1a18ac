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
    " containing type based product products"
)
# Salts and hydrates, taken off only when what remains is itself a known name.
_uac_salt_text = (
    "sodium potassium calcium magnesium hydrochloride hcl hydrobromide hbr sulfate sulphate"
    " maleate tartrate succinate mesylate mesilate besylate besilate citrate phosphate acetate"
    " fumarate trihydrate dihydrate monohydrate anhydrous hydrate hyclate axetil proxetil"
    " pivoxil carbonate benzathine procaine tromethamine bitartrate lysine epolamine"
)
_uac_noise_words = set(_uac_noise_text.split())
_uac_salt_words = set(_uac_salt_text.split())
_uac_units = "mg|mcg|µg|μg|ug|g|gram|grams|ml|iu|unt|unit|units|meq|%|hr|hrs|hour|hours|h"
# Plain character ranges: Unicode classes cost the sandbox milliseconds to compile.
_uac_number = "[0-9]+(?:[.,][0-9]+)*"
_uac_strength = re.compile(
    f"(?<![a-z0-9]){_uac_number}(?: *[/-] *{_uac_number})* *-? *(?:{_uac_units})(?![a-z0-9])"
    f"(?: */ *(?:{_uac_number} *)?(?:ml|l|actuation|puff|spray|dose|tablet|hr|h|day)(?![a-z0-9]))?"
)
# A bare number of two digits or more is a strength ("amoxicillin 500", "percocet 10/325");
# a single digit is part of a name ("tylenol 3").
_uac_bare_number = re.compile(
    f"(?<![a-z0-9.])[0-9]{_uac_number}(?: *[/-] *{_uac_number})*(?![a-z0-9])"
)
_uac_separator = re.compile("[/+&,;]| (?:and|with|plus) ")
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
    return " ".join([word for word in _uac_words(bare) if word not in _uac_noise_words])


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
    """A normalised name without the words for its salt; whole when nothing else is left."""
    kept = [word for word in plain.split() if word not in _uac_salt_words]
    return " ".join(kept) or plain


def _uac_split(folded: str) -> list[str]:
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
