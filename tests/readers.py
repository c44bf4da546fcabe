"""A reader that understands one small notation and nothing else, so that tests say exactly what is proposed.

A message proposes what it holds in square brackets: `[residence=Recife]`, `[Clara.employment=Vale]` for somebody else,
`[fact=likes rowing]` for something without an attribute. After the value, `!` says that it changed, `~` that it was
only concluded, and `@2019-05-01` since when it holds. What stands in braces instead, `{goal=rest}`, only the one who
reads again at night understands. `(ends Vale 0.98)` says what the message does to whatever is known of Vale, and how
sure that is: ends, replaces, repeats, details or asks. `SURE`, `UNSURE` and `HARDLY` are sure enough to end something,
to put it in doubt, and for neither, whatever the policy says.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from relembra import Memory
from relembra.domain.candidate import Candidate, Comparison, Digest, Effect, NoteText, Reread, Spent, Talk, Topic
from relembra.domain.knowledge import SELF, about
from relembra.domain.message import Message, Note, Role
from relembra.domain.policy import LIFE
from relembra.minds.port import NightReader, Reader

_PROPOSED = re.compile(
    r"\[(?:(?P<subject>\w+)\.)?(?P<attribute>[a-z_]+)=(?P<value>[^\]!~@]+)(?P<changed>!)?(?P<inferred>~)?"
    r"(?:@(?P<since>[\d-]+))?\]"
)
_AT_NIGHT = re.compile(_PROPOSED.pattern.replace(r"\[", r"\{").replace(r"[^\]", r"[^}").removesuffix(r"\]") + r"\}")
_WORDED = {
    "residence": "Lives in {}", "employment": "Works at {}", "birthday": "Was born on {}", "weight": "Weighs {}",
    "likes": "Likes {}", "dislikes": "Dislikes {}", "goal": "Wants to {}", "fact": "{}",
}  # fmt: skip
_DOES = re.compile(r"\((?P<what>ends|replaces|repeats|details|asks) (?P<part>[^()]+) (?P<sure>[01]\.\d+)\)")
UNRELATED = Comparison(contradicts=0.0, same=0.0)
SURE = LIFE.learn.retire_at_least
UNSURE = round((LIFE.learn.doubt_at_least + SURE) / 2, 3)
BARELY = round(LIFE.learn.doubt_at_least + 0.01, 3)
HARDLY = round(LIFE.learn.doubt_at_least - 0.01, 3)


def candidates_in(message: Message, proposed: re.Pattern[str] = _PROPOSED) -> Iterator[Candidate]:
    """What a message proposes."""
    for found in proposed.finditer(message.text):
        name, value, since = found["attribute"], found["value"], found["since"]
        attribute = None if name == "fact" else name
        content = _WORDED.get(name, name + " {}").format(value)
        yield Candidate(
            content=content if found["subject"] is None else f"{found['subject']}: {content}", message_id=message.id,
            type=about(attribute).type, subject=found["subject"] or SELF, attribute=attribute,
            value=None if attribute is None else value, language="en", changed=found["changed"] is not None,
            inferred=found["inferred"] is not None, evidence=message.text,
            held_from=None if since is None else datetime.fromisoformat(since).replace(tzinfo=UTC),
        )  # fmt: skip


def effect_on(message: Message, known: str) -> Effect:
    """What a message does to a statement."""
    for found in _DOES.finditer(message.text):
        if found["part"] in known:
            sure = float(found["sure"])
            return replace(Effect(nothing=1 - sure), **{found["what"]: sure})
    return Effect(nothing=1.0)


class NotationReader:
    """Deterministic and at once; counts what it was asked, and does on the way what a test wants done just then."""

    def __init__(
        self,
        *,
        name: str = "offline-notation@1",
        compared: Callable[[str, str], Comparison] | None = None,
        on_digest: Callable[[Talk], Awaitable[None]] | None = None,
        on_summary: Callable[[Talk], Awaitable[None]] | None = None,
    ) -> None:
        self.name = name
        self.digested: list[Talk] = []
        self.judged: list[tuple[str, tuple[str, ...]]] = []  # a message, and what it was asked about
        self.summarised: list[tuple[Talk, str | None]] = []
        self.on_digest = on_digest
        self.on_summary = on_summary
        self.compared = compared or (lambda _old, _new: UNRELATED)

    async def digest(self, talk: Talk) -> Digest:
        self.digested.append(talk)
        if self.on_digest is not None:
            await self.on_digest(talk)
        spoken = [
            message for message in talk.messages if message.role is Role.USER and talk.speaker in (None, message.author)
        ]
        note = NoteText(title=_told(spoken)[:40] or "…", summary=_told(spoken) or "…")
        candidates = tuple(one for message in spoken for one in candidates_in(message))
        turning = tuple(message.id for message in spoken if _DOES.search(message.text))
        return Digest(note=note, candidates=candidates, reader=self.name, turning=turning)

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        self.summarised.append((talk, previous))
        if self.on_summary is not None:
            await self.on_summary(talk)
        return f"So far {len(talk.messages)} messages (mood: neutral)"

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        return [self.compared(old, new) for old, new in pairs]

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        assert message in talk.messages
        self.judged.append((message.text, tuple(known)))
        return [effect_on(message, one) for one in known]

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing to let go of."""


class QuietNight:
    """A night reader that can do nothing, for others to say what they can."""

    name = "quiet-night@1"
    rereads = True

    async def reread(self, talk: Talk) -> Reread:
        raise NotImplementedError

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        raise NotImplementedError

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        raise NotImplementedError

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing to let go of."""


class NotationNight(QuietNight):
    """Reads again what stands in braces; each reading is one call of 100 tokens, answered with 10."""

    def __init__(
        self, *, name: str = "model:night", on_reread: Callable[[Talk], Awaitable[Reread | None]] | None = None
    ) -> None:
        self.name = name
        self.read: list[Talk] = []
        self.on_reread = on_reread  # may fail, do something meanwhile, or answer in its place
        self._spent: list[Spent] = []

    async def reread(self, talk: Talk) -> Reread:
        self.read.append(talk)
        self._spent.append(Spent(task="reread", model=self.name, calls=1, input_tokens=100, output_tokens=10))
        answer = None if self.on_reread is None else await self.on_reread(talk)
        spoken = [message for message in talk.messages if message.author == talk.speaker]
        found = tuple(one for message in spoken for one in candidates_in(message, _AT_NIGHT))
        raw = f"<{' / '.join(one.content for one in found)}>"
        return answer or Reread(candidates=found, reader=self.name, raw=raw)

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        return []

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        return texts[0]

    def spent(self) -> list[Spent]:
        spent, self._spent = self._spent, []
        return spent


def _told(messages: Sequence[Message]) -> str:
    return " / ".join(f"{message.author_name}: {message.text}" for message in messages)


_: type[Reader] = NotationReader
__: type[NightReader] = NotationNight


class PaidReader(NotationReader):
    """The same as a model that counts every call: one a digest, one a comparison, also where it then fails."""

    def __init__(self, *, on_digest: Callable[[Talk], Awaitable[None]] | None = None) -> None:
        super().__init__(name="model:x", on_digest=on_digest)
        self._calls: list[str] = []

    async def digest(self, talk: Talk) -> Digest:
        self._calls.append("digest")
        return await super().digest(talk)

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        self._calls.append("compare")
        return await super().compare(pairs)

    def spent(self) -> list[Spent]:
        calls, self._calls = self._calls, []
        return [Spent(task=task, model=self.name, calls=1, input_tokens=0, output_tokens=0) for task in calls]


async def judged(memory: Memory, said: str, *, user: str = "ana") -> None:
    """Have something said and judged by the notation, in a memory that reads with another reader."""
    saved = await memory.save(user=user, said=said)
    await memory.settle(flush=True)
    talk = Talk(saved.messages)
    scope, ids = saved.messages[0].scope, [message.id for message in saved.messages]
    judge = NotationReader()
    await memory._learner.learn(scope, talk.messages, (), note_id=None, judge=judge, talk=talk, turning=ids)
