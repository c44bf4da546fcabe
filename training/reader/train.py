"""Trains the reader on a GPU: words first, then tags, then a verifier on the tagger's own candidates.

    python -m reader.train words --minutes 3 --layers 6 --out W.pt
    python -m reader.train tags --start W.pt --hold pt07,en07 --out T.pt

Each command prints one line of JSON with its figures.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from . import network
from .examples import STATUSES, Label, Row, Word, read, words_of
from .score import Candidate, curve, same_person, same_value

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "src/relembra/minds/offline/model"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PIECES = network.Pieces(MODEL / "vocab.txt")
STOPS = frozenset(
    [
        "a",
        "o",
        "as",
        "os",
        "um",
        "uma",
        "de",
        "do",
        "da",
        "dos",
        "das",
        "em",
        "no",
        "na",
        "nos",
        "nas",
        "e",
        "que",
        "the",
        "an",
        "of",
        "in",
        "at",
        "to",
        "and",
        "for",
        "my",
        "meu",
        "minha",
        "com",
        "por",
        "para",
        "pra",
        "i",
        "eu",
        "it",
    ]
)


def log(**values: object) -> None:
    print(json.dumps(values), flush=True)


def share(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16)


# ---- words


def packed(lines: Sequence[str], length: int) -> np.ndarray:
    """Lines one after another in rows of one length, with the shape of each piece above them."""
    ids, shapes = [], []
    for line in lines:
        for word in words_of(line):
            own = PIECES.of(word.text)
            ids += own
            shapes += [network.shape_of(word.text)] * len(own)
        ids.append(PIECES.stop)
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
    encoder = network.Encoder(len(PIECES), args.layers)
    network.start_from(encoder, network.embedder_weights(MODEL / "model-int8.onnx"))
    model = network.Masked(encoder).to(DEVICE)
    learning = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=args.rate, weight_decay=0.01, fused=DEVICE == "cuda")
    begun, step, mean, size = time.time(), 0, 0.0, args.batch
    log(event="words", pieces=int(table[0].numel()), prepared=round(time.time() - args.begun))
    while (gone := (time.time() - begun) / (60 * args.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, step / 300) * (1 - gone)
        rows = torch.from_numpy(rng.integers(0, table.shape[1], size)).to(DEVICE)
        ids, shapes = table[0, rows].long(), table[1, rows].long()
        roll = torch.rand(ids.shape, device=DEVICE)
        where = (roll < 0.2) & (ids != PIECES.stop)
        seen = torch.where(where & (roll < 0.17), PIECES.masked, ids)
        seen = torch.where(where & (roll >= 0.185), torch.randint_like(ids, 1000, len(PIECES)), seen)
        with torch.autocast(DEVICE, torch.bfloat16):
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
    torch.save({n: t.half() for n, t in encoder.state_dict().items() if n != "words.weight"}, args.out)


# ---- tags


def flat(words: Sequence[Word]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Pieces, shapes, speakers, and the first piece of each word; a start before them, a stop after."""
    ids, shapes, speakers, firsts = [PIECES.start], [0], [0], []
    for word in words:
        own = PIECES.of(word.text)
        firsts.append(len(ids))
        ids += own
        shapes += [network.shape_of(word.text)] * len(own)
        speakers += [word.speaker] * len(own)
    return [*ids, PIECES.stop], [*shapes, 0], [*speakers, 0], firsts


def shortened(row: Row) -> Row:
    """A row that fits: words are dropped from the front of the turns before it, then from its end."""
    while len(flat(row.words)[0]) > network.LENGTH:
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


KEYS = "qwertyuiopasdfghjklzxcvbnm"


def varied(row: Row, rng: random.Random) -> Row:
    """The same message as another hand might type it: no capitals, a slip, without the turns before."""
    words = list(row.words)
    if (
        row.first
        and rng.random() < 0.15
        and all(x.start >= row.first and (x.subject or (row.first,))[0] >= row.first for x in row.labels)
    ):
        cut = row.first
        row = replace(row, words=tuple(words[cut:]), labels=tuple(moved(x, -cut) for x in row.labels))
        words = list(row.words)
    if rng.random() < 0.25:
        words = [replace(w, text=w.text.lower()) for w in words]
    if rng.random() < 0.15:
        at = rng.randrange(len(words))
        text = words[at].text
        if len(text) > 3 and text.isalpha():
            k = rng.randrange(1, len(text) - 1)
            slip = rng.choice(
                [
                    text[:k] + text[k + 1 :],
                    text[:k] + text[k + 1] + text[k] + text[k + 2 :],
                    text[:k] + text[k] + text[k:],
                ]
            )
            words[at] = replace(words[at], text=slip)
    return replace(row, words=tuple(words))


def targets(row: Row, tags: dict[str, int], firsts: list[int], length: int) -> dict[str, np.ndarray]:
    """What each head should say at the first piece of each word; weight 0 where anything goes."""
    y = np.zeros((length, len(tags)), np.float32)
    weight = np.zeros((length, len(tags)), np.float32)
    weight[firsts] = 1
    status = np.full(length, -1, np.int64)
    marks = np.zeros((length, 4), np.float32)
    marked = np.zeros((length, 4), np.float32)
    marked[firsts, 2:] = 1
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
            marks[at, :2] = (n == x.start, x.changed)
            marked[at, :2] = 1
            about[at] = firsts[x.subject[0]] if x.subject else 0
        for n in range(*(x.when or (0, 0))):
            marks[firsts[n], 2] = 1
        for n in range(*(x.subject or (0, 0))):
            marks[firsts[n], 3] = 1
    return {"y": y, "weight": weight, "status": status, "marks": marks, "marked": marked, "about": about}


def batch(
    rows: Sequence[Row], tags: dict[str, int] | None = None
) -> tuple[tuple[Tensor, ...], dict[str, Tensor], list[list[int]]]:
    parts = [flat(r.words) for r in rows]
    inputs = tuple(network.stacked([p[k] for p in parts], DEVICE) for k in range(3))
    wanted: dict[str, Tensor] = {}
    if tags is not None:
        length = inputs[0].shape[1]
        each = [targets(r, tags, p[3], length) for r, p in zip(rows, parts, strict=True)]
        wanted = {k: torch.from_numpy(np.stack([e[k] for e in each])).to(DEVICE) for k in each[0]}
        wanted["worth"] = torch.tensor([float(bool(r.labels)) for r in rows], device=DEVICE)
        wanted["sure"] = torch.tensor(
            [float(not r.labels or any(not x.optional for x in r.labels)) for r in rows], device=DEVICE
        )
    return inputs, wanted, [p[3] for p in parts]


def loss_of(said: dict[str, Tensor], wanted: dict[str, Tensor], there: Tensor) -> Tensor:
    def binary(x: Tensor, y: Tensor, weight: Tensor, positive: float = 1.0) -> Tensor:
        each = F.binary_cross_entropy_with_logits(
            x.float(), y, reduction="none", pos_weight=torch.tensor(positive, device=DEVICE)
        )
        return (each * weight).sum() / weight.sum().clamp(min=1)

    tags = binary(said["tags"], wanted["y"], wanted["weight"], 3.0) * wanted["y"].shape[-1]
    status = F.cross_entropy(said["status"].float().flatten(0, 1), wanted["status"].flatten(), ignore_index=-1)
    marks = binary(said["marks"], wanted["marks"], wanted["marked"])
    about = said["about"].float().masked_fill(~there[:, None, :], -1e4)
    about = F.cross_entropy(about.flatten(0, 1), wanted["about"].flatten(), ignore_index=-1)
    worth = binary(said["worth"], wanted["worth"], wanted["sure"])
    return tags + 0.3 * torch.nan_to_num(status) + marks + 0.3 * torch.nan_to_num(about) + 0.5 * worth


def batches(rows: Sequence[Row], size: int, rng: random.Random) -> Iterator[list[Row]]:
    """Rows of like length together, in random order."""
    order = list(range(len(rows)))
    rng.shuffle(order)
    groups = []
    for start in range(0, len(order), size * 20):
        part = sorted(order[start : start + size * 20], key=lambda n: len(rows[n].words))
        groups += [part[k : k + size] for k in range(0, len(part), size)]
    rng.shuffle(groups)
    for group in groups:
        yield [rows[n] for n in group]


def schedule(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    return torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / (0.1 * steps + 1)) * max(0.02, 1 - s / steps)
    )


def optimiser_for(model: torch.nn.Module, rate: float, head_rate: float) -> torch.optim.Optimizer:
    inside = [p for n, p in model.named_parameters() if n.startswith("encoder.") and p.requires_grad]
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    return torch.optim.AdamW(
        [{"params": inside, "lr": rate}, {"params": heads, "lr": head_rate}], weight_decay=0.01, fused=DEVICE == "cuda"
    )


def started(model: torch.nn.Module, start: Path | None) -> torch.nn.Module:
    network.start_from(model.encoder, network.embedder_weights(MODEL / "model-int8.onnx"))
    if start:
        state = torch.load(start, map_location="cpu")
        model.encoder.load_state_dict({n: t.float() for n, t in state.items()}, strict=False)
    return model.to(DEVICE)


def fit_tagger(rows: Sequence[Row], tags: dict[str, int], args: argparse.Namespace, seed: int) -> network.Tagger:
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = started(network.Tagger(len(PIECES), len(tags), args.layers), args.start)
    optimiser = optimiser_for(model, args.rate, args.head_rate)
    steps = args.epochs * math.ceil(len(rows) / args.batch)
    plan = schedule(optimiser, steps)
    model.train()
    for _ in range(args.epochs):
        for group in batches(rows, args.batch, rng):
            inputs, wanted, _ = batch([varied(r, rng) for r in group], tags)
            with torch.autocast(DEVICE, torch.bfloat16):
                said = model(*inputs)
            loss = loss_of(said, wanted, inputs[0] != 0)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            plan.step()
    log(event="tagger", seed=seed, rows=len(rows), loss=round(loss.item(), 3), seconds=round(time.time() - args.begun))
    return model.eval()


@torch.no_grad()
def said_of(model: network.Tagger, rows: Sequence[Row], size: int = 128) -> list[dict[str, np.ndarray]]:
    """What the tagger says at each word; `about` has the writer in column 0."""
    out: list[dict[str, np.ndarray] | None] = [None] * len(rows)
    order = sorted(range(len(rows)), key=lambda n: len(rows[n].words))
    for k in range(0, len(order), size):
        part = order[k : k + size]
        inputs, _, firsts = batch([rows[n] for n in part])
        said = model(*inputs)
        about = said["about"].float().masked_fill(~(inputs[0] != 0)[:, None, :], -1e4)
        for at, n in enumerate(part):
            own = torch.tensor(firsts[at], device=DEVICE)
            columns = torch.cat([torch.zeros(1, dtype=torch.long, device=DEVICE), own])
            out[n] = {
                "tags": said["tags"][at, own].float().sigmoid().cpu().numpy(),
                "status": said["status"][at, own].float().softmax(-1).cpu().numpy(),
                "marks": said["marks"][at, own].float().sigmoid().cpu().numpy(),
                "about": about[at][own][:, columns].softmax(-1).cpu().numpy(),
                "worth": said["worth"][at].float().sigmoid().cpu().numpy(),
            }
    return [x for x in out if x is not None]


def people(row: Row, marks: np.ndarray, at: int) -> tuple[int, int]:
    """The words around a pointed-at word that name the same person."""
    lo, hi = at, at + 1
    while lo > 0 and at - lo < 3 and marks[lo - 1, 3] > 0.5 and row.words[lo - 1].text.isalnum():
        lo -= 1
    while hi < len(row.words) and hi - at < 4 and marks[hi, 3] > 0.5 and row.words[hi].text.isalnum():
        hi += 1
    return lo, hi


def candidates(row: Row, said: dict[str, np.ndarray], names: Sequence[str], floor: float = 0.1) -> list[Candidate]:
    """Stretches of words that a tag claims, each with whom it is about; the clearer first."""
    found = []
    for number, name in enumerate(names):
        column = said["tags"][:, number]
        if column.max() < floor:
            continue
        cut, at = max(floor, 0.45 * column.max()), 0
        while at < len(column):
            if column[at] < cut:
                at += 1
                continue
            end = at + 1
            while end < len(column) and column[end] >= cut and said["marks"][end, 0] < 0.6:
                end += 1
            lo, hi = trimmed(row, at, end)
            if hi > lo:
                found.append((float(column[lo:hi].max() + column[lo:hi].mean()) / 2, lo, hi, name))
            at = end
    out: list[Candidate] = []
    for score, lo, hi, name in sorted(found, reverse=True):
        clash = [x for x in out if min(hi, x.end) - max(lo, x.start) > 0.5 * min(hi - lo, x.end - x.start)]
        if any(x.tag == name for x in clash) or (clash and score < 0.5):
            continue
        about = said["about"][lo:hi].mean(0)
        status = STATUSES[int(said["status"][lo:hi].mean(0).argmax())]
        changed = float(said["marks"][lo:hi, 1].mean())
        out.append(Candidate(lo, hi, name, status, None, score, changed, persons=persons(row, said, about)))
    return [pointed(x) for x in out if x.tag != "relation" or any(who for who, _ in x.persons)]


def persons(
    row: Row, said: dict[str, np.ndarray], about: np.ndarray
) -> tuple[tuple[tuple[int, int] | None, float], ...]:
    """Whom a value may be about, each with how much points there."""
    weight: dict[tuple[int, int] | None, float] = {}
    for rank, at in enumerate(np.argsort(-about)[:4]):
        if about[at] >= 0.03 or rank == 0:
            who = None if at == 0 else people(row, said["marks"], int(at) - 1)
            weight[who] = weight.get(who, 0.0) + float(about[at])
    return tuple(sorted(weight.items(), key=lambda x: -x[1]))


def pointed(one: Candidate) -> Candidate:
    """The person that most points to; a relation is never the writer's own."""
    options = [(who, p) for who, p in one.persons if who or one.tag != "relation"] or [(None, 0.01)]
    return replace(one, subject=options[0][0], score=one.score * options[0][1] ** 0.5)


def trimmed(row: Row, lo: int, hi: int) -> tuple[int, int]:
    while hi > lo and (row.words[hi - 1].text.lower() in STOPS or not row.words[hi - 1].text[0].isalnum()):
        hi -= 1
    while hi > lo and not row.words[lo].text[0].isalnum():
        lo += 1
    return lo, hi


# ---- verifier


def question(row: Row, one: Candidate | Label) -> tuple[list[int], list[int], list[int], list[int]]:
    """Attribute and person, then the message with the value (1) and the person (2) marked."""
    who = [w.text for w in row.words[one.subject[0] : one.subject[1]]] if one.subject else ["self"]
    ids, shapes = [PIECES.start], [0]
    for word in [*one.tag.split("_"), ":", *(who[:4]), one.status]:
        own = PIECES.of(word)
        ids += own
        shapes += [network.shape_of(word)] * len(own)
    ids.append(PIECES.stop)
    shapes.append(0)
    speakers, marks = [0] * len(ids), [0] * len(ids)
    body = [(n, w) for n, w in enumerate(row.words)]
    room = network.LENGTH - len(ids) - 1
    sizes = [len(PIECES.of(w.text)) for _, w in body]
    while sum(sizes) > room and body:
        far_left = one.start - body[0][0] >= body[-1][0] - one.end
        body, sizes = (body[1:], sizes[1:]) if far_left else (body[:-1], sizes[:-1])
    for n, word in body:
        own = PIECES.of(word.text)
        mark = 1 if one.start <= n < one.end else 2 if one.subject and one.subject[0] <= n < one.subject[1] else 0
        ids += own
        shapes += [network.shape_of(word.text)] * len(own)
        speakers += [word.speaker] * len(own)
        marks += [mark] * len(own)
    return [*ids, PIECES.stop], [*shapes, 0], [*speakers, 0], [*marks, 0]


def is_right(row: Row, one: Candidate) -> float:
    """1 where a label says the same of the same person, 0.5 where only the attribute is another."""
    near = [x for x in row.labels if same_value(one, x, row) and same_person(row, one.subject, x.subject)]
    if any(one.tag == x.tag or one.tag in x.others for x in near):
        return 1.0
    return 0.5 if near else 0.0


def spoilt(row: Row, rng: random.Random, names: Sequence[str]) -> Iterator[Candidate]:
    """Labels as they are, and with a wrong person or attribute."""
    people_here = {x.subject for x in row.labels} | {None}
    for x in row.labels:
        true = Candidate(x.start, x.end, x.tag, x.status, x.subject, 1.0)
        yield true
        for other in people_here - {x.subject}:
            if x.tag != "relation" or other:
                yield replace(true, subject=other)
        if rng.random() < 0.3:
            yield replace(true, tag=rng.choice(names))


def fit_verifier(pairs: Sequence[tuple[Row, Candidate]], args: argparse.Namespace, seed: int) -> network.Verifier:
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = started(network.Verifier(len(PIECES), args.layers), args.start)
    optimiser = optimiser_for(model, args.rate * 0.7, args.head_rate)
    size = 128
    steps = args.verifier_epochs * math.ceil(len(pairs) / size)
    plan = schedule(optimiser, steps)
    model.train()
    order = list(pairs)
    for _ in range(args.verifier_epochs):
        rng.shuffle(order)
        for k in range(0, len(order), size):
            part = order[k : k + size]
            parts = [question(cased(r, rng), c) for r, c in part]
            wanted = torch.tensor([is_right(r, c) for r, c in part], device=DEVICE)
            with torch.autocast(DEVICE, torch.bfloat16):
                said = model(*(network.stacked([p[n] for p in parts], DEVICE) for n in range(4)))
            loss = F.binary_cross_entropy_with_logits(said.float(), wanted)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            plan.step()
    log(event="verifier", pairs=len(pairs), loss=round(loss.item(), 3), seconds=round(time.time() - args.begun))
    return model.eval()


def cased(row: Row, rng: random.Random) -> Row:
    if rng.random() < 0.2:
        return replace(row, words=tuple(replace(w, text=w.text.lower()) for w in row.words))
    return row


@torch.no_grad()
def verified(
    models: Sequence[network.Verifier], rows: Sequence[Row], each: Sequence[Sequence[Candidate]]
) -> list[list[Candidate]]:
    """Every candidate with every person it may be about, the likeliest kept with its likelihood."""
    asked = [
        (n, k, row, replace(c, subject=who, score=c.score))
        for n, (row, mine) in enumerate(zip(rows, each, strict=True))
        for k, c in enumerate(mine)
        for who, _ in (c.persons or ((c.subject, 1.0),))
        if who or c.tag != "relation"
    ]
    best: dict[tuple[int, int], Candidate] = {}
    order = sorted(asked, key=lambda x: len(x[2].words))
    for k in range(0, len(order), 256):
        part = order[k : k + 256]
        parts = [question(row, c) for _, _, row, c in part]
        inputs = [network.stacked([p[m] for p in parts], DEVICE) for m in range(4)]
        likely = torch.stack([m(*inputs).float().sigmoid() for m in models]).mean(0).cpu().tolist()
        for (n, at, _, c), p in zip(part, likely, strict=True):
            pointing = dict(c.persons).get(c.subject, 1.0)
            p = p * (0.25 + 0.75 * pointing) ** 0.25
            if (n, at) not in best or p > best[n, at].verified:
                best[n, at] = replace(c, verified=p)
    return [[best[n, k] for k in range(len(mine)) if (n, k) in best] for n, mine in enumerate(each)]


def mean_of(many: Sequence[list[dict[str, np.ndarray]]]) -> list[dict[str, np.ndarray]]:
    return [{k: np.mean([x[k] for x in same], axis=0) for k in same[0]} for same in zip(*many, strict=True)]


def learn_tags(args: argparse.Namespace) -> None:
    rows = [shortened(r) for r in read(args.messages)]
    held_out = set(args.hold.split(","))
    train = [r for r in rows if r.author not in held_out]
    train = sorted(train, key=lambda r: share(r.id + str(args.seed)))[: round(len(train) * args.part)]
    test = [r for r in rows if r.author in held_out]
    names = sorted({x.tag for r in rows for x in r.labels})
    tags = {n: k for k, n in enumerate(names)}
    said = mean_of([said_of(fit_tagger(train, tags, args, args.seed + k), test) for k in range(args.committee)])
    each = [candidates(r, s, names) for r, s in zip(test, said, strict=True)]
    report(args.name + " tagger", test, each)
    if not args.verifier_epochs:
        return
    rng = random.Random(args.seed)
    pairs = [(r, c) for r in train for c in spoilt(r, rng, names)]
    for fold in range(args.folds):
        inside = [r for r in train if share(r.id) % args.folds != fold]
        outside = [r for r in train if share(r.id) % args.folds == fold]
        model = fit_tagger(inside, tags, args, args.seed + 10 + fold)
        for r, s in zip(outside, said_of(model, outside), strict=True):
            for c in candidates(r, s, names):
                pairs += [(r, replace(c, subject=who)) for who, _ in c.persons[:3] if who or c.tag != "relation"]
    judges = [fit_verifier(pairs, args, args.seed + k) for k in range(args.committee)]
    report(args.name + " verified", test, verified(judges, test, each))


def report(name: str, test: Sequence[Row], each: Sequence[Sequence[Candidate]]) -> None:
    for lang in ("pt", "en", ""):
        chosen = [(r, c) for r, c in zip(test, each, strict=True) if r.lang.startswith(lang)]
        log(
            event="tags",
            name=name,
            lang=lang or "both",
            **{"curve": curve([r for r, _ in chosen], [c for _, c in chosen])},
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["words", "tags"])
    parser.add_argument("--messages", type=Path, default=HERE / "messages")
    parser.add_argument("--talk", type=Path, default=HERE.parent / "made/reader")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--name", default="")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=5e-4)
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--hold", default="pt07,en07")
    parser.add_argument("--folds", type=int, default=2)
    parser.add_argument("--committee", type=int, default=1)
    parser.add_argument("--verifier-epochs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.begun = time.time()
    torch.set_num_threads(2)
    {"words": learn_words, "tags": learn_tags}[args.what](args)


if __name__ == "__main__":
    main()
