"""Trying it out: what a question would recall and why, what would be learnt from a message. Nothing is kept."""

from __future__ import annotations

import re
from collections import Counter
from http import HTTPStatus

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.choices import checked_language
from relembra.errors import InvalidInputError, RelembraError
from relembra.interfaces.http.problems import problem_of
from relembra.interfaces.recollected import beside_of, most_telling
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.tracing import Recalled, recalled
from relembra.interfaces.web.visits import Visit, query_with
from relembra.remembering import Trace

pages = Pages()

SHOWN_MISSES = 8
MOST_MISSES = 100
LARGEST_BUDGET = 100_000
MOST_SENTENCES = 12
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


@pages.get("/try")
async def recalling(visit: Visit) -> Response:
    """What the assistant would be told if it were asked a question."""
    if visit.asked("tab") == "learn":
        return _page(visit, tab="learn")
    if not visit.asked("q"):
        return _page(visit, is_empty=not await visit.memory.list(limit=1, **visit.whose))
    try:
        told = await visit.memory.why(
            visit.asked("q"), budget=_budget(visit), language=checked_language(visit.asked("lang") or None),
            **visit.whose,
        )  # fmt: skip
    except InvalidInputError as error:
        if error.field == "budget":
            wrong = {"budget": visit.words("page.trying.budget.wrong", most=visit.words.whole(LARGEST_BUDGET))}
        else:
            wrong = {"q": visit.sentence(error)}
        return _page(visit, wrong=wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return _page(visit, found=await _found(visit, told))


@pages.post("/try", Right.READ)
async def learning(visit: Visit) -> Response:
    """What would be learnt from a message."""
    text = visit.field("text")
    try:
        foreseen = await visit.memory.preview(text, **visit.whose)
        left = await _unkept(visit, text) if foreseen and not visit.settings.llm else []
    except RelembraError as error:
        status = (
            HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, InvalidInputError) else problem_of(error).status_code
        )
        return _page(visit, tab="learn", text=text, wrong={"text": visit.sentence(error)}, status=status)
    return _page(visit, tab="learn", text=text, foreseen=foreseen, left=left)


def _page(
    visit: Visit,
    *,
    tab: str = "recall",
    status: int = HTTPStatus.OK,
    found: Recalled | None = None,
    is_empty: bool = False,
    **parts: object,
) -> Response:
    given = {"wrong": {}, "text": "", "foreseen": None, "left": [], "found": found, "is_empty": is_empty} | parts
    usual = visit.settings.chosen_policy().context.budget_tokens
    return visit.page(
        "try.html",
        status=status,
        title=visit.words("page.try"),
        named=(visit.asked("q") if tab == "recall" else visit.words("page.trying.learn"),),
        tab=tab,
        usual=usual,
        largest=LARGEST_BUDGET,
        every=query_with(visit, {"all": "1"}),
        **given,
    )


def _budget(visit: Visit) -> int | None:
    asked = visit.asked("budget")
    if not asked:
        return None
    if not asked.isdecimal() or len(asked) > len(str(LARGEST_BUDGET)) or int(asked) > LARGEST_BUDGET:
        raise InvalidInputError(f"budget {asked[:20]!r} is no whole number of tokens", field="budget")
    return int(asked)


async def _found(visit: Visit, told: Trace) -> Recalled:
    ranked = most_telling(told.missed)
    most = MOST_MISSES if visit.asked("all") else SHOWN_MISSES
    beside = await beside_of(visit.memory, told, ranked[:most], visit.whose)
    tally = Counter(one.miss for one in told.missed).most_common()
    return recalled(
        told,
        ranked[:most],
        beside,
        words=visit.words,
        clock=visit.clock,
        policy=visit.settings.chosen_policy().ranking,
        tally=tally,
    )


async def _unkept(visit: Visit, text: str) -> list[str]:
    """The sentences of a message that teach nothing by themselves."""
    said = sentences(text)
    if not 1 < len(said) <= MOST_SENTENCES:
        return []
    return [one for one in said if not await visit.memory.preview(one, **visit.whose)]


def sentences(text: str) -> list[str]:
    """A message in its sentences, as they were written."""
    found = (one.strip() for one in _SENTENCE.findall(text))
    return [one for one in found if any(letter.isalnum() for letter in one)]
