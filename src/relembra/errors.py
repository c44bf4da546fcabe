"""Every error Relembra raises on purpose, in one tree.

Messages say what was asked and what to do next; data a caller may need is an attribute.
Adapters translate their drivers' errors into these once, at their edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

LONGEST_RETRY_SECONDS = 21_600.0


class RelembraError(Exception):
    """The root: catch this to catch everything raised on purpose."""


class InvalidInputError(RelembraError):
    """What was given cannot be used; nothing was changed."""

    def __init__(
        self, message: str, *, field: str | None = None, kind: str | None = None, most: int | None = None
    ) -> None:
        super().__init__(message)
        self.field = field
        self.kind = kind  # what is wrong with it, where that has a sentence of its own
        self.most = most  # of what is too long: how long it may be


class UnknownSpeakerError(InvalidInputError):
    """Several people speak in an export, and nothing tells which of them it goes to; `names`: who does.

    `me`: who it was said to be, though nobody there is called that.
    """

    def __init__(self, names: Sequence[str], me: Sequence[str] = ()) -> None:
        kind = "nobody" if me else "who"
        super().__init__(f"say which of those who speak is you, with me: {', '.join(names)}", field="me", kind=kind)
        self.names = tuple(names)
        self.me = ", ".join(me)


class NotFoundError(RelembraError):
    """Nothing of that name belongs to this person; another person's id answers the same."""

    def __init__(self, what: str, id: str) -> None:
        super().__init__(f"no {what} {id!r} here")
        self.what = what
        self.id = id


class ConflictError(RelembraError):
    """What was asked does not go with what is there; `kind`: why, where that has a sentence of its own."""

    def __init__(self, message: str, kind: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind


class StaleError(ConflictError):
    """A row changed since it was read, so the decision has to be taken again."""


class BusyError(ConflictError):
    """Another program is at the same work; trying again in a moment helps."""


class ProtectedError(ConflictError):
    """The person confirmed this, so no machine may change it; they may themselves."""


class StoreError(RelembraError):
    """The store could not do what was asked."""


class StoreUnavailableError(StoreError):
    """The store is busy or out of reach; trying again later may help."""

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class StoreFullError(StoreError):
    """No room left on the disk; nothing was changed."""


class StoreReadOnlyError(StoreError):
    """The store may only be read, by choice or because its file cannot be written; nothing was changed."""


class StoreCorruptError(StoreError):
    """The file is not a store, or is damaged; restore a backup."""


class StoreVersionError(StoreError):
    """The store was written by a newer program, or by a library too old to be safe."""


class MindError(RelembraError):
    """A model could not answer."""


class MindUnavailableError(MindError):
    """The model is out of reach for now; how long its server asks to wait counts up to six hours, and nonsense not."""

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        asked = None if retry_after_seconds is None or math.isnan(retry_after_seconds) else retry_after_seconds
        self.retry_after_seconds = None if asked is None else min(max(0.0, asked), LONGEST_RETRY_SECONDS)


class TooSlowError(MindError):
    """Reading took longer than it may, and what was read is left unread."""


class UpstreamError(RelembraError):
    """The model a chat goes on to did not answer; `status`: its own HTTP status, or 502 and 504 where it gave none."""

    def __init__(self, message: str, *, status: int = 502, retry_after: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after  # as the server said it: seconds or a date


class RefusedError(RelembraError):
    """A server did not do what was asked; its HTTP `status` says why, and 401, 403 or 429 what to do about it."""

    def __init__(self, message: str, *, status: int, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class DeliveryError(RelembraError):
    """A reply did not go out; `final`: trying again would not help."""

    def __init__(self, message: str, *, retry_after_seconds: float | None = None, final: bool = False) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.final = final


class TooLongError(RelembraError):
    """A piece of background work took longer than it may; what it had finished is kept."""


class MissingExtraError(RelembraError):
    """An optional feature needs a package that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional package: pip install 'relembra[{extra}]'")
        self.feature = feature
        self.extra = extra


class SettingsError(RelembraError):
    """A setting has a value that cannot be used."""
