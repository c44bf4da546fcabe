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
WHOLE = ("items", "messages", "conversations", "notes")
MOST_NAMED = 10
"""How many of the notes that go along are named."""


async def forget(call: Call) -> Answer:
    given = call.given
    id, conversation, everything = given.maybe("id"), given.maybe("conversation"), given.flag("all")
    if sum((id is not None, conversation is not None, everything)) != 1:
        raise InvalidInputError("say what to forget: one item, one conversation, or all", field="forget")
    async with call.existing() as memory:
        item = (await memory.find(id, **call.whose)).id if id is not None else None
        if given.flag("dry_run"):
            would = await memory.forget(
                item=item, conversation=conversation, all=everything, dry_run=True, **call.whose
            )
            named = await _named(call, memory, would)
            return Answer(shapes.gone(would), lambda terminal: panels.receipt(terminal, would, named))
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
        asked = words("ask.item", content=clean((await memory.get(item, **call.whose)).content))
        return asked + await _along(call, memory, await memory.forget(item=item, dry_run=True, **call.whose))
    if conversation is not None:
        listing = await memory.conversations(limit=MOST_COUNTED, **call.whose)
        title = next((row.title for row in listing if row.id == conversation), None)
        if title is None and listing.next is None:
            raise NotFoundError("conversation", conversation)
        messages = await memory.messages(conversation=conversation, limit=MOST_COUNTED, **call.whose)
        count = words.count("message", len(messages)) + ("+" if messages.next else "")
        asked = words("ask.conversation", id=conversation, title=clean(title or ""), messages=count)
        would = await memory.forget(conversation=conversation, dry_run=True, **call.whose)
        return asked + await _along(call, memory, would)
    would = await memory.forget(all=True, dry_run=True, **call.whose)
    held = {place: words.count(place[:-1], would.counts[place]) for place in WHOLE}
    return words("ask.all", user=call.user, **held)


async def _along(call: Call, memory: Memory, would: Gone) -> str:
    """The notes that go along, by their titles; empty where there are none."""
    if not would.notes:
        return ""
    named = await _named(call, memory, would)
    notes = call.words.count("note", len(would.notes))
    return "\n" + "\n".join([call.words("ask.notes", notes=notes), *(f"  {title}" for title in named)])


async def _named(call: Call, memory: Memory, would: Gone) -> list[str]:
    """The titles of the notes that go along, the first of them."""
    titles = [clean((await memory.note(id, **call.whose)).title) for id in would.notes[:MOST_NAMED]]
    rest = len(would.notes) - len(titles)
    return [*titles, call.words("ask.notes.more", n=call.words.whole(rest))] if rest else titles
