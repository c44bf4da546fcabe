"""LangGraph: a long-term store on a memory.

Every value is a knowledge item, so that it is found by meaning, shown in a context, exported and forgotten with the
person it belongs to. What makes the round trip exact:

- the content is the value as JSON and nothing else; it is read back with `json.loads`. Where the text could not be kept
  as it is (a lone surrogate), the JSON is written in ASCII. What the person corrects by hand and is no JSON any more
  comes back as `{"content": …}`;
- the attribute is a digest of namespace and key, so that one look-up finds a value;
- the evidence holds namespace and key as JSON, of any length and with any character;
- the tags are the namespace's labels, which narrow a search; what they let through is compared with the evidence.

A value put again is a new item, and the one before is deleted, which `Memory.undo` takes back. Items the memory has put
away or merged meanwhile are still found here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_name
from relembra.errors import InvalidInputError, MissingExtraError
from relembra.interfaces.frameworks import AnyMemory, run, wait
from relembra.memory import Memory

try:
    from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp
    from langgraph.store.memory import InMemoryStore
except ImportError as exc:
    raise MissingExtraError("the LangGraph module", "langchain") from exc

__all__ = ["RelembraStore", "first_label"]

TAG = "langgraph"
PROGRAM = "program:langgraph"
PAGE = 1_000
MOST_HITS = 100

Namespace = tuple[str, ...]
Address = tuple[Namespace, str]


def first_label(namespace: Namespace) -> str | None:
    """The person a namespace belongs to by default: its first label."""
    return namespace[0] if namespace and namespace[0] != "*" else None


class RelembraStore(BaseStore):
    """A `BaseStore` on a memory, for `graph.compile(store=…)`.

    `user`: the one person whose memory it is, or a function that tells from a namespace whose it is (None: it does not
    tell). Nothing is looked for across people, so that a search or a list needs a prefix that tells. `local`: the model
    that reads from it runs on this machine, so that it may see what is marked local-only.

    A batch reads before it writes, and of two writes to one key the last counts. Without a query the newest come first;
    with one the best, and after what the search found the rest of the namespace without a score. All of a value is
    searched; `index` is not looked at, and there is no `ttl`.
    """

    __slots__ = ("_local", "_memory", "_tenant", "_user")

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user: str | Callable[[Namespace], str | None] = first_label,
        local: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> None:
        self._memory = memory
        self._user = user
        self._local = local
        self._tenant = tenant

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return wait(self._memory, lambda memory: self._done(memory, asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return await run(self._memory, lambda memory: self._done(memory, asked))

    async def _done(self, memory: Memory, ops: Sequence[Op]) -> list[Result]:
        results: list[Result] = []
        puts: dict[Address, PutOp] = {}
        for op in ops:
            match op:
                case GetOp():
                    held = await self._held(memory, (op.namespace, op.key), outside=not self._local)
                    results.append(Item(**_parts((op.namespace, op.key), held[0])) if held else None)
                case SearchOp():
                    results.append(await self._searched(memory, op))
                case ListNamespacesOp():
                    results.append(await self._listed(memory, op))
                case PutOp():
                    puts[op.namespace, op.key] = op
                    results.append(None)
                case _:
                    raise InvalidInputError(f"no operation of a store: {op!r}")
        contents = {address: None if op.value is None else _content(op.value) for address, op in puts.items()}
        for address, content in contents.items():
            await self._put(memory, address, content)
        return results

    async def _put(self, memory: Memory, address: Address, content: str | None) -> None:
        """The new value first and then the end of the old: whoever reads between the two gets the newest."""
        whose, before = self._whose(address[0]), await self._held(memory, address)
        if content is not None:
            await memory.add(
                content,
                title=address[1] if _is_name(address[1]) else None,
                tags=_tags(address[0]),
                attribute=_attribute(address),
                evidence=json.dumps(address),
                local_only=any(item.local_only for item in before),
                by=PROGRAM,
                **whose,
            )
        for item in before:
            await memory.delete(item.id, by=PROGRAM, **whose)

    async def _held(self, memory: Memory, address: Address, *, outside: bool = False) -> list[KnowledgeItem]:
        """The items under one key, newest first: one, or more for a moment."""
        attribute, whose = _attribute(address), self._whose(address[0])
        return await memory.list(attribute=attribute, history=True, limit=PAGE, outside=outside, **whose)

    async def _searched(self, memory: Memory, op: SearchOp) -> list[SearchItem]:
        prefix = op.namespace_prefix
        held = await self._all(memory, prefix)
        [fitting] = _beside(held).batch([op._replace(query=None, offset=0, limit=len(held))])
        addresses = {(one.namespace, one.key) for one in cast("list[SearchItem]", fitting)}
        scores: dict[Address | None, float] = {}
        if op.query:
            asked: dict[str, Any] = {"tags": _tags(prefix), "outside": not self._local, **self._whose(prefix)}
            for hit in await memory.search(op.query, history=True, limit=MOST_HITS, **asked):
                scores.setdefault(_address(hit.item), hit.score)
        ranked = sorted(
            (address for address in held if address in addresses), key=lambda address: -scores.get(address, 0)
        )
        return [
            SearchItem(**_parts(address, held[address]), score=scores.get(address))
            for address in ranked[op.offset : op.offset + op.limit]
        ]

    async def _listed(self, memory: Memory, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        start = next((tuple(one.path) for one in conditions if one.match_type == "prefix"), ())
        [namespaces] = _beside(await self._all(memory, start, exact=False)).batch([op])
        return cast("list[Namespace]", namespaces)

    async def _all(self, memory: Memory, prefix: Namespace, *, exact: bool = True) -> dict[Address, KnowledgeItem]:
        """Every value below a prefix, newest first; not `exact`: the prefix only tells whose they are."""
        found: dict[Address, KnowledgeItem] = {}
        tags = _tags(prefix if exact else ())
        after: str | None = None
        while True:
            page = await memory.list(
                tags=tags, history=True, after=after, limit=PAGE, outside=not self._local, **self._whose(prefix)
            )
            for item in page:
                address = _address(item)
                if address is not None and (not exact or address[0][: len(prefix)] == prefix):
                    found.setdefault(address, item)
            if (after := page.next) is None:
                return found

    def _whose(self, namespace: Namespace) -> dict[str, Any]:
        user = self._user if isinstance(self._user, str) else self._user(namespace)
        if user is None:
            raise InvalidInputError(f"{namespace!r} does not tell whose memory is meant; begin with the person's label")
        return {"user": user, "tenant": self._tenant}


def _attribute(address: Address) -> str:
    return f"{TAG}_{hashlib.sha256(json.dumps(address).encode()).hexdigest()[:40]}"


def _address(item: KnowledgeItem) -> Address | None:
    """Where a value belongs; None for what only bears the tag."""
    try:
        namespace, key = json.loads(item.evidence or "")
        address = tuple(namespace), key
    except (TypeError, ValueError):
        return None
    return address if _attribute(address) == item.attribute else None


def _tags(namespace: Namespace) -> tuple[str, ...]:
    """The labels that may be tags; the others do not narrow."""
    return (TAG, *(label for label in namespace if _is_name(label)))


def _is_name(label: str) -> bool:
    try:
        return bool(checked_name(label, "namespace"))
    except InvalidInputError:
        return False


def _content(value: Any) -> str:
    try:
        text = json.dumps(dict(value), ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which no store keeps as it is
        return json.dumps(dict(value))
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(f"a value must be JSON: {exc}", field="value") from exc
    return text


def _value(item: KnowledgeItem) -> dict[str, Any]:
    try:
        value = json.loads(item.content)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"content": item.content}


def _parts(address: Address, item: KnowledgeItem) -> dict[str, Any]:
    moments = {"created_at": item.created_at, "updated_at": item.created_at}
    return {"namespace": address[0], "key": address[1], "value": _value(item), **moments}


def _beside(held: dict[Address, KnowledgeItem]) -> InMemoryStore:
    """A store of LangGraph's own with these values: what a filter or a condition means is for it to say."""
    store = InMemoryStore()
    store.batch([PutOp(namespace, key, _value(item)) for (namespace, key), item in held.items()])
    return store
