"""Makes the tables `relembra.minds.offline.analysis` reads, and measures them.

    PYTHONPATH=src python -m training.lemmas --pairs tatoeba.tsv --wordnet FOLDER [--out FOLDER] [--measure]

Needs simplemma 2.0.0 (MIT), WordNet 3.0's `index.*` and `*.exc` files (Debian's wordnet-base) and one or more files of
English TAB Portuguese; our own text in `generate/authored` is always read. The same input gives the same files.

Simplemma says which lemma a form has. Where it chooses a rare verb over a common noun ("filha" → "filhar"), or a word
nobody writes ("playing" → "playe"), the text decides: what stands before a word tells a noun from a verb, and how often
a lemma occurs tells whether there is one. What is left goes into `CHOSEN`, by hand.

A table holds endings with their edit and single words with theirs. The endings are those of the cheapest table, where an
entry costs 1 and a form it gets wrong costs its weight: at least 1 for forms of words that occur in the text, less for the
others, so that words nobody listed are read like common ones. Every listed form the endings get wrong is then stored.
"""

from __future__ import annotations

import argparse
import gzip
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from relembra.minds.offline.analysis import LONGEST_ENDING, PLAIN, SHORTEST_BY_ENDING, Edit, Table, parsed, regular

HERE = Path(__file__).parent
OUT = HERE.parent / "src/relembra/minds/languages"
LANGUAGES = ("pt", "en")
FOLDS = 10

ENTRY_COST = 1.0
EDITS_A_NODE = 20
ROUNDS = 3
KNOWN_WEIGHT, OTHER_WEIGHT = 1.0, 0.3
OWN_FORMS = {"pt": 10, "en": 2}
"""A word with this many forms (in English: that occur) is a lemma, whatever is said of the word itself."""

ACCENT_LEAD = 20
"""How many times more often an accented lemma must occur than the same word without accents to be put in its place."""

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:!?]")

BEFORE_NOUNS = {
    "pt": """a as o os um uma uns umas minha minhas meu meus tua tuas teu teus sua suas seu seus nossa nossas nosso
    nossos da das do dos na nas no nos pela pelas pelo pelos à às ao aos essa essas esta estas esse esses este estes
    aquela aquelas aquele aqueles nessa nesta desta dessa num numa cada toda todas alguma algumas algum alguns nenhuma
    nenhum qualquer duas dois três quatro cinco quantas quantos muitas muitos""",
    "en": "the a an my your his her our their this that these those some any no every each",
}
CLEARLY_BEFORE_NOUNS = {
    "pt": """um uma uns umas minha minhas meu meus tua teu sua suas seu seus nossa nossas nosso nossos da das do dos pela pelo
    pelas pelos ao aos essa esse esta este aquela aquele desta dessa deste desse nesta nessa neste nesse numa num cada
    nenhuma nenhum alguma algum duas dois três qualquer muita toda mesma outra boa""",
    "en": "the a an my your his her our their",
}
BEFORE_BARE_NOUNS = {"pt": "de com em sem por para entre", "en": ""}
BEFORE_VERBS = {
    "pt": """eu ele ela você vocês eles elas nós tom maria não se me te lhe quem já também só sempre nunca ainda que
    gente mary""",
    "en": "",
}

# Forms whose lemma is chosen by hand, grouped by lemma. Contractions and pronouns go to their masculine singular.
CHOSEN = {
    "pt": """
    um: um uma uns umas; o: o a os as; do: do da dos das; no: no na nos nas; ao: ao à aos às
    pelo: pelo pela pelos pelas; num: num numa nuns numas; dele: dele dela deles delas; nele: nele nela neles nelas
    desse: desse dessa desses dessas; deste: deste desta destes destas; nesse: nesse nessa nesses nessas
    meu: meu minha meus minhas; seu: seu sua seus suas; teu: teu tua teus tuas; nosso: nosso nossa nossos nossas
    ele: ele ela eles elas; conosco: conosco; comigo: comigo; contigo: contigo; consigo: consigo
    ser: sou és somos são é era éramos eram foi será seja sejam fosse fossem seria sido sendo
    ir: fui ia íamos iam vou vai vamos vão irei irá indo; ter: tinha tínhamos tinham tem têm
    fora: fora; vário: vários várias; sozinho: sozinho sozinha sozinhos sozinhas; obrigado: obrigado obrigada obrigados
    passado: passado passada passados passadas; casa: casa casas; cara: cara caras; caro: caro caros; rio: rio rios
    verão: verão verões; segunda: segunda segundas; segundo: segundo segundos; terça: terça terças; quarta: quarta quartas
    quinta: quinta quintas; sexta: sexta sextas; vista: vista vistas; meia: meia meias; começo: começo começos
    começar: comecei começou começa começam; pôr: pôr ponho põe pomos põem pus pôs pusemos puseram punha ponha pondo
    trazer: traga tragam; cair: caia caiam; estado: estado estados; unido: unido unidos unidas; primeiro: primeira primeiras
    casarão: casarão casarões; sã: sã; dado: dado dados; ouvido: ouvido ouvidos; sentido: sentido sentidos; peça: peça peças
    chamada: chamada chamadas; seguida: seguida; meados: meados; torrada: torrada torradas; tremendo: tremendo tremenda
    pegada: pegada pegadas; junto: junto juntos junta juntas; ler: lia liam líamos; bota: bota botas; milha: milha milhas
     como: como; para: para; sobre: sobre; entre: entre; contra: contra
    comer: comendo; certo: certo certa certos certas; vazio: vazio vazia vazios vazias; milhar: milhar milhares; mil: mil
    barato: barato barata baratos baratas; preso: preso presa presos presas; quieto: quieto quieta quietos quietas
    correto: correto correta corretos corretas; honesto: honesto honesta honestos honestas; colorido: colorido colorida
    médico: médico médica médicos médicas; público: público públicos pública públicas; parir: parir pariu
    matemática: matemática; física: física; química: química; política: política; música: música músicas
    prática: prática práticas; graças: graças; férias: férias; óculos: óculos; parabéns: parabéns; ônibus: ônibus
    quatro: quatro; cinco: cinco; seis: seis; sete: sete; oito: oito; nove: nove; dez: dez; onze: onze; doze: doze; treze: treze
    quatorze: quatorze; quinze: quinze; vinte: vinte; trinta: trinta; cem: cem; cento: cento; oi: oi; vó: vó; vô: vô; live: live
    estar: tá tô tava tavam; para: pra; você: você vocês vc vcs; também: tbm tb; hoje: hj; muito: mto mt; porque: pq; beleza: blz
    lápis: lápis; pires: pires; atrás: atrás; através: através; depois: depois; antes: antes; menos: menos; mais: mais
    apenas: apenas; pais: pais; país: país países; dois: dois duas; dinheiro: dinheiro; jantar: jantar; lugar: lugar lugares
    avó: avó avós; avô: avô; mãe: mãe mães; pai: pai; grávida: grávida grávidas; dona: dona donas; sobrinha: sobrinha sobrinhas
    filha: filha filhas; irmã: irmã irmãs; tia: tia tias; prima: prima primas; sogra: sogra sogras; cunhada: cunhada cunhadas
    neta: neta netas; nora: nora noras; menina: menina meninas; garota: garota garotas; moça: moça moças; noiva: noiva noivas
    amiga: amiga amigas; esposa: esposa esposas; namorada: namorada namoradas; senhora: senhora senhoras; gata: gata gatas
    vizinha: vizinha vizinhas; professora: professora professoras; madrinha: madrinha madrinhas; rainha: rainha rainhas
    cadela: cadela cadelas; bom: bom boa bons boas; mau: mau má maus más; novo: novo nova novos novas; último: última
    """,
    "en": """
    i: me; he: him; they: them; we: us; she: her; a: a an; this: this these; that: that those; its: its; as: as
    be: be am is are was were been being; mrs: mrs; ms: ms; ass: ass; go: gone; bad: bad worse worst; good: better best
    big: bigger biggest; hot: hotter hottest; close: closer closest; feel: felt; win: won; break: broke broken
    shake: shook shaken; think: thought; leave: left; live: lives living lived; write: writing; smoke: smoking; means: means
    willing: willing; evening: evening evenings; morning: morning mornings; thank: thanks; offer: offer offers; bee: bee bees
    opera: opera operas; weed: weed; stranger: stranger strangers; eraser: eraser erasers; dice: dice; bare: bare
    lighter: lighter lighters; cornea: cornea; hippie: hippie; email: e-mail; wicked: wicked; greed: greed; unwilling: unwilling
    unmarried: unmarried; unpaid: unpaid; unseen: unseen; unbiased: unbiased; outdated: outdated; undecided: undecided
    seventh: seventh; eighteenth: eighteenth; thirtieth: thirtieth; outing: outing outings; measles: measles; em: em; na: na
    you: u; your: ur; want: wanna; get: gotta; people: ppl; please: pls plz; thank: thx; tomorrow: tmrw
    ml: ml; boxing: boxing; wifi: wifi; drink: drunk drank; buy: buying; find: found; see: saw; fall: fell; lay: lay lays laid laying; ring: rung; hang: hanging; shelf: shelves
    """,
}
# Adjectives that stand before their noun, so that an article says nothing.
BEFORE_THEIR_NOUN = frozenset(
    """
    outra mesma própria profunda futura extrema eterna única última próxima penúltima primeira terceira sétima
    pequena bela longa ótima verdadeira antiga linda velha típica ampla severa densa ligeira milésima sexagésima
    frutífera calorosa nona décima oitava péssima imensa primeiras últimas próximas próprias únicas mesmas
    outras pequenas belas longas
    """.split()  # noqa: SIM905  a list of words is read more easily as text
)


@dataclass
class Usage:
    """How often each word occurs in the text, and after what."""

    language: str
    total: Counter[str] = field(default_factory=Counter)
    as_noun: Counter[str] = field(default_factory=Counter)
    as_clear: Counter[str] = field(default_factory=Counter)
    as_bare: Counter[str] = field(default_factory=Counter)
    as_verb: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)

    def read(self, lines: Iterable[str]) -> None:
        nouns, clear, bare, verbs = (
            set(words[self.language].split())
            for words in (BEFORE_NOUNS, CLEARLY_BEFORE_NOUNS, BEFORE_BARE_NOUNS, BEFORE_VERBS)
        )
        for line in lines:
            before = ""
            for written in WORD.findall(line.replace("’", "'")):
                word = written.lower()
                self.total[word] += 1
                if before.isalpha() or before == ",":
                    self.inside[word] += 1
                    self.capital[word] += written[0].isupper()
                self.as_noun[word] += before in nouns
                self.as_clear[word] += before in clear
                self.as_bare[word] += before in bare
                self.as_verb[word] += before in verbs
                before = word

    def nounness(self, word: str, *, bare: bool = True) -> float:
        """The share of a word's occurrences that a noun would have."""
        seen = self.as_noun[word] + (self.as_bare[word] if bare else 0)
        return seen / self.total[word] if self.total[word] else 0.0

    def is_name(self, word: str) -> bool:
        """Whether it is nearly always written with a capital inside a sentence."""
        return self.inside[word] > 0 and self.capital[word] >= 0.8 * self.inside[word]


def read_usage(language: str, pairs: Iterable[Path]) -> Usage:
    """Counted over the pairs' and the authored side in that language."""
    usage = Usage(language)
    column = 1 if language == "pt" else 0
    for path in pairs:
        usage.read(line.split("\t")[column] for line in path.read_text(encoding="utf-8").splitlines())
    for path in sorted((HERE / "generate/authored").glob("*.txt")):
        sides = (line[1:].partition(" # ") for line in path.read_text(encoding="utf-8").splitlines())
        usage.read(portuguese if language == "pt" else english for portuguese, mark, english in sides if mark)
    return usage


def simplemma_table(language: str) -> dict[str, str]:
    """Simplemma's own answers, in small letters, for forms of letters only."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    held = DefaultDictionaryFactory().get_dictionary(language)
    table = {}
    for form in held:
        small, found = form.lower(), held[form].lower()
        if small.isalpha() and (small == form or small not in held) and re.sub("['-]", "", found).isalpha():
            table[small] = found
    return {form: table[form] for form in sorted(table)}


def chosen(language: str) -> dict[str, str]:
    groups = (group.split(":") for line in CHOSEN[language].strip().splitlines() for group in line.split(";"))
    return {form: base.strip() for base, forms in groups for form in forms.split()}


# Portuguese


CLEARLY_VERBS = re.compile(
    r"(?:ou|ando|endo|indo|ava|avam|ávamos|aram|eram|iram|ei|eu|iu|rá|rão|ria|sse|amos|emos|imos|rmos|ar|er|ir|aste|rem|ssem|iza|fica|ece|eço)$"
)
VERB_ENDING = re.compile(
    r"(?:[aei]ndo|ou|ava[ms]?|avamos|aveis|[aei]ram|[aei]ramos|ei|eu|iu|[aei]ss?emos|[aei]ssem|[aei]sses?|[aei]sseis|[aei]reis|[aei]rieis|[aei]mos|[aei]rmos"
    r"|[aei]rdes|[aei]rem|[aei]stes?|[aei]rao|[aei]riam|[aei]riamos|[aei]remos|[ai]d[oa]s?|am|iz[aeo][ms]?|ific[ao]m?"
    r"|ece[ms]?|ec[oa]m?|ej[aeo][ms]?|r)$"
)
"""Without accents: endings that make a verb of a word nobody has listed."""
PARTICIPLE = re.compile(r"[ai]d[oa]s?$")
TORN = re.compile(r"(?:[aeiráéíê]mo|[aei]r(?:e|de)|[áéíê](?:ve|re|e)i|ssei|[áêíô])$")
"""What is left of a verb before "-lo" and "-nos": listed by simplemma as words, read by `lemmas` from the hyphen."""


def portuguese_table(usage: Usage) -> dict[str, str]:
    raw = {form: base.replace("ü", "u") for form, base in simplemma_table("pt").items()}
    table = {form: base for form, base in raw.items() if not is_torn(form, base, raw) or usage.total[form]}
    forms_of = Counter(raw.values())
    proven = Counter[str]()
    for form, base in table.items():
        if CLEARLY_VERBS.search(form) and is_verb(base):
            proven[base] += usage.total[form]
    for form, base in raw.items():
        if form not in table:
            continue
        if usage.is_name(form) or (is_verb(form) and forms_of[form] >= OWN_FORMS["pt"]):
            table[form] = form
        elif is_verb(base) and form != base and not CLEARLY_VERBS.search(form) and form[-1] in "aoes":
            listed = forms_of[form] > 0 and not PARTICIPLE.search(form)
            if nominal(form, usage, proven[base], listed=listed):
                table[form] = nominal_lemma(form, raw, usage)
        elif is_feminine(form, base) and is_feminine_noun(form, base, usage):
            table[form] = singular(form, raw)
    for form, base in table.items():
        if is_feminine(form, base) and form.endswith("as") and table.get(form[:-1]) == form[:-1]:
            table[form] = form[:-1]
    return unaccented(closed(table | chosen("pt")), usage)


def unaccented(table: dict[str, str], usage: Usage) -> dict[str, str]:
    """The table with the spellings people use who leave accents out, where the word meant is the commoner one."""
    meant: dict[str, str] = {}
    for form in sorted(table, key=lambda form: (-usage.total[form], form)):
        bare = plain(form)
        if usage.total[form] and usage.total[form] >= ACCENT_LEAD * usage.total[bare]:
            meant.setdefault(bare, table[form])
    return table | meant


def is_torn(form: str, base: str, raw: Mapping[str, str]) -> bool:
    return is_verb(base) and bool(TORN.search(form)) and form not in (base, raw.get(base))


def is_verb(base: str) -> bool:
    return base.endswith(("ar", "er", "ir", "or", "ôr"))


def is_feminine(form: str, base: str) -> bool:
    """Whether a form in -a or -as was sent to its masculine."""
    single = form.removesuffix("s")
    return single.endswith(("a", "ã")) and base[-1:] in "oer" and form != base and not is_verb(base)


def is_feminine_noun(form: str, base: str, usage: Usage) -> bool:
    """Whether it is a noun of its own ("música") and not an adjective's feminine, by the articles before it."""
    if form in BEFORE_THEIR_NOUN or form.endswith(("osa", "osas")):
        return False
    share = usage.nounness(form, bare=False)
    return (share >= 0.4 and usage.as_clear[form] >= 2) or (share >= 0.25 and not usage.total[base])


def nominal(form: str, usage: Usage, proof: int, *, listed: bool) -> bool:
    """Whether a form that could be a verb's is rather a noun or adjective, by what stands before it.

    `proof` counts forms of the verb that can be nothing else; `listed`: other forms name this one as their lemma.
    """
    if not usage.total[form]:
        return listed
    verbal, clear = usage.as_verb[form] / usage.total[form], usage.as_clear[form] / usage.total[form]
    if not proof:
        return verbal < 0.25 or clear >= 0.1
    if listed and clear + usage.as_bare[form] / usage.total[form] > verbal:
        return True
    return usage.nounness(form) >= 0.5 and usage.total[form] >= 3 and clear >= 0.2


def nominal_lemma(form: str, raw: Mapping[str, str], usage: Usage) -> str:
    """The singular, and the masculine where an adjective has one."""
    single = singular(form, raw)
    masculine = single[:-1] + "o"
    adjective = raw.get(masculine) == masculine and 2 * usage.total[masculine] >= usage.total[form]
    return masculine if single.endswith("a") and adjective and usage.nounness(form) < 0.3 else single


def singular(form: str, raw: Mapping[str, str]) -> str:
    """The singular, when the form is a plural of a known word."""
    for ending, single in (("res", "r"), ("zes", "z"), ("ns", "m"), ("s", "")):
        if form.endswith(ending) and (word := form.removesuffix(ending) + single) in raw:
            return word
    return form


# English


PARTS = ("noun", "verb", "adj", "adv")
DETACHED = {
    "noun": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
}


@dataclass
class WordNet:
    """Which words there are, and which they may be forms of."""

    parts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    exceptions: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))

    def read(self, folder: Path) -> None:
        for part in PARTS:
            for line in (folder / f"index.{part}").read_text(encoding="latin-1").splitlines():
                if not line.startswith(" "):
                    self.parts[line.split(" ")[0]].add(part)
            for line in (folder / f"{part}.exc").read_text(encoding="latin-1").splitlines():
                form, base = line.split()[:2]
                self.exceptions[form].setdefault(part, base)

    def bases(self, form: str) -> dict[str, str]:
        """By part of speech, the word a form comes from (WordNet's own rules of detachment)."""
        found = dict(self.exceptions.get(form, {}))
        for part, rules in DETACHED.items():
            for ending, instead in (rule.split(":") for rule in rules.split()):
                base = form.removesuffix(ending) + instead
                if form.endswith(ending) and part in self.parts.get(base, ()):
                    found.setdefault(part, base)
        return found


def english_table(usage: Usage, wordnet: WordNet) -> dict[str, str]:
    raw = simplemma_table("en")
    forms_of = Counter(base for form, base in raw.items() if usage.total[form] and form != base)
    table = {}
    for form, base in raw.items():
        is_lemma = forms_of[form] >= OWN_FORMS["en"]
        table[form] = form if is_lemma else english_lemma(form, base, usage, wordnet)
    return closed(table | chosen("en"))


def english_lemma(form: str, base: str, usage: Usage, wordnet: WordNet) -> str:
    """Simplemma's, unless WordNet knows better or the text shows a noun in -ing."""
    if usage.is_name(form) and not usage.is_name(base) and 5 * usage.total[base] < usage.total[form]:
        return form
    bases = {part: found for part, found in wordnet.bases(form).items() if found != form and len(found) > 2}
    best = max(bases.values(), key=lambda found: (usage.total[found], found), default=None)
    if best is None or not usage.total[best]:
        return base
    verbal = form.endswith("ing") and "verb" in bases
    often = usage.as_noun[form] >= 5 and usage.nounness(form) >= 0.4
    is_noun = often and "noun" in wordnet.parts.get(form, ())
    if base == form:
        if verbal and usage.total[form] and not is_noun:
            return bases["verb"]
        return form if form in wordnet.parts else best
    if form.endswith("ing") and is_noun:
        return form
    return best if base not in wordnet.parts or usage.total[best] >= 10 * usage.total[base] + 5 else base


# Both


def closed(table: dict[str, str]) -> dict[str, str]:
    """Every lemma made its own: a form goes on to its lemma's lemma, as far as there is one."""
    done = {}
    for form in table:
        path = [form]
        while (onward := table.get(path[-1], path[-1])) not in path:
            path.append(onward)
        done[form] = path[-1]
    return {form: done.get(base, base) for form, base in done.items()} | {base: base for base in done.values()}


def plain(word: str) -> str:
    return word.translate(PLAIN)


def edit_of(form: str, base: str) -> Edit:
    """The shortest change of the end that turns the form into its lemma, accents typed before it left alone."""
    same = 0
    while same < min(len(form), len(base)) and form[same] == base[same]:
        same += 1
    return len(form) - same, base[same:]


def english_rule(ending: str, edit: Edit) -> bool:
    """Endings that hold all an edit removes, and leave a letter of the shortest word they are tried on."""
    removed, added = edit
    leaves_some = bool(added) or removed < max(SHORTEST_BY_ENDING, len(ending))
    return removed <= len(ending) <= LONGEST_ENDING and leaves_some


def portuguese_rule(ending: str, edit: Edit) -> bool:
    """Of these, not those that would make a verb of an unknown noun or name in -a, -e or -o."""
    removed, added = edit
    base = ending[: len(ending) - removed] + added
    if not english_rule(ending, edit) or (removed > 1 and not base):
        return False
    is_plural = ending.endswith("res") and edit == (2, "")
    return base[-1:] != "r" or is_plural or bool(VERB_ENDING.search(ending))


RULES: dict[str, Rule] = {"pt": portuguese_rule, "en": english_rule}


def weights_of(table: Mapping[str, str], usage: Usage) -> dict[str, float]:
    """An entry's cost for forms of words that occur, growing slowly with how often; less for the others."""
    bases = Counter[str]()
    for form, base in table.items():
        bases[base] += usage.total[form]
    return {
        form: (KNOWN_WEIGHT if bases[base] else OTHER_WEIGHT) + math.log2(1 + usage.total[form])
        for form, base in table.items()
    }


@dataclass
class Node:
    """Forms that share an ending: what it costs to give them an edit from above, or one of their own."""

    ending: str
    whole: bool
    other: float
    costs: dict[Edit, float]
    children: list[Node]
    own: tuple[float, Edit]  # the cheapest edit it may have itself, with what that costs


Rule = Callable[[str, Edit], bool]


def node_of(ending: str, other: float, costs: dict[Edit, float], children: list[Node], may_be: Rule) -> Node:
    allowed = [(cost + ENTRY_COST, edit) for edit, cost in costs.items() if not children or may_be(ending, edit)]
    return Node(ending, not children, other, costs, children, min(allowed, default=(math.inf, (0, ""))))


def tree(forms: list[tuple[str, Edit, float]], depth: int, may_be: Rule) -> Node:
    """The tree of endings over sorted reversed forms, costs summed from its leaves."""
    first, edit, weight = forms[0]
    if len(forms) == 1:
        return node_of(first[::-1], weight, {edit: 0.0}, [], may_be)
    groups = defaultdict(list)
    for form in forms:
        groups[form[0][depth : depth + 1]].append(form)
    children = [tree(group, depth + 1, may_be) for group in groups.values()]
    other, gains = 0.0, defaultdict[Edit, float](float)
    for child in children:
        usual = min(child.other, child.own[0])
        other += usual
        for edit, cost in child.costs.items():
            if min(cost, child.own[0]) < usual:
                gains[edit] += min(cost, child.own[0]) - usual
    best = sorted(gains.items(), key=lambda item: (item[1], item[0]))[:EDITS_A_NODE]
    return node_of(first[:depth][::-1], other, {edit: other + gain for edit, gain in best}, children, may_be)


def entries(node: Node, above: Edit) -> Iterator[tuple[Node, Edit]]:
    """The nodes that get an edit of their own."""
    cost, edit = node.own
    if cost < node.costs.get(above, node.other):
        above = edit
        yield node, edit
    for child in node.children:
        yield from entries(child, above)


def learnt(table: Mapping[str, str], weights: Mapping[str, float], usage: Usage) -> Table:
    """The cheapest table for these forms."""
    by_key: dict[str, Counter[Edit]] = defaultdict(Counter)
    for form, base in table.items():
        if len(form) >= SHORTEST_BY_ENDING:
            by_key[plain(form)][edit_of(form, base)] += weights[form]
    forms = sorted(
        (key[::-1], *max(edits.items(), key=lambda item: (item[1], item[0]))) for key, edits in by_key.items()
    )
    made = Table(usage.language, {}, {}, accents_of(table, usage))
    for node, edit in entries(tree(forms, 0, RULES[usage.language]), (0, "")):
        (made.words if node.whole else made.endings)[node.ending] = edit
    spare = usage.language == "pt"
    worth_a_place = [
        form for form, base in table.items() if weights[form] >= KNOWN_WEIGHT or not (spare and is_odd(form, base))
    ]
    for _ in range(ROUNDS):  # a word stored without accents may stand in the way of one with them
        wrong = [form for form in worth_a_place if made.lemma(form) != table[form]]
        made.words.update((form, edit_of(form, table[form])) for form in wrong)
    return made


def is_odd(form: str, base: str) -> bool:
    """Of a word that does not occur: a verb's form that looks like a noun's, or a diminutive. Not worth a place."""
    return is_verb(base) or bool(re.search(r"(?:inh|it|ssim|z[aã]o)[oa]?s?$", form))


def accents_of(table: Mapping[str, str], usage: Usage) -> dict[str, str]:
    """For lemmas written without their accents, the one meant; and those that end as if they had one, but have none."""
    seen = Counter[str]()
    for form, base in table.items():
        seen[base] += usage.total[form]
    made: dict[str, str] = {}
    for base in sorted(seen, key=lambda base: (-seen[base], base)):
        bare = plain(base)
        meant = seen[base] >= ACCENT_LEAD * seen[bare] and (seen[base] or bare not in table)
        is_regular = regular(bare, "pt") == base if usage.language == "pt" else bare == base
        if bare not in made and base.isalpha() and (bare == base or meant) and not is_regular:
            made[bare] = base
    return {bare: base for bare, base in made.items() if bare != base or regular(bare, usage.language)}


def packed(table: Table) -> str:
    """The text `parsed` reads."""
    by_edit: dict[Edit, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for place, keys in enumerate((table.endings, table.words)):
        for key, edit in keys.items():
            by_edit[edit][place].append(key)
    lines = [" ".join(sorted(table.accents.values(), key=lambda word: word[::-1]))]
    for (removed, added), (endings, words) in sorted(by_edit.items()):
        endings.sort(key=lambda ending: ending[::-1])
        lines.append(f"{removed}\t{added}\t{' '.join(endings)}\t{' '.join(sorted(words))}")
    return "\n".join(lines)


def agreement(lemma: Callable[[str], str], wanted: Mapping[str, str], usage: Usage) -> str:
    """The shares of forms, of forms that occur, and of occurrences with the wanted lemma."""
    right = {form for form, base in wanted.items() if lemma(form) == base}
    seen = {form: usage.total[form] for form in wanted if usage.total[form]}
    return (
        f"forms {len(right) / len(wanted):.4f} of {len(wanted)}, "
        f"those that occur {sum(form in right for form in seen) / len(seen):.4f} of {len(seen)}, "
        f"by frequency {sum(times for form, times in seen.items() if form in right) / sum(seen.values()):.4f}"
    )


def measure(table: Mapping[str, str], usage: Usage, shipped: Table) -> None:
    """What is shipped, and what ten tables say of the tenth of the forms each was learnt without."""
    raw = simplemma_table(usage.language)
    print("  all forms, simplemma's lemma:    ", agreement(shipped.lemma, raw, usage))
    print("  all forms, the corrected lemma:  ", agreement(shipped.lemma, table, usage))
    order = sorted(table)
    random.Random(7).shuffle(order)
    said: dict[str, str] = {}
    for start in range(FOLDS):
        held = set(order[start::FOLDS])
        rest = {form: base for form, base in table.items() if form not in held}
        made = learnt(rest, weights_of(rest, usage), usage)
        said.update((form, made.lemma(form)) for form in held)
    asked = {form: base for form, base in raw.items() if form in said}
    print("  held out, simplemma's lemma:     ", agreement(said.__getitem__, asked, usage))
    print("  held out, the corrected lemma:   ", agreement(said.__getitem__, table, usage))
    print("  the form unchanged, for comparison:", agreement(str, table, usage))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the lemma tables and measure them.")
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="files of English TAB Portuguese")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with index.noun, noun.exc, …")
    parser.add_argument("--out", type=Path, default=OUT, help="where pt/lemmas.gz and en/lemmas.gz go")
    parser.add_argument("--measure", action="store_true", help="also learn without a tenth of the forms and try those")
    given = parser.parse_args()
    sys.setrecursionlimit(10_000)
    for language in LANGUAGES:
        usage = read_usage(language, given.pairs)
        if language == "pt":
            table = portuguese_table(usage)
        else:
            wordnet = WordNet()
            wordnet.read(given.wordnet)
            table = english_table(usage, wordnet)
        made = learnt(table, weights_of(table, usage), usage)
        text = packed(made)
        data = gzip.compress(text.encode(), 9, mtime=0)
        (given.out / language / "lemmas.gz").write_bytes(data)
        print(
            f"{language}: {len(table)} forms, {len(made.words)} words, {len(made.endings)} endings, "
            f"{len(made.accents)} accents, {len(text.encode())} bytes, {len(data)} packed"
        )
        if given.measure:
            measure(table, usage, parsed(language, text))


if __name__ == "__main__":
    main()
