"""Tastes said in other ways: by a participle alone, by what a thing does to one, by a verdict on a thing just named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import bare, both, mine, say
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import FAVORITES, alternatives

__all__ = ["FONDNESS"]

_THINGS = alternatives(" ".join(FAVORITES))
_BEST = (
    r"(?:favorit[oa]s?|preferid[oa]s?|predilet[oa]s?|d[ao] (?:minha )?vida|do (?:meu )?coracao|numero um|numero 1|"
    r"de todos os tempos|n ?1|top 1|da infancia)"
)
_IDLE = re.compile(
    r"(?:isso|isto|aquilo|ele|ela|eles|elas|voce|vc|tudo|nada|quem|que|eu|aqui|la|agora|hoje|mas|e|a minha|o meu|"
    r"ess[ea]s?|est[ea]s?|aquel[ea]s?|dess[ea]|so|tem|sim|nao|ja|como|quando|onde|qual|se|gente$|cara$|todo mundo|alguem|"
    r"ninguem|deus|meu deus|nossa|pelo amor|(?:meu|minha)\s(?:mae|pai|filh\w|irma\w?|marido|espos\w|namorad\w|chefe|vida))(?![a-z])"
)


def _taste(who: Who | None, raw: str, *, liked: bool, changed: bool = False, longest: int = 6) -> Iterator[Said]:
    for value in each(raw, longest=longest):
        if _IDLE.match(flattened(value).text):
            return
        phrase = f"gosta de {value}" if liked else f"não gosta de {value}"
        yield say(who, "likes" if liked else "dislikes", value, phrase, changed=changed)


def _likes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    yield from _taste(who, span(clause, match), liked=True, changed=is_new(clause))


def _dislikes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = span(clause, match)
    people = re.match(r"(?:gente|pessoas?|quem|homem|mulher|cara)\s(?:que|q)\s[^,.;!?]{3,40}", flattened(raw).text)
    if people:
        value = raw[: people.end()]
        yield say(who, "dislikes", value, f"não gosta de {value}")
        return
    yield from _taste(who, raw, liked=False, changed=is_new(clause))


_NAMED = re.compile(
    r"(?:^|[.!\n]\s*|,\s)(?:ja\s|mas\s|e\s|agora\s)?(?P<v>(?!nao|sou|eu|como|que|qual|sem|tem|pode|posso|voce|vc|se\s|ja\s|oi|ola|"
    r"quer|vamos|bora|sabe|serio|ta|vai|ne|ok|certo|verdade|o\sque|quem|onde|quando|cade|sera)[a-z][\w -]{2,28}?)"
    r"(?:\?+|:|,|\.{2,}|!+)\s*$"
)


def _verdict(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Jiló? deus me livre": the thing was just named."""
    before = clause.message[: clause.offset + match.start()]
    named = _NAMED.search(flattened(before).text)
    if named and len(named["v"].split()) <= _LONGEST_NAMED:
        yield from _taste(who, before[named.start("v") : named.end("v")], liked=bool(match["good"]))


_LONGEST_NAMED = 4


def _best(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    thing = FAVORITES.get(match["thing"])
    value = clean(span(clause, match), longest=6)
    if thing and value and not _IDLE.match(flattened(value).text):
        noun = span(clause, match, "thing").lower()
        yield say(who, f"favorite_{thing}", value, f"{noun} preferido(a): {value}", changed=is_new(clause))


_ASKED_THING = re.compile(rf"(?<![a-z])(?P<thing>{_THINGS})\s(?:\w+\s)?(?:favorit|preferid|predilet)[oa]s?(?![a-z])")


def _mine_is(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Qual sua banda favorita? a minha é …"."""
    asked = None
    for asked in _ASKED_THING.finditer(flattened(clause.message[: clause.offset + match.start()]).text):
        pass
    value = clean(span(clause, match), longest=5)
    if asked and value:
        thing = asked["thing"]
        yield say(who, f"favorite_{FAVORITES[thing]}", value, f"{thing} preferido(a): {value}")


def _owned_by_another(match: re.Match[str], clause: Clause) -> bool:
    """Whether it is another's: "o time do coração do meu pai", "a cor favorita da Ana", "sua banda favorita"."""
    before = clause.flat[: match.start()]
    after = clause.flat[match.end("thing") : match.start("v")]
    return bool(
        re.search(r"(?<![a-z])(?:sua|seu|suas|seus|tua|teu|del[ea])\s$", before) or re.search(r"\sd[oae]s?\s(?!vida|infancia|todos)", after)
    )


_SEASON = r"(?P<v>verao|inverno|outono|primavera)"


def _season(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match) or span(clause, match, "w")
    yield say(who, "favorite_season", value, f"estação preferida: {value}")


_CLUB = alternatives(
    "flamengo corinthians palmeiras santos sao_paulo vasco botafogo fluminense gremio internacional cruzeiro atletico "
    "galo bahia vitoria sport nautico santa_cruz ceara fortaleza remo paysandu goias vila_nova coritiba athletico avai "
    "figueirense chapecoense juventude ponte_preta guarani america_mineiro abc csa crb sampaio_correa benfica sporting "
    "braga inter mengao timao verdao bahea bragantino cuiaba criciuma mirassol"
)


def _club(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "favorite_team", value, f"torce para {value}")


FONDNESS: list[Rule] = [
    *bare(
        "fond, alone",
        "apaixonada apaixonado viciada viciado tarada tarado louca louco doida doido fanatica fanatico maluca maluco fa",
        r"(?:(?:apaixonad|tarad|louc|doid|fanatic|maluc|obcecad|fissurad|aficionad|vidrad)[oa] (?:por|em|n[oa]s?|pel[oa]s?)|viciad[oa] "
        r"(?:em|n[oa]s?)|amante d[eao]s?|entusiasta d[eao]s?|colecionadora? d[eao]s?|devoradora? d[eao]s?) (?P<v>[a-z0-9].{2,50})",
        _likes,
    ),
    *both(
        "fond",
        "piro pira babo babando babo resisto resiste morro mato queda fraco pago amarro vidrada vidrado derreto vibro "
        "encanto encanta topo sonho",
        r"(?:{piro(?: (?:muito|demais|total|mesmo))? (?:em|com|n[oa]s?)|(?:fico|ando|vivo) (?:babando|maluc[oa]|doid[oa]|louc[oa]) "
        r"(?:em|por|com|n[oa]s?)|babo (?:em|por)|(?:nao|n) resisto (?:a|ao|aos|as|à)|tenho (?:uma |um )?(?:queda|fraco|fraqueza|"
        r"tara|paixao|amor|loucura|adoracao|carinho|xodo) (?:enorme |imens[oa] |especial )?(?:por|pel[oa]s?)|pago (?:muito )?pau (?:pra|pro|para)|"
        r"me derreto (?:por|com|tod[oa] por)|me encanto (?:com|por)|vibro com|me amarro (?:em|n[oa]s?|demais em)|sou (?:muito |super |mega |"
        r"bem )?(?:chegad[oa]|ligad[oa]|vidrad[oa]|gamad[oa]|entusiasmad[oa]) (?:em|n[oa]s?|num|numa|a|por)|sou (?:bem )?mais (?=\w+ (?:do )?que)|"
        r"(?:nao|n) (?:abro mao|largo mao|largo|dispenso|recuso|enjoo|canso) d[eao]s?(?: (?:um|uma|meu|minha))?|(?:estou|to|tou|ando) "
        r"(?:viciad|apaixonad|vidrad|obcecad|gamad)[oa] (?:em|por|n[oa]s?)|(?:comeria|como) (?=[\w ]{3,30} ajoelhad)/pira (?:em|com|n[oa]s?)|baba (?:em|por)|"
        r"(?:nao|n) resiste (?:a|ao|aos|as)|tem (?:uma |um )?(?:queda|fraco|paixao|loucura|amor) (?:por|pel[oa]s?)|se amarra (?:em|n[oa]s?)|"
        r"e (?:muito |super )?(?:chegad|ligad|vidrad|gamad)[oa] (?:em|n[oa]s?|num|numa|a)|e (?:apaixonad|viciad|louc|doid|tarad|maluc)[oa] "
        r"(?:por|em|n[oa]s?|pel[oa]s?)}) (?P<v>[a-z0-9].{2,50})",
        _likes,
        denied=True,
    ),
    *mine(
        "wins me",
        "ganha conquista derrete vida tudo felicidade acalma alegra",
        r"^\W*(?:um |uma |o |a )?(?P<v>[a-z][\w ]{2,28}?) (?:(?:sempre )?me (?:ganha|conquista|derrete|compra|alegra|faz feliz|deixa feliz)|e "
        r"(?:vida|tudo de bom|bom demais|amor|um vicio|viciante|perfeicao|sem defeitos|(?:a )?melhor coisa (?:do mundo|que existe|da vida)|"
        r"meu (?:parque de diversao|refugio|ponto fraco|xodo|vicio|calmante|lugar feliz)|minha (?:cara|alegria|terapia|perdicao|criptonita)))(?![a-z])",
        _likes,
    ),
    *both(
        "averse",
        "ranco nojo birra gastura ojeriza preguica pavor saco paciencia cara desce odeio detesto trauma implico fujo fobia "
        "asco antipatia enjoada enjoado enojada abuso",
        r"(?:{(?:tomo|peguei|criei|tomei|pego|tenho|sinto|ganhei|fiquei com)(?: (?:muito|muita|um|uma|o maior|a maior|total|certa?|mto|mta))* "
        r"(?:ranco|nojo|birra|gastura|ojeriza|preguica|abuso|asco|antipatia|aversao|implicancia|horror|repulsa|agonia|bode) (?:enorme |"
        r"imens[oa] |total )?(?:d[eao]s?|a|ao|com|por)|(?:nao|n) (?:tenho|tive)(?: (?:o menor|a menor|mais|muito|muita|nenhum|nenhuma|nem))* "
        r"(?:saco|paciencia|estomago|saude|animo|vontade nenhuma|interesse) (?:pra|para|com|em|por|pro)|(?:nao|n) vou com a cara d[eao]s?|"
        r"(?:nao|n) (?:consigo|dou conta de|posso) (?:nem )?(?:engolir|ver|ouvir|com)(?= (?:musica|funk|sertanejo|coentro|jilo|gente|pagode|cebola|futebol))|"
        r"fujo d[eao]s?|corro d[eao]s?(?= (?:gente|festa|balada|multidao|academia))|implico com|(?:estou|to|tou|fiquei|ando) (?:enjoad|cansad|"
        r"farto|fart|saturad)[oa]? d[eao]s?|(?:nao|n) (?:curto|gosto|sou fa|sou chegad[oa])(?: \w+){0,2} (?:d[eao]s?|em|num|numa)|nunca (?:gostei|curti|fui (?:muito )?(?:fa|chegad[oa])|"
        r"suportei) (?:muito )?(?:d[eao]s?|em|a)?|(?:odeio|detesto)(?: (?:mto|muito|mesmo|demais|de verdade|com forca|tanto|mais que tudo|do fundo da alma))+/(?:tem|pegou|tomou|criou)(?: (?:muito|um|uma|o maior))* "
        r"(?:ranco|nojo|birra|gastura|ojeriza|aversao|horror|pavor) (?:d[eao]s?|a|ao)|(?:nao|n) tem (?:saco|paciencia) (?:pra|para|com)|foge d[eao]s?|"
        r"nunca gostou d[eao]s?|(?:nao|n) (?:gosta|curte|suporta|come|e fa|e chegad[oa])(?: (?:muito|nada|nem um pouco))? (?:d[eao]s?|em|num|numa)}) "
        r"(?P<v>[a-z].{2,60})",
        _dislikes,
        denied=True,
    ),
    *mine(
        "goes not down",
        "desce entra rola engulo encaro agrada",
        r"^\W*(?P<v>[a-z][\w ]{2,28}?) (?:(?:pra|para) mim )?(?:simplesmente |definitivamente )?(?:nao|n|nunca) (?:me )?(?:desce|entra|rola|agrada|"
        r"passa|encara|engulo|encaro|curto|tolero|suporto|da|faz (?:a )?(?:minha )?cabeca|e (?:a )?minha praia|e (?:pra|para) mim|e comigo)(?=\W|$)",
        lambda m, c, w: _taste(w, span(c, m), liked=False),
        denied=True,
    ),
    *mine(
        "goes not down, after",
        "desce entra engulo",
        r"(?:nao|n) (?:me )?(?:desce|entra|engulo|rola|encaro|suporto|tolero)(?: de jeito nenhum| nem a pau)?(?: ?:| e) (?:[oa]s? )?(?P<v>[a-z].{2,40})",
        _dislikes,
        denied=True,
    ),
    *mine(
        "disgusts me",
        "da dao agonia nojo gastura preguica ansia ranco arrepio sono tedio",
        r"^\W*(?P<v>[a-z][\w ]{2,30}?) (?:so )?me (?:da|dao|causa|causam) (?:muit[oa] |uma |um |mta |mto |maior |a maior )?(?:nojo|gastura|preguica|ansia|"
        r"ranco|arrepio|tedio|enjoo|urticaria mental|coceira de raiva)(?![a-z])",
        lambda m, c, w: _taste(w, span(c, m), liked=False),
    ),
    *mine(
        "verdict",
        "livre deus pensar morta morto credo eca passo fora nunca jamais amo adoro odeio detesto pagando desce delicia vicio "
        "topo sempre curto gosto suporto",
        r"^\W*(?:(?:eu|ai|nossa|ah|isso|ja|sempre|esse|essa|ai sim) )?(?:deus me livre|nem (?:pensar|mort[oa]|pagando|a pau|ferrando|lascando)|credo|eca|"
        r"(?:to|tou|estou) fora|passo longe|tenho (?:nojo|horror|pavor)|odeio|detesto|(?:nao|n) (?:gosto|curto|suporto|aguento|tolero|desce|como nem)|jamais|"
        r"(?P<good>amo|adoro|sou (?:viciad|apaixonad|louc|doid)[oa]|curto (?:muito|demais)|bom demais|uma delicia|minha perdicao|meu vicio|topo sempre|"
        r"(?:nao|n) (?:vivo|passo) sem))(?=\W|$)(?!\W+(?:d[eao]s?|que|a|o|os|as|quando|um|uma|ver|ter|ser)\s)",
        _verdict,
        denied=True,
    ),
    *mine(
        "best",
        "favorito favorita preferido preferida vida coracao um 1 tempos sempre",
        rf"(?P<thing>{_THINGS})(?: \w+)? {_BEST}(?: (?:no mundo|de todas?|sempre|atual|agora|disparado|mesmo|de longe))*(?: ?[:=]| -+>?|,| (?:e|eh|foi|"
        rf"sempre (?:vai ser|sera|foi)|vai ser sempre|continua sendo|segue sendo|ainda e|virou|agora e|passou a ser|mudou (?:pra|para)|so pode ser))"
        rf"(?: (?:sempre|agora|ainda|hoje))* (?:[oa]s? )?(?P<v>(?!del[ea]|d[oa] )[a-z0-9].{{1,50}})",
        lambda m, c, w: () if _owned_by_another(m, c) else _best(m, c, w),
    ),
    *mine(
        "the best of",
        "melhor melhores insuperavel imbativel",
        rf"^\W*(?:pra mim,? |para mim,? )?(?:[oa]s? )?(?P<v>[a-z0-9][\w ]{{1,34}}?),? (?:e|eh|foi|sempre vai ser|sempre sera|continua sendo|ainda e) (?:disparad[oa] |"
        rf"de longe |simplesmente |sem duvida )?(?:[oa] )?melhor (?P<thing>{_THINGS})(?: \w+)?(?: (?:do mundo|de todos|de todas|da vida|ja|que|pra mim|para mim|"
        rf"ever|da historia|do planeta|que existe)|\W*$|,)",
        _best,
    ),
    *mine(
        "the best, told first",
        "melhor topo",
        rf"(?:(?:pra|para) mim,? )?(?:[oa] )?melhor (?P<thing>{_THINGS})(?: \w+)? (?:do mundo|de todos|de todas|da vida|pra mim|para mim|ever|da historia|"
        rf"que existe|ja (?:feit|escrit|criad|inventad)[oa])(?: os tempos)? (?:e|eh|sempre vai ser|sempre sera|continua sendo) (?:[oa] )?(?P<v>[a-z0-9].{{1,40}})",
        _best,
    ),
    *mine(
        "top of the list",
        "topo lista",
        rf"topo d[aeo] (?:minha )?(?:lista|ranking)(?: d[eao]s? (?P<thing>{_THINGS})s?)? (?:ta|esta|fica|e|eh|vem|:) (?:[oa] )?(?P<v>[a-z0-9].{{2,40}})",
        lambda m, c, w: _best(m, c, w) if m["thing"] else _likes(m, c, w),
    ),
    *mine(
        "beats any",
        "ganha qualquer outra outro bate supera melhor",
        rf"^\W*(?:[oa] )?(?P<v>[a-z0-9][\w ]{{1,30}}?) ?(?:ganha|da de dez|da de 10|>+|bate|supera|e melhor|e mais bonit[oa]|vence)(?: d[eao]| que| em| n[oa])? "
        rf"(?:qualquer|tod[oa]s?|as|os)(?: as| os)?(?: outr[oa]s?)? (?P<thing>{_THINGS})s?(?![a-z])",
        _best,
    ),
    *mine(
        "none comes near",
        "nenhum nenhuma perto supera pes",
        rf"(?:ja (?:vi|li|joguei|ouvi|assisti|zerei|comi|reli) )(?:o |a )?(?P<v>[a-z0-9][\w ]{{1,30}}?)(?: (?:umas )?\d+ ?(?:x|vezes))?,? (?:e )?nenhum[a]? (?:outr[oa] )?"
        rf"(?P<thing>{_THINGS}) (?:\w+ )?(?:chega|supera|bate|ganha)",
        _best,
    ),
    *mine(
        "if there is one",
        "tem melhor",
        rf"se (?:tem|existe|ha) (?:um|uma) (?P<thing>{_THINGS}) (?:que|q) (?:\w+ ){{1,5}}(?:e|eh) (?:[oa] )?(?P<v>[a-z0-9].{{1,30}})",
        _best,
    ),
    *mine("mine is", "minha meu", r"^\W*(?:e )?(?:a minha|o meu) (?:e|eh|sempre foi) (?:[oa] )?(?P<v>[a-z0-9].{1,30})", _mine_is),
    *mine(
        "season",
        "verao inverno outono primavera",
        rf"{_SEASON} ?(?:>+|e a melhor estacao|e minha estacao|melhor estacao|e vida|ganha de)|(?:prefiro|amo|adoro|sou (?:mais|do time do|time)|gosto mesmo e d[oe]) (?:[oa] )?"
        rf"(?P<w>verao|inverno|outono|primavera)(?! d[eo])(?=\W*$|,| mil| muito| que| a[os]? |\.)",
        _season,
    ),
    *both(
        "club",
        "sou flamengo corinthians time vai bora torco torce",
        rf"(?:{{(?:sou|virei|nasci|aqui e|aqui eh|torco (?:pro|pelo|para o|pra|pela|para a)|meu time(?: do coracao)? (?:e|eh)|time do coracao ?:|"
        rf"sofro com|sou torcedora? d[oa])(?: (?:o|a))?/torce (?:pro|pelo|para o|pra|pela)}}) (?P<v>{_CLUB})(?![a-z])(?! de )",
        _club,
    ),
    *mine("my club", "time clube", rf"(?P<v>{_CLUB})(?: \w+){{0,3}}\W+(?:e |eh )?(?:[oa] )?meu (?:time|clube|amor)(?![a-z])", _club),
]
