"""Adding what the assistant doesn't know."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from http import HTTPStatus

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.attributes import ATTRIBUTES
from relembra.domain.ids import new_id
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.reasons import attribute
from relembra.interfaces.web.filtering import day_of, start_of
from relembra.interfaces.web.once import Once, form_key
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit
from relembra.learn.drafts import DraftParts

pages = Pages()

NEAR = 3
NEAR_AT_LEAST = 0.45
"""How like what is known already something typed must be to be worth a look."""
SHORTEST = 8
LONGEST = 2_000
"""How much has to be typed before it is compared with what is known, and how much of it is."""
LONGEST_CONTENT = 20_000
"""How many letters one item takes by hand; more is a text that tells many things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The form as somebody filled it in."""

    content: str = ""
    type: str = ""
    area: str = ""
    held_from: str = ""
    subject: str = ""
    attribute: str = ""
    value: str = ""
    tags: str = ""
    local: bool = False

    @classmethod
    def of(cls, visit: Visit) -> Typed:
        return cls(
            content=visit.field("content"),
            type=visit.field("type"),
            area=visit.field("area"),
            held_from=visit.field("held_from"),
            subject=visit.field("subject"),
            attribute=visit.field("attribute"),
            value=visit.field("value"),
            tags=visit.field("tags"),
            local=visit.field("local") == "1",
        )

    @property
    def has_more(self) -> bool:
        """Whether something is given that is not asked for at first."""
        return any((self.subject, self.attribute, self.value, self.tags, self.local))

    def parts(self, visit: Visit) -> DraftParts:
        """What the verb takes beside the content."""
        day = day_of(self.held_from)
        if self.held_from and day is None:
            raise InvalidInputError("held_from is no day", field="day")
        return DraftParts(
            type=self.type or None,
            area=self.area or None,
            subject=self.subject or None,
            attribute=self.attribute or None,
            value=self.value or None,
            tags=[tag.strip() for tag in self.tags.split(",") if tag.strip()],
            held_from=None if day is None else start_of(day, visit.zone).astimezone(visit.zone),
            local_only=self.local,
        )


@pages.get("/add", Right.WRITE)
async def adding(visit: Visit) -> Response:
    """The form; with something typed also what is known already that is like it."""
    typed = replace(Typed(), content=visit.asked("content")[:LONGEST], area=visit.asked("area"))
    return _form(visit, typed, near=await _near(visit, typed.content))


@pages.post("/add")
async def add(visit: Visit) -> Response:
    typed = Typed.of(visit)
    try:
        item = await _added(visit, typed)
    except InvalidInputError as error:
        is_day = error.field in ("day", "held_from")
        wrong = "held_from" if is_day else error.field or ""
        said = visit.words("page.add.bad_day") if error.field == "day" else visit.sentence(error)
        return _form(visit, typed, wrong=wrong, trouble=said, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.to(f"/item/{item.id}", done="added" if item.observations == 1 else "known", undo=item.id)


def fit(content: str, longest: int = LONGEST_CONTENT) -> str:
    """What was typed, where it is no longer than one item takes."""
    if len(content.replace("\r\n", "\n")) > longest:
        raise InvalidInputError(f"content is longer than {longest} characters", field="content")
    return content


async def _added(visit: Visit, typed: Typed) -> KnowledgeItem:
    """What was added: of a form pressed twice the first one's, unless that was taken back since."""
    once: Once = visit.request.app.state.once
    key = form_key(visit, astuple(typed))

    async def work() -> str:
        return (await visit.memory.add(fit(typed.content), **typed.parts(visit), **visit.whose)).id

    id = await once.done(key, work)
    try:
        item = await visit.memory.get(id, **visit.whose)
        if item.deleted_at is None:
            return item
    except NotFoundError:
        pass
    once.forget(key)
    return await visit.memory.get(await once.done(key, work), **visit.whose)


async def _near(visit: Visit, content: str) -> list[KnowledgeItem]:
    if len(content) < SHORTEST:
        return []
    try:
        hits = await visit.memory.search(content, limit=NEAR, **visit.whose)
    except InvalidInputError:
        return []
    return [hit.item for hit in hits if hit.why.similarity >= NEAR_AT_LEAST]


def _form(
    visit: Visit,
    typed: Typed,
    *,
    near: list[KnowledgeItem] | None = None,
    wrong: str = "",
    trouble: str = "",
    status: int = HTTPStatus.OK,
) -> Response:
    known = sorted(((name, attribute(visit.words, name)) for name in ATTRIBUTES), key=lambda pair: pair[1].casefold())
    return visit.page(
        "add.html",
        status=status,
        title=visit.words("page.add.title"),
        typed=typed,
        once=new_id(),
        near=near or [],
        wrong=wrong,
        trouble=trouble,
        kinds=list(KnowledgeType),
        areas=list(LifeArea),
        attributes=known,
        today=visit.clock.here(visit.now).date(),
    )
