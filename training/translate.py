"""Translates one-language sources with Apertium (a separate GPL program; only its output on our text is kept).

English goes eng→spa→pt_BR, Portuguese goes pt→es→en. The genuine side stays exact; the made side is rough.

    python translate.py --data made/data [--only wordnet,sotu]

Reads `mono/*.jsonl`, writes `translated/<source>.jsonl`: one list of [English, Portuguese] per consecutive text.
Also writes `translated/glosses.jsonl` (WordNet words with definitions, both languages) and `translated/words.tsv`
(Portuguese word, English gloss) for the words found in every Portuguese text.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from collect import synsets

TO_PORTUGUESE = ("eng-spa", "es-pt_BR")
TO_ENGLISH = ("pt-es", "spa-eng")
BATCH = 4000


def apertium(texts: Sequence[str], modes: Sequence[str], *, marks: bool = False) -> list[str | None]:
    """Each text translated; None where line counts went astray. `marks` keeps Apertium's * before unknown words."""
    done: list[str | None] = []
    for start in range(0, len(texts), BATCH):
        chunk = [stopped(t) for t in texts[start : start + BATCH]]
        done += chained(chunk, modes, marks=marks)
    return done


def stopped(text: str) -> str:
    """Without a stop, Apertium glues a line to the next."""
    text = re.sub(r"[\s\[\]\\^$@{}<>/~]+", " ", text).strip()
    return text if text.endswith((".", "!", "?")) else text + " ."


def chained(chunk: list[str], modes: Sequence[str], *, marks: bool) -> list[str | None]:
    text = "\n\n".join(chunk)
    for mode in modes:
        command = ["apertium", mode] if marks else ["apertium", "-u", mode]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    lines = text.split("\n\n")
    if len(lines) == len(chunk):
        return [tidy(line, marks=marks) for line in lines]
    if len(chunk) <= 20:
        return [None] * len(chunk)
    half = len(chunk) // 2
    return chained(chunk[:half], modes, marks=marks) + chained(chunk[half:], modes, marks=marks)


def tidy(line: str, *, marks: bool) -> str:
    line = re.sub(r"\s+", " ", line.strip())
    line = re.sub(r"\s+([.?!])(?:\s*\.)?$", r"\1", line)
    return line if marks else line.replace("*", "")


def usable(english: str, portuguese: str | None) -> bool:
    """Most of the Portuguese is Portuguese: under a third of its words are the English ones."""
    if not portuguese:
        return False
    source = set(re.findall(r"[a-z]{3,}", english.lower()))
    target = re.findall(r"\w{3,}", portuguese.lower())
    return bool(target) and sum(w in source for w in target) / len(target) < 0.34


def lists(path: Path) -> list[list[str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def translate_source(path: Path, out: Path) -> int:
    language = path.name.split(".")[1]
    groups = lists(path)
    flat = [text for group in groups for text in group]
    made = apertium(flat, TO_PORTUGUESE if language == "en" else TO_ENGLISH)
    count, at = 0, 0
    with out.open("w", encoding="utf8") as file:
        for group in groups:
            pairs: list[tuple[str, str]] = []
            for text in group:
                other = made[at]
                at += 1
                english, portuguese = (text, other) if language == "en" else (other, text)
                if english and usable(english, portuguese):
                    pairs.append((english, str(portuguese)))
            if pairs:
                file.write(json.dumps(pairs, ensure_ascii=False) + "\n")
                count += len(pairs)
    return count


def translate_glosses(out: Path) -> int:
    """WordNet's definitions: [word, definition, Portuguese word, Portuguese definition]."""
    rows = [(words[0], gloss) for words, gloss, _ in synsets() if len(gloss.split()) > 3 and not words[0][:1].isupper()]
    words = apertium([w for w, _ in rows], TO_PORTUGUESE, marks=True)
    glosses = apertium([g for _, g in rows], TO_PORTUGUESE)
    count = 0
    with out.open("w", encoding="utf8") as file:
        for (word, gloss), made_word, made_gloss in zip(rows, words, glosses, strict=True):
            if usable(gloss, made_gloss) and made_word and made_gloss and "*" not in made_word:
                row = (word, gloss, made_word.rstrip(" ."), made_gloss.rstrip(" ."))
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
    return count


def portuguese_words(data: Path) -> Iterator[str]:
    """Every Portuguese word of the permissive texts, in order, with repeats."""
    mixes = {name: source["mix"] for name, source in json.loads((data / "sources.json").read_text()).items()}
    for path in sorted((data / "pairs").glob("*.tsv")):
        if mixes.get(path.stem) != "permissive":
            continue
        for line in path.read_text(encoding="utf8").splitlines():
            yield from re.findall(r"[a-záéíóúâêôãõçàü-]{2,}", line.partition("\t")[2].lower())
    for path in sorted((data / "translated").glob("*.jsonl")):
        if mixes.get(path.stem, "permissive") != "permissive":
            continue
        for line in path.read_text(encoding="utf8").splitlines():
            row = json.loads(line)
            texts = row[2:] if path.stem == "glosses" else [pair[1] for pair in row]
            for text in texts:
                yield from re.findall(r"[a-záéíóúâêôãõçàü-]{2,}", text.lower())
    for path in sorted((data / "generated").glob("*.tsv")):
        for line in path.read_text(encoding="utf8").splitlines():
            yield from re.findall(r"[a-záéíóúâêôãõçàü-]{2,}", line.lower())


def translate_words(data: Path, out: Path) -> int:
    """An English gloss for every Portuguese word met twice that Apertium knows."""
    counts = Counter(portuguese_words(data))
    words = [w for w, n in counts.most_common() if n > 1 and not w.startswith("-")]
    made = apertium(words, TO_ENGLISH, marks=True)
    rows = [
        f"{word}\t{gloss.rstrip(' .')}"
        for word, gloss in zip(words, made, strict=True)
        if gloss and not re.search(r"[*@#]", gloss) and gloss.rstrip(" .")
    ]
    out.write_text("\n".join(rows) + "\n", encoding="utf8")
    return len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("made/data"))
    parser.add_argument("--only", help="comma-separated names; also: glosses, words")
    args = parser.parse_args()
    only = set(args.only.split(",")) if args.only else None
    target = args.data / "translated"
    target.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    for path in sorted((args.data / "mono").glob("*.jsonl")):
        name = path.name.split(".")[0]
        if only is None or name in only:
            print(
                name,
                translate_source(path, target / f"{name}.jsonl"),
                f"{time.monotonic() - started:.0f} s",
                flush=True,
            )
    if only is None or "glosses" in only:
        print("glosses", translate_glosses(target / "glosses.jsonl"), f"{time.monotonic() - started:.0f} s", flush=True)
    if only is None or "words" in only:
        print(
            "words", translate_words(args.data, target / "words.tsv"), f"{time.monotonic() - started:.0f} s", flush=True
        )


if __name__ == "__main__":
    main()
