"""Tastes: what somebody likes, dislikes and likes best."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.people import people_in, whose
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import FAVORITES, alternatives
from relembra.minds.offline.reader.portuguese.wording import favored

__all__ = ["TASTES"]

_NOT_TASTE = re.compile(
    r"(?:saber|ideia$|ajuda|resposta|dica|noticia|o\sjeito|seu|sua|teu|tua|dele|dela|voce|"
    r"conversar\scontigo|(?:conversar|falar)\scom\s(?:voce|vc)|falar\scom\s(?:voce|vc)|"
    r"jeito\sque|forma\sque|como\s|o\sque|esse|essa|este|esta|aquel|disso|mim|minha\s(?:mae|irma|"
    r"esposa|mulher|filha|namorada|vida)|"
    r"meu\s(?:pai|marido|filho|irmao|namorado|trabalho)|agradecer|perguntar|pedir|dizer|"
    r"ver\s(?:isso|se)|bater|ouvir\sisso|morrer|rir$|"
    r"olha|sua\s|ser\s(?:chamad|tratad|honest)|ajudar\?|sugest|indicac)(?![a-z])"
)
_THIS = re.compile(
    r"(?:audios?(?![a-z])|ligac(?:ao|oes)|telefonema|textao|emojis?|(?:d)?(?:ess[ea]s?|est[ea]s?|"
    r"aquel[ea]s?|isso|seu|sua)|(?:[oa]\s)?(?:primeir|segund|terceir|ultim)[oa]|que\s(?:voce|vc)|"
    r"muito$|ouvir$|ver$|como\s(?:voce|vc))(?![a-z])|(?:com|nem)\s"
)


_IS_VERB = re.compile(
    r"(?:^|[,;:.!()-]|(?<![a-z])(?:eu|tambem|tb|tbm|so|sempre|e|mas|que|q|ja|ainda|super|mto|muito|bem|aqui|"
    r"agora|hoje|realmente|mesmo|porque|pq|"
    r"pois|como|se|quando|onde|do|ou|kk+|rs+|hj|tipo|tanto|mais|ate|quanto|la|sim|nos))\s*$"
)


def _likes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if _THIS.match(match["v"]) or "\U0001f644" in clause.sentence:
        return
    if match[0].startswith(("curto", "gosto")) and not _IS_VERB.search(clause.flat[: match.start()]):
        return  # "responde curto", "deixa um gosto de sabão": not the verb
    for value in each(span(clause, match), longest=8):
        if _NOT_TASTE.match(flattened(value).text):
            return
        yield say(who, "likes", value, f"gosta de {value}", changed=is_new(clause))


def _dislikes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = span(clause, match)
    flat = flattened(raw).text
    if told := re.match(r"(?:de\s)?(?:que|quando)\s(?P<v>[^,.;!?]{4,50})", flat):
        value = raw[told.start() : told.end()].removeprefix("de ").strip()
        if not re.search(r"(?<![a-z])(?:voce|vc)(?![a-z])", flattened(value).text):
            yield say(who, "dislikes", value, f"não gosta {value}")
        return
    if " nem " in match[0][: match.start("v") - match.start()]:
        return  # "não suporto nem passar perto": of what was said before
    if _THIS.match(flat) and not (
        match[0].startswith(("odeio", "detesto")) and re.match(r"(?:audio|ligac|telefon|textao|emoji)", flat)
    ):
        return
    link = re.search(r"(?:que|quando)\s$", match[0][: match.start("v") - match.start()])
    for value in each(raw, longest=8):
        if _NOT_TASTE.match(flattened(value).text):
            return
        phrase = f"não gosta {link[0]}{value}" if link else f"não gosta de {value}"
        yield say(who, "dislikes", value, phrase, changed=is_new(clause))


def _topic_likes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=4)
    if value and not _NOT_TASTE.match(flattened(value).text):
        liked = not re.search(r"odeio|detesto|nao|nojo|horror|irrita", match[0][match.end("v") - match.start() :])
        yield say(who, "likes" if liked else "dislikes", value, f"{'gosta' if liked else 'não gosta'} de {value}")


def _prefers(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = span(clause, match)
    flat = flattened(raw).text
    if _THIS.match(flat) or re.match(
        r"(?:respostas|textos|mensagens|audios|explicacoes|topicos|que|me|nao|ser\schamad[oa]|ser\sch|ser\stratad[oa]|se|"
        r"texto|audio|mensagem|resposta|receber|morrer|"
        r"ficar\sem\scasa\shoje|ir\s|sair|esperar|deixar|por\sescrito|feedback|ligacao|email|whats)"
        r"(?![a-z])",
        flat,
    ):
        return
    if re.match(r"(?:o|a|os|as)\s", flat) and not re.search(r"\s(?:a|ao|que|em\svez|no\slugar)\s", flat[2:]):
        return  # "prefiro o azul": one of what was offered
    chosen = re.split(r"\s(?:a|ao|do\sque|q|que|em\svez\sde|no\slugar\sde|doque)\s", flat)[0]
    value = clean(raw[: len(chosen)], longest=6)
    if value and not _NOT_TASTE.match(flattened(value).text):
        yield say(who, "likes", value, f"prefere {clean(raw, longest=9) or value}")


def _favorite(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    thing = FAVORITES.get(match["thing"])
    value = clean(span(clause, match), longest=7)
    if thing and value:
        noun = span(clause, match, "thing").lower()
        yield say(
            who, f"favorite_{thing}", value, favored(noun, value, of_another=who is not None), changed=is_new(clause)
        )


def _favorite_of(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    owner: Who | None = None
    if match["pronoun"]:
        owner = whose(clause, match["pronoun"])
    else:
        owner = next((p for p, start, _ in people_in(clause.raw, clause.flat) if start >= match.start()), None)
        if owner is None and match["name"]:
            name = span(clause, match, "name")
            owner = Who(name) if name[:1].isupper() else None
    if owner:
        yield from _favorite(match, clause, owner)


def _team(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=3)
    if value and not re.match(r"(?:que|voce|vc|el[ea]|meu|minha|tudo|dar|dia|ganhar)(?![a-z])", flattened(value).text):
        yield say(who, "favorite_team", value, f"torce para {value}")


def _fan(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip()
    yield say(who, "favorite_team", value, f"é {value}")


_THINGS = alternatives(" ".join(FAVORITES))
_FAV = r"(?:favorit[oa]s?|preferid[oa]s?|predilet[oa])"
_CLUBS = alternatives(
    "flamenguista corintiano corintiana corinthiano palmeirense sao-paulino sao-paulina santista "
    "vascaino vascaina botafoguense "
    "tricolor gremista colorado colorada cruzeirense atleticano atleticana benfiquista "
    "sportinguista portista rubro-negro rubro-negra "
    "coxa-branca alvinegro alvinegra remista bicolor leonino rubro-negros"
)


def _weakness(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not re.match(r"(?:isso|esse|essa|ele|ela|voce|que|qual|quem|[oa]\s[A-Z])", value):
        yield say(who, "likes", value, f"gosta de {value}")


def _liked(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if not re.search(
        r"(?<![a-z])(?:antes|hoje|agora|mais|quando\s(?:era|crianca)|antigamente)(?![a-z])",
        flattened(clause.sentence).text,
    ):
        return
    value = clean(span(clause, match), longest=5)
    if value:
        disliked = match["verb"].startswith(("odia", "detest"))
        yield say(
            who,
            "former_dislikes" if disliked else "former_likes",
            value,
            f"antes {'não gostava' if disliked else 'gostava'} de {value}",
        )


def _was_fond(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, "former_likes", value, f"antes gostava de {value}")


def _turned(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if not re.match(r"(?:isso|esse|essa|qual|ess[ea]|est[ea]|aquel|ja|que)", match["v"]):
        yield from _favorite(match, clause, who)


def _needs(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Não vivo sem meu cafezinho": whose it is says nothing of the taste."""
    own = r"^(?:meu|minha|meus|minhas|o meu|a minha)\s"
    value = clean(re.sub(own, "", span(clause, match), flags=re.IGNORECASE), longest=5)
    flat = flattened(value).text if value else ""
    if value and not _NOT_TASTE.match(flat) and not re.match(r"(?:mae|pai|filh|marid|espos|mulher)", flat):
        yield say(who, "likes", value, f"gosta de {value}")


_COLOR = re.compile(
    r"(?<![a-z])(?:azul|verde|vermelho|amarelo|roxo|rosa|lilas|preto|branco|cinza|laranja|marrom|bege|vinho|turquesa|"
    r"dourado|prateado|salmao|coral|violeta|magenta|mostarda|bordo|castanho)(?:[ -](?:musgo|marinho|agua|"
    r"bebe|claro|escuro|agua-marinha|royal|limao|"
    r"bandeira|petroleo|esmeralda|choque|pink|queimado|turquesa|piscina))?(?![a-z])"
)


def _said_before(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Puxa pro verde-musgo, que é minha cor favorita": the thing stands right before."""
    before = clause.message[: clause.offset].rstrip(" ,")
    last = re.search(
        r"(?:\b(?:pro|pra|o|a|de|do|da|no|na|com|em|um|uma)\s)(?P<v>[\w-]+(?:\s[A-ZÀ-Þ]\w+){0,2})$", before
    )
    thing = FAVORITES.get(match["thing"])
    color = next(iter([*_COLOR.finditer(flattened(before).text if thing == "color" else "")][::-1]), None)
    if color:
        value = before[color.start() : color.end()]
        yield say(who, "favorite_color", value, favored("cor", value))
    elif last and thing and thing != "color":
        yield say(who, f"favorite_{thing}", last["v"], favored(match["thing"], last["v"]))


TASTES: list[Rule] = [
    *both(
        "was fond",
        "era foi fui",
        r"(?:{(?:eu )?(?:ja )?(?:era|fui)/(?:ja )?(?:era|foi)}) (?:muito |super |completamente |tao |um |uma "
        r")?(?:louc[oa] por|apaixonad[oa] por|viciad[oa] em|fa (?:de carteirinha )?d[eoa]s?|"
        r"doid[oa] por|fanatic[oa] por|tarad[oa] por|amante d[eoa]|chegad[oa] (?:em|num|numa)) (?P<v>[a-z].{2,40})",
        _was_fond,
    ),
    *both(
        "liked",
        "gostava adorava amava curtia odiava detestava",
        r"(?:{(?:antes )?(?:eu )?(?P<verb>gostava (?:muito )?d[eao]s?|adorava|amava|curtia|odiava|"
        r"detestava)/(?P<verb>gostava (?:muito )?d[eao]s?|adorava|amava|curtia|odiava|detestava)}) "
        r"(?P<v>[a-z].{2,60})",
        _liked,
    ),
    *both(
        "likes",
        "gosto gosta adoro adora amo ama curto curte amamos gostamos adoramos apaixonada apaixonado fa "
        "viciada viciado louca louco",
        r"(?:{(?<!\bo )(?<!\bum )(?<!meu )(?<!de )(?<!mau )(?<!bom )(?<!tem )(?<!com )(?<!sinto )(?<!\bda "
        r")(?<!deixa )(?<!fica )gosto "
        r"(?:muito |mto |mt |bastante |demais |mesmo |tanto |tambem |e |mesmo e )*(?:de|do|da|dos|das)|"
        r"adoro|amo|curto|gostamos (?:muito )?de|adoramos|amamos|me amarro (?:em|no|na)|sou (?:muito |"
        r"super |completamente |totalmente )?(?:apaixonad[oa] por|fa d[eoa]s?|viciad[oa] em|louc[oa] "
        r"por|doid[oa] por|amante d[eao]|fanatic[oa] por|fissurad[oa] em|aficionad[oa] por|entusiasta "
        r"d[eao]|obcecad[oa] por|tarad[oa] por|chocolatra)|morro de amores por|passei a (?:gostar de|"
        r"amar|adorar|curtir)|aprendi a gostar de|peguei gosto por|tenho paixao por|nao (?:vivo|passo|"
        r"fico) sem|me interesso (?:muito )?por|(?:ando|estou|to) (?:viciad[oa] em|apaixonad[oa] por|"
        r"amando|adorando)|meu vicio e|minha paixao e|gosto e d[eao]/gosta (?:muito |mto |"
        r"bastante |demais |tanto |tambem )*(?:de|do|da|dos|das)|adora|ama|curte|se amarra em|e "
        r"(?:muito |super )?(?:apaixonad[oa] por|fa d[eoa]s?|viciad[oa] em|louc[oa] por|doid[oa] por|"
        r"fanatic[oa] por|amante d[eao])|passou a (?:gostar de|amar|adorar)|nao (?:vive|passa|fica) "
        r"sem}) (?:(?:muito|mto|demais|tambem|mesmo|de) )?(?P<v>[a-z0-9].{1,90})",
        _likes,
        denied=False,
    ),
    *both(
        "cannot live without",
        "vivo vive passo fico",
        r"(?:{(?:nao|n) (?:vivo|passo|fico|consigo viver) (?:um dia )?sem/(?:nao|n) (?:vive|passa|fica)"
        r" sem}) (?P<v>[a-z].{2,50})",
        _likes,
        denied=True,
    ),
    *both(
        "dislikes",
        "gosto gosta odeio odeia detesto detesta suporto suporta aguento aguenta curto curte amo fa "
        "nojo pavor horror gostamos tolero abomino engulo",
        r"(?:{(?:nao|n|naum|num|nunca) (?:gosto|gostei)(?: (?:nada|muito|mto|nem um pouco|mais|la "
        r"muito|tanto))* (?:de|do|da|dos|das|que|quando)|odeio|detesto|abomino|(?:nao|n|naum|num) "
        r"(?:suporto|aguento|curto|tolero|engulo)(?: (?:mais|muito|nem))*|(?:nao|n) sou (?:muito |la "
        r"muito |mto )?(?:fa|chegad[oa]|de) (?:d[eao]|em|a)|tenho (?:nojo|horror|aversao|asco|ranco|"
        r"birra|implicancia) (?:d[eao]s?|a|com)|peguei (?:nojo|ranco|birra) (?:d[eao]s?)|fujo de|"
        r"passei a (?:odiar|detestar)|enjoei d[eao]|cansei d[eao]|nao gostamos de|odiamos|detestamos|"
        r"morro de nojo de/(?:nao|n|naum|num) gosta(?: (?:nada|muito|mto|nem um pouco|mais))* (?:de|do|"
        r"da|dos|das|que|quando)|odeia|detesta|abomina|(?:nao|n|naum|num) (?:suporta|aguenta|curte|"
        r"tolera)(?: mais)?|(?:nao|n) e (?:muito )?(?:fa|chegad[oa]) (?:d[eao]|em|a)|tem (?:nojo|"
        r"horror|aversao) (?:d[eao]s?|a)|enjoou d[eao]}) (?P<v>[a-z].{1,80})",
        _dislikes,
        denied=True,
    ),
    *mine(
        "topic first",
        "adoro odeio detesto amo gosto curto",
        r"^\W*(?:(?:ja|mas|e) )?(?P<v>(?!eu |nao |que |como |meu |minha |se |quando |ela |ele |tambem |"
        r"tb |sempre |mas |e |ainda |so |hoje |agora|eu$|ja |sim|voce |a gente |nos |tipo |cara |mano |"
        r"nossa |ai )[a-z][a-z ]{2,28}?),? (?:eu )?(?:adoro|amo|odeio|detesto|(?:nao|n) (?:gosto|"
        r"suporto|curto))(?=\W*$|,| e | mesmo| demais| muito)",
        _topic_likes,
        denied=True,
    ),
    *mine(
        "my weakness",
        "perdicao paixao vicio fraqueza xodo amor hobby passatempo terapia",
        r"^\W*(?P<v>[a-z][\w ]{2,30}?) (?:e|eh|sao|sempre foi|virou) (?:o |a )?(?:minha|meu) (?:grande "
        r"|maior |eterna? )?(?:perdicao|paixao|vicio|fraqueza|ponto fraco|xodo|amor|hobby|passatempo|"
        r"terapia|praia|vida)(?![a-z])",
        _weakness,
    ),
    *mine(
        "would not trade",
        "troco",
        r"(?:nao|n) troco (?:um |uma |o |a )?(?P<v>[a-z][\w ]{2,40}?) por (?:nada|ninguem)",
        _likes,
        denied=True,
    ),
    *both(
        "no patience",
        "paciencia",
        r"(?:{(?:nao|n) tenho (?:a menor |muita |nenhuma )?paciencia/(?:nao|n) tem (?:a menor |muita )"
        r"?paciencia}) (?:pra|para|com) (?P<v>[a-z].{2,50})",
        _dislikes,
        denied=True,
    ),
    *both(
        "prefers",
        "prefiro prefere",
        r"(?:{prefiro/prefere}) (?:(?:mil vezes|muito mais|sempre|mais|muito|bem mais) )" r"?(?P<v>[a-z].{2,80})",
        _prefers,
    ),
    *mine(
        "favorite",
        "favorito favorita preferido preferida favoritos predileto predileta preferidas favoritas",
        rf"(?:(?:[oa] )?(?:meu|minha|meus|minhas) (?P<thing>{_THINGS})(?: \w+)? (?:{_FAV}|de todos os "
        rf"tempos|da vida)(?: (?:de todos os tempos|da vida|de sempre|disparado))?(?: (?:e|eh|sao|"
        rf"continua sendo|ainda e|sempre foi|agora e|passou a ser|virou|mudou pra|mudou, agora e)|:|,) "
        rf"(?:[oa]s? )?)(?P<v>[a-z0-9].{{1,60}})",
        _favorite,
    ),
    *mine(
        "favorite, turned",
        "favorito favorita preferido preferida",
        rf"(?P<v>[a-z0-9][\w ]{{1,34}}?) (?:e|eh|sempre foi|virou) (?:[oa] )?(?:meu|minha) "
        rf"(?P<thing>{_THINGS}) {_FAV}",
        _turned,
    ),
    *mine(
        "of my life",
        "vida",
        rf"(?P<v>[a-z0-9][\w ]{{1,34}}?) (?:e|eh|foi) (?:[oa] )(?P<thing>{_THINGS}) da minha vida",
        _turned,
    ),
    *mine("club here", "aqui", r"^\W*aqui (?:e|eh) (?P<v>[a-z]+) (?:ate morrer|desde|doente|roxo)", _team),
    *mine(
        "favorite of another",
        "favorito favorita preferido preferida",
        rf"(?<![a-z])(?P<thing>{_THINGS}) {_FAV} d(?:(?P<pronoun>el[ea])|[oae] (?:(?:minha|meu) (?:\w+ "
        rf")?\w+|(?P<name>\w+))) (?:e|eh|sao) (?:[oa] )?(?P<v>[a-z0-9].{{1,50}})",
        _favorite_of,
    ),
    *mine(
        "team",
        "time torco clube",
        r"(?:meu (?:time|clube)(?: do coracao)? (?:e|eh) (?:[oa] )?|(?:eu )?torco (?:pro|pra|para o|"
        r"para a|para|pelo|pela) (?:time d[oa] |o |a )?)(?P<v>[a-z].{2,30})",
        _team,
    ),
    *both(
        "team",
        "torce torco",
        r"{torco/torce} (?:pro|pra|para o|para a|para|pelo|pela) (?:time d[oa] )?(?P<v>[a-z].{2,30})",
        _team,
    ),
    *both(
        "fan",
        "sou e eh flamenguista corintiano corintiana",
        rf"(?:{{sou|virei/e|eh|virou}}) (?:(?:muito|um|uma|super|doente|roxo|torcedora?|fanatic[oa]) )"
        rf"*(?P<v>{_CLUBS})(?![a-z])",
        _fan,
    ),
    *both(
        "supporter",
        "torcedor torcedora socio",
        r"(?:{sou/e}) (?:torcedora?|soci[oa])(?: fanatic[oa]| doente)? d[oa] (?P<v>[a-z].{2,30})",
        _team,
    ),
    *both(
        "cannot do without",
        "vivo vive passo fico consigo",
        r"(?:{(?:nao|n) (?:vivo|passo|fico|consigo (?:viver|ficar)) (?:um dia )?sem/(?:nao|n) (?:vive|"
        r"passa|fica) sem}) (?P<v>(?:meu|minha|o meu|a minha|meus|minhas) [a-z].{2,40})",
        _needs,
        denied=True,
    ),
    *mine(
        "my thing",
        "praia negocio vibe lance hobby paixao vicio passatempo perdicao fraco",
        r"(?:minha (?:praia|vibe|paixao|perdicao|grande paixao|terapia)|meu (?:negocio|lance|hobby|"
        r"vicio|passatempo|fraco|ponto fraco|programa favorito))(?: (?:mesmo|sempre|maior))? (?:e|eh|"
        r"sempre foi|sao) (?:o |a |um |uma )?(?P<v>[a-z].{2,50})",
        _needs,
    ),
    *mine(
        "team of",
        "time turma galera",
        r"sou (?:d[oa] (?:time|turma|galera)|mais) d[eoa] (?P<v>[a-z][\w ]{2,25}?)(?= que|,|$|\.| do " r"que)",
        _needs,
    ),
    *mine(
        "favorite, before",
        "favorito favorita preferido preferida",
        rf"^\W*que (?:e|eh|sempre foi) (?:[oa] )?(?:meu|minha) (?P<thing>{_THINGS}) {_FAV}",
        _said_before,
    ),
    *mine(
        "a fan",
        "fa",
        r"^\W*fa (?:de carteirinha |numero um |assumid[oa] |incondicional )?d[eoa]s? " r"(?P<v>[a-z].{2,40})",
        _likes,
    ),
    *mine(
        "does without",
        "dispenso passo",
        r"(?:dispenso|passo longe d[eoa]|quero distancia d[eoa])(?: qualquer coisa com| tudo com| "
        r"qualquer)? (?P<v>[a-z].{2,40})",
        _dislikes,
    ),
]
