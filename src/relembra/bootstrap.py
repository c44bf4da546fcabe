"""From settings to a memory: the one place that names adapters."""

from __future__ import annotations

import asyncio
import locale
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from relembra.domain.policy import Policy
from relembra.domain.time import Clock, system_clock, zoned_clock
from relembra.errors import MissingExtraError, SettingsError, StoreReadOnlyError
from relembra.ingest.intake import BlockSettings
from relembra.memory import Memory
from relembra.minds.port import Analyzer, Embedder, ImageReader, NightReader, Outside, Tokens, Transcriber
from relembra.night.events import EventWebhook
from relembra.night.upkeep import Backups, backup_name
from relembra.settings import (
    Settings,
    data_folder,
    is_in_words,
    is_local,
    is_on_this_machine,
    load_settings,
    logged_in,
    private_folder,
    shown_db,
)
from relembra.store.cache import SharedCache
from relembra.store.port import Moved, Restored, Salvaged, Store
from relembra.transfer.media import Media

if TYPE_CHECKING:
    from relembra.minds.llm.reader import ModelReader
    from relembra.minds.offline.night import OfflineNight
    from relembra.minds.reader.reader import OfflineReader

IN_MEMORY = ":memory:"
_SERVERS = ("postgresql://", "postgres://")


@asynccontextmanager
async def opened(
    db: str | Path | None = None,
    *,
    settings: Settings | None = None,
    clock: Clock = system_clock,
    background: bool = True,
    read_only: bool = False,
) -> AsyncIterator[Memory]:
    """A memory that works until the block ends; what is queued then stays queued."""
    from relembra.minds.embedders import OfflineEmbedder
    from relembra.minds.offline.analysis import BilingualAnalyzer, mended
    from relembra.minds.offline.diary import OfflineObserver
    from relembra.minds.offline.language import language_of
    from relembra.minds.offline.night import OfflineNight
    from relembra.minds.offline.questions import OfflineInquirer
    from relembra.minds.offline.wordpiece import OfflineTokens
    from relembra.store.cache import Cache

    settings = settings or load_settings()
    if read_only:
        settings = replace(settings, read_only=True)
    home = settings.chosen_timezone()
    if home and clock is system_clock:
        clock = zoned_clock(home)
    analyzer = BilingualAnalyzer()
    embedder = chosen_embedder(settings)
    policy = settings.chosen_policy()
    tokens = OfflineTokens()
    encoder = embedder if isinstance(embedder, OfflineEmbedder) else OfflineEmbedder()
    offline = offline_reader(tokens, policy)
    reader = model_reader(settings, offline) if settings.llm else None
    # the night's thresholds were set on the shipped encoder, so that one it stands on
    resting = OfflineNight(encoder, tokens, policy=policy.cluster)
    address = str(db) if db is not None else settings.chosen_db()
    store = await chosen_store(address, settings, analyzer)
    memory = Memory(
        store,
        embedder=embedder,
        analyzer=analyzer,
        tokens=tokens,
        language_of=language_of,
        offline=offline,
        inquirer=OfflineInquirer(),
        offline_night=resting,
        observer=OfflineObserver(read_within=policy.learn.read_within),
        night=chosen_night(settings, resting, offline),
        cache=Cache(clock=clock, shared=await shared_cache(store, address, settings)),
        backups=daily_backups(store, address, settings, clock),
        events=event_webhook(settings),
        reader=reader,
        media=chosen_media(settings),
        blocks=BlockSettings.of(settings.blocked, settings.spaces_off, settings.spaces_only),
        outside=outside_minds(settings),
        mend=mended if isinstance(embedder, OfflineEmbedder) else None,  # a larger model reads slips by itself
        policy=policy,
        language=settings.language or system_language(),
        user=settings.user or logged_in(os.environ),
        home=home,
        space_zones=settings.space_timezones,
        clock=clock,
    )
    if background and not settings.read_only:
        memory.start(queued=settings.background)
    try:
        yield memory
    finally:
        await memory.close()


def event_webhook(settings: Settings) -> EventWebhook | None:
    """The receiver of events, where one is set."""
    if not (url := settings.event_webhook):
        return None
    return EventWebhook(url, settings.event_webhook_secret, is_on_this_machine(url))


def outside_minds(settings: Settings) -> Outside:
    """Which of the minds the settings choose are on another machine."""
    from relembra.minds.llm.models import OPENAI_PROTOCOL

    def is_away(model: str, url: str) -> bool:
        return not is_local(settings.llm_local, url or OPENAI_PROTOCOL.get(model.partition(":")[0], ""))

    fast_is_away = bool(settings.llm) and is_away(settings.llm, settings.llm_url)
    deep_is_away = bool(settings.llm) and is_away(*_deep(settings))
    return Outside(
        reader=fast_is_away or deep_is_away,
        night=deep_is_away,
        embedder=settings.embedder.startswith("openai:") and not is_on_this_machine(settings.embedder_url),
    )


def offline_reader(tokens: Tokens, policy: Policy) -> OfflineReader:
    """The reader without a model."""
    from relembra.minds.reader.networks import shipped_networks
    from relembra.minds.reader.reader import OfflineReader

    return OfflineReader(shipped_networks(), tokens, policy=policy.learn, summary_tokens=policy.listen.summary_tokens)


def model_reader(settings: Settings, offline: OfflineReader) -> ModelReader:
    """The reader with a model; what is wrong with a setting is said when it is first asked."""
    from relembra.minds.llm.reader import ModelReader

    deep, url = _deep(settings)
    return ModelReader(
        offline,
        fast=settings.llm,
        deep=deep,
        base_url=settings.llm_url or None,
        api_key=_key_of(settings.llm, settings),
        deep_base_url=url or None,
        deep_api_key=_key_of(deep, settings),
        worth=offline.worth,
    )


def chosen_night(settings: Settings, offline: OfflineNight, gate: OfflineReader) -> NightReader:
    """The night's reader with the deep model; without a model, the offline one itself.

    `gate` says which messages are worth reading again.
    """
    if not settings.llm:
        return offline
    from relembra.minds.llm.reader import ModelNight

    deep, url = _deep(settings)
    policy = settings.chosen_policy()
    return ModelNight(
        offline,
        model=deep,
        base_url=url or None,
        api_key=_key_of(deep, settings),
        worth=gate.worth,
        cluster=policy.cluster,
        confidence=policy.confidence,
    )


def _deep(settings: Settings) -> tuple[str, str]:
    """The model for what is harder, and its server's address: `llm_url`, unless it is another provider's."""
    deep = settings.llm_deep or settings.llm
    is_one_server = deep.partition(":")[0] == settings.llm.partition(":")[0]
    return deep, settings.llm_url if is_one_server else ""


def _key_of(model: str, settings: Settings) -> str | None:
    """The key that was set, else the one in the provider's own variable."""
    from relembra.minds.llm.models import KEY_VARIABLES

    return settings.llm_api_key or os.environ.get(KEY_VARIABLES.get(model.partition(":")[0], "")) or None


async def chosen_store(db: str, settings: Settings, analyzer: Analyzer) -> Store:
    """The store an address names."""
    from relembra.store.sqlite import InMemoryStore, SqliteStore

    if db == IN_MEMORY:
        return InMemoryStore(analyzer)
    if db.startswith(_SERVERS):
        return await _on_server(db, settings, analyzer)
    if not settings.db and db == settings.chosen_db() and not settings.read_only:
        private_folder(data_folder())
    return await SqliteStore.open(
        _file(db), analyzer=analyzer, durability=settings.durability, read_only=settings.read_only
    )


async def shared_cache(store: Store, db: str, settings: Settings) -> SharedCache | None:
    """The cache that processes of one store and the same settings share, where a setting names one."""
    from relembra import __version__
    from relembra.store.redis import RedisCache

    if not settings.cache:
        return None
    if settings.cache.partition("://")[0] not in ("redis", "rediss", "unix"):
        raise SettingsError("cache is no address of a Redis server; use redis://HOST:PORT/0, or leave it empty")
    if db == IN_MEMORY:
        return None  # nobody else has it
    try:
        identity = await store.identity()
    except StoreReadOnlyError:
        return None
    chosen = (settings.chosen_policy(), settings.language or system_language(), settings.chosen_timezone())
    return RedisCache(settings.cache, f"{identity} {__version__} {chosen!r}")


async def tried_cache(settings: Settings) -> None:
    """Reach the shared cache a setting names: `StoreUnavailableError` where that fails."""
    from relembra.store.redis import RedisCache

    await RedisCache(settings.cache, "").tried()


async def _on_server(db: str, settings: Settings, analyzer: Analyzer) -> Store:
    try:
        from relembra.store.postgres import PostgresStore
    except ImportError as exc:
        raise MissingExtraError("a memory on PostgreSQL", "postgres") from exc
    from relembra.store.sqlite import backups

    return await PostgresStore.open(
        db,
        analyzer=analyzer,
        is_durable=settings.durability == "full",
        read_only=settings.read_only,
        archive=backups.archive,
    )


def daily_backups(store: Store, db: str, settings: Settings, clock: Clock) -> Backups | None:
    """The backups a setting asks for."""
    if not settings.backup_folder or db == IN_MEMORY:
        return None
    folder = Path(settings.backup_folder).expanduser()
    file = Path(shown_db(db).removeprefix("postgresql:")) if db.startswith(_SERVERS) else _file(db)
    return Backups(store, folder=folder, name=backup_name(file), kept=settings.backups_kept, clock=clock)


async def restore_backup(
    source: Path, db: str | Path | None = None, *, settings: Settings | None = None, clock: Clock = system_clock
) -> Restored:
    """Put a backup in the place of the memory an address names, which no program may have open."""
    from relembra.store.sqlite import backups

    settings = settings or load_settings()
    name = str(db) if db is not None else settings.chosen_db()
    if name == IN_MEMORY:
        raise SettingsError(f"{IN_MEMORY} is no file that a backup could take the place of")
    if name.startswith(_SERVERS):
        raise SettingsError(
            f"{shown_db(name)} is no file that a backup could take the place of; open the backup by itself"
            f" (--db {source}), or put back what pg_dump wrote with pg_restore"
        )
    return await asyncio.to_thread(backups.restore, source, _file(name), now=clock())


async def salvage(source: Path, target: Path) -> Salvaged:
    """Bring what can be read of a damaged file into a new one."""
    from relembra.minds.offline.analysis import BilingualAnalyzer
    from relembra.store.sqlite import backups as salvaging

    return await asyncio.to_thread(salvaging.salvage, source, target, BilingualAnalyzer())


async def migrate(
    source: str,
    target: str,
    *,
    settings: Settings | None = None,
    tenant: str | None = None,
    user: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    moved: Callable[[str, str | None, int], None] | None = None,
) -> Moved:
    """Bring what one store holds, of everybody, a tenant or a person, into another, and compare every row."""
    from relembra.minds.offline.analysis import BilingualAnalyzer
    from relembra.store.sql.moving import move
    from relembra.store.sql.store import SqlStore

    settings, places = settings or load_settings(), [_place(db) for db in (source, target)]
    if IN_MEMORY in places or places[0] == places[1]:
        raise SettingsError("name two memories that last, one to move from and another to move into")
    analyzer, stores = BilingualAnalyzer(), list[Store]()
    try:
        stores.append(await chosen_store(source, replace(settings, read_only=True), analyzer))
        stores.append(await chosen_store(target, replace(settings, read_only=False), analyzer))
        one, other = (cast(SqlStore, store) for store in stores)
        return await move(one, other, places[0], tenant=tenant, user=user, progress=progress, moved=moved)
    finally:
        for store in stores:
            await store.close()


def _place(db: str) -> str:
    return shown_db(db) if db == IN_MEMORY or db.startswith(_SERVERS) else str(_file(db).resolve())


def _file(db: str) -> Path:
    if "://" in db and not db.startswith("sqlite:///"):
        raise SettingsError(f"no store for {db.partition('://')[0]}://; use a file, sqlite:///file or postgresql://…")
    if is_in_words(db):
        raise SettingsError("db is no file; a PostgreSQL server is postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
    return Path(db.removeprefix("sqlite:///")).expanduser()


def chosen_embedder(settings: Settings) -> Embedder:
    """The embedder a setting names; nothing is loaded or called before it is used."""
    kind, _, name = settings.embedder.partition(":")
    match kind:
        case "offline":
            from relembra.minds.embedders import OfflineEmbedder

            return OfflineEmbedder()
        case "openai" if name:
            from relembra.minds.embedders import OpenAICompatibleEmbedder

            if not settings.embedder_url:
                raise SettingsError("embedder openai:… needs embedder_url, the server's address")
            return OpenAICompatibleEmbedder(
                settings.embedder_url,
                name,
                api_key=settings.embedder_api_key or None,
                dimensions=settings.embedder_dimensions,
            )
        case _:
            raise SettingsError(f"no embedder {settings.embedder!r}; use offline or openai:MODEL")


def chosen_media(settings: Settings) -> Media:
    """What reads recordings and pictures, by the settings."""
    return Media(chosen_transcriber(settings), chosen_image_reader(settings))


def chosen_transcriber(settings: Settings) -> Transcriber | None:
    """What a setting says turns recordings into words; None where it names nothing, and nothing is sent anywhere."""
    kind, _, name = settings.transcriber.partition(":")
    if not settings.transcriber:
        return None
    if kind != "openai" or not name:
        raise SettingsError(f"no transcriber {settings.transcriber!r}; use openai:MODEL")
    if not settings.transcriber_url:
        raise SettingsError("transcriber openai:… needs transcriber_url, the server's address")
    need("httpx", "turning recordings into words", "http")
    from relembra.minds.media import OpenAICompatibleTranscriber

    key = settings.transcriber_api_key or None
    return OpenAICompatibleTranscriber(settings.transcriber_url, name, api_key=key, timeout_seconds=300.0)


def chosen_image_reader(settings: Settings) -> ImageReader | None:
    """What a setting says puts pictures into words; None where it names nothing, and no picture is sent anywhere."""
    from relembra.minds.media import OcrReader, VisionModel

    kind, _, name = settings.vision.partition(":")
    match kind:
        case "":
            return None
        case "ocr" if not name:
            need("rapidocr", "reading the words in pictures", "ocr")
            return OcrReader()
        case "openai" if name:
            if not settings.vision_url:
                raise SettingsError("vision openai:… needs vision_url, the server's address")
            for package in ("httpx", "PIL"):
                need(package, "putting pictures into words", "images")
            key, language = settings.vision_api_key or None, settings.language or system_language()
            return VisionModel(settings.vision_url, name, language=language, api_key=key, timeout_seconds=300.0)
        case _:
            raise SettingsError(f"no vision {settings.vision!r}; use ocr or openai:MODEL")


def need(package: str, feature: str, extra: str) -> None:
    """A `MissingExtraError` where a package is not installed, before anything counts on it."""
    if find_spec(package) is None:
        raise MissingExtraError(feature, extra)


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """A model that was loaded and answered; the rest only where it is the shipped one, which has a test of its own."""

    name: str
    dimensions: int
    translation: float | None = None
    unrelated: float | None = None


async def tried_model(settings: Settings) -> ModelTrial:
    """Load the model a setting names and try it: the shipped one by its own test, another by one sentence."""
    from relembra.minds.embedders import OfflineEmbedder

    embedder = chosen_embedder(settings)
    try:
        if isinstance(embedder, OfflineEmbedder):
            test = await embedder.self_test()
            return ModelTrial(embedder.name, embedder.dimensions, test.translation, test.unrelated)
        await embedder.embed(["Relembra"])
        return ModelTrial(embedder.name, embedder.dimensions)
    finally:
        await embedder.close()


async def tried_reader(settings: Settings) -> str:
    """Make the reader with the model a setting names as if to be used, without asking the model; the reader's name."""
    from relembra.minds.offline.wordpiece import OfflineTokens

    reader = model_reader(settings, offline_reader(OfflineTokens(), settings.chosen_policy()))
    try:
        reader.check()
        return reader.name
    finally:
        await reader.close()


async def tried_offline_reader() -> tuple[str, int]:
    """The name of the reader without a model, and how many plain sentences its networks read, all right."""
    from relembra.minds.reader.networks import Networks
    from relembra.minds.reader.reader import OfflineReader, tried_reading

    return OfflineReader.name, await asyncio.to_thread(tried_reading, Networks())


def yardsticks(settings: Settings) -> tuple[Embedder, Analyzer, Tokens, Callable[..., list[tuple[date, date]]]]:
    """What a memory of these settings compares, counts and dates text with, for benchmarks."""
    from relembra.minds.offline.analysis import BilingualAnalyzer
    from relembra.minds.offline.calendar import DAY, Kind, Precision
    from relembra.minds.offline.dates import find_dates
    from relembra.minds.offline.wordpiece import OfflineTokens

    exact = (Precision.MINUTE, Precision.HOUR, Precision.PART_OF_DAY, Precision.DAY)

    def days(text: str, said_at: datetime) -> list[tuple[date, date]]:
        read = [one for one in find_dates(text, said_at=said_at) if one.kind is Kind.MOMENT and one.precision in exact]
        return [(one.begins.date(), max(one.begins, one.ends - DAY).date()) for one in read]

    return chosen_embedder(settings), BilingualAnalyzer(), OfflineTokens(), days


def system_language() -> str:
    """Portuguese where the system speaks it, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if word := os.environ.get(name):
            return "pt" if word.lower().startswith("pt") else "en"
    return "pt" if (locale.getlocale()[0] or "").lower().startswith("pt") else "en"
