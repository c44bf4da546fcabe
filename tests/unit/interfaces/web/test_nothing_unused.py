"""Words and looks of the pages: what a page says exists, what exists is said, and no page changes how another looks."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from loops import each
from relembra.interfaces import web
from relembra.locale import Words, ids

FOLDER = Path(str(web.__file__)).parent
TEMPLATES = {path.name: path.read_text("utf-8") for path in sorted((FOLDER / "templates").glob("*.html"))}
MODULES = [path.read_text("utf-8") for path in FOLDER.glob("*.py")]
SCRIPT = (FOLDER / "static" / "js" / "page.js").read_text("utf-8")
SHEETS = {path.name: path.read_text("utf-8") for path in sorted((FOLDER / "static" / "css").glob("*.css"))}
SOURCE = "\n".join([*TEMPLATES.values(), *MODULES, SCRIPT])

BASE = "00-base.css"
OWNERS = {
    "10-memory.css": ("memory",),
    "11-item.css": ("item",),
    "12-add.css": ("add",),
    "40-questions.css": ("question",),
    "40-history.css": ("history",),
    "50-profile.css": ("profile",),
    "60-notes.css": ("note",),
    "60-talk.css": ("talk", "welcome", "story", "connect", "parts", "progress"),
    "61-nights.css": ("night",),
    "70-settings.css": ("settings", "erase", "progress", "night"),
}
"""How the names of the templates begin that a sheet is for."""
MADE_CLASSES = ("of-", "part-", "s-")
"""Beginnings of classes whose end is chosen as the page is made, beside areas of life and what htmx adds."""

ENDINGS = {
    "page.": ("learn", "recall", "talk.chat"),
    "page.connect.": [f"{way}{end}" for way in ("proxy", "mcp", "program") for end in ("", ".what")],
    "page.export.": [f"{name}{end}" for name in ("json", "jsonl", "markdown", "notes") for end in ("", ".what")],
    "page.import.": ("conflicted.what", "left_out.what", "skipped.what"),
    "page.settings.": ("accounts", "blocked", "display", "keys", "models", "nights"),
    "page.settings.models.": [
        *(f"{name}{end}" for name in ("reader", "deep", "embedder", "upstream") for end in ("", ".what")),
        *("any", "folder", "rules", "shipped"),
    ],
    "page.history.": [
        "timeline", "day", "day_before", "day_after", "week_before", "week_after",
    ],
}  # fmt: skip
"""Of keys put together as a page is made, and whose beginning says too little, what follows it."""
BEGINNINGS = (
    "page.confidence.", "page.done.", "page.item.source.", "page.item.state.", "page.item.who.", "page.memory.nothing.",
    "page.memory.order.",
    "page.memory.pill.", "page.memory.state.", "page.nights.back.", "page.nights.fate.", "page.nights.kind.",
    "page.nights.now.", "page.nights.one.", "page.note.kind.", "page.note.new.",
    "page.note.nothing.", "page.note.one.",
    "page.profile.section.empty.", "page.profile.see.", "page.settings.keys.right.",
    "page.settings.language.",
    "page.talk.trouble.", "page.theme.", "page.history.fate.",
    "page.history.known.",
    "page.recall.example.", "page.turned_away.", "page.welcome.step.",
)  # fmt: skip
"""Of the others, everything before their last word."""


def own_keys() -> set[str]:
    return {key for key in ids("web") if key.startswith("page.")}


def test_everything_a_page_could_say_is_said_somewhere() -> None:
    said = set(re.findall(r"""["'](page(?:\.\w+)+)["']""", SOURCE))
    made = {beginning + ending for beginning, endings in ENDINGS.items() for ending in endings}
    rest = own_keys() - said - made
    assert {key for key in rest if key.rpartition(".")[0] + "." not in BEGINNINGS} == set()


def test_what_is_put_together_is_put_together_from_what_is_listed() -> None:
    found = set(re.findall(r"""["'](page\.[\w.]*\.|page\.)["'{]""", SOURCE)) | set(
        re.findall(r"""f["'](page\.[\w.]*\.){""", SOURCE)
    )
    assert found == {*ENDINGS, *BEGINNINGS}
    keys = own_keys()
    assert {first + end for first, ends in ENDINGS.items() for end in ends} - keys == set()


@each(TEMPLATES)
def test_every_sentence_a_template_asks_for_is_there(name: str) -> None:
    words, text = Words("en", "web", "names"), TEMPLATES[name]
    asked = re.findall(r"""\bt\((?:'([\w.]+)'(?: if [^,()]+? else '([\w.]+)')?)[,)]""", text)
    keys = {key for pair in asked for key in pair if key}
    keys |= {f"count.{what}.{end}" for what in re.findall(r"t\.count\('([\w.]+)'", text) for end in ("one", "many")}
    assert {key for key in keys if not words.has(key)} == set()


def selectors(sheet: str) -> list[str]:
    """Each selector of a sheet, without what stands around it."""
    bare = re.sub(r"/\*.*?\*/|@keyframes \w+ {(?:[^{}]*{[^{}]*})*\s*}", "", sheet, flags=re.DOTALL)
    lists = [found.strip() for found in re.findall(r"([^{};]+){", bare)]
    return [one.strip() for some in lists if not some.startswith("@") for one in re.split(r",(?![^(]*\))", some)]


def classes(selector: str) -> list[str]:
    """The classes and ids a selector names."""
    return re.findall(r"[.#][A-Za-z][\w-]*", selector)


def worn() -> dict[str, set[str]]:
    """Which templates have an element of a class or an id, as far as their text tells."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, text in TEMPLATES.items():
        for kind, given in re.findall(r'(class|id)="((?:{{.*?}}|{%.*?%}|[^"{])*)"', text):
            chosen = re.findall(r"'([^']*)'", " ".join(re.findall(r"{{.*?}}|{%.*?%}", given)))
            plain = re.sub(r"{{.*?}}|{%.*?%}", " ", given)
            for word in " ".join([plain, *chosen]).split():
                found[("." if kind == "class" else "#") + word].add(name)
    return found


@each(SHEETS)
def test_every_class_with_a_look_is_somewhere(name: str) -> None:
    known = set(re.findall(r"[A-Za-z][\w-]*", SOURCE))
    listed = {one[1:] for selector in selectors(SHEETS[name]) for one in classes(selector)}
    areas = {"health", "finance", "relationships", "career", "growth", "leisure", "spirituality", "mental_health"}
    assert {one for one in listed - known - areas - {"htmx-request"} if not one.startswith(MADE_CLASSES)} == set()


@each(sorted(SHEETS.keys() - {BASE}))
def test_a_page_looks_after_itself_alone(name: str) -> None:
    """What more than one page wears stands in the base sheet."""
    wearers, astray = worn(), {}
    for selector in selectors(SHEETS[name]):
        own = classes(selector)
        everywhere = set.intersection(*(wearers[one] for one in own)) if own else set(TEMPLATES)
        if others := {one for one in everywhere if not one.startswith(OWNERS[name])}:
            astray[selector] = sorted(others)
    assert astray == {}
