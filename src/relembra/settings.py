"""Everything configurable, in one typed value: built once at the edge, passed down, never read back; and its file.

Later wins: defaults, `relembra.toml`, `RELEMBRA_…` in the environment, what the caller says.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from relembra.domain.policy import Policy, overridden, preset
from relembra.domain.time import system_clock
from relembra.errors import SettingsError

PREFIX = "RELEMBRA_"
FILE = "relembra.toml"
LISTS = ("blocked", "spaces_off", "cors", "hosts")
TABLES = ("policy", "upstreams", "webhooks")  # only in the file

Locality = Literal["auto", "yes", "no"]
"""Whether a model runs on a machine of ours; auto: when its address is this machine's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamSettings:
    """One of several models the proxy may call, under a name clients put before the model's: ollama/llama3."""

    url: str
    """The server's address, as OpenAI clients take it, like http://127.0.0.1:11434/v1."""
    model: str = ""
    """The model for requests that name none."""
    api_key: str = field(default="", repr=False)
    """Its key; never logged."""
    local: Locality = "auto"
    """Whether it may see what is marked local-only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an installation may choose; docs/settings.md describes each."""

    db: str = ""
    tenant: str = "default"
    user: str = ""
    language: Literal["", "en", "pt"] = ""
    timezone: str = ""
    durability: Literal["full", "normal"] = "full"
    read_only: bool = False
    backup_folder: str = ""
    backups_kept: int = 7
    preset: str = "life"
    policy: dict[str, dict[str, Any]] = field(default_factory=dict)
    embedder: str = "offline"
    embedder_url: str = ""
    embedder_api_key: str = field(default="", repr=False)
    embedder_dimensions: int | None = None
    transcriber: str = ""
    transcriber_url: str = ""
    transcriber_api_key: str = field(default="", repr=False)
    llm: str = ""
    llm_deep: str = ""
    llm_url: str = ""
    llm_api_key: str = field(default="", repr=False)
    blocked: list[str] = field(default_factory=list)
    spaces_off: list[str] = field(default_factory=list)
    llm_local: Locality = "auto"
    host: str = "127.0.0.1"
    port: int = 8484
    keys: Literal["auto", "always"] = "auto"
    rate_limit: int = 1200
    largest_body: int = 1_048_576
    cors: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    jwt_secret: str = field(default="", repr=False)
    jwt_jwks: str = ""
    jwt_issuer: str = ""
    jwt_audience: str = ""
    jwt_tenant: str = ""
    upstream: str = ""
    upstream_model: str = ""
    upstream_api_key: str = field(default="", repr=False)
    upstream_local: Locality = "auto"
    upstreams: dict[str, UpstreamSettings] = field(default_factory=dict)
    webhook_secret: str = field(default="", repr=False)
    webhooks: dict[str, str] = field(default_factory=dict, repr=False)
    discord_token: str = field(default="", repr=False)
    telegram_token: str = field(default="", repr=False)

    def chosen_policy(self) -> Policy:
        return overridden(preset(self.preset), self.policy)

    def chosen_timezone(self) -> str:
        """The IANA name set, else the system's; empty where that has none. `SettingsError` for an unknown name."""
        if not self.timezone:
            return system_timezone(os.environ, now=system_clock())
        if _zone(self.timezone) is None:
            raise SettingsError(
                f"timezone = {self.timezone!r} is not known here: use an IANA name like Europe/Lisbon or"
                " America/New_York, or leave it empty for the system's"
            )
        return self.timezone

    def chosen_db(self) -> str:
        return self.db or str(data_folder() / "memory.db")


def is_on_this_machine(url: str) -> bool:
    """Whether an address is one of this machine's own: localhost, 127.0.0.0/8 or ::1."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_local(choice: Locality, url: str) -> bool:
    """Whether a model at an address runs on a machine of ours."""
    return is_on_this_machine(url) if choice == "auto" else choice == "yes"


def load_settings(env: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """Settings from the file, the environment and the caller; a wrong name or value is refused with its place."""
    import msgspec  # not at import time

    env = os.environ if env is None else env
    known = {entry.name: entry for entry in fields(Settings)}
    values: dict[str, Any] = {}
    path = settings_file(env)
    if path is not None:
        try:
            values = tomllib.loads(path.read_bytes().decode())
        except (OSError, UnicodeDecodeError) as exc:
            raise SettingsError(f"{path} cannot be read: {exc}") from exc
        except tomllib.TOMLDecodeError as exc:
            raise SettingsError(f"{path}: {exc}") from exc
        if unknown := sorted(set(values) - set(known)):
            raise SettingsError(f"{path}: no setting {', '.join(unknown)}; there are {', '.join(known)}")
    for name in known:
        word = env.get(PREFIX + name.upper())
        if word is not None and name not in TABLES:
            parts = [part.strip() for part in word.split(",")]
            values[name] = [part for part in parts if part] if name in LISTS else word
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as exc:
        raise SettingsError(f"settings: {exc}") from exc
    if "user" not in values:
        settings = replace(settings, user=logged_in(env))
    if settings.backups_kept < 1:
        raise SettingsError("backups_kept has to be 1 or more; leave backup_folder empty for no backups")
    settings.chosen_policy()
    if settings.timezone:
        settings.chosen_timezone()
    return settings


def logged_in(env: Mapping[str, str]) -> str:
    """The name the system knows this person by; some, as in a container, have none."""
    import getpass  # seldom needed

    if name := env.get("USER") or env.get("USERNAME"):
        return name
    try:
        return getpass.getuser() or "me"
    except (OSError, KeyError, ImportError):
        return "me"


def system_timezone(env: Mapping[str, str], *, now: datetime, etc: Path = Path("/etc")) -> str:
    """The IANA name of this system's clock; empty where it has none, or one that does not show its offset now."""
    name = ""
    if "TZ" in env:
        name = env["TZ"].removeprefix(":")
    else:
        with suppress(OSError, UnicodeDecodeError):
            name = (etc / "timezone").read_text("utf-8").strip()
        with suppress(OSError):
            linked = str((etc / "localtime").readlink())
            name = linked if "zoneinfo/" in linked else name
    name = name.rpartition("zoneinfo/")[2]
    zone = _zone(name)
    return name if zone is not None and now.astimezone(zone).utcoffset() == now.utcoffset() else ""


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def data_folder() -> Path:
    """Where this person's programs keep their data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "relembra"


def private_folder(path: Path) -> Path:
    """A folder, made with those above it for its owner alone; one that is there is left as it is."""
    for missing in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return path


def settings_file(env: Mapping[str, str]) -> Path | None:
    """The file named by RELEMBRA_CONFIG, else one in this folder, else one in the user's configuration."""
    named = env.get(PREFIX + "CONFIG")
    if named:
        if not Path(named).is_file():
            raise SettingsError(f"{PREFIX}CONFIG names {named}, which is not a file")
        return Path(named)
    own = Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "relembra" / FILE
    return next((path for path in (Path(FILE), own) if path.is_file()), None)
