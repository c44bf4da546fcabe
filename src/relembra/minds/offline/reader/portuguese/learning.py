"""Learning and skill by their frames: studies told in passing, and what somebody is good at."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.frames import own, presupposed, real
from relembra.minds.offline.reader.portuguese.study import course
from relembra.minds.offline.reader.portuguese.values import brief, is_new, past, span

__all__ = ["LEARNING"]


def _schooled(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value and own(clause, match.start()):
        yield say(None, "study", value, f"tem formação em {value}")


def _enrolled(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value and own(clause, match.start()):
        yield say(None, "study", value, f"estuda {value}", changed=is_new(clause))


def _study_of_mine(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=7)
    over = r"(?<![a-z])(?:termin\w+|acab\w+|conclu\w+|defend\w+|tranquei|larguei|abandonei|fiz|quero|vou|depois|antes|durante|epoca|desist\w+)(?![a-z])"
    if value and own(clause, match.start()) and real(clause) and not re.search(over, clause.flat):
        yield say(None, "study", value, f"faz {value}")


def _year_of(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=8)
    if value and own(clause, match.start()):
        yield say(None, "study", value, f"está no {value}")


def _dropped_study(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=6)
    if value and not re.match(
        r"(?:porta|carro|cartao|conta|celular|chave|casa|voo|quarto|bike|moto|portao|assinatura|tela)(?![a-z])",
        flattened(value).text,
    ):
        yield say(None, "former_study", value, f"não estuda mais {value}", changed=True, held_from=past(clause))


def _able(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=7)
    if (
        value
        and own(clause, match.start())
        and not re.match(r"(?:isso|tudo|ele|ela|nada|problema)(?![a-z])", flattened(value).text)
    ):
        yield say(
            None,
            "skill",
            value,
            f"sabe {value}" if re.match(r"\w+[aei]r(?![a-z])", flattened(value).text) else f"é bom em {value}",
        )


def _played(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"tocar {span(clause, match)}"
    yield say(who, "skill", value, f"sabe {value}")


LEARNING: list[Rule] = [
    *mine(
        "schooled in",
        "formacao fiz",
        r"(?:minha formacao (?:e|eh) (?:em |de )?|fiz (?:faculdade|graduacao|licenciatura|mestrado|pos|pos-graduacao|"
        r"doutorado) (?:de|em) )(?P<v>[a-z].{2,40})",
        _schooled,
    ),
    *mine(
        "does it oneself",
        "mesmo mesma",
        r"eu mesm[oa] (?:que |quem )?(?P<v>(?:conserto|arrumo|costuro|instalo|pinto|monto|corto|troco|programo|reformo|"
        r"construo|edito|afino|reparo) (?:[oa]s? |minhas? |meus? )?[a-z][\w ]{2,40})(?=$|[,.;!])",
        lambda m, c, _w: [say(None, "skill", span(c, m).strip(), f"faz por conta própria: {span(c, m).strip()}")],
    ),
    *mine(
        "does it well",
        "edito programo escrevo desenho dirijo cozinho costuro toco falo danco monto conserto",
        r"(?P<v>(?:edito|programo|escrevo|desenho|dirijo|costuro|monto|conserto|pinto|fotografo|negocio|organizo|"
        r"ensino) [\w ]{2,20}?) (?:muito |super |mto )?bem(?=$|[,.;!])",
        lambda m, c, _w: [say(None, "skill", span(c, m), f"faz bem: {span(c, m)}")],
    ),
    *mine(
        "enrolled",
        "inscrevi inscrevi-me matriculei matriculei-me cursando fazendo ingressei",
        r"(?:(?:me )?(?:inscrevi|matriculei)(?:-me)?|ingressei)(?: (?:na|no|em) (?:universidade|faculdade|facul|"
        r"escola|instituto|ifsp)[\w ]{0,20}?,?)? (?:em|no curso de|pra|para) (?P<v>[a-z].{3,50})",
        _enrolled,
    ),
    *mine(
        "studies, on the side",
        "fazendo cursando",
        r"(?:senai|senac|etec|facul|faculdade|noites?|cursinho|if\w*|u[fns]\w+|ead|"
        r"escola tecnica)(?: \w+){0,2}? (?:fazendo|cursando|estudando) (?P<v>[a-z].{3,40})",
        _enrolled,
    ),
    *presupposed(
        mine(
            "study of mine",
            "meu minha",
            r"(?:meu|minha|do meu|da minha) (?P<v>(?:mestrado|doutorado|faculdade|facul|graduacao|pos|pos-graduacao|"
            r"licenciatura|residencia|especializacao|mba|cursinho|curso tecnico|curso) "
            r"(?:em|de|na|no) (?!casa|ferias|graca|merda|novo|volta)[a-z].{2,40})",
            _study_of_mine,
        )
    ),
    *mine(
        "year of study",
        "periodo semestre ano serie fase terceirao",
        r"(?:^\W*|(?:no|o|alun[oa] d[oa]|repetindo o|fazendo o|cursando o|na|a|:|,) )(?P<v>(?:\d{1,2} ?[oaº°ª]?|"
        r"primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|quint[oa]|sext[oa]|setim[oa]|oitav[oa]|non[oa]|"
        r"ultim[oa]) (?:periodo|semestre|ano|serie|fase) "
        r"d[eoa] (?!faculdade de quem|20|19|vida|governo|mandato|contrato|pandemia|casad|namoro)[a-z].{2,40})",
        _year_of,
    ),
    *mine(
        "stopped school",
        "parei deixei",
        r"(?:parei|deixei) de estudar (?:n[oa] |em )?(?P<v>[a-z].{3,30})",
        _dropped_study,
    ),
    *mine(
        "dropped out",
        "tranquei larguei abandonei",
        r"(?:tranquei|abandonei)(?: (?:o|a|o curso de|a faculdade de|a facul de|minha|"
        r"meu))? (?P<v>[a-z].{2,30}?(?: n[oa] [a-z]\w+)?)(?=$|[,.;!]| (?:de vez|no|na|em|porque|pq|e|pra|faz|ano) ?)",
        _dropped_study,
    ),
    *mine(
        "able",
        "mando mao jeito dom talento facilidade manha",
        r"(?:mando(?: muito| mt)? bem(?: demais| pra caramba| mesmo)? (?:em|no|na|nos|nas|com|de)|"
        r"tenho (?:uma )?(?:boa )?(?:mao(?: boa)?|jeito|dom|talento|facilidade|manha|pegada|pratica) "
        r"(?:para|pra|com|em|de|pro)) (?P<v>[a-z].{2,40})",
        _able,
    ),
    *mine(
        "able, turned",
        "comigo",
        r"(?:^\W*|(?<=[,:;] ))(?P<v>[a-z][\w ]{2,40}?) (?:e|eh|sao) comigo(?: mesm[oa])?(?![a-z])",
        _able,
    ),
    *mine(
        "able, asleep",
        "faco desco monto resolvo",
        r"(?:faco|desco|monto|resolvo|cozinho|dirijo|conserto|costuro|toco) (?P<v>[a-z][\w ]{2,40}?) (?:ate dormindo|"
        r"de olhos? fechados?|com um pe nas costas|brincando)(?![a-z])",
        _able,
    ),
    *both(
        "plays an instrument",
        "toco toca toquei tocou",
        r"(?:{toquei|arranho/tocou}) (?:(?:um pouco de|muito|bem|o|a) )?(?P<v>violao|guitarra|piano|teclado|bateria|"
        r"baixo|contrabaixo|flauta|saxofone|sax|violino|viola|cavaquinho|sanfona|"
        r"acordeao|clarinete|trompete|trombone|pandeiro|gaita|ukulele|harpa|percussao|orgao|concertina|bandolim|"
        r"violoncelo|cello|berimbau|tambor)(?![a-z])",
        _played,
    ),
]
