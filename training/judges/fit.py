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
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from relembra.minds.offline.judges import features, pairing
from relembra.minds.offline.judges.heads import HEADS, VECTOR_SCALE, pair_matrix
from relembra.minds.offline.judges.judges import HEADS_PATH
from training.judges.embedding import Vectors, open_embedder
from training.judges.messages import Message, build_messages, held_out, long_memory_turns
from training.judges.networks import Data, Recipe, exported, fitted, scores_of, temperature_of
from training.judges.pairs import Pair, assin_pairs, family_pairs, inferbr_pairs

MESSAGES_A_LANGUAGE = 18_000
PAIRS_A_LABEL = 3_000
ACT_LETTERS = "qrts"

# The gate is kept from leaning on single words, which would only be those of the templates.
GATE_RECIPE = Recipe(
    outputs={"worth": 1, "kind": len(HEADS["kind"])},
    loss_weights={"worth": 2.0, "kind": 1.0},
    mean_terms=True,
    buckets=features.BUCKETS,
    term_width=12,
    hidden=192,
    epochs=7,
    decay=0.5,
    term_dropout=0.25,
    hidden_dropout=0.5,
    dropped_terms=0.6,
)
TRAIT_RECIPE = Recipe(
    outputs={name: len(words) for name, words in HEADS.items() if name != "worth"},
    loss_weights={"kind": 1.0, "area": 0.7, "act": 0.7, "mood": 0.7, "emotion": 0.7},
    mean_terms=True,
    buckets=features.BUCKETS,
    term_width=16,
    hidden=128,
    epochs=7,
    decay=0.1,
    hidden_dropout=0.4,
    dropped_terms=0.4,
    balance=("kind", "area", "mood", "emotion"),
)
MESSAGE_RECIPES = {"gate": (GATE_RECIPE, 3), "trait": (TRAIT_RECIPE, 2)}
"""What each committee is made of, and how many sit in it."""
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
PAIR_MEMBERS = 2


def message_data(messages: Sequence[Message], vectors: Vectors) -> Data:
    """Everything a network learns of some messages."""
    texts = [message.text for message in messages]
    labels = [message.labels for message in messages]
    data = text_data(texts, vectors)
    classes = {
        "kind": [label.kind for label in labels],
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
    return Data(dense=data.dense, terms=data.terms, vector_width=data.vector_width, targets=targets)


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
    """Training messages and those held out, which share no template."""
    messages = [*build_messages(MESSAGES_A_LANGUAGE), *long_memory_turns()]
    return (
        [message for message in messages if not held_out(message.group)],
        [message for message in messages if held_out(message.group)],
    )


def split_pairs() -> tuple[list[Pair], list[Pair]]:
    """Training pairs and those held out."""
    pairs = [*inferbr_pairs("train"), *inferbr_pairs("val"), *assin_pairs(), *family_pairs(PAIRS_A_LABEL)]
    return [pair for pair in pairs if not pair.held_out], [pair for pair in pairs if pair.held_out]


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
    temperatures: dict[str, float] = {}
    arrays: dict[str, npt.NDArray[np.generic]] = {}

    learnt, kept = split_messages()
    seen, unseen = message_data(learnt, vectors), message_data(kept, vectors)
    everything = message_data([*learnt, *kept], vectors)
    for committee, (recipe, members) in MESSAGE_RECIPES.items():
        # One network tells how sure to be about templates never seen; those that ship have seen them all.
        for name, scores in scores_of([fitted(recipe, seen, seed=0)], unseen).items():
            temperatures[f"{committee}.{name}"] = temperature_of(name, scores, unseen.targets[name])
        for number in range(members):
            arrays |= exported(fitted(recipe, everything, seed=number), f"{committee}{number}")
    print(f"messages: {len(learnt)} + {len(kept)} to calibrate, {time.perf_counter() - started:.0f} s")

    learnt_pairs, kept_pairs = split_pairs()
    seen, unseen = pair_data(learnt_pairs, vectors), pair_data(kept_pairs, vectors)
    # InferBR's validation part stays unseen: it is what its figures are taken on before the test.
    everything = pair_data([*learnt_pairs, *(pair for pair in kept_pairs if pair.source != "inferbr")], vectors)
    scores = scores_of([fitted(PAIR_RECIPE, seen, seed=0)], unseen)["relation"]
    temperatures["pair.relation"] = temperature_of("relation", scores, unseen.targets["relation"])
    for number in range(PAIR_MEMBERS):
        arrays |= exported(fitted(PAIR_RECIPE, everything, seed=number), f"pair{number}")
    print(f"pairs: {len(learnt_pairs)} + {len(kept_pairs)} to calibrate, {time.perf_counter() - started:.0f} s")

    meta = {
        "encoder": given.name or embedder.name,
        "dimensions": embedder.dimensions,
        "versions": {"features": features.VERSION, "pairing": pairing.VERSION},
        "temperatures": temperatures,
        "committees": {
            name: [members, list(recipe.outputs)]
            for name, (recipe, members) in {**MESSAGE_RECIPES, "pair": (PAIR_RECIPE, PAIR_MEMBERS)}.items()
        },
    }
    given.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(given.out, allow_pickle=False, meta=np.array(json.dumps(meta)), **arrays)
    print(
        f"wrote {given.out} for {meta['encoder']}: {given.out.stat().st_size / 1e6:.2f} MB, temperatures {temperatures}"
    )


if __name__ == "__main__":
    main()
