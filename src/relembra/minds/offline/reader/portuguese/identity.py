"""Who somebody is and where they live: name, pronouns, age, birthday, origin, home, creed, languages."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.people import name_at, person_at, whose
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, place, span
from relembra.minds.offline.reader.portuguese.vocabulary import (
    DEMONYM,
    LANGUAGE,
    NUMBER,
    RELATION,
    VERY,
)

__all__ = ["DATE", "IDENTITY", "REGIONAL", "TOWNS"]


def _name(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end(), told="aqui" not in match[0])
    if found:
        name = clause.raw[slice(*found)]
        yield say(who, "name", name if name[0].isupper() else name.title(), f"se chama {name}")


def _nickname(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    title = re.match(r"(?:dona|seu|dra?\.?|tia|tio|prof\.?|professora?)\s", clause.flat[match.end() :])
    found = name_at(clause.raw, clause.flat, match.end() + (title.end() if title else 0), told=True)
    if found:
        name = clause.raw[match.end() : found[1]].strip()
        yield say(who, "nickname", name, f"atende por {name}")


def _pronouns(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip(" .,!")
    yield say(who, "pronouns", value, f"usa os pronomes {value}")


def _age(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if re.match(
        r"\s(?:(?:de\s(?!idade)|na|no|com|sem|que|em|como|pra|atras)(?![a-z])|trabalh|morando|junt|" r"casad)",
        clause.flat[match.end() :],
    ):
        return
    value = span(clause, match)
    if re.match(r"[2-9]\d\d|1[2-9]\d", value):
        return  # nobody is three hundred years old
    yield say(who, "age", value, f"tem {value}", changed=is_new(clause))


_MONTHS = (
    r"(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|"
    r"jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?![a-z])"
)
DATE = (
    rf"(?P<v>(?:\d{{1,2}}o?|primeiro)\s(?:de\s)?{_MONTHS}(?:\s(?:de|do)?\s?\d{{4}})?|"
    rf"\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?|{_MONTHS}(?:\sde\s\d{{4}})?)"
)
_YEAR = r"(?P<v>(?:19|20)\d\d)"
_DAY_WORD = r"(?:no\sdia\s|dia\s|em\s|a\s|no\s|agora\s|de\s){0,4}"


def _birthday(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "birthday", value, f"faz aniversário em {value}")


def _birthday_of(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "O aniversário da minha mãe é 5 de maio": the owner stands before the date."""
    owner = _owner(match, clause)
    if owner:
        yield from _birthday(match, clause, owner)


def _owner(match: re.Match[str], clause: Clause) -> Who | None:
    pronoun = match["pronoun"]
    if pronoun:
        return whose(clause, pronoun)
    at = match.start("owner")
    found = person_at(clause.raw, clause.flat, at)
    if found and not clause.flat[found[1] : match.end("owner")].strip(" ,"):
        return found[0]
    name = name_at(clause.raw, clause.flat, at)
    if name and name[1] == match.end("owner") and clause.raw[name[0]].isupper():
        return Who(clause.raw[slice(*name)])
    return None


def _birthday_tied(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "O aniversário do meu marido, o Valdir, é em 19 de setembro"."""
    found = person_at(clause.raw, clause.flat, match.end())
    if found is None:
        return
    day = _NEAR_DATE.match(clause.flat, found[1])
    if day:
        yield from _birthday(day, clause, found[0])


_NEAR_DATE = re.compile(rf"[^.;!?\d]{{0,25}}?{DATE}")


def _hers_today(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    day = clause.said_at.strftime("%d/%m")
    yield say(who, "birthday", day, f"faz aniversário em {day}")


def _birthplace(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value and not re.match(
        r"(?:19|20)\d\d|dia\s|familia|berco|feriado|ano\s|mes\s|carnaval|natal\sde|inverno|verao|"
        + _MONTHS
        + r"(?![a-z])",
        flattened(value).text,
    ):
        yield say(who, "birthplace", value, f"nasceu {match['in'] or 'em'} {value}")


REGIONAL = (
    r"(?:goian[oa]|mineir[oa]|baian[oa]|carioca|paulista|paulistan[oa]|gauch[oa]|cearense|"
    r"pernambucan[oa]|paraense|"
    r"paraiban[oa]|potiguar|capixaba|catarinense|paranaense|alagoan[oa]|sergipan[oa]|maranhense|"
    r"piauiense|amazonense|"
    r"acrean[oa]|manauara|brasiliense|fluminense|nordestin[oa]|matogrossense|sul-matogrossense|"
    r"tocantinense|recifense|"
    r"soteropolitan[oa]|curitiban[oa]|portoalegrense|lisboeta|alfacinha|portuense|tripeir[oa]|"
    r"alentejan[oa]|algarvi[oa]|"
    r"acorian[oa]|madeirense|minhot[oa]|transmontan[oa]|caicara|candang[oa])(?![a-z-])"
)
_REGIONAL = re.compile(REGIONAL)


def _demonym(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    if _REGIONAL.match(flattened(value).text):
        yield say(who, "birthplace", value, f"é {value}")
    else:
        yield say(who, "nationality", value, f"é {value}")


def _languages(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    rest = clause.raw[match.start("v") :]
    level = match.groupdict().get("level")
    for value in each(rest):
        found = re.match(LANGUAGE, flattened(value).text)
        if not found:
            return
        name = value[: found.end()]
        yield say(who, "language", name, f"fala {name}" + (f" ({level})" if level else ""))


def _origin(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if not value or re.match(rf"(?:{RELATION}|{NUMBER})(?![a-z])", flattened(value).text):
        return
    small = clause.raw.islower()
    if not value[0].isupper() and not (small and len(value.split()) <= 3 and TOWNS.match(flattened(value).text)):
        return
    yield say(who, "birthplace", value, f"é {match['in']} {value}")


TOWNS = re.compile(
    r"(?:recife|salvador|fortaleza|natal|manaus|belem|curitiba|floripa|florianopolis|brasilia|goiania|"
    r"sao paulo|sampa|rio|rio de janeiro|bh|belo horizonte|porto alegre|poa|vitoria|maceio|aracaju|"
    r"joao pessoa|teresina|sao luis|cuiaba|campo grande|palmas|macapa|boa vista|porto velho|rio branco|"
    r"minas|bahia|ceara|pernambuco|lisboa|porto|coimbra|braga|faro|portugal|brasil|angola|campinas|santos|"
    r"sp|rj|mg|londrina|niteroi|interior|goias|para|parana|santa catarina|rio grande do sul|uberlandia)$"
)


_AMONG = re.compile(
    r"(?<![a-z])(?:em\scasa|na\s(?:rua|familia|escola|firma|quebrada)|no\s(?:bairro|trampo|trabalho|time)|"
    r"(?:pros|para\sos|entre\sos)\samigos),?\s(?:eu\s)?$"
)  # who one is among those is a nickname


def _plain_name(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end())
    if found and not _AMONG.search(clause.flat, 0, match.start()):
        name = clause.raw[slice(*found)]
        yield say(None, "name", name if name[0].isupper() else name.title(), f"se chama {name}")


def _listed_age(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    presented = re.search(
        r"(?<![a-z])(?:sou|me chamo|meu nome|moro|casad[oa]|solteir[oa])(?![a-z])", clause.sentence.lower()
    )
    if presented and not re.search(RELATION, clause.flat[: match.start()]):
        yield say(None, "age", span(clause, match), f"tem {span(clause, match)}")


def _birthday_soon(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu niver é amanhã": by the calendar."""
    day = next((one.begins for one in clause.dates), None)
    if day:
        value = day.strftime("%d/%m")
        yield say(who, "birthday", value, f"faz aniversário em {value}")


def _inland(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = place(span(clause, match))
    if value:
        yield say(who, "birthplace", value, f"é do {value}")


def _descent(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, None, value, f"é {value}")


def _level(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value, level = span(clause, match), span(clause, match, "level")
    yield say(who, "language", f"{value} {level}", f"fala {value} ({level})")


def _demonym_of(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "nationality", value, f"tem passaporte {value}")


IDENTITY: list[Rule] = [
    *mine(
        "name",
        "chamo nome sou chamo-me aqui",
        r"(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome(?: completo| verdadeiro)? (?:e|eh)|aqui (?:e|"
        r"quem fala e) [oa]|aqui quem fala e [oa]) (?:[oa] )?",
        _name,
    ),
    *mine(
        "name, plainly",
        "sou",
        r"(?:eu )?sou [oa] (?!(?:prof|profa|dra?|eng|sra?)\.)(?=[a-z]+(?: [a-z]+)?(?:$|[,.!]| e |\s?e\s(?:tenho|moro|sou)))",
        _plain_name,
    ),
    *mine(
        "nickname",
        "chamada chamado atendo chama-me chame-me chama chamam chame chamar apelido apelidaram chamem "
        "conhecem conhecid conhecida conhecido trate",
        r"(?:me (?:chama|chame|chamam|chamem|apelidaram|trate|conhecem)(?: (?:sempre|so|apenas))? "
        r"(?:de|por|como)|(?:pode|podes|podem|prefiro que|gosto que|quero que)(?: (?:vc|voce|vcs|tu))? "
        r"(?:sempre )?(?:me )?"
        r"(?:cham\w+)(?:-me| me)? (?:so )?(?:de|por)|(?:o )?meu apelido (?:e|eh)|sou conhecid[oa] "
        r"(?:como|por)|prefiro ser chamad[oa] de|"
        r"gosto de ser chamad[oa] de|(?:chama|chame|chamem)-me(?: de| por)?|tod[oa]s? (?:mundo|a gente|"
        r"a familia)? ?me (?:chama|conhece|trata)m? (?:de|por|como)|atendo por) (?:[oa] )?",
        _nickname,
    ),
    *mine(
        "pronouns",
        "pronome pronomes ele ela elu",
        r"(?:(?:uso|prefiro|usem|use|utilizo|meus?)(?: (?:os|o))?(?: meus?)? pronomes?(?: (?:sao|e))?|"
        r"(?:uso|usem|use|prefiro|prefiro que usem|prefiro que use)(?= (?:el[ea]|elu)(?:/| comigo|$))|"
        r"meus pronomes sao|me trat[ae]m? (?:por|com)(?: pronomes?)?|pronomes?:?) "
        r"(?P<v>(?:el[ea]u?|elu|dele|dela|masculin[oa]s?|feminin[oa]s?|neutr[oa]s?)(?:(?:/| e | ou )"
        r"(?:el[ea]u?|elu|del[ea]|delu|neutros?))?)",
        _pronouns,
    ),
    *both(
        "age",
        "anos anos, aninhos aninho meses idade",
        rf"(?:{{tenho|to com|tou com|estou com|fiz|completei|acabei de fazer|acabei de completar|ja "
        rf"fiz|faco(?= \w+ anos (?:dia|em|no|hoje|amanha|agora|semana|mes|na|este|esse|$))|to fazendo|"
        rf"cheguei aos|completo/tem|ta com|esta com|fez|completou|acabou de fazer|acabou de completar|"
        rf"ja tem|faz(?= \w+ anos (?:dia|em|no|hoje|amanha|agora|semana|mes|na|este|esse|$))|ta "
        rf"fazendo|completa}}) "
        rf"(?:(?:so|apenas|exatos|quase|uns|umas|hoje|agora|ja|ontem|anteontem|semana passada) )"
        rf"?(?P<v>{NUMBER} (?:anos|aninhos|meses))(?! (?:de (?:casa|carreira|experiencia|empresa|"
        rf"profissao|servico|namoro|uso|contribuicao|estudo|estrada|sobriedade|terapia)|atras|que))"
        rf"(?![a-z])",
        _age,
    ),
    *mine(
        "age, turned",
        "fiz completei com",
        r"(?:fiz|completei) (?P<v>\d{2})(?= (?:no|na|em|dia|neste|nesta|este|esta|agora|ontem|hoje|hj|semana passada|mes passado|esse mes|este "
        r"mes|agora|anteontem)|$|[,.!])",
        _age,
    ),
    *mine(
        "age, with",
        "anos",
        r"^\W*(?:com|aos|do alto dos) (?:meus )?(?P<v>\d{2} anos)(?= (?:nas costas|resolvi|decidi|e "
        r"|na cara|de idade))",
        lambda m, c, w: [say(w, "age", span(c, m), f"tem {span(c, m)}")],
    ),
    *theirs("age, bare", "tem fez ta esta", r"{x/tem|ta com|fez} (?P<v>\d{1,3})(?= ?(?:$|[,.!;](?!\d)| e ))", _age),
    *mine("age in a list", "anos", r"(?<=, )(?P<v>\d{2} anos)(?=$|[,.!]| e )", _listed_age),
    *mine(
        "birthday",
        "aniversario niver aniver anos nascimento nasci sou",
        rf"(?:(?:o )?meu (?:aniversario|niver|aniver|bday)(?: (?:e|eh|cai|sera|cai sempre))?:? "
        rf"{_DAY_WORD}|(?:minha )?data de nascimento(?: e)?:? |(?:eu )?faco (?:aniversario|niver|\d+ "
        rf"anos|anos)(?: (?:sempre|todo))? {_DAY_WORD}|nasci {_DAY_WORD}|aniversario:? |sou d[eo] "
        rf"(?:dia )?(?=\d)){DATE}",
        _birthday,
    ),
    *mine("birth year", "nasci", rf"nasci em {_YEAR}", _birthday),
    *mine(
        "birthday today",
        "aniversario niver",
        r"(?:hoje|hj) (?:e|eh|foi)(?: o)? (?:meu|dia do meu) (?:aniversario|niver)",
        _hers_today,
    ),
    *theirs(
        "birthday",
        "aniversario niver anos nasceu",
        rf"{{x/faz aniversario|faz niver|nasceu|faz \d+ anos|faz anos|completa \d+ anos|aniversaria}} "
        rf"{_DAY_WORD}{DATE}",
        _birthday,
    ),
    *mine(
        "birthday of another",
        "aniversario niver",
        rf"(?:aniversario|niver) (?:d(?P<pronoun>el[ea])|d[oae] (?P<owner>(?:minha|meu|nossa|nosso) "
        rf"(?:\w+ ){{0,2}}?\w+|\w+)) (?:e|eh|cai|sera)? ?{_DAY_WORD}{DATE}",
        _birthday_of,
    ),
    *mine(
        "birthday of a tie",
        "aniversario niver",
        r"(?:aniversario|niver) d[oae] (?=(?:meu|minha|nosso|nossa) )",
        _birthday_tied,
    ),
    *theirs(
        "birthday, further on",
        "anos aniversario niver nasceu",
        rf"{{x/faz aniversario|faz niver|faz anos|aniversaria|nasceu}}[^.;!?\d]{{1,40}}?{DATE}",
        _birthday,
    ),
    *both(
        "birthplace",
        "nasci nasceu natural origem",
        r"(?:{nasci|nasci e cresci|fui nascid[oa] e criad[oa]|sou natural|(?:sou )?nascid[oa]|sou "
        r"nascid[oa] e criad[oa]/nasceu|nasceu e cresceu|e natural|foi nascid[oa] e criad[oa]}) (?:e "
        r"(?:fui |me )?(?:cresci|criei|criad[oa]|cresceu) )?(?P<in>em|no|na|nas|nos|de|do|da) "
        r"(?P<v>[^\d].{1,40})",
        _birthplace,
    ),
    *mine(
        "home town", "terra cidade", r"minha (?:terra|cidade) natal (?:e|eh) (?P<in>)(?P<v>[a-z].{1,40})", _birthplace
    ),
    *both(
        "demonym",
        "sou e eh somos virei nasci",
        rf"{{sou|virei|nasci/e|eh}} (?:{VERY}|uma? |orgulhosamente |metade )(?P<v>{DEMONYM}|goian[oa]|"
        rf"mineir[oa]|baian[oa]|carioca|paulista|paulistan[oa]|gauch[oa]|cearense|pernambucan[oa]|"
        rf"paraense|paraiban[oa]|potiguar|capixaba|catarinense|paranaense|alagoan[oa]|sergipan[oa]|"
        rf"maranhense|piauiense|amazonense|acrean[oa]|manauara|brasiliense|fluminense|nordestin[oa]|"
        rf"recifense|soteropolitan[oa]|curitiban[oa]|lisboeta|alentejan[oa]|algarvi[oa]|acorian[oa]|"
        rf"madeirense)(?![a-z-])",
        _demonym,
    ),
    *both(
        "citizenship",
        "cidadania nacionalidade",
        r"{tenho|tirei|consegui|saiu (?:a )?minha/tem|tirou} (?:dupla )?(?:cidadania|nacionalidade) " r"(?P<v>\w+)",
        lambda m, c, w: [say(w, "nationality", span(c, m), f"tem cidadania {span(c, m)}")],
    ),
    *both(
        "origin",
        "sou somos e eh venho vim veio",
        r"(?:{sou|eu sou|venho|somos/e|eh|veio|vem}) (?:la )?(?P<in>de|do|da|dos|das) (?:cidade de |"
        r"interior de )?(?P<v>(?!vez|boa|mais|menos|tipo|humanas|exatas|esquerda|direita|paz|lua|"
        r"virgem|peixes|touro|leao|cancer|aries|gemeos|libra|escorpiao|sagitario|capricornio|aquario|"
        r"la$|todos|poucos?|ti\b|rh\b|tempo|familia|area|time|turma|comer|falar|fazer|signo|igreja|"
        r"umbanda|candomble|assembleia|opiniao|acordo|lar\b|bem|fora|casa|confianca|noite|manha|sol\b|"
        r"esporte|treino|equipe|onde|verdade|novo|que)[a-z].{1,34})",
        _origin,
    ),
    *both(
        "language",
        "falo fala aprendi domino domina ingles espanhol frances libras alemao italiano japones fluente falamos",
        rf"(?:{{falo|domino|aprendi|sei|sei falar|me viro em|me viro no|arranho|arranho um|falo um "
        rf"pouco de|sou fluente em|sou bilingue em|tenho (?P<level1>ingles)|tenho nivel \w+ (?:em|de)|"
        rf"estou aprendendo a falar/fala|domina|aprendeu|sabe|sabe falar|se vira em|e fluente em}}) "
        rf"(?:(?:muito|bem|um|pouco|pouquinho|de|fluentemente|tambem|so|basico|a lingua|lingua|o|"
        rf"um\spouco\sde) ){{0,3}}(?P<v>{LANGUAGE})(?![a-z])",
        _languages,
    ),
    *mine(
        "name on paper",
        "batismo registro rg identidade registraram",
        r"(?:meu nome de (?:batismo|registro|solteir[oa]|verdade) (?:e|eh)|no (?:rg|registro|documento|"
        r"papel) (?:ta|esta|consta|e|sou) (?:como )?|me registraram (?:como|de)) ?",
        _name,
    ),
    *mine(
        "birthday soon",
        "aniversario niver aniver",
        r"(?:o )?meu (?:aniversario|niver|aniver) (?:e|eh|foi|sera|ja e) (?:hoje|hj|amanha|ontem|"
        r"anteontem|depois de amanha|(?:n[oa] |nesse |neste )?(?:sabado|domingo|segunda|terca|quarta|"
        r"quinta|sexta))",
        _birthday_soon,
    ),
    *both(
        "inland", "interior", r"(?:{sou|venho|vim/e|veio}) (?:la )?do (?P<v>interior d[eoa]s? [a-z].{2,30})", _inland
    ),
    *both(
        "descent",
        "filho filha neto neta descendente",
        r"(?:{sou/e}) (?P<v>(?:filh[oa]|net[oa]|bisnet[oa]|descendente) de (?!(?:mae|pai) solteir)"
        r"(?:\w+s|\w+ e \w+|mae \w+|pai \w+)(?![a-z]).{0,20})",
        _descent,
    ),
    *mine(
        "language level",
        "ingles espanhol frances alemao italiano japones",
        rf"meu (?P<v>{LANGUAGE}) (?:e|eh|ta|esta|ainda e)(?: (?:no|em)(?: nivel)?)? (?P<level>basico|"
        rf"intermediario|avancado|fluente|ruim|enferrujado|razoavel|pessimo|bom|otimo|[abc][12])"
        rf"(?![a-z])",
        _level,
    ),
    *mine(
        "birth year, told",
        "sou",
        r"(?:eu )?sou (?:de|do ano de|safra) (?P<v>19[2-9]\d|20[01]\d|[4-9]\d(?=$|[,.;!]))(?![\d/])",
        _birthday,
    ),
    *mine(
        "star sign",
        "sou",
        rf"sou (?:arian|taurin|geminian|cancerian|leonin|virginian|librian|escorpian|sagitarian|"
        rf"capricornian|aquarian|piscian)[oa],? (?:de |do dia |dia |nascid[oa] em |nasci em |nasci dia "
        rf")?{DATE}",
        _birthday,
    ),
    *mine("came to the world", "mundo", r"vim ao mundo (?P<in>em|no|na) (?P<v>[a-z].{2,30})", _birthplace),
    *both(
        "passport",
        "passaporte",
        r"(?:{tenho|tirei/tem|tirou}) (?:o |um )?passaporte (?P<v>[a-z]+(?:es|esa|ano|ana|ino|ina|eiro|"
        r"ao|ol|eu))(?![a-z])",
        _demonym_of,
    ),
    *mine(
        "gets by in",
        "viro arranho",
        rf"(?:me viro|me defendo|me comunico)(?: (?:bem|muito bem|razoavelmente|mais ou menos))? (?:em|"
        rf"no|com o) (?P<v>{LANGUAGE})(?![a-z])",
        _languages,
    ),
]
