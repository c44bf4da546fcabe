"""Whose memory a door speaks of."""

from __future__ import annotations

from typing import TypedDict


class Whose(TypedDict):
    """A person and their tenant, as every verb takes them."""

    user: str
    tenant: str
