"""Who and what may come in: keys, links to accounts, blocked people, spaces, and the people there are."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.text import Text

from relembra.domain.access import EVERY_TENANT, BlockKind, Key, Right, SpaceState, Standing, standing
from relembra.domain.text import fold
from relembra.domain.time import system_clock
from relembra.interfaces.cli.call import Answer, Call, saying, table, verb
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, note, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.shapes import wire
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
    tenant = EVERY_TENANT if every_tenant else call.tenant
    async with call.writing() as memory:
        made = await memory.create_key(name, right=right, user=user, expires_at=expires_at, tenant=tenant)
    key = made.key

    def people(terminal: Terminal) -> None:
        note(words("keys.created", name=clean(key.name), right=words(f"right.{key.right}"), opens=_opens(words, key)))
        if key.expires_at is not None:
            note(words("keys.expires", moment=terminal.moment(key.expires_at)))
        note(words("keys.once"))
        _show_alone(terminal, made.secret)

    return Answer(_shape(key) | {"secret": made.secret}, people)


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
        _show_alone(terminal, link)

    return Answer({"url": link, "user": user, "tenant": call.tenant, "right": right, "expires_at": ends}, people)


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
    return Answer({"items": [_shape(key) for key in found]}, lambda terminal: _show_keys(terminal, found))


async def revoke(call: Call, *, id: str) -> Answer:
    async with call.existing() as memory:
        key = await memory.revoke_key(id, tenant=call.tenant if "tenant" in call.typed else None)
    return saying(_shape(key), "keys.revoked", "green", name=clean(key.name), prefix=key.prefix)


def _shape(key: Key) -> dict[str, Any]:
    return {**wire(key), "standing": standing(key, system_clock()).value}


# ── accounts of chat programs ─────────────────────────────────────────────────────────────────────────────────────


async def link(call: Call, *, channel: str, id: str, bring: bool = False) -> Answer:
    async with call.writing() as memory:
        before = await memory.linked(channel, id, tenant=call.tenant)
        made = await memory.link(channel, id, bring=bring, **call.person)
    named: dict[str, Any] = {"channel": clean(made.channel), "id": clean(made.id), "user": clean(made.user)}

    instead = ("link.instead", "yellow") if before not in (None, made.user) else None
    brought = ("link.brought", "") if bring else None
    data = {**wire(made), "before": before}
    return saying(data, "link.done", "green", instead, brought, before=clean(before or ""), **named)


async def unlink(call: Call, *, channel: str, id: str) -> Answer:
    async with call.existing() as memory:
        was = await memory.unlink(channel, id, tenant=call.tenant)
    key = "unlink.done" if was else "unlink.nothing"
    return saying({"unlinked": was}, key, channel=clean(channel), id=clean(id))


_LINKS = "channel account=id* whose=user when=created_at"
_show_links = table(_LINKS, "empty.links", account=lambda _, link: clean(link.id))
_show_links_of = table(_LINKS, "empty.links.person", account=lambda _, link: clean(link.id))


async def links(call: Call) -> Answer:
    """Everybody's, or with --user or a setting one person's."""
    user = call.user if "user" in call.typed or call.names_a_person else None
    async with call.reading() as memory:
        found = await memory.links(user=user, tenant=call.tenant)
    show = _show_links if user is None else _show_links_of
    return Answer({"items": found}, lambda terminal: show(terminal, found))


# ── people and spaces ─────────────────────────────────────────────────────────────────────────────────────────────


async def block(call: Call, *, name: str) -> Answer:
    async with call.writing() as memory:
        made = await memory.block(name, tenant=call.tenant)

    return saying(made, "block.done", "green", ("block.known", DIM), name=clean(made.name))


async def unblock(call: Call, *, name: str) -> Answer:
    async with call.existing() as memory:
        was = await memory.unblock(name, tenant=call.tenant)
    return saying({"unblocked": was}, "unblock.done" if was else "unblock.nothing", name=clean(name))


def _space(terminal: Terminal, state: SpaceState) -> Text:
    how = "space.on" if state.on else "space.off_by_settings" if state.by_settings else "space.off"
    return Text(terminal.words(how), "green" if state.on else "yellow")


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


async def space_on(call: Call, *, name: str) -> Answer:
    return await _switched(call, name, on=True)


async def space_off(call: Call, *, name: str) -> Answer:
    return await _switched(call, name, on=False)


async def _switched(call: Call, name: str, *, on: bool) -> Answer:
    async with call.writing() as memory:
        state = await memory.switch_space(name, on=on, tenant=call.tenant)
    return saying(state, "spaces.on.done" if on else "spaces.off.done", "green", space=clean(name))


async def users(call: Call, *, limit: int = 100, after: str | None = None) -> Answer:
    async with call.reading() as memory:
        shut = {block.key for block in await memory.blocks(tenant=call.tenant) if block.kind is BlockKind.PERSON}
        found = await memory.users(limit=limit, after=after, tenant=call.tenant)

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.users")
        for name in found:
            blocked = f"  {terminal.words('block.person')}" if fold(name) in shut else ""
            terminal.show(Text(clean(name)).append(blocked, "yellow"))
        if found.next is not None:
            terminal.hint("more", cursor=found.next)

    return Answer(found, people)
