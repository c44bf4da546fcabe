"""The prompts: files a person may read and replace, in the language of the talk.

A file's first line is `<!-- version: 1 -->`. What stands before the line `<!-- data -->` are the instructions, the same
for every talk; what stands after it is filled in anew. `{{name}}` is where something is put in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from relembra.errors import SettingsError

__all__ = ["Prompt", "Prompts", "Rendered"]

LANGUAGES = ("en", "pt")
DATA = "<!-- data -->"

# What each prompt has to leave room for; what else it may name besides.
NEEDED = {
    "digest": {"messages"},
    "summary": {"messages"},
    "compare": {"pairs"},
    "relevance": {"question", "texts"},
    "reread": {"messages"},
    "topics": {"notes"},
    "retell": {"texts"},
    "repair": {"problems"},
}
OPTIONAL = {
    "digest": {"areas", "attributes", "before", "known", "most"},
    "summary": {"previous", "words"},
    "reread": {"areas", "attributes", "known", "most"},
    "topics": {"least", "most"},
    "retell": {"words"},
}

_VERSION = re.compile(r"\A<!-- version: ([\w.\-]{1,20}) -->\n")
_ROOM = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt filled in: what the model is to do, and what with."""

    instructions: str
    data: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as its file has it."""

    version: str
    instructions: str
    data: str

    def rendered(self, **values: str) -> Rendered:
        """Filled in once over: what is put in is never looked at for room itself. Empty lines go from the data."""
        data = "\n".join(line for line in _filled(self.data, values).split("\n") if line)
        return Rendered(_filled(self.instructions, values).strip(), data)


class Prompts:
    """Reads a prompt once: from `folder/LANGUAGE/NAME.md` where a person put one, else the shipped one."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise SettingsError(f"the folder for prompts {folder} is not there")
        self._folder = folder
        self._read: dict[tuple[str, str], Prompt] = {}

    def get(self, name: str, language: str) -> Prompt:
        """The prompt of a name; languages without prompts get the English one."""
        key = name, language if language in LANGUAGES else LANGUAGES[0]
        if key not in self._read:
            self._read[key] = self._load(*key)
        return self._read[key]

    def version(self, name: str) -> str:
        """The version of a prompt; both, where the languages are not at the same one."""
        return "+".join(dict.fromkeys(self.get(name, language).version for language in LANGUAGES))

    def _load(self, name: str, language: str) -> Prompt:
        own = None if self._folder is None else self._folder / language / f"{name}.md"
        if own is None or not own.is_file():
            shipped = files("relembra.minds").joinpath("prompts", language, f"{name}.md")
            return _parsed(shipped.read_text("utf-8"), name, f"{language}/{name}.md")
        try:
            return _parsed(own.read_text("utf-8"), name, str(own))
        except (OSError, UnicodeDecodeError) as exc:
            raise SettingsError(f"the prompt {own} cannot be read: {exc}") from exc


def _parsed(text: str, name: str, place: str) -> Prompt:
    text = text.replace("\r\n", "\n")
    version = _VERSION.match(text)
    if version is None:
        raise SettingsError(f"the prompt {place} must begin with a line like <!-- version: 1 -->")
    rooms = set(_ROOM.findall(text))
    if missing := NEEDED[name] - rooms:
        raise SettingsError(f"the prompt {place} leaves no room for {{{{{min(missing)}}}}}")
    if unknown := rooms - NEEDED[name] - OPTIONAL.get(name, set()):
        raise SettingsError(f"the prompt {place} has room for {{{{{min(unknown)}}}}}, which nothing fills")
    instructions, _, data = text[version.end() :].partition(f"\n{DATA}\n")
    if name != "repair" and not NEEDED[name] <= set(_ROOM.findall(data)):
        raise SettingsError(
            f"the prompt {place} must have what was said after a line {DATA}, never in the instructions"
        )
    return Prompt(version[1], instructions, data)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _ROOM.sub(lambda room: values[room[1]], text)
