"""Changing a few settings in `relembra.toml`, so that everything else in it stays as it was written.

The places of values are guessed from the lines; what was guessed is parsed again and refused where anything but the
wanted settings changed, so that no guess can do harm.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relembra.errors import SettingsError
from relembra.settings import FILE, PREFIX, load_settings, private_folder, settings_file

__all__ = ["changed", "file_to_write", "held_in", "overriding", "write_settings"]

NEW_FILE_MODE = 0o600
"""A settings file may come to hold keys."""
_VALUE = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\[[^\[\]\n#]*\]|[^\s"'\[#][^\n#]*?)"""
_LINE = r"""^[ \t]*(?:{name}|"{name}"|'{name}')[ \t]*=[ \t]*(?P<value>{value})[ \t]*(?:\#[^\n]*)?\r?$"""

Value = str | int | bool | list[str]


def file_to_write(env: Mapping[str, str]) -> Path:
    """The settings file in use, else the one the user's configuration would have."""
    held = settings_file(env)
    return held or Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "relembra" / FILE


def held_in(path: Path) -> dict[str, Any]:
    """What a settings file says; nothing where there is none."""
    return _parsed(_read(path), path)


def overriding(env: Mapping[str, str], *names: str) -> list[str]:
    """The variables that win over what the file says of these settings."""
    return [variable for name in names if (variable := PREFIX + name.upper()) in env]


def write_settings(path: Path, changes: Mapping[str, Value]) -> None:
    """Change settings in a file, all or none, and leave the rest of it as it is, byte for byte.

    `SettingsError` where the file cannot be read or written, or where the settings could not be used afterwards.
    """
    path = path.resolve()  # a link to it stays one
    before = _read(path)
    after = changed(before, changes)
    if after == before:
        return
    try:
        private_folder(path.parent)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else NEW_FILE_MODE
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as exc:
        raise SettingsError(f"{path} cannot be written: {exc.strerror}") from exc
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after.encode())
            file.flush()
            os.fsync(file.fileno())
        load_settings({PREFIX + "CONFIG": name, "USER": "anybody"})
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as exc:
        raise SettingsError(f"{path} cannot be written: {exc.strerror}") from exc
    finally:
        Path(name).unlink(missing_ok=True)


def changed(text: str, changes: Mapping[str, Value]) -> str:
    """The text of a settings file with top-level settings changed or added; `SettingsError` where that is not clear."""
    for name, value in changes.items():
        wanted = _parsed(text) | {name: value}
        found = next((guess for guess in _guesses(text, name, value) if _says(guess, wanted)), None)
        if found is None:
            raise SettingsError(f"{name} cannot be changed in the settings file by a program; change it there by hand")
        text = found
    return text


def _guesses(text: str, name: str, value: Value) -> Iterator[str]:
    """The text with the setting in every place it could belong, the likeliest first."""
    held = _parsed(text)
    if held.get(name) == value and name in held:
        yield text
    said = json.dumps(value, ensure_ascii=False)
    pattern = re.compile(_LINE.format(name=re.escape(name), value=_VALUE), re.MULTILINE)
    for found in pattern.finditer(text):
        yield text[: found.start("value")] + said + text[found.end("value") :]
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    first_table = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    told = [at for at, line in enumerate(lines[:first_table], 1) if line.strip() and not line.lstrip().startswith("#")]
    for at in ([told[-1]] if told else []) + ([len(lines)] if first_table == len(lines) else []) + [0]:
        above, below = "".join(lines[:at]), "".join(lines[at:])
        joint = newline if above and not above.endswith("\n") else ""
        gap = newline if not at and below.strip() else ""
        yield f"{above}{joint}{name} = {said}{newline}{gap}{below}"


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsError(f"{path} cannot be read: {exc}") from exc


def _parsed(text: str, path: Path | None = None) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise SettingsError(f"{path or FILE}: {exc}") from exc
