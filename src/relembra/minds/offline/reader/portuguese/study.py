"""Study and skills: courses, degrees, what somebody learns and can do."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, past, span

__all__ = ["STUDY", "course"]

_COURSE_CUT = re.compile(
    r"\s(?:na|no|em|pela|pelo|a\snoite|de\snoite|de\smanha|ead|a\sdistancia|e|pra|para|com|aqui|"
    r"todo|toda|num|numa|nas|nos|por|ate)(?![a-z]).*",
    re.DOTALL,
)


def course(raw: str) -> str | None:
    value = clean(raw, longest=8)
    if value is None:
        return None
    flat = flattened(value).text
    cut = _COURSE_CUT.search(flat)
    if cut and not re.match(
        r"(?:mestrado|doutorado|pos|pos-graduacao|especializacao|curso|tecnico|mba|graduacao|"
        r"licenciatura|residencia|intercambio|bootcamp|eja)\s(?:em|no|na)",
        flat,
    ):
        value = value[: cut.start()]
    elif cut:
        later = _COURSE_CUT.search(flat, flat.index(" ", flat.index(" ") + 1) + 1) if flat.count(" ") > 1 else None
        value = value[: later.start()] if later else value
    return clean(value, longest=6)


def _studies(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    flat = flattened(value).text if value else ""
    if value and not re.match(
        r"(?:casa|noite|manha|muito|pra|para|na\sbiblioteca|junto|todo|como|um\spouco|sozinh|bastante|"
        r"\d|mais|demais|so\s|com|no\s|na\s|em\s|hoje|dia|precisa|deve|viver|lidar|conviver|dizer|esperar|aceitar|as?\sgiria|"
        r"giria)(?![a-z])",
        flat,
    ):
        yield say(who, "study", value, f"estuda {value}", changed=is_new(clause))


def _studies_at(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not re.match(
        r"(?:casa|biblioteca|noite|manha|computador|celular|quarto|onibus|sala)(?![a-z])", flattened(value).text
    ):
        yield say(who, "study", value, f"estuda {match['in']} {value}", changed=is_new(clause))


def _year(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value:
        yield say(who, "study", value, f"está no {value}")


def _graduated(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match)) if match["v"] else None
    since = past(clause)
    yield say(
        who,
        "event",
        f"formatura em {value}" if value else "formatura",
        f"se formou em {value}: formatura" if value else "se formou (formatura)",
        held_from=since,
    )


def _degree(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value and not re.match(r"(?:obras|bateria|capoeira|sala|cerimonias?|cozinha)(?![a-z])", flattened(value).text):
        yield say(who, "study", value, f"tem formação em {value}")


def _quit_study(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value:
        yield say(who, "former_study", value, f"não estuda mais {value}", changed=True, held_from=past(clause))


def _skill(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if "dominó" in clause.raw[match.start() : match.end()].lower():
        return  # the game, not the verb
    for value in each(span(clause, match)):
        if re.match(
            r"(?:que|se|como|quem|onde|bem|nada|la|o\sque|qual|dele|dela|disso|mexer\scom\sisso|viver|"
            r"lidar|explicar|dizer|fazer\snada|mandar$|tres$|dois$|duas$|todas$|todos$|ambos)(?![a-z])",
            flattened(value).text,
        ):
            return
        yield say(who, "skill", value, f"sabe {value}" if not match["n"] else f"domina {value}")


def _thesis(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value:
        yield say(who, "study", value, f"pesquisa {value}")


def _does_well(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"{span(clause, match)} bem"
    yield say(who, "skill", value, value if who else f"sabe {value}")


STUDY: list[Rule] = [
    *both(
        "learns",
        "aprendendo aprender",
        r"(?:{(?:estou|to|tou|ando|comecei) (?:aprendendo|a aprender)/(?:esta|ta) (?:aprendendo|a "
        r"aprender)}) (?:a (?:falar|tocar|programar em) )?(?P<v>[a-z].{2,40})",
        _studies,
    ),
    *both(
        "studies",
        "estudante aluna aluno calouro caloura estudo estuda curso cursa faco faz estudando cursando "
        "fazendo comecei entrei matriculei matriculei-me passei tiro",
        r"(?:{(?<!\bo )(?<!\bum )(?<!meu )(?<!\bde )(?<!\bdo )(?<!\bno )(?<!\bao )(?<!sse )(?<!ste )(?<!pro )(?<!novo )(?<!cada )(?:estudo|curso)|estou (?:estudando|cursando)|to "
        r"(?:estudando|cursando|fazendo faculdade de)|tou a estudar|estou a estudar|ando a (?:estudar|cursar|tirar)|estou a (?:cursar|tirar)|comecei a "
        r"(?:estudar|cursar|faculdade de)|me matriculei (?:em|no|na)|faco (?:faculdade|graduacao|"
        r"licenciatura) (?:de|em)|comecei (?:a |um |o )?(?:faculdade|curso|graduacao) (?:de|em)|sou "
        r"(?:estudante|alun[oa]|academic[oa]|doutorand[oa]|mestrand[oa]) (?:de|em)|sou calour[oa] "
        r"(?:de|em)|passei (?:em|no vestibular de|no vestibular pra|pra)(?= (?:medicina|direito|"
        r"engenharia|enfermagem|psicologia|odonto|fisioterapia|letras|historia|biologia|veterinaria|"
        r"arquitetura)| [a-z]+ (?:na|no) (?:uf|us|if|puc|ue|un|federal|etec|senai))|matriculad[oa] em|"
        r"entrei (?:(?:na|pra|para a) (?:faculdade|facul) de|no curso de)(?= [a-z])|voltei a "
        r"estudar/estuda|cursa|esta (?:estudando|cursando)|ta (?:estudando|cursando|fazendo faculdade "
        r"de)|comecou a (?:estudar|cursar|faculdade de)|faz (?:faculdade|graduacao|licenciatura) (?:de|"
        r"em)|e (?:estudante|alun[oa]) (?:de|em)|passou (?:em|pra)(?= (?:medicina|direito|engenharia|"
        r"enfermagem|psicologia|odonto|fisioterapia)| [a-z]+ (?:na|no) (?:uf|us|if|puc|ue|un|federal|"
        r"etec|senai))|entrou na faculdade de}) (?P<v>[a-z].{2,60})",
        _studies,
    ),
    *both(
        "degree course",
        "faco faz fazendo comecei entrei",
        r"(?:{faco|estou a fazer|ando a fazer|estou fazendo|to fazendo|tou fazendo|comecei|entrei no|termino|estou no|to no|estou "
        r"a tirar|tiro/faz|esta fazendo|ta fazendo|comecou|esta no|ta no}) (?:o |a |um |uma |meu |"
        r"minha )?(?P<v>(?:mestrado|doutorado|doutoramento|pos(?:-graduacao| graduacao)?|pos-doc|mba|especializacao|"
        r"residencia|ensino medio|cursinho|tecnico|curso tecnico|eja|supletivo|licenciatura|"
        r"intercambio|bootcamp|curso de|curso)(?: .{2,50})?)",
        _studies,
    ),
    *both(
        "studies at",
        "estudo estuda estudamos",
        r"(?:{(?<!\bo )(?<!\bum )(?<!meu )(?:estudo)|estou estudando|to estudando/estuda|esta "
        r"estudando|ta estudando}) (?P<in>na|no|em) (?P<v>[a-z].{1,40})",
        _studies_at,
    ),
    *both(
        "school year",
        "periodo semestre ano serie",
        r"(?:{estou|to|tou|faco|curso/esta|ta|faz|cursa}) (?:no|o|na|a) (?P<v>(?:primeir[oa]|"
        r"segund[oa]|terceir[oa]|quart[oa]|quint[oa]|sext[oa]|setim[oa]|oitav[oa]|non[oa]|decim[oa]|"
        r"ultim[oa]|\d{1,2}[oa]?)\W? (?:periodo|semestre|ano|serie)(?: (?:d[aeo]) .{2,40})?)",
        _year,
    ),
    *both(
        "graduated",
        "formei formou formei-me graduei graduou conclui concluiu terminei formamos formatura licenciei",
        r"(?:{me formei|formei-me|me graduei|graduei-me|formei|conclui|terminei|licenciei-me|"
        r"finalmente me formei|acabei de me formar|acabei/se formou|formou-se|se graduou|concluiu|"
        r"terminou|acabou de se formar})(?: (?:ontem|hoje|semana passada|ano passado|mes passado|em "
        r"\d{4}))?(?:(?<=formei)|(?<=formar)|(?<=formei-me)|(?<=formou)|(?<=formou-se)|(?<=graduei)|"
        r"(?<=graduou)|(?<=licenciei-me)|(?<=passad[oa])|(?<=ontem)|(?<=hoje)|(?<=\d{4})|(?= (?:a "
        r"faculdade|o mestrado|o doutorado|a graduacao|o curso|minha faculdade|meu mestrado|meu "
        r"doutorado|o ensino medio|a pos|o tcc|minha tese|meu tcc)))(?: (?:em|de|na|no|a|o|minha|meu) "
        r"(?P<v>[a-z].{2,50}))?",
        _graduated,
    ),
    *both(
        "degree",
        "formada formado formad sou graduada graduado licenciada licenciado mestre doutora doutor pos-graduada",
        r"(?:{sou|eu sou|tenho/e|eh|tem}) (?:formad[oa]|graduad[oa]|licenciad[oa]|mestre|mestra|"
        r"doutora?|pos-graduad[oa]|bacharel|formacao|tecnic[oa] formad[oa]|diploma|especialista|"
        r"mestrado|doutorado) (?:em|de|na|pela|pelo) (?P<v>[a-z].{2,50})",
        _degree,
    ),
    *both(
        "quit study",
        "tranquei trancou larguei largou abandonei sai parei desisti estudo",
        r"(?:{tranquei|larguei|abandonei|sai d|parei|desisti d|(?:nao|n) (?:faco|curso|estudo) "
        r"mais/trancou|largou|abandonou|saiu d|desistiu d})[eoa]? ?(?:o |a |minha |meu )"
        r"?(?P<v>(?:faculdade|facul|curso|mestrado|doutorado|graduacao|escola|medicina|direito|"
        r"engenharia|pos|estudos|ingles)(?: .{2,40})?)",
        _quit_study,
        denied=True,
    ),
    *both(
        "skill",
        "sei sabe programo programa domino domina toco toca manjo manja entendo consigo aprendi bom boa craque",
        r"(?:{sei(?! (?:que|se|la|o que|como|quem))|aprendi a|manjo(?: muito)? de|entendo(?: muito| "
        r"bem| bastante)? de|sou (?:muito )?(?:bo[am]|otim[oa]|craque|fera|expert|especialista|"
        r"habilidos[oa]|ninja) (?:em|com|no|na|de)|mando bem (?:em|no|na)|(?P<n>domino|programo em|"
        r"tenho experiencia (?:com|em)|trabalho ha anos com)/sabe(?! (?:que|se|la|o que|como|quem))|"
        r"aprendeu a|manja de|entende(?: muito)? de|e (?:muito )?(?:bo[am]|otim[oa]|craque|fera|expert)"
        r" (?:em|com|no|na|de)|(?P<n>domina|programa em)}) (?P<v>[a-z].{2,50})",
        _skill,
    ),
    *mine(
        "thesis",
        "tcc tese dissertacao pesquisa monografia",
        r"(?:meu|minha) (?:tcc|tese|dissertacao|pesquisa|monografia|mestrado|doutorado)(?: de \w+)? "
        r"(?:e|eh|sera|vai ser) (?:sobre|em|na area de) (?P<v>[a-z].{2,60})",
        _thesis,
    ),
    *both(
        "does well",
        "cozinho cozinha canto canta danco danca desenho desenha escrevo escreve",
        r"(?P<v>{cozinho|canto|danco|desenho|escrevo|toco|jogo|costuro|pinto/cozinha|canta|danca|"
        r"desenha|escreve|costura|pinta}) (?:muito |super |mto |bem demais |bastante )?(?:bem|"
        r"divinamente|maravilhosamente|demais)(?![a-z])",
        _does_well,
    ),
]
