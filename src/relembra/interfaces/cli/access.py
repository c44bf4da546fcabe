"""Who and what may come in: keys, links to accounts, blocked people, spaces, and the people there are."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.text import Text

from relembra.domain.access import EVERY_TENANT, Key, Right, SpaceState, Standing, standing
from relembra.domain.time import system_clock
from relembra.interfaces.cli.call import Answer, Call, verb
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, either, note, says, short, table
from relembra.interfaces.cli.words import Words
from relembra.interfaces.shapes import wire
from relembra.keys import LINK_PASS

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
    columns, empty = (
        "channel account=id* whose=user when=created_at",
        "empty.links" if user is None else "empty.links.person",
    )
    return Answer(found, table(columns, empty, account=lambda _, link: clean(link.id)), json={"items": found})


def _space(terminal: Terminal, state: SpaceState) -> Text:
    how = "space.on" if state.on else "space.off_by_settings" if state.by_settings else "space.off"
    return Text(terminal.words(how), "green" if state.on else "yellow")


async def space_on(call: Call, **space: str) -> Answer:
    return await verb("switch_space", says(("spaces.on.done", "green")), opens="writing")(call, on=True, **space)


async def space_off(call: Call, **space: str) -> Answer:
    return await verb("switch_space", says(("spaces.off.done", "green")), opens="writing")(call, on=False, **space)


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
