"""Trains the reader on a GPU, in some 25 minutes:

    python -m reader.train all --out made/run

Words first, then a committee of taggers and one a fold; a student of them all, and a judge of what the folds claim; both
go on with labels alone, several times from there, and the mean of those is what is kept; beside them a judge of what
messages do to something known (`effects`). Each runs in a process of its own, several at a time, and prints lines of JSON
with figures; a run that was cut short goes on where it stopped.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from relembra.minds.offline.wordpiece import shipped_wordpiece
from relembra.minds.reader.facts import clues
from relembra.minds.reader.networks import (
    BEGINS,
    CHANGED,
    LONGEST,
    NAMED,
    STATUSES,
    TIME,
    Question,
    Span,
    Speaker,
    Tagged,
    about_value,
    pieces_of,
    shape_of,
    spans_of,
    words_of,
)

from . import network
from .examples import Label, Row, read, unlabelled
from .score import Candidate, calibration_error, curve, fitted, same_person, same_value, weighed
from .talk import real

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "src/relembra/minds/offline/model"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CUTTER = shipped_wordpiece()
VOCABULARY = len(CUTTER.vocabulary)
TAGGER, JUDGE = ["--layers", "6"], ["--layers", "3"]  # what ships: a judge is asked several times a message
SOFT = 0.5  # how much a student learns what other taggers say of a labelled message, beside its labels


def log(**values: object) -> None:
    print(json.dumps(values), flush=True)


def halved() -> torch.autocast:
    """Sixteen bits where the machine has a GPU for them."""
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


def share(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16)


# ---- words


def packed(lines: Sequence[str], length: int) -> np.ndarray:
    """Lines one after another in rows of one length, with the shape of each piece above them."""
    ids, shapes = [], []
    for line in lines:
        for word in words_of(line):
            own = CUTTER.chunk_ids(word.text) or (CUTTER.unknown,)
            ids += own
            shapes += [shape_of(word.text)] * len(own)
        ids.append(CUTTER.end)
        shapes.append(0)
    count = len(ids) // length
    return np.array([ids[: count * length], shapes[: count * length]], dtype=np.int32).reshape(2, count, length)


def learn_words(args: argparse.Namespace) -> None:
    """Masked pieces over unlabelled talk and the messages themselves."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    lines = []
    for path in sorted(args.talk.glob("talk.*.txt.gz")):
        own = gzip.decompress(path.read_bytes()).decode().splitlines()
        lines += own * (2 if ".pt." in path.name else 1)
    lines += [row.text for row in read(args.messages)] * 3
    random.Random(args.seed).shuffle(lines)
    table = torch.from_numpy(packed(lines, 128)).to(DEVICE)
    encoder = network.Encoder(VOCABULARY, args.layers)
    network.start_from(encoder, network.embedder_weights(MODEL / "model-int8.onnx"))
    model = network.Masked(encoder).to(DEVICE)
    learning = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=args.rate, weight_decay=0.01, fused=DEVICE == "cuda")
    begun, step, mean = time.time(), 0, 0.0
    masked = CUTTER.vocabulary["[MASK]"]
    log(event="words", pieces=int(table[0].numel()), prepared=round(time.time() - args.begun))
    while (gone := (time.time() - begun) / (60 * args.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, step / 300) * (1 - gone)
        rows = torch.from_numpy(rng.integers(0, table.shape[1], args.batch)).to(DEVICE)
        ids, shapes = table[0, rows].long(), table[1, rows].long()
        roll = torch.rand(ids.shape, device=DEVICE)
        where = (roll < 0.2) & (ids != CUTTER.end)
        seen = torch.where(where & (roll < 0.17), masked, ids)
        seen = torch.where(where & (roll >= 0.185), torch.randint_like(ids, 1000, VOCABULARY), seen)
        with halved():
            loss = F.cross_entropy(model(seen, torch.where(where, 0, shapes), where).float(), ids[where])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        step += 1
        if step % 100 == 0:
            mean = loss.item()
        if step % 2000 == 0:
            log(step=step, loss=round(mean, 3), gone=round(gone, 2))
    log(event="words done", steps=step, loss=round(mean, 3), layers=args.layers)
    torch.save(
        {n: t.half() for n, t in encoder.state_dict().items() if n != "words.weight"}, args.out.with_suffix(".pt")
    )


# ---- batches


class Batches(Dataset):
    """Every batch of a training, in order; a worker makes batch n from its examples with its own random numbers."""

    def __init__(self, examples: Sequence[Any], size_of: Callable[[Any], int], make: Callable, args: Any, epochs: int):
        self.examples, self.make, self.seed = examples, make, args.seed
        self.groups: list[list[int]] = []
        rng = random.Random(args.seed)
        sizes = [size_of(x) for x in examples]
        for _ in range(epochs):
            order = list(range(len(examples)))
            rng.shuffle(order)
            groups = []
            for start in range(0, len(order), args.batch * 20):
                part = sorted(order[start : start + args.batch * 20], key=sizes.__getitem__)
                groups += [part[k : k + args.batch] for k in range(0, len(part), args.batch)]
            rng.shuffle(groups)
            self.groups += groups

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: int) -> Any:
        rng = random.Random(self.seed * 1_000_003 + number)
        return self.make([self.examples[n] for n in self.groups[number]], rng)

    def loaded(self, workers: int) -> Iterator[Any]:
        torch.multiprocessing.set_sharing_strategy("file_system")
        more = {"prefetch_factor": 8} if workers else {}
        return iter(DataLoader(self, batch_size=None, num_workers=workers, **more))


def there(tensors: Any) -> Any:
    """The same tensors on the device."""
    if isinstance(tensors, dict):
        return {k: there(v) for k, v in tensors.items()}
    if isinstance(tensors, Tensor):
        return tensors.to(DEVICE, non_blocking=True)
    return type(tensors)(there(x) for x in tensors)


def stepped(model: torch.nn.Module, optimiser: torch.optim.Optimizer, plan: Any, loss: Tensor) -> None:
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    plan.step()


def optimiser_for(model: torch.nn.Module, rate: float, head_rate: float, steps: int) -> tuple[Any, Any]:
    inside = [p for n, p in model.named_parameters() if n.startswith("encoder.") and p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    groups = [{"params": inside, "lr": rate}, {"params": heads, "lr": head_rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / (0.1 * steps + 1)) * max(0.02, 1 - s / steps)
    )
    return optimiser, plan


def started(model: torch.nn.Module, start: Path | None) -> torch.nn.Module:
    """A network that begins with the embedder's weights, an encoder's that learnt words, or a whole one's of its kind."""
    network.start_from(model.encoder, network.embedder_weights(MODEL / "model-int8.onnx"))
    if start:
        state = {n: t.float() for n, t in torch.load(start, map_location="cpu").items()}
        inside = {n.removeprefix("encoder."): t for n, t in state.items() if n.startswith("encoder.")}
        network.start_from(model.encoder, inside or state)
        if inside:
            model.load_state_dict({n: t for n, t in state.items() if not n.startswith("encoder.")}, strict=False)
    return model.to(DEVICE)


def kept(model: torch.nn.Module, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({n: t.half() for n, t in model.state_dict().items() if n != "encoder.words.weight"}, path)


def restored(path: Path) -> Any:
    """The tagger or judge in a file, with as many layers as it has."""
    state = torch.load(path, map_location="cpu")
    layers = 1 + max(int(n.split(".")[2]) for n in state if n.startswith("encoder.layers."))
    is_tagger = "tags.weight" in state
    model = (
        network.Tagger(VOCABULARY, len(state["tags.weight"]), layers)
        if is_tagger
        else network.Judge(VOCABULARY, layers, len(state["answer.4.bias"]))
    )
    return started(model, path).eval()


def averaged(paths: Sequence[Path], out: Path) -> None:
    """The mean of networks that went on from one start; it reads like all of them together."""
    states = [torch.load(path, map_location="cpu") for path in paths]
    torch.save({n: (sum(s[n].float() for s in states) / len(states)).half() for n in states[0]}, out)


# ---- tags


def shortened(row: Row) -> Row:
    """A row that fits: words are dropped from the front of the turns before it, then from its end."""
    while len(pieces_of(row.words, CUTTER).ids) > LONGEST:
        if row.first > 0:
            cut = min(row.first, 12)
            labels = [moved(x, -cut) for x in row.labels if x.start >= cut]
            row = replace(row, words=row.words[cut:], labels=tuple(labels))
        else:
            end = len(row.words) - 12
            row = replace(row, words=row.words[:end], labels=tuple(x for x in row.labels if x.end <= end))
    return row


def moved(label: Label, by: int) -> Label:
    def shift(pair: tuple[int, int] | None) -> tuple[int, int] | None:
        return (pair[0] + by, pair[1] + by) if pair and pair[0] + by >= 0 else None

    return replace(
        label, start=label.start + by, end=label.end + by, subject=shift(label.subject), when=shift(label.when)
    )


def varied(row: Row, rng: random.Random) -> Row:
    """The same message as another hand might type it: no capitals, a slip, without the turns before."""
    words = list(row.words)
    if (
        row.first
        and rng.random() < 0.15
        and all(x.start >= row.first and (x.subject or (row.first,))[0] >= row.first for x in row.labels)
    ):
        cut = row.first
        soft = None if row.soft is None else row.soft[cut:]
        row = replace(row, words=tuple(words[cut:]), labels=tuple(moved(x, -cut) for x in row.labels), soft=soft)
        words = list(row.words)
    if rng.random() < 0.25:
        words = [replace(w, text=w.text.lower()) for w in words]
    if rng.random() < 0.15:
        at = rng.randrange(len(words))
        text = words[at].text
        if len(text) > 3 and text.isalpha():
            k = rng.randrange(1, len(text) - 1)
            slips = text[:k] + text[k + 1 :], text[:k] + text[k + 1] + text[k] + text[k + 2 :], text[: k + 1] + text[k:]
            words[at] = replace(words[at], text=rng.choice(slips))
    return replace(row, words=tuple(words))


def targets(row: Row, tags: dict[str, int], firsts: list[int], length: int) -> dict[str, np.ndarray]:
    """What each head should say at the first piece of each word; weight 0 where anything goes."""
    y = np.zeros((length, len(tags)), np.float32)
    weight = np.zeros((length, len(tags)), np.float32)
    weight[firsts] = 1
    status = np.full(length, -1, np.int64)
    marks = np.zeros((length, 4), np.float32)
    marked = np.zeros((length, 4), np.float32)
    marked[firsts, TIME:] = 1
    about = np.full(length, -1, np.int64)
    for x in row.labels:
        for n in range(x.start, x.end):
            at = firsts[n]
            y[at, tags[x.tag]] = 1
            weight[at, tags[x.tag]] = 0.5 if x.optional else 1
            for other in x.others:
                if other in tags and not y[at, tags[other]]:
                    weight[at, tags[other]] = 0
            status[at] = STATUSES.index(x.status)
            marks[at, [BEGINS, CHANGED]] = (n == x.start, x.changed)
            marked[at, [BEGINS, CHANGED]] = 1
            about[at] = firsts[x.subject[0]] if x.subject else 0
        for n in range(*(x.when or (0, 0))):
            marks[firsts[n], TIME] = 1
        for n in range(*(x.subject or (0, 0))):
            marks[firsts[n], NAMED] = 1
    if row.soft is not None:
        share = 1.0 if row.kind == "unlabelled" else SOFT
        y[firsts] = (1 - share) * y[firsts] + share * row.soft
    if row.kind == "unlabelled":
        marked[:] = 0
    return {"y": y, "weight": weight, "status": status, "marks": marks, "marked": marked, "about": about}


def row_batch(rows: Sequence[Row], tags: dict[str, int] | None) -> tuple[list[Tensor], dict[str, Tensor], list]:
    parts = [pieces_of(r.words, CUTTER) for r in rows]
    inputs = [network.stacked([getattr(p, k) for p in parts]) for k in ("ids", "shapes", "speakers")]
    wanted: dict[str, Tensor] = {}
    if tags is not None:
        each = [targets(r, tags, p.firsts, inputs[0].shape[1]) for r, p in zip(rows, parts, strict=True)]
        wanted = {k: torch.from_numpy(np.stack([e[k] for e in each])) for k in each[0]}
        wanted["message"] = torch.tensor([[bool(r.labels), turns(r)] for r in rows], dtype=torch.float)
        wanted["sure"] = torch.tensor([sure(r) for r in rows])
        wanted["mood"] = torch.tensor([r.mood for r in rows])
    return inputs, wanted, [p.firsts for p in parts]


def sure(row: Row) -> tuple[float, float]:
    """How much it counts whether a message holds something, and whether it turns something."""
    if row.kind == "unlabelled":
        return 0.0, 0.0
    return float(not row.labels or any(not x.optional for x in row.labels)), 1.0 if row.held else 0.3


def turns(row: Row) -> bool:
    """Whether a message ends or changes something that may be known."""
    return row.kind == "change" or any(does in ("replaces", "ends") for _, does in row.held)


def tagger_loss(said: dict[str, Tensor], wanted: dict[str, Tensor], there: Tensor) -> Tensor:
    def binary(x: Tensor, y: Tensor, weight: Tensor, positive: float = 1.0) -> Tensor:
        each = F.binary_cross_entropy_with_logits(
            x.float(), y, reduction="none", pos_weight=torch.tensor(positive, device=x.device)
        )
        return (each * weight).sum() / weight.sum().clamp(min=1)

    tags = binary(said["tags"], wanted["y"], wanted["weight"], 3.0) * wanted["y"].shape[-1]
    status = F.cross_entropy(said["status"].float().flatten(0, 1), wanted["status"].flatten(), ignore_index=-1)
    marks = binary(said["marks"], wanted["marks"], wanted["marked"])
    about = said["about"].float().masked_fill(~there[:, None, :], -1e4)
    about = F.cross_entropy(about.flatten(0, 1), wanted["about"].flatten(), ignore_index=-1)
    message = binary(said["message"], wanted["message"], wanted["sure"])
    mood = F.cross_entropy(said["mood"].float(), wanted["mood"], ignore_index=-1)
    few = torch.nan_to_num(status) + torch.nan_to_num(about) + torch.nan_to_num(mood)
    return tags + marks + 0.3 * few + 0.5 * message


def fit_tagger(rows: Sequence[Row], tags: dict[str, int], args: argparse.Namespace) -> network.Tagger:
    torch.manual_seed(args.seed)

    def make(group: list[Row], rng: random.Random) -> Any:
        return row_batch([varied(r, rng) for r in group], tags)[:2]

    data = Batches(rows, lambda r: len(r.words), make, args, args.epochs)
    model = started(network.Tagger(VOCABULARY, len(tags), args.layers), args.start)
    optimiser, plan = optimiser_for(model, args.rate, args.head_rate, len(data))
    model.train()
    for step, made in enumerate(data.loaded(args.workers)):
        inputs, wanted = there(made)
        with halved():
            said = model(*inputs)
        loss = tagger_loss(said, wanted, inputs[0] != 0)
        stepped(model, optimiser, plan, loss)
        if step % 200 == 0:
            log(step=step, of=len(data), loss=round(loss.item(), 3), seconds=round(time.time() - args.begun))
    return model.eval()


@torch.no_grad()
def tagged(model: network.Tagger, rows: Sequence[Row], size: int = 128) -> list[Tagged]:
    out: dict[int, Tagged] = {}
    order = sorted(range(len(rows)), key=lambda n: len(rows[n].words))
    for k in range(0, len(order), size):
        part = order[k : k + size]
        inputs, _, firsts = row_batch([rows[n] for n in part], None)
        inputs = there(inputs)
        said = {name: x.float() for name, x in model(*inputs).items()}
        about = said["about"].masked_fill(~(inputs[0] != 0)[:, None, :], -1e4)
        for at, n in enumerate(part):
            own = torch.tensor(firsts[at], device=DEVICE)
            columns = torch.cat([torch.zeros(1, dtype=torch.long, device=DEVICE), own])
            out[n] = Tagged(
                said["tags"][at, own].sigmoid().cpu().numpy(),
                said["status"][at, own].softmax(-1).cpu().numpy(),
                said["marks"][at, own].sigmoid().cpu().numpy(),
                about[at][own][:, columns].softmax(-1).cpu().numpy(),
                *said["message"][at].sigmoid().tolist(),
                tuple(said["mood"][at].softmax(-1).tolist()),
            )
    return [out[n] for n in range(len(rows))]


def mean_of(many: Sequence[Sequence[Tagged]]) -> list[Tagged]:
    def mean(same: Sequence[Tagged], name: str) -> np.ndarray:
        return np.mean([getattr(x, name) for x in same], axis=0)

    names = ("tags", "status", "marks", "about", "worth", "turns", "mood")
    return [Tagged(*(mean(same, k) for k in names)) for same in zip(*many, strict=True)]


# ---- judge


def question(row: Row, span: Span) -> Question:
    return about_value(row.words, (span.start, span.end), span.tag, span.status, span.person, CUTTER)


def is_right(row: Row, span: Span) -> float:
    """1 where a label says the same of the same person, 0.5 where only the attribute is another."""
    near = [x for x in row.labels if same_value(span, x, row) and same_person(row, span.person, x.subject)]
    if any(span.tag == x.tag or span.tag in x.others for x in near):
        return 1.0
    return 0.5 if near else 0.0


def spoilt(row: Row, rng: random.Random, names: Sequence[str]) -> Iterator[Span]:
    """Labels as they are, and with a wrong person or attribute."""
    people_here = {x.subject for x in row.labels} | {None}
    for x in row.labels:
        true = Span(x.start, x.end, x.tag, x.status, x.subject, 1.0, 1.0)
        yield true
        for other in people_here - {x.subject}:
            if x.tag != "relation" or other:
                yield replace(true, person=other)
        if rng.random() < 0.3:
            yield replace(true, tag=rng.choice(names))


def stacked_questions(asked: Sequence[Question]) -> list[Tensor]:
    return [network.stacked([getattr(q, k) for q in asked]) for k in ("ids", "shapes", "speakers", "marks")]


def fit_judge(examples: Sequence[tuple[Row, Span]], args: argparse.Namespace) -> network.Judge:
    """Examples are rows with a span each to verify."""
    torch.manual_seed(args.seed)

    def make(group: list, rng: random.Random) -> Any:
        asked = []
        for row, span in group:
            if rng.random() < 0.2:
                row = replace(row, words=tuple(replace(w, text=w.text.lower()) for w in row.words))
            asked.append(question(row, span))
        return stacked_questions(asked), torch.tensor([is_right(row, span) for row, span in group])

    data = Batches(examples, lambda x: len(x[0].words), make, args, args.judge_epochs)
    model = started(network.Judge(VOCABULARY, args.layers, 1), args.start)
    optimiser, plan = optimiser_for(model, args.rate * 0.7, args.head_rate, len(data))
    model.train()
    for step, made in enumerate(data.loaded(args.workers)):
        inputs, right = there(made)
        with halved():
            likely = model(*inputs).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(likely.float(), right)
        stepped(model, optimiser, plan, loss)
        if step % 200 == 0:
            log(step=step, of=len(data), loss=round(loss.item(), 3), seconds=round(time.time() - args.begun))
    return model.eval()


@torch.no_grad()
def judged(model: network.Judge, asked: Sequence[Question], size: int = 256) -> np.ndarray:
    """How likely each is right."""
    right = np.zeros(len(asked))
    order = sorted(range(len(asked)), key=lambda n: len(asked[n].ids))
    for k in range(0, len(order), size):
        part = order[k : k + size]
        right[part] = model(*there(stacked_questions([asked[n] for n in part]))).squeeze(-1).float().sigmoid().cpu()
    return right


def verified(
    judge: network.Judge, rows: Sequence[Row], said: Sequence[Tagged], names: Sequence[str]
) -> list[list[Candidate]]:
    """Every span with the person it is likeliest about, and what speaks for that."""
    asked = [
        (n, k, replace(span, person=who), share)
        for n, (row, tagged) in enumerate(zip(rows, said, strict=True))
        for k, span in enumerate(spans_of(row.words, tagged, names))
        for who, share in span.persons
    ]
    right = judged(judge, [question(rows[n], span) for n, _, span, _ in asked])
    best: dict[tuple[int, int], Candidate] = {}
    for (n, k, span, share), likely in zip(asked, right, strict=True):
        is_earlier = rows[n].words[span.start].speaker is not Speaker.NOW
        found = clues(span, right=float(likely), share=share, worth=said[n].worth, is_earlier=is_earlier)
        if (n, k) not in best or found[0] + 0.3 * found[3] > best[n, k].clues[0] + 0.3 * best[n, k].clues[3]:
            best[n, k] = Candidate(span, found)
    out: list[list[Candidate]] = [[] for _ in rows]
    for (n, _), one in best.items():
        out[n].append(one)
    return out


# ---- commands


def split(args: argparse.Namespace) -> tuple[list[Row], list[Row], list[str]]:
    """Rows to learn from, rows held out, and the names of all tags."""
    rows = [shortened(r) for r in (*read(args.messages), *real(HERE / "real", args.talk))]
    held_out = set(args.hold.split(","))
    train = [r for r in rows if r.author not in held_out]
    train = sorted(train, key=lambda r: share(r.id + "part"))[: round(len(train) * args.part)]
    return train, [r for r in rows if r.author in held_out], sorted({x.tag for r in rows for x in r.labels})


def learn_tagger(args: argparse.Namespace) -> None:
    """One tagger on all rows, or on all but a fold, and what it says of the rows it did not learn from."""
    train, test, names = split(args)
    if args.fold is not None:
        test = [r for r in train if share(r.id) % args.folds == args.fold]
        train = [r for r in train if share(r.id) % args.folds != args.fold]
    model = fit_tagger(train, {n: k for k, n in enumerate(names)}, args)
    kept(model, args.out.with_suffix(".pt"))
    (args.out.parent / "tags.txt").write_text(" ".join(names))
    said = dict(zip([r.id for r in test], tagged(model, test), strict=True))
    args.out.with_suffix(".said").write_bytes(pickle.dumps(said))
    if args.fold is None:
        felt = [(r.mood, int(np.argmax(said[r.id].mood))) for r in test if r.mood >= 0]
        log(event="moods", of=len(felt), right=round(sum(a == b for a, b in felt) / max(1, len(felt)), 3))


def learn_student(args: argparse.Namespace) -> None:
    """One tagger taught by labels, by taggers of other folds, and by the committee on unlabelled talk."""
    train, test, names = split(args)
    folds = said_by(sorted(args.out.parent.glob("fold*.said")))
    rows = [replace(r, soft=folds[r.id][0].tags) if r.id in folds else r for r in train]
    lines = []
    for path in sorted(args.talk.glob("talk.*.txt.gz")):
        own = [x for x in gzip.decompress(path.read_bytes()).decode().splitlines() if 4 <= len(x.split()) <= 60]
        lines += random.Random(args.seed).sample(own, min(len(own), args.unlabelled // 2))
    talk = [r for n, line in enumerate(lines) if (r := unlabelled(line, f"talk-{n}")).words]
    if talk:
        members = sorted(args.out.parent.glob("member*.pt"))
        said = [tagged(restored(p), talk) for p in members]
        rows += [replace(r, soft=s.tags) for r, s in zip(talk, mean_of(said), strict=True)]
    log(event="student", rows=len(rows), unlabelled=len(talk))
    model = fit_tagger(rows, {n: k for k, n in enumerate(names)}, args)
    kept(model, args.out.with_suffix(".pt"))
    args.out.with_suffix(".said").write_bytes(
        pickle.dumps({r.id: s for r, s in zip(test, tagged(model, test), strict=True)})
    )


def said_by(paths: Sequence[Path]) -> dict[str, list[Tagged]]:
    out: dict[str, list[Tagged]] = {}
    for path in paths:
        for id, said in pickle.loads(path.read_bytes()).items():
            out.setdefault(id, []).append(said)
    return out


def learn_judge(args: argparse.Namespace) -> None:
    """A judge of values: those of the labels, right and spoilt, and what taggers of the folds claim."""
    train, _, names = split(args)
    rng = random.Random(args.seed)
    folds = said_by(sorted(args.out.parent.glob("fold*.said")))
    examples = [(r, x) for r in train for x in spoilt(r, rng, names)]
    for row in train:
        for said in folds.get(row.id, []):
            for span in spans_of(row.words, said, names):
                examples += [(row, replace(span, person=who)) for who, _ in span.persons[:3]]
    log(event="judge", examples=len(examples))
    kept(fit_judge(examples, args), args.out.with_suffix(".pt"))


def learn_effects(args: argparse.Namespace) -> None:
    """A judge of what messages do to something known."""
    from . import effects

    effects.learn(args)


def measure(args: argparse.Namespace) -> None:
    """What the tagger and the judge in a folder make of the rows held out; how much each clue counts goes beside them."""
    _, test, names = split(args)
    judge = restored(args.out / "judge.pt")
    found = verified(judge, test, tagged(restored(args.out / "tagger.pt"), test), names)
    sure = weighed(test, found)
    report("tagger and judge", test, sure)
    log(event="calibration", error=round(calibration_error(test, sure), 3))
    (args.out / "certainty.txt").write_text(" ".join(f"{w:.4f}" for w in fitted(test, found)))


def report(name: str, test: Sequence[Row], each: Sequence[Sequence[Candidate]]) -> None:
    parts = {"pt": "pt", "en": "en", "both": ("pt", "en"), "real": "real"}
    for part, start in parts.items():
        chosen = [
            (r, c)
            for r, c in zip(test, each, strict=True)
            if ("real" if r.id.startswith("real-") else r.lang).startswith(start)
        ]
        log(event=name, part=part, curve=curve([r for r, _ in chosen], [c for _, c in chosen]))


def learn_all(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    words6, words12 = (["--start", f"{args.out}/words{n}.pt"] for n in (6, 12))
    gently = ["--rate", "6e-5", "--head-rate", "2e-4"]
    many = ["--batch", "128", "--workers", "5"]
    stages: list[list[list[str]]] = [
        [["words", "--layers", f"{n}", "--batch", "256", "--rate", "5e-4", "--out", f"words{n}"] for n in (6, 12)],
        [
            *(["tagger", "--fold", f"{k}", *words6, "--seed", f"5{k}", "--out", f"fold{k}"] for k in range(args.folds)),
            *(["tagger", "--layers", "12", *words12, "--seed", f"{k}", "--out", f"member{k}"] for k in (3, 4)),
            *(["tagger", *words6, "--seed", f"{k}", "--out", f"member{k}"] for k in (1, 2)),
        ],
        [
            ["student", *TAGGER, *words6, "--epochs", "10", "--seed", "91", "--workers", "3", "--out", "student"],
        ],
        [
            ["judge", *JUDGE, *words6, *many, "--rate", "1.5e-4", "--seed", "1", "--out", "first-judge"],
            ["effects", "--start", f"{args.out}/student.pt", "--seed", "1", "--out", "effects"],
            *(
                [
                    *("tagger", *TAGGER, *gently, "--start", f"{args.out}/student.pt", "--epochs", "8"),
                    *("--seed", f"7{k}", "--out", f"tagger{k}"),
                ]
                for k in range(3)
            ),
        ],
        [
            [
                *("judge", *JUDGE, *gently, *many, "--start", f"{args.out}/first-judge.pt", "--judge-epochs", "2"),
                *("--seed", f"8{k}", "--out", f"judge{k}"),
            ]
            for k in range(3)
        ],
    ]

    def run(own: list[str]) -> None:
        name = own[-1]
        if (args.out / f"{name}.pt").exists():  # done in a run that was cut short
            return
        told = args.out / f"{name}.log"
        command = [sys.executable, "-m", "reader.train", own[0], *sys.argv[2:], *own[1:-1], f"{args.out}/{name}"]
        with told.open("w") as log_file:
            if subprocess.run(command, stdout=log_file, stderr=subprocess.STDOUT, check=False).returncode:
                raise SystemExit(f"{own} failed: {told.read_text()[-2000:]}")

    for stage in stages:
        with ThreadPoolExecutor(args.at_once) as pool:
            list(pool.map(run, stage))
        log(event="stage done", of=[own[-1] for own in stage], seconds=round(time.time() - args.begun))
    for name in ("tagger", "judge"):
        averaged(sorted(args.out.glob(f"{name}?.pt")), args.out / f"{name}.pt")
    measure(args)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["words", "all", "tagger", "student", "judge", "effects", "measure"])
    parser.add_argument("--messages", type=Path, default=HERE / "messages")
    parser.add_argument("--talk", type=Path, default=HERE.parent / "made/reader")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, default=HERE.parent / "made/run")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=2.2)
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--judge-epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=5e-4)
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--hold", default="pt07,en07,pt18,en18,pt42,en42,pt4,en4")
    parser.add_argument("--fold", type=int)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--unlabelled", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=7)
    parser.add_argument("--workers", type=int, default=min(3, (os.cpu_count() or 1) // 4))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.begun = time.time()
    torch.set_num_threads(2)
    doing = {
        "words": learn_words,
        "all": learn_all,
        "tagger": learn_tagger,
        "student": learn_student,
        "judge": learn_judge,
        "effects": learn_effects,
        "measure": measure,
    }
    doing[args.what](args)


if __name__ == "__main__":
    main()
