"""Trains the judge of what a message does to something known.

It starts from the tagger, which has read every message, and not from words: that alone catches a third more endings at the
same precision. Judges of three folds say how sure the labels are, three more label pairs nobody wrote (a message
beside statements of its author, or of others that share a word with it), and one learns from all of these; then it goes on
with the labels alone, three times, and the mean of those is kept. All questions stay on the GPU: seven minutes in all.
"""

from __future__ import annotations

import argparse
import copy
import multiprocessing
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from relembra.domain.text import fold
from relembra.minds.reader.networks import DOES, about_known

from . import network, pairs
from .examples import Row
from .score import pair_figures
from .train import CUTTER, DEVICE, VOCABULARY, halved, kept, log, optimiser_for, share, split, started, stepped

LAYERS = 6
BATCH = 192
UNLABELLED = 90_000
TRUST, TRUST_AT_LAST = 0.4, 0.3  # how much what judges of other folds say counts beside a label
LOWERED = 0.2  # of the pairs people wrote are read without capitals


@dataclass(frozen=True, slots=True)
class Pair:
    """A message, something known, and what the one does to the other; None where nobody has said."""

    row: Row
    known: str
    does: str | None = None


class Questions:
    """Pairs cut into pieces, all of them on the GPU."""

    def __init__(self, asked: Sequence[Pair]) -> None:
        with multiprocessing.get_context("fork").Pool() as pool:
            cut = pool.map(pieces, asked, chunksize=500)
        self.lengths = np.array([one.shape[1] for one in cut])
        self._starts = torch.from_numpy(np.cumsum(self.lengths) - self.lengths).to(DEVICE)
        self._sizes = torch.from_numpy(self.lengths).to(DEVICE)
        self._pieces = torch.from_numpy(np.concatenate(cut, 1)).to(DEVICE)

    def batch(self, numbers: np.ndarray) -> list[Tensor]:
        """Ids, shapes, speakers and marks of some, zeros behind the shorter ones."""
        chosen = torch.as_tensor(numbers, device=DEVICE)
        sizes = self._sizes[chosen]
        place = torch.arange(int(sizes.max()), device=DEVICE)[None]
        at = (self._starts[chosen][:, None] + place).clamp(max=self._pieces.shape[1] - 1)
        return [torch.where(place < sizes[:, None], part[at], 0).long() for part in self._pieces]


def pieces(pair: Pair) -> np.ndarray:
    asked = about_known(pair.known, pair.row.words, CUTTER)
    return np.array([asked.ids, asked.shapes, asked.speakers, asked.marks], dtype=np.int32)


def lowered(pair: Pair) -> Pair:
    words = tuple(replace(word, text=word.text.lower()) for word in pair.row.words)
    return replace(pair, row=replace(pair.row, words=words))


def unlabelled(rows: Sequence[Row], seed: int) -> Iterator[Pair]:
    """Messages beside statements of the same author, and beside others that share a word."""
    rng = random.Random(seed)
    by_author, by_word = defaultdict[str, list[str]](list), defaultdict[tuple[str, str], list[str]](list)
    for row in rows:
        for known, _ in row.held:
            by_author[row.author].append(known)
            for word in sorted(stems(known)):
                by_word[row.lang, word].append(known)
    for row in rows:
        near = [k for word in sorted(stems(row.text)) for k in some(by_word[row.lang, word], 3, rng)]
        rng.shuffle(near)
        turns = row.kind == "change" or any(does in ("replaces", "ends") for _, does in row.held)
        chosen = dict.fromkeys([*near[: 6 if turns else 3], *some(by_author[row.author], 2, rng)])
        yield from (Pair(row, known) for known in chosen if known not in dict(row.held))


def stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"\w+", fold(text)) if len(word) > 3}


def some(values: Sequence[str], most: int, rng: random.Random) -> list[str]:
    return rng.sample(values, min(most, len(values)))


def hard(asked: Sequence[Pair]) -> np.ndarray:
    return np.eye(len(DOES), dtype=np.float32)[[DOES.index(pair.does or "nothing") for pair in asked]]


@torch.no_grad()
def said(model: network.Judge, questions: Questions, numbers: np.ndarray) -> np.ndarray:
    out = np.zeros((len(numbers), len(DOES)), np.float32)
    order = np.argsort(questions.lengths[numbers])
    for start in range(0, len(order), 1024):
        part = order[start : start + 1024]
        with halved():
            out[part] = model.eval()(*questions.batch(numbers[part])).float().softmax(-1).cpu().numpy()
    return out


def learn(args: argparse.Namespace) -> None:
    rows, test, _ = split(args)
    written = [Pair(row, *one) for row in rows for one in row.held]
    made = [Pair(row, *pair) for seed in (1, 2) for row, pair in pairs.made(rows, seed)]
    open_ones = list(unlabelled(rows, args.seed))
    open_ones = random.Random(args.seed).sample(open_ones, min(UNLABELLED, len(open_ones)))
    tried = [Pair(row, *one) for row in test for one in row.held]
    questions = Questions([*written, *made, *open_ones, *tried, *map(lowered, written)])
    ends = np.cumsum([len(written), len(made), len(open_ones), len(tried)])
    of_written, of_made, of_open, of_tried, in_small = np.split(np.arange(ends[-1] + len(written)), ends)
    log(event="effects", written=len(written), made=len(made), unlabelled=len(open_ones))

    def fitted(
        model: network.Judge, parts: Sequence[tuple[np.ndarray, np.ndarray, float]], seed: int, epochs: int, rate: float
    ) -> network.Judge:
        """A network that learnt from questions, what is said of them, and how much each part counts."""
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        numbers = np.concatenate([part for part, _, _ in parts])
        wanted = torch.from_numpy(np.concatenate([what for _, what, _ in parts]).astype(np.float32)).to(DEVICE)
        counts = torch.from_numpy(np.concatenate([np.full(len(part), much) for part, _, much in parts])).to(DEVICE)
        groups: list[np.ndarray] = []
        for _ in range(epochs):
            order, epoch = rng.permutation(len(numbers)), list[np.ndarray]()
            for start in range(0, len(order), BATCH * 30):
                part = order[start : start + BATCH * 30]
                part = part[np.argsort(questions.lengths[numbers[part]])]
                epoch += [part[k : k + BATCH] for k in range(0, len(part), BATCH)]
            rng.shuffle(epoch)
            groups += epoch
        optimiser, plan = optimiser_for(model, rate, 4 * rate, len(groups))
        model.train()
        for part in groups:
            asked = numbers[part]
            small = (asked < len(written)) & (rng.random(len(asked)) < LOWERED)
            asked[small] = in_small[asked[small]]
            with halved():
                likely = model(*questions.batch(asked)).float().log_softmax(-1)
            loss = -((wanted[part] * likely).sum(1) * counts[part]).sum() / counts[part].sum()
            stepped(model, optimiser, plan, loss)
        return model.eval()

    def begun() -> network.Judge:
        return started(network.Judge(VOCABULARY, LAYERS, len(DOES)), args.start)

    def figures(name: str, model: network.Judge) -> None:
        log(event=name, **pair_figures([pair.does or "" for pair in tried], said(model, questions, of_tried)))

    epochs = args.judge_epochs
    labels, plain = hard(written), hard(made)
    folds = np.array([share(pair.row.id) % args.folds for pair in written])
    folds_made = np.array([share(pair.row.id) % args.folds for pair in made])
    others = np.zeros_like(labels)
    for fold_number in range(args.folds):
        own, rest, rest_made = folds == fold_number, folds != fold_number, folds_made != fold_number
        parts = [(of_written[rest], labels[rest], 3.0), (of_made[rest_made], plain[rest_made], 1.0)]
        model = fitted(begun(), parts, 80 + fold_number, epochs, 1e-4)
        others[own] = said(model, questions, of_written[own])
    soft = (1 - TRUST) * labels + TRUST * others
    members = [
        fitted(begun(), [(of_written, soft, 3.0), (of_made, plain, 1.0)], 70 + n, epochs, 1e-4) for n in range(3)
    ]
    of_them = [np.mean([said(one, questions, part) for one in members], 0) for part in (of_made, of_open)]
    parts = [(of_written, soft, 3.0), (of_made, (plain + of_them[0]) / 2, 0.5), (of_open, of_them[1], 1.0)]
    model = fitted(begun(), parts, 91, epochs, 1e-4)
    figures("effects, before labels alone", model)
    soft = (1 - TRUST_AT_LAST) * labels + TRUST_AT_LAST * others
    states = [fitted(copy.deepcopy(model), [(of_written, soft, 1.0)], 95 + n, 3, 6e-5).state_dict() for n in range(3)]
    model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
    figures("effects", model)
    kept(model, args.out.with_suffix(".pt"))
