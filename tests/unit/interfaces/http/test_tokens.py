"""Tokens of an identity provider: which are believed, and what a provider that cannot be reached means."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from houses import Seconds
from loops import each
from relembra.domain.access import Right
from relembra.errors import SettingsError
from relembra.interfaces.http.callers import (
    ASK_AGAIN_SECONDS,
    FRESH_SECONDS,
    LARGEST_SET,
    STALE_SECONDS,
    Caller,
    PublishedKeys,
    TokenReader,
    keys_in,
    tokens_of,
)
from relembra.interfaces.http.problems import TooManyError, UnauthorizedError
from relembra.settings import Settings
from upstreams import ScriptedUpstream, answers, upstream

SECRET = "a secret of more than thirty-two bytes, as it has to be"
NOW = time.time()
RSA = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()
SIGNERS: dict[str, Any] = {"RS256": RSA, "ES256": EC, "EdDSA": ED}


def published(**keys: Any) -> bytes:
    """A set with the public halves of keys, by their ids."""
    known = jwt.algorithms.get_default_algorithms()
    listed = [
        known[algorithm].to_jwk(key.public_key(), as_dict=True) | {"kid": kid} for kid, (algorithm, key) in keys.items()
    ]
    return json.dumps({"keys": listed}).encode()


ALL = published(**{algorithm: (algorithm, key) for algorithm, key in SIGNERS.items()})


def a_token(signer: Any = SECRET, algorithm: str = "HS256", *, kid: str | None = None, **claims: Any) -> str:
    ordinary = {"sub": "ana", "exp": time.time() + 600}
    said = {name: value for name, value in (ordinary | claims).items() if value is not None}
    return jwt.encode(said, signer, algorithm, headers={"kid": kid} if kid else None)


def a_reader(**settings: str) -> TokenReader:
    reader = tokens_of(Settings(**settings))  # type: ignore[arg-type]
    assert reader is not None
    return reader


SHARED = a_reader(jwt_secret=SECRET)


def from_set(text: bytes = ALL, **more: Any) -> TokenReader:
    async def fetch(_: str) -> bytes:
        return text

    return TokenReader(tenant="default", published=PublishedKeys("", fetch=fetch, seconds=Seconds()), **more)


async def refused(reader: TokenReader, token: str) -> str:
    with pytest.raises(UnauthorizedError) as refusal:
        await reader.caller(token)
    return str(refusal.value)


def _coded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def test_settings_say_who_reads_tokens_and_a_secret_is_long_and_not_shown() -> None:
    assert tokens_of(Settings()) is None
    with pytest.raises(SettingsError, match="32"):
        tokens_of(Settings(jwt_secret="short"))
    assert SECRET not in repr(SHARED)


async def test_the_subject_is_the_user_whichever_way_it_is_signed() -> None:
    assert await SHARED.caller(a_token()) == Caller("token:default:ana", "default", "ana", Right.WRITE)
    for algorithm, key in SIGNERS.items():
        assert (await from_set().caller(a_token(key, algorithm, kid=algorithm))).user == "ana"
    unnamed = a_token(RSA, "RS256")
    assert (await from_set(published(one=("RS256", RSA))).caller(unnamed)).user == "ana"
    assert "no such key" in await refused(from_set(), unnamed), "of several keys none is meant"
    slightly: list[Any] = [{"exp": time.time() - 15}, {"nbf": time.time() + 20}]
    for claims in slightly:  # clocks may go half a minute wrong
        assert (await SHARED.caller(a_token(**claims))).user == "ana"


@each([
    ({"exp": None}, "exp"), ({"exp": NOW - 31}, "expired"), ({"exp": "soon"}, "cannot be read"),
    ({"exp": True}, "expired"), ({"exp": float("nan")}, "cannot be read"), ({"exp": float("inf")}, "cannot be read"),
    ({"nbf": NOW + 900}, "not valid yet"), ({"nbf": [1]}, "cannot be read"), ({"sub": None}, "sub"),
    ({"sub": ""}, "sub"), ({"sub": 7}, ""), ({"sub": "a\nb"}, "printable"), ({"sub": "a" * 201}, "longer"),
    ({"aud": "somebody else"}, "audience"),
])  # fmt: skip
async def test_what_is_wrong_with_a_token_is_said(claims: dict[str, Any], said: str) -> None:
    assert said in await refused(SHARED, a_token(**claims))


async def test_issuer_audience_and_tenant_count_where_they_are_set() -> None:
    reader = a_reader(jwt_secret=SECRET, jwt_issuer="https://id.example", jwt_audience="memory", jwt_tenant="org")
    right: dict[str, Any] = {"iss": "https://id.example", "aud": ["memory", "mail"], "org": "acme"}
    assert (await reader.caller(a_token(**right))).tenant == "acme"
    wrong: list[dict[str, Any]] = [{"iss": "https://evil.example"}, {"iss": None}, {"aud": "mail"}, {"aud": None}]
    for claims in (*wrong, *({"org": tenant} for tenant in (None, "*", "", 7, ["acme"]))):
        await refused(reader, a_token(**right | claims))


async def test_no_signature_but_the_right_one_is_believed() -> None:
    assert "signature" in await refused(SHARED, a_token(SECRET + "!"))
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    assert "signature" in await refused(from_set(), a_token(other, "RS256", kid="RS256"))
    assert "no such key" in await refused(from_set(), a_token(EC, "ES256", kid="RS256")), "used in its own way only"
    for algorithm in ("HS384", "HS512"):
        assert "not taken" in await refused(SHARED, a_token(SECRET * 2, algorithm))
    unsigned = jwt.encode({"sub": "ana", "exp": time.time() + 60}, None, "none")  # type: ignore[arg-type]
    disguised = unsigned.replace(unsigned.partition(".")[0], _coded({"alg": "NONE", "typ": "JWT"}))
    long = "a" * 20_000 + ".b.c"
    for token in (unsigned, disguised, "a.b.c", "..", "é.é.é", long, "e30.e30.", "eyJhbGciOjF9.e30.x"):
        await refused(SHARED, token)
        await refused(from_set(), token)


async def test_a_public_key_is_never_taken_for_a_shared_secret() -> None:
    """The confusion of RFC 8725, 2.1: a token signed with the text of the public key as if it were a secret."""
    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    body = f"{_coded({'alg': 'HS256', 'kid': 'RS256'})}.{_coded({'sub': 'ana', 'exp': NOW + 60})}"
    sign = base64.urlsafe_b64encode(hmac.new(pem, body.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    for reader in (from_set(), from_set(secret=SECRET)):
        await refused(reader, f"{body}.{sign}")
    shared_key = {"kty": "oct", "kid": "s", "k": base64.urlsafe_b64encode(SECRET.encode()).decode()}
    with pytest.raises(ValueError, match="no key"):
        keys_in(json.dumps({"keys": [shared_key]}).encode())


@each([
    ({}, "write"), ({"scope": "openid profile"}, "write"), ({"scope": "openid read"}, "read"),
    ({"scope": "read admin"}, "admin"), ({"scp": ["relembra:read"]}, "read"),
    ({"scope": "read", "scp": ["write"]}, "write"), ({"scope": {"read": True}}, "write"),
    ({"scope": [7, "read"]}, "read"),
])  # fmt: skip
async def test_scopes_choose_the_right(claims: dict[str, Any], right: str) -> None:
    assert (await SHARED.caller(a_token(**claims))).right == right


async def test_keys_may_lie_in_a_file_which_is_read_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    for text in (None, b"", b"[]", b"{}", b'{"keys": 7}', b'{"keys": [7]}', b'{"keys": []}', b"[" * 100_000):
        if text is not None:
            path.write_bytes(text)
        with pytest.raises(SettingsError, match="jwt_jwks"):
            a_reader(jwt_jwks=str(path))
    path.write_bytes(ALL)
    assert (await a_reader(jwt_jwks=str(path)).caller(a_token(RSA, "RS256", kid="RS256"))).user == "ana"


def asking(provider: ScriptedUpstream) -> tuple[PublishedKeys, Seconds]:
    seconds = Seconds()
    return PublishedKeys(provider.url, seconds=seconds), seconds


async def test_keys_are_fetched_once_kept_and_asked_for_again_seldom() -> None:
    async with upstream(answers(200, ALL)) as provider:
        reader = a_reader(jwt_jwks=provider.url)
        for algorithm in [*SIGNERS] * 5:
            await reader.caller(a_token(SIGNERS[algorithm], algorithm, kid=algorithm))
        assert len(provider.asked) == 1
        keys, seconds = asking(provider)
        for number in range(100):
            assert await keys.key(f"unknown {number}") is None
        assert len(provider.asked) == 2
        provider.script(answers(200, published(new=("RS256", RSA))))
        seconds.now += ASK_AGAIN_SECONDS
        assert await keys.key("new") is not None
        assert await keys.key("RS256") is None, "a key the provider took back is no longer believed"
        assert len(provider.asked) == 3
        provider.script(answers(500, b""))
        seconds.now += FRESH_SECONDS
        assert await keys.key("new") is not None, "keys held go on working while the provider cannot be reached"
        with pytest.raises(TooManyError):
            await keys.key("unknown")
        seconds.now += STALE_SECONDS
        with pytest.raises(TooManyError):
            await keys.key("new")


async def test_a_provider_that_gives_no_keys_is_asked_again_after_a_while_only() -> None:
    long = b" " * (LARGEST_SET + 1) + ALL
    elsewhere = {"Location": "/elsewhere"}
    for status, text in ((500, ALL), (302, ALL), (404, b""), (200, b"<html>"), (200, b'{"keys": []}'), (200, long)):
        async with upstream(answers(status, text, elsewhere)) as provider:
            keys, seconds = asking(provider)
            for _ in range(3):
                with pytest.raises(TooManyError) as trouble:
                    await keys.key("RS256")
            assert (trouble.value.headers["Retry-After"], len(provider.asked)) == ("10", 1)
            provider.script(answers(200, ALL))
            seconds.now += ASK_AGAIN_SECONDS
            assert await keys.key("RS256") is not None
    with pytest.raises(TooManyError):
        await a_reader(jwt_jwks="http://127.0.0.1:9/keys").caller(a_token(RSA, "RS256", kid="RS256"))
