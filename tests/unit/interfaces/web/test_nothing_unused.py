"""Words of the pages: what a page says exists, and what exists is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from loops import each
from relembra.interchange import ExportFormat
from relembra.interfaces import web
from relembra.locale import Words, ids

FOLDER = Path(str(web.__file__)).parent
TEMPLATES = {path.name: path.read_text("utf-8") for path in sorted((FOLDER / "templates").glob("*.html"))}
MODULES = [path.read_text("utf-8") for path in FOLDER.glob("*.py")]
SCRIPT = (FOLDER / "static" / "js" / "page.js").read_text("utf-8")
SOURCE = "\n".join([*TEMPLATES.values(), *MODULES, SCRIPT])

MODELS = ("reader", "deep", "embedder", "transcriber", "vision", "upstream")
ENDINGS = {
    "page.": ("learn", "recall", "talk.chat"),
    "page.connect.": [f"{way}{end}" for way in ("proxy", "mcp", "program") for end in ("", ".what")],
    "page.export.": [f"{name}{end}" for name in get_args(ExportFormat) for end in ("", ".what")],
    "page.import.": ("conflicted.what", "left_out.what"),
    "page.settings.": ("accounts", "blocked", "display", "keys", "models", "nights"),
    "page.settings.models.": [
        *(f"{name}{end}" for name in MODELS for end in ("", ".what")),
        *("any", "rules", "shipped"),
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
