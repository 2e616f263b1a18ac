"""The encoder against the same model written out number by number, without arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memory.retrieval.vectors.bert import Bert, UnfitModel, gelu
from memory.retrieval.vectors.wordpiece import WordPiece, words_of
from tests.memory.retrieval.vectors.folder import HEADS, LAYERS, PLACES, SIZE, WORDS, make_model

Row = list[float]


@pytest.fixture
def bert(tmp_path: Path) -> Bert:
    """The small model."""
    return Bert(make_model(tmp_path / "small"))


class Plain:
    """BERT by the book, in lists; no padding, one text at a time."""

    def __init__(self, bert: Bert) -> None:
        self.weights = {name: one.tolist() for name, one in bert.weights.items()}

    def vector(self, numbers: Sequence[int]) -> Row:
        words, places, kinds = (
            self.weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        rows = [
            self.norm(
                [a + b + c for a, b, c in zip(words[number], places[place], kinds[0], strict=True)],
                "embeddings.LayerNorm",
            )
            for place, number in enumerate(numbers)
        ]
        for layer in range(LAYERS):
            rows = self.layer(rows, f"encoder.layer.{layer}.")
        sums = [sum(column) for column in zip(*rows, strict=True)]
        length = math.sqrt(sum(one * one for one in sums))
        return [one / length for one in sums]

    def layer(self, rows: list[Row], name: str) -> list[Row]:
        attended = self.attend(rows, f"{name}attention.")
        rows = [
            self.norm(self.sum(a, b), f"{name}attention.output.LayerNorm")
            for a, b in zip(rows, attended, strict=True)
        ]
        found = []
        for row in rows:
            inner = [
                0.5 * one * (1 + math.erf(one / math.sqrt(2)))
                for one in self.linear(row, f"{name}intermediate.dense")
            ]
            outer = self.linear(inner, f"{name}output.dense")
            found.append(self.norm(self.sum(row, outer), f"{name}output.LayerNorm"))
        return found

    def attend(self, rows: list[Row], name: str) -> list[Row]:
        query, key, value = (
            [self.linear(row, f"{name}self.{part}") for row in rows]
            for part in ("query", "key", "value")
        )
        each = SIZE // HEADS
        joined: list[Row] = [[] for _ in rows]
        for head in range(HEADS):
            part = slice(head * each, (head + 1) * each)
            for place, asking in enumerate(query):
                scores = [
                    sum(a * b for a, b in zip(asking[part], one[part], strict=True))
                    / math.sqrt(each)
                    for one in key
                ]
                shares = [math.exp(score - max(scores)) for score in scores]
                total = sum(shares)
                joined[place] += [
                    sum(
                        share / total * one[part][n]
                        for share, one in zip(shares, value, strict=True)
                    )
                    for n in range(each)
                ]
        return [self.linear(row, f"{name}output.dense") for row in joined]

    def linear(self, row: Row, name: str) -> Row:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return [
            sum(a * b for a, b in zip(row, line, strict=True)) + more
            for line, more in zip(weight, bias, strict=True)
        ]

    def norm(self, row: Row, name: str) -> Row:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((one - mean) ** 2 for one in row) / len(row) + 1e-12)
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return [
            (one - mean) / spread * scale + more
            for one, scale, more in zip(row, weight, bias, strict=True)
        ]

    @staticmethod
    def sum(one: Row, other: Row) -> Row:
        return [a + b for a, b in zip(one, other, strict=True)]


def test_vectors_are_those_of_the_model_whatever_goes_beside_them(bert: Bert) -> None:
    texts = ["A trip to Rome.", "tea", "", "milk milk milk milk tea trips", "a"]
    vectors = bert.vectors(texts)
    plain = Plain(bert)
    for text, vector in zip(texts, vectors, strict=True):
        expected = plain.vector(bert.wordpiece.numbers(text))
        assert vector.tolist() == pytest.approx(expected, abs=1e-5)
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1.0] * len(texts))


def test_the_error_function_is_near_enough() -> None:
    values = np.linspace(-6, 6, 500, dtype=np.float32)
    exact = [0.5 * one * (1 + math.erf(one / math.sqrt(2))) for one in values.tolist()]
    assert gelu(values).tolist() == pytest.approx(exact, abs=2e-6)


def test_pieces_of_words() -> None:
    wordpiece = WordPiece({word: number for number, word in enumerate(WORDS)}, PLACES)
    named = [WORDS[number] for number in wordpiece.numbers("Trips to RÔME.\u200b zzz")]
    assert named == ["[CLS]", "trip", "##s", "to", "rome", ".", "[UNK]", "[SEP]"]
    assert len(wordpiece.numbers("tea " * 1_000)) == PLACES
    assert words_of("“don't” 東京$5\ufffd\t") == ["“", "don", "'", "t", "”", "東", "京", "$", "5"]


@pytest.mark.parametrize("change", ["model_type", "hidden_act"])
def test_a_folder_with_another_model_is_refused(tmp_path: Path, change: str) -> None:
    folder = make_model(tmp_path / "other")
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace(f'"{change}": "', f'"{change}": "x'))
    with pytest.raises(UnfitModel, match="no BERT"):
        Bert(folder)


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "empty")
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(UnfitModel, match="cannot be read"):
        Bert(folder)
