"""Keys for programs that come in from outside: making one, showing them, taking one back; and links for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.text import Text

from relembra.admitting import LINK_PASS
from relembra.domain.access import EVERY_TENANT, Key, Right, Standing, standing
from relembra.domain.moment import system_clock
from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, note, short
from relembra.interfaces.cli.words import Words

STYLES = {Standing.VALID: "green", Standing.EXPIRED: "yellow", Standing.REVOKED: "red"}
COMMAND = "keys create"


async def create(call: Call) -> Answer:
    """The secret alone goes to standard output, so that a script can take it; what is said about it stands beside."""
    given, words = call.given, call.words
    if given.maybe("name") is None:
        raise UsageError("usage.key_name", command=COMMAND)
    user = given.maybe("for") or call.line.last("user")
    everywhere = given.flag("every_tenant")
    if everywhere and (user is not None or call.line.has("tenant")):
        raise UsageError("usage.key_whose", command=COMMAND)
    expires = given.moment("expires", whole_day=True)
    if expires is not None and expires <= system_clock():
        raise UsageError("usage.key_past", command=COMMAND, option="--expires", word=given.required("expires"))
    right = words.token("right", given.maybe("scope") or Right.WRITE)
    async with call.writing() as memory:
        made = await memory.create_key(
            given.required("name"),
            right=right,
            user=user,
            expires_at=expires,
            tenant=EVERY_TENANT if everywhere else call.settings.tenant,
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


async def link(call: Call) -> Answer:
    """The link alone goes to standard output, so that it can be sent on; what is said about it stands beside."""
    words, settings, user = call.words, call.settings, call.user
    right = words.token("right", call.given.maybe("scope") or Right.WRITE)
    server = call.given.maybe("url") or address(settings.host, settings.port)
    if urlsplit(server).scheme not in ("http", "https") or not urlsplit(server).netloc:
        raise UsageError("usage.link_url", command="keys link", word=server)
    async with call.writing() as memory:
        ends = system_clock() + LINK_PASS
        carried = await memory.link_pass(
            words("keys.link.name", user=user), user=user, right=right, tenant=settings.tenant
        )
    url = f"{server.rstrip('/')}/enter?{urlencode({'pass': carried})}"

    def people(terminal: Terminal) -> None:
        note(words("keys.link.made", user=clean(user), right=words(f"right.{right}"), moment=terminal.moment(ends)))
        terminal.show(Text(url, "bold", no_wrap=True, overflow="ignore"))

    data = {"url": url, "user": user, "tenant": settings.tenant, "right": right, "expires_at": shapes.flat(ends)}
    return Answer(data, people)


def address(host: str, port: int) -> str:
    """Where the server of these settings is found from this machine; one that listens everywhere is found here too."""
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def keys(call: Call) -> Answer:
    """Everybody's, or with --user and --tenant theirs."""
    chosen = call.line.has("tenant") or call.line.has("user")
    user = call.line.last("user")
    async with call.reading() as memory:
        found = await memory.keys(tenant=call.settings.tenant if chosen else None)
    found = [key for key in found if user is None or key.user == user]
    now = system_clock()

    def people(terminal: Terminal) -> None:
        if found:
            _table(terminal, found, now)
        else:
            terminal.say("empty.keys")

    return Answer({"items": [_shape(key, now) for key in found]}, people)


async def revoke(call: Call) -> Answer:
    tenant = call.settings.tenant if call.line.has("tenant") else None
    async with call.existing() as memory:
        key = await memory.revoke_key(call.given.required("id"), tenant=tenant)
    return Answer(
        _shape(key, system_clock()),
        lambda terminal: terminal.say("keys.revoked", "green", name=clean(key.name), prefix=key.prefix),
    )


def _shape(key: Key, now: datetime) -> dict[str, Any]:
    shown: dict[str, Any] = shapes.flat(key)
    return shown | {"standing": standing(key, now).value}


def _opens(words: Words, key: Key) -> str:
    if key.tenant == EVERY_TENANT:
        return words("keys.opens.everything")
    if key.user is None:
        return words("keys.opens.tenant", tenant=clean(key.tenant))
    return words("keys.opens.person", user=clean(key.user), tenant=clean(key.tenant))


def _table(terminal: Terminal, found: Sequence[Key], now: datetime) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.name"), style="bold", ratio=1 if terminal.watched else None)
    table.add_column(words("head.right"), no_wrap=True)
    table.add_column(words("head.standing"), no_wrap=True)
    if terminal.roomy:
        table.add_column(words("head.opens"))
        table.add_column(words("head.used"), no_wrap=True, style=DIM)
    table.add_column(words("head.prefix"), no_wrap=True, style="cyan")
    if terminal.roomy:
        table.add_column(words("head.id"), no_wrap=True, style=DIM)
    for key in found:
        how = standing(key, now)
        state = Text(words(f"standing.{how}"), STYLES[how])
        if how is Standing.VALID and key.expires_at is not None:
            state = Text(words("keys.until", moment=terminal.moment(key.expires_at)), STYLES[how])
        name = terminal.cell(key.name)
        used = words("keys.never") if key.last_used_at is None else terminal.moment(key.last_used_at)
        if not terminal.roomy:
            name.append(f"\n{_opens(words, key)}", f"not bold {DIM}")
        aside = [_opens(words, key), used] if terminal.roomy else []
        behind = [key.id if not terminal.watched else short(key.id)] if terminal.roomy else []
        table.add_row(name, words(f"right.{key.right}"), state, *aside, key.prefix, *behind)
    terminal.show(table)
