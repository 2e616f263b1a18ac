"""What an allergy says: whether a drug caused it, and whether it was severe or a side effect."""

from typing import Any

from .drugs import Allergen

# Reactions that are severe whatever else is recorded.
_uac_severe_signs = [
    "anaphyla", "angioedema", "angio oedema", "stevens johnson", "sjs", "toxic epidermal", "dress",
    "throat swelling", "throat swelled", "throat closed", "throat closing", "swollen throat",
    "swelling of the throat", "trouble breathing", "difficulty breathing", "could not breathe",
    "couldn t breathe", "stopped breathing", "life threatening",
]  # fmt: skip
_uac_negations = ["no", "not", "without", "never", "denies", "wasn", "didn"]
# Effects that are no immune reaction, and the words between them. Vomiting, cough and dizziness are
# missing on purpose: they may belong to anaphylaxis.
_uac_effects_text = (
    "nausea nauseous nauseated queasy queasiness upset sour stomach tummy stomachache indigestion"
    " heartburn bloating constipation constipated diarrhea diarrhoea headache headaches drowsy"
    " drowsiness sleepy sleepiness tired tiredness fatigue insomnia dry mouth jittery jitters"
    " cramps"
)
_uac_between_text = (
    "feeling felt made me her him gave got mild slight some a bit of and or only just very the with"
)
_uac_effects = set(_uac_effects_text.split())
_uac_between = set(_uac_between_text.split())


def _uac_reaction_words(reaction: str) -> list[str]:
    return "".join([c if c.isalnum() else " " for c in reaction.casefold()]).split()


def names_severe_reaction(reaction: str) -> bool:
    """Whether the words name a severe reaction and do not deny it (`rash, no anaphylaxis`)."""
    text = f" {' '.join(_uac_reaction_words(reaction))} "
    for sign in _uac_severe_signs:
        at = text.find(f" {sign}")
        # A short sign is a whole word: "dress" is not "dressing".
        whole = len(sign) > 5 or f" {sign} " in text
        if at >= 0 and whole and not [w for w in text[:at].split()[-3:] if w in _uac_negations]:
            return True
    return False


def only_side_effects(reaction: str) -> bool:
    """Whether the words name effects such as nausea or headache and nothing else whatever."""
    words = _uac_reaction_words(reaction)
    named = [word for word in words if word in _uac_effects]
    return bool(named) and not [
        word for word in words if word not in _uac_effects and word not in _uac_between
    ]


def is_about_drugs(allergy: Any, allergen: Allergen) -> bool:
    """Whether the allergy may be to a drug; nobody's word to the contrary and no known food."""
    known_other = [row for row in allergen.rows if row.startswith("other:")]
    unsaid = allergy.category is None and not known_other
    return bool(allergy.category == "medication" or unsaid)
