"""Who is asking, and what they may: keys, tokens of an identity provider, or no key on this machine alone."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import jwt
from fastapi import Depends, Request
from jwt.types import Options

from relembra.domain.access import EVERY_TENANT, MARK, Key, Right, Standing, standing
from relembra.domain.scope import Whose, person
from relembra.domain.text import checked_name
from relembra.domain.time import Clock, system_clock
from relembra.errors import InvalidInputError, RelembraError, SettingsError
from relembra.interfaces.http.problems import ForbiddenError, TooManyError, UnauthorizedError
from relembra.interfaces.requests import Buckets, in_utf8
from relembra.memory import Memory
from relembra.settings import Settings

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
        is_near = is_loopback(peer) and not any(name in headers for name in FORWARDED)  # not through a proxy here
        if self.is_open and is_near:
            tenant = _tenant_of(wanted) if wanted else self.tenant
            return Caller(THIS_MACHINE, tenant, None, Right.ADMIN, everywhere=True, usual=self.user or None)
        raise UnauthorizedError(f"no key came with this request: {HOW}" if secret is None else f"unknown key: {HOW}")


def of_key(key: Key | None, wanted: str | None, *, now: datetime, tenant: str) -> Caller:
    """The caller a key lets in; an operator's key speaks for the tenant it names."""
    if key is None:
        raise UnauthorizedError(f"unknown key: {HOW}")
    if (found := standing(key, now)) is not Standing.VALID:
        what = "was revoked" if found is Standing.REVOKED else "has expired"
        raise UnauthorizedError(f"the key {key.prefix} {what}; make another: relembra keys create")
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


log = logging.getLogger(__name__)

SHARED = "HS256"
PUBLISHED = ("RS256", "ES256", "EdDSA")
KEY_TYPES = frozenset({"RSA", "EC", "OKP"})  # never "oct": a published key must not be taken for a shared secret
SHORTEST_SECRET = 32
LONGEST_TOKEN = 16_384
LEEWAY_SECONDS = 30
LARGEST_SET = 262_144
FETCH_SECONDS = 5.0
FRESH_SECONDS = 300.0
STALE_SECONDS = 86_400.0  # how long keys are believed while the provider cannot be reached
ASK_AGAIN_SECONDS = 10.0
OPTIONS: Options = {"require": ["exp", "sub"], "enforce_minimum_key_length": True, "verify_iat": False}

WRONG_TOKENS: dict[type[Exception], str] = {  # quoting nothing of the token
    jwt.ExpiredSignatureError: "it has expired; get another",
    jwt.ImmatureSignatureError: "it is not valid yet",
    jwt.InvalidSignatureError: "its signature is wrong",
    jwt.InvalidAudienceError: "it is meant for another audience",
    jwt.InvalidIssuerError: "it comes from another issuer",
    jwt.MissingRequiredClaimError: "it needs exp and sub, and what the server asks for besides",
    jwt.InvalidAlgorithmError: "it is signed in a way that is not taken here",
    jwt.InvalidKeyError: "its provider publishes no such key",
}


def is_address(place: str) -> bool:
    return place.startswith(("http://", "https://"))


async def fetched(place: str) -> bytes:
    """What is in a file or at an address, up to a length; `OSError` where it cannot be had. No redirect is followed."""
    import httpx

    if not is_address(place):
        return await asyncio.to_thread(Path(place).read_bytes)
    try:
        async with (
            httpx.AsyncClient(timeout=FETCH_SECONDS, follow_redirects=False) as client,
            asyncio.timeout(FETCH_SECONDS),
            client.stream("GET", place, headers={"Accept": "application/json"}) as answer,
        ):
            if answer.status_code != 200:
                raise OSError(f"status {answer.status_code}")
            text = bytearray()
            async for part in answer.aiter_bytes():
                text += part
                if len(text) > LARGEST_SET:
                    raise OSError("too long")
            return bytes(text)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise OSError(type(error).__name__) from error


class PublishedKeys:
    """Keys a provider publishes, by their id: read when needed and again after five minutes.

    However many unknown ids come, the provider is asked every ten seconds at most; keys held go on working for a day
    while it cannot be reached.
    """

    def __init__(
        self,
        place: str,
        *,
        fetch: Callable[[str], Awaitable[bytes]] = fetched,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._place = place
        self._fetch = fetch
        self._seconds = seconds
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._read_at = self._tried_at = float("-inf")
        self._reading = asyncio.Lock()

    async def key(self, kid: str | None) -> jwt.PyJWK | None:
        """The key of that id, or without one the only key; None: there is none. `TooManyError`: not known just now."""
        if kid not in self._keys or (self._age() >= FRESH_SECONDS and not self._reading.locked()):
            async with self._reading:
                await self._read_again(kid)
        if self._age() < STALE_SECONDS and kid in self._keys:
            return self._keys[kid]
        if self._tried_at > self._read_at:
            raise TooManyError(
                "the identity provider's keys cannot be had just now; try again",
                retry_after_seconds=ASK_AGAIN_SECONDS,
                status=503,
            )
        return None

    def _age(self) -> float:
        return self._seconds() - self._read_at

    async def _read_again(self, kid: str | None) -> None:
        is_known = kid in self._keys and self._age() < FRESH_SECONDS  # read while others waited
        if is_known or self._seconds() - self._tried_at < ASK_AGAIN_SECONDS:
            return
        self._tried_at = self._seconds()
        try:
            self._keys = keys_in(await self._fetch(self._place))
            self._read_at = self._tried_at
        except (OSError, ValueError) as error:
            log.warning("the identity provider's keys could not be had: %s", type(error).__name__)


def keys_in(text: bytes) -> dict[str | None, jwt.PyJWK]:
    """The keys of a set that tokens may be checked with, an only one under None too; `ValueError` without any."""
    try:
        listed = jwt.PyJWKSet.from_dict(json.loads(text)).keys
        keys = {
            key.key_id: key
            for key in listed
            if key.key_type in KEY_TYPES and key.public_key_use in (None, "sig") and key.algorithm_name in PUBLISHED
        }
    except (jwt.PyJWTError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no set of keys") from error
    if not keys:
        raise ValueError(f"no key for {', '.join(PUBLISHED)} in the set")
    return {**keys, None: next(iter(keys.values()))} if len(keys) == 1 else keys


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenReader:
    """Believes a token that is signed as settings say, has not expired, and is meant for us."""

    tenant: str
    tenant_claim: str = ""
    secret: str = field(default="", repr=False)
    published: PublishedKeys | None = field(default=None, repr=False)
    issuer: str | None = None
    audience: str | None = None

    async def caller(self, token: str) -> Caller:
        """The caller, bound to the user the token names."""
        try:
            claims = await self._claims(token)
        except (jwt.PyJWTError, TypeError, OverflowError) as error:  # the others: of times that are none
            why = WRONG_TOKENS.get(type(error), "it cannot be read")
            raise UnauthorizedError(f"the token is not good: {why}") from None
        try:
            user = checked_name(claims["sub"], "sub")
            tenant = checked_name(claims[self.tenant_claim], self.tenant_claim) if self.tenant_claim else self.tenant
        except KeyError as missing:
            raise UnauthorizedError(f"the token is not good: the claim {missing} is missing") from None
        except InvalidInputError as error:
            raise UnauthorizedError(f"the token is not good: {error}") from None
        if tenant == EVERY_TENANT:
            raise UnauthorizedError(f"the token is not good: no tenant is called {EVERY_TENANT}")
        return Caller(f"token:{tenant}:{user}", tenant, user, right_in(claims))

    async def _claims(self, token: str) -> dict[str, Any]:
        if len(token) > LONGEST_TOKEN:
            raise jwt.DecodeError("too long")
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        if algorithm == SHARED and self.secret:
            key: str | jwt.PyJWK = self.secret
        elif algorithm in PUBLISHED and self.published is not None:
            found = await self.published.key(header.get("kid"))
            if found is None or found.algorithm_name != algorithm:
                raise jwt.InvalidKeyError
            key = found
        else:
            raise jwt.InvalidAlgorithmError
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=self.audience,
            issuer=self.issuer,
            leeway=LEEWAY_SECONDS,
            options=OPTIONS,
        )


def right_in(claims: Mapping[str, Any]) -> Right:
    """The greatest right the token's scopes name, plainly or as `relembra:read`; writing where they name none."""
    given: list[Any] = []
    for name in ("scope", "scp"):
        value = claims.get(name, [])
        given += value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    words = {word.removeprefix("relembra:") for word in given if isinstance(word, str)}
    return next((right for right in reversed(Right) if right in words), Right.WRITE)


def tokens_of(settings: Settings) -> TokenReader | None:
    """Who reads tokens, where settings name a secret or keys to check them with."""
    secret, place = settings.jwt_secret, settings.jwt_jwks
    if not secret and not place:
        return None
    if secret and len(secret.encode()) < SHORTEST_SECRET:
        raise SettingsError(f"jwt_secret must have at least {SHORTEST_SECRET} bytes, or it can be guessed")
    if place and not is_address(place):
        try:
            keys_in(Path(place).read_bytes())
        except (OSError, ValueError) as error:
            said = f"jwt_jwks names {place}, which is no file with a set of public keys: {error}"
            raise SettingsError(said) from error
    elif place.startswith("http://") and not is_loopback(urlsplit(place).hostname):
        log.warning("jwt_jwks is fetched without encryption: others on the way could put keys of their own in it")
    return TokenReader(
        tenant=settings.tenant,
        tenant_claim=settings.jwt_tenant,
        secret=secret,
        published=PublishedKeys(place) if place else None,
        issuer=settings.jwt_issuer or None,
        audience=settings.jwt_audience or None,
    )
