"""First person to third, as remembered facts are put: "moro em Natal" to "Mora em Natal", "I live" to "She lives"."""

from __future__ import annotations

import random
import re

__all__ = ["third_person"]

_PT_PAIRS = """
    moro:mora vivo:vive tô:está to:está estou:está sou:é tenho:tem mudei:mudou saí:saiu nasci:nasceu
    viajei:viajou chamo:chama fiz:fez completei:completou ganho:ganha atuo:atua deixei:deixou queria:queria
    preciso:precisa pedi:pediu divorciei:divorciou separei:separou comecei:começou terminei:terminou
    adoro:adora amo:ama gosto:gosta odeio:odeia suporto:suporta detesto:detesta sei:sabe tomo:toma bebo:bebe
    fico:fica parei:parou cortei:cortou curto:curte quero:quer pratico:pratica faço:faz treino:treina
    larguei:largou assisti:assistiu torço:torce ouço:ouve enjoei:enjoou fui:foi prefiro:prefere pintei:pintou
    voltei:voltou posso:pode sofro:sofre convivo:convive uso:usa fumo:fuma consigo:consegue fumei:fumou
    pago:paga recebo:recebe guardei:guardou estudo:estuda tranquei:trancou desisti:desistiu falo:fala
    pretendo:pretende sonho:sonha penso:pensa sigo:segue acordo:acorda levanto:levanta rendo:rende vou:vai
    dirijo:dirige tirei:tirou malho:malha cancelei:cancelou morro:morre durmo:dorme ponho:põe meço:mede
    troquei:trocou namoro:namora perdi:perdeu quitei:quitou devo:deve evito:evita fujo:foge corro:corre
    nado:nada aprendi:aprendeu conheço:conhece morei:morou continuo:continua acredito:acredita casei:casou
    brinco:brinca aposentei:aposentou plantei:plantou comprei:comprou dirijo:dirige vendi:vendeu li:leu
    tive:teve mim:ele comigo:consigo moramos:moram pretendo:pretende abri:abriu viajo:viaja
"""
_PT = dict(pair.split(":") for pair in _PT_PAIRS.split())
_PT_WORD = re.compile(r"[\wáàâãéêíóôõúç]+")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EN_STILL = _listed(
    "moved left went was turned stopped wanted interviewed separated got broke never know can can't cannot "
    "painted sold "
    "cancelled quit gave dropped started saved read watched cut bought swapped traded switched lost retired paid "
    "opened "
    "named celebrated raised never always only still had used learned visited tested only always still once"
)


def third_person(text: str, language: str, rng: random.Random, *, female: bool) -> str:
    """The statement about somebody else, with a pronoun or without one."""
    return _portuguese(text, rng, female) if language == "pt" else _english(text, rng, female)


def _portuguese(text: str, rng: random.Random, female: bool) -> str:
    owner, pronoun = ("dela", "ela") if female else ("dele", "ele")
    text = re.sub(r"\b(?:a )?minha (irmã|esposa|mãe|tia|amiga|filha|chefe|avó|prima|\w+)\b", rf"a \1 {owner}", text)
    text = re.sub(r"\b(?:o )?meu(s?) (\w+)\b", rf"o\1 \2 {owner}", text)
    text = re.sub(r"\bme\b", "se", text)
    text = re.sub(r"(?<!o )\btrabalho\b(?= (?:como|em|de|só|o dia|presencial|remoto|das|todo))", "trabalha", text)
    text = re.sub(r"\bcomo\b(?= (?!um|uma)\w)(?<!trabalha como)", "come", text) if text.startswith("como") else text
    text = _PT_WORD.sub(lambda match: _PT.get(match[0].lower(), match[0]), text)
    subject = rng.choice(["", "", f"{pronoun} "]) if not text.startswith(("a ", "o ", "ele ", "ela ")) else ""
    return _opened(subject + text)


def _english(text: str, rng: random.Random, female: bool) -> str:
    subject, owner, him = ("She", "her", "her") if female else ("He", "his", "him")
    subject = rng.choice([subject, ""])
    text = re.sub(r"\bmyself\b", f"{him}self", text)
    text = re.sub(r"\b[Mm]y\b", owner, text)
    text = re.sub(r"\bme\b", him, text)
    text = re.sub(r"\bI'm\b|\bI am\b", f"{subject} is" if subject else "Is", text)
    text = re.sub(r"\bI've\b|\bI have\b", f"{subject} has" if subject else "Has", text)
    text = re.sub(r"\bI don't\b", f"{subject} doesn't" if subject else "Doesn't", text)
    text = re.sub(r"\bI (really |never |always |only |still )?(\w+(?:'t)?)", lambda match: _verb(subject, match), text)
    text = re.sub(r"\bI\b", subject or "they", text)
    text = re.sub(r"\b(?:we're|we)\b", "they", text)
    return _opened(text.strip())


def _verb(subject: str, match: re.Match[str]) -> str:
    verb = match[2]
    if verb not in _EN_STILL and not verb.endswith("ed"):
        verb = {"do": "does", "have": "has", "go": "goes"}.get(verb, verb)
        if verb == match[2]:
            verb += "es" if verb.endswith(("sh", "ch", "s")) else "s"
    return f"{subject} {match[1] or ''}{verb}".strip()


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]
