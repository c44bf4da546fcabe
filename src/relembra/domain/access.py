"""Who may come in: keys, what they allow, and the accounts elsewhere that belong to a person.

A key's secret is shown once, when it is made. What is kept of it is a digest, which is enough to know it again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from relembra.domain.text import fold

EVERY_TENANT = "*"
"""The tenant of an operator's key, which opens all of them."""

MARK = "rlb"
_PREFIX_LENGTH = 8
_RANDOM_BYTES = 32
_PREFIX_LETTERS = string.ascii_lowercase + string.digits
_TELEPHONE = re.compile(r"\+?[0-9 ().\-]+")
_PASS = re.compile(rf"(?P<purpose>page|link)\.(?P<prefix>[a-z0-9]{{{_PREFIX_LENGTH}}})\.[A-Za-z0-9_-]{{43}}")
_SECRET = re.compile(rf"{MARK}_([a-z0-9]{{{_PREFIX_LENGTH}}})_[A-Za-z0-9_-]{{43}}")


class Right(StrEnum):
    """What a key allows; each allows what those before it do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def allows(self, other: Right) -> bool:
        """Whether this right allows what needs the other."""
        ranks = list(Right)
        return ranks.index(self) >= ranks.index(other)


class Standing(StrEnum):
    """Whether a key opens anything at a moment, and if not, why."""

    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What is known of a key without its secret."""

    id: str
    tenant: str  # EVERY_TENANT: an operator's
    user: str | None  # None: any person of the tenant
    name: str
    prefix: str  # the part of the secret by which people tell keys apart
    right: Right
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made, with the secret that is shown this once."""

    key: Key
    secret: str

    def __repr__(self) -> str:
        return f"NewKey(key={self.key!r}, secret='…')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """That an account of another program is this person's: whatever it says there is theirs."""

    tenant: str
    channel: str  # which program: discord, telegram, …
    id: str  # the account's id there
    user: str
    created_at: datetime


def standing(key: Key, now: datetime) -> Standing:
    """How a key stands at a moment; that it was revoked tells more than that it has expired."""
    if key.revoked_at is not None:
        return Standing.REVOKED
    if key.expires_at is not None and key.expires_at <= now:
        return Standing.EXPIRED
    return Standing.VALID


def account_id(id: str) -> str:
    """An account's id as it is compared: a telephone number by its digits, however it is written."""
    digits = re.sub(r"\D", "", id)
    return digits if _TELEPHONE.fullmatch(id) and 8 <= len(digits) <= 15 else id


def account_name(channel: str, id: str) -> str:
    """The user an account without a link is remembered as."""
    return f"{channel}:{account_id(id)}"


def new_secret() -> str:
    """A secret nobody can guess, with a prefix people may see."""
    prefix = "".join(secrets.choice(_PREFIX_LETTERS) for _ in range(_PREFIX_LENGTH))
    return f"{MARK}_{prefix}_{secrets.token_urlsafe(_RANDOM_BYTES)}"


def prefix_of(secret: str) -> str | None:
    """The prefix of what has the form of a secret; None for anything else."""
    found = _SECRET.fullmatch(secret)
    return None if found is None else found[1]


def digest_of(secret: str) -> bytes:
    """What is kept of a secret. It is random and long, so that a plain digest cannot be guessed back."""
    return hashlib.sha256(secret.encode()).digest()


class Purpose(StrEnum):
    """What a pass is for."""

    PAGE = "page"  # looking at the memory page, as long as the pass is good
    LINK = "link"  # coming in once, by a link


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is known of a pass without the pass: whose key it was given for, and until when it is good."""

    key: str  # the id
    created_at: datetime
    expires_at: datetime


def new_pass(purpose: Purpose, key: Key) -> str:
    """A pass nobody can guess, as it is carried around; what is kept of it is `digest_of` it."""
    return f"{purpose}.{key.prefix}.{secrets.token_urlsafe(_RANDOM_BYTES)}"


def read_pass(carried: str) -> tuple[Purpose, str] | None:
    """What a pass says it is for, and the prefix of its key, neither to be believed yet; None: it is none."""
    found = _PASS.fullmatch(carried)
    return None if found is None else (Purpose(found["purpose"]), found["prefix"])


def is_secret_of(secret: str, digest: bytes) -> bool:
    """Whether the digest is this secret's; it takes as long for a wrong one as for the right one."""
    return hmac.compare_digest(digest_of(secret), digest)


class BlockKind(StrEnum):
    """What is blocked."""

    PERSON = "person"  # nothing of theirs is kept or recalled
    SPACE = "space"  # nothing is kept or recalled there
    SPACES = "spaces"  # nothing is kept or recalled in any space but those switched on by name
    LISTED = "space_on"  # which no block is: such a space, switched on by name


EVERY_SPACE = "*"
"""The name of a block of all spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A person blocked, a space switched off, or all spaces that were not switched on by name (called `*`).

    Names are compared without case and accents, and shown as given.
    """

    kind: BlockKind
    name: str
    since: datetime | None  # None: only the settings name it
    by_settings: bool = False  # the settings name it, and no verb lifts it

    @property
    def key(self) -> str:
        return fold(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceState:
    """Whether anything is kept and recalled in a space."""

    name: str
    on: bool
    by_settings: bool = False  # the settings switch it off, and no verb switches it on
