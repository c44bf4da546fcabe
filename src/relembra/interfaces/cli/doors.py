"""Who is listened to, and whose memories there are."""

from __future__ import annotations

from rich.text import Text

from relembra.domain.doors import DoorKind
from relembra.domain.text import fold
from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean


async def block(call: Call) -> Answer:
    name = call.given.required("name")
    async with call.writing() as memory:
        door = await memory.block(name, tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        terminal.say("block.done", "green", name=clean(door.name))
        terminal.say("block.known", DIM, name=clean(door.name))

    return Answer(shapes.flat(door), people)


async def unblock(call: Call) -> Answer:
    name = call.given.required("name")
    async with call.existing() as memory:
        was = await memory.unblock(name, tenant=call.settings.tenant)
    key = "unblock.done" if was else "unblock.nothing"
    return Answer({"unblocked": was}, lambda terminal: terminal.say(key, name=clean(name)))


async def doors(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await memory.doors(tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.doors")
            return
        words = terminal.words
        table = tables.blank(terminal)
        table.add_column(words("head.name"), style="bold", ratio=1 if terminal.watched else None)
        table.add_column(words("head.state"), no_wrap=True)
        table.add_column(words("head.date"), no_wrap=True, style=DIM)
        for door in found:
            since = words("door.by_settings") if door.since is None else terminal.moment(door.since)
            table.add_row(clean(door.name), words(f"door.{door.kind}"), since)
        terminal.show(table)

    return Answer({"items": [shapes.flat(door) for door in found]}, people)


async def spaces(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await memory.spaces(tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.spaces")
            return
        words = terminal.words
        table = tables.blank(terminal)
        table.add_column(words("head.space"), style="bold", ratio=1 if terminal.watched else None)
        table.add_column(words("head.state"))
        for state in found:
            how = "space.on" if state.on else "space.off_by_settings" if state.by_settings else "space.off"
            table.add_row(clean(state.name), Text(words(how), "green" if state.on else "yellow"))
        terminal.show(table)

    return Answer({"items": [shapes.flat(state) for state in found]}, people)


async def space_on(call: Call) -> Answer:
    return await _switched(call, on=True)


async def space_off(call: Call) -> Answer:
    return await _switched(call, on=False)


async def _switched(call: Call, *, on: bool) -> Answer:
    name = call.given.required("name")
    async with call.writing() as memory:
        state = await memory.switch_space(name, on=on, tenant=call.settings.tenant)
    key = "spaces.on.done" if on else "spaces.off.done"
    return Answer(shapes.flat(state), lambda terminal: terminal.say(key, "green", space=clean(name)))


async def users(call: Call) -> Answer:
    limit = call.given.whole("limit")
    async with call.reading() as memory:
        shut = {door.key for door in await memory.doors(tenant=call.settings.tenant) if door.kind is DoorKind.PERSON}
        found = await memory.users(
            limit=100 if limit is None else limit, after=call.given.maybe("after"), tenant=call.settings.tenant
        )

    def people(terminal: Terminal) -> None:
        if not found:
            terminal.say("empty.users")
        for name in found:
            blocked = Text(f"  {terminal.words('door.person')}", "yellow") if fold(name) in shut else Text()
            terminal.show(Text(clean(name)).append_text(blocked))
        tables.more(terminal, found.next)

    return Answer(shapes.page(found), people)
