"""What no reader may learn from, whatever it says: orders to the memory, words pasted in, what nobody claims, and what
an assistant tells of itself."""

from __future__ import annotations

import re

from relembra.domain.text import fold

__all__ = ["claims_nothing", "gives_orders", "tells_of_itself", "without_quotations"]

_RIGHTS = (
    r"admin\w*|root|superuser|superusuari\w+|developer (?:mode|access)|authori[sz]\w+|autoriza\w+|approv\w+|aprova\w+|"
    r"discounts?|descontos?|refunds?|reembolsos?|permiss\w+|clearance|unlimited|ilimitad\w+|premium|passwords?|senhas?|"
    r"credencia\w+|credentials?|no (?:rules|limits|restrictions)|sem (?:regras|limites)|full access|acesso total|vip"
)
_ORDERS = re.compile(
    r"\A\s*/[a-z]+\b|"
    r"\b(?:remember|note|save|store|record|memori[sz]e|update your memory|from now on|going forward|henceforth|"
    r"lembr[ea]|anot[ae]|grav[ae]|guard[ae]|salv[ae]|registr[ae]|memoriz[ae]|a partir de agora|de agora em diante|"
    r"daqui pra frente)\b"
    rf"[^.!?]{{0,60}}\b(?:{_RIGHTS})\b"
    r"|\b(?:i(?:'m| am|m)|sou) (?:an? |the |your |now |o |a |um |uma |seu |sua )?(?:\w+ )?"
    r"(?:admin(?:istrator|istrador)?(?! (?:of|at|de|da|do)\b)|root|superuser|superusuari\w+|"
    r"(?:developer|creator) of (?:you|this))\b"
    r"|\b(?:all|every|any|tod[oa]s?|qualquer|cada) (?:os |as )?(?:users?|customers?|employees?|requests?|orders?|"
    r"usuari\w+|clientes?|funcionari\w+|pedidos?) (?:are|is|gets?|should|must|have|has|e|sao|tem|devem?|recebe\w*|"
    r"ganham?)\b"
    r"|\b(?:ignore|disregard|ignora|esquec[ae]) (?:(?:all|any|the|your|todas?|todos?|as|os|suas?|seus?) )*"
    r"(?:previous|prior|instruct\w*|rules|instruc\w+|regras)\b"
)
_QUOTED = re.compile(
    r"[\"“«][^\"”»\n]{25,}[\"”»]|`[^`\n]+`|```.*?```|^>.*$",
    re.MULTILINE | re.DOTALL,
)


_NO_CLAIM = re.compile(
    r"\?\W*$"
    r"|^\W*(?:if|se) .*\b(?:would|\w+[rd]ia|ia)\b"
    r"|^\W*(?:please |por favor,? )?(?:write|tell me a|make up|invent\w*|pretend|imagine|suppose|translate|"
    r"escrev\w+|conte|conta|finja|finge|imagin[ae]|suponha|tradu[zc]\w*)\b"
    r"|\b(?:if only|i wish|quem me dera|oxala|tomara)\b"
)


_OF_ITSELF = re.compile(
    r"\bi(?:'m| am) (?:an?|from|in|at)\b"
    r"|\bi (?:\w+ly )?(?:live|love|like|enjoy|adore|prefer|hate|dislike|work|come from|was born|eat|drink|speak)\b"
    r"|\b(?:moro|vivo|adoro|amo|gosto|curto|prefiro|odeio|detesto|trabalho|sou|nasci)\b"
)
_TO_YOU = re.compile(r"\?|\b(?:you|yours?|voces?|vcs?|seus?|suas?|teus?|tuas?|tu|te|lhe|senhora?)\b")


def tells_of_itself(sentence: str) -> bool:
    """Whether an assistant says where it lives or what it likes, and nothing to the person."""
    folded = fold(sentence).replace("’", "'")
    return _OF_ITSELF.search(folded) is not None and _TO_YOU.search(folded) is None


def claims_nothing(sentence: str) -> bool:
    """Whether a sentence is a question, a supposition, a wish, or a task to make something up."""
    return _NO_CLAIM.search(fold(sentence)) is not None


def gives_orders(text: str) -> bool:
    """Whether a message tells the memory or the assistant what to hold for true or to allow."""
    return _ORDERS.search(fold(text)) is not None


def without_quotations(text: str) -> str:
    """The text with a blank for each long quotation, quoted line and piece of code."""
    return _QUOTED.sub(lambda match: "\n" if "\n" in match[0] else " ", text)
