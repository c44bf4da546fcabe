"""What was said: save, messages, conversations."""

from __future__ import annotations

from typing import Any

import msgspec

from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.given import STDIN, Given
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import Terminal


async def save(call: Call) -> Answer:
    given = call.given
    if [given.maybe(name) for name in ("said", "replied", "messages")].count(STDIN) > 1:
        raise UsageError("usage.one_stdin", command="save")
    said, replied, messages = given.text("said"), given.text("replied"), _messages(given)
    async with call.writing() as memory:
        saved = await memory.save(
            said=said,
            replied=replied,
            messages=messages,
            at=given.moment("at"),
            conversation=given.maybe("conversation"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            external_id=given.maybe("external_id"),
            author=given.maybe("author"),
            program=given.flag("program"),
            skip=given.flag("skip"),
            metadata=given.pairs("meta"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if saved.refused is not None:
            terminal.say(f"refused.{saved.refused}", "yellow", user=call.user, space=given.maybe("space"))
            return
        count = terminal.words.count("message", len(saved.messages))
        key = "done.saved" if saved.new else "done.saved.known"
        terminal.say(key, "green" if saved.new else "", conversation=saved.conversation, count=count)
        if saved.left_out:
            terminal.say("done.saved.left_out", "yellow", places=", ".join(saved.left_out))

    return Answer(shapes.saved(saved), people)


def _messages(given: Given) -> list[dict[str, Any]] | None:
    """The list a file holds, or standard input: JSON, alone or under "messages", as a request to a model has it."""
    if (name := given.maybe("messages")) is None:
        return None
    try:
        text = given.text("messages") if name == STDIN else given.path("messages").read_text("utf-8")
        held = msgspec.json.decode(text or "")
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError("usage.messages", command="save", word=name) from error
    found: list[dict[str, Any]] = held.get("messages", held) if isinstance(held, dict) else held
    return found


async def messages(call: Call) -> Answer:
    given = call.given
    limit = given.whole("limit")
    async with call.reading() as memory:
        listing = await memory.messages(
            conversation=given.maybe("conversation"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            limit=50 if limit is None else limit,
            after=given.maybe("after"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if listing:
            tables.messages(terminal, listing)
        else:
            terminal.say("empty.messages", user=call.user)

    return Answer(shapes.page(listing), people)


async def conversations(call: Call) -> Answer:
    limit = call.given.whole("limit")
    async with call.reading() as memory:
        listing = await memory.conversations(
            limit=50 if limit is None else limit, after=call.given.maybe("after"), **call.whose
        )

    def people(terminal: Terminal) -> None:
        if listing:
            tables.conversations(terminal, listing)
        else:
            terminal.say("empty.conversations", user=call.user)

    return Answer(shapes.page(listing), people)


async def rename(call: Call) -> Answer:
    given = call.given
    id, title = given.required("conversation"), given.required("title")
    async with call.existing() as memory:
        renamed = await memory.rename_conversation(id, title, by=given.who("by"), **call.whose)
    return Answer(shapes.flat(renamed), lambda terminal: terminal.say("done.renamed", id=id, title=renamed.title))


async def delete(call: Call) -> Answer:
    id = call.given.required("conversation")
    async with call.existing() as memory:
        hidden = await memory.delete_conversation(id, by=call.given.who("by"), **call.whose)
    return Answer(shapes.flat(hidden), lambda terminal: terminal.say("done.hidden", id=id))
