"""Why a language model could not be used, in the reader's language: the commonest sentences have one here."""

from __future__ import annotations

import re

from relembra.interfaces.words import Words

_KNOWN = (
    (re.compile(r"(?P<name>[^\s:]+): needs an API key, or a base URL of a server that needs none"), "trouble.key"),
    (re.compile(r"the model '(?P<name>.*)' must be written provider:model, with one of (?P<known>.+)"), "trouble.name"),
    (re.compile(r"the model's base URL must begin with http:// or https:// and name a host"), "trouble.url"),
    (re.compile(r"a language model needs an optional package: (?P<command>.+)"), "trouble.extra"),
    (re.compile(r"the folder for prompts (?P<folder>.+) is not there"), "trouble.prompts"),
    (re.compile(r"the model (?P<name>\S+) could not be reached, or broke off"), "trouble.unreached"),
    (re.compile(r"the model (?P<name>\S+) did not answer within (?P<seconds>\S+) seconds"), "trouble.slow"),
    (re.compile(r"the model (?P<name>\S+) answered (?P<status>\d+)"), "trouble.answered"),
    (re.compile(r"timezone = '(?P<name>.*)' is not known here: .+"), "trouble.zone"),
    (re.compile(r"the (?P<n>\d+) model calls of today are used up; the rest is read tomorrow"), "trouble.used_up"),
    (re.compile(r"the model (?P<name>\S+) is busy or in trouble"), "trouble.busy"),
)


_AT_NIGHT = re.compile(
    r"(?:not all was read again: (?P<unread>.+?))?(?:^|; |$)"
    r"(?:(?P<n>\d+) messages? could not be learnt from yet(?:: (?P<why>.+))?)?"
)


def trouble(words: Words, message: str) -> str | None:
    """The library's sentence, said in the reader's language; None for one without a translation."""
    for pattern, key in _KNOWN:
        if found := pattern.fullmatch(message):
            return words(key, **found.groupdict())
    return _at_night(words, message)


def _at_night(words: Words, message: str) -> str | None:
    """What a record says was left undone, each with its reason."""
    found = _AT_NIGHT.fullmatch(message)
    if not message or found is None:
        return None
    parts = []
    if unread := found["unread"]:
        parts.append(words("run.unread", why=trouble(words, unread) or unread))
    if found["n"]:
        told = words.count("run.unlearnt", int(found["n"]))
        parts.append(f"{told}: {trouble(words, why) or why}" if (why := found["why"]) else told)
    return "; ".join(parts)


def aside(words: Words, message: str) -> str:
    """The same in brackets, after a sentence of ours; one without a translation as it is, and said to be English."""
    told = trouble(words, message)
    return words("error.detail", message=message) if told is None else f"({told})"
