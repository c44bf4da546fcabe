"""What answers hold, for the document: the shapes of `interfaces/shapes.py`, read off the values they are made of.

Nothing is turned into these when a request is answered; tests hold every answer against them.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from relembra.admitting import Told
from relembra.domain.access import Key, Link
from relembra.domain.audit import AuditEntry
from relembra.domain.case import Case
from relembra.domain.doors import Door, SpaceState
from relembra.domain.inquiry import Inquiry
from relembra.domain.jobs import Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.run import Run
from relembra.listen.filters import Refusal
from relembra.recall.assembly import Share
from relembra.recall.found import Miss
from relembra.recall.ranking import Why
from relembra.store.port import Kind, Stats, Use
from relembra.tend.gardening import Deed
from relembra.transfer.facts import ImportReport
from relembra.transfer.importing import Imported
from relembra.views.calendar import Birthday
from relembra.views.cognitive import Trait
from relembra.views.profile import Profile
from relembra.views.survey import Counts, Moment, OverTime, Step
from relembra.views.user_memory import UserMemory

FLATTENED: dict[str, dict[str, Any]] = {
    "scope": {"tenant": str, "user": str},
    "place": {"space": str | None, "channel": str},
}


class Problem(BaseModel):
    """What was wrong and what to do (RFC 9457)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no item 'x' here"}]
        }
    )

    type: str = Field(description="about:blank; the status says which kind it is.")
    title: str
    status: int
    detail: str = Field(description="What was wrong and what to do.")
    field: str | None = Field(None, description="Which part of the request it is about.")
    errors: list[dict[str, str]] | None = Field(None, description="Everything that does not fit the document.")


def record(name: str, doc: str, /, **parts: Any) -> type[BaseModel]:
    """A shape of named parts, all of them always there."""
    definitions: dict[str, Any] = {part: (kind, ...) for part, kind in parts.items()}
    return create_model(name, __doc__=doc, __base__=BaseModel, **definitions)


def row(name: str, of: type, /, *, doc: str = "", without: tuple[str, ...] = (), **parts: Any) -> type[BaseModel]:
    """The flat shape of a value, with parts that stand beside its own or in their place."""
    known = get_type_hints(of)
    flat: dict[str, Any] = {}
    for part in fields(of):
        if part.name not in without:
            flat |= FLATTENED.get(part.name, {part.name: known[part.name]})
    return record(name, doc or str(of.__doc__), **(flat | parts))


def many(model: Any) -> Any:
    return list[model]


def maybe(model: Any) -> Any:
    return model | None


def page(name: str, doc: str, model: Any) -> type[BaseModel]:
    return record(name, doc, items=many(model), next=str | None)


Item = row("Item", KnowledgeItem)
Items = record("Items", "Several items.", items=many(Item))
MessageRow = row("Message", Message)
ConversationRow = row("Conversation", Conversation)
NoteRow = row("Note", Note)
Entry = row("Entry", AuditEntry, actor=str)

Messages = page("Messages", "A page of messages, newest first.", MessageRow)
Conversations = page("Conversations", "A page of conversations, last used first.", ConversationRow)
Notes = page("Notes", "A page of notes, newest first.", NoteRow)
Sources = record("Sources", "The messages an item was learnt from, oldest first.", items=many(MessageRow))
Saved = record(
    "Saved",
    "What was kept; `new` is false where it had been saved before; `left_out`: what in `messages` is no text.",
    conversation=str,
    new=bool,
    messages=many(MessageRow),
    refused=maybe(Refusal),
    left_out=many(str),
)

Hit = record("Hit", "An item that answers, how well, and why.", item=Item, score=float, why=Why)
MessageHit = record("MessageHit", "A message that answers.", message=MessageRow, excerpt=str, score=float, why=Why)
NoteHit = record("NoteHit", "A note that answers.", note=NoteRow, score=float, why=Why)
Hits = record("Hits", "What answers best, the best first.", hits=many(Hit))
Known = create_model(
    "Known",
    __base__=page("_Known", "", Item),
    __doc__="A page of what is known, newest first; with `q` the best answers, and why each is one under `hits`.",
    hits=(many(Hit), []),
)
Recalled = record(
    "Recalled",
    "What answers a question, weak matches too.",
    query=str,
    inquiry=Inquiry,
    items=many(Hit),
    notes=many(NoteHit),
    messages=many(MessageHit),
    conversations=list[str],
)
Question = record(
    "Question", "One gentle question for the person, where two things known disagree.", case=str, text=str
)
Context = record(
    "Context",
    "The block to put before an assistant, and what it was made of.",
    text=str,
    tokens=int,
    budget=int,
    language=str,
    format=str,
    cut=int,
    shares=dict[str, Share],
    hits=many(Hit),
    notes=many(NoteHit),
    earlier=many(MessageHit),
    recent=many(MessageRow),
    profiles=list[str],
    summary=str | None,
    question=maybe(Question),
)
Missed = create_model(
    "Missed",
    __doc__="A row that matched and was left out, under its kind, and why.",
    kind=(Kind, ...),
    item=(maybe(Item), None),
    note=(maybe(NoteRow), None),
    message=(maybe(MessageRow), None),
    miss=(Miss, ...),
    score=(float, ...),
    why=(Why, ...),
)
Trace = record("Trace", "How a recall came about.", inquiry=Inquiry, context=Context, missed=many(Missed))

History = record(
    "History",
    "An item's line through time.",
    item=Item,
    predecessors=many(Item),
    successor=maybe(Item),
    trail=many(Entry),
)
Undone = record("Undone", "The changes that were reversed.", undone=many(Entry))
Gone = record(
    "Gone",
    "The receipt of forgetting.",
    forgotten=dict[str, int],
    total=int,
    erased=bool,
    notes=list[str],
    dry_run=bool,
)

CaseRow = row("Case", Case)
Conflict = row("Conflict", Case, doc="A case with both its sides as they are now.", old=Item, new=Item)
Conflicts = page("Conflicts", "A page of cases, newest first.", Conflict)
Learnt = record(
    "Learnt",
    "What was learnt just now.",
    added=many(Item),
    repeated=many(Item),
    replaced=many(Item),
    opened=many(CaseRow),
    settled=many(Conflict),
    unread=int,
    waiting=int,
    why=str | None,
)
Foreseen = record(
    "Foreseen",
    "What would become of one thing a text says: add, repeat, replace, history or ask.",
    verdict=str,
    why=str,
    item=Item,
    against=many(Item),
)
Preview = record("Preview", "What would be learnt.", foreseen=many(Foreseen), unread=bool)
Uses = record("Uses", "What language models were asked, by day.", items=many(row("Use", Use)))

ProfileRow = row("Profile", Profile, text=str)
Traits = record("Traits", "How the person is, the strongest first.", traits=many(row("Trait", Trait)))
PersonRow = record(
    "Person",
    "Somebody in the person's life.",
    name=str,
    relation=str | None,
    closeness=str,
    birthday=maybe(Birthday),
    facts=list[str],
    items=list[str],
)
People = record("People", "The people and pets of somebody's life, the closest first.", people=many(PersonRow))
Short = record(
    "Short", "One item in short: id, type, content, weight, and since when.", i=str, t=str, c=str, w=float, d=str
)
Minified = record("Minified", "What is known in its shortest form.", items=many(Short))
Me = row("Me", UserMemory, doc="The compact memory of the person, for every prompt.", without=("tokens",), text=str)

CountsRow = row("Counts", Counts, areas=dict[str, int])
StepRow = row("Step", Step, learnt=dict[str, int])
OverTimeRow = row("OverTime", OverTime, steps=many(StepRow))
MomentRow = row("Moment", Moment, note=maybe(NoteRow), item=maybe(Item))
Timeline = page("Timeline", "A page of what happened, newest first.", MomentRow)

Tools = record("Tools", "The tools for an assistant, as it wants them described.", tools=list[dict[str, Any]])
ToolAnswer = create_model(
    "ToolAnswer", __config__=ConfigDict(extra="allow"), __doc__="What the tool answers, for the model that called it."
)
CommandAnswer = record(
    "CommandAnswer",
    "The answer to a command in chat; `name` is null where the text is none.",
    name=str | None,
    text=str | None,
    done=bool,
    items=many(Item),
)

RunRow = create_model(
    "Run",
    __base__=row("_Run", Run, without=("scope", "raw"), tenant=str, user=str | None, seconds=float | None),
    __doc__=Run.__doc__,
    space=(str | None, None),
    raw=(str | None, None),
)
RunOrNone = record("RunOrNone", "The record of the work; null where there was nothing to do.", run=maybe(RunRow))
RunDone = record("RunDone", "The record of the work.", run=RunRow)
Runs = page("Runs", "A page of records, newest first.", RunRow)
RunDetail = create_model(
    "RunDetail", __base__=RunRow, __doc__="A record with every change it accounts for.", entries=(many(Entry), ...)
)
Left = record("Left", "A row that stays as it is, since somebody changed it meanwhile.", target=str, id=str, why=str)
RolledBack = record(
    "RolledBack", "What was taken back.", restored=list[str], left=many(Left), change=str | None, run=RunRow
)
Plan = record("Plan", "What the gardener would do now.", deeds=many(row("Deed", Deed)))
NoteOrNone = record("NoteOrNone", "The report; null where nothing happened in that time.", note=maybe(NoteRow))

JobRow = create_model(
    "Job",
    __base__=row("_Job", Job, without=("scope",), tenant=str, user=str | None),
    __doc__=Job.__doc__,
    space=(str | None, None),
)
Jobs = record("Jobs", "Work in the queue, the next due first.", items=many(JobRow))
JobDone = record(
    "JobDone", "Whether the job is done; where it is not, the job with its error.", done=bool, left=maybe(JobRow)
)
Count = record("Count", "How many.", count=int)

TakenIn = row("TakenIn", Imported, total=int)
FactsTakenIn = row("FactsTakenIn", ImportReport, total=int)

KeyRow = row("Key", Key)
NewKeyRow = record("NewKey", "A key just made, with its secret, which is shown this once.", key=KeyRow, secret=str)
Keys = record("Keys", "Keys, newest first, without their secrets.", items=many(KeyRow))
LinkRow = row("Link", Link)
Links = record("Links", "Accounts elsewhere and whose they are.", items=many(LinkRow))
Linked = record("Linked", "Whose an account is; null: nobody's.", user=str | None)
Unlinked = record("Unlinked", "Whether the account was somebody's.", unlinked=bool)
DoorRow = row("Door", Door)
Closed = record(
    "Closed", "Everybody who is blocked, then every space that is switched off, by name.", items=many(DoorRow)
)
Refused = record("Refused", "Why nothing would be kept or recalled; null: it would.", refused=maybe(Refusal))
Unblocked = record("Unblocked", "Whether the person was blocked.", unblocked=bool)
SpaceRow = row("Space", SpaceState)
Spaces = record("Spaces", "Spaces by name, and whether anything is kept there.", items=many(SpaceRow))
Users = page("Users", "A page of people, by name.", str)

StatsRow = row("Stats", Stats)
Verified = record(
    "Verified", "What was checked and did not agree.", ok=bool, checked=dict[str, int], problems=list[str]
)
Models = record("Models", "Models other than the one in use that left vectors here.", models=list[str])
Event = row("Event", Told, doc="Something that was recorded of a person.", entry=Entry, item=maybe(Item))
