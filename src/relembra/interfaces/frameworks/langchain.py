"""LangChain: a retriever on a memory."""

from __future__ import annotations

from typing import Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import escaped
from relembra.errors import MissingExtraError
from relembra.interfaces.frameworks import AnyMemory, run, wait
from relembra.memory import Memory
from relembra.recall.ranking import Hit
from relembra.recall.rendering import told

try:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field, PrivateAttr
except ImportError as exc:
    raise MissingExtraError("the LangChain module", "langchain") from exc

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
    _memory: AnyMemory = PrivateAttr()

    def __init__(self, memory: AnyMemory, **parts: Any) -> None:
        super().__init__(**parts)
        self._memory = memory

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return wait(self._memory, lambda memory: self._found(memory, query))

    async def _aget_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return await run(self._memory, lambda memory: self._found(memory, query))

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
