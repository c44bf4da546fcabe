"""Tokens of an identity provider: which are believed, and what a provider that cannot be reached means."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from builders import NOW
from houses import Seconds
from loops import each
from memories import Clock
from relembra.domain.access import Right
from relembra.errors import SettingsError
from relembra.interfaces.http.callers import Caller, Tokens
from relembra.interfaces.http.problems import UnauthorizedError, UnreachableError
from relembra.interfaces.http.tokens import (
    ASK_AGAIN_SECONDS,
    FRESH_SECONDS,
    LARGEST_SET,
    STALE_SECONDS,
    TRY_AGAIN_SECONDS,
    PublishedKeys,
    TokenReader,
    fetched,
    keys_in,
    tokens_of,
)
from relembra.settings import Settings

SECRET = "a secret of more than thirty-two bytes, as it has to be"
RSA = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()
SIGNERS: dict[str, Any] = {"RS256": RSA, "ES256": EC, "EdDSA": ED}


def published(**keys: Any) -> bytes:
    """A set with the public halves of keys, by their ids."""
    listed = []
    for kid, (algorithm, key) in keys.items():
        listed.append(
            jwt.algorithms.get_default_algorithms()[algorithm].to_jwk(key.public_key(), as_dict=True) | {"kid": kid}
        )
    return json.dumps({"keys": listed}).encode()


ALL = published(**{algorithm: (algorithm, key) for algorithm, key in SIGNERS.items()})


def a_token(signer: Any = SECRET, algorithm: str = "HS256", *, kid: str | None = None, **claims: Any) -> str:
    ordinary = {"sub": "ana", "exp": NOW.timestamp() + 60}
    said = {name: value for name, value in (ordinary | claims).items() if value is not None}
    return jwt.encode(said, signer, algorithm, headers={"kid": kid} if kid else None)


def a_reader(**settings: str) -> Tokens:
    reader = tokens_of(Settings(**settings), clock=Clock())  # type: ignore[arg-type]
    assert reader is not None
    return reader


@pytest.fixture
def shared() -> Tokens:
    return a_reader(jwt_secret=SECRET)


def from_set(text: bytes = ALL) -> TokenReader:
    async def fetch() -> bytes:
        return text

    return TokenReader(tenant="default", published=PublishedKeys(fetch, seconds=Seconds()), clock=Clock())


async def refused(reader: Tokens, token: str) -> str:
    with pytest.raises(UnauthorizedError) as refusal:
        await reader.caller(token)
    return str(refusal.value)


def test_without_a_secret_or_keys_nobody_reads_tokens() -> None:
    assert tokens_of(Settings()) is None


def test_a_secret_that_can_be_guessed_is_refused_at_the_start() -> None:
    with pytest.raises(SettingsError, match="32"):
        tokens_of(Settings(jwt_secret="short"))


async def test_the_subject_is_the_user(shared: Tokens) -> None:
    assert await shared.caller(a_token()) == Caller("token:default:ana", "default", "ana", Right.WRITE)


@each(SIGNERS)
async def test_each_kind_of_published_key_is_believed(algorithm: str) -> None:
    token = a_token(SIGNERS[algorithm], algorithm, kid=algorithm)
    assert (await from_set().caller(token)).user == "ana"


async def test_without_an_id_the_only_key_is_meant_and_of_several_none() -> None:
    token = a_token(RSA, "RS256")
    assert (await from_set(published(one=("RS256", RSA))).caller(token)).user == "ana"
    assert "no such key" in await refused(from_set(), token)


@each(
    [
        ({"exp": None}, "exp"),
        ({"exp": NOW.timestamp() - 31}, "expired"),
        ({"exp": "soon"}, "number"),
        ({"exp": True}, "number"),
        ({"exp": float("nan")}, "expired"),
        ({"nbf": NOW.timestamp() + 31}, "not valid yet"),
        ({"nbf": float("nan")}, "not valid yet"),
        ({"nbf": [1]}, "number"),
        ({"sub": None}, "sub"),
        ({"sub": ""}, "sub"),
        ({"sub": 7}, ""),
        ({"sub": "a\nb"}, "printable"),
        ({"sub": "a" * 201}, "longer"),
        ({"aud": "somebody else"}, "audience"),
    ]
)
async def test_what_is_wrong_with_a_token_is_said(claims: dict[str, Any], said: str, shared: Tokens) -> None:
    assert said in await refused(shared, a_token(**claims))


@each([{"exp": NOW.timestamp() - 29}, {"nbf": NOW.timestamp() + 29}])
async def test_clocks_may_go_half_a_minute_wrong(claims: dict[str, Any], shared: Tokens) -> None:
    assert (await shared.caller(a_token(**claims))).user == "ana"


async def test_a_token_for_another_issuer_or_audience_is_refused_where_they_are_set() -> None:
    reader = a_reader(jwt_secret=SECRET, jwt_issuer="https://id.example", jwt_audience="memory")
    right: dict[str, Any] = {"iss": "https://id.example", "aud": ["memory", "mail"]}
    assert (await reader.caller(a_token(**right))).user == "ana"
    for claims in (
        {**right, "iss": "https://evil.example"},
        {**right, "aud": "mail"},
        {"aud": "memory"},
        right | {"aud": None},
    ):
        await refused(reader, a_token(**claims))


async def test_a_signature_of_another_key_is_refused(shared: Tokens) -> None:
    assert "signature" in await refused(shared, a_token(SECRET + "!"))
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    assert "signature" in await refused(from_set(), a_token(other, "RS256", kid="RS256"))


async def test_an_unsigned_token_is_never_believed(shared: Tokens) -> None:
    unsigned = jwt.encode({"sub": "ana", "exp": NOW.timestamp() + 60}, None, "none")  # type: ignore[arg-type]
    for reader in (shared, from_set()):
        await refused(reader, unsigned)
        await refused(reader, unsigned.replace(unsigned.partition(".")[0], _coded({"alg": "NONE", "typ": "JWT"})))


async def test_a_public_key_is_never_taken_for_a_shared_secret() -> None:
    """The confusion of RFC 8725, 2.1: a token signed with the text of the public key as if it were a secret."""
    import hashlib
    import hmac

    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    body = f"{_coded({'alg': 'HS256', 'kid': 'RS256'})}.{_coded({'sub': 'ana', 'exp': NOW.timestamp() + 60})}"
    sign = base64.urlsafe_b64encode(hmac.new(pem, body.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    await refused(from_set(), f"{body}.{sign}")
    both = TokenReader(tenant="default", secret=SECRET, published=from_set().published, clock=Clock())
    await refused(both, f"{body}.{sign}")


def test_a_published_secret_is_no_key() -> None:
    shared_key = {"kty": "oct", "kid": "s", "k": base64.urlsafe_b64encode(SECRET.encode()).decode()}
    with pytest.raises(ValueError, match="no key"):
        keys_in(json.dumps({"keys": [shared_key]}).encode())


async def test_a_key_is_used_in_its_own_way_only() -> None:
    token = a_token(EC, "ES256", kid="RS256")
    assert "no such key" in await refused(from_set(), token)


@each(["HS384", "HS512"])
async def test_other_ways_to_sign_are_not_taken(algorithm: str, shared: Tokens) -> None:
    assert "not taken" in await refused(shared, a_token(SECRET * 2, algorithm))


@each(["a.b.c", "..", "é.é.é", "a" * 20_000 + ".b.c", f"{'e30'}.e30.", "eyJhbGciOjF9.e30.x"])
async def test_what_is_no_token_is_refused(token: str, shared: Tokens) -> None:
    await refused(shared, token)
    await refused(from_set(), token)


@each(
    [
        ({}, "write"),
        ({"scope": "openid profile"}, "write"),
        ({"scope": "openid read"}, "read"),
        ({"scope": "read admin"}, "admin"),
        ({"scp": ["relembra:read"]}, "read"),
        ({"scope": "read", "scp": ["write"]}, "write"),
        ({"scope": {"read": True}}, "write"),
        ({"scope": [7, "read"]}, "read"),
    ]
)
async def test_scopes_choose_the_right(claims: dict[str, Any], right: str, shared: Tokens) -> None:
    assert (await shared.caller(a_token(**claims))).right == right


async def test_a_claim_names_the_tenant_and_never_all_of_them() -> None:
    reader = a_reader(jwt_secret=SECRET, jwt_tenant="org")
    assert (await reader.caller(a_token(org="acme"))).tenant == "acme"
    for wrong in (None, "*", "", 7, ["acme"]):
        await refused(reader, a_token(org=wrong))


def test_neither_secret_nor_keys_are_shown() -> None:
    reader = a_reader(jwt_secret=SECRET)
    assert SECRET not in repr(reader)


# ── where the keys are ────────────────────────────────────────────────────────────────────────────────────────────


async def test_keys_may_lie_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_bytes(ALL)
    reader = a_reader(jwt_jwks=str(path))
    assert (await reader.caller(a_token(RSA, "RS256", kid="RS256"))).user == "ana"


@each([None, b"", b"[]", b"{}", b'{"keys": 7}', b'{"keys": [7]}', b'{"keys": []}', b"[" * 100_000])
def test_a_file_without_keys_is_refused_at_the_start(text: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(SettingsError, match="jwt_jwks"):
        a_reader(jwt_jwks=str(path))


class Provider:
    """An identity provider on this machine: answers with a set, or with trouble, and counts."""

    def __init__(self) -> None:
        self.text = ALL
        self.status = 200
        self.asked = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked += 1
                self.send_response(provider.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(provider.text)))
                self.end_headers()
                self.wfile.write(provider.text)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys"


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    serving = Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    yield made
    made.server.shutdown()
    serving.join()
    made.server.server_close()


@pytest.fixture
def asking(provider: Provider) -> tuple[PublishedKeys, Seconds]:
    seconds = Seconds()
    return PublishedKeys(lambda: fetched(provider.url), seconds=seconds), seconds


async def test_keys_are_fetched_once_and_kept(provider: Provider) -> None:
    reader = a_reader(jwt_jwks=provider.url)
    for algorithm in [*SIGNERS] * 5:
        await reader.caller(a_token(SIGNERS[algorithm], algorithm, kid=algorithm))
    assert provider.asked == 1


async def test_unknown_ids_ask_again_seldom(provider: Provider, asking: tuple[PublishedKeys, Seconds]) -> None:
    keys, seconds = asking
    for number in range(100):
        assert await keys.key(f"unknown {number}") is None
    assert provider.asked == 1
    provider.text = published(new=("RS256", RSA))
    seconds.now += ASK_AGAIN_SECONDS
    assert await keys.key("new") is not None
    assert await keys.key("RS256") is None, "a key the provider took back is no longer believed"
    assert provider.asked == 2


async def test_keys_held_go_on_working_while_the_provider_cannot_be_reached(
    provider: Provider, asking: tuple[PublishedKeys, Seconds]
) -> None:
    keys, seconds = asking
    assert await keys.key("RS256") is not None
    provider.status = 500
    seconds.now += FRESH_SECONDS
    assert await keys.key("RS256") is not None
    with pytest.raises(UnreachableError):
        await keys.key("unknown")
    seconds.now += STALE_SECONDS
    with pytest.raises(UnreachableError):
        await keys.key("RS256")
    provider.status = 200
    seconds.now += TRY_AGAIN_SECONDS
    assert await keys.key("RS256") is not None


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (500, ALL),
        (302, ALL),
        (404, b""),
        (200, b"<html>"),
        (200, b'{"keys": []}'),
        (200, b" " * (LARGEST_SET + 1) + ALL),
    ],
)
async def test_a_provider_that_gives_no_keys_is_asked_again_after_a_while_only(
    provider: Provider, asking: tuple[PublishedKeys, Seconds], status: int, text: bytes
) -> None:
    keys, seconds = asking
    provider.status, provider.text = status, text
    for _ in range(3):
        with pytest.raises(UnreachableError) as trouble:
            await keys.key("RS256")
    assert trouble.value.headers["Retry-After"] == "5"
    assert provider.asked == 1
    provider.status, provider.text = 200, ALL
    seconds.now += TRY_AGAIN_SECONDS
    assert await keys.key("RS256") is not None


async def test_a_provider_that_is_not_there_is_trouble_of_its_own() -> None:
    reader = a_reader(jwt_jwks="http://127.0.0.1:9/keys")
    with pytest.raises(UnreachableError):
        await reader.caller(a_token(RSA, "RS256", kid="RS256"))


def _coded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
