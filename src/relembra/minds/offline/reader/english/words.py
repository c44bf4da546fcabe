"""Word lists and small tools all English rules share: ties, names, and how a value is cut from what was written."""

from __future__ import annotations

from functools import cache

from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.people import AMBIGUOUS_NAMES, FIRST_NAMES, NOT_PEOPLE
from relembra.minds.offline.reader import patterns as re

__all__ = [
    "BARE_KIN",
    "KIN",
    "KIN_WORDS",
    "MANY",
    "NUMBER",
    "PETS",
    "PET_WORDS",
    "TIE",
    "V",
    "clean",
    "name_at",
    "one_tie",
    "parts",
]

_EMOJI = "[\U0001f000-\U0001faff\u2190-\u2bff\u200d\ufe0f]"
V = r"(?P<v>[^;!?()\n\"]{1,110})"
"""A value: what follows to the end of the clause; `clean` finds where it really ends."""

NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a couple of|a couple)"
)

_KIN_LIST = (
    "mother mom mum mam mama mommy mummy momma ma mom's father dad daddy papa pop sister sis brother bro daughter son"
    " kid child baby toddler newborn wife husband hubby girlfriend gf boyfriend bf fiance fiancee partner spouse"
    " grandmother grandma gran granny nan nana grandfather grandpa grandad granddad gramps granddaughter grandson"
    " grandkid grandchild grandbaby great-grandmother great-grandfather great-aunt great-uncle aunt auntie aunty uncle"
    " cousin niece nephew mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law mil fil"
    " stepmother stepmom stepmum stepfather stepdad stepson stepdaughter stepsister stepbrother stepchild half-sister"
    " half-brother godmother godfather godson goddaughter godchild friend bestie bff mate buddy pal boss manager"
    " supervisor colleague coworker co-worker workmate teammate neighbor neighbour roommate flatmate housemate roomie"
    " teacher tutor professor doctor gp dentist therapist psychiatrist counsellor counselor psychologist coach trainer"
    " physio midwife mentor mentee landlord landlady assistant accountant lawyer nanny babysitter childminder cleaner"
    " twin oldest eldest youngest firstborn ex ex-wife ex-husband ex-girlfriend ex-boyfriend"
    " ex-boss cofounder co-founder intern pastor vicar priest"
    " rabbi missus crush teenager teen lad lass abuela abuelo abuelita nonna nonno oma opa yiayia bhai didi tia tio"
    " god-daughter god-son god-mother god-father step-son step-daughter step-sister step-brother step-mother step-father"
    " lodger preschooler grandbaby kiddo girl boy guy"
)
_SPACED = (
    "old man|baby girl|baby boy|little girl|little boy|little one|little man|mother in law|father in law|sister"
    " in law|brother in law|son in law|daughter in law|business partner"
    "|climbing partner|personal trainer|team lead|line manager|ex wife|ex husband|ex girlfriend|ex boyfriend|ex boss"
    "|step mom|step mum|step dad|step son|step daughter|half sister|half brother|pen pal|study partner|running partner"
    "|significant other|better half|foster son|foster daughter|foster child|exchange student|room mate|band mate"
)
_PET_LIST = (
    "dog doggo pup puppy cat kitty kitten horse pony mare gelding parrot rabbit bunny hamster bird pet turtle tortoise"
    " fish goldfish betta snake python lizard gecko iguana ferret budgie parakeet cockatiel canary donkey goat chicken"
    " hen cow sheep pig rat mouse gerbil chinchilla hedgehog tarantula axolotl labrador lab retriever poodle beagle"
    " corgi pug shepherd husky collie greyhound whippet spaniel terrier dachshund bulldog boxer rottweiler chihuahua"
    " labradoodle cockapoo cavapoo goldendoodle doodle mutt tabby siamese ragdoll maltese pomeranian dalmatian mastiff"
    " heeler schnauzer bichon samoyed akita lurcher foal kelpie"
)
KIN_WORDS = frozenset(listed(_KIN_LIST)) - {"girl", "boy", "guy"}
PET_WORDS = frozenset(listed(_PET_LIST))
PETS = r"(?:guinea pig|" + "|".join(sorted(PET_WORDS, key=len, reverse=True)) + ")"
KIN = rf"(?:{_SPACED}|" + "|".join(sorted(KIN_WORDS, key=len, reverse=True)) + ")"
TIE = rf"(?:{KIN}|{PETS})"
MANY = (
    r"(?:parents|grandfathers|grandmothers|teenagers|teens|toddlers|kids|children|sons|daughters|boys|girls|twins"
    r"|sisters|brothers|grandparents|siblings|friends|in-laws"
    r"|grandkids|grandchildren|cousins|aunts|uncles|nephews|nieces|dogs|cats|puppies|kittens|pets|neighbours|neighbors"
    r"|colleagues|coworkers|flatmates|roommates|housemates|bosses|inlaws|folks|horses|rabbits|hamsters|parrots|chickens"
    r"|hens|birds|goats|budgies|triplets|stepkids|stepsons|stepdaughters|guinea pigs|turtles|ferrets|greyhounds|huskies"
    r"|beagles|lads|lasses|little ones|wee ones|stepchildren|grandsons|granddaughters|"
    + "|".join(
        f"{pet}s"
        for pet in sorted(PET_WORDS, key=len, reverse=True)
        if not pet.endswith(("y", "s", "sh", "x", "sheep"))
    )
    + r")"
)
BARE_KIN = (
    r"(?:(?:big|little|lil|baby|kid) (?:sis|bro|sister|brother)|pop|pops|papa|mum|mom|mam|dad|daddy|mummy|mommy|nan|nana|gran|grandma|grandpa|grandad|granddad|granny|hubby|hubs"
    r"|the wife|the husband|the missus|the hubby|the dog|the cat|the puppy|the kitten"
    r"|the boss|the lodger|the baby|the little one|the toddler|the kid|the teenager|the eldest|the youngest|the bf|the gf|(?:wife|husband|girlfriend|boyfriend|sister"
    r"|brother|son|daughter|kid|partner)(?='s\s|\s(?:is|has|had|just|got|works|lives"
    r"|was|hates|loves|died|turned|turns|wants)\b))"
)
_SINGULAR = {"children": "child", "puppies": "puppy", "huskies": "husky", "grandchildren": "grandchild"}


def one_tie(word: str) -> str:
    """One of many: "sisters" is a "sister"."""
    low = " ".join(word.lower().split())
    if low in _SINGULAR:
        return _SINGULAR[low]
    return low[:-1] if low.endswith("s") and not low.endswith(("ss", "boss")) else low


_LETTER = "a-zA-ZÀ-ÖØ-öø-ÿŠšŽžœ"
_UPPER = "A-ZÀ-ÖØ-ÞŠŽ"
_NAME = re.compile(
    rf"(?:(?:Dr|Mrs?|Ms|Prof|Miss|Rev|Reverend|Aunt|Uncle|Auntie)\.? )?"
    rf"[{_UPPER}][{_LETTER}]*(?:['’-][{_UPPER}][{_LETTER}]+)?"
    rf"(?: (?:(?:de|da|do|van|von|der|del|la|di|bin|al) ){{0,2}}[{_UPPER}][{_LETTER}]+(?:['’-][{_UPPER}"
    rf"][{_LETTER}]+)?){{0,2}}"
)
_LOWER_NAME = re.compile(r"[a-z]{2,}")
_KNOWN = (FIRST_NAMES["en"] | FIRST_NAMES["pt"]) - STOP_WORDS - AMBIGUOUS_NAMES - KIN_WORDS - PET_WORDS
_NO_NAME = frozenset(
    listed(
        "i im ive i'm i've ok okay lol omg btw tbh fyi also so but and the a an he she they it we you my our his her"
        " their this that these those is was has had who which what when where why how yes no not never just really"
        " today yesterday tomorrow tonight mr mrs ms dr am pm uk us usa nyc la nhs phd mba adhd ptsd ocd ibs hr it vp"
        " ceo cto cfo hates loves likes lives works hate love like live work got get gets and or if because please"
        " thanks hey hi hello well anyway then now still every each some any all both there here dude bro man girl"
    )
)


def name_at(raw: str, at: int, *, lower: bool = True) -> tuple[int, int] | None:
    """Where a name stands that may begin here: capitalised and no common word, or a known first name in lower case."""
    match = _NAME.match(raw, at)
    if match:
        first = flattened(match[0]).text.split()[0].rstrip(".")
        if first in ("dr", "mr", "mrs", "ms", "prof", "miss", "rev", "reverend", "aunt", "uncle", "auntie"):
            return match.span() if " " in match[0] else None
        if first in _NO_NAME or first in STOP_WORDS or first in NOT_PEOPLE - AMBIGUOUS_NAMES - {"may", "april", "june"}:
            return None
        return _shortened(raw, *match.span())
    found = _LOWER_NAME.match(raw, at) if lower else None
    if found and found[0] in _KNOWN:
        return found.span()
    return None


def _shortened(raw: str, start: int, end: int) -> tuple[int, int]:
    """Without a following word that only begins with a capital by chance ("Clara Hates")."""
    words = raw[start:end].split(" ")
    for place, word in enumerate(words[1:], 1):
        if word.lower() in _NO_NAME or word.lower() in NOT_PEOPLE:
            return start, start + len(" ".join(words[:place]))
    return start, end


_SPAN = (
    r"for (?:\d|an? |the (?:last|past|rest|time|moment)|about|over|almost|nearly|years"
    r"|ages|now|like|around|many|most|some"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|decades|months|ever|as long"
    r"|work(?:$| )|good$|sure|real|life|free|once|me$|me |us$|college|school|uni|my )"
)
_STOPS = re.compile(
    r"(?:^|[\s,])(?:but|because|cause|cuz|coz|bc|since|so|though|tho|although|while"
    r"|whereas|when|whenever|where|which|who|if"
    r"|unless|until|till|after|before|as|than|then|now|these days|nowadays|at the moment|right now|currently|lately"
    r"|recently|any ?more|any longer|btw|by the way|tbh|ngl|imo|lol|lmao|haha+|hehe"
    r"|please|pls|plz|thanks|thx|too|as well"
    r"|also|instead|actually|really|already|still|again|except|especially|particularly|mostly|mainly|even|just|only"
    r"|this (?:year|week|month|morning|summer|time)|last (?:year|week|month|night|summer|spring|fall|autumn|winter"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|today|tonight"
    r"|ever|whatever|or something|and stuff"
    r"|or so|i (?:think|guess|mean|know)|you know|if you|is|are|was|were|has|have|had|will|would|can|could|"
    rf"{_SPAN})(?=$|[\s,.'])|[\s]-+[\s]|\s?[:…]|\.\.|\.$|\.\s|,? (?:and|&) (?:i|we|he"
    rf"|she|it|they|my|our|his|her|that|then)\b"
)
_EMOJIS = re.compile(_EMOJI)
_ARTICLE = re.compile(
    r"(?:a|an|the|some|any|really|very|quite|just|pretty|kind of|kinda|all|of|to be"
    r"|like|so|such|lots of|a lot of|tons of)\s+"
)
_EMPTY = frozenset(
    listed(
        "it that this them him her you me there here one something anything everything nothing people someone anyone"
        " yours mine theirs ours hers ur these those both none who what us myself yourself stuff things thing same way lot bit all some any more"
        " most much okay ok fine good well great bad right sure a an the of to in at on for with and or not be no"
    )
)
_TAIL_WORD = re.compile(
    r"\s+(?:a|an|the|of|to|in|at|on|for|with|and|or|my|our|by|from|about|is|i|im|we"
    r"|&|not|very|really|but|so|it|that|u)$"
)


@cache
def _ending(stop: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)(?:{stop})(?=$|[\s,.'])")


def clean(value: str, *, stop: str = "", article: bool = True, most: int = 9, cut_and: bool = True) -> str:
    """A value as written up to where it ends: at a joining word, a comma, an emoji; empty when nothing is left.

    `stop`: further words that end it, as an alternation.
    """
    emoji = _EMOJIS.search(value)
    text = (value[: emoji.start()] if emoji else value).split("   ")[0]
    text = text.strip(" \t,;:.!?…\"'()[]*~-")
    flat = flattened(text).text
    if stop:
        found = _ending(stop).search(flat)
        if found:
            flat = flat[: found.start()]
    first = re.match(r"[\w'’-]+", flat)
    begin = (
        0 if article or first is None else first.end()
    )  # a first word that is kept may look like an ending ("had …")
    for pattern in (_STOPS, _AND_COMMA if cut_and else None):
        found = pattern.search(flat, begin) if pattern else None
        if found:
            flat = flat[: found.start()]
    ampersand = re.search(r"\s(?:&|n)\s(?![A-Z])", text[: len(flat)]) if cut_and else None
    if ampersand:
        flat = flat[: ampersand.start()]
    text = text[: len(flat)].rstrip(" \t,;:.!?…\"'()[]*~-")
    flat = flat[: len(text)]
    while tail := _TAIL_WORD.search(flat):
        flat = flat[: tail.start()].rstrip(" ,;:")
    text = text[: len(flat)]
    if article:
        while lead := _ARTICLE.match(flat):
            flat, text = flat[lead.end() :], text[lead.end() :]
    if not flat or flat in _EMPTY or len(flat.split()) > most or not re.search(r"[a-z0-9]", flat):
        return ""
    return text


_AND_COMMA = re.compile(r",(?!\d{3})|\s(?:and|\+)\s")
_LIST = re.compile(r"\s*(?:,\s*(?:and|or|&)?\s+|\s+(?:and|or|&|n|nor|as well as|plus)\s+|\s*[/+]\s*|,\s*)\s*")
_AGAIN = re.compile(r"(?:also|both|especially|even|mostly|either|the|a|an|all|some|any)\s+")


_CLAUSE = re.compile(
    r"\breasons?\b|^(?:budget|under|max|around)\b.*\d|^\d+ (?:quid|dollars|bucks|euros|pounds)|^(?:text|call|email|message|leave|give|keep|please|tastes?|smells?"
    r"|makes?|gives?|feels?|looks?|sounds?|keeps?)\b|\s(?:does|did|is|are|was|makes"
    r"|gives|has|keeps|said|says) "
)


_NEW_CLAUSE = re.compile(
    r",\s(?:(?:please |pls |plz |can you |could you |so |just )*(?:find|suggest|recommend|help|tell|show|give|write|make"
    r"|put|keep|skip|plan|pick|play|leave|add|draft|list|send|build|create|got|get|need|looking|what|any|how|where|is"
    r"|are|do|does|did|can|could|should|would|will|know|thoughts|ideas)\b|[a-z]+s? (?:them|it|him|us)\b|(?:[\w'-]+\s){1,4}?(?:is|are|was|were|has|have"
    r"|makes?|gives?|can|can't|cant|will|would|needs?|isn't|aren't|don't|doesn't|just|always|never|really)\b)"
)
"""A comma behind which no list goes on: a request, or a clause with its own verb."""


_PAIRS = re.compile(
    r"\b(?:black (?:and|&|n) white|salt (?:and|&) vinegar|fish (?:and|&|n) chips|mac (?:and|&|n) cheese|rock (?:and|&|n) roll|drum (?:and|&|n) bass|arts (?:and|&) crafts"
    r"|bed (?:and|&) breakfast|peanut butter (?:and|&) jelly|gin (?:and|&) tonic|country (?:and|&) western|dungeons (?:and|&) dragons|bangers (?:and|&) mash|law (?:and|&)"
    r" order|cookies (?:and|&) cream|hide (?:and|&) seek|true crime|surf (?:and|&) turf|ham (?:and|&) cheese|rice (?:and|&) beans|bread (?:and|&) butter)\b",
    re.IGNORECASE,
)


def _bound(match: re.Match[str]) -> str:
    """A pair that is one thing, kept from being split at its "and"."""
    return match[0].replace(" ", "\0")


def parts(value: str, *, stop: str = "", most: int = 6, keep: int = 6) -> list[str]:
    """The members of a list as written: "tea, black coffee and cake" gives three."""
    new = _NEW_CLAUSE.search(flattened(value).text)
    whole = clean(value[: new.start()] if new else value, stop=stop, cut_and=False, most=40)
    if not whole:
        return []
    found: list[str] = []
    for part in (one.replace("\0", " ") for one in _LIST.split(_PAIRS.sub(_bound, whole))[:keep]):
        low = flattened(part).text
        lead = _AGAIN.match(low)
        text = clean(part[lead.end() :] if lead else part, most=most)
        if not text or (found and (_CLAUSE.search(low) or low.startswith("no "))):
            break
        found.append(text)
    return found
