"""Writes the generated corpora.

    python -m generate --out made/data/generated [--examples 300000] [--statements 150000] [--seed 11]

`examples.tsv`, `told.tsv` (groups written by hand) and `dev.tsv`: fact, subject, then question, statement, second statement and near miss, each in English
and Portuguese. `statements.tsv`, `fillers.tsv` and `rough.tsv` (English, the same roughly typed): English, other side.
Fact types whose name is in HELD_OUT go to `dev.tsv` only.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from .authored import load_groups
from .facts import Example, Writer, load_types
from .grammar import Filling, Text, capital, myself, render
from .lexicon import load
from .noise import roughen
from .statements import StatementWriter, load_phrases

HERE = Path(__file__).parent


def held_out(name: str) -> bool:
    """Every twelfth fact type, chosen by its name, is kept for measuring during training."""
    return zlib.crc32(name.encode()) % 12 == 5


def row(example: Example, rng: random.Random, *, rough: bool) -> str:
    question, statement = example.question[0], example.statement[0]
    if rough and rng.random() < 0.3:
        question = roughen(question, rng, "pt")
    if rough and rng.random() < 0.15:
        statement = roughen(statement, rng, "pt")
    fields = (
        example.fact, example.subject, example.question[1], question, example.statement[1], statement,
        example.other[1], example.other[0], example.negative[1], example.negative[0],
    )  # fmt: skip
    return "\t".join(fields)


def examples(writers: Iterable[tuple[object, int]]) -> Iterator[Example]:
    seen: set[tuple[Text, Text]] = set()
    for writer, wanted in writers:
        made = tries = 0
        while made < wanted and tries < wanted * 4:
            tries += 1
            example = writer.example()  # type: ignore[attr-defined]
            if example is None or example.negative[1] in (example.statement[1], example.other[1]):
                continue
            key = (example.question, example.statement)
            if key not in seen:
                seen.add(key)
                made += 1
                yield example


def fillers(rng: random.Random, wanted: int) -> Iterator[str]:
    lexicon = load()
    kinds: dict[str, list[Text]] = {}
    for line in (HERE / "fillers.txt").read_text(encoding="utf8").splitlines():
        if line.startswith("["):
            current = kinds.setdefault(line.strip("[]"), [])
        elif " # " in line and not line.startswith("#"):
            left, _, right = line.partition(" # ")
            current.append((left.strip(), right.strip()))
    seen = set()
    for kind, lines in kinds.items():
        for _ in range(wanted if kind != "aside" else 300):
            portuguese, english = render(rng.choice(lines), myself(rng), Filling(lexicon, rng))
            end = "" if kind == "aside" else "?" if kind == "ask" else "."
            text = f"{kind}\t{capital(english)}{end}\t{capital(portuguese)}{end}"
            if kind == "aside":
                text = f"{kind}\t{capital(english)}:\t{capital(portuguese)}:".replace(",:", ",").replace("::", ":")
            if text not in seen:
                seen.add(text)
                yield text


def write(path: Path, lines: Iterable[str]) -> int:
    rows = list(lines)
    path.write_text("\n".join(rows) + "\n", encoding="utf8")
    print(f"{path.name:16} {len(rows)}", flush=True)
    return len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("made/data/generated"))
    parser.add_argument("--examples", type=int, default=300_000)
    parser.add_argument("--statements", type=int, default=150_000)
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    lexicon, types, phrases = load(), load_types(), load_phrases()
    train = Writer([t for t in types if not held_out(t.name)], lexicon, rng)
    dev = Writer([t for t in types if held_out(t.name)], lexicon, rng)
    plain = StatementWriter(phrases, lexicon, rng)
    print(f"fact types {len(train.types)} for training, {len(dev.types)} held out; verb phrases {len(phrases)}")
    made = list(examples(((train, int(args.examples * 0.8)), (plain, int(args.examples * 0.2)))))
    write(args.out / "examples.tsv", (row(e, rng, rough=True) for e in made))
    write(args.out / "dev.tsv", (row(e, rng, rough=False) for e in examples(((dev, 1500),))))
    groups = load_groups()
    told = [example for group in groups for example in group.examples(rng)]
    write(args.out / "told.tsv", (row(e, rng, rough=True) for e in told))
    every = dict.fromkeys(text for group in groups for text in (*group.told, *group.misses, *group.asked))
    write(args.out / "told_pairs.tsv", (f"{english}\t{portuguese}" for portuguese, english in every))
    texts = list({plain.statement(): None for _ in range(args.statements)})
    write(
        args.out / "statements.tsv",
        (f"{e}\t{roughen(p, rng, 'pt') if rng.random() < 0.2 else p}" for p, e in texts),
    )
    write(args.out / "fillers.tsv", fillers(rng, 3000))
    english = [e.question[1] for e in made[::12]] + [e.statement[1] for e in made[::20]] + [e for _, e in texts[::20]]
    write(args.out / "rough.tsv", (f"{e}\t{roughen(e, rng, 'en')}" for e in english))


if __name__ == "__main__":
    main()
