"""Every sentence of the pages, in both languages: one module a page, and the names all doors share."""

from __future__ import annotations

from functools import cache

from relembra.interfaces.names_words import NAMES
from relembra.interfaces.web.words import (
    add,
    item,
    memory,
    nights,
    notes,
    policy,
    profile,
    questions,
    settings,
    shell,
    talk,
    time,
    transfer,
    trying,
)
from relembra.interfaces.words import Words

PAGES = (shell, memory, item, add, questions, profile, time, notes, nights, trying, talk, settings, policy, transfer)


@cache
def words_in(language: str) -> Words:
    return Words(language, NAMES, *(page.SENTENCES for page in PAGES))
