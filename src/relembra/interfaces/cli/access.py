"""Who and what may come in: keys, accounts, people and spaces; and the servers and bots they come in by."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import msgspec
from rich.text import Text

from relembra.domain.access import EVERY_TENANT, Key, Right, SpaceState, Standing, standing
from relembra.domain.time import system_clock
from relembra.errors import InvalidInputError, MissingExtraError, SettingsError, StoreReadOnlyError
from relembra.interfaces.cli.call import INTERRUPTED, OTHER, Answer, Call, saying, verb
from relembra.interfaces.cli.commands import UsageError, Words
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, either, note, says, short, table
from relembra.interfaces.shapes import wire
from relembra.keys import LINK_PASS

if TYPE_CHECKING:
    from relembra.interfaces.http.server import Started
    from relembra.interfaces.upstream import Answering
    from relembra.memory import Memory

STYLES = {Standing.VALID: "green", Standing.EXPIRED: "yellow", Standing.REVOKED: "red"}


async def create(
    call: Call,
    *,
    name: str,
    user: str | None = None,
    right: str = Right.WRITE,
    every_tenant: bool = False,
    expires_at: datetime | None = None,
) -> Answer:
    """The secret alone goes to standard output, so that a script can take it; what is said about it stands beside."""
    user = user or call.typed.get("user")
    if every_tenant and (user is not None or "tenant" in call.typed):
        raise UsageError("usage.key_whose", command=call.command)
    tenant = EVERY_TENANT if every_tenant else call.tenant
    async with call.writing() as memory:
        made = await memory.create_key(name, right=right, user=user, expires_at=expires_at, tenant=tenant)

    def show(terminal: Terminal, key: Key) -> None:
        words = terminal.words
        note(words("keys.created", name=clean(key.name), right=words(f"right.{key.right}"), opens=_opens(words, key)))
        if key.expires_at is not None:
            note(words("keys.expires", moment=terminal.moment(key.expires_at)))
        note(words("keys.once"))
        _show_alone(terminal, made.secret)

    return Answer(made.key, show, json=_shape(made.key) | {"secret": made.secret})


async def key_link(call: Call, *, right: str = Right.WRITE, url: str | None = None) -> Answer:
    """The link alone goes to standard output, so that it can be sent on; what is said about it stands beside."""
    words, user = call.words, call.user
    server = url or _address(call.settings.host, call.settings.port)
    if urlsplit(server).scheme not in ("http", "https") or not urlsplit(server).netloc:
        raise UsageError("usage.link_url", command=call.command, word=server)
    async with call.writing() as memory:
        ends = system_clock() + LINK_PASS
        carried = await memory.link_pass(words("keys.link.name", user=user), right=right, **call.person)
    link = f"{server.rstrip('/')}/enter?{urlencode({'pass': carried})}"

    def show(terminal: Terminal, _: Any) -> None:
        note(words("keys.link.made", user=clean(user), right=words(f"right.{right}"), moment=terminal.moment(ends)))
        _show_alone(terminal, link)

    return Answer({"url": link, "user": user, "tenant": call.tenant, "right": right, "expires_at": ends}, show)


def _show_alone(terminal: Terminal, secret: str) -> None:
    terminal.show(Text(secret, "bold", no_wrap=True, overflow="ignore"))


def _address(host: str, port: int) -> str:
    """Where the server of these settings is found from this machine; one that listens everywhere is found here too."""
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _opens(words: Words, key: Key) -> str:
    if key.tenant == EVERY_TENANT:
        return words("keys.opens.everything")
    if key.user is None:
        return words("keys.opens.tenant", tenant=clean(key.tenant))
    return words("keys.opens.person", user=clean(key.user), tenant=clean(key.tenant))


def _standing(terminal: Terminal, key: Key) -> Text:
    how, words = standing(key, system_clock()), terminal.words
    if how is Standing.VALID and key.expires_at is not None:
        return Text(words("keys.until", moment=terminal.moment(key.expires_at)), STYLES[how])
    return Text(words(f"standing.{how}"), STYLES[how])


_show_keys = table(
    "name* right standing opens~/ used? prefix id?",
    "empty.keys",
    right=lambda terminal, key: terminal.words(f"right.{key.right}"),
    standing=_standing,
    opens=lambda terminal, key: _opens(terminal.words, key),
    used=lambda terminal, key: terminal.value(key.last_used_at) or terminal.words("keys.never"),
    id=lambda terminal, key: short(key.id) if terminal.watched else str(key.id),
)


async def keys(call: Call) -> Answer:
    """Everybody's, or with --user and --tenant theirs."""
    user = call.typed.get("user")
    async with call.reading() as memory:
        found = await memory.keys(tenant=call.tenant if "tenant" in call.typed or user is not None else None)
    found = [key for key in found if user is None or key.user == user]
    return Answer(found, _show_keys, json={"items": [_shape(key) for key in found]})


async def revoke(call: Call, *, id: str) -> Answer:
    async with call.existing() as memory:
        key = await memory.revoke_key(id, tenant=call.tenant if "tenant" in call.typed else None)
    return Answer(key, says(("keys.revoked", "green")), json=_shape(key))


def _shape(key: Key) -> dict[str, Any]:
    return {**wire(key), "standing": standing(key, system_clock()).value}


# ── accounts of chat programs, people and spaces ──────────────────────────────────────────────────────────────────


async def link(call: Call, *, channel: str, id: str, bring: bool = False) -> Answer:
    async with call.writing() as memory:
        before = await memory.linked(channel, id, tenant=call.tenant)
        made = await memory.link(channel, id, bring=bring, **call.person)

    def show(terminal: Terminal, _: Any) -> None:
        terminal.say("link.done", "green")
        if before not in (None, made.user):
            terminal.say("link.instead", "yellow", before=before)
        if bring:
            terminal.say("link.brought")

    return Answer({**wire(made), "before": before}, show)


async def links(call: Call) -> Answer:
    """Everybody's, or with --user one person's."""
    user = call.typed.get("user")
    async with call.reading() as memory:
        found = await memory.links(user=user, tenant=call.tenant)
    empty = "empty.links" if user is None else "empty.links.person"
    columns = "channel account=id* whose=user when=created_at"
    return Answer(found, table(columns, empty, account=lambda _, link: clean(link.id)), json={"items": found})


def _space(terminal: Terminal, state: SpaceState) -> Text:
    how = "space.on" if state.on else "space.off_by_settings" if state.by_settings else "space.off"
    return Text(terminal.words(how), "green" if state.on else "yellow")


space_on = partial(verb("switch_space", says(("spaces.on.done", "green")), opens="writing"), on=True)
space_off = partial(verb("switch_space", says(("spaces.off.done", "green")), opens="writing"), on=False)
spaces_only = partial(verb("switch_spaces", says(("spaces.only.done", "green")), opens="writing"), on=False)
spaces_all = partial(verb("switch_spaces", says(("spaces.all.done", "green")), opens="writing"), on=True)
unlink = verb("unlink", either("unlink.done", "unlink.nothing"), opens="existing")
block = verb("block", says(("block.done", "green"), ("block.known", DIM)), opens="writing")
unblock = verb("unblock", either("unblock.done", "unblock.nothing"), opens="existing")
spaces = verb("spaces", table("space=name* state", "empty.spaces", state=_space))
blocks = verb(
    "blocks",
    table(
        "name* state date",
        "empty.blocks",
        state=lambda terminal, block: terminal.words(f"block.{block.kind}"),
        date=lambda terminal, block: terminal.value(block.since) or terminal.words("block.by_settings"),
    ),
)
users = verb("users", table("name*", "empty.users", name=lambda _, name: clean(name)))


# ── servers and chat bots ───────────────────────────────────────────────────────────────────────────────────────────


NEEDED = ("fastapi", "uvicorn", "httptools", "mcp", "prometheus_client", "jwt")
HIGHEST_PORT = 65_535
LOOK_EVERY_SECONDS = 1.0  # a worker, at what other processes enqueued


def _log_warnings(call: Call) -> None:
    """What goes wrong while a server runs is logged on standard error, without anything that was said."""
    if not call.debug:
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)


def _print_line(data: Mapping[str, Any]) -> None:
    """Something for programs while a server runs."""
    sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
    sys.stdout.flush()


def serve(call: Call, *, host: str = "", port: int | None = None, no_worker: bool = False) -> Answer:
    """Serve until stopped; --json says in one line where it listens."""
    if any(find_spec(name) is None for name in NEEDED):
        raise MissingExtraError("the server", "server")
    if port is not None and not 0 <= port <= HIGHEST_PORT:
        raise InvalidInputError(f"port {port} is not between 0 and {HIGHEST_PORT}", field="port")
    settings = replace(
        call.settings,
        host=host or call.settings.host,
        port=call.settings.port if port is None else port,
        background=call.settings.background and not no_worker,
    )
    _log_warnings(call)
    terminal = Terminal(call.words)

    def ready(started: Started) -> None:
        if not call.json:
            _show(terminal, started)
            return
        first = None if started.first_key is None else started.first_key.secret
        data = {"url": started.url, "port": started.port, "keys_needed": not started.is_open, "first_key": first}
        _print_line(data)

    async def served() -> None:
        from relembra.bootstrap import opened
        from relembra.interfaces.http.server import ListeningError, PortTakenError, UnguardedError
        from relembra.interfaces.http.server import serve as serving

        async with opened(settings=settings) as memory:
            try:
                is_seen = call.json or terminal.watched  # else a secret would end up in a log
                await serving(memory, settings, any_port=port is None, told=ready, first_key=is_seen)
            except ListeningError as error:
                sentences = {PortTakenError: "serve.port_taken", UnguardedError: "serve.unguarded"}
                sentence = sentences.get(type(error), "serve.no_address")
                raise UsageError(sentence, command="serve", host=error.host, number=str(error.port)) from error

    loop: type[asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):  # it does not run everywhere
        import uvloop

        loop = uvloop.Loop
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(served())
    return saying({"stopped": True}, "chat.stopped", "dim")


def _show(terminal: Terminal, started: Started) -> None:
    """Where it listens, what is there, and the first key, which is shown this once."""
    if started.port != started.wanted_port != 0:
        terminal.say("serve.taken", "yellow", wanted=started.wanted_port, port=started.port)
    terminal.say("serve.listening", "bold green", url=started.url)
    for row in ("page", "docs", "v1", "chat", "mcp", "healthz"):
        path = terminal.words(f"serve.path.{row}")
        terminal.show(Text(f"  {started.url}{path:<24}", "cyan").append(terminal.words(f"serve.what.{row}"), "default"))
    terminal.say("serve.open" if started.is_open else "serve.closed", "dim")
    if started.first_key is not None:
        terminal.say("serve.first_key", "yellow")
        terminal.show(Text(f"  {started.first_key.secret}", "bold"))
    elif not started.has_key:
        terminal.say("serve.no_key", "yellow")
    terminal.say("serve.stop", "dim")


async def worker(call: Call) -> Answer:
    """Do queued work until stopped, for processes that serve with `background = false`."""
    from relembra.bootstrap import opened

    if call.settings.read_only:
        raise StoreReadOnlyError("nothing is done in the background of a memory that is only read")
    _log_warnings(call)
    async with opened(settings=call.settings, background=False) as memory:
        memory.start(longest_sleep=LOOK_EVERY_SECONDS)

        async def working() -> None:
            """Whoever reads that it works may end it at once."""
            if call.json:
                _print_line({"working": True})
            else:
                Terminal(call.words).say("worker.working", "green")
            await asyncio.Event().wait()

        await until_stopped(working())
    return saying({"stopped": True}, "chat.stopped", "dim")


async def mcp(call: Call, *, read_only: bool = False, **place: Any) -> Answer:
    """Nothing but the protocol is written to standard output, so there is nothing to say at the end either."""
    if call.json:
        raise UsageError("usage.no_option", command="mcp", option="--json")
    try:
        from relembra.interfaces.mcp.server import served
        from relembra.interfaces.mcp.tools import Caller
    except ModuleNotFoundError as exc:
        raise MissingExtraError("the MCP server", "server") from exc
    from relembra.bootstrap import opened

    _log_warnings(call)
    logging.getLogger("mcp").setLevel(logging.WARNING)  # below that it quotes what is said
    caller = Caller(right=Right.READ if read_only else Right.WRITE, **place, **call.person)
    task = asyncio.current_task()
    assert task is not None
    code = 0
    try:
        with _ended_by(task, signal.SIGTERM):
            async with opened(settings=call.settings) as memory:
                await served(memory, caller, language=call.words.language)
    except asyncio.CancelledError:
        code = INTERRUPTED
    return Answer(None, lambda *_: None, code)


def _token(call: Call, app: str, package: str, extra: str) -> str:
    """The token of an app's bot."""
    if find_spec(package) is None:
        raise MissingExtraError(f"the {app} bot", extra)
    setting = f"{app.lower()}_token"
    token: str = getattr(call.settings, setting).strip()
    if not token:
        variable = f"RELEMBRA_{setting.upper()}"
        raise UsageError("chat.no_token", command=call.command, setting=setting, variable=variable)
    return token


async def discord(call: Call) -> Answer:
    """Listen on Discord until stopped."""
    token = _token(call, "Discord", "discord", "discord")
    import aiohttp
    import discord as library

    from relembra.interfaces.chat.discord import DiscordBot

    async def listen(memory: Memory, answering: Answering) -> None:
        async with DiscordBot(memory, answering, call.settings, ready=partial(_ready, call, "discord")) as bot:
            await until_stopped(bot.start(token))

    logging.getLogger("discord").setLevel(logging.WARNING)  # below that it quotes what is said
    try:
        return await _listened(call, listen)
    except library.LoginFailure as exc:
        raise UsageError("chat.refused", command="discord", setting="discord_token") from exc
    except library.PrivilegedIntentsRequired as exc:
        raise UsageError("chat.intent", command="discord") from exc
    except (library.DiscordException, aiohttp.ClientError, OSError) as exc:
        return _unreachable(call, "Discord", exc)


async def telegram(call: Call) -> Answer:
    """Listen on Telegram until stopped."""
    token = _token(call, "Telegram", "httpx", "http")
    from relembra.interfaces.chat.telegram import BotApi, TelegramBot, TelegramError

    async def listen(memory: Memory, answering: Answering) -> None:
        api = BotApi(token)
        try:
            bot = TelegramBot(memory, answering, call.settings, api)
            await until_stopped(bot.run(ready=partial(_ready, call, "telegram")))
        finally:
            await api.close()

    try:
        return await _listened(call, listen)
    except SettingsError as exc:
        raise UsageError("chat.refused", command="telegram", setting="telegram_token") from exc
    except TelegramError as exc:
        return _unreachable(call, "Telegram", exc)


async def _listened(call: Call, listen: Callable[[Memory, Answering], Awaitable[None]]) -> Answer:
    """Have a bot listen, with the memory at work and somebody who answers out of it."""
    from relembra.bootstrap import opened
    from relembra.interfaces.upstream import Answering, Upstreams

    upstreams = Upstreams.of(call.settings)
    if upstreams and find_spec("httpx") is None:
        raise MissingExtraError("calling a model", "http")
    _log_warnings(call)
    try:
        async with opened(settings=call.settings) as memory:
            await listen(memory, Answering(memory, upstreams))
    finally:
        await upstreams.close()
    return saying({"stopped": True}, "chat.stopped", "dim")


async def until_stopped(running: Awaitable[object]) -> None:
    """Run until the end, Ctrl-C or a request to terminate."""
    task = asyncio.ensure_future(running)
    with _ended_by(task, signal.SIGINT, signal.SIGTERM):
        try:
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()
        finally:
            task.cancel()
            await asyncio.wait([task])


@contextmanager
def _ended_by(task: asyncio.Future[Any], *numbers: signal.Signals) -> Iterator[None]:
    """Signals end a task as Ctrl-C does, so that the memory is closed; where the loop has none, Ctrl-C ends all."""
    loop = asyncio.get_running_loop()
    for number in numbers:
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in numbers:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)


def _ready(call: Call, app: str) -> None:
    if not call.json:
        Terminal(call.words).say(f"chat.{app}", "green")


def _unreachable(call: Call, app: str, error: BaseException) -> Answer:
    """Say that the app could not be reached; it may be tried again later."""
    note(call.words("chat.unreachable", app=app, type=type(error).__name__))
    return Answer({"error": {"type": type(error).__name__}}, lambda *_: None, OTHER)
