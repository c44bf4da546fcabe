"""Ways people really type: chat slang, typos, dropped accents, European Portuguese."""

from __future__ import annotations

import random
import re
import unicodedata
from pathlib import Path

HERE = Path(__file__).parent / "typing"


def table(name: str) -> dict[str, tuple[str, ...]]:
    """A word and its other spellings, from `typing/<name>.txt`."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf8").splitlines()
    rows = (line.partition(" = ") for line in lines if " = " in line and not line.startswith("#"))
    return {word: tuple(part.strip() for part in others.split(", ")) for word, _, others in rows}


CHAT = {"pt": table("chat_pt"), "en": table("chat_en")}
EUROPEAN = [(word, others[0]) for word, others in table("european").items()]
GERUND = re.compile(r"\b(estou|está|estamos|estão|estava|ando|anda|ficou|fiquei) ([a-zà-ÿ]+)(a|e|i)ndo\b")
POSSESSIVE = re.compile(r"(?<!\b[oae] )(?<!\b[oa]s )(?<!\b[dn][oa] )\b(meus?|minhas?) (?!deus)")


JOINED = (
    (r"\bde (o|a)(s?) ", r"d\1\2 "),
    (r"\bem (o|a)(s?) ", r"n\1\2 "),
    (r"\ba a(s?) ", r"à\1 "),
    (r"\ba o(s?) ", r"ao\1 "),
)


def article(possessive: str) -> str:
    """o, a, os, as: what European Portuguese puts before meu, minha, meus, minhas."""
    return ("a" if possessive.startswith("minha") else "o") + ("s" if possessive.endswith("s") else "")


def plain(text: str) -> str:
    """Lower case, no accents, no final stop."""
    folded = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in folded if unicodedata.category(c) != "Mn").rstrip(".?!")


def chat(text: str, rng: random.Random, language: str, *, share: float = 0.7) -> str:
    """Chat abbreviations for a share of the words that have one."""
    known = CHAT[language]
    lowered = text.lower() if language == "pt" else text
    for phrase in sorted(known, key=len, reverse=True):
        if phrase in lowered and rng.random() < share:
            lowered = re.sub(rf"\b{re.escape(phrase)}\b", lambda _, p=phrase: rng.choice(known[p]), lowered)
    laugh = " kkk" if language == "pt" else " lol"
    ends = ("", "", "?", laugh, "??") if "?" in text else ("", "", "", laugh, "...")
    return lowered.rstrip(".?!") + rng.choice(ends)


def typo(text: str, rng: random.Random) -> str:
    """One or two letters swapped, dropped, doubled or hit beside."""
    letters = list(text)
    for _ in range(1 + (len(text) > 30 and rng.random() < 0.6)):
        spots = [i for i in range(1, len(letters) - 2) if letters[i].isalpha() and letters[i + 1].isalpha()]
        if not spots:
            break
        at = rng.choice(spots)
        kind = rng.randrange(4)
        if kind == 0:
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
        elif kind == 1:
            del letters[at]
        elif kind == 2:
            letters.insert(at, letters[at])
        else:
            letters[at] = BESIDE.get(letters[at].lower(), letters[at])
    return "".join(letters)


ROWS = ("qwertyuiop", "asdfghjklç", "zxcvbnm")
BESIDE = {row[i]: row[i + 1] for row in ROWS for i in range(len(row) - 1)}


def european(text: str) -> str:
    """Brazilian Portuguese retold as in Portugal: words, "estou a fazer", "o meu"."""
    for brazilian, other in EUROPEAN:
        text = re.sub(rf"\b{brazilian}\b", other, text)
        text = re.sub(rf"\b{brazilian.capitalize()}\b", other.capitalize(), text)
    text = GERUND.sub(lambda m: f"{m[1]} a {m[2]}{m[3]}r", text)
    text = POSSESSIVE.sub(lambda m: f"{article(m[1])} {m[1]} ", text)
    for before, after in JOINED:
        text = re.sub(before, after, text)
    text = re.sub(r"^(Meus?|Minhas?) ", lambda m: f"{article(m[1].lower()).capitalize()} {m[1].lower()} ", text)
    return re.sub(r"^Me (\w+)", lambda m: m[1].capitalize() + "-me", text)


def roughen(text: str, rng: random.Random, language: str) -> str:
    """One random way of typing the same sentence."""
    kind = rng.random()
    if language == "pt" and kind < 0.3:
        return european(text)
    if kind < 0.65:
        return chat(text, rng, language)
    if kind < 0.85:
        return typo(text, rng)
    return typo(chat(text, rng, language), rng) if kind < 0.93 else plain(text)
