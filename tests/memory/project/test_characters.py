"""Characters that make code look like something else."""

import pytest

from memory.project.characters import suspicions


def found(text):
    return [(one.line, one.column, one.danger, one.code) for one in suspicions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n# \u202e } \u2066 if", [(2, 3, "bidi", "U+202E"), (2, 7, "bidi", "U+2066")]),
        ("a\u200bb", [(1, 2, "invisible", "U+200B")]),
        ("\ufeffimport x", [(1, 1, "invisible", "U+FEFF")]),
        ("na\u00adme", [(1, 3, "invisible", "U+00AD")]),
        ("x1\ufe0f = 2", [(1, 3, "invisible", "U+FE0F")]),
        ("x\u3164 = 2", [(1, 2, "invisible", "U+3164")]),
        ("a\u00a0= 1", [(1, 2, "invisible", "U+00A0")]),
        ("\U000e0041", [(1, 1, "invisible", "U+E0041")]),
        ("# x\rexec(y)\n", [(1, 4, "control", "U+000D")]),
        ("a\x0cb\x00c\x1b", [(1, 2, "control", "U+000C"), (1, 4, "control", "U+0000"),
                             (1, 6, "control", "U+001B")]),
        ("x = 'a\u2028b'", [(1, 7, "control", "U+2028")]),
        ("p\u0430yment", [(1, 2, "lookalike", "U+0430")]),
        ("\u0441\u043e\u0440\u0443 = 1", [(1, n, "lookalike", f"U+{c}") for n, c in
                                          enumerate(["0441", "043E", "0440", "0443"], 1)]),
        ("\uff43heck", [(1, 1, "lookalike", "U+FF43")]),
        ("\ufb01nd", [(1, 1, "lookalike", "U+FB01")]),
        ("\u017fum(x)", [(1, 1, "lookalike", "U+017F")]),
        ("x = \uff14", [(1, 5, "lookalike", "U+FF14")]),
    ],
)  # fmt: skip
def test_it_is_found_with_its_place(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "plain = 'text'\n\tindented\r\n",
        "# а это просто текст, о котором",
        "дом = 1",
        "µg, TNFα, β-blocker, 5 m², n.º 1, 1ª",
        "Zoë, Müller, Łódź, İstanbul",
        "👩‍💻 ❤️ 1️⃣ 🏳️‍🌈 ↔️",
        "שלום עולם, 日本語, हिन्दी",
        "e\u0301",
    ],
)
def test_ordinary_text_in_any_language_is_left_alone(text):
    assert found(text) == []


def test_the_sentence_says_what_to_do():
    (one,) = suspicions("p\u0430y")
    assert one.detail == "U+0430 CYRILLIC SMALL LETTER A looks like 'a'; write that instead"
    (one,) = suspicions("\u202e")
    assert one.detail == (
        "U+202E RIGHT-TO-LEFT OVERRIDE changes the order in which text is shown; remove it"
    )
