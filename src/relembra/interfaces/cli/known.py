"""What is known: add, list, show, validate, correct, delete, restore, archive, recover, local, history, undo."""

from __future__ import annotations

from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels, tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.terminal import Terminal, short
from relembra.interfaces.cli.upkeep import put_back
from relembra.interfaces.cli.wishing import wishes
from relembra.interfaces.differences import differences
from relembra.interfaces.recorded import texts_of
from relembra.learn.drafts import DraftParts
from relembra.memory import Memory
from relembra.store.port import ItemOrder


async def add(call: Call) -> Answer:
    given = call.given
    content = given.text("content") or ""
    weight, priority = given.number("weight"), given.whole("priority")
    parts: DraftParts = {
        "type": given.token("type"),
        "area": given.token("area"),
        "sub_area": given.maybe("sub_area"),
        "title": given.maybe("title"),
        "subject": given.maybe("subject"),
        "attribute": given.maybe("attribute"),
        "value": given.maybe("value"),
        "source": given.token("source"),
        "confidence": given.number("confidence"),
        "tags": given.many("tag"),
        "evidence": given.maybe("evidence"),
        "message_ids": given.many("message"),
        "held_from": given.moment("held_from"),
        "expires_at": given.moment("expires"),
        "local_only": given.flag("local_only"),
    }
    if weight is not None:
        parts["weight"] = weight
    if priority is not None:
        parts["priority"] = priority
    async with call.writing() as memory:
        parts["related"] = [(await memory.find(id, **call.whose)).id for id in given.many("related")]
        item = await memory.add(
            content,
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            by=given.who("by"),
            **call.whose,
            **parts,
        )
        is_new = item.observations == 1
        replaced = (await memory.history(item.id, **call.whose)).predecessors if is_new else ()

    def people(terminal: Terminal) -> None:
        panels.done(terminal, "done.added" if is_new else "done.known", item, call.policy.confidence)
        for old in replaced:
            terminal.say("done.replaces", "dim", id=f"{short(old.id)}: {old.content}")
        if item.superseded_by:
            terminal.say("done.replaced", "yellow", id=short(item.superseded_by))
        if item.needs_resolution:
            terminal.say("done.unsure", "yellow")

    return Answer(shapes.flat(item), people)


async def list_items(call: Call) -> Answer:
    given = call.given
    async with call.reading() as memory:
        listing = await memory.list(
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            order=given.token("order") or ItemOrder.NEWEST,
            limit=_or(given.whole("limit"), 50),
            after=given.maybe("after"),
            **call.whose,
            **await wishes(call, memory),
        )

    def people(terminal: Terminal) -> None:
        if listing:
            tables.items(terminal, listing, call.policy.confidence)
        else:
            terminal.say("empty.filtered" if given.filtered else "empty.items", user=call.user)

    return Answer(shapes.page(listing), people)


async def show(call: Call) -> Answer:
    async with call.reading() as memory:
        item = await found(call, memory)
        messages = await memory.sources(item.id, **call.whose)
    return Answer(shapes.flat(item), lambda terminal: panels.item(terminal, item, messages, call.policy.confidence))


async def validate(call: Call) -> Answer:
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.validate(held.id, by=call.given.who("by"), **call.whose)
    return _done(call, "done.validated", item)


async def correct(call: Call) -> Answer:
    given = call.given
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.correct(
            held.id, given.text("content") or "", why=given.maybe("why"), by=given.who("by"), **call.whose
        )
        await memory.settle()
    return _done(call, "done.corrected", item)


async def delete(call: Call) -> Answer:
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.delete(held.id, why=call.given.maybe("why"), by=call.given.who("by"), **call.whose)

    def people(terminal: Terminal) -> None:
        panels.done(terminal, "done.deleted", item, call.policy.confidence)
        terminal.say("done.deleted.back", "dim", id=short(item.id))

    return Answer(shapes.flat(item), people)


async def restore(call: Call) -> Answer:
    """Bring an item back; where a file is named, that backup."""
    if (source := call.given.path("id")).is_file():
        return await put_back(call, source)
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.restore(held.id, by=call.given.who("by"), **call.whose)
    return _done(call, "done.restored", item)


async def archive(call: Call) -> Answer:
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.archive(held.id, by=call.given.who("by"), **call.whose)

    def people(terminal: Terminal) -> None:
        panels.done(terminal, "done.archived", item, call.policy.confidence)
        terminal.say("done.archived.back", "dim", id=short(item.id))

    return Answer(shapes.flat(item), people)


async def recover(call: Call) -> Answer:
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.recover(held.id, by=call.given.who("by"), **call.whose)
    return _done(call, "done.recovered", item)


async def local(call: Call) -> Answer:
    off = call.given.flag("off")
    async with call.existing() as memory:
        held = await found(call, memory)
        item = await memory.keep_local(held.id, local=not off, by=call.given.who("by"), **call.whose)

    def people(terminal: Terminal) -> None:
        panels.done(terminal, "done.let_out" if off else "done.kept_local", item, call.policy.confidence)
        if not off:
            terminal.say("done.kept_local.sources", "dim", id=short(item.id))

    return Answer(shapes.flat(item), people)


async def history(call: Call) -> Answer:
    async with call.reading() as memory:
        held = await found(call, memory)
        told = await memory.history(held.id, **call.whose)
    return Answer(shapes.history(told), lambda terminal: panels.history(terminal, told))


async def undo(call: Call) -> Answer:
    """An item may be named by a piece of its id; conversations and changes by the whole of theirs."""
    word = call.given.required("change")
    async with call.existing() as memory:
        try:
            entries = await memory.undo(word, by=call.given.who("by"), **call.whose)
        except NotFoundError as unknown:
            entries = await memory.undo(
                await _piece(call, memory, word, unknown), by=call.given.who("by"), **call.whose
            )
        texts = await texts_of(memory, differences(entries), call.whose) if len(entries) > 1 else {}
    data = {"undone": [shapes.entry(entry) for entry in entries]}
    return Answer(data, lambda terminal: panels.undone(terminal, entries, texts))


async def found(call: Call, memory: Memory) -> KnowledgeItem:
    """The item an id or a piece of one names."""
    return await memory.find(call.given.required("id"), **call.whose)


async def _piece(call: Call, memory: Memory, word: str, unknown: NotFoundError) -> str:
    """The id of the item a piece stands for; where there is none, what was unknown stays so."""
    try:
        return (await memory.find(word, **call.whose)).id
    except NotFoundError:
        raise unknown from None


def _done(call: Call, key: str, item: KnowledgeItem) -> Answer:
    return Answer(shapes.flat(item), lambda terminal: panels.done(terminal, key, item, call.policy.confidence))


def _or(number: int | None, usual: int) -> int:
    return usual if number is None else number
