"""LangChain: a retriever on a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import escaped
from relembra.errors import MissingExtraError
from relembra.interfaces.frameworks import AnyMemory, Bridge
from relembra.memory import Memory
from relembra.recall.ranking import Hit
from relembra.recall.rendering import told

try:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field, PrivateAttr
except ImportError as exc:
    raise MissingExtraError("the LangChain module", "langchain") from exc

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun

__all__ = ["RelembraRetriever"]


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
    _memory: Bridge = PrivateAttr()

    def __init__(self, memory: AnyMemory, **parts: Any) -> None:
        super().__init__(**parts)
        self._memory = Bridge(memory)

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
