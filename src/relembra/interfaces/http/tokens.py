"""Tokens of an identity provider (JWT), signed with a secret both know or with keys it publishes; `sub` is the user."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt
from jwt.types import Options

from relembra.domain.access import EVERY_TENANT, Right
from relembra.domain.text import checked_name
from relembra.errors import InvalidInputError, SettingsError
from relembra.interfaces.http.callers import Caller, is_loopback
from relembra.interfaces.http.problems import TooManyError, UnauthorizedError
from relembra.settings import Settings

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
ASK_AGAIN_SECONDS = 30.0
TRY_AGAIN_SECONDS = 5.0
OPTIONS: Options = {"require": ["exp", "sub"], "enforce_minimum_key_length": True, "verify_iat": False}

Fetch = Callable[[], Awaitable[bytes]]


class PublishedKeys:
    """Keys a provider publishes, by their id: fetched when needed and again after five minutes.

    Fetches are bounded however many unknown ids come; keys held go on working while the provider cannot be reached.
    """

    def __init__(self, fetch: Fetch, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._seconds = seconds
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._fetched_at = self._tried_at = float("-inf")
        self._failed = False
        self._fetching = asyncio.Lock()

    async def key(self, kid: str | None) -> jwt.PyJWK | None:
        """The key of that id, or without one the only key; None: there is none. `TooManyError`: not known just now."""
        held, is_fresh = self._held(kid)
        if held is not None and (is_fresh or self._fetching.locked()):
            return held
        async with self._fetching:
            held, is_fresh = self._held(kid)
            wait = TRY_AGAIN_SECONDS if self._failed else ASK_AGAIN_SECONDS
            if not (held and is_fresh) and self._seconds() - self._tried_at >= wait:
                await self._ask()
                held, _ = self._held(kid)
        if held is None and self._failed:
            raise TooManyError(
                "the identity provider's keys cannot be had just now; try again",
                retry_after_seconds=TRY_AGAIN_SECONDS,
                status=503,
            )
        return held

    def _held(self, kid: str | None) -> tuple[jwt.PyJWK | None, bool]:
        """The key as far as it is known, and whether that is recent."""
        age = self._seconds() - self._fetched_at
        keys = self._keys if age <= STALE_SECONDS else {}
        only = next(iter(keys.values())) if kid is None and len(keys) == 1 else None
        return keys.get(kid) or only, age < FRESH_SECONDS

    async def _ask(self) -> None:
        self._tried_at = self._seconds()
        try:
            self._keys = keys_in(await self._fetch())
            self._fetched_at, self._failed = self._seconds(), False
        except (OSError, ValueError) as error:
            self._failed = True
            log.warning("the identity provider's keys could not be had: %s", type(error).__name__)


def keys_in(text: bytes) -> dict[str | None, jwt.PyJWK]:
    """The keys of a set that tokens may be checked with; `ValueError` where it is no set, or has none."""
    try:
        listed = json.loads(text)["keys"]
        published = [entry for entry in listed if entry.get("kty") in KEY_TYPES and entry.get("use", "sig") == "sig"]
        keys = [key for entry in published if (key := _key(entry)) is not None]
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no set of keys") from error
    if not keys:
        raise ValueError(f"no key for {', '.join(PUBLISHED)} in the set")
    return {key.key_id: key for key in keys}


def _key(entry: Mapping[str, Any]) -> jwt.PyJWK | None:
    try:
        key = jwt.PyJWK(dict(entry))
    except jwt.PyJWTError:
        return None
    return key if key.algorithm_name in PUBLISHED and isinstance(key.key_id, str | None) else None


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
            raise UnauthorizedError(f"the token is not good: {_said(error)}") from None
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
            return self._decoded(token, self.secret, SHARED)
        if algorithm in PUBLISHED and self.published is not None:
            key = await self.published.key(header.get("kid"))
            if key is None or key.algorithm_name != algorithm:
                raise jwt.InvalidKeyError("its provider publishes no such key")
            return self._decoded(token, key, algorithm)
        raise jwt.InvalidAlgorithmError("it is signed in a way that is not taken here")

    def _decoded(self, token: str, key: str | jwt.PyJWK, algorithm: str) -> dict[str, Any]:
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


def _said(error: Exception) -> str:
    """What was wrong, in words of the library that quote nothing of the token."""
    return {
        jwt.ExpiredSignatureError: "it has expired; get another",
        jwt.ImmatureSignatureError: "it is not valid yet",
        jwt.InvalidSignatureError: "its signature is wrong",
        jwt.InvalidAudienceError: "it is meant for another audience",
        jwt.InvalidIssuerError: "it comes from another issuer",
        jwt.MissingRequiredClaimError: "it needs exp and sub, and what the server asks for besides",
        jwt.InvalidAlgorithmError: "it is signed in a way that is not taken here",
        jwt.InvalidKeyError: "its provider publishes no such key",
    }.get(type(error), "it cannot be read")


def tokens_of(settings: Settings) -> TokenReader | None:
    """Who reads tokens, where settings name a secret or keys to check them with."""
    if not settings.jwt_secret and not settings.jwt_jwks:
        return None
    if settings.jwt_secret and len(settings.jwt_secret.encode()) < SHORTEST_SECRET:
        raise SettingsError(f"jwt_secret must have at least {SHORTEST_SECRET} bytes, or it can be guessed")
    return TokenReader(
        tenant=settings.tenant,
        tenant_claim=settings.jwt_tenant,
        secret=settings.jwt_secret,
        published=PublishedKeys(_fetcher(settings.jwt_jwks)) if settings.jwt_jwks else None,
        issuer=settings.jwt_issuer or None,
        audience=settings.jwt_audience or None,
    )


def _fetcher(place: str) -> Fetch:
    if not place.startswith(("http://", "https://")):
        path = Path(place)
        try:
            keys_in(path.read_bytes())
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"jwt_jwks names {place}, which is no file with a set of public keys: {error}"
            ) from error
        return partial(asyncio.to_thread, path.read_bytes)
    if place.startswith("http://") and not is_loopback(urlsplit(place).hostname):
        log.warning("jwt_jwks is fetched without encryption: others on the way could put keys of their own in it")
    return partial(fetched, place)


async def fetched(url: str) -> bytes:
    """What is at an address, up to a length; `OSError` where it cannot be had. Nothing is followed elsewhere."""
    import httpx

    try:
        async with (
            httpx.AsyncClient(timeout=FETCH_SECONDS, follow_redirects=False) as client,
            asyncio.timeout(FETCH_SECONDS),
            client.stream("GET", url, headers={"Accept": "application/json"}) as answer,
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
