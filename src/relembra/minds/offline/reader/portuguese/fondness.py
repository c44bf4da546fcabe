"""Tastes said in other ways: by a participle alone, by what a thing does to one, by a verdict on a thing just named."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import bare, both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import FAVORITES, alternatives
from relembra.minds.offline.reader.portuguese.wording import favored

__all__ = ["FONDNESS"]

_THINGS = alternatives(" ".join(FAVORITES))
_PLURALS = {
    "estacoes": "season",
    "cores": "color",
    "flores": "flower",
    "animais": "animal",
    "paises": "country",
    "lugares": "place",
    "cantores": "singer",
    "autores": "author",
    "escritores": "author",
}
_BEST = (
    r"(?:favorit[oa]s?|preferid[oa]s?|predilet[oa]s?|d[ao] (?:minha )?vida|do (?:meu )?coracao|numero um|numero 1|"
    r"de todos os tempos|n ?1|top 1|da infancia)"
)
_IDLE = re.compile(
    r"(?:isso|isto|aquilo|ele|ela|eles|elas|voce|vc|tudo|nada|quem|que|eu|aqui|la|agora|hoje|mas|e|a minha|o meu|"
    r"ess[ea]s?|est[ea]s?|aquel[ea]s?|dess[ea]|so|tem|sim|nao|ja|como|quando|onde|qual|se|gente$|cara$|todo "
    r"mundo|alguem|"
    r"ninguem|deus|meu deus|nossa|pelo amor|(?:meu|minha)\s(?:mae|pai|filh\w|irma\w?|marido|espos\w|"
    r"namorad\w|chefe|vida))(?![a-z])"
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


def _whole_dislike(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """What stands before the verb is the thing, all of it and nothing else."""
    raw = re.sub(r"^(?:[oa]s?|uma?)\s", "", span(clause, match), flags=re.IGNORECASE)
    if clean(raw, longest=4) == raw and not _VERBAL.search(flattened(raw).text):
        yield from _taste(who, raw, liked=False)


_VERBAL = re.compile(r"(?:^|\s)(?:\w+(?:ei|ou|ava|mos)|descobri|vi|li|eu|ele|ela|sei|tem|tenho)(?:\s|$)")
_NAMED = re.compile(
    r"(?:^|[.!\n]\s*|,\s)(?:ja\s|mas\s|e\s|agora\s)?(?P<v>(?!nao|sou|eu|como|que|qual|sem|tem|pode|posso|"
    r"voce|vc|se\s|ja\s|oi|ola|"
    r"quer|vamos|bora|sabe|serio|ta|vai|ne|ok|certo|verdade|o\sque|quem|onde|quando|cade|sera)[a-z][\w -]{2,28}?)"
    r"(?:\?+|:|\.{2,})\s*$"
)


_OF_ALL = re.compile(
    rf"(?<![a-z])(?:de|entre|dentre)\s(?:todos\sos|todas\sas|os|as)\s(?P<thing>{_THINGS}|"
    rf"{'|'.join(_PLURALS)})s?(?:\s[\w ]{{2,30}})?,?\s*$"
)


def _chosen(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "De todas as estações, fico com o outono"."""
    among = _OF_ALL.search(clause.earlier)
    value = clean(span(clause, match), longest=6)
    if among and value:
        thing = FAVORITES.get(among["thing"]) or _PLURALS[among["thing"]]
        yield say(who, f"favorite_{thing}", value, f"preferido(a) entre {among['thing']}: {value}")


_MY_FAVORITE = re.compile(
    rf"(?<![a-z])(?:meu|minha)\s(?P<thing>{_THINGS})\s(?:\w+\s)?(?:favorit|preferid|predilet)[oa]"
)


def _now_it_is(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu filme favorito não é mais Titanic, agora é Parasita"."""
    named = _MY_FAVORITE.search(clause.earlier)
    value = clean(span(clause, match), longest=6)
    if named and value:
        thing = named["thing"]
        yield say(
            who, f"favorite_{FAVORITES[thing]}", value, favored(thing, value, of_another=who is not None), changed=True
        )


def _took_against(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    yield from _taste(who, span(clause, match) or clause.raw[match.end() :], liked=False)


def _best_last(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Começa com Carinhoso, a música que mais amo": the last words before the comma, from a capital on."""
    name = re.search(
        r"(?P<v>[A-ZÀ-Þ0-9][\w'’-]*(?:\s(?:(?:de|da|do|e|o|a|das|dos)\s)?[A-ZÀ-Þ0-9][\w'’-]*)*)$", span(clause, match)
    )
    thing = FAVORITES.get(match["thing"])
    if name and thing:
        yield say(who, f"favorite_{thing}", name["v"], favored(match["thing"], name["v"]))


def _verdict(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Jiló? deus me livre": the thing was just named."""
    before = clause.message[: clause.offset + match.start()]
    named = _NAMED.search(flattened(before).text)
    if named and len(named["v"].split()) <= _LONGEST_NAMED:
        yield from _taste(who, before[named.start("v") : named.end("v")], liked=bool(match["good"]))


_LONGEST_NAMED = 4


def _best(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    thing = FAVORITES.get(match["thing"]) or _PLURALS.get(match["thing"])
    value = clean(span(clause, match), longest=6)
    if thing and value and not _IDLE.match(flattened(value).text):
        noun = span(clause, match, "thing").lower()
        yield say(
            who, f"favorite_{thing}", value, favored(noun, value, of_another=who is not None), changed=is_new(clause)
        )


_ASKED_THING = re.compile(rf"(?<![a-z])(?P<thing>{_THINGS})\s(?:\w+\s)?(?:favorit|preferid|predilet)[oa]s?(?![a-z])")


def _mine_is(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Qual sua banda favorita? a minha é …"."""
    before = flattened(clause.message[: clause.offset + match.start()]).text
    asked = next(iter([*_ASKED_THING.finditer(before)][::-1]), None)
    value = clean(span(clause, match), longest=5)
    if asked and value:
        thing = asked["thing"]
        yield say(who, f"favorite_{FAVORITES[thing]}", value, favored(thing, value, of_another=who is not None))


def _owned_by_another(match: re.Match[str], clause: Clause) -> bool:
    """Whether it is another's: "o time do coração do meu pai", "a cor favorita da Ana", "sua banda favorita"."""
    before = clause.flat[: match.start()]
    after = clause.flat[match.end("best") : match.start("v")]
    return bool(
        re.search(r"(?<![a-z])(?:sua|seu|suas|seus|tua|teu|del[ea])\s$", before)
        or re.search(r"\sd(?:[oae]s?\s|el[ea])", after)
    )


_SEASON = r"(?P<v>verao|inverno|outono|primavera)"


def _season(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match) or span(clause, match, "w")
    yield say(who, "favorite_season", value, f"estação preferida: {value}")


_CLUB = alternatives(
    "flamengo corinthians palmeiras santos sao_paulo vasco botafogo fluminense gremio internacional cruzeiro "
    "atletico "
    "galo bahia vitoria sport nautico santa_cruz ceara fortaleza remo paysandu goias vila_nova coritiba "
    "athletico avai "
    "figueirense chapecoense juventude ponte_preta guarani america_mineiro abc csa crb sampaio_correa "
    "benfica sporting "
    "braga inter mengao timao verdao bahea bragantino cuiaba criciuma mirassol"
)


def _club(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "favorite_team", value, f"torce para {value}")


FONDNESS: list[Rule] = [
    *mine(
        "likes most",
        "mais melhor nada",
        r"(?:(?:o que|o q|a coisa que|uma coisa que) (?:eu )?(?:mais (?:gosto|amo|adoro|curto)|(?:gosto|amo|"
        r"adoro) mais)(?: (?:de fazer|na vida|no mundo|de comer|de ver))* (?:e|eh)|(?:nao (?:existe|ha|"
        r"tem)(?: \w+)? )?nada (?:e )?melhor (?:do )?(?:que|q)(?: (?:um|uma|o|a))?|"
        r"nada como(?: um| uma)?) (?P<v>[a-z].{2,40})",
        _likes,
        denied=True,
    ),
    *bare(
        "fond, alone",
        "apaixonada apaixonado viciada viciado tarada tarado louca louco doida doido fanatica fanatico "
        "maluca maluco fa",
        r"(?:(?:apaixonad|tarad|louc|doid|fanatic|maluc|obcecad|fissurad|aficionad|vidrad)[oa] (?:por|em|"
        r"n[oa]s?|pel[oa]s?)|viciad[oa] "
        r"(?:em|n[oa]s?)|amante d[eao]s?|entusiasta d[eao]s?|colecionadora? d[eao]s?|devoradora? d[eao]s?) "
        r"(?P<v>[a-z0-9].{2,50})",
        _likes,
    ),
    *both(
        "fond",
        "piro pira babo babando babo resisto resiste morro mato queda fraco pago amarro vidrada vidrado "
        "derreto vibro "
        "encanto encanta topo sonho",
        r"(?:{piro(?: (?:muito|demais|total|mesmo))? (?:em|com|n[oa]s?)|(?:fico|ando|vivo) (?:babando|"
        r"maluc[oa]|doid[oa]|louc[oa]) "
        r"(?:em|por|com|n[oa]s?)|babo (?:em|por)|(?:nao|n) resisto (?:a|ao|aos|as|à)|tenho (?:uma |um "
        r")?(?:queda|fraco|fraqueza|"
        r"tara|paixao|amor|loucura|adoracao|carinho|xodo) (?:enorme |imens[oa] |especial )?(?:por|pel[oa]s?)|"
        r"pago (?:muito )?pau (?:pra|pro|para)|"
        r"me derreto (?:por|com|tod[oa] por)|me encanto (?:com|por)|vibro com|me amarro (?:em|n[oa]s?|demais "
        r"em)|sou (?:muito |super |mega |"
        r"bem )?(?:chegad[oa]|ligad[oa]|vidrad[oa]|gamad[oa]|entusiasmad[oa]) (?:em|n[oa]s?|num|numa|a|por)|"
        r"sou (?:bem )?mais(?= \w+ (?:do )?que)|"
        r"(?:nao|n) (?:abro mao|largo mao|largo|dispenso|recuso|enjoo|canso) d[eao]s?(?: (?:um|uma|meu|"
        r"minha))?|(?:estou|to|tou|ando) "
        r"(?:viciad|apaixonad|vidrad|obcecad|gamad)[oa] (?:em|por|n[oa]s?)|(?:comeria|como)(?= [\w ]{3,30} "
        r"ajoelhad)/pira (?:em|com|n[oa]s?)|baba (?:em|por)|"
        r"(?:nao|n) resiste (?:a|ao|aos|as)|tem (?:uma |um )?(?:queda|fraco|paixao|loucura|amor) (?:por|"
        r"pel[oa]s?)|se amarra (?:em|n[oa]s?)|"
        r"e (?:muito |super )?(?:chegad|ligad|vidrad|gamad)[oa] (?:em|n[oa]s?|num|numa|a)|e (?:apaixonad|"
        r"viciad|louc|doid|tarad|maluc)[oa] "
        r"(?:por|em|n[oa]s?|pel[oa]s?)}) (?P<v>[a-z0-9].{2,50})",
        _likes,
        denied=True,
    ),
    *mine(
        "wins me",
        "ganha conquista derrete vida tudo felicidade acalma alegra",
        r"^\W*(?:um |uma |o |a )?(?P<v>[a-z][\w ]{2,28}?) (?:(?:sempre )?me (?:ganha|conquista|derrete|"
        r"compra|alegra|faz feliz|deixa feliz)|e "
        r"(?:vida|tudo de bom|bom demais|amor|um vicio|viciante|perfeicao|sem defeitos|(?:a )?melhor coisa "
        r"(?:do mundo|que existe|da vida)|"
        r"meu (?:parque de diversao|refugio|ponto fraco|xodo|vicio|calmante|lugar feliz)|minha (?:cara|"
        r"alegria|terapia|perdicao|criptonita)))(?![a-z])",
        _likes,
    ),
    *both(
        "averse",
        "ranco nojo birra gastura ojeriza preguica pavor saco paciencia cara desce odeio detesto trauma "
        "implico fujo fobia "
        "asco antipatia enjoada enjoado enojada abuso",
        r"(?:{(?:tomo|peguei|criei|tomei|pego|tenho|sinto|ganhei|fiquei com)(?: (?:muito|muita|um|uma|o "
        r"maior|a maior|total|certa?|mto|mta))* "
        r"(?:ranco|nojo|birra|gastura|ojeriza|preguica|abuso|asco|antipatia|aversao|implicancia|horror|"
        r"repulsa|agonia|bode) (?:enorme |"
        r"imens[oa] |total )?(?:d[eao]s?|a|ao|com|por)|(?:nao|n) (?:tenho|tive)(?: (?:o menor|a menor|mais|"
        r"muito|muita|nenhum|nenhuma|nem))* "
        r"(?:saco|paciencia|estomago|saude|animo|vontade nenhuma|interesse) (?:pra|para|com|em|por|pro)|"
        r"(?:nao|n) vou com a cara d[eao]s?|"
        r"(?:nao|n) (?:consigo|dou conta de|posso) (?:nem )?(?:engolir|ver|ouvir|com)(?= (?:musica|funk|"
        r"sertanejo|coentro|jilo|gente|pagode|cebola|futebol))|"
        r"fujo d[eao]s?|corro d[eao]s?(?= (?:gente|festa|balada|multidao|academia))|implico com|(?:estou|to|"
        r"tou|fiquei|ando) (?:enjoad|cansad|"
        r"farto|fart|saturad)[oa]? d[eao]s?|(?:nao|n) sou (?:muito |mto |la muito |nada )?(?:fa|chegad[oa]|"
        r"de) (?:d[eao]s?|em|num|numa)|nunca (?:gostei|curti|fui (?:muito )?(?:fa|chegad[oa])|"
        r"suportei) (?:muito )?(?:d[eao]s?|em|a)?|(?:odeio|detesto)(?: (?:mto|muito|mesmo|demais|de verdade|"
        r"com forca|tanto|mais que tudo|do fundo da alma))+/(?:tem|pegou|tomou|criou)(?: (?:muito|um|uma|o maior))* "
        r"(?:ranco|nojo|birra|gastura|ojeriza|aversao|horror|pavor) (?:d[eao]s?|a|ao)|(?:nao|n) tem (?:saco|"
        r"paciencia) (?:pra|para|com)|foge d[eao]s?|"
        r"nunca gostou d[eao]s?|(?:nao|n) (?:gosta|curte|suporta|come|e fa|e chegad[oa])(?: (?:muito|nada|"
        r"nem um pouco))? (?:d[eao]s?|em|num|numa)}) "
        r"(?P<v>[a-z].{2,60})",
        _dislikes,
        denied=True,
    ),
    *mine(
        "goes not down",
        "desce entra rola engulo encaro agrada",
        r"^\W*(?P<v>[a-z][\w ]{2,28}?) (?:(?:pra|para) mim )?(?:simplesmente |definitivamente )?(?:nao|n|"
        r"nunca) (?:me )?(?:desce(?:m)?|entram?(?: n[oa] minha? (?:cozinha|casa|boca|vida|prato))?|agradam?|"
        r"engulo|encaro|curto|suporto|fazem? (?:a )?minha cabeca|e (?:a )?minha praia|e comigo)(?=\W*$|,| de "
        r"jeito| nem)",
        _whole_dislike,
        denied=True,
    ),
    *mine(
        "goes not down, after",
        "desce entra engulo",
        r"(?:nao|n) (?:me )?(?:desce|entra|engulo|rola|encaro|suporto|tolero)(?: de jeito nenhum| nem a "
        r"pau)?(?: ?:| e) (?:[oa]s? )?(?P<v>[a-z].{2,40})",
        _dislikes,
        denied=True,
    ),
    *mine(
        "disgusts me",
        "da dao agonia nojo gastura preguica ansia ranco arrepio sono tedio",
        r"^\W*(?P<v>[a-z][\w ]{2,30}?) (?:so )?me (?:da|dao|causa|causam) (?:muit[oa] |uma |um |mta |mto |"
        r"maior |a maior )?(?:nojo|gastura|preguica|ansia|"
        r"ranco|arrepio|tedio)(?![a-z])",
        _whole_dislike,
    ),
    *mine(
        "verdict",
        "livre deus pensar morta morto credo eca passo fora nunca jamais amo adoro odeio detesto pagando "
        "desce delicia vicio "
        "topo sempre curto gosto suporto",
        r"^\W*(?:(?:eu|ai|nossa|ah|isso|ja|sempre|esse|essa|ai sim) )?(?:deus me livre|nem (?:pensar|"
        r"mort[oa]|pagando|a pau|ferrando|lascando)|credo|eca|"
        r"(?:to|tou|estou) fora|passo longe|tenho (?:nojo|horror|pavor)|odeio|detesto|(?:nao|n) (?:gosto|"
        r"curto|suporto|aguento|tolero|desce|como nem)|jamais|"
        r"(?P<good>amo|adoro|sou (?:viciad|apaixonad|louc|doid)[oa]|curto (?:muito|demais)|bom demais|uma "
        r"delicia|minha perdicao|meu vicio|topo sempre|"
        r"(?:nao|n) (?:vivo|passo) sem))(?=\W|$)(?!\W+(?:d[eao]s?|que|a|o|os|as|quando|um|uma|ver|ter|ser)\s)",
        _verdict,
        denied=True,
    ),
    *mine(
        "best",
        "favorito favorita preferido preferida vida coracao um 1 tempos sempre",
        rf"(?P<thing>{_THINGS})(?: \w+)? (?P<best>{_BEST})(?: (?:no mundo|de todas?|sempre|atual|agora|"
        rf"disparado|mesmo|de longe))*(?: ?[:=]| -+>?| (?:e|eh|foi|"
        rf"sempre (?:vai ser|sera|foi)|vai ser sempre|continua sendo|segue sendo|ainda e|virou|agora e|"
        rf"passou a ser|mudou (?:pra|para)|so pode ser))"
        rf"(?: (?:sempre|agora|ainda|hoje))* (?:[oa]s? )?(?P<v>(?!del[ea]|d[oa] )[a-z0-9].{{1,50}})",
        lambda m, c, w: () if _owned_by_another(m, c) else _best(m, c, w),
    ),
    *mine(
        "favourite, named first",
        "favorito favorita preferido preferida predileto predileta",
        rf"^\W*(?:pra mim,? |para mim,? )?(?:[oa]s? )?(?P<v>[a-z0-9][\w -]{{1,34}}?),? (?:e|eh|foi|sempre foi|continua "
        rf"sendo|segue sendo|ainda e|virou) (?:disparad[oa]s? |de longe |simplesmente |sem duvida |com certeza |hoje )?"
        rf"(?:[oa] )?(?:meu|minha) (?P<thing>{_THINGS})(?: \w+)? (?:favorit|preferid|predilet)[oa](?![a-z])",
        _best,
    ),
    *theirs(
        "favourite, of another",
        "favorito favorita preferido preferida",
        rf"{{x/so quer saber d[eoa]|ama|adora|e viciad[oa] em|vive n[oa]|so joga|so ouve|so assiste|so come}} (?:[oa] )?(?P<v>[a-z0-9]"
        rf"[\w -]{{1,30}}?), (?:que )?(?:e|eh) (?:[oa] )?(?P<thing>{_THINGS}) (?:favorit|preferid)[oa] del[ea]",
        _best,
    ),
    *mine(
        "the best of",
        "melhor melhores insuperavel imbativel",
        rf"^\W*(?:pra mim,? |para mim,? )?(?:[oa]s? )?(?P<v>[a-z0-9][\w ]{{1,34}}?),? (?:e|eh|foi|sempre vai "
        rf"ser|sempre sera|continua sendo|ainda e) (?:disparad[oa] |"
        rf"de longe |simplesmente |sem duvida )?(?:[oa] )?melhor (?P<thing>{_THINGS})(?: \w+)?(?: (?:do "
        rf"mundo|de todos|de todas|da vida|ja|que|pra mim|para mim|"
        rf"ever|da historia|do planeta|que existe)|\W*$|,)",
        _best,
    ),
    *mine(
        "the best, told first",
        "melhor topo",
        rf"(?:(?:pra|para) mim,? )?(?:[oa] )?melhor (?P<thing>{_THINGS})(?: \w+)? (?:do mundo|de todos|de "
        rf"todas|da vida|pra mim|para mim|ever|da historia|"
        rf"que existe|ja (?:feit|escrit|criad|inventad)[oa])(?: os tempos)? (?:e|eh|sempre vai ser|sempre "
        rf"sera|continua sendo) (?:[oa] )?(?P<v>[a-z0-9].{{1,40}})",
        _best,
    ),
    *mine(
        "top of the list",
        "topo lista",
        rf"topo d[aeo] (?:minha )?(?:lista|ranking)(?: d[eao]s? (?P<thing>{_THINGS})s?)? (?:ta|esta|fica|e|"
        rf"eh|vem|:) (?:[oa] )?(?P<v>[a-z0-9].{{2,40}})",
        lambda m, c, w: _best(m, c, w) if m["thing"] else _likes(m, c, w),
    ),
    *mine(
        "beats any",
        "ganha qualquer outra outro bate supera melhor",
        rf"^\W*(?:[oa] )?(?P<v>[a-z0-9][\w ]{{1,30}}?) ?(?:ganha|da de dez|da de 10|>+|bate|supera|e melhor|"
        rf"e mais bonit[oa]|vence)(?: d[eao]| que| em| n[oa])? "
        rf"(?:qualquer|tod[oa]s?|as|os)(?: as| os)?(?: outr[oa]s?)? (?P<thing>{_THINGS})s?(?![a-z])",
        _best,
    ),
    *mine(
        "none comes near",
        "nenhum nenhuma perto supera pes",
        rf"(?:ja (?:vi|li|joguei|ouvi|assisti|zerei|comi|reli) )(?:o |a )?(?P<v>[a-z0-9][\w ]{{1,30}}?)(?: "
        rf"(?:umas )?\d+ ?(?:x|vezes))?,? (?:e )?nenhum[a]? (?:outr[oa] )?"
        rf"(?P<thing>{_THINGS}) (?:\w+ )?(?:chega|supera|bate|ganha)",
        _best,
    ),
    *mine(
        "of all",
        "todos todas",
        rf"(?:de|entre|dentre|d) ?tod[oa]s (?:[oa]s )?(?P<thing>{_THINGS}|estacoes|cores|flores|animais|"
        rf"paises|lugares|cantores|autores|escritores)s?(?: [\w ]{{2,30}}?)?,? (?:eu )?(?:fico com|prefiro|"
        rf"escolho|gosto (?:mais |mesmo )?(?:e )?d[eoa]|amo|voto n[oa]|nenhum[a]? (?:\w+ )?"
        rf"(?:desbanca|supera|bate|ganha d[eoa]|chega perto d[eoa]|se compara (?:a|ao|com))) (?:[oa]s? "
        rf")?(?P<v>[a-z0-9].{{2,40}})",
        _best,
    ),
    *mine(
        "of all, chosen",
        "fico prefiro escolho nenhum nenhuma gosto",
        r"^\W*(?:eu )?(?:fico com|prefiro|escolho|gosto (?:mais |mesmo )?(?:e )?d[eoa]|voto n[oa]|nenhum[a]? "
        r"(?:\w+ )?(?:desbanca|supera|bate|ganha d[eoa]|chega (?:perto d[eoa]|aos pes d[eoa]))) (?:[oa]s? "
        r")?(?P<v>[a-z0-9].{2,40})",
        _chosen,
        denied=True,
    ),
    *mine(
        "loved most",
        "mais",
        rf"(?P<thing>{_THINGS}) (?:que|q|de que|do qual|da qual) (?:eu )?(?:mais (?:amo|gosto|adoro|curto|me "
        rf"marcou|me emociona)|(?:amo|gosto|adoro) mais)(?: (?:no mundo|neste mundo|nesse mundo|na vida|de "
        rf"todos|de todas))? (?:e|eh|:) (?:[oa]s? )?(?P<v>[a-z0-9].{{2,40}})",
        _best,
    ),
    *mine(
        "loved most, named before",
        "mais",
        rf"(?P<v>[a-z0-9][\w ]{{2,34}}?), (?:[oa] )?(?P<thing>{_THINGS}) (?:que|q|de que) (?:eu )?(?:mais "
        rf"(?:amo|gosto|adoro|curto)|(?:amo|gosto|adoro) mais)",
        _best_last,
    ),
    *mine(
        "loses oneself",
        "perco-me perco pelo-me babo derreto derreto-me regalo-me",
        r"(?:perco-me|me perco|pelo-me|me pelo|derreto-me|regalo-me|encanto-me) (?:por|com|em) (?P<v>[a-z].{2,50})",
        _likes,
    ),
    *mine(
        "not to be seen",
        "nem ve-los ve-las ve-lo ve-la",
        r"^\W*(?P<v>[a-z][\w ]{2,24}?),? nem (?:ve-l[oa]s?|pinta(?:d[oa])?s?|de graca|com reza)(?![a-z])",
        _whole_dislike,
        denied=True,
    ),
    *mine(
        "took against",
        "cara fui engoli engracei",
        r"(?:nunca|nao|n) (?:fui|vou|ia) (?:muito )?com a cara d[eoa]s?|(?:nunca|nao|n) (?:me )?(?:engracei|"
        r"simpatizei|simpatizo) com (?P<v>[a-z].{2,40})",
        _took_against,
        denied=True,
    ),
    *mine(
        "if there is one",
        "tem melhor",
        rf"se (?:tem|existe|ha) (?:um|uma) (?P<thing>{_THINGS}) (?:que|q) (?:\w+ ){{1,5}}(?:e|eh) (?:[oa] "
        rf")?(?P<v>[a-z0-9].{{1,30}})",
        _best,
    ),
    *mine(
        "mine is",
        "minha meu",
        r"^\W*(?:e )?(?:a minha|o meu) (?:e|eh|sempre foi) (?:[oa] )?(?P<v>[a-z0-9].{1,30})",
        _mine_is,
    ),
    *mine(
        "now it is",
        "agora hoje",
        r"^\W*(?:agora|hoje|hj) (?:e|eh) (?:[oa]s? )?(?P<v>[a-z0-9].{1,40})",
        _now_it_is,
    ),
    *mine(
        "season",
        "verao inverno outono primavera",
        rf"{_SEASON} ?(?:>+|e a melhor estacao|e minha estacao|melhor estacao|e vida|ganha de)|(?:prefiro|"
        rf"amo|adoro|sou (?:mais|do time do|time)|gosto mesmo e d[oe]) (?:[oa] )?"
        rf"(?P<w>verao|inverno|outono|primavera)(?! d[eo])(?=\W*$|,| mil| muito| que| a[os]? |\.)",
        _season,
    ),
    *both(
        "club",
        "sou flamengo corinthians time vai bora torco torce",
        rf"(?:{{(?:sou|virei|nasci|aqui e|aqui eh|torco (?:pro|pelo|para o|pra|pela|para a)|meu time(?: do "
        rf"coracao)? (?:e|eh)|time do coracao ?:|"
        rf"sofro com|sou torcedora? d[oa])(?: (?:o|a))?/torce (?:pro|pelo|para o|pra|pela)}}) "
        rf"(?P<v>{_CLUB})(?![a-z])(?! de )",
        _club,
    ),
    *mine(
        "my club",
        "time clube",
        rf"(?P<v>{_CLUB})(?: \w+){{0,3}}\W+(?:e |eh )?(?:[oa] )?meu (?:time|clube|amor)(?![a-z])",
        _club,
    ),
]
