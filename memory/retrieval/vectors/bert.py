"""Sentence vectors by a BERT model in a folder, in NumPy alone: a sentence-transformers folder.

The folder has `config.json`, `tokenizer.json` and `model.safetensors` of a BERT encoder whose
vectors are the mean over the words, brought to unit length (such as all-MiniLM-L6-v2). Vaswani et
al. 2017 (arXiv 1706.03762), Devlin et al. 2019, Reimers and Gurevych 2019 (arXiv 1908.10084).
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.retrieval.vectors.wordpiece import WordPiece

Floats = npt.NDArray[np.float32]
TOGETHER = 32
"""Texts that go through the model at once, of like length."""
FAR = np.float32(-1e9)


class UnfitModel(ValueError):
    """A folder that holds no model of this kind; says what is missing."""


class Bert:
    """An encoder; its weights are mapped into memory, so that processes share them."""

    def __init__(self, folder: Path) -> None:
        config = _json(folder / "config.json")
        if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
            raise UnfitModel(f"{folder} holds no BERT encoder")
        self.heads: int = config["num_attention_heads"]
        self.layers: int = config["num_hidden_layers"]
        self.epsilon: float = config["layer_norm_eps"]
        self.dimension: int = config["hidden_size"]
        self.weights = read_safetensors(folder / "model.safetensors")
        vocabulary = _json(folder / "tokenizer.json")["model"]["vocab"]
        self.wordpiece = WordPiece(vocabulary, _longest(folder, config))

    def vectors(self, texts: Sequence[str]) -> Floats:
        """A row of unit length for each text."""
        found = np.zeros((len(texts), self.dimension), np.float32)
        numbers = [self.wordpiece.numbers(text) for text in texts]
        by_length = sorted(range(len(texts)), key=lambda place: len(numbers[place]))
        for start in range(0, len(texts), TOGETHER):
            places = by_length[start : start + TOGETHER]
            found[places] = self._encoded([numbers[place] for place in places])
        return found

    def _encoded(self, numbers: Sequence[Sequence[int]]) -> Floats:
        width = max(map(len, numbers))
        ids = np.zeros((len(numbers), width), np.int64)
        there = np.zeros((len(numbers), width), np.float32)
        for row, some in enumerate(numbers):
            ids[row, : len(some)], there[row, : len(some)] = some, 1
        states = self._embedded(ids)
        hidden = (1 - there)[:, None, None, :] * FAR
        for layer in range(self.layers):
            states = self._layer(states, hidden, f"encoder.layer.{layer}.")
        sums = (states * there[..., None]).sum(1)
        vectors: Floats = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors

    def _embedded(self, ids: npt.NDArray[np.int64]) -> Floats:
        words, places, kinds = (
            self.weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm(words[ids] + places[: ids.shape[1]] + kinds[0], "embeddings.LayerNorm")

    def _layer(self, states: Floats, hidden: Floats, name: str) -> Floats:
        attended = self._attended(states, hidden, f"{name}attention.")
        states = self._norm(states + attended, f"{name}attention.output.LayerNorm")
        inner = gelu(self._linear(states, f"{name}intermediate.dense"))
        return self._norm(
            states + self._linear(inner, f"{name}output.dense"), f"{name}output.LayerNorm"
        )

    def _attended(self, states: Floats, hidden: Floats, name: str) -> Floats:
        texts, width, size = states.shape
        query, key, value = (
            self._linear(states, f"{name}self.{part}")
            .reshape(texts, width, self.heads, size // self.heads)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(math.sqrt(size // self.heads))
        weights = np.exp(scores + hidden - (scores + hidden).max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        joined = (weights @ value).transpose(0, 2, 1, 3).reshape(texts, width, size)
        return self._linear(joined, f"{name}output.dense")

    def _linear(self, states: Floats, name: str) -> Floats:
        product: Floats = states @ self.weights[f"{name}.weight"].T
        product += self.weights[f"{name}.bias"]
        return product

    def _norm(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(self.epsilon))
        normal: Floats = centred / spread * self.weights[f"{name}.weight"]
        return normal + self.weights[f"{name}.bias"]


def gelu(values: Floats) -> Floats:
    """x · Φ(x), its error function after Abramowitz and Stegun 7.1.26 (to 1.5e-7)."""
    size = np.abs(values) * np.float32(math.sqrt(0.5))
    part = 1 / (1 + np.float32(0.3275911) * size)
    sums = np.zeros_like(part)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        sums = (sums + np.float32(factor)) * part
    error = np.copysign(1 - sums * np.exp(-size * size), values)
    product: Floats = np.float32(0.5) * values * (1 + error)
    return product


def read_safetensors(path: Path) -> Mapping[str, Floats]:
    """The tensors of a file by name, those of 32-bit floats; the file is mapped into memory."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise UnfitModel(f"{path} cannot be read") from error
    size = int.from_bytes(mapped[:8], "little")
    head: dict[str, Any] = json.loads(mapped[8 : 8 + size])
    tensors = {}
    for name, one in head.items():
        if name != "__metadata__" and one["dtype"] == "F32":
            start, end = (8 + size + offset for offset in one["data_offsets"])
            flat = np.frombuffer(mapped, np.dtype("<f4"), (end - start) // 4, start)
            tensors[name.removeprefix("bert.")] = flat.reshape(one["shape"])
    return tensors


def _longest(folder: Path, config: Mapping[str, Any]) -> int:
    path = folder / "sentence_bert_config.json"
    told: int = _json(path).get("max_seq_length", 512) if path.exists() else 512
    return min(told, int(config["max_position_embeddings"]))


def _json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnfitModel(f"{path} cannot be read") from error
    return found
