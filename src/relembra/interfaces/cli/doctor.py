"""The check-up: what works, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
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
    "tokenizers": "tokenizers",
    "llm": "pydantic_ai",
    "discord": "discord",
    "langchain": "langgraph",
    "agents": "agents",
}
STORE_TROUBLES: tuple[tuple[type[RelembraError], str], ...] = (
    (errors.StoreUnavailableError, "busy"),
    (errors.StoreFullError, "full"),
    (errors.StoreCorruptError, "corrupt"),
    (errors.StoreVersionError, "version"),
)
MARKS: dict[State, tuple[str, str]] = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, what was found, and what to do."""

    name: str
    state: State
    found: str
    advice: str | None = None


async def doctor(call: Call) -> Answer:
    import apsw

    from relembra import __version__

    checks = [
        Check("relembra", "ok", __version__),
        Check("python", "ok", f"{platform.python_version()} ({sys.executable})"),
        Check("sqlite", "ok", f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"),
        _settings(call),
    ]
    if checks[-1].state == "ok":
        checks += [await _model(call), await _llm(call), *await _store(call)]
    else:
        checks += [Check(name, "warning", call.words("doctor.unknown")) for name in ("model", "llm", "store")]
    checks += [await _reader(call.words), _extras(call.words)]
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


def _settings(call: Call) -> Check:
    from relembra.settings import settings_file

    words = call.words
    try:
        path = settings_file(os.environ)
        call.settings.chosen_policy()  # reads everything that was set
    except UsageError:
        raise
    except (RelembraError, OSError) as error:
        return Check("settings", "problem", str(error), words("doctor.settings.advice"))
    return Check("settings", "ok", words("doctor.settings.none") if path is None else str(path.absolute()))


async def _model(call: Call) -> Check:
    from relembra.bootstrap import tried_model

    words = call.words
    try:
        trial = await tried_model(call.settings)
    except (RelembraError, OSError) as error:
        match error:
            case MissingExtraError(extra=extra):
                advice = words("doctor.model.extra", extra=extra)
            case SettingsError():
                advice = words("doctor.model.setting")
            case errors.MindUnavailableError():
                advice = words("doctor.model.server")
            case _:
                advice = words("doctor.model.advice")
        return Check("model", "problem", str(error), advice)
    numbers = {name: value for name in ("translation", "unrelated") if (value := getattr(trial, name)) is not None}
    key = "doctor.model.ok" if numbers else "doctor.model.answers"
    said = {name: words.number(value) for name, value in numbers.items()}
    return Check("model", "ok", words(key, name=trial.name, dimensions=trial.dimensions, **said))


async def _llm(call: Call) -> Check:
    """The language model, if there is one: set up as if to be used, but not asked, for that would cost."""
    from relembra.bootstrap import tried_reader

    words, settings = call.words, call.settings
    if not settings.llm:
        return Check("llm", "ok", words("doctor.llm.none"))
    try:
        await tried_reader(settings)
    except RelembraError as error:
        is_missing = isinstance(error, MissingExtraError)
        advice = words("doctor.model.extra", extra="llm") if is_missing else words("doctor.llm.advice")
        return Check("llm", "problem", trouble(words, str(error)) or str(error), advice)
    models = " · ".join(filter(None, (settings.llm, settings.llm_deep)))
    return Check("llm", "ok", words("doctor.llm.ok", models=models))


async def _reader(words: Words) -> Check:
    """The offline reader, which comes with the package and is tried on sentences of its own."""
    from relembra.bootstrap import tried_offline_reader

    try:
        name, cases = await tried_offline_reader()
    except (RelembraError, OSError) as error:
        return Check("reader", "problem", str(error), words("doctor.model.advice"))
    return Check("reader", "ok", words("doctor.reader.ok", name=name, cases=cases))


def _extras(words: Words) -> Check:
    """The optional packages, by the name they are installed by."""
    there = {extra for extra, package in EXTRAS.items() if find_spec(package) is not None}
    missing = EXTRAS.keys() - there
    none = words("doctor.extras.none")
    named = {"there": ", ".join(sorted(there)) or none, "missing": ", ".join(sorted(missing)) or none}
    return Check("extras", "ok", words("doctor.extras.found", **named), words("doctor.extras.how") if missing else None)


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _store(call: Call) -> list[Check]:
    """The file, from outside and from inside."""
    words, path = call.words, call.file
    if path is None and call.db == IN_MEMORY:
        return [Check("store", "ok", words("doctor.store.memory"))]
    if path is None:
        found = words("doctor.store.unknown", db=call.db)
        return [Check("store", "problem", found, words("doctor.store.unknown.advice"))]
    try:
        kept = backups(words, call.settings.backup_folder, backup_name(path), system_clock().date())
        return [*await _file(call, path), *kept, *_disk(words, path)]
    except (RelembraError, OSError) as error:
        name = next((name for kind, name in STORE_TROUBLES if isinstance(error, kind)), "broken")
        problem = words(f"doctor.store.{name}", path=path, message=error)
        return [Check("store", "problem", problem, words(f"doctor.store.{name}.advice")), *_disk(words, path)]


async def _file(call: Call, path: Path) -> list[Check]:
    """Opened with the shipped model, so that trouble with another one is not taken for the store's."""
    from relembra.bootstrap import opened

    words, there = call.words, os.access(path, os.F_OK)
    if not os.access(path if there else _nearest(path), os.W_OK):
        problem = words("doctor.store.readonly", path=path)
        return [Check("store", "problem", problem, words("doctor.store.readonly.advice"))]
    if not there:
        return [Check("store", "ok", words("doctor.store.new", path=path))]
    async with opened(settings=replace(call.settings, embedder="offline", llm=""), background=False) as memory:
        held, failed = await memory.stats(), await memory.failed_jobs()
        last = await memory.consolidations(kind=None, limit=1)
        nightly = await memory.jobs(state="waiting", kind=NIGHT_WORK, limit=LOOKED_AT)
    return [
        Check("store", "ok", words("doctor.store.file", path=path, size=words.size(held.bytes))),
        await _vectors(call),
        _jobs(words, held.jobs, failed),
        nights(words, last[0] if last else None, nightly, system_clock()),
    ]


def backups(words: Words, setting: str, name: str, today: date) -> list[Check]:
    """Whether the backups that a setting asks for are made; nothing where it asks for none."""
    if not setting:
        return []
    folder = Path(setting).expanduser()
    days = backup_days(folder, name)
    last = days[-1].isoformat() if days else ""
    if days and today - days[-1] <= LATE_BACKUP:
        found = words("doctor.backups.ok", count=words.whole(len(days)), day=last, folder=folder)
        return [Check("backups", "ok", found)]
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
        work, status = words.name("run", last.kind), words(f"run_status.{last.status}")
        found = [
            words(
                "doctor.nights.last",
                when=words("time.ago", span=span(words, now - last.started_at)),
                work=work,
                status=status,
            )
        ]
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
        async with opened(settings=replace(call.settings, llm=""), background=False) as memory:
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
