"""Erasing a person for good: what there is, a name typed to be sure, and the receipt. That one is shown once, in the
answer itself, for afterwards nothing is kept of it."""

from __future__ import annotations

import json
from datetime import datetime
from http import HTTPStatus
from urllib.parse import quote

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.interfaces import shapes
from relembra.interfaces.web.once import done_once
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import Words
from relembra.store.port import Gone

pages = Pages()

HELD = ("item", "message", "conversation", "note")
"""What is counted before asking."""


@pages.get("/erase", Right.WRITE)
async def erase(visit: Visit) -> Response:
    return await _form(visit)


@pages.post("/erase")
async def erased(visit: Visit) -> Response:
    """Forget everything of the person, where their name was typed; whoever came by a key of theirs is then outside."""
    whose, user, words = visit.whose, visit.user, visit.words
    if visit.field("name") != user:
        return await _form(visit, wrong=words("page.erase.name.wrong"), status=HTTPStatus.UNPROCESSABLE_ENTITY)

    async def work() -> tuple[Gone, datetime]:
        visit.errands.drop(visit.owner.person)
        return await visit.memory.forget(all=True, **whose), visit.now

    gone, when = await done_once(visit, work)
    is_out = visit.caller.user is not None
    if is_out:
        visit.known = None
        await visit.sign_out()
    moment = visit.clock.exact(when)
    told = {"user": user, "tenant": whose["tenant"], "erased_at": when.isoformat(), **shapes.gone(gone)}
    return visit.page(
        "erased.html",
        title=words("page.erase.done"),
        user=user,
        when=when,
        gone={name: number for name, number in gone.counts.items() if number},
        total=gone.total,
        is_clean=gone.erased,
        is_out=is_out,
        as_json=file_in_page("application/json", json.dumps(told, ensure_ascii=False, indent=2)),
        as_text=file_in_page("text/markdown", receipt(words, user, moment, gone)),
    )


def receipt(words: Words, user: str, moment: str, gone: Gone) -> str:
    """The receipt as a text to keep."""
    lines = [f"- {words.name('gone', name)}: {words.whole(number)}" for name, number in gone.counts.items() if number]
    clean = words("page.erase.clean" if gone.erased else "page.erase.traces")
    head = f"# {words('page.erase.receipt')}\n\n{words('page.erase.whose')}: {plain(user)}  \n"
    head += f"{words('page.erase.when')}: {moment}\n"
    return "\n".join([head, *lines, f"- **{words('page.erase.total')}: {words.whole(gone.total)}**", "", clean, ""])


def plain(name: str) -> str:
    """A name in Markdown as it is."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in name)


def file_in_page(media: str, text: str) -> str:
    """A small file as an address, for what no server keeps."""
    return f"data:{media};charset=utf-8,{quote(text)}"


def held(would: Gone) -> dict[str, int]:
    """How much there is to erase."""
    return {name: number for name in HELD if (number := would.counts[f"{name}s"])}


async def _form(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    is_own = visit.caller.user is not None or visit.user == visit.caller.usual
    title = "page.erase.title" if is_own else "page.erase.title.other"
    would = await visit.memory.forget(all=True, dry_run=True, **visit.whose)
    own = await visit.memory.stats(**visit.whose)
    return visit.page(
        "erase.html",
        status=status,
        title=visit.words(title, user=visit.user),
        held=held(would),
        shared=would.counts["notes"] - own.notes,
        wrong=wrong,
    )
