"""Gathers unlabelled talk from public repositories, and joins the labels of real utterances with their text.

    python -m reader.talk --repositories made/repositories

Sources and terms: sentences of Common Voice (CC0) and Tatoeba (CC BY 2.0 FR), conversations of the self_dialogue_corpus
(BSD 3-clause). Their text stays out of this repository: `real/*.jsonl` names an utterance by the digest of its text, and
values, people and times by their places in it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from repositories import Repository, dialogues, tatoeba

from .examples import Row, row_of

HERE = Path(__file__).resolve().parent
TURNS = 4  # of a conversation on one line
CORPORA = ("jfainberg/self_dialogue_corpus", "Helsinki-NLP/Tatoeba-Challenge", "common-voice/common-voice")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lines(folder: Path) -> Iterator[tuple[str, str]]:
    """Language and line."""
    talks, pairs, voice = (Repository.under(folder, name) for name in CORPORA)
    for turns in dialogues(talks):
        for start in range(0, len(turns), TURNS):
            yield "en", " ".join(turns[start : start + TURNS])
    for english, portuguese in tatoeba(pairs):
        yield "en", english
        yield "pt", portuguese
    for name in voice.files():
        for language in ("pt", "en"):
            if name.startswith(f"server/data/{language}/") and name.endswith(".txt"):
                try:
                    told = voice.read(name)
                except subprocess.CalledProcessError:  # the largest files are not in every copy
                    continue
                yield from ((language, line.strip()) for line in told.splitlines())


def real(labels: Path, talk: Path) -> list[Row]:
    """The utterances somebody labelled, as rows; none where their text was not gathered."""
    wanted = {
        told["sha"]: {**told, "author": path.stem, "lang": path.stem[:2]}
        for path in sorted(labels.glob("*.jsonl"))
        for told in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    }
    rows = []
    for path in sorted(talk.glob("talk.*.txt.gz")):
        for text in gzip.decompress(path.read_bytes()).decode().splitlines():
            told = wanted.pop(digest(text), None)
            if told is not None:
                kind = "plain" if told["items"] else "nothing"
                items = [{key: cut(text, value) for key, value in item.items()} for item in told["items"]]
                rows.append(row_of({**told, "id": f"real-{told['sha']}", "kind": kind, "text": text, "items": items}))
    return rows


def cut(text: str, value: object) -> object:
    """What stands between two places; anything else as it is."""
    is_place = isinstance(value, list) and len(value) == 2 and isinstance(value[0], int)
    return text[value[0] : value[1]] if is_place else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, default=HERE.parent / "made/repositories")
    parser.add_argument("--out", type=Path, default=HERE.parent / "made/reader")
    args = parser.parse_args()
    found: dict[str, dict[str, None]] = {"pt": {}, "en": {}}
    for language, line in lines(args.repositories):
        if line:
            found[language][line] = None
    args.out.mkdir(parents=True, exist_ok=True)
    for language, own in found.items():
        packed = gzip.compress("\n".join(own).encode(), mtime=0)
        (args.out / f"talk.{language}.txt.gz").write_bytes(packed)
        print(f"{language}: {len(own)} lines, {len(packed) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
