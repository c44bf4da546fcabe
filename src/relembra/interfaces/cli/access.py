"""Who and what may come in: keys, links to accounts, blocked people, spaces, and the people there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.text import Text

from relembra.domain.access import EVERY_TENANT, BlockKind, Key, Right, Standing, standing
from relembra.domain.text import fold
from relembra.domain.time import system_clock
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, saying, tabled
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, WHEN, Cell, Column, Terminal, clean, note, short
from relembra.interfaces.cli.words import Words
from relembra.keys import LINK_PASS

STYLES = {Standing.VALID: "green", Standing.EXPIRED: "yellow", Standing.REVOKED: "red"}


async def create(
    call: Call,
    *,
    name: str | None = None,
    user: str | None = None,
    right: str = Right.WRITE,
    every_tenant: bool = False,
    expires_at: datetime | None = None,
) -> Answer:
    """The secret alone goes to standard output, so that a script can take it; what is said about it stands beside."""
    words = call.words
    if name is None:
        raise UsageError("usage.key_name", command=call.command)
    user = user or call.typed.get("user")
    if every_tenant and (user is not None or "tenant" in call.typed):
        raise UsageError("usage.key_whose", command=call.command)
    async with call.writing() as memory:
        made = await memory.create_key(
            name,
            right=right,
            user=user,
            expires_at=expires_at,
            tenant=EVERY_TENANT if every_tenant else call.tenant,
        )
    key = made.key

    def people(terminal: Terminal) -> None:
        right_name = words(f"right.{key.right}")
        note(words("keys.created", name=clean(key.name), right=right_name, opens=_opens(words, key)))
        if key.expires_at is not None:
            note(words("keys.expires", moment=terminal.moment(key.expires_at)))
        note(words("keys.once"))
        terminal.show(Text(made.secret, "bold", no_wrap=True, overflow="ignore"))

    return Answer(_shape(key, system_clock()) | {"secret": made.secret}, people)


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

    def people(terminal: Terminal) -> None:
        note(words("keys.link.made", user=clean(user), right=words(f"right.{right}"), moment=terminal.moment(ends)))
        terminal.show(Text(link, "bold", no_wrap=True, overflow="ignore"))

    data = {"url": link, "user": user, "tenant": call.tenant, "right": right, "expires_at": shapes.wire(ends)}
    return Answer(data, people)


def _address(host: str, port: int) -> str:
    """Where the server of these settings is found from this machine; one that listens everywhere is found here too."""
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def keys(call: Call) -> Answer:
    """Everybody's, or with --user and --tenant theirs."""
    user = call.typed.get("user")
    async with call.reading() as memory:
        found = await memory.keys(tenant=call.tenant if "tenant" in call.typed or user is not None else None)
    found = [key for key in found if user is None or key.user == user]
    now = system_clock()
    return tabled({"items": [_shape(key, now) for key in found]}, found, _key_table, "empty.keys")


async def revoke(call: Call, *, id: str) -> Answer:
    async with call.existing() as memory:
        key = await memory.revoke_key(id, tenant=call.tenant if "tenant" in call.typed else None)
    data = _shape(key, system_clock())
    return saying(data, "keys.revoked", "green", name=clean(key.name), prefix=key.prefix)


def _items(found: Sequence[Any]) -> dict[str, Any]:
    return {"items": [shapes.wire(one) for one in found]}


def _shape(key: Key, now: datetime) -> dict[str, Any]:
    shown: dict[str, Any] = shapes.wire(key)
    return shown | {"standing": standing(key, now).value}


def _opens(words: Words, key: Key) -> str:
    if key.tenant == EVERY_TENANT:
        return words("keys.opens.everything")
    if key.user is None:
        return words("keys.opens.tenant", tenant=clean(key.tenant))
    return words("keys.opens.person", user=clean(key.user), tenant=clean(key.tenant))


def _key_table(terminal: Terminal, found: Sequence[Key]) -> None:
    words, now = terminal.words, system_clock()
    columns = (
        Column("name", "bold", ratio=1),
        Column("right", whole=True),
        Column("standing", whole=True),
        Column("opens", aside="below"),
        Column("used", DIM, whole=True, aside="out"),
        Column("prefix", "cyan", whole=True),
        Column("id", DIM, whole=True, aside="out"),
    )
    rows: list[tuple[Cell, ...]] = []
    for key in found:
        how = standing(key, now)
        state = words(f"standing.{how}")
        if how is Standing.VALID and key.expires_at is not None:
            state = words("keys.until", moment=terminal.moment(key.expires_at))
        used = words("keys.never") if key.last_used_at is None else terminal.moment(key.last_used_at)
        id = short(key.id) if terminal.watched else key.id
        right, opens = words(f"right.{key.right}"), _opens(words, key)
        rows.append((terminal.cell(key.name), right, Text(state, STYLES[how]), opens, used, key.prefix, id))
    terminal.table(columns, rows)


# ── accounts of chat programs ─────────────────────────────────────────────────────────────────────────────────────


async def link(call: Call, *, channel: str, id: str, bring: bool = False) -> Answer:
    async with call.writing() as memory:
        before = await memory.linked(channel, id, tenant=call.tenant)
        made = await memory.link(channel, id, bring=bring, **call.person)
    named = {"channel": clean(made.channel), "id": clean(made.id), "user": clean(made.user)}

    def people(terminal: Terminal) -> None:
        terminal.say("link.done", "green", **named)
        if before is not None and before != made.user:
            terminal.say("link.instead", "yellow", user=clean(before))
        if bring:
            terminal.say("link.brought", user=named["user"])

    return Answer(shapes.wire(made) | {"before": before}, people)


async def unlink(call: Call, *, channel: str, id: str) -> Answer:
    async with call.existing() as memory:
        was = await memory.unlink(channel, id, tenant=call.tenant)
    key = "unlink.done" if was else "unlink.nothing"
    return saying({"unlinked": was}, key, channel=clean(channel), id=clean(id))


async def links(call: Call) -> Answer:
    """Everybody's, or with --user or a setting one person's."""
    user = call.user if "user" in call.typed or call.names_a_person else None
    async with call.reading() as memory:
        found = await memory.links(user=user, tenant=call.tenant)

    def show(terminal: Terminal, found: Sequence[Any]) -> None:
        columns = (Column("channel", whole=True), Column("account", "cyan", ratio=1), Column("whose", "bold"), WHEN)
        rows = [(clean(one.channel), clean(one.id), clean(one.user), terminal.moment(one.created_at)) for one in found]
        terminal.table(columns, rows)

    empty = "empty.links" if user is None else "empty.links.person"
    return tabled(_items(found), found, show, empty, user=user)


# ── people and spaces ─────────────────────────────────────────────────────────────────────────────────────────────


async def block(call: Call, *, name: str) -> Answer:
    async with call.writing() as memory:
        block = await memory.block(name, tenant=call.tenant)

    def people(terminal: Terminal) -> None:
        terminal.say("block.done", "green", name=clean(block.name))
        terminal.say("block.known", DIM, name=clean(block.name))

    return Answer(shapes.wire(block), people)


async def unblock(call: Call, *, name: str) -> Answer:
    async with call.existing() as memory:
        was = await memory.unblock(name, tenant=call.tenant)
    return saying({"unblocked": was}, "unblock.done" if was else "unblock.nothing", name=clean(name))


async def blocks(call: Call) -> Answer:
    """Who is blocked and which spaces are off."""
    async with call.reading() as memory:
        found = await memory.blocks(tenant=call.tenant)

    def show(terminal: Terminal, found: Sequence[Any]) -> None:
        words = terminal.words
        rows = []
        for block in found:
            since = words("block.by_settings") if block.since is None else terminal.moment(block.since)
            rows.append((clean(block.name), words(f"block.{block.kind}"), since))
        columns = (Column("name", "bold", ratio=1), Column("state", whole=True), Column("date", DIM, whole=True))
        terminal.table(columns, rows)

    return tabled(_items(found), found, show, "empty.blocks")


async def spaces(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await memory.spaces(tenant=call.tenant)

    def show(terminal: Terminal, found: Sequence[Any]) -> None:
        rows = []
        for state in found:
            how = "space.on" if state.on else "space.off_by_settings" if state.by_settings else "space.off"
            rows.append((clean(state.name), Text(terminal.words(how), "green" if state.on else "yellow")))
        terminal.table((Column("space", "bold", ratio=1), Column("state")), rows)

    return tabled(_items(found), found, show, "empty.spaces")


async def space_on(call: Call, *, name: str) -> Answer:
    return await _switched(call, name, on=True)


async def space_off(call: Call, *, name: str) -> Answer:
    return await _switched(call, name, on=False)


async def _switched(call: Call, name: str, *, on: bool) -> Answer:
    async with call.writing() as memory:
        state = await memory.switch_space(name, on=on, tenant=call.tenant)
    return saying(shapes.wire(state), "spaces.on.done" if on else "spaces.off.done", "green", space=clean(name))


async def users(call: Call, *, limit: int = 100, after: str | None = None) -> Answer:
    async with call.reading() as memory:
        shut = {block.key for block in await memory.blocks(tenant=call.tenant) if block.kind is BlockKind.PERSON}
        found = await memory.users(limit=limit, after=after, tenant=call.tenant)

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.users")
        for name in found:
            blocked = Text(f"  {terminal.words('block.person')}", "yellow") if fold(name) in shut else Text()
            terminal.show(Text(clean(name)).append_text(blocked))
        terminal.more(found.next)

    return Answer(shapes.wire(found), people)
