"""The check-up: what works, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.text import Text

from relembra import errors
from relembra.domain.jobs import NIGHT_WORK, Run, RunStatus
from relembra.domain.time import system_clock
from relembra.errors import MissingExtraError, RelembraError, SettingsError
from relembra.interfaces.cli.call import IN_MEMORY, OTHER, STORE, Answer, Call
from relembra.interfaces.cli.commands import UsageError
from relembra.interfaces.cli.terminal import Terminal, short
from relembra.interfaces.failures import aside, trouble
from relembra.interfaces.sentences import due, span, trouble_of
from relembra.night.upkeep import backup_days, backup_name
from relembra.settings import REPLYING

if TYPE_CHECKING:
    from relembra.domain.jobs import Job
    from relembra.interfaces.cli.commands import Words

State = Literal["ok", "warning", "problem"]

LEAST_FREE_BYTES = 200_000_000
OVERDUE = timedelta(hours=1)
LATE_BACKUP = timedelta(days=1)
LOOKED_AT = 1_000
EXTRAS = {
    "server": "fastapi",
    "http": "httpx",
    "documents": "pypdf",
    "images": "PIL",
    "ocr": "rapidocr",
    "llm": "pydantic_ai",
    "discord": "discord",
    "langchain": "langgraph",
    "agents": "agents",
    "redis": "redis",
}
KINDS: tuple[tuple[type[Exception], str], ...] = (
    (SettingsError, "setting"),
    (errors.MindUnavailableError, "server"),
    (errors.StoreUnavailableError, "busy"),
    (errors.StoreFullError, "full"),
    (errors.StoreCorruptError, "corrupt"),
    (errors.StoreVersionError, "version"),
)
"""Errors that have advice of their own."""
MARKS: dict[State, tuple[str, str]] = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, what was found, and what to do."""

    name: str
    state: State
    found: str
    advice: str | None = None


def _said(words: Words, name: str, key: str, state: State = "ok", /, **parts: object) -> Check:
    """A check by the sentence about it, with the advice that belongs to the sentence."""
    advice = f"doctor.{name}.{key}.advice"
    found = words(f"doctor.{name}.{key}", **parts)
    return Check(name, state, found, words(advice) if words.has(advice) else None)


def _kind(words: Words, lead: str, error: Exception, otherwise: str) -> str:
    """The key under `lead` that an error has by its kind, else another."""
    kinds = (f"{lead}.{kind}" for of, kind in KINDS if isinstance(error, of))
    return next(filter(words.has, kinds), f"{lead}.{otherwise}")


async def doctor(call: Call) -> Answer:
    import apsw

    from relembra import __version__

    words, broken = call.words, Counter[str]()

    async def tried(name: str, look: Callable[[Call], Awaitable[Check]], lead: str = "") -> Check:
        """What a check found, or what went wrong with it and what to do."""
        try:
            return await look(call)
        except UsageError:
            raise
        except (RelembraError, OSError) as error:
            broken[name] += 1
            if isinstance(error, MissingExtraError):
                advice = words("doctor.model.extra", extra=error.extra)
            else:
                advice = words(_kind(words, f"doctor.{lead or name}", error, "advice"))
            return Check(name, "problem", trouble(words, str(error)) or str(error), advice)

    checks = [
        Check("relembra", "ok", __version__),
        Check("python", "ok", f"{platform.python_version()} ({sys.executable})"),
        Check("sqlite", "ok", f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"),
        await tried("settings", _settings),
    ]
    if broken:
        checks += [Check(name, "warning", words("doctor.unknown")) for name in ("model", "llm", "store")]
    else:
        checks += [await tried("model", _model), await tried("llm", _llm), *await _store(call)]
        checks += [await tried("cache", _cache)] if call.settings.cache else []
        checks += [await tried("media", _media)] if call.settings.transcriber or call.settings.vision else []
    if not broken["settings"] and any(call.settings.lacking(channel) is not None for channel in REPLYING):
        checks.append(await tried("replies", _replies))
    checks += [await tried("reader", _reader, "model"), _extras(words)]
    problems = {check.name for check in checks if check.state == "problem"}
    code = 0 if not problems else STORE if problems == {"store"} else OTHER
    return Answer(checks, _show, code, json={"ok": not problems, "checks": checks})


def _show(terminal: Terminal, checks: list[Check]) -> None:
    words = terminal.words
    terminal.show(Text(words("doctor.title"), "bold"))
    rows = []
    for check in checks:
        mark, colour = MARKS[check.state]
        found = Text(check.found)
        if check.advice:
            found.append(f"\n→ {check.advice}" if terminal.watched else f" → {check.advice}", "yellow")
        rows.append((Text(mark, colour), words(f"doctor.{check.name}"), found))
    terminal.table("state name found*", rows, headed=False)
    states = {check.state for check in checks}
    if "problem" in states:
        terminal.say("doctor.broken", "red")
    else:
        terminal.say("doctor.warned" if "warning" in states else "doctor.well", "green")


# ── the program and its models ────────────────────────────────────────────────────────────────────────────────────


async def _settings(call: Call) -> Check:
    from relembra.settings import settings_file

    path = settings_file(os.environ)
    call.settings.chosen_policy()  # reads everything that was set
    return Check("settings", "ok", call.words("doctor.settings.none") if path is None else str(path.absolute()))


async def _model(call: Call) -> Check:
    from relembra.bootstrap import tried_model

    trial = await tried_model(call.settings)
    numbers = {name: value for name in ("translation", "unrelated") if (value := getattr(trial, name)) is not None}
    said = {name: call.words.number(value) for name, value in numbers.items()}
    key = "ok" if numbers else "answers"
    return _said(call.words, "model", key, name=trial.name, dimensions=trial.dimensions, **said)


async def _llm(call: Call) -> Check:
    """The language model, if there is one: set up as if to be used, but not asked, for that would cost."""
    from relembra.bootstrap import tried_reader

    settings = call.settings
    if not settings.llm:
        return _said(call.words, "llm", "none")
    await tried_reader(settings)
    return _said(call.words, "llm", "ok", models=" · ".join(filter(None, (settings.llm, settings.llm_deep))))


async def _media(call: Call) -> Check:
    """What reads recordings and pictures, if anything is to: set up as if to be used, but not asked."""
    from relembra.bootstrap import chosen_media

    media = chosen_media(call.settings)
    await media.close()
    return _said(call.words, "media", "ok", names=" · ".join(media.names))


async def _replies(call: Call) -> Check:
    """Whether the channels that anything is set of can reply; nobody is asked or written to."""
    from relembra.interfaces.chat.mail import Smtp

    held = {channel: call.settings.lacking(channel) for channel in REPLYING}
    if lacking := [f"{channel} ({', '.join(names)})" for channel, names in held.items() if names]:
        return _said(call.words, "replies", "lacking", "warning", what="; ".join(lacking))
    if held["email"] == []:
        Smtp(call.settings)
    return _said(call.words, "replies", "ok", channels=", ".join(name for name, names in held.items() if names == []))


async def _cache(call: Call) -> Check:
    """The shared cache, which may be missed."""
    from relembra.bootstrap import tried_cache

    try:
        await tried_cache(call.settings)
    except errors.StoreUnavailableError:
        return _said(call.words, "cache", "lost", "warning")
    return _said(call.words, "cache", "ok")


async def _reader(call: Call) -> Check:
    """The offline reader, which comes with the package and is tried on sentences of its own."""
    from relembra.bootstrap import tried_offline_reader

    name, cases = await tried_offline_reader()
    return _said(call.words, "reader", "ok", name=name, cases=cases)


def _extras(words: Words) -> Check:
    """The optional packages, by the name they are installed by."""
    there = {extra for extra, package in EXTRAS.items() if find_spec(package) is not None}
    missing = EXTRAS.keys() - there
    none = words("doctor.extras.none")
    named = {"there": ", ".join(sorted(there)) or none, "missing": ", ".join(sorted(missing)) or none}
    return Check("extras", "ok", words("doctor.extras.found", **named), words("doctor.extras.how") if missing else None)


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _store(call: Call) -> list[Check]:
    """The file, from outside and from inside; opened with the shipped model, whose trouble would not be the store's."""
    from relembra.bootstrap import opened

    words, file, path = call.words, call.file, call.db
    if path == IN_MEMORY:
        return [_said(words, "store", "memory", db=path)]
    disk: list[Check] = []
    kept: list[Check] = []
    if file is not None:
        there, disk = os.access(file, os.F_OK), _disk(words, file)
        if not os.access(file if there else _nearest(file), os.W_OK):
            return [_said(words, "store", "readonly", "problem", path=file), *disk]
        kept = backups(words, call.settings.backup_folder, backup_name(file), system_clock().date())
        if not there:
            return [_said(words, "store", "new", path=file), *kept, *disk]
    try:
        async with opened(settings=call.settings.offline(), background=False) as memory:
            held, failed = await memory.stats(), await memory.failed_jobs()
            last = await memory.consolidations(kind=None, limit=1)
            nightly = await memory.jobs(state="waiting", kind=NIGHT_WORK, limit=LOOKED_AT)
    except (RelembraError, OSError) as error:
        key = "server" if file is None else _kind(words, "doctor.store", error, "broken").rpartition(".")[2]
        return [_said(words, "store", key, "problem", path=path, message=error), *disk]
    return [
        _said(words, "store", "file", path=path, size=words.size(held.bytes)),
        await _vectors(call),
        _jobs(words, held.jobs, failed),
        nights(words, last[0] if last else None, nightly, system_clock()),
        *kept,
        *disk,
    ]


def backups(words: Words, setting: str, name: str, today: date) -> list[Check]:
    """Whether the backups that a setting asks for are made; nothing where it asks for none."""
    if not setting:
        return []
    folder = Path(setting).expanduser()
    days = backup_days(folder, name)
    last = days[-1].isoformat() if days else ""
    if days and today - days[-1] <= LATE_BACKUP:
        return [_said(words, "backups", "ok", count=words.whole(len(days)), day=last, folder=folder)]
    found = words("doctor.backups.late" if days else "doctor.backups.none", folder=folder, day=last)
    can = os.access(folder if folder.is_dir() else folder.absolute().parent, os.W_OK)
    return [Check("backups", "warning", found, words(f"doctor.backups.{'advice' if can else 'unwritable'}"))]


def _jobs(words: Words, numbers: Mapping[str, int], failed: Sequence[Job]) -> Check:
    """What is queued, and why what was tried is still there: each kind of work with each reason once."""
    counts = [f"{words.name('job', name)} {words.whole(number)}" for name, number in numbers.items() if number]
    found = [", ".join(counts)] if counts else []
    for (kind, error), count in Counter((job.kind, job.error or "") for job in failed).items():
        told = aside(words, error)
        found.append(words("doctor.jobs.failed", work=words.name("work", kind), count=words.whole(count), told=told))
    advice = words("doctor.jobs.failed.advice") if failed else None
    if numbers.get("dead"):
        advice = words("doctor.jobs.dead")
    return Check("jobs", "ok" if advice is None else "warning", "; ".join(found) or words("doctor.jobs.none"), advice)


def nights(words: Words, last: Run | None, waiting: Sequence[Job], now: datetime) -> Check:
    """When night work was last done and is due next; what is overdue, and what the last record says went wrong."""
    found = [words("doctor.nights.never")]
    if last is not None:
        when = words("time.ago", span=span(words, now - last.started_at))
        status = words(f"run_status.{last.status}")
        found = [words("doctor.nights.last", when=when, work=words.name("run", last.kind), status=status)]
    late = sorted(job.due_at for job in waiting if now - job.due_at >= OVERDUE)
    if late:
        length = span(words, now - late[0])
        found.append(words("doctor.nights.overdue", count=words.count("job", len(late)), span=length))
        return Check("nights", "warning", "; ".join(found), words("doctor.nights.overdue.advice"))
    if last is not None and last.status in (RunStatus.PARTIAL, RunStatus.FAILED):
        found[0] += f": {trouble_of(words, last.error)}"
        whose = f"--user {last.scope.user}" if last.scope.space is None else f"--space {last.scope.space}"
        advice = words("doctor.nights.trouble.advice", id=short(last.id), whose=whose)
        return Check("nights", "warning", "; ".join(found), advice)
    if waiting:
        found.append(words("doctor.nights.next", due=due(words, min(job.due_at for job in waiting), now)))
    return Check("nights", "ok", "; ".join(found))


async def _vectors(call: Call) -> Check:
    """Whether everything kept can be found by meaning."""
    from relembra.bootstrap import opened

    words = call.words
    try:
        async with opened(
            settings=replace(call.settings.offline(), embedder=call.settings.embedder), background=False
        ) as memory:
            missing, others = await memory.missing_vectors(), await memory.other_models()
    except (errors.MindError, MissingExtraError, SettingsError):  # what to do about it stands beside the model
        return Check("vectors", "warning", words("doctor.vectors.unknown"))
    found = [words("doctor.vectors.missing", count=words.count("row", missing))] if missing else []
    found += [words("doctor.vectors.other", models=", ".join(others))] if others else []
    if found:
        return Check("vectors", "warning", "; ".join(found), words("doctor.vectors.advice"))
    return Check("vectors", "ok", words("doctor.vectors.ok"))


def _disk(words: Words, path: Path) -> list[Check]:
    try:
        free = shutil.disk_usage(_nearest(path)).free
    except OSError:  # the store's own line tells
        return []
    if free >= LEAST_FREE_BYTES:
        return [Check("disk", "ok", words.size(free))]
    return [Check("disk", "warning", words.size(free), words("doctor.disk.advice"))]


def _nearest(path: Path) -> Path:
    """The innermost folder of a path that exists."""
    return next(folder for folder in path.absolute().parents if folder.exists())
