"""Forgetting: say exactly what will go, ask, and print the receipt."""

from __future__ import annotations

from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels
from relembra.interfaces.cli.asking import agreed
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.terminal import clean
from relembra.memory import Memory
from relembra.store.port import Gone

MOST_COUNTED = 1_000


async def forget(call: Call) -> Answer:
    given = call.given
    id, conversation, everything = given.maybe("id"), given.maybe("conversation"), given.flag("all")
    if sum((id is not None, conversation is not None, everything)) != 1:
        raise InvalidInputError("say what to forget: one item, one conversation, or all", field="forget")
    async with call.existing() as memory:
        item = (await memory.find(id, **call.whose)).id if id is not None else None
        if not given.flag("yes"):
            question = await _question(call, memory, item, conversation)
            if not agreed(call, question, cannot="ask.cannot"):
                nothing = Gone({})
                return Answer(shapes.gone(nothing), lambda terminal: terminal.say("ask.kept"))
        gone = await memory.forget(item=item, conversation=conversation, all=everything, **call.whose)
    return Answer(shapes.gone(gone), lambda terminal: panels.receipt(terminal, gone))


async def _question(call: Call, memory: Memory, item: str | None, conversation: str | None) -> str:
    """What exactly will go."""
    words = call.words
    if item is not None:
        return words("ask.item", content=clean((await memory.get(item, **call.whose)).content))
    if conversation is not None:
        listing = await memory.conversations(limit=MOST_COUNTED, **call.whose)
        title = next((row.title for row in listing if row.id == conversation), None)
        if title is None and listing.next is None:
            raise NotFoundError("conversation", conversation)
        messages = await memory.messages(conversation=conversation, limit=MOST_COUNTED, **call.whose)
        count = words.count("message", len(messages)) + ("+" if messages.next else "")
        return words("ask.conversation", id=conversation, title=clean(title or ""), messages=count)
    held = await memory.stats(**call.whose)
    return words(
        "ask.all",
        user=call.user,
        items=words.count("item", sum(held.items.values())),
        messages=words.count("message", held.messages),
        conversations=words.count("conversation", held.conversations),
        notes=words.count("note", held.notes),
    )
