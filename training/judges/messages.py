"""The training messages: templates expanded, joined, wrapped and roughened as people write them.

Deterministic in `seed`. Every message keeps the group of the template that decides its labels, so that a split by group
never has the same template on both sides.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from training.judges.grammar import Labels, Line, expand, read_lines, read_slots

__all__ = ["CORPUS", "Message", "build_messages", "held_out", "joined_labels", "long_memory_turns", "roughened"]

CORPUS = Path(__file__).parent / "corpus"
LONG_MEMORY_EVAL = Path("training/made/public/longmemeval/longmemeval_oracle.json.gz")
LANGUAGES = ("pt", "en")
HELD_OUT_PERCENT = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    text: str
    labels: Labels
    group: str
    language: str
    weight: float = 1.0


# Frames that make words spoken in the first person somebody else's: what they hold is not worth remembering.
FRAMES = {
    "pt": (
        ('traduza para o inglês: "{}"', "r"),
        ("traduz pro espanhol: {}", "r"),
        ('como se diz "{}" em inglês?', "q"),
        ('corrige essa frase: "{}"', "r"),
        ("corrija o português: {}", "r"),
        ('escreva um conto que comece com "{}"', "r"),
        ("escreve uma história em que a personagem diz: {}", "r"),
        ('o personagem do meu livro fala "{}"', "s"),
        ("na novela ontem a mocinha disse: {}", "s"),
        ("no jogo meu personagem diz: {}", "s"),
        ('"{}" — trecho do romance que estou lendo', "s"),
        ('tem uma música que diz "{}"', "s"),
        ('vi um post no instagram: "{}"', "s"),
        ('um cara no reddit escreveu "{}"', "s"),
        ("num comentário do youtube: {}", "s"),
        ('passe para o passado: "{}"', "r"),
        ('reescreva em tom formal: "{}"', "r"),
        ('qual o sentimento desta frase: "{}"?', "q"),
        ("vamos fazer um roleplay, você começa dizendo: {}", "r"),
        ("finge que você é uma pessoa que diz: {}", "r"),
        ('analise a frase "{}"', "r"),
        ('exemplo de frase para o meu curso: "{}"', "s"),
        ("vamos supor o seguinte: {}. o que faria?", "q"),
        ("imagina um cara que fala assim: {}", "s"),
        ('a legenda do filme dizia "{}"', "s"),
        ('o cliente fictício do exercício diz: "{}"', "s"),
        ("depoimento do site: “{}” compre já!", "s"),
        ('print(f"{}")', "s"),
        ('resuma este relato: "{}"', "r"),
        ("cena 3. MARIA (chorando): {}", "s"),
    ),
    "en": (
        ('translate to French: "{}"', "r"),
        ("translate into portuguese: {}", "r"),
        ('how do you say "{}" in German?', "q"),
        ('fix this sentence: "{}"', "r"),
        ("correct my grammar exercise: {}", "r"),
        ('write a story that begins with "{}"', "r"),
        ("write a scene where the heroine says: {}", "r"),
        ('the character in my novel says "{}"', "s"),
        ("in the show last night she went: {}", "s"),
        ("in the game my character says: {}", "s"),
        ('"{}" — line from the novel I\'m reading', "s"),
        ('there\'s a song that goes "{}"', "s"),
        ('saw a post on instagram: "{}"', "s"),
        ('some guy on reddit wrote "{}"', "s"),
        ("in a youtube comment: {}", "s"),
        ('put it in the past tense: "{}"', "r"),
        ('rewrite more formally: "{}"', "r"),
        ('what is the sentiment of this sentence: "{}"?', "q"),
        ("let's roleplay, you start by saying: {}", "r"),
        ("pretend you're someone who says: {}", "r"),
        ('analyze the sentence "{}"', "r"),
        ('example sentence for my class: "{}"', "s"),
        ("suppose the following: {}. what would you do?", "q"),
        ("imagine a guy who goes like: {}", "s"),
        ('the subtitle said "{}"', "s"),
        ('the fictional client in the exercise says: "{}"', "s"),
        ("testimonial: “{}” buy now!", "s"),
        ('print(f"{}")', "s"),
        ('summarize this account: "{}"', "r"),
        ("scene 3. MARY (crying): {}", "s"),
    ),
}
# Ways to begin that change nothing about what follows.
OPENINGS = {
    "pt": (
        "então, ", "olha, ", "ah, ", "tipo, ", "cara, ", "mano, ", "amiga, ", "bom, ", "é que ", "sabe, ", "ó, ",
        "aliás, ", "por sinal, ", "ah e ", "nossa, ", "hoje eu queria te contar: ", "só pra você saber, ", "gente, ",
        "pois é, ", "na real, ", "sinceramente, ", "te contei que ", "esqueci de falar: ", "oi! ", "oi, ", "bom dia! ",
        "eai, ", "obrigado! ", "valeu! aliás, ", "boa noite. ", "kkk ",
    ),
    "en": (
        "so, ", "well, ", "oh, ", "like, ", "dude, ", "man, ", "okay so ", "you know, ", "btw ", "by the way, ",
        "also, ", "oh and ", "wow, ", "just so you know, ", "honestly, ", "tbh ", "to be honest, ", "did I mention ",
        "I forgot to say: ", "hi! ", "hey, ", "good morning! ", "thanks! ", "thanks! by the way, ", "lol ",
        "actually, ", "fun fact: ", "good evening. ", "ugh, ",
    ),
}  # fmt: skip
CHAT = {
    "pt": (
        ("você", "vc"), ("não", "n"), ("também", "tb"), ("porque", "pq"), ("que", "q"), ("muito", "mt"), ("hoje", "hj"),
        ("estou", "to"), ("tô", "to"), ("para", "pra"), ("quando", "qnd"), ("comigo", "cmg"), ("beleza", "blz"),
        ("mas", "mais"), ("está", "ta"), ("tá", "ta"), ("agora", "agr"), ("não", "nao"), ("meu", "meu"), ("com", "c"),
    ),
    "en": (
        ("you", "u"), ("are", "r"), ("because", "cuz"), ("going to", "gonna"), ("want to", "wanna"), ("I'm", "im"),
        ("don't", "dont"), ("can't", "cant"), ("really", "rly"), ("with", "w/"), ("about", "abt"), ("my", "my"),
        ("people", "ppl"), ("tomorrow", "tmrw"), ("I've", "ive"), ("and", "n"), ("though", "tho"), ("right now", "rn"),
    ),
}  # fmt: skip


# People leave the subject out: "got fired", "alérgica a camarão".
_SUBJECT = {
    "en": re.compile(
        r"^(?:I'm|I am|im|I've been|I've|we're|I(?= (?:got|lost|passed|failed|broke|had|was|graduated)))\s+",
        re.IGNORECASE,
    ),
    "pt": re.compile(r"^(?:sou|tô|estou|to)\s+(?:uma? )?", re.IGNORECASE),
}


def held_out(group: str) -> bool:
    """Whether a template's messages are kept from training, to calibrate on."""
    return blake2b(group.encode(), digest_size=4).digest()[0] < 256 * HELD_OUT_PERCENT // 100


def build_messages(count: int, *, seed: int = 7) -> list[Message]:
    """At least `count` different messages a language, about 45 in 100 of them worth remembering."""
    return [message for language in LANGUAGES for message in _language(language, count, random.Random(seed))]


def _language(language: str, count: int, rng: random.Random) -> Iterator[Message]:
    slots = read_slots(CORPUS / f"slots.{language}.txt")
    worth = [line for path in sorted(CORPUS.glob(f"worth*.{language}.txt")) for line in read_lines(path)]
    junk = [line for path in sorted(CORPUS.glob(f"junk*.{language}.txt")) for line in read_lines(path)]
    feelings = read_lines(CORPUS / f"feelings.{language}.txt")
    worth_weights = [_weight(line) for line in worth]
    junk_weights = [_weight(line) for line in junk]
    asking = [
        line
        for line in junk
        if set(line.labels.acts) <= set("qr") and not line.raw and line.labels.valence == "neutral"
    ]
    talking = [line for line in junk if line.labels.acts == "t"]
    seen: set[str] = set()
    every_line = [*worth, *junk, *feelings]
    for turn in range(count * 4):
        if len(seen) >= count:
            break
        if turn < len(every_line):
            line, shape = every_line[turn], 0.0
        else:
            line = _drawn(((0.45, worth, worth_weights), (0.47, junk, junk_weights), (0.08, feelings, None)), rng)
            shape = 0.0 if line.labels.worth is None else rng.random()
        text, labels = expand(line, slots, rng)
        if shape > 0.60 and not line.raw:
            text, labels = _joined(text, labels, line.group, shape, (worth, asking, talking), slots, language, rng)
        if shape and labels.worth and rng.random() < 0.10:
            text = _SUBJECT[language].sub("", text, count=1)
        text = roughened(text, language, rng) if not line.raw and turn >= len(every_line) else text
        if text and text not in seen:
            seen.add(text)
            yield Message(text=text, labels=labels, group=line.group, language=language)


def _drawn(pools: Sequence[tuple[float, Sequence[Line], Sequence[float] | None]], rng: random.Random) -> Line:
    """A line of one of the pools, each with its share."""
    _, lines, weights = rng.choices(pools, [share for share, _, _ in pools])[0]
    return rng.choices(lines, weights)[0]


def _joined(
    text: str,
    labels: Labels,
    group: str,
    shape: float,
    pools: tuple[Sequence[Line], Sequence[Line], Sequence[Line]],
    slots: Mapping[str, Sequence[str]],
    language: str,
    rng: random.Random,
) -> tuple[str, Labels]:
    """The message with company: an opening, a request, small talk or another fact; or put in another's mouth."""
    worth, asking, talking = pools
    stop = rng.choice([". ", ". ", "! ", ", ", "\n", " ", "... "])
    if shape < 0.74:
        return rng.choice(OPENINGS[language]) + text, labels
    # A partner stands on the same side of the split, so that nothing held out is learnt by the way.
    same_side = [other for other in (asking if shape < 0.86 else talking) if held_out(other.group) == held_out(group)]
    if labels.worth:
        if shape > 0.95:
            frame, acts = rng.choice(FRAMES[language])
            return frame.replace("{}", text), Labels(
                worth=False, kind="none", area="none", acts=acts, valence=None, emotion=None
            )
        if shape > 0.90:
            other = rng.choice(worth)
            if held_out(other.group) == held_out(group):
                second, second_labels = expand(other, slots, rng)
                return text + stop + second, joined_labels(labels, second_labels)
        partner = rng.choice(same_side)
        joined = [text, expand(partner, slots, rng)[0]]
        if rng.random() < 0.4:
            joined.reverse()
        acts = "".join(sorted(set(labels.acts + partner.labels.acts) - {"t"}))
        return stop.join(joined), replace(labels, acts=acts, valence=None, emotion=None)
    partner = rng.choice(same_side)
    joined = [text, expand(partner, slots, rng)[0]]
    return stop.join(joined), replace(
        labels, acts="".join(sorted(set(labels.acts + partner.labels.acts))), valence=None, emotion=None
    )


def joined_labels(one: Labels, other: Labels) -> Labels:
    """Labels of two messages sent as one: worth remembering if either is, open where they differ."""
    if one.worth != other.worth and None not in (one.worth, other.worth):
        kept = one if one.worth else other
        return replace(kept, acts="".join(sorted(set(one.acts + other.acts) - {"t"})), valence=None, emotion=None)
    return Labels(
        worth=one.worth if one.worth == other.worth else None,
        kind=one.kind if one.kind == other.kind else None,
        area=one.area if one.area == other.area else None,
        acts="".join(sorted(set(one.acts + other.acts))),
        valence=one.valence if one.valence == other.valence else None,
        emotion=one.emotion if one.emotion == other.emotion else None,
    )


def _weight(line: Line) -> float:
    """Templates with more in them are drawn more often."""
    ways = 1
    for choice in re.findall(r"\[([^\[\]]*)\]", line.text):
        ways *= choice.count("|") + 1
    ways *= 12 ** len(re.findall(r"\{[a-z0-9]+\}", line.text))
    return 0.4 if line.raw else float(min(6.0, max(1.0, ways**0.25)))


def roughened(text: str, language: str, rng: random.Random) -> str:
    """As typed on a phone: no accents, no capitals, chat spellings, slips, marks and laughter."""
    if rng.random() < 0.30:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.25:
        text = text.lower()
    if rng.random() < 0.18:
        for long, short in CHAT[language]:
            if rng.random() < 0.6:
                text = re.sub(rf"\b{re.escape(long)}\b", short, text)
    if language == "pt" and rng.random() < 0.22:
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    if rng.random() < 0.12 and len(text) > 8:
        text = _slip(text, rng)
    if rng.random() < 0.03:
        text = text.upper()
    if text[-1:].isalnum():
        ending = rng.random()
        marks = [
            ".",
            ".",
            ".",
            "!",
            "...",
            " 😊",
            " kkk" if language == "pt" else " lol",
            " né" if language == "pt" else " haha",
        ]
        text += rng.choice(marks) if ending < 0.35 else ""
    elif text.endswith("?") and rng.random() < 0.2:
        text = text[:-1]
    return text


def _slip(text: str, rng: random.Random) -> str:
    """One typing slip: two letters swapped, one lost or one doubled."""
    at = rng.randrange(1, len(text) - 2)
    if not (text[at].isalpha() and text[at + 1].isalpha()):
        return text
    match rng.randrange(3):
        case 0:
            return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        case 1:
            return text[:at] + text[at + 1 :]
        case _:
            return text[:at] + text[at] * 2 + text[at + 1 :]


_FIRST_PERSON = re.compile(r"\b(i|i'm|i've|i'd|i'll|my|mine|we|our|us|we're|we've)\b", re.IGNORECASE)
_ASKED = re.compile(
    r"^(can|could|what|how|why|who|where|when|which|is|are|do|does|please|write|give|list|explain)\b", re.I
)


def long_memory_turns(path: Path = LONG_MEMORY_EVAL) -> list[Message]:
    """English requests of LongMemEval without a first person, as what is not worth keeping; no label of its is read.

    Only the half of its sessions whose id hashes even is touched: the other half stays unseen.
    """
    if not path.is_file():
        return []
    questions: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    texts: dict[str, str] = {}
    for question in questions:
        for session_id, session in zip(question["haystack_session_ids"], question["haystack_sessions"], strict=True):
            digest = blake2b(str(session_id).encode(), digest_size=4).digest()
            if digest[0] % 2 == 0:
                texts.update((turn["content"], str(session_id)) for turn in session if turn["role"] == "user")
    found = []
    for text, session_id in sorted(texts.items()):
        if 15 <= len(text) <= 600 and not _FIRST_PERSON.search(text) and _ASKED.match(text):
            acts = (
                "qr"
                if text.rstrip().endswith("?") and re.match(r"(can|could)\b", text, re.I)
                else ("q" if "?" in text else "r")
            )
            labels = Labels(worth=False, kind="none", area="none", acts=acts, valence="neutral", emotion="none")
            found.append(Message(text=text, labels=labels, group=f"longmemeval:{session_id}", language="en"))
    return found
