"""LangChain: a chat history and a retriever on a memory.

LangChain itself advises against its chat history interface since 1.6.4; programs that still use it may, and new ones
take `relembra.interfaces.frameworks.langgraph`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import escaped
from relembra.errors import MissingExtraError
from relembra.interfaces.frameworks.transcript import AnyMemory, Either, Entry, Transcript
from relembra.memory import Memory
from relembra.recall.ranking import Hit
from relembra.recall.rendering import told

try:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_to_dict, messages_from_dict
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field, PrivateAttr
except ImportError as exc:
    raise MissingExtraError("the LangChain module", "langchain") from exc

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun

__all__ = ["RelembraChatMessageHistory", "RelembraRetriever"]

_ROLES = {"human": "user", "ai": "assistant"}


class RelembraChatMessageHistory(BaseChatMessageHistory):
    """A conversation's messages, which the memory listens to and learns from.

    They come back to the letter, tool calls and all. What came to the conversation another way is there too. `clear`
    hides the conversation; `Memory.undo` shows it again, and what was learnt from it stays known. `local`: the model
    that reads it runs on this machine, so that it may see what is marked local-only.
    """

    def __init__(
        self, memory: AnyMemory, *, user: str, conversation: str, local: bool = False, tenant: str = DEFAULT_TENANT
    ) -> None:
        self._memory = Either(memory)
        self._said = Transcript("langchain", user=user, conversation=conversation, local=local, tenant=tenant)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # declared as an attribute "or property"
        return self._memory.wait(self._read)

    async def aget_messages(self) -> list[BaseMessage]:
        return await self._memory.run(self._read)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._memory.wait(lambda memory: self._said.add(memory, map(_entry, messages)))

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        await self._memory.run(lambda memory: self._said.add(memory, map(_entry, messages)))

    def clear(self) -> None:
        self._memory.wait(self._said.clear)

    async def aclear(self) -> None:
        await self._memory.run(self._said.clear)

    async def _read(self, memory: Memory) -> list[BaseMessage]:
        return [
            messages_from_dict([value])[0]
            if value is not None
            else (HumanMessage if kept.role == "user" else AIMessage)(kept.text)
            for kept, value in reversed(await self._said.newest(memory))
        ]


def _entry(message: BaseMessage) -> Entry:
    return Entry(_ROLES.get(message.type, "program"), str(message.text), message.type, message_to_dict(message))


class RelembraRetriever(BaseRetriever):
    """What is known that answers a question, best first, one document an item.

    The text of a document is on one line and made harmless for a prompt; `Memory.get` has the item itself under the
    `id` in its metadata. `local`: the model that reads it runs on this machine.
    """

    user: str
    limit: int = 5
    local: bool = False
    tenant: str = DEFAULT_TENANT
    wishes: dict[str, Any] = Field(default_factory=dict)  # what `Memory.search` takes besides: type, area, tags, …
    _memory: Either = PrivateAttr()

    def __init__(self, memory: AnyMemory, **parts: Any) -> None:
        super().__init__(**parts)
        self._memory = Either(memory)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002  # theirs to pass
    ) -> list[Document]:
        return self._memory.wait(lambda memory: self._found(memory, query))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002  # theirs to pass
    ) -> list[Document]:
        return await self._memory.run(lambda memory: self._found(memory, query))

    async def _found(self, memory: Memory, query: str) -> list[Document]:
        hits = await memory.search(
            query, user=self.user, limit=self.limit, outside=not self.local, tenant=self.tenant, **self.wishes
        )
        return [_document(hit) for hit in hits]


def _document(hit: Hit) -> Document:
    item = hit.item
    known = {"id": item.id, "type": item.type.value, "area": None if item.area is None else item.area.value}
    when = {"since": item.held_from.isoformat(), "confidence": item.confidence, "score": hit.score}
    return Document(id=item.id, page_content=escaped(told(item, item.language)), metadata=known | when)
