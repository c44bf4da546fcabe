"""Everything configurable, in one typed value: built once at the edge, passed down, never read back; and its file.

Later wins: defaults, `relembra.toml`, `RELEMBRA_…` in the environment, what the caller says.
"""

from __future__ import annotations

import os
import re
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
LISTS = ("blocked", "spaces_off", "spaces_only", "cors", "hosts")
TABLES = ("policy", "space_timezones", "upstreams", "webhooks")  # only in the file

REPLYING = {
    "whatsapp": ("whatsapp_number", "whatsapp_token", "whatsapp_app_secret", "whatsapp_verify_token"),
    "email": ("smtp_from", "smtp_host"),
}
"""The channels replies are sent on, and what each cannot do without."""

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

    db: str = field(default="", repr=False)  # which may hold a password
    tenant: str = "default"
    user: str = ""
    language: Literal["", "en", "pt"] = ""
    timezone: str = ""
    space_timezones: dict[str, str] = field(default_factory=dict)
    durability: Literal["full", "normal"] = "full"
    read_only: bool = False
    background: bool = True
    cache: str = field(default="", repr=False)
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
    vision: str = ""
    vision_url: str = ""
    vision_api_key: str = field(default="", repr=False)
    llm: str = ""
    llm_deep: str = ""
    llm_url: str = ""
    llm_api_key: str = field(default="", repr=False)
    blocked: list[str] = field(default_factory=list)
    spaces_off: list[str] = field(default_factory=list)
    spaces_only: list[str] = field(default_factory=list)
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
    event_webhook: str = field(default="", repr=False)
    event_webhook_secret: str = field(default="", repr=False)
    webhooks: dict[str, str] = field(default_factory=dict, repr=False)
    discord_token: str = field(default="", repr=False)
    telegram_token: str = field(default="", repr=False)
    whatsapp_number: str = ""
    whatsapp_token: str = field(default="", repr=False)
    whatsapp_app_secret: str = field(default="", repr=False)
    whatsapp_verify_token: str = field(default="", repr=False)
    whatsapp_url: str = "https://graph.facebook.com/v25.0"
    smtp_from: str = ""
    smtp_host: str = ""
    smtp_port: int = 587
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)

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

    def webhook_secret_of(self, channel: str) -> str:
        return self.webhooks.get(channel) or self.webhook_secret

    def lacking(self, channel: str) -> list[str] | None:
        """The settings a channel with replies still needs; None where nothing of it is set."""
        parts = {name: str(getattr(self, name)) for name in REPLYING[channel]}
        if not any(parts.values()):
            return None
        if channel == "email":
            parts["webhook_secret"] = self.webhook_secret_of(channel)
            parts |= {"smtp_password": self.smtp_password} if self.smtp_user else {}
            parts |= {"smtp_user": self.smtp_user} if self.smtp_password else {}
        return [name for name, value in parts.items() if not value]

    def offline(self) -> Settings:
        """The same without servers of models and caches, to look at what is stored."""
        return replace(self, embedder="offline", llm="", cache="", transcriber="", vision="")

    def chosen_db(self) -> str:
        return self.db or str(data_folder() / "memory.db")


def is_server(db: str) -> bool:
    """Whether an address is a server's, and no file's."""
    return "://" in db and not db.startswith("sqlite:")


def is_in_words(db: str) -> bool:
    """Whether it is an address like `host=… password=…`, which PostgreSQL's own programs take."""
    return re.match(r"\s*(host|hostaddr|port|dbname|user|password|service)\s*=", db) is not None


def shown_db(db: str) -> str:
    """The address of a store as it may be shown: without a password, and without options, one of which may be one."""
    if is_in_words(db):
        return "…"
    if not is_server(db):
        return db
    scheme, _, rest = db.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


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
    if settings.event_webhook:
        address = urlsplit(settings.event_webhook)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise SettingsError("event_webhook has to be an address that begins with http:// or https://")
        if not settings.event_webhook_secret:
            raise SettingsError("event_webhook needs event_webhook_secret, which events are signed with")
    settings.chosen_policy()
    if settings.timezone:
        settings.chosen_timezone()
    for space, zone in settings.space_timezones.items():
        if _zone(zone) is None:
            raise SettingsError(f"space_timezones gives {space!r} {zone!r}: use an IANA name like Europe/Lisbon")
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
