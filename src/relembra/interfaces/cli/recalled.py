"""What comes back: search, recall, related, context, why, and commands of a chat."""

from __future__ import annotations

import sys

from rich.text import Text

from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.cli import tables, traces
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.known import found
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import Terminal, clean, note, short
from relembra.interfaces.cli.wishing import wishes
from relembra.interfaces.recollected import beside_of, most_telling
from relembra.memory import Memory
from relembra.recall.ranking import Hit, MessageHit, NoteHit
from relembra.remembering import RECALL_LIMIT


async def search(call: Call) -> Answer:
    given = call.given
    async with call.reading(by_meaning=True) as memory:
        hits = await memory.search(
            given.required("query"),
            limit=given.whole("limit"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
            **await wishes(call, memory),
        )
        nothing = not hits and not await memory.list(limit=1, **call.whose)

    def people(terminal: Terminal) -> None:
        if hits:
            tables.hits(terminal, hits, call.policy.confidence, why=given.flag("why"))
        else:
            terminal.say("empty.items" if nothing else "empty.search", user=call.user)

    return Answer(shapes.hits(hits), people)


async def recall(call: Call) -> Answer:
    given = call.given
    limit = given.whole("limit")
    async with call.reading(by_meaning=True) as memory:
        brought = await memory.recall(
            given.required("query"),
            limit=RECALL_LIMIT if limit is None else limit,
            kinds=given.tokens("kind"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
            **await wishes(call, memory),
        )
        rows: list[Hit | NoteHit | MessageHit] = [*brought.items, *brought.notes, *brought.messages]
        nothing = not rows and await _is_empty(call, memory)
    reasons = [*(one.why for one in brought.items), *(one.why for one in brought.notes)]
    reasons += [one.why for one in brought.messages]
    is_weak = all(why.similarity < call.policy.ranking.least_similarity for why in reasons)

    def people(terminal: Terminal) -> None:
        if rows:
            if is_weak:
                note(call.words("empty.weak"))
            tables.recalled(
                terminal,
                brought.items,
                brought.notes,
                brought.messages,
                call.policy.confidence,
                why=given.flag("why"),
            )
        else:
            terminal.say("empty.items" if nothing else "empty.search", user=call.user)

    return Answer(shapes.recall(brought), people)


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
            format=given.maybe("format") or "markdown",
            speakers=given.names("speaker"),
            mentioned=given.names("mention"),
            as_of=given.then("as_of"),
            true_at=given.then("true_at"),
            history=given.flag("history"),
            **call.whose,
        )

    def people(_: Terminal) -> None:
        """The block alone, so that it can be piped; what is said about it goes beside."""
        if made.text:
            sys.stdout.write(made.text + "\n")
        words = call.words
        if not made.text and not made.cut:
            note(words("empty.context.then" if given.looks_back else "empty.context", user=call.user))
        elif sys.stderr.isatty() or not made.text:  # nothing fitted, and that is said whoever reads
            used = words("context.used", tokens=words.whole(made.tokens), budget=words.whole(made.budget), cut=made.cut)
            note(used)
            if made.question is not None:
                note(words("context.question", text=made.question.text, id=short(made.question.case_id)))

    return Answer(shapes.context(made), people)


async def why(call: Call) -> Answer:
    given = call.given
    limit = given.whole("limit")
    if limit is not None and limit < 0:
        raise InvalidInputError(f"limit {limit} is negative", field="limit")
    async with call.reading(by_meaning=True) as memory:
        told = await memory.why(
            given.required("query"),
            budget=given.whole("budget"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            as_of=given.then("as_of"),
            true_at=given.then("true_at"),
            history=given.flag("history"),
            **call.whose,
        )
        ranked = most_telling(told.missed)
        most = traces.SHOWN_MISSES if limit is None else limit
        beside = await beside_of(memory, told, ranked[:most], call.whose)
        empty = call.words("empty.items" if await _is_empty(call, memory) else "empty.trace", user=call.user)

    def people(terminal: Terminal) -> None:
        traces.trace(terminal, told, beside, call.policy.ranking, empty=empty, limit=most)

    return Answer(shapes.trace(told, ranked if limit is None else ranked[:limit]), people)


async def command(call: Call) -> Answer:
    given = call.given
    text = given.required("text")
    async with call.reading() as memory:
        answer = await memory.command(
            text,
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            language=call.line.last("lang"),
            **call.whose,
        )
    if answer is None:
        raise UsageError("usage.no_chat_command", command="command", text=clean(text))
    said = Text(clean(answer.text, breaks=True))
    return Answer(shapes.command_answer(answer), lambda terminal: terminal.show(said))


async def _is_empty(call: Call, memory: Memory) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    return not await memory.list(limit=1, **call.whose) and not await memory.messages(limit=1, **call.whose)
