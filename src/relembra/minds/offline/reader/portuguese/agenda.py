"""Dated matters of work and life: meetings, appointments, deadlines, contracts, clients, projects, debts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.values import clean, coming, is_new, lowered, past, span
from relembra.minds.offline.reader.portuguese.wording import told

__all__ = ["AGENDA", "dated", "matter", "undated"]

_END = re.compile(
    r"\s(?:mas|porque|pq|pois|so\sque|entao|e\s(?:eu|to|estou|ja|nao|preciso|quero|to)|ne|kk+|"
    r"senao)(?![a-z]).*|[;.!?()…](?!\d).*|,\s(?!\d|as\s|dia|na|no|em|com|segunda|terca|quarta|"
    r"quinta|sexta|sabado|domingo).*",
    re.DOTALL,
)


def matter(raw: str) -> str | None:
    cut = _END.search(flattened(raw).text)
    value = (raw[: cut.start()] if cut else raw).strip(" ,:-\"'").rstrip(" !.…,")
    value = re.sub(
        r"^(?:(?:tenho|temos|preciso|devo|precisamos)(?: que| de)? |a |o |uma |um |meu |minha )",
        "",
        value,
        flags=re.IGNORECASE,
    )
    return lowered(value) if 1 <= len(value.split()) <= 18 else None


_DAY = r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|seg|ter|qua|qui|sex|sab|dom)(?:-feira| feira)?"
_MONTH = (
    r"(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|jan|fev|mar|abr|"
    r"mai|jun|"
    r"jul|ago|set|out|nov|dez)(?![a-z])"
)
_HOUR = r"(?:\d{1,2}(?::\d\d|\s?h(?:s|rs|oras)?\d{0,2})|(?:uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)(?=\sda\s))"
_DATE_WORDS = re.compile(
    r"(?:,?\s(?:e|eh|é|foi|ficou|sera|esta|ta|cai|caiu|mudou|passou|remarcad[ao]|(?:foi |esta |ta )?(?:marcad|"
    r"agendad|adiad|remarcad)[ao]))?"
    r"(?:,?\s?(?:^|\s)(?:pra|para|pro|no|na|nos|nas|em|a|as|ao|ate|de|do|da|dia|o|agora|nesta|nessa|neste|nesse|"
    r"desta|deste|la pelas|por volta das|,))*"
    rf",?\s?(?:^|\s|(?<=,))(?:dia\s\d{{1,2}}(?:\s?/\s?\d{{1,2}})?(?:\sde\s{_MONTH})?|"
    rf"\d{{1,2}}[/.]\d{{1,2}}(?:[/.]\d{{2,4}})?|\d{{1,2}}[oº]?\sde\s{_MONTH}|{_MONTH}(?:\sde\s\d{{4}})?|"
    rf"{_DAY}(?![a-z])|amanha|ontem|(?<=as\s)\d{{1,2}}(?:\se\smeia)?|depois\sde\samanha|hoje|hj|(?:semana|mes|"
    rf"ano)\s(?:que|q)\svem|(?:proxim[oa]|fim|final|comeco|inicio)\s(?:d[oe]\s)?(?:semana|mes|ano|{_DAY}|{_MONTH})|"
    rf"{_HOUR}|meio-dia|(?:da|de|a|pela)\s(?:manha|tarde|noite)|agora|cedo|que\svem)(?![a-z0-9])"
)
_HANGING = re.compile(
    r"(?<![\s,;:-])(?:[\s,;:-]++(?:(?<=\s)(?:e|eh|é|foi|ficou|sera|esta|ta|cai|mudou|passou|pra|para|pro|no|na|em|a|as|ao|ate|de|do|da|"
    r"dia|o|que|q|vence|termina|acaba|fecha|"
    r"encerra|expira|tem|precisa|marcad[ao]|agendad[ao]|deste|desta|desse|dessa|vem|vai|deste mes|desse mes|de tudo))?)+$"
)


def undated(value: str) -> str:
    """What a dated matter is, without its date: "consulta com o cardiologista"."""
    kept = value
    for _ in range(_MOST_DATES):
        found = _DATE_WORDS.search(flattened(kept).text)
        if found is None:
            break
        kept = f"{kept[: found.start()]} {kept[found.end() :]}"
    kept = " ".join(kept.split()).strip(" ,;:-")
    while hanging := _HANGING.search(flattened(kept).text):
        kept = kept[: hanging.start()]
    return kept if len(kept) > _SHORTEST else value


_MUST = re.compile(
    r"\s(?:tem|precisam?|devem?)(?:\s(?:que|q|de))?\s(?:sair|estar|ta|ir|ser|seguir|chegar|ficar|dar|subir)(?![a-z]).*",
    re.DOTALL,
)
_MOST_DATES = 4
_SHORTEST = 2


def dated(match: re.Match[str], clause: Clause, attribute: str, *, need: bool) -> Iterator[Said]:
    value = matter(clause.raw[match.start("v") :])
    begins, ends = coming(clause)
    if value is None or (need and begins is None):
        return
    value = undated(value)
    if attribute == "deadline" and begins and ends and ends - begins > timedelta(days=2):
        begins = ends - timedelta(days=1)  # "até sexta": the day it ends with
    shown = begins.strftime("%d/%m/%Y") if begins else ""
    told_whole = re.search(r"\b(?:é|e|foi|será|ficou|está|tá|cai|mudou|passou)\b", value)
    phrase = value if told_whole else f"tem {value}"
    if attribute == "deadline":
        phrase = f"prazo: {value}"
        obliged = _MUST.search(flattened(value).text)
        value = value[: obliged.start()] if obliged else value
    yield say(
        None,
        attribute,
        value,
        f"{phrase} ({shown})" if shown else phrase,
        held_from=begins,
        expires_at=ends,
        changed=is_new(clause),
    )


def _meeting(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    yield from dated(match, clause, "meeting", need=True)


def _deadline(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    yield from dated(match, clause, "deadline", need=True)


def _contract(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = matter(clause.raw[match.start("v") :])
    if not value:
        return
    begins, ends = coming(clause)
    ending = re.search(r"(?<![a-z])(?:venc\w+|ate|termina\w*|acaba\w*|expira\w*)(?![a-z])", clause.flat)
    dated_past = re.search(r"(?<![a-z])(?:ontem|hoje|hj|passad[oa]|desde|dia\s\d)(?![a-z])", clause.flat)
    shown = (
        f" ({(ends if ' ate ' in clause.flat and ends else begins).strftime('%d/%m/%Y')})" if begins and ending else ""
    )
    yield say(
        None,
        "contract",
        re.sub(
            r"^(?:assinei|assinamos|assinou|fechei|fechamos|fechou|renovei|renovamos|renovou|ganhamos|ganhou)\s(?:[oa]\s|um\s|uma\s)?",
            "",
            undated(value),
            flags=re.IGNORECASE,
        ),
        f"contrato: {told(value)}{shown}",
        held_from=past(clause) if dated_past and not ending else None,
        expires_at=ends if ending else None,
    )


def _client(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not re.match(
        r"(?:que|ideal|chat|dificil|me|nao|ta|ligou|pediu|quer|reclamou|novo$|nova$|semana|essa|esse|hoje|hj|ontem|"
        r"mes|atendo|empresa$)(?![a-z])",
        flattened(value).text,
    ):
        yield say(None, "client", value, f"atende o cliente {value}", changed=is_new(clause))


def _project(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=9)
    if value and not re.match(r"(?:la|muito|parad|atrasad|bem|mal)(?![a-z])", flattened(value).text):
        yield say(None, "project", value, f"trabalha no projeto: {value}", changed=is_new(clause))


def _debt(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = matter(span(clause, match))
    if value:
        yield say(None, "debt", value, f"deve {value}", changed=is_new(clause))


_MEET = (
    r"(?:[a-z]{4,}ologista|pediatra|psiquiatra|oftalmo|dermato|cardio|endocrino|terapia|alinhamento|kickoff|kick-off|"
    r"daily|sprint review|treinamento|onboarding|videochamada|"
    r"sabatina|reuniao|consulta|entrevista(?: de emprego)?|call|exame|audiencia|apresentacao|prova|"
    r"cirurgia|dentista|medico|sessao|retorno|ultrassom|compromisso|viagem|voo|casamento|formatura|"
    r"defesa|visita|pericia|vistoria|banca|palestra|workshop|show|vacina|mamografia|evento|almoco "
    r"com|jantar com|encontro com|jogo|maratona|corrida|festa|aniversario|batizado|ressonancia|"
    r"tomografia|aula inaugural|mudanca|concurso|vestibular|enem|quimio)"
)
_AMOUNT = (
    r"(?:r\$ ?|€ ?|us\$ ?)?\d[\d.,]*(?: ?(?:mil|k|milhoes|milhao))?(?: ?(?:reais|euros|dolares|" r"conto|contos|pila))?"
)


def _bare(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """A note without a verb: "reunião com a diretoria dia 22/04"."""
    if not re.search(
        r"(?<![a-z])(?:foi|fui|teve|era|atrasou|cancelaram|acabou|deu|dele|dela|ontem|passad[oa])" r"(?![a-z])",
        clause.flat,
    ):
        yield from dated(match, clause, "meeting", need=True)


def _planned(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = matter(clause.raw[match.start("v") :])
    begins, _ = coming(clause)
    if value and begins and begins > clause.said_at:
        shown = re.sub(r"^(?:me caso|caso|vou (?:me )?casar)", "vai casar", value, flags=re.IGNORECASE)
        shown = told(re.sub(r"^vou (?:me )?", "vai ", shown, flags=re.IGNORECASE))
        yield say(None, "event", shown, f"{shown} ({begins.strftime('%d/%m/%Y')})", held_from=begins)


AGENDA: list[Rule] = [
    *mine(
        "meeting",
        "alinhamento kickoff daily treinamento onboarding videochamada reuniao consulta entrevista "
        "call exame audiencia apresentacao prova cirurgia dentista sessao retorno ultrassom "
        "compromisso voo casamento formatura defesa visita pericia banca palestra workshop show vacina "
        "evento jogo maratona corrida batizado viagem medico concurso enem vestibular mudanca quimio "
        "festa",
        rf"(?:(?:tenho|temos|marquei|marcamos|agendei|vou ter|marcaram|remarquei|remarcaram|confirmei|"
        rf"comprei ingresso pr[ao]|consegui marcar|tenho marcad[ao]) (?:(?:uma|um|a|o|minha|meu|outra|"
        rf"outro) )?(?P<v>{_MEET}(?![a-z]).{{0,80}}))",
        _meeting,
    ),
    *mine(
        "meeting, told",
        "reuniao consulta entrevista call exame audiencia apresentacao prova cirurgia dentista sessao "
        "retorno ultrassom voo casamento formatura defesa pericia banca palestra viagem vestibular "
        "mudanca quimio",
        rf"(?:(?:[oa] )?(?:minha|meu|nossa|nosso|a|o) )(?P<v>{_MEET}(?![a-z]).{{0,50}}? (?:e|eh|sera|"
        rf"ficou|foi (?:re)?marcad[ao]|foi (?:re)?agendad[ao]|esta marcad[ao]|ta marcad[ao]|foi adiad[ao]|vai ser|"
        rf"cai|mudou|passou)"
        rf"(?![a-z]) .{{2,50}})",
        _meeting,
    ),
    *mine(
        "happens",
        "caso defendo viajo opero embarco apresento faco formo vou",
        r"(?P<v>(?:me caso|caso|defendo (?:minha|meu|a|o) \w+|viajo|opero|embarco|me formo|me mudo|vou "
        r"(?:casar|operar|me casar|viajar|me mudar|defender|me operar)|comeco a quimio|faco (?:a )"
        r"?(?:prova|cirurgia|intercambio)) (?:.{0,40}? )?(?:dia|em|no|na|amanha|semana|mes|segunda|"
        r"terca|quarta|quinta|sexta|sabado|domingo|pra|para|ano).{0,50})",
        _planned,
    ),
    *mine(
        "meeting, bare",
        "reuniao consulta entrevista call exame audiencia apresentacao prova cirurgia dentista retorno "
        "ultrassom voo defesa pericia banca alinhamento",
        rf"^\W*(?:(?:lembrete|agenda|aviso)\W+)?(?P<v>{_MEET} (?:com|d[aoe]|no|na|dia|as|em|amanha|"
        rf"segunda|terca|quarta|quinta|sexta|marcad[ao]) .{{2,80}})",
        _bare,
    ),
    *mine(
        "leads",
        "lidero coordeno conduzo gerencio toco",
        r"(?:lidero|coordeno|conduzo|gerencio|estou (?:liderando|coordenando|conduzindo|tocando)|to "
        r"(?:liderando|coordenando|conduzindo|tocando)) (?:[oa] )?(?P<v>(?:projeto|migracao|"
        r"implantacao|reforma|construcao|obra|desenvolvimento|lancamento|redesign|reestruturacao|"
        r"expansao|campanha|squad|transicao|integracao|pesquisa)(?![a-z]).{0,60})",
        _project,
    ),
    *mine(
        "deadline",
        "prazo entrego entregar entrega deadline vence tcc vencimento inscricao inscricoes",
        r"(?P<v>(?:(?:[oa] )?(?:meu |minha |o |a )?(?:prazo|deadline|vencimento|entrega|data limite|"
        r"inscricoes|inscricao)(?: .{0,40}?)? (?:e|eh|vence|termina|acaba|ficou|sera|foi|ate|encerra|"
        r"vai ate|cai|pra|para|mudou)(?![a-z]).{2,60}|(?:tenho (?:que|de)|preciso|devo|temos (?:que|de)"
        r"|precisamos) (?:entregar|enviar|finalizar|submeter|protocolar|mandar|terminar|concluir|"
        r"apresentar|pagar) .{3,60}? (?:ate|dia|na|no|em|pra|amanha|segunda|terca|quarta|quinta|sexta)"
        r".{0,30}|entrego .{3,50} (?:ate|dia|na|no|em|amanha).{2,30}|(?:tcc|relatorio|projeto|artigo|"
        r"trabalho|proposta|boleto|imposto|ipva|seguro|cartao|fatura)(?: .{0,25}?)? (?:vence|e pra|tem "
        r"(?:que|q|de) (?:sair|ser entregue|estar pront[oa]|ficar pront[oa])|precisa (?:sair|estar "
        r"pronto|ser entregue)|deve ser entregue) .{2,40}))",
        _deadline,
    ),
    *mine(
        "contract",
        "contrato contratos renovei assinei aluguel",
        r"(?P<v>(?:(?:assinei|assinamos|fechei|fechamos|renovei|renovamos|cancelei|rescindi) (?:[oa] |"
        r"um |uma |meu |minha |nosso )?(?:novo |nova )?contrato.{0,70}|(?:[oa] |meu |minha |nosso )"
        r"?contrato (?:d[eoa]|com|do aluguel).{2,40}? (?:vence|termina|acaba|expira|vai ate|e de|foi "
        r"renovad|comeca|tem).{2,50}|meu contrato (?:vence|termina|acaba|expira|vai ate|e de|e por|e "
        r"ate).{2,50}))",
        _contract,
    ),
    *mine(
        "contract won",
        "contrato licitacao",
        r"(?:(?:[oa] )?(?:minha|nossa) (?:empresa|firma|equipe|agencia|startup|loja)|a gente|nos) (?P<v>(?:ganh|fech|assin|"
        r"renov)(?:ou|amos) (?:[oa] |um |uma )?(?:novo |nova )?(?:contrato|licitacao)(?![a-z]).{2,70})",
        _contract,
    ),
    *mine(
        "client",
        "cliente clientes atendo conta",
        r"(?:(?:meu|minha|nosso|nossa|um dos meus|uma das nossas) (?:(?:maior|principal|nov[oa]|melhor|"
        r"atual|primeir[oa]|antig[oa]) )?clientes?(?: (?:principal|nov[oa]|mais antig[oa]|hoje|hj|"
        r"agora|atualmente))*(?: (?:e|eh|agora e|se chama)|,) (?:[oa] )?|(?:fechei|fechamos|ganhei|"
        r"ganhamos|conquistei|peguei|conseguimos|consegui)(?: contrato)? (?:com )?(?:[oa] )?(?:um |uma "
        r")?(?:nov[oa] )?(?:cliente|conta)(?: nov[oa])?(?: grande)?[,:]? (?:d[oa] |[oa] )?|atendo "
        r"(?:[oa] )?cliente |(?:[oa] )?(?=[A-Z])(?P<y>x)?)(?P<v>[a-z].{2,40})",
        _client,
    ),
    *mine(
        "client, taken",
        "cliente clientes",
        r"(?:peguei|pegamos|fechei com|fechamos com|ganhei|ganhamos|conquistei|conquistamos|atendo|"
        r"atendemos) (?:[oa]s? )?(?P<v>[a-z][\w ]{2,40}?) como (?:nov[oa] )?cliente",
        _client,
    ),
    *mine(
        "client, turned",
        "cliente",
        r"(?:^|[,;] )(?:[oa] )?(?P<v>[a-z][\w ]{2,24}?) (?:e|eh|virou|agora e|passou a ser) (?:[oa] )"
        r"?(?:meu|minha|nosso|nossa)(?: (?:maior|principal|nov[oa]|melhor))? cliente",
        _client,
    ),
    *mine(
        "project",
        "projeto projetos desenvolvendo escrevendo construindo",
        r"(?:(?:meu|nosso) (?:(?:novo|atual|principal|maior) )?projeto(?: (?:novo|atual|principal|"
        r"agora|pessoal|no trabalho|de mestrado|de doutorado))* (?:e|eh|se chama|chama|agora e|sobre)"
        r"(?: sobre)? |(?:estou|to|tou|comecei|trabalho|estamos|tamos|toco|lidero|coordeno)(?: "
        r"(?:trabalhando|tocando|liderando|coordenando|envolvid[oa]|num?|a trabalhar))? (?:n?[oa]|em|"
        r"num|um) projeto (?:d[eoa] |chamado |sobre |que |com |pra )?|(?:estou|to|tou) (?:escrevendo|"
        r"desenvolvendo|construindo|criando|montando|a escrever|gravando|produzindo) (?=(?:um|uma|meu|"
        r"minha) (?:livro|app|aplicativo|jogo|site|sistema|romance|tese|podcast|curso|album|disco|"
        r"documentario|canal|startup|dissertacao|tcc)))(?P<v>[a-z].{3,70})",
        _project,
    ),
    *mine(
        "debt",
        "devo devendo divida dividas financiamento emprestimo parcelas prestacoes nome fies hipoteca",
        rf"(?:(?:(?:estou|to|tou|fiquei|ainda) )?(?:devo|devendo|a dever) (?=(?:uns |cerca de |mais de "
        rf"|quase )?{_AMOUNT})(?=.*\d)|tenho (?:uma |um |umas )?(?=(?:dividas?|emprestimos?|"
        rf"financiamentos?|consorcio|hipoteca) )|(?:minha|a) (?=divida (?:e|eh|esta|ta|d[eoa]|com|no) )"
        rf"|(?:ainda )?falta(?:m|ndo)? (?=\d+ (?:parcelas|prestacoes))|pago (?=.*(?:parcela|"
        rf"financiamento|prestac|emprestimo|consorcio|hipoteca)))(?P<v>[a-z0-9€$].{{2,70}})",
        _debt,
    ),
    *mine(
        "bad credit",
        "nome spc serasa",
        r"(?:estou|to|tou|fiquei) com (?:o )?(?P<v>nome (?:sujo|no spc|no serasa|negativado))",
        _debt,
    ),
]
