"""Dated and lasting undertakings by their frames: who is met when, what is due, who is served, what is being made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.agenda import dated, matter, undated
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import own
from relembra.minds.offline.reader.portuguese.values import brief, coming, is_new, span

__all__ = ["UNDERTAKINGS"]


def _meets(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    for said in dated(match, clause, "meeting", need=True):
        value = _MET.sub("reunião com ", said.value or "")
        value = _SHOWN.sub(lambda verb: "apresentação: " if verb[0].lower().startswith("a") else "defesa: ", value)
        day = f" ({said.held_from.strftime('%d/%m/%Y')})" if said.held_from else ""
        yield said if value == said.value else replace(said, value=value, content=f"Tem {value}{day}")


_MET = re.compile(
    r"^(?:vou\s)?(?:me\s|nos\s)?(?:sento|sentamos|encontro|reúno|reuno|reunimos|converso|conversamos|falo|sentar|"
    r"falar|conversar|reunir|encontrar)\s"
    r"(?:com|pr[oa])\s",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"^(?:apresento|defendo)\s(?:[oa]\s|meu\s|minha\s|pr[oa]\s)?", re.IGNORECASE)


def _called(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "O conselho me convocou pra uma conversa dia 5": with whom stands before."""
    begins, ends = coming(clause)
    value = matter(clause.raw[match.start("v") :])
    if value and begins:
        value = f"{undated(value)} com {span(clause, match, 'by')}"
        yield say(
            None, "meeting", value, f"tem {value} ({begins.strftime('%d/%m/%Y')})", held_from=begins, expires_at=ends
        )


def _comes(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Dia 22 o auditor vem aqui": somebody comes on a day."""
    begins, ends = coming(clause)
    value = undated(span(clause, match))
    if value and begins and begins > clause.said_at:
        text = f"visita: {value}"
        yield say(None, "meeting", text, f"{text} ({begins.strftime('%d/%m/%Y')})", held_from=begins, expires_at=ends)


def _due(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    yield from dated(match, clause, "deadline", need=True)


def _signed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = matter(clause.raw[match.start("v") :])
    if value and own(clause, match.start()):
        begins, ends = coming(clause)
        yield say(
            None,
            "contract",
            value,
            f"contrato: {value}",
            held_from=begins,
            expires_at=ends if re.search(r"(?<![a-z])ate(?![a-z])", clause.flat) else None,
        )


def _serves(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(re.split(r"\scomo\s", span(clause, match))[0], longest=7)
    if (
        value
        and own(clause, match.start())
        and not re.match(r"(?:essa|esse|semana|hoje|ontem|novo|nova)(?![a-z])", flattened(value).text)
    ):
        yield say(None, "client", value, f"atende o cliente {value}", changed=is_new(clause))


def _makes(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=9)
    if value and own(clause, match.start()):
        yield say(None, "project", value, f"trabalha no projeto: {value}", changed=is_new(clause))


_WHEN = (
    r"(?:dia \d|\d{1,2}/\d|\d{1,2} ?h|\d{1,2}:\d|amanha|hoje|hj|segunda|terca|quarta|quinta|sexta|sabado|domingo|"
    r"semana que vem|"
    r"semana q vem|mes que vem|\d{1,2} de [a-z]+|proxim[oa])"
)
_WORK = (
    r"(?:relatorio|tcc|artigo|projeto|trabalho|proposta|notas?|provas?|correc\w+|prestacao|declaracao|inscric\w+|"
    r"candidatura|matricula|documentos?|"
    r"balanco|planilha|orcamento|edital|monografia|tese|dissertacao|capitulo|livro|logo|site|video|thumb|encomenda|"
    r"pedido|boleto|fatura|ipva|iptu|irs|"
    r"imposto|parcela|renovacao|cadastro|formulario|redacao|apresentacao|licitacao|laudo|parecer|obra|entrega|"
    r"vestibular|recurso|contas|apolice|\w*ficha)"
)
_ARTIFACT = (
    r"(?:bot|app|aplicativo|site|jogo|game|sistema|livro|romance|album|ep|disco|podcast|canal|documentario|curta|"
    r"filme|curso|startup|plataforma|loja virtual|"
    r"ecommerce|e-commerce|robo|sensor|tcc|tese|dissertacao|monografia|artigo|horta|blog|newsletter|quadrinho|hq|"
    r"graphic novel|mural|colecao|exposicao|peca|"
    r"musical|biblioteca|api|chatbot|dashboard|portfolio|marca|linha de \w+|projeto|mapa|drone|protótipo|prototipo|"
    r"mod|servidor|maquete|reforma|casa|ong|cooperativa)"
)

UNDERTAKINGS: list[Rule] = [
    *mine(
        "meets",
        "sento sentamos encontro converso reuno reunimos almoco janto falo conversa convocou chamou marcaram marcou assembleia ficou",
        rf"(?P<v>(?:(?:sento|sentamos|me encontro|encontro|me reuno|reunimos|nos reunimos|converso|conversamos|falo|"
        rf"vou (?:sentar|falar|conversar|me reunir|me encontrar)|apresento) (?:com|pr[oa]) .{{3,80}}|"
        rf"(?:call|reuniao|assembleia|conversa|entrevista|alinhamento|audiencia|sessao|visita|banca|plenaria|junta|"
        rf"consulta|oficina|treinamento|workshop)(?! de (?:ontem|hoje)) [^,;]{{2,50}}? "
        rf"(?:ficou|marcad[ao]|foi marcad[ao]|pra|para|e|eh|sera|no dia|dia|agendad[ao]) (?:\w+ )?{_WHEN}.{{0,40}}))",
        _meets,
    ),
    *mine(
        "presents",
        "apresento",
        r"(?P<v>apresento (?:[oa] |meu |minha )[a-z].{2,50})",
        _meets,
    ),
    *mine(
        "called to meet",
        "convocou chamou convocaram chamaram intimou convidou",
        r"(?P<by>(?:[oa]s? )?[a-z][\w ]{2,40}?) me (?:convocou|chamou|convocaram|chamaram|intimou|convidou|"
        r"marcou)(?: \w+)? (?:pra|para) (?:uma |um )?"
        r"(?P<v>(?:conversa|reuniao|entrevista|audiencia|call|almoco|jantar|prova)(?![a-z]).{2,60})",
        _called,
    ),
    *mine(
        "comes on a day",
        "vem vira passa chega",
        r"(?:(?:o|a) )(?P<v>(?:auditor|fiscal|tecnico|perito|inspetor|veterinari|agronom|arquitet|engenheir|montador|"
        r"instalador|consultor|cliente|diretor|supervisor)[a-z]*(?: d\w [\w ]{2,25}?)?) (?:vem|vira|passa|chega|"
        r"visita)(?![a-z])",
        _comes,
    ),
    *mine(
        "due",
        "ate fecha encerra vence expira prometi tenho tem precisa deve",
        rf"(?:[oa]s? |meu |minha |nosso |nossa )?(?P<v>{_WORK}(?![a-z])[^,;]{{0,50}}? (?:(?:tem|tenho|precis\w+|"
        rf"dev\w+|têm)(?: (?:que|q|de))? (?:sair|estar|ta|ir|ser|seguir|chegar|ficar|dar entrada|"
        rf"subir)[^,;]{{0,30}}? (?:ate|no|na|em|pra|para|a)|"
        rf"(?:fecha|encerra|vence|expira|acaba|termina)m?(?: (?:a|em|no|na|ate|nes\w+|agora|"
        rf"pra))?) (?:\w+ )?{_WHEN}.{{0,30}})",
        _due,
    ),
    *mine(
        "due, mine",
        "ate prometi tenho",
        r"(?:tenho (?:so )?ate .{2,25}? (?:pra|para|de) (?P<v>(?:entregar|enviar|mandar|terminar|fechar|pagar|"
        r"concluir|apresentar|submeter|responder|protocolar|finalizar|acabar|escrever|corrigir).{3,60}))",
        _due,
    ),
    *mine(
        "due, promised",
        "prometi combinei fiquei",
        rf"(?:prometi|combinei|fiquei de entregar|me comprometi a entregar) (?:entregar )?(?:[oa]s? )?(?P<v>[a-z][^,;]{{3,50}}? (?:pra|para|ate|na|no) (?:\w+ )?{_WHEN}.{{0,30}})",
        _due,
    ),
    *mine(
        "due, until",
        "ate",
        rf"(?P<w>ate (?:\w+ )?{_WHEN}[^,;]{{0,20}}?,? (?:eu )?(?:tenho (?:que|de)|preciso|devo|temos (?:que|de)|"
        rf"precisamos)) (?P<v>(?:entregar|enviar|mandar|terminar|fechar|pagar|concluir|apresentar|submeter|"
        rf"protocolar|finalizar).{{3,60}})",
        _due,
    ),
    *mine(
        "signed",
        "assinei assinamos fechei fechamos contrato avenca pj renovei",
        r"(?:assinei|assinamos|fechei|fechamos|renovei|renovamos)(?: (?:ontem|hoje|hj|agora|semana passada|enfim|"
        r"finalmente|esta semana))? (?:um |o )?(?P<v>(?:contrato|avenca|pj|como pj|acordo|parceria)?(?: .{1,30})? ?"
        r"com [oa]?s? ?(?:uma? |o |a )?[a-z].{2,60})",
        lambda m, c, w: (
            _signed(m, c, w)
            if re.search(r"contrato|avenca|pj|parceria|acordo|\d (?:ano|mes)|anos|meses", c.flat)
            else ()
        ),
    ),
    *mine(
        "contract, running",
        "contrato",
        r"(?P<v>(?:meu |nosso |o )contrato(?: \w+){0,2}? (?:na|no|com [oa]?|d[ao]) ?.{2,40}? (?:vai|vence|termina|"
        r"acaba|expira|dura)[^,;]{2,40})",
        _signed,
    ),
    *mine(
        "serves",
        "atendo atendemos fregues freguesa cliente clientes",
        r"(?:(?:agora |hoje )?(?:atendo|atendemos|assessoro|presto servico pr[oa]|"
        r"presto consultoria pr?[oa]?) (?:[oa]s? )?(?=[a-z]+ [a-z])(?!cliente|gente|pessoa|public|paciente|crianc|"
        r"mulher|idos|surd|todo|telefone|porta|ligac|no |na |em |de |pelo|por |domic|adult|alun)|"
        r"(?:meu|minha|nosso|nossa) (?:(?:maior|principal|melhor|unic[oa]|primeir[oa]) )?(?:fregues|freguesa|"
        r"clientela|conta)(?: (?:principal|fix[oa]|maior))? (?:e|eh) (?:[oa] )?|"
        r"(?:ganhei|peguei|fechei|conquistei|arrumei|consegui)(?: (?:um|uma|com|o|"
        r"a))* (?:nov[oa] )?cliente(?: nov[oa])?(?: (?:essa semana|hoje|ontem|este mes|esse mes|"
        r"agora))?, (?:[oa] )?)(?P<v>[a-z].{2,50})",
        _serves,
    ),
    *mine(
        "client, apposed",
        "cliente fregues",
        r"(?P<v>[a-z]+ [a-z]+(?: d[aeo] [a-z]+)?), (?:meu |minha |nosso |nossa )?(?:cliente|fregues|"
        r"freguesa) (?:fix[oa]|antig[oa]|nov[oa]|fiel|d[oa] meu)",
        _serves,
    ),
    *mine(
        "makes",
        "fazendo criando montando gravando escrevendo desenvolvendo programando produzindo construindo tocando toco organizando",
        rf"(?:(?:to|tou|estou|ando|estamos|tamo|comecei|sigo) (?:a )?(?:fazendo|criando|montando|gravando|escrevendo|"
        rf"desenvolvendo|programando|produzindo|construindo|tocando|organizando|fazer|criar|montar|gravar|escrever|"
        rf"desenvolver|programar|"
        rf"construir)|^\W*(?:gravando|escrevendo|montando|desenvolvendo|produzindo)|toco(?: [nd]\w+ \w+)?|lidero|"
        rf"coordeno|mantenho) (?:um|uma|meu|minha|nosso|nossa|o|"
        rf"a) (?P<v>(?:\w+ ){{0,2}}?{_ARTIFACT}(?![a-z]).{{0,60}})",
        _makes,
    ),
    *mine(
        "work of mine",
        "tcc tese dissertacao monografia projeto",
        r"(?:meu|minha|nosso) (?P<v>(?:tcc|tese|dissertacao|monografia|projeto final|projeto|"
        r"trabalho de conclusao)(?: d\w \w+)? (?:e|eh|vai ser|sera) (?:um |uma )[a-z].{3,60})",
        _makes,
    ),
    *mine(
        "supplies",
        "empresa firma agencia loja oficina confeccao fabrica escritorio",
        r"(?:minha|nossa|meu|nosso) (?:empresa|firma|agencia|loja|oficina|confeccao|fabrica|escritorio|negocio|"
        r"grafica|lavanderia|cozinha) (?:presta servicos?|fornece|atende|vende|trabalha)(?: \w+){0,2}? (?:pra|para|"
        r"pro|pros|ao|a|o) "
        r"(?:[oa] )?(?P<v>[a-z].{2,40})",
        _serves,
    ),
    *mine(
        "side job",
        "freela job frila",
        r"(?:peguei|fechei|to com|estou com|to fazendo|estou fazendo|tenho) (?:um |uns |uma )?(?:freela|job|frila|"
        r"bico) (?:pra|para|de|com|pro) (?:[oa] )?(?P<v>[a-z].{4,60})",
        _makes,
    ),
    *mine(
        "looks after",
        "cuido",
        r"cuido d[oa]s? (?:redes sociais|contabilidade|site|marketing|financeiro|juridico|instagram|midias|"
        r"comunicacao|limpeza|jardim|jardins) d[oa]s? (?P<v>[a-z].{3,40})",
        _serves,
    ),
    *mine(
        "busy with",
        "metida metido envolvida envolvido dedicada dedicado",
        r"(?:ando|estou|to|tou|sigo) (?:muito |super )?(?:metid|envolvid|enfiad|mergulhad|empenhad)[oa] (?:com |em |"
        r"n)(?:[oa]s? )?(?P<v>[a-z].{4,60})",
        _makes,
    ),
]
