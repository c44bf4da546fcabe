"""Fit the judges' heads on an encoder and write them in one file.

    python -m training.judges.fit [--encoder FOLDER] [--out heads.npz]

Needs torch, and the public data under `training/made/public`. Vectors are kept in `training/judges/cache`, one file an
encoder, so that a second run takes about two minutes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from relembra.domain.knowledge import KnowledgeType
from relembra.minds.offline.judges import features, pairing
from relembra.minds.offline.judges.heads import HEADS, VECTOR_SCALE, pair_matrix
from relembra.minds.offline.judges.judges import HEADS_PATH
from training.judges.embedding import Vectors, open_embedder
from training.judges.messages import Message, build_messages, held_out, long_memory_turns
from training.judges.networks import Data, Network, Recipe, exported, fitted, scores_of, temperature_of
from training.judges.pairs import Pair, assin_pairs, family_pairs, group_pairs, inferbr_pairs
from training.judges.written import authored_messages, group_messages, with_variants

MESSAGES_A_LANGUAGE = 18_000
PAIRS_A_LABEL = 3_000
WRITTEN_WEIGHT = 4.0
COPIES = 2
GROUP_WEIGHT = 0.1
GROUP_MESSAGES = 2_000
"""Statements, and as many questions, a language."""
GROUP_PAIRS = 3_000
ACT_LETTERS = "qrts"
KIND_NAMES = {"event": str(KnowledgeType.MEMORY)}
"""What the corpus and the evaluation sets call otherwise than the domain does."""

# The gate is kept from leaning on single words, which would be those of the templates: most terms are dropped.
GATE_RECIPE = Recipe(
    outputs={"worth": 1, "kind": len(HEADS["kind"])},
    loss_weights={"worth": 2.0, "kind": 1.0},
    mean_terms=True,
    buckets=features.BUCKETS,
    term_width=12,
    hidden=384,
    epochs=7,
    decay=0.2,
    term_dropout=0.25,
    hidden_dropout=0.3,
    dropped_terms=0.6,
)
TRAIT_RECIPE = Recipe(
    outputs={name: len(words) for name, words in HEADS.items() if name != "worth"},
    loss_weights={"kind": 1.0, "area": 0.7, "act": 0.7, "mood": 0.7, "emotion": 0.7},
    mean_terms=True,
    buckets=features.BUCKETS,
    term_width=16,
    hidden=256,
    epochs=7,
    decay=0.1,
    hidden_dropout=0.3,
    dropped_terms=0.5,
    balance=("kind", "area", "mood", "emotion"),
)
MESSAGE_RECIPES = {"gate": (GATE_RECIPE, 5, 2), "trait": (TRAIT_RECIPE, 2, 1)}
"""What each committee is made of, how many sit in it, and how many a trial has that it is calibrated with."""
PAIR_RECIPE = Recipe(
    outputs={"relation": 3},
    loss_weights={"relation": 1.0},
    mean_terms=False,
    buckets=pairing.PAIR_BUCKETS,
    term_width=16,
    hidden=128,
    epochs=12,
    rate=1.5e-3,
    decay=0.05,
    dense_dropout=0.2,
    term_dropout=0.3,
    hidden_dropout=0.4,
    dropped_terms=0.1,
    smoothing=0.05,
)
PAIR_MEMBERS = 3
Fitted = tuple[dict[str, npt.NDArray[np.generic]], dict[str, float]]
"""Arrays for the file, and temperatures by committee and head."""


def message_data(messages: Sequence[Message], vectors: Vectors) -> Data:
    """Everything a network learns of some messages."""
    texts = [message.text for message in messages]
    labels = [message.labels for message in messages]
    data = text_data(texts, vectors)
    classes = {
        "kind": [KIND_NAMES.get(label.kind or "", label.kind) for label in labels],
        "area": [label.area if label.worth else None for label in labels],  # what is dropped has none to learn
        "mood": [label.valence for label in labels],
        "emotion": [label.emotion for label in labels],
    }
    targets = {
        name: np.array([HEADS[name].index(value) if value else -1 for value in values], dtype=np.float32)
        for name, values in classes.items()
    }
    targets["worth"] = np.array(
        [[np.nan if label.worth is None else label.worth] for label in labels], dtype=np.float32
    )
    targets["act"] = np.array([[letter in label.acts for letter in ACT_LETTERS] for label in labels], dtype=np.float32)
    targets["act"][[not label.acts for label in labels]] = np.nan
    weights = np.array([message.weight for message in messages], dtype=np.float32)
    return Data(dense=data.dense, terms=data.terms, vector_width=data.vector_width, targets=targets, weights=weights)


def text_data(texts: Sequence[str], vectors: Vectors) -> Data:
    """The inputs of some messages."""
    rows = vectors.of(texts)
    words = [features.words_of(text) for text in texts]
    flags = np.array([features.flags_of(text, found) for text, found in zip(texts, words, strict=True)], np.float32)
    dense = np.hstack([rows * np.float32(VECTOR_SCALE), flags])
    return Data(dense=dense, terms=[features.hashed_terms(found) for found in words], vector_width=rows.shape[1])


def pair_data(pairs: Sequence[Pair], vectors: Vectors) -> Data:
    """The same for pairs."""
    read = [pairing.pair_text(pair.first, pair.second) for pair in pairs]
    sides = [
        vectors.of(texts)
        for texts in (
            [pair.first for pair in pairs],
            [pair.second for pair in pairs],
            [text.first_rest or "." for text in read],
            [text.second_rest or "." for text in read],
        )
    ]
    dense = pair_matrix(sides, np.array([text.signs for text in read], dtype=np.float32))
    return Data(
        dense=dense,
        terms=[text.terms for text in read],
        vector_width=dense.shape[1] - pairing.SIGNS,
        targets={"relation": np.array([pair.label for pair in pairs], dtype=np.float32)},
        weights=np.array([pair.weight for pair in pairs], dtype=np.float32),
    )


def split_messages() -> tuple[list[Message], list[Message]]:
    """Training messages, and those held out to calibrate on: messages written one by one, never templates.

    Nothing held out stands in the other list, not even inside a message joined of two.
    """
    written = authored_messages()
    learnt = [message for message in written if not held_out(message.group)]
    kept = [message for message in written if held_out(message.group)]
    told = [replace(message, weight=GROUP_WEIGHT) for message in group_messages(GROUP_MESSAGES)]
    return [*template_messages(), *told, *_weighed(learnt)], kept


def template_messages() -> list[Message]:
    """What templates and public data give."""
    return [*build_messages(MESSAGES_A_LANGUAGE), *long_memory_turns()]


def _weighed(written: Sequence[Message]) -> list[Message]:
    """Messages as written, at a high weight since they are what people write, and careless copies at half of it."""
    varied = with_variants(written, COPIES)
    return [
        replace(message, weight=WRITTEN_WEIGHT if number < len(written) else WRITTEN_WEIGHT / 2)
        for number, message in enumerate(varied)
    ]


def split_pairs() -> tuple[list[Pair], list[Pair]]:
    """Training pairs and those held out."""
    pairs = [
        *inferbr_pairs("train"),
        *inferbr_pairs("val"),
        *assin_pairs(),
        *family_pairs(PAIRS_A_LABEL),
        *group_pairs(GROUP_PAIRS),
    ]
    return [pair for pair in pairs if not pair.held_out], [pair for pair in pairs if pair.held_out]


def message_sets(vectors: Vectors) -> tuple[Data, Data, Data]:
    """What a trial learns of messages, what it is calibrated on, and both together."""
    learnt, kept = split_messages()
    everything = message_data([*learnt, *_weighed(kept)], vectors)
    return everything.first(len(learnt)), message_data(kept, vectors), everything


def fit_committee(name: str, seen: Data, unseen: Data, everything: Data) -> Fitted:
    """One committee of message heads. A trial tells how sure to be about what was never seen; what ships saw all."""
    recipe, members, calibrators = MESSAGE_RECIPES[name]
    trial = [fitted(recipe, seen, seed=number) for number in range(calibrators)]
    temperatures = {
        f"{name}.{head}": temperature_of(head, scores, unseen.targets[head])
        for head, scores in scores_of(trial, unseen).items()
    }
    networks = [fitted(recipe, everything, seed=number) for number in range(members)]
    return _exported(name, networks), temperatures


def fit_pairs(vectors: Vectors) -> Fitted:
    """The committee on pairs. InferBR's validation part stays unseen: it is what dev figures are taken on."""
    learnt, kept = split_pairs()
    unseen = pair_data(kept, vectors)
    scores = scores_of([fitted(PAIR_RECIPE, pair_data(learnt, vectors), seed=0)], unseen)["relation"]
    temperatures = {"pair.relation": temperature_of("relation", scores, unseen.targets["relation"])}
    everything = pair_data([*learnt, *(pair for pair in kept if pair.source != "inferbr")], vectors)
    networks = [fitted(PAIR_RECIPE, everything, seed=number) for number in range(PAIR_MEMBERS)]
    return _exported("pair", networks), temperatures


def _exported(name: str, networks: Sequence[Network]) -> dict[str, npt.NDArray[np.generic]]:
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for number, network in enumerate(networks):
        arrays |= exported(network, f"{name}{number}")
    return arrays


def write_heads(path: Path, parts: Sequence[Fitted], *, encoder: str, dimensions: int) -> None:
    """All committees in one file that names its encoder."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    temperatures: dict[str, float] = {}
    for found, degrees in parts:
        arrays |= found
        temperatures |= degrees
    committees = {name: [members, list(recipe.outputs)] for name, (recipe, members, _) in MESSAGE_RECIPES.items()}
    meta = {
        "encoder": encoder,
        "dimensions": dimensions,
        "versions": {"features": features.VERSION, "pairing": pairing.VERSION},
        "words": {name: list(words) for name, words in HEADS.items()},
        "temperatures": temperatures,
        "committees": {**committees, "pair": [PAIR_MEMBERS, list(PAIR_RECIPE.outputs)]},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, meta=np.array(json.dumps(meta)), **arrays)
    print(f"wrote {path} for {encoder}: {path.stat().st_size / 1e6:.2f} MB, temperatures {temperatures}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", help="folder of an encoder; the shipped one if not given")
    parser.add_argument("--name", help="name to record when the folder's own is not the one it will ship under")
    parser.add_argument("--out", type=Path, default=HEADS_PATH)
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    started = time.perf_counter()
    embedder = open_embedder(given.encoder)
    vectors = Vectors(embedder)
    sets = message_sets(vectors)
    parts = [fit_committee(name, *sets) for name in MESSAGE_RECIPES]
    print(f"messages fitted after {time.perf_counter() - started:.0f} s", flush=True)
    parts.append(fit_pairs(vectors))
    write_heads(given.out, parts, encoder=given.name or embedder.name, dimensions=embedder.dimensions)


if __name__ == "__main__":
    main()
