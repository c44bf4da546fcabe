"""What comes back: search, related, context."""

from __future__ import annotations

import sys

from relembra.interfaces.cli import shapes, tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.known import found
from relembra.interfaces.cli.terminal import Terminal, note, short


async def search(call: Call) -> Answer:
    given = call.given
    async with call.reading(by_meaning=True) as memory:
        hits = await memory.search(
            given.required("query"),
            limit=given.whole("limit"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
            **given.wishes(),
        )
        nothing = not hits and not await memory.list(limit=1, **call.whose)

    def people(terminal: Terminal) -> None:
        if hits:
            tables.hits(terminal, hits, call.policy.confidence, why=given.flag("why"))
        else:
            terminal.say("empty.items" if nothing else "empty.search", user=call.user)

    return Answer(shapes.hits(hits), people)


async def related(call: Call) -> Answer:
    limit = call.given.whole("limit")
    async with call.reading() as memory:
        item = await found(call, memory)
        hits = await memory.related(item.id, limit=5 if limit is None else limit, **call.whose)

    def people(terminal: Terminal) -> None:
        if hits:
            tables.hits(terminal, hits, call.policy.confidence, why=False)
        else:
            terminal.say("empty.related")

    return Answer(shapes.hits(hits), people)


async def context(call: Call) -> Answer:
    given = call.given
    async with call.reading(by_meaning=True) as memory:
        made = await memory.load(
            query=given.maybe("query"),
            budget=given.whole("budget"),
            conversation=given.maybe("conversation"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
        )

    def people(_: Terminal) -> None:
        """The block alone, so that it can be piped; what is said about it goes beside."""
        if made.text:
            sys.stdout.write(made.text + "\n")
        words = call.words
        if not made.text and not made.cut:
            note(words("empty.context", user=call.user))
        elif sys.stderr.isatty():
            used = words("context.used", tokens=words.whole(made.tokens), budget=words.whole(made.budget), cut=made.cut)
            note(used)
            if made.question is not None:
                note(words("context.question", text=made.question.text, id=short(made.question.case_id)))

    return Answer(shapes.context(made), people)
