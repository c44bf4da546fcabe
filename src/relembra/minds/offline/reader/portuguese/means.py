"""What somebody has and owes: pay, debts, loans, and things owned, inherited or sold."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say, theirs
from relembra.minds.offline.reader.portuguese.frames import NUMERAL, own, presupposed, real
from relembra.minds.offline.reader.portuguese.values import brief, is_new, past, span
from relembra.minds.offline.reader.portuguese.vocabulary import NUMBER

__all__ = ["MEANS"]


def _pay(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        value = span(clause, match).strip(" ,.")
        yield say(None, "salary", value, f"ganha {value}", changed=is_new(clause))


def _owes(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=9)
    if value and own(clause, match.start()):
        lender = re.search(r"\scom\s(?:[oa]\s)?(?:meu\s|minha\s)?(?P<v>[\w]+)", clause.raw[match.end("v") :])
        more = f" com {lender['v']}" if lender and "com" not in value else ""
        yield say(None, "debt", f"{value}{more}", f"deve {value}{more}", changed=is_new(clause))


def _has(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(re.split(r"\sd[oa]s?\s(?:meus?|minhas?|véio|velho)\s?", span(clause, match))[0], longest=7)
    if value and own(clause, match.start()):
        yield say(None, "possession", value, f"tem {value}", changed=is_new(clause))


def _has_model(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu Opala 78": a thing known by its model."""
    value = span(clause, match)
    if own(clause, match.start()) and real(clause):
        yield say(who, "possession", value, f"tem {value}")


def _inherits(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=7)
    if value:
        yield say(None, "possession", value, f"tem {value}")


def _sold(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=5)
    if value and not re.match(r"(?:alma|ideia|peixe|rifa|ferias|imagem|\d)", flattened(value).text):
        yield say(None, "former_possession", value, f"não tem mais {value}", changed=True, held_from=past(clause))


def _owes_me(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu irmão me deve 900 reais"."""
    if who is not None:
        value = span(clause, match).strip()
        yield say(who, "debt", value, f"deve {value}, que pegou emprestado", changed=is_new(clause))


def _ours(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "A gente tem um sítio": of others, what they own is left to their own rules."""
    if who is None:
        value = brief(span(clause, match), longest=7)
        if value:
            yield say(None, "possession", value, f"tem {value}", changed=is_new(clause))


_MONEY = (
    rf"(?:(?:r\$|€|us\$|\$) ?\d[\d.,]*(?: ?(?:mil|k|milhoes))?|\d[\d.,]* ?(?:mil|k|reais|euros|dolares|conto|contos|"
    rf"pila|paus)(?: (?:reais|euros|e \d+))?|"
    rf"{NUMERAL} mil(?: (?:reais|euros))?|(?:dois|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|"
    rf"quinze) mil(?: (?:reais|euros))?|\d{{1,3}}\.\d{{3}}(?:,\d\d)?|"
    rf"\d{{3,6}}(?= ?(?:limpos?|liquidos?|brutos?|por|emprestad|$|[,.;!])))"
)
_PER = r"(?: ?(?:por|ao|a|/) ?(?:mes|hora|ano|semana|dia|faxina|aula|corrida|diaria|sessao|plantao|entrega|peca)| limpos?| brutos?| liquidos?| redondos?| fixos?)*"
_GOODS = (
    r"(?:carro|moto|motinha|scooter|bike|bicicleta|caminhao|caminhonete|trator|barco|lancha|jet ski|van|kombi|"
    r"trailer|motorhome|autocaravana|autocarro|casa|"
    r"apartamento|ape|terreno|sitio|chacara|fazenda|rancho|monte|quinta|lote|kitnet|flat|loja|galpao|salao|oficina|"
    r"queijaria|padaria|lavanderia|granja|"
    r"pousada|bar|restaurante|atelie|piano|violao|guitarra|baixo|bateria|teclado|saxofone|violino|sanfona|acordeao|"
    r"camera|drone|telescopio|notebook|computador|"
    r"pc|macbook|ipad|tablet|iphone|celular|videogame|ps[345]|xbox|nintendo|switch|maquina de \w+|impressora 3d|"
    r"impressora|ordenhadeira|forno|estufa|horta|"
    r"colecao|aquario|fusca|opala|gol|uno|palio|corsa|celta|civic|corolla|onix|hb20|kwid|renegade|hilux|strada|"
    r"saveiro|chevette|brasilia|biz|cg|fan|titan|"
    r"fazer|xre|bros|harley|vespa|patinete|prancha|arma|poupanca|previdencia|acoes|consorcio|garagem|barraca|"
    r"food truck|carroca|cavalo|gado)"
)
_OWN = r"(?:um|uma|uns|umas|dois|duas|tres|o|a|meu|minha|nosso|nossa|\d+)"

MEANS: list[Rule] = [
    *mine(
        "left to me",
        "deixou herdei deu",
        rf"me (?:deixou|deu|deixaram|deram)(?: de heranca)? (?:o |a |um |uma )(?P<v>{_GOODS}(?![a-z]).{{0,40}})",
        _inherits,
    ),
    *mine("minimum wage", "salario", r"(?:ganho|recebo|tiro) (?:so |apenas )?(?:o |um )?(?P<v>salario minimo)", _pay),
    *mine(
        "pay",
        "ganho tiro recebo faco faturo levo fecharam salario reforma pensao aposentadoria bolsa ordenado limpo",
        rf"(?:(?:ganho|tiro|recebo|faturo|levo|cobro|faco)(?: (?:limpo|limpos|liquido|bruto|uns|umas|cerca de|"
        rf"em media|por volta de|hoje|agora|la|mais ou menos|quase|so|no maximo)){{0,3}}|"
        rf"fecharam comigo(?: em| por)?|(?:o )?(?:meu|minha) (?:salario|reforma|pensao|aposentadoria|bolsa|ordenado|"
        rf"renda|mesada|pro-labore|cache)(?: \w+)? (?:e|eh|nao passa|esta|ta|ficou|caiu|subiu|foi|de)(?: "
        rf"(?:de|dos|em|pra|para|so))*) (?P<v>{_MONEY}{_PER})",
        _pay,
    ),
    *mine(
        "allowance",
        "bolsa pensao mesada auxilio ajuda",
        rf"(?:recebo|ganho|tenho) (?:uma |a )?(?:bolsa|pensao|ajuda de custo|mesada|"
        rf"auxilio)(?: \w+)? de (?P<v>{_MONEY}{_PER})",
        _pay,
    ),
    *mine(
        "pay, exact",
        "limpo limpos liquido liquidos redondo bruto",
        rf"(?<=, )(?P<v>{_MONEY} (?:limpos?|liquidos?|redondos?|brutos?))(?![a-z])",
        _pay,
    ),
    *mine(
        "pay, in wages",
        "salario salarios",
        r"(?:ganho|recebo|tiro) (?P<v>(?:\d|um|dois|tres) salarios?(?: minimos?)?(?: e meio)?)",
        _pay,
    ),
    *mine(
        "borrowed",
        "emprestado emprestados",
        rf"(?:peguei|pedi|tomei|devo) (?P<v>(?:uns )?{_MONEY}|\d+) emprestad[oa]s?(?! pr[oa])",
        _owes,
    ),
    *mine(
        "still to pay",
        "falta faltam faltam-me falta-me devendo",
        rf"falta[m]?(?:-me)?(?: (?:ainda|me|eu|so|uns))* (?:pagar|quitar|liquidar) (?P<v>{_MONEY}.{{0,40}})",
        _owes,
    ),
    *mine(
        "loan",
        "tenho consignado emprestimo financiamento fies rotativo",
        r"tenho (?:um |uma |ainda )?(?P<v>(?:credito )?(?:consignado|emprestimo|financiamento|fies|hipoteca|rotativo|"
        r"cheque especial|parcelamento|carne)(?: .{2,40})?)",
        _owes,
    ),
    *mine(
        "in arrears",
        "atrasada atrasadas atrasado atrasados",
        r"(?:to|tou|estou) com (?P<v>(?:[a-z\d]+ )?(?:parcelas?|prestac\w+|contas?|boletos?|aluguel|condominio|"
        r"mensalidades?)(?: d\w [\w ]{2,20}?)? atrasad[oa]s?)",
        _owes,
    ),
    *mine(
        "debt, labelled",
        "fies divida financiamento",
        rf"^\W*(?P<v>(?:fies|divida|emprestimo|financiamento|consignado)[^:]{{0,20}}: {_MONEY})",
        _owes,
    ),
    *mine(
        "owns",
        "tenho temos comprei compramos herdei montei ganhei possuo financiei abri abrimos",
        rf"(?:tenho|temos|comprei|compramos|herdei|herdamos|montei|ganhei|possuo|financiei|abri|abrimos|arrematei|"
        rf"resgatei|troquei de|construi)(?: (?:ja|ainda|so|la|tambem|enfim|finalmente|aqui))? "
        rf"{_OWN} (?:(?:nov[oa]|velh[oa]|antig[oa]|pequen[oa]|bel[oa]|meu|minha|belo|baita|"
        rf"super) )*(?P<v>{_GOODS}(?![a-z]).{{0,50}})",
        _has,
    ),
    *mine(
        "once had",
        "tive tivemos",
        rf"(?:ja )?(?:tive|tivemos) (?:um|uma) (?P<v>{_GOODS}(?![a-z])(?: \w+){{0,3}}?) (?:por|durante|ate|na epoca|"
        rf"em \d{{4}})",
        _sold,
    ),
    *mine(
        "sold off",
        "vendi vendemos roubaram levaram perdi doei",
        rf"(?:vendi|vendemos|doei|roubaram|dei fim n|me desfiz d)[eoa]? ?(?:o |a |meu |minha |nosso |"
        rf"nossa )(?P<v>(?:\w+ )?{_GOODS}(?![a-z]).{{0,30}})",
        _sold,
    ),
    *presupposed(
        mine(
            "owns a model",
            "meu minha nosso nossa",
            rf"(?:meu|minha|nosso|nossa) (?P<v>{_GOODS} (?:19|20)?\d\d\d?(?: [a-z]+)?|[a-z]{{2,12}} (?:19[5-9]\d|"
            rf"20[0-2]\d|1\.[0-9]|1[0-9]0|[23]00))(?![\d/a-z%]|[ ,]?(?:reais|mil|anos|kg|km|h))",
            _has_model,
        )
    ),
    *mine(
        "behind with",
        "devendo devo",
        rf"(?:(?:to|tou|estou|fiquei|ando) devendo|devo) (?:ainda )?(?P<v>(?:{NUMBER}|uns|varios) (?:mes(?:es)?|parcelas?|"
        r"prestac\w+|anos?|mensalidades?) d[eoa]s? [a-z].{2,30})",
        _owes,
    ),
    *mine(
        "took a loan",
        "peguei fiz tomei contrai assumi entrei emprestimo financiamento consignado",
        rf"(?:peguei|fiz|tomei|contrai|assumi|pegamos|fizemos) (?:um |uma |o |outro )?(?P<v>(?:emprestimo|financiamento|"
        rf"consignado|credito|divida)(?: [a-z]+){{0,2}}? de {_MONEY})",
        _owes,
    ),
    *theirs(
        "owes me",
        "deve devem devendo",
        rf"{{x/(?:ainda )?me (?:deve|devia)|(?:ta|esta) me devendo|deve-me}} (?P<v>(?:uns )?{_MONEY}|"
        r"\d[\d.]* (?:reais|euros|pila|conto))",
        _owes_me,
    ),
    *mine(
        "inherited from",
        "herdei ganhei",
        rf"(?:herdei|ganhei) (?:d[oae]s? |da minha |do meu )(?:(?:meu|minha) )?\w+(?: \w+)? (?:um |uma |o |a |uns |"
        rf"umas )(?P<v>{_GOODS}(?![a-z]).{{0,40}})",
        _inherits,
    ),
    *theirs(
        "we own",
        "gente",
        rf"{{x/tem|comprou|herdou}} {_OWN} (?P<v>{_GOODS}(?![a-z]).{{0,50}})",
        _ours,
        shared=True,
    ),
    *mine(
        "pay, named",
        "ordenado salario renda",
        rf"(?:o |meu |minha |a )?(?:ordenado|salario|vencimento|pro-labore|pensao)(?: (?:aqui|la|atual|base|"
        rf"liquido|bruto))? (?:e|eh|ta|esta)(?: de| em)? (?P<v>{_MONEY}{_PER})",
        _pay,
    ),
]
