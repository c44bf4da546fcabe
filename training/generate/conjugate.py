"""Portuguese and English verb forms, as far as the templates need them.

Tenses: P present, T simple past, I imperfect, G gerund, PP participle. Persons: 1s, 3s, 1p, 3p.
"""

from __future__ import annotations

import re

PERSONS = ("1s", "3s", "1p", "3p")

# present ×4, past ×4, imperfect (1s = 3s), gerund, participle
PORTUGUESE_IRREGULAR: dict[str, list[str]] = {
    line.split(":")[0]: line.split(":")[1].split()
    for line in """ser:sou é somos são fui foi fomos foram era sendo sido
estar:estou está estamos estão estive esteve estivemos estiveram estava estando estado
ter:tenho tem temos têm tive teve tivemos tiveram tinha tendo tido
ir:vou vai vamos vão fui foi fomos foram ia indo ido
fazer:faço faz fazemos fazem fiz fez fizemos fizeram fazia fazendo feito
ver:vejo vê vemos veem vi viu vimos viram via vendo visto
vir:venho vem vimos vêm vim veio viemos vieram vinha vindo vindo
dar:dou dá damos dão dei deu demos deram dava dando dado
dizer:digo diz dizemos dizem disse disse dissemos disseram dizia dizendo dito
poder:posso pode podemos podem pude pôde pudemos puderam podia podendo podido
querer:quero quer queremos querem quis quis quisemos quiseram queria querendo querido
saber:sei sabe sabemos sabem soube soube soubemos souberam sabia sabendo sabido
trazer:trago traz trazemos trazem trouxe trouxe trouxemos trouxeram trazia trazendo trazido
ler:leio lê lemos leem li leu lemos leram lia lendo lido
sair:saio sai saímos saem saí saiu saímos saíram saía saindo saído
cair:caio cai caímos caem caí caiu caímos caíram caía caindo caído
rir:rio ri rimos riem ri riu rimos riram ria rindo rido
pedir:peço pede pedimos pedem pedi pediu pedimos pediram pedia pedindo pedido
medir:meço mede medimos medem medi mediu medimos mediram media medindo medido
perder:perco perde perdemos perdem perdi perdeu perdemos perderam perdia perdendo perdido
ouvir:ouço ouve ouvimos ouvem ouvi ouviu ouvimos ouviram ouvia ouvindo ouvido
abrir:abro abre abrimos abrem abri abriu abrimos abriram abria abrindo aberto
escrever:escrevo escreve escrevemos escrevem escrevi escreveu escrevemos escreveram escrevia escrevendo escrito
pôr:ponho põe pomos põem pus pôs pusemos puseram punha pondo posto
haver:hei há havemos hão houve houve houvemos houveram havia havendo havido
odiar:odeio odeia odiamos odeiam odiei odiou odiamos odiaram odiava odiando odiado
construir:construo constrói construímos constroem construí construiu construímos construíram construía construindo construído
dormir:durmo dorme dormimos dormem dormi dormiu dormimos dormiram dormia dormindo dormido
subir:subo sobe subimos sobem subi subiu subimos subiram subia subindo subido
fugir:fujo foge fugimos fogem fugi fugiu fugimos fugiram fugia fugindo fugido
valer:valho vale valemos valem vali valeu valemos valeram valia valendo valido""".splitlines()
}
# -ir verbs whose e turns to i in "I …": prefiro, sirvo, visto
E_TO_I = ("ferir", "servir", "vestir", "seguir", "sentir", "mentir", "petir", "gerir", "vertir", "spir")


def portuguese(verb: str, tense: str, person: str) -> str:
    """A Portuguese verb form; `person` is ignored for G and PP."""
    if tense == "I" and person in ("1p", "3p"):
        single = portuguese(verb, "I", "3s")
        if person == "3p":
            return single + "m"
        if single.endswith("ava"):
            return single[:-3] + "ávamos"
        return {"era": "éramos", "tinha": "tínhamos", "vinha": "vínhamos", "punha": "púnhamos"}.get(
            single, single[:-2] + "íamos"
        )
    if verb in PORTUGUESE_IRREGULAR:
        forms = PORTUGUESE_IRREGULAR[verb]
        if tense in "PT" and len(tense) == 1:
            return forms[PERSONS.index(person) + (4 if tense == "T" else 0)]
        return forms[{"I": 8, "G": 9, "PP": 10}[tense]]
    stem, ending = verb[:-2], verb[-2:]
    if tense == "G":
        return stem + {"ar": "ando", "er": "endo", "ir": "indo"}[ending]
    if tense == "PP":
        return stem + ("ado" if ending == "ar" else "ido")
    if tense == "I":
        return stem + ("ava" if ending == "ar" else "ia")
    if tense == "P":
        return present(stem, ending, person)
    first = stem
    if person == "1s" and ending == "ar":  # fiquei, cheguei, comecei
        for last, spelt in (("c", "qu"), ("g", "gu"), ("ç", "c")):
            if stem.endswith(last):
                first = stem[:-1] + spelt
                break
    return {
        "1s": first + ("ei" if ending == "ar" else "i"),
        "3s": stem + {"ar": "ou", "er": "eu", "ir": "iu"}[ending],
        "1p": stem + {"ar": "amos", "er": "emos", "ir": "imos"}[ending],
        "3p": stem + {"ar": "aram", "er": "eram", "ir": "iram"}[ending],
    }[person]


def present(stem: str, ending: str, person: str) -> str:
    if ending == "ar" and stem.endswith("e") and person != "1p":  # passeio, passeia, passeiam
        stem += "i"
    if person == "1s" and ending != "ar":
        if ending == "ir" and (stem + "ir").endswith(E_TO_I):
            at = stem.rfind("e")
            stem = stem[:at] + "i" + stem[at + 1 :]
        if stem.endswith("c"):
            stem = stem[:-1] + "ç"
        elif stem.endswith("gu"):
            stem = stem[:-1]
        elif stem.endswith("g"):
            stem = stem[:-1] + "j"
    return {
        "1s": stem + "o",
        "3s": stem + ("a" if ending == "ar" else "e"),
        "1p": stem + {"ar": "amos", "er": "emos", "ir": "imos"}[ending],
        "3p": stem + ("am" if ending == "ar" else "em"),
    }[person]


ENGLISH_PAST = dict(
    item.split(":")
    for item in [
        "buy:bought",
        "sell:sold",
        "get:got",
        "lose:lost",
        "find:found",
        "keep:kept",
        "forget:forgot",
        "lend:lent",
        "eat:ate",
        "have:had",
        "drink:drank",
        "take:took",
        "feel:felt",
        "grow:grew",
        "meet:met",
        "fight:fought",
        "go:went",
        "teach:taught",
        "speak:spoke",
        "spend:spent",
        "pay:paid",
        "wake:woke",
        "leave:left",
        "sleep:slept",
        "think:thought",
        "give:gave",
        "quit:quit",
        "do:did",
        "see:saw",
        "read:read",
        "write:wrote",
        "send:sent",
        "sing:sang",
        "win:won",
        "drive:drove",
        "ride:rode",
        "run:ran",
        "swim:swam",
        "fall:fell",
        "break:broke",
        "hurt:hurt",
        "cut:cut",
        "tell:told",
        "know:knew",
        "come:came",
        "bring:brought",
        "make:made",
        "build:built",
        "begin:began",
        "lie:lied",
        "put:put",
        "hold:held",
        "hear:heard",
        "sit:sat",
        "stand:stood",
        "understand:understood",
        "set:set",
        "let:let",
        "say:said",
        "wear:wore",
        "choose:chose",
        "throw:threw",
        "fly:flew",
        "draw:drew",
        "lead:led",
        "learn:learned",
        "dream:dreamed",
        "burn:burned",
        "become:became",
        "steal:stole",
        "hide:hid",
        "catch:caught",
        "show:showed",
    ]
)
ENGLISH_PARTICIPLE = dict(
    item.split(":")
    for item in [
        "eat:eaten",
        "drink:drunk",
        "take:taken",
        "forget:forgotten",
        "grow:grown",
        "go:gone",
        "speak:spoken",
        "wake:woken",
        "give:given",
        "do:done",
        "see:seen",
        "write:written",
        "sing:sung",
        "drive:driven",
        "ride:ridden",
        "run:run",
        "swim:swum",
        "fall:fallen",
        "break:broken",
        "know:known",
        "come:come",
        "get:gotten",
        "wear:worn",
        "choose:chosen",
        "throw:thrown",
        "fly:flown",
        "draw:drawn",
        "begin:begun",
        "become:become",
        "steal:stolen",
        "hide:hidden",
        "show:shown",
        "be:been",
    ]
)
DOUBLED = {
    "hug",
    "plan",
    "stop",
    "run",
    "swim",
    "get",
    "win",
    "cut",
    "quit",
    "forget",
    "put",
    "set",
    "let",
    "sit",
    "shop",
    "jog",
    "chat",
    "nap",
    "drop",
    "ban",
    "skip",
    "plug",
    "prefer",
}
BE = {
    "P": {"1s": "am", "3s": "is", "1p": "are", "3p": "are"},
    "T": {"1s": "was", "3s": "was", "1p": "were", "3p": "were"},
}


def english(phrase: str, tense: str, person: str) -> str:
    """An English verb phrase with its first word put in a form; the rest stays."""
    head, space, rest = phrase.partition(" ")
    return english_word(head, tense, person) + space + rest


def english_word(verb: str, tense: str, person: str) -> str:
    if verb == "be":
        return {"G": "being", "PP": "been"}.get(tense) or BE["T" if tense == "I" else tense][person]
    if tense == "P":
        return third(verb) if person == "3s" else verb
    if tense in ("T", "I"):
        return ENGLISH_PAST.get(verb) or regular_past(verb)
    if tense == "PP":
        return ENGLISH_PARTICIPLE.get(verb) or ENGLISH_PAST.get(verb) or regular_past(verb)
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye")):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if verb in DOUBLED else verb) + "ing"


def third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb in ("can", "should", "would", "could", "will", "must", "did", "had", "used"):
        return verb
    if re.search(r"(s|sh|ch|x|o|z)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in DOUBLED else verb) + "ed"
