"""A small BERT model in a folder, made here: two layers of eight numbers, and a few words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

SIZE, HEADS, LAYERS, INNER, PLACES = 8, 2, 2, 12, 16
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "milk", "trip", "##s", "to", "rome", ".", "a")


def shapes() -> dict[str, tuple[int, ...]]:
    """Every tensor of the model."""
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": (PLACES, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        **_pair("embeddings.LayerNorm", SIZE),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            found |= _pair(f"{name}attention.{part}", SIZE, SIZE)
        found |= _pair(f"{name}attention.output.LayerNorm", SIZE)
        found |= _pair(f"{name}intermediate.dense", INNER, SIZE)
        found |= _pair(f"{name}output.dense", SIZE, INNER)
        found |= _pair(f"{name}output.LayerNorm", SIZE)
    return found


def _pair(name: str, *shape: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": shape, f"{name}.bias": shape[:1]}


def _around(name: str) -> tuple[float, float]:
    """Mean and deviation of a tensor, such that different words have different vectors."""
    if name.endswith("LayerNorm.weight"):
        return 1.0, 0.1
    return 0.0, 2.0 if name.startswith("embeddings.word") else 0.2


def make_model(folder: Path, seed: int = 7) -> Path:
    """Write the folder, with weights drawn by chance."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(seed)
    head, raw = {}, b""
    for name, shape in shapes().items():
        weights = draw.normal(*_around(name), shape).astype("<f4").tobytes()
        place = [len(raw), len(raw) + len(weights)]
        head[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": place}
        raw += weights
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + raw)
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "layer_norm_eps": 1e-12,
        "hidden_size": SIZE,
        "max_position_embeddings": PLACES,
    }
    (folder / "config.json").write_text(json.dumps(config))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    return folder
