"""Who is asking, and what they may: keys, tokens of an identity provider, or no key on this machine alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from relembra.domain.access import EVERY_TENANT, MARK, Key, Right, Standing, standing
from relembra.domain.scope import Whose, person
from relembra.domain.text import checked_name
from relembra.domain.time import Clock, system_clock
from relembra.errors import InvalidInputError, RelembraError
from relembra.interfaces.buckets import Buckets
from relembra.interfaces.failures import in_utf8
from relembra.interfaces.http.problems import ForbiddenError, TooManyError, UnauthorizedError
from relembra.memory import Memory

if TYPE_CHECKING:
    from relembra.interfaces.http.tokens import TokenReader

KEY_START = f"{MARK}_"
THIS_MACHINE = "this machine"  # who is let in without a key
WRONG_A_MINUTE = 60
FORWARDED = (
    "forwarded", "via", "x-forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto",
    "x-forwarded-server", "x-original-forwarded-for", "x-cluster-client-ip", "true-client-ip", "x-real-ip",
    "x-client-ip", "cf-connecting-ip",
)  # fmt: skip
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
HOW = "send a key as 'Authorization: Bearer rlb_…'; relembra keys create makes one"


@dataclass(slots=True)
class Caller:
    """A client that was let in: for which tenant, as which user if bound to one, and with which right."""

    id: str  # what is counted by: a key's id, a token's subject, or this machine
    tenant: str
    user: str | None
    right: Right
    everywhere: bool = False  # whether every tenant's, and the installation as a whole, is theirs to see
    usual: str | None = None  # the user meant where none is named
    meant: str | None = None  # whom this request turned out to be about

    def whose(self, user: str | None) -> Whose:
        """Whose memory is meant, as verbs take it; refused where the key is for another user."""
        if self.user is not None and user not in (None, self.user):
            raise ForbiddenError(f"this key is for {self.user!r} and cannot speak for another user")
        name = next((name for name in (user, self.user, self.usual) if name is not None), None)
        if name is None:
            raise InvalidInputError("say whose memory with user; this key is bound to no user", field="user")
        self.meant = person(self.tenant, name).user
        return {"user": self.meant, "tenant": self.tenant}

    def user_or_all(self, user: str | None) -> str | None:
        """The user meant, or None for all of the tenant, which only an administrator may ask for."""
        if self.user is None and user is None:
            self.must(Right.ADMIN)
            return None
        return self.whose(user)["user"]

    def enter(self, space: str | None) -> None:
        """Refuse a space to a key of one person: others talk there, and it is not known who belongs to it."""
        if self.user is not None and space is not None:
            raise ForbiddenError("this key is for one person alone; what a space said needs a key of the tenant")

    def must(self, right: Right) -> None:
        if not self.right.allows(right):
            raise ForbiddenError(f"this needs the right to {right}; this key may {self.right}")

    def must_operate(self) -> None:
        """Refuse callers that may not see the installation as a whole."""
        if not self.everywhere:
            raise ForbiddenError("this concerns every tenant; it needs a key made with --every-tenant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Lets people in. `is_open`: only this machine can reach the server, so no key is asked for."""

    memory: Memory
    is_open: bool
    tenant: str
    user: str = ""  # the user of this machine, where no key is asked for
    rate_limit: int = 0  # requests a minute; 0: any
    tokens: TokenReader | None = None
    clock: Clock = system_clock
    rates: Buckets = field(default_factory=Buckets)
    wrong: Buckets = field(default_factory=Buckets)

    async def admit(self, headers: Mapping[str, str], peer: str | None) -> Caller:
        """Who is asking; an error where they may not come in, or come too often."""
        try:
            caller = await self.known(headers, peer)
        except UnauthorizedError:
            self.guessed(peer)
            raise
        self.count(caller.id)
        return caller

    def guessed(self, peer: str | None, what: str = "keys") -> None:
        """Slow down an address that tries many wrong keys or signatures."""
        if (wait := self.wrong.take(peer or "?", WRONG_A_MINUTE)) > 0:
            raise TooManyError(f"too many wrong {what} from this address; wait", retry_after_seconds=wait) from None

    def count(self, name: str) -> None:
        """Slow down a client that asks more often than is set."""
        if self.rate_limit and (wait := self.rates.take(name, self.rate_limit)) > 0:
            raise TooManyError(
                f"more than {self.rate_limit} requests a minute; wait, or raise rate_limit", retry_after_seconds=wait
            )

    async def visitor(self, headers: Mapping[str, str], peer: str | None, carried: str | None) -> Caller:
        """Who is looking at a page: by the pass in a cookie, which opens pages alone, else as any request."""
        key = None if carried is None else await self.memory.key_of_pass(carried)
        if key is None or standing(key, self.clock()) is not Standing.VALID:
            if carried is None and secret_in(headers) is None:
                return await self.known(headers, peer)  # nothing was guessed: they have not signed in yet
            return await self.admit(headers, peer)
        caller = of_key(key, None, now=self.clock(), tenant=self.tenant)
        self.count(caller.id)
        return caller

    async def is_token(self, word: str) -> bool:
        """Whether a word is a token that lets a client in, as far as can be found out now."""
        if self.tokens is None or word.count(".") != 2:
            return False
        try:
            await self.tokens.caller(word)
        except RelembraError as error:
            return not isinstance(error, UnauthorizedError)
        return True

    async def known(self, headers: Mapping[str, str], peer: str | None) -> Caller:
        """Who is asking, without counting it: for what was let in and goes on."""
        secret = secret_in(headers)
        wanted = in_utf8(headers.get("x-relembra-tenant"))
        if secret is not None and secret.startswith(KEY_START):
            key = await self.memory.key_of(secret)
            return of_key(key, wanted, now=self.clock(), tenant=self.tenant)
        if secret is not None and self.tokens is not None and secret.count(".") == 2:
            caller = await self.tokens.caller(secret)
            _same_tenant(caller.tenant, wanted)
            return caller
        if self.is_open and is_near(headers, peer):
            tenant = _tenant_of(wanted) if wanted else self.tenant
            return Caller(THIS_MACHINE, tenant, None, Right.ADMIN, everywhere=True, usual=self.user or None)
        raise UnauthorizedError(f"no key came with this request: {HOW}" if secret is None else f"unknown key: {HOW}")


def of_key(key: Key | None, wanted: str | None, *, now: datetime, tenant: str) -> Caller:
    """The caller a key lets in; an operator's key speaks for the tenant it names."""
    if key is None:
        raise UnauthorizedError(f"unknown key: {HOW}")
    match standing(key, now):
        case Standing.REVOKED:
            raise UnauthorizedError(f"the key {key.prefix} was revoked; make another: relembra keys create")
        case Standing.EXPIRED:
            raise UnauthorizedError(f"the key {key.prefix} has expired; make another: relembra keys create")
        case Standing.VALID:
            pass
    if key.tenant == EVERY_TENANT:
        chosen = _tenant_of(wanted) if wanted else tenant
        return Caller(key.id, chosen, key.user, key.right, everywhere=key.user is None)
    _same_tenant(key.tenant, wanted)
    return Caller(key.id, key.tenant, key.user, key.right)


def _tenant_of(wanted: str) -> str:
    if wanted == EVERY_TENANT:
        raise ForbiddenError("name one tenant; a request is about one at a time")
    return checked_name(wanted, "X-Relembra-Tenant")


def _same_tenant(tenant: str, wanted: str | None) -> None:
    if wanted is not None and wanted != tenant:
        raise ForbiddenError(f"this key is for the tenant {tenant!r} and cannot speak for another")


def secret_in(headers: Mapping[str, str]) -> str | None:
    """The key or token of a request; one of ours may stand apart from what is meant for a model behind us."""
    if apart := headers.get("x-relembra-key", "").strip():
        return apart
    kind, _, word = headers.get("authorization", "").partition(" ")
    return word.strip() if kind.lower() == "bearer" and word.strip() else None


def is_near(headers: Mapping[str, str], peer: str | None) -> bool:
    """Whether a request comes from this machine itself, and not through a proxy that runs on it."""
    return is_loopback(peer) and not any(name in headers for name in FORWARDED)


def is_loopback(address: str | None) -> bool:
    """Whether an address or name is this machine's own."""
    if address is None:
        return False
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"


def language_of(accepted: str) -> str:
    """Portuguese where an Accept-Language header prefers it to English, else English."""
    wishes: dict[str, tuple[float, int]] = {}
    for place, part in enumerate(accepted.lower().split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        try:
            wishes.setdefault(name[:2], (-float(quality or 1), place))
        except ValueError:
            continue
    last = (1.0, 0)
    return "pt" if wishes.get("pt", last) < wishes.get("en", last) else "en"


async def caller_of(request: Request) -> Caller:
    """Who is asking, found out once a request."""
    known: Caller | None = getattr(request.state, "caller", None)
    if known is None:
        gate: Gate = request.app.state.gate
        known = request.state.caller = await gate.admit(
            request.headers, request.client.host if request.client else None
        )
    return known


@dataclass(frozen=True, slots=True)
class Needs:
    """A route's condition: the caller has at least this right."""

    right: Right

    async def __call__(self, request: Request) -> Caller:
        caller = await caller_of(request)
        caller.must(self.right)
        return caller


def memory_of(request: Request) -> Memory:
    memory: Memory = request.app.state.memory
    return memory


async def _memory(request: Request) -> Memory:
    """The same awaited: what is not would be run in a thread, at every request."""
    return memory_of(request)


MemoryDep = Annotated[Memory, Depends(_memory)]
Reading = Annotated[Caller, Depends(Needs(Right.READ))]
Writing = Annotated[Caller, Depends(Needs(Right.WRITE))]
Administering = Annotated[Caller, Depends(Needs(Right.ADMIN))]
