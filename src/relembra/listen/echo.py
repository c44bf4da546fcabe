"""Nothing is learnt from what Relembra itself put into a prompt: its blocks are found again and left out of reading."""

from __future__ import annotations

import re

_OURS = re.compile(
    r"^\s*(?P<mark>#{1,3}\s*)?(?:(?:What is known about|Said earlier|The conversation so far|Where the talk stands|"
    r"To ask|Profile of|What happened|Memory of|O que se sabe sobre|Dito antes|A conversa até aqui|"
    r"Onde a conversa está|A perguntar|Perfil de|O que aconteceu|Memória de)\b.{0,250}|"
    r"(?(mark)(?:How .{1,250} is|Como .{1,250} é)|(?!)))$",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"^\s*(?:[-*•]\s|[\w ]{2,40}:\s).*“")
_LINE = re.compile(r"^\s*(?:[-*•]\s|[-*•]$|\[|<|#{1,3}\s|[\w &;()–-]{2,40}:\s*(?:“.*”|\d+)?\s*$)")
_DATED = re.compile(r"^\s*[-*•]\s.{0,700}[”\]]\s*(?:\[[^\]]{3,120}\])?\s*$")
_RENDERED = re.compile(r"^\s*[-*•]\s(?:.{0,80}:\s)?“.*”(?:\s\[[^\]]{3,80}\])?\.?\s*$")
_QUESTION = re.compile(
    r"(?:Antes você disse .{3,300}, agora .{3,300}\. (?:Mudou algo|Qual está certo)\?|"
    r"Before, you said .{3,300}, and now .{3,300}\. (?:Has something changed|Which one is right)\?)"
)
_TAG = re.compile(r"<(/?)(background_facts|relembra|memory|user)\b([^<>]{0,400})>", re.IGNORECASE)


def without_echo(text: str) -> str:
    """The text without blocks, lines and questions of ours that were pasted or passed along in it."""
    if not _may_echo(text):
        return text
    text = _QUESTION.sub(" ", _without_blocks(text))
    lines = text.splitlines()
    kept: list[str] = []
    inside = False
    for number, line in enumerate(lines):
        if _is_heading(line, lines[number + 1 : number + 4]):
            inside = True
            continue
        if inside and (_LINE.match(line) or _DATED.match(line)):
            continue
        if line.strip():
            inside = False
        if not _RENDERED.match(line):
            kept.append(line)
    return "\n".join(kept).strip()


def _without_blocks(text: str) -> str:
    """The text without what stands between tags of ours, in one pass; a tag that is never closed is ordinary text."""
    tags = list(_TAG.finditer(text))
    closed_at = {tag[2].lower(): tag.start() for tag in tags if tag[1]}
    kept: list[str] = []
    start = 0
    inside: re.Match[str] | None = None
    for tag in tags:
        name = tag[2].lower()
        if inside is not None:
            if tag[1] and name == inside[2].lower():
                kept.append(text[start : inside.start()])
                start, inside = tag.end(), None
        elif not tag[1] and tag.start() < closed_at.get(name, -1) and (name != "user" or "name=" in tag[3]):
            inside = tag
    return " ".join([*kept, text[start:]])


def _is_heading(line: str, below: list[str]) -> bool:
    """Whether a line opens a block of ours; one that lost its mark is told from a sentence by what stands below it."""
    found = _OURS.match(line)
    if found is None or found["mark"]:
        return found is not None
    return any(_SHOWN.match(other) for other in below)


def _may_echo(text: str) -> bool:
    """The cheap question first: most talk has none of the marks our blocks are made of."""
    return "“" in text or "\n" in text or "<" in text or "#" in text or "Antes você" in text or "Before, you" in text
