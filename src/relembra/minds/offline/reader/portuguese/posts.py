"""How work begins and ends: new posts, promotions, dismissals, retirement, what somebody used to do."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import past, span
from relembra.minds.offline.reader.portuguese.vocabulary import IN, TRADE
from relembra.minds.offline.reader.portuguese.work import (
    firm,
    firm_after,
    trade,
)

__all__ = ["POSTS"]

_KIND = re.compile(
    r"(?:hospital|escola|banco|clinica|prefeitura|empresa|loja|fabrica|restaurante|universidade|"
    r"ong|startup|cartorio|posto|padaria|mercado|"
    r"farmacia|escritorio|construtora|agencia|editora|grafica|fintech|multinacional|creche|salao|"
    r"hotel|laboratorio|transportadora|firma|orquestra)(?![a-z])"
)


def _starts_at(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value is None or re.match(
        r"(?:hospital|uti|clinica|coma|rua|carro|casa|site|app|modo|grupo|academia|terapia|dieta|curso|"
        r"aula|faculdade|natacao|ingles|yoga|pilates|boxe|musculacao|frances|escolinha|treino|"
        r"tratamento|dança|danca)",
        flattened(value).text,
    ):
        return
    school = re.match(r"(?:U[FSNEPC][A-Z]*|PUC|IF[A-Z]*|ITA|FGV|Unicamp|Unesp)(?![a-z])", value)
    if match[0].startswith("entr") and " como " not in clause.flat and (value[0].islower() or school):
        return  # "entrou na escola", "entrei na USP"
    told = re.search(r"trabalhar|contrat|efetiv|posse|concurso|comeco", match[0])
    if not told and not (value[0].isupper() or _KIND.match(flattened(value).text)):
        return
    since = past(clause)
    yield say(who, "employment", value, f"trabalha {match['in']} {value}", changed=True, held_from=since)
    yield say(who, "event", f"começou em {value}", f"começou a trabalhar {match['in']} {value}", held_from=since)
    role = re.search(r"\scomo\s(?P<v>[a-z].{2,40})", clause.flat[match.start("v") :])
    if role and (named := trade(clause.raw[match.start("v") + role.start("v") :])):
        yield say(who, "occupation", named, f"trabalha como {named}", changed=True)


def _promoted(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = trade(span(clause, match)) if match["v"] else None
    since = past(clause)
    told = re.search(r"promovid[oa]", match[0])
    verb = f"foi {told[0]}" if told else "teve promoção"
    yield say(
        who,
        "event",
        f"promoção a {value}" if value else "promoção",
        f"{verb} a {value}" if value else verb,
        held_from=since,
    )
    if value:
        yield say(who, "occupation", value, f"é {value}", changed=True, held_from=since)


def _became(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = trade(span(clause, match))
    if value:
        yield say(who, "occupation", value, f"é {value}", changed=True, held_from=past(clause))


def _dismissed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match)) if match["v"] else None
    known = value is not None and (value[0].isupper() or _KIND.match(flattened(value).text))
    plain = re.match(r"sai\s(?!d[oa]\s(?:emprego|trabalho|trampo|servico|empresa|firma))", match[0])
    if plain and not known:
        return
    if value and re.match(
        r"(?:leva|corte|lista|passaralho|reestruturacao|mesmo|cara|nada)(?![a-z])", flattened(value).text
    ):
        value = None
    since = past(clause)
    told = "demissão" if not value else f"demissão da {value}"
    left = (
        "pediu demissão"
        if re.match(
            r"(?:eu )?(?:pedi|larguei|sai|deixei|me demiti|demiti|pediu|largou|saiu|deixou|se demitiu|nao "
            r"trabalh|n trabalh|ja nao)",
            match[0],
        )
        else "perdeu o emprego (demissão)"
    )
    if left == "pediu demissão" and not match[0].startswith(("pedi", "me dem", "se dem")):
        left = "saiu do emprego"
    if left != "saiu do emprego" or not value:
        yield say(who, "event", told, f"{left}: {value}" if value else left, held_from=since)
    if value:
        yield say(who, "former_employment", value, f"trabalhava em {value}", changed=True)


def _retired(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    stem, noun, verb = (
        ("reformad", "reforma", "reformou-se")
        if "reform" in match[0]
        else ("aposentad", "aposentadoria", "aposentou-se")
    )
    told = re.search(rf"{stem}([oa])(?![a-z])", clause.flat)
    value = stem + (told[1] if told else "o")
    phrase = f"está {value}" if told else f"vive da {noun} ({stem}o ou {stem}a)"
    yield say(who, "employment", value, phrase, changed=True, held_from=past(clause))
    yield say(who, "event", noun, verb, held_from=past(clause))


def _worked_at(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value:
        yield say(who, "former_employment", value, f"trabalhou {match['in']} {value}")
    role = re.search(r"\scomo\s(?P<v>[a-z].{2,40})", clause.flat[match.start("v") :])
    if role and (named := trade(clause.raw[match.start("v") + role.start("v") :])):
        yield say(who, "former_occupation", named, f"trabalhou como {named}")


def _was_trade(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = trade(clause.raw[match.start("v") :])
    if value:
        yield say(who, "former_occupation", value, f"já foi {value}")
        for said in firm_after(match, clause, who):
            yield say(who, "former_employment", said.value, f"trabalhou em {said.value}")


def _new_firm(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Mudei de emprego, agora tô na Oracle"."""
    value = firm(span(clause, match))
    told = re.search(
        r"(?<![a-z])(?:empregos?|trabalho|trampo|vaga|empresa|firma)(?![a-z])", flattened(clause.message).text
    )
    if value and value[0].isupper() and told:
        yield say(who, "employment", value, f"trabalha em {value}", changed=True)


def _got_post(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    since = past(clause)
    if match["role"] and (role := trade(span(clause, match, "role"))):
        yield say(who, "occupation", role, f"é {role}", changed=True, held_from=since)
    value = firm(span(clause, match)) if match["v"] else None
    if value:
        yield say(who, "employment", value, f"trabalha em {value}", changed=True, held_from=since)


POSTS: list[Rule] = [
    *both(
        "starts at",
        "comecei comeco comecou entrei entrou contratad contratada contratado contrataram comecando",
        r"(?:{comecei|entrei|comeco (?:segunda|amanha|dia \d+|semana que vem|hoje|em \w+|terca|"
        r"quarta|quinta|sexta)|fui contratad[oa]|fui efetivad[oa]|me contrataram|"
        r"tomei posse/comecou|entrou|foi contratad[oa]|foi efetivad[oa]}) (?:(?:hoje|ontem|agora|a "
        r"trabalhar|segunda|semana passada|mes passado|este mes|esse mes|como [a-z ]{3,25}?) )"
        r"?(?P<in>na|no|em|pela|pelo|num|numa|pra|da|do) (?P<v>[A-Za-z0-9].{1,50})",
        _starts_at,
    ),
    *both(
        "promoted",
        "promovid promovida promovido promocao promoveram",
        r"(?:{fui promovid[oa]|me promoveram|recebi (?:uma |a )?promocao|ganhei (?:uma )?promocao|"
        r"saiu (?:a )?minha promocao|consegui a promocao|fui efetivad[oa]/foi promovid[oa]|recebeu "
        r"(?:uma )?promocao|ganhou (?:uma )?promocao})(?: (?:ontem|hoje|semana passada|mes passado|"
        r"no trabalho|de [a-z]+))?(?: (?:a|pra|para|como|ao cargo de|pra ser|para ser|de) "
        r"(?P<v>[a-z].{2,40}))?",
        _promoted,
    ),
    *both(
        "took a post",
        "assumi assumiu virei nomead nomeada nomeado eleita eleito assumo",
        r"(?:{assumi (?:como|o cargo de|a vaga de|a funcao de)|fui nomead[oa]|fui eleit[oa]|agora "
        r"estou como|agora to como|passei a ser|vou assumir como/assumiu como|foi nomead[oa]|foi "
        r"eleit[oa]|passou a ser}) (?P<v>[a-z].{2,40})",
        _became,
    ),
    *both(
        "dismissed",
        "demitid demitida demitido mandaram mandado mandada demissao desligada desligado larguei "
        "largou sai saiu demiti despedida despedido despediram cortaram",
        r"(?:{fui (?:demitid[oa]|mandad[oa] embora|desligad[oa]|despedid[oa]|cortad[oa])|me "
        r"(?:mandaram embora|demitiram|despediram|desligaram|dispensaram)|fui dispensad[oa]|pedi (?:as "
        r")?(?:demissao|contas|demissoes)|me demiti|perdi (?:o|meu) (?:emprego|trabalho|trampo)|"
        r"larguei (?:o|meu) (?:emprego|trabalho|trampo)|larguei a (?:firma|empresa)|sai (?:do "
        r"(?:emprego|trabalho|trampo|servico)|da (?:empresa|firma))|deixei (?:o|meu) emprego/foi "
        r"(?:demitid[oa]|mandad[oa] embora|desligad[oa]|despedid[oa]|dispensad[oa])|pediu (?:as )"
        r"?(?:demissao|contas)|se demitiu|perdeu o emprego|largou o (?:emprego|trabalho)})(?: (?:hoje|"
        r"ontem|semana passada|sexta|segunda|mes passado|de novo))?(?:,? (?:la )?(?:da|do|de|na|no) "
        r"(?P<v>[a-z0-9].{1,40}))?",
        _dismissed,
    ),
    *both(
        "left the firm",
        "sai saí saiu trabalho trabalha deixei larguei",
        r"(?:{(?:(?:nao|n) (?:trabalho|trampo) mais|ja nao (?:trabalho|trampo)) (?:na|no|em|pra|para)|"
        r"sai (?:da|do)|deixei (?:de trabalhar|de trampar) (?:na|no|em)/(?:nao|n|ja nao) trabalha mais "
        r"(?:na|no|em|pra)|deixou de trabalhar (?:na|no|em)}) (?:mais )?(?:na |no )"
        r"?(?P<v>[a-z0-9].{1,40})",
        _dismissed,
        denied=True,
    ),
    *both(
        "retired",
        "aposentei aposentou reformei aposentei-me reformou",
        r"{fui aposentar|consegui me aposentar|saiu (?:a )?minha aposentadoria|me aposentei|"
        r"aposentei-me|aposentei|reformei-me|me reformei/se aposentou|aposentou|aposentou-se|"
        r"reformou-se}(?![a-z])",
        _retired,
    ),
    *both(
        "worked at",
        "trabalhei trabalhou trabalhava trampei lecionei estagiei",
        rf"(?:{{(?:ja )?(?:trabalhei|trampei|lecionei|estagiei|dei aula)|(?:antes )?(?:eu )?trabalhava|"
        rf"fui funcionari[oa]/(?:ja )?trabalhou|trabalhava}}) (?:(?:antes|muito tempo|[\w ]{{1,12}}? "
        rf"(?:anos|meses)|por [\w ]{{2,14}}?|durante [\w ]{{2,14}}?|como [a-z ]{{3,25}}?|de [a-z]+) )"
        rf"?(?P<in>{IN}|pra|para|pro|da|do) (?P<v>[a-z0-9].{{1,50}})",
        _worked_at,
    ),
    *both(
        "was a",
        "fui era foi sou ex",
        rf"(?:{{ja fui|antes eu era|eu era|era|trabalhei (?:\w+ \w+ )?(?:como|de)|trabalhava (?:como|"
        rf"de)|fui|sou ex-?/ja foi|antes era|era|trabalhou (?:como|de)|trabalhava (?:como|de)|foi|e "
        rf"ex-?}}) ?(?:um |uma )?(?P<v>{TRADE})",
        _was_trade,
    ),
    *mine(
        "new firm",
        "agora hoje",
        r"(?:agora|hoje|atualmente) (?:eu )?(?:to|tou|estou) (?:la )?(?:na|no) (?P<v>[a-z].{1,30})",
        _new_firm,
    ),
    *mine(
        "got the post",
        "vaga chamada chamado convocada convocado",
        r"(?:fui chamad[oa]|fui selecionad[oa]|fui aprovad[oa]|passei|consegui|me chamaram|peguei)(?: "
        r"(?:pra|para|n))? ?(?:a |uma )?vaga(?: de (?P<role>[a-z ]{3,30}?))?(?: (?:na|no|da|do) "
        r"(?P<v>[a-z0-9].{1,30}))?(?=$|[,.!]| e )",
        _got_post,
    ),
]
