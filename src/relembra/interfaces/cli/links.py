"""Accounts of chat programs, and whose they are."""

from __future__ import annotations

from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean


async def link(call: Call) -> Answer:
    channel, id, brings = call.given.required("channel"), call.given.required("id"), call.given.flag("bring")
    async with call.writing() as memory:
        before = await memory.linked(channel, id, tenant=call.settings.tenant)
        made = await memory.link(channel, id, bring=brings, **call.whose)
    named = {"channel": clean(made.channel), "id": clean(made.id), "user": clean(made.user)}

    def people(terminal: Terminal) -> None:
        terminal.say("link.done", "green", **named)
        if before is not None and before != made.user:
            terminal.say("link.instead", "yellow", user=clean(before))
        if brings:
            terminal.say("link.brought", user=named["user"])

    return Answer(shapes.flat(made) | {"before": before}, people)


async def unlink(call: Call) -> Answer:
    channel, id = call.given.required("channel"), call.given.required("id")
    async with call.existing() as memory:
        was = await memory.unlink(channel, id, tenant=call.settings.tenant)
    key = "unlink.done" if was else "unlink.nothing"
    return Answer({"unlinked": was}, lambda terminal: terminal.say(key, channel=clean(channel), id=clean(id)))


async def links(call: Call) -> Answer:
    """Everybody's, or with --user or a setting one person's."""
    user = call.user if call.line.has("user") or call.names_somebody else None
    async with call.reading() as memory:
        found = await memory.links(user=user, tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.links" if user is None else "empty.links.person", user=user)
            return
        words = terminal.words
        table = tables.blank(terminal)
        table.add_column(words("head.channel"), no_wrap=True)
        table.add_column(words("head.account"), style="cyan", ratio=1 if terminal.watched else None)
        table.add_column(words("head.whose"), style="bold")
        table.add_column(words("head.when"), no_wrap=True, style=DIM)
        for one in found:
            table.add_row(clean(one.channel), clean(one.id), clean(one.user), terminal.moment(one.created_at))
        terminal.show(table)

    return Answer({"items": [shapes.flat(one) for one in found]}, people)
