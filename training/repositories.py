"""Reads parallel and conversational text from public Git repositories, one function a kind of text.

Owns what is read and how two Markdown files are lined up; leaves terms and cleaning to `collect.py`. A repository is a git
directory or a checkout under one folder, named `owner+name` (or `owner+name/repo`):

    git clone --mirror https://github.com/Helsinki-NLP/Tatoeba-Challenge repositories/Helsinki-NLP+Tatoeba-Challenge
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Pair = tuple[str, str]  # English, Portuguese
TATOEBA = "data/release/{part}/v2023-09-26/tatoeba-{part}-v2023-09-26.eng-por.txt.gz"
BLOCK = re.compile(r"^(?P<heading>#{1,6}\s+)|^\s*(?P<item>(?:[-*+]|\d+[.)])\s+)")
SENTENCE_END = re.compile(r'(?<=[.!?])["”)]?\s+(?=["“(]?[A-ZÀ-Ý])')


@dataclass(frozen=True, slots=True)
class Repository:
    """A git directory read without a work tree."""

    path: Path

    @classmethod
    def under(cls, folder: Path, name: str) -> Repository:
        path = folder / name.replace("/", "+")
        return cls(path / "repo" if (path / "repo").is_dir() else path)

    def git(self, *args: str) -> bytes:
        return subprocess.run(["git", "-C", str(self.path), *args], capture_output=True, check=True).stdout

    def files(self) -> list[str]:
        return self.git("ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()

    def read(self, path: str) -> str:
        return self.git("show", f"HEAD:{path}").decode("utf8", "replace")


def tatoeba(repository: Repository) -> Iterator[Pair]:
    """Sentences people wrote and translated on tatoeba.org: the challenge's development part."""
    packed = repository.git("show", "HEAD:" + TATOEBA.format(part="dev"))
    for line in gzip.decompress(packed).decode("utf8").splitlines():
        _, _, english, portuguese = line.split("\t")
        yield english, portuguese


def dialogues(repository: Repository) -> Iterator[list[str]]:
    """Conversations one person wrote with both voices (self_dialogue_corpus)."""
    for name in repository.files():
        if not (name.startswith("corpus/") and name.endswith(".csv")):
            continue
        for row in csv.DictReader(io.StringIO(repository.read(name))):
            turns = [(int(k[15:]), v.strip()) for k, v in row.items() if k and k.startswith("Answer.sentence") and v]
            turns.sort()
            if len(turns) > 3:
                yield [re.sub(r"\s+", " ", text) for _, text in turns if text]


# ---- translated Markdown


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, list item or paragraph."""

    kind: str
    text: str


def blocks(markdown: str) -> list[Block]:
    """The prose of a page: no front matter, code, tables, comments, pictures or raw HTML."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.S)
    text = re.sub(r"```.*?```|~~~.*?~~~|<!--.*?-->|\{\{[<%].*?[>%]\}\}", "\n\n", text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    made: list[Block] = []
    lines: list[str] = []
    kind = "text"

    def close() -> None:
        joined = re.sub(r"\s+", " ", " ".join(lines)).strip()
        if re.search(r"\w", joined):
            made.append(Block(kind, joined))
        lines.clear()

    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("|", "<", ">", "---", "===")):
            close()
            kind = "text"
            continue
        if found := BLOCK.match(line):
            close()
            kind = f"h{len(found['heading'].strip())}" if found["heading"] else "item"
            lines.append(line[found.end() :])
            if found["heading"]:
                close()
                kind = "text"
        else:
            lines.append(line.strip())
    close()
    return made


def sections(page: list[Block]) -> list[list[Block]]:
    made: list[list[Block]] = [[]]
    for block in page:
        if block.kind.startswith("h"):
            made.append([])
        made[-1].append(block)
    return made


def aligned(english: str, portuguese: str) -> Iterator[list[tuple[Block, Block]]]:
    """Sections of two translations whose blocks are of the same kinds in the same order."""
    left, right = sections(blocks(english)), sections(blocks(portuguese))
    if len(left) != len(right):
        return
    for ours, theirs in zip(left, right, strict=True):
        if [b.kind for b in ours] == [b.kind for b in theirs]:
            yield list(zip(ours, theirs, strict=True))


def side_by_side(english: str, portuguese: str) -> list[Pair]:
    """A block's sentences side by side; the whole block where their numbers differ."""
    left, right = SENTENCE_END.split(english), SENTENCE_END.split(portuguese)
    return list(zip(left, right, strict=True)) if len(left) == len(right) else [(english, portuguese)]


def pages(repository: Repository, pattern: str, original: str) -> Iterator[tuple[str, str]]:
    """English and Portuguese text of each page: `pattern` finds the translation, `original` names its English page."""
    every = set(repository.files())
    for path in sorted(every):
        source = re.sub(pattern, original, path)
        if path.endswith(".md") and source != path and source in every:
            yield repository.read(source), repository.read(path)


def translated_sections(repository: Repository, pattern: str, original: str) -> Iterator[list[tuple[Block, Block]]]:
    for english, portuguese in pages(repository, pattern, original):
        yield from aligned(english, portuguese)
