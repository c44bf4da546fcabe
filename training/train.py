"""Trains the bilingual encoder on one GPU from a bundle, inside a time budget, and measures it.

    python train.py --bundle bundle --out "$OUT" --mix permissive --seconds 300 [--steps N] [--compile]

Each step adds
  distillation  both sides of a pair land on the teacher's vector of the English side, in-batch contrast keeps pairs
                apart, and the batch's similarity matrix matches the teacher's
  answers       a question finds its statement among all others of the batch and one near miss each; questions,
                statements and languages are mixed row by row, and a third of the statements stand inside a long chat turn
  paraphrase    two wordings of one fact find each other
  late          the same question–statement contrast on token vectors (MaxSim)
  paragraphs    long texts land on the teacher's vector, and a sentence finds the paragraph it was taken from
  scores        graded sentence pairs keep their order (CoSENT)
Writes fp16 weights in pieces and metrics to --out. With --steps the schedule follows steps, so a second
run repeats the first; with --seconds alone it follows the clock. `--profile` times a few steps and stops.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import encoder
import measures
import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

START, END = 101, 102  # [CLS], [SEP]
BLOCKED = -1e4
KINDS = ("told", "passage", "heading", "gloss", "reply")  # of examples; any other is a template
INFORMED = ("passage", "heading")  # questions about the world, answered by paragraphs
STARTED = time.monotonic()


def log(*parts: object) -> None:
    print(f"[{time.monotonic() - STARTED:5.0f}s]", *parts, flush=True)


@dataclass(slots=True)
class Options:
    """What a run may change; every field is a command-line option."""

    mix: str = "all"  # or permissive
    seconds: float = 300.0
    steps: int = 0  # 0: as many as fit
    seed: int = 0
    batch: int = 4096
    rate: float = 3e-4
    word_rate: float = 1.5e-3
    warmup: int = 150
    english: float = 1.0  # weights of the losses
    contrast: float = 0.1
    matrix: float = 1.0
    answers: float = 0.1
    paraphrase: float = 0.05
    late: float = 0.06
    paragraphs: float = 0.7
    clozes: float = 0.05
    scores: float = 0.015
    scale: float = 20.0  # inverse temperature
    asked: int = 1536  # questions a step
    told: float = 0.4  # share of them written by hand
    informed: float = 0.2  # share of passages and headings among those
    late_rows: int = 256  # questions of the token contrast, every other step
    turns: float = 0.35  # share of statements put inside a long turn
    long_rows: int = 256  # paragraphs, every third step
    length: int = 256  # longest input in word pieces
    drop: str = ""  # sources and kinds of examples left out, by comma


# ---- texts


class Texts:
    """All texts as one run of word pieces on the device; rows are put together there."""

    def __init__(
        self,
        pieces: Sequence[np.ndarray] | None,
        device: torch.device,
        *,
        flat: np.ndarray | None = None,
        lengths: np.ndarray | None = None,
    ) -> None:
        if pieces is not None:
            lengths = np.array([len(p) for p in pieces], dtype=np.int64)
            flat = np.concatenate(pieces) if len(pieces) else np.zeros(0, dtype=np.int32)
        assert flat is not None
        assert lengths is not None
        self.lengths = lengths
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.flat = torch.from_numpy(flat.astype(np.int32)).to(device)
        self.starts = torch.from_numpy(starts).to(device)
        self.counts = torch.from_numpy(lengths).to(device)
        self.device = device

    def rows(self, texts: np.ndarray, longest: int) -> tuple[Tensor, Tensor]:
        """Ids and mask of rows; each row joins the texts of one line of `texts` (−1: none), cut to `longest`."""
        if texts.ndim == 1:
            texts = texts[:, None]
        sizes = np.where(texts >= 0, self.lengths[np.maximum(texts, 0)], 0).sum(1)
        room = int(min(sizes.max(), longest - 2))
        room = (room + 2 + 15) // 16 * 16 - 2  # few different shapes
        index = torch.from_numpy(texts).to(self.device, non_blocking=True)
        present = index >= 0
        index = index.clamp(min=0)
        counts = torch.where(present, self.counts[index], 0)
        ends = counts.cumsum(1)
        place = torch.arange(room, device=self.device).expand(len(texts), room).contiguous()
        part = torch.searchsorted(ends, place, right=True)
        inside = part < texts.shape[1]
        part = part.clamp(max=texts.shape[1] - 1)
        offset = self.starts[index].gather(1, part) + place - (ends - counts).gather(1, part)
        ids = torch.where(inside, self.flat[offset.clamp(max=len(self.flat) - 1)].long(), 0)
        total = ends[:, -1].clamp(max=room)
        ids = F.pad(ids, (1, 1))
        ids[:, 0] = START
        ids.scatter_(1, (total + 1)[:, None], END)
        mask = torch.arange(room + 2, device=self.device)[None] < (total + 2)[:, None]
        return ids, mask


def pieces(tokenizer: Tokenizer, texts: Sequence[str], longest: int) -> list[np.ndarray]:
    made = []
    for start in range(0, len(texts), 100_000):
        batch = tokenizer.encode_batch_fast(list(texts[start : start + 100_000]), add_special_tokens=False)
        made += [np.array(e.ids[: longest - 2], dtype=np.int32) for e in batch]
    return made


def read_tsv(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in lzma.decompress(path.read_bytes()).decode("utf8").split("\n")]


@dataclass(slots=True)
class Data:
    """Everything trained on, as indices into `texts`; English texts also index the teacher's vectors."""

    texts: Texts
    taught: Texts  # the same English texts in the teacher's pieces
    vectors: Tensor  # teacher's vector of each text; zero where not English
    source: np.ndarray  # of each pair
    pairs: np.ndarray  # English, other
    runs: np.ndarray  # first pair, count
    examples: np.ndarray  # question, statement, other, negative × English, Portuguese: eight columns
    fact: np.ndarray
    subject: np.ndarray  # −1: open
    kind: np.ndarray  # of each example: told, passage, heading, gloss, reply or template
    plain: np.ndarray  # whether a fact is about a person (its statements fit into turns)
    fillers: dict[str, np.ndarray]  # kind → English, Portuguese
    graded: np.ndarray
    grades: Tensor
    grade_source: np.ndarray


def kind_of(fact: str) -> str:
    name = fact.partition(":")[0]
    return name if name in KINDS else "template"


def prepare(bundle: Path, device: torch.device, cache: Path | None, limit: int) -> Data:
    """Reads and tokenises the bundle and asks the teacher; kept in `cache` for the next run on the same machine."""
    pairs = read_tsv(bundle / "pairs.tsv.xz")
    examples = read_tsv(bundle / "examples.tsv.xz")
    fillers = read_tsv(bundle / "fillers.tsv.xz")
    graded = read_tsv(bundle / "scores.tsv.xz")
    runs = np.array(json.loads((bundle / "runs.json").read_text()), dtype=np.int64).reshape(-1, 2)
    if limit:
        pairs, examples = pairs[-limit:], examples[: limit // 2]
        total = sum(1 for _ in pairs)
        runs = np.array([(0, min(5, total))] * 8, dtype=np.int64)
    number: dict[str, int] = {}
    index = lambda text: number.setdefault(text, len(number))  # noqa: E731 - used below only
    english: set[int] = set()
    pair_ids = np.array([(index(e), index(o)) for _, e, o in pairs], dtype=np.int64)
    example_ids = np.array([[index(text) for text in row[2:10]] for row in examples], dtype=np.int64)
    filler_ids: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for kind, e, p in fillers:
        filler_ids[kind].append((index(e), index(p)))
    graded_ids = np.array([(index(a), index(b)) for _, a, b, _ in graded], dtype=np.int64)
    english.update(pair_ids[:, 0].tolist())
    english.update(example_ids[:, ::2].ravel().tolist())
    english.update(e for rows in filler_ids.values() for e, _ in rows)
    log("texts", len(number), "pairs", len(pairs), "examples", len(examples))
    texts = list(number)
    ordered = sorted(english)
    saved = cache / f"prepared-{len(texts)}.pt" if cache else None
    if saved and saved.exists():
        kept = torch.load(saved, weights_only=False)
        log("tokens and teacher vectors from", saved)
    else:
        ours = pieces(Tokenizer.from_file(str(bundle / "tokenizer.json")), texts, 512)
        log("student pieces", sum(map(len, ours)))
        old = Tokenizer.from_file(str(bundle / "teacher/tokenizer.json"))
        old.no_padding()
        old.no_truncation()
        theirs = [np.zeros(0, dtype=np.int32)] * len(texts)
        for i, made in zip(ordered, pieces(old, [texts[i] for i in ordered], 512), strict=True):
            theirs[i] = made
        log("teacher pieces", sum(map(len, theirs)))
        kept = {
            "flat": np.concatenate(ours),
            "lengths": np.array([len(p) for p in ours], dtype=np.int64),
            "taught_flat": np.concatenate(theirs),
            "taught_lengths": np.array([len(p) for p in theirs], dtype=np.int64),
        }
    student = Texts(None, device, flat=kept["flat"], lengths=kept["lengths"])
    taught = Texts(None, device, flat=kept["taught_flat"], lengths=kept["taught_lengths"])
    if "vectors" not in kept:
        teacher = teacher_of(bundle, device)
        vectors = torch.zeros(len(texts), encoder.WIDTH, dtype=torch.float16, device=device)
        by_length = np.array(sorted(ordered, key=lambda i: -kept["taught_lengths"][i]), dtype=np.int64)
        for start in range(0, len(by_length), 4096):
            chosen = by_length[start : start + 4096]
            vectors[torch.from_numpy(chosen).to(device)] = embedded(
                teacher, *taught.rows(chosen, 256), half=True
            ).half()
        kept["vectors"] = vectors.cpu()
        log("teacher vectors", len(ordered))
        if saved:
            saved.parent.mkdir(parents=True, exist_ok=True)
            torch.save(kept, saved)
    facts: dict[str, int] = {}
    people: dict[str, int] = {"": -1}
    return Data(
        texts=student,
        taught=taught,
        vectors=kept["vectors"].to(device),
        source=np.array([row[0] for row in pairs]),
        pairs=pair_ids,
        runs=runs,
        examples=example_ids,
        fact=np.array([facts.setdefault(row[0], len(facts)) for row in examples], dtype=np.int64),
        subject=np.array([people.setdefault(row[1], len(people)) for row in examples], dtype=np.int64),
        kind=(kinds := np.array([kind_of(row[0]) for row in examples])),
        plain=np.isin(kinds, ("told", "template")),
        fillers={kind: np.array(rows, dtype=np.int64) for kind, rows in filler_ids.items()},
        graded=graded_ids,
        grades=torch.tensor([float(row[3]) for row in graded], device=device),
        grade_source=np.array([row[0] for row in graded]),
    )


# ---- models


def teacher_of(bundle: Path, device: torch.device) -> encoder.Encoder:
    state = encoder.decompress(bundle / "teacher")
    model = encoder.Encoder(len(state["words.weight"]))
    model.load_state_dict(state)
    return model.to(device).eval()


def student_of(bundle: Path, device: torch.device) -> encoder.Encoder:
    starts = json.loads((bundle / "starts.json").read_text())
    state = encoder.widened(encoder.decompress(bundle / "teacher"), starts)
    model = encoder.Encoder(len(state["words.weight"]))
    model.load_state_dict(state)
    return model.to(device)


@torch.no_grad()
def embedded(model: torch.nn.Module, ids: Tensor, mask: Tensor, *, half: bool) -> Tensor:
    with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=half and ids.is_cuda):
        return encoder.pooled(model(ids, mask), mask)


def embedder(
    model: torch.nn.Module, tokenizer: Tokenizer, device: torch.device, *, longest: int = 256
) -> measures.Embed:
    """A function for `measures`, in float32 as the exported model runs."""

    def embed(texts: Sequence[str]) -> np.ndarray:
        made = Texts(pieces(tokenizer, texts, longest), device)
        out = np.zeros((len(texts), encoder.WIDTH), dtype=np.float32)
        order = np.argsort(-made.lengths, kind="stable")
        for start in range(0, len(order), 256):
            chosen = order[start : start + 256]
            out[chosen] = embedded(model, *made.rows(chosen, longest), half=False).cpu().numpy()
        return out

    return embed


def matcher(
    model: torch.nn.Module, tokenizer: Tokenizer, device: torch.device, *, longest: int = 256
) -> measures.Match:
    """A function for `measures`: late-interaction scores of one question against texts."""

    @torch.no_grad()
    def match(question: str, texts: Sequence[str]) -> np.ndarray:
        made = Texts(pieces(tokenizer, [question, *texts], longest), device)
        asked, told = (made.rows(np.arange(*span), longest) for span in ((0, 1), (1, len(texts) + 1)))
        return token_scores(model(*asked), asked[1], model(*told), told[1])[0].cpu().numpy()

    return match


def measured(
    model: torch.nn.Module, tokenizer: Tokenizer, bundle: Path, device: torch.device, *, turns: bool = True
) -> measures.Figures:
    """Every figure the bundle has texts for."""
    model.eval()
    embed, folder = embedder(model, tokenizer, device), bundle / "eval"
    match = matcher(model, tokenizer, device)
    figures: measures.Figures = {}
    if (folder / "facts.jsonl.xz").exists():
        facts = measures.json_lines(folder / "facts.jsonl.xz")
        figures |= {
            f"facts dev {k}": v for k, v in measures.fact_figures(embed, facts, split="dev", match=match).items()
        }
        if (folder / "variants.jsonl.xz").exists():
            variants = measures.json_lines(folder / "variants.jsonl.xz")
            figures |= {
                f"facts dev {k}": v for k, v in measures.variant_figures(embed, facts, variants, split="dev").items()
            }
    figures |= measures.example_figures(embed, read_tsv(bundle / "dev.tsv.xz"))
    seen = set(json.loads(measures.packed_text(folder / "assin-seen.json.xz")))
    figures |= measures.similarity_figures(embed, measures.assin_pairs(folder / "assin2-test.xml.gz"), seen)
    paragraphs, questions, gold = measures.faquad(folder / "faquad.json.gz")
    measures.put(figures, "FaQuAD", measures.recalls(measures.faquad_scores(embed, paragraphs, questions), gold))
    if turns:
        pool = json.loads(measures.packed_text(folder / "turns.json.xz"))
        scores = embed(pool["questions"]) @ embed(pool["texts"]).T
        figures |= measures.turn_figures(scores, pool["evidence"])
        again = measures.reranked(scores, pool["questions"], pool["texts"], match)
        figures |= measures.turn_figures(again, pool["evidence"], name="LongMemEval turns reranked")
    model.train()
    return {name: round(value, 4) for name, value in figures.items()}


# ---- losses


def crossed(scores: Tensor, blocked: Tensor | None = None) -> Tensor:
    """Cross-entropy of each row against its diagonal column."""
    if blocked is not None:
        scores = scores.masked_fill(blocked, BLOCKED)
    return F.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


def in_order(cosine: Tensor, grades: Tensor, scale: float) -> Tensor:
    """CoSENT: a pair graded higher should not be less alike than one graded lower."""
    gap = (cosine[None] - cosine[:, None]) * scale
    gap = torch.where(grades[:, None] > grades[None] + 0.07, gap, BLOCKED)
    return torch.logsumexp(F.pad(gap.flatten(), (1, 0)), 0)


def token_scores(asked: Tensor, asked_mask: Tensor, told: Tensor, told_mask: Tensor) -> Tensor:
    """MaxSim: each question token's best match in each statement, averaged; inner tokens only count by their mask."""
    asked, told = F.normalize(asked, dim=-1), F.normalize(told, dim=-1)
    similar = torch.einsum("qid,sjd->qsij", asked, told)
    similar = similar.masked_fill(~told_mask[None, :, None, :], -1.0)
    best = similar.amax(-1).float() * asked_mask[:, None, :]
    return best.sum(-1) / asked_mask.sum(1)[:, None]


class Trainer:
    """One training run: batches, losses, schedule."""

    def __init__(self, options: Options, data: Data, bundle: Path, device: torch.device, *, compiled: bool) -> None:
        self.options, self.data, self.device = options, data, device
        self.rng = np.random.RandomState(options.seed)
        torch.manual_seed(options.seed)
        self.model = student_of(bundle, device)
        self.teacher = teacher_of(bundle, device)
        self.forward = torch.compile(self.model, dynamic=True) if compiled else self.model
        meta = json.loads((bundle / "meta.json").read_text())
        allowed = (
            set(meta["permissive"]) if options.mix == "permissive" else set(meta["sources"]) | set(meta["permissive"])
        )
        dropped = set(options.drop.split(","))
        allowed -= dropped
        self.examples = np.where(~np.isin(data.kind, sorted(dropped)))[0]
        self.told, self.informed = (
            np.where(np.isin(data.kind, sorted(set(kinds) - dropped)))[0] for kinds in (("told",), INFORMED)
        )
        self.pairs = np.concatenate(
            [data.pairs[np.isin(data.source, sorted(allowed))]]
            + [
                data.examples[self.rng.permutation(self.examples)[: len(self.examples) // 2], 2 * k : 2 * k + 2]
                for k in range(2)
            ]
        )
        whole = np.array([data.source[start] in allowed for start, _ in data.runs], dtype=bool)
        self.runs = data.runs[whole]
        self.graded = np.where(np.isin(data.grade_source, sorted(allowed)))[0]
        words = [self.model.words.weight]
        others = [p for name, p in self.model.named_parameters() if name != "words.weight"]
        groups = [{"params": words, "lr": options.word_rate}, {"params": others, "lr": options.rate}]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.0, betas=(0.9, 0.98), fused=device.type == "cuda")
        self.seen: dict[str, Tensor] = defaultdict(lambda: torch.zeros((), device=device))
        log(f"mix {options.mix}: pairs {len(self.pairs)}, paragraphs {len(self.runs)}, graded {len(self.graded)}")

    def tokens(self, texts: np.ndarray) -> tuple[Tensor, Tensor]:
        ids, mask = self.data.texts.rows(texts, self.options.length)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=ids.is_cuda):
            return self.forward(ids, mask), mask

    def vectors(self, texts: np.ndarray) -> Tensor:
        """Sentence vectors; a large batch goes in three lots by length, so that few long rows do not pad them all."""
        if len(texts) < 256:
            return encoder.pooled(*self.tokens(texts))
        sizes = self.data.texts.lengths[np.maximum(texts, 0)]
        sizes = np.where(texts >= 0, sizes, 0).sum(1) if texts.ndim == 2 else sizes
        order = np.argsort(sizes, kind="stable")
        cuts = np.split(order, [len(order) // 2, len(order) * 7 // 8])
        made = torch.cat([encoder.pooled(*self.tokens(texts[cut])) for cut in cuts])
        return made.index_select(0, self.on_device(np.argsort(order)))

    def batches(self) -> Iterator[np.ndarray]:
        """Pairs of like length together, order random; long ones in smaller batches."""
        size = self.options.batch
        lengths = self.data.texts.lengths[self.pairs].max(1)
        while True:
            order = self.rng.permutation(len(self.pairs))
            cut: list[np.ndarray] = []
            for start in range(0, len(order), size * 32):
                chunk = order[start : start + size * 32]
                chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
                at = 0
                while at < len(chunk):
                    step = size if lengths[chunk[min(at + size, len(chunk)) - 1]] <= 48 else size // 4
                    cut.append(chunk[at : at + step])
                    at += step
            for number in self.rng.permutation(len(cut)):
                if len(cut[number]) >= min(64, size):
                    yield self.pairs[cut[number]]

    def distillation(self, pairs: np.ndarray) -> Tensor:
        options = self.options
        target = self.data.vectors[torch.from_numpy(pairs[:, 0]).to(self.device)].float()
        other, english = (encoder.pooled(*self.tokens(pairs[:, side])) for side in (1, 0))
        near = target @ target.T
        blocked = near > 0.9
        blocked.fill_diagonal_(False)
        to_other, to_english = 1 - (other * target).sum(1).mean(), 1 - (english * target).sum(1).mean()
        scores = other @ target.T * options.scale
        contrast = (
            crossed(scores, blocked)
            + 0.5 * crossed(other @ english.detach().T * options.scale, blocked)
            + 0.5 * crossed(scores.T, blocked.T)
        )
        matrix = ((other @ other.T - near) ** 2).mean() + ((other @ english.T - near) ** 2).mean()
        self.note(to_other=to_other, to_english=to_english, contrast=contrast, matrix=matrix)
        return to_other + options.english * to_english + options.contrast * contrast + options.matrix * matrix

    def note(self, **values: Tensor) -> None:
        for name, value in values.items():
            self.seen[name] += value.detach()

    def in_turn(self, statements: np.ndarray, language: np.ndarray) -> np.ndarray:
        """Statements among other sentences of the same language, as in a chat turn: columns of text numbers."""
        rng, shape = self.rng, (len(statements), 9)
        side = language[:, None]
        pick = lambda pool: pool[rng.randint(0, len(pool), shape), side]  # noqa: E731 - four uses, one line
        fillers, chance = self.data.fillers, rng.rand(*shape)
        user = rng.rand(len(statements), 1) < 0.75
        spoken = np.where(
            user, np.where(chance < 0.55, pick(fillers["ask"]), pick(fillers["talk"])), pick(fillers["reply"])
        )
        around = np.where(chance < 0.3, pick(self.data.pairs), spoken)
        count = rng.randint(2, 10, (len(statements), 1))
        around = np.where(np.arange(9) < count, around, -1)
        aside = np.where(user[:, 0] & (rng.rand(len(statements)) < 0.4), pick(fillers["aside"])[:, 0], -1)
        at = (rng.rand(len(statements), 1) * (count + 1)).astype(int)
        columns = np.concatenate([around, aside[:, None], statements[:, None]], 1)
        place = np.concatenate([np.broadcast_to(np.arange(9.0), shape), at - 0.75, at - 0.5], 1)
        return np.take_along_axis(columns, np.argsort(place, 1), 1)

    def answers(self, number: int) -> Tensor:
        """Question → statement, paraphrase and late interaction on one batch of examples."""
        options, data, rng = self.options, self.data, self.rng
        chosen = rng.choice(self.examples, options.asked)
        share = rng.rand(options.asked)
        for rows, least in ((self.told, options.told), (self.informed, options.told * options.informed)):
            if len(rows):
                chosen = np.where(share < least, rng.choice(rows, options.asked), chosen)
        texts = data.examples[chosen]
        rows = np.arange(len(chosen))
        asked_language, told_language = (
            (rng.rand(len(chosen)) < 0.6).astype(int),
            (rng.rand(len(chosen)) < 0.6).astype(int),
        )
        questions = texts[rows, asked_language]
        statements = texts[rows, 2 + told_language]
        negatives = texts[rows, 6 + told_language]
        wrapped = data.plain[chosen] & (rng.rand(len(chosen)) < options.turns)
        long, short = np.where(wrapped)[0], np.where(~wrapped)[0]
        asked = self.vectors(questions)
        told = torch.zeros(len(chosen), encoder.WIDTH, device=self.device)
        told = told.index_copy(0, self.on_device(short), self.vectors(statements[short]))
        if len(long):
            told = told.index_copy(
                0, self.on_device(long), self.vectors(self.in_turn(statements[long], told_language[long]))
            )
        near_miss = self.vectors(negatives)
        fact, subject = self.on_device(data.fact[chosen]), self.on_device(data.subject[chosen])
        means = data.vectors[self.on_device(texts[:, 2])].float()
        wants = data.vectors[self.on_device(texts[:, 0])].float()
        unnamed = (subject < 0)[:, None] | (subject < 0)[None]
        blocked = (fact[:, None] == fact[None]) & ((subject[:, None] == subject[None]) | unnamed)
        blocked |= (means @ means.T > 0.7) | (wants @ wants.T > 0.95)
        blocked.fill_diagonal_(False)
        misses = data.vectors[self.on_device(texts[:, 6])].float()
        alike = means @ misses.T > 0.7
        alike.fill_diagonal_(False)
        scores = asked @ told.T * options.scale
        forward = crossed(torch.cat([scores, asked @ near_miss.T * options.scale], 1), torch.cat([blocked, alike], 1))
        loss = options.answers * (forward + crossed(scores.T, blocked.T))
        self.note(answers=forward)
        if options.paraphrase and number % 2 == 0:
            again_language = (rng.rand(len(chosen)) < 0.6).astype(int)
            again = self.vectors(texts[rows, 4 + again_language])
            same = crossed(again @ told.T * options.scale, blocked)
            loss = loss + options.paraphrase * same
            self.note(paraphrase=2 * same)
        if options.late and number % 2 == 1:
            few = short[: options.late_rows]
            late = token_scores(*self.tokens(questions[few]), *self.tokens(statements[few]))
            index = self.on_device(few)
            late_loss = crossed(late * options.scale, blocked[index][:, index])
            loss = loss + options.late * late_loss
            self.note(late=2 * late_loss)
        return loss

    def on_device(self, values: np.ndarray) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.device, non_blocking=True)

    def paragraphs(self) -> Tensor:
        """Long texts on the teacher's vectors; a sentence finds the paragraph it came from, often with itself taken out."""
        options, rng = self.options, self.rng
        chosen = self.runs[rng.randint(0, len(self.runs), options.long_rows)]
        rows, column = len(chosen), np.arange(8)
        size = 3 + (rng.rand(rows) * (np.minimum(chosen[:, 1], 8) - 2)).astype(int)
        first = chosen[:, 0] + (rng.rand(rows) * (chosen[:, 1] - size + 1)).astype(int)
        lines = self.data.pairs[np.minimum(first[:, None] + column, len(self.data.pairs) - 1)]
        english, other = (np.where(column < size[:, None], lines[:, :, side], -1) for side in (0, 1))
        taken = (rng.rand(rows) * size).astype(int)
        query = lines[np.arange(rows), taken, rng.randint(0, 2, rows)]
        clozed = np.where(rng.rand(rows, 1) < 0.5, english, other)
        clozed = np.where((column == taken[:, None]) & (rng.rand(rows, 1) < 0.7), -1, clozed)
        with torch.no_grad():
            ids, mask = self.data.taught.rows(english, options.length)
            target = embedded(self.teacher, ids, mask, half=True)
        loss = 2 - (self.vectors(english) * target).sum(1).mean() - (self.vectors(other) * target).sum(1).mean()
        same = self.on_device(chosen[:, 0])
        blocked = same[:, None] == same[None]
        blocked.fill_diagonal_(False)
        scores = self.vectors(query) @ self.vectors(clozed).T * options.scale
        cloze = crossed(scores, blocked) + crossed(scores.T, blocked.T)
        self.note(paragraphs=3 * loss, clozes=3 * cloze)
        return options.paragraphs * loss + options.clozes * cloze

    def scored(self) -> Tensor:
        # one source a time: their grades do not compare
        source = self.rng.choice(np.unique(self.data.grade_source[self.graded]))
        chosen = self.rng.choice(self.graded[self.data.grade_source[self.graded] == source], 256)
        left, right = (self.vectors(self.data.graded[chosen, side]) for side in (0, 1))
        loss = in_order((left * right).sum(1), self.data.grades[self.on_device(chosen)], self.options.scale)
        self.note(scores=4 * loss)
        return self.options.scores * loss

    def step(self, pairs: np.ndarray, number: int) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        # each part's graph is freed before the next is built
        self.distillation(pairs).backward()
        if self.options.answers:
            self.answers(number).backward()
        if self.options.paragraphs and len(self.runs) and number % 3 == 1:
            self.paragraphs().backward()
        if self.options.scores and len(self.graded) and number % 4 == 1:
            self.scored().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def run(self, *, every: int = 200) -> int:
        """Trains until the budget is spent; returns the steps made."""
        options = self.options
        base = [group["lr"] for group in self.optimizer.param_groups]
        begun = time.monotonic()
        self.model.train()
        for number, pairs in enumerate(self.batches()):
            spent = (time.monotonic() - begun) / options.seconds
            done = number / options.steps if options.steps else spent
            if done >= 1 or spent >= 1:
                return number
            factor = min(1.0, (number + 1) / options.warmup) * max(0.02, 1 - done)
            for group, rate in zip(self.optimizer.param_groups, base, strict=True):
                group["lr"] = rate * factor
            self.step(pairs, number)
            if number in (20, 100) or (number and number % every == 0):
                means = {k: round(float(v) / (number % every or every), 4) for k, v in self.seen.items()}
                self.seen.clear()
                log(
                    f"step {number} {1000 * (time.monotonic() - begun) / (number + 1):.0f} ms/step {100 * done:.0f} %",
                    means,
                )
        return 0


def profile(trainer: Trainer, steps: int = 9) -> dict[str, float]:
    """Milliseconds of each part, after a warm-up."""
    parts = {
        "distillation": lambda pairs, n: trainer.distillation(pairs).backward(),
        "answers": lambda pairs, n: trainer.answers(n).backward(),
        "paragraphs": lambda pairs, n: trainer.paragraphs().backward(),
        "scores": lambda pairs, n: trainer.scored().backward(),
        "whole step": lambda pairs, n: trainer.step(pairs, n),
    }
    sync = torch.cuda.synchronize if trainer.device.type == "cuda" else lambda: None
    batches = trainer.batches()
    times = {}
    for name, part in parts.items():
        for n in range(steps // 3):
            part(next(batches), n)
        sync()
        begun = time.monotonic()
        for n in range(steps):
            part(next(batches), n)
        sync()
        times[name] = round(1000 * (time.monotonic() - begun) / steps, 1)
        log("profile", name, times[name], "ms")
    return times


def parsed() -> tuple[argparse.Namespace, Options]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(os.environ.get("OUT", "out")))
    parser.add_argument("--cache", type=Path, help="keeps tokens and teacher vectors for the next run on this machine")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--no-save", action="store_true", help="metrics only")
    parser.add_argument("--name", default="run")
    parser.add_argument("--limit", type=int, default=0, help="smoke test: this many pairs, short evaluation")
    for field in fields(Options):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    args = parser.parse_args()
    return args, Options(**{field.name: getattr(args, field.name) for field in fields(Options)})


def main() -> None:
    args, options = parsed()
    args.out.mkdir(parents=True, exist_ok=True)
    device = torch.device(args.device)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    random.seed(options.seed)
    np.random.seed(options.seed)
    data = prepare(args.bundle, device, args.cache, args.limit)
    trainer = Trainer(options, data, args.bundle, device, compiled=args.compile)
    if args.profile:
        times = profile(trainer)
        (args.out / f"profile-{args.name}.json").write_text(json.dumps(times))
        return
    steps = trainer.run()
    log("trained", steps, "steps")
    if not args.no_save:
        encoder.save(trainer.model.state_dict(), args.out, prefix=f"{args.name}-w")
    tokenizer = Tokenizer.from_file(str(args.bundle / "tokenizer.json"))
    figures = measured(trainer.model, tokenizer, args.bundle, device, turns=not args.limit)
    for name, value in figures.items():
        print(f"  {name:48} {value:.4f}")
    report = {"name": args.name, "options": asdict(options), "steps": steps, "figures": figures}
    report["peak GiB"] = round(torch.cuda.max_memory_allocated() / 2**30, 1) if device.type == "cuda" else 0
    (args.out / f"metrics-{args.name}.json").write_text(json.dumps(report, indent=1, ensure_ascii=False))
    log("done")


if __name__ == "__main__":
    main()
