"""Insights as sentences, in Portuguese and English: what recurs, with the counts that speak for it."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from relembra.domain.insight import (
    ACTIVITY,
    AREA_MOOD,
    FEELING,
    MOOD,
    STATE,
    TOPIC_AREAS,
    Feature,
    Insight,
    InsightKind,
)
from relembra.domain.knowledge import LifeArea

__all__ = ["area_of", "evidence", "sentence", "title"]


class _Words(NamedTuple):
    """How one side of a feature is told: more of it, having it, having had it; in English also the thing itself."""

    more: str
    has: str
    had: str
    thing: str = ""


_FEELINGS_PT = {
    "anxious": "ansiedade", "worried": "preocupação", "stressed": "estresse", "overwhelmed": "sobrecarga",
    "sad": "tristeza", "angry": "raiva", "frustrated": "frustração", "afraid": "medo", "guilty": "culpa",
    "ashamed": "vergonha", "lonely": "solidão", "jealous": "ciúme", "bored": "tédio", "happy": "alegria",
    "excited": "empolgação", "calm": "calma", "proud": "orgulho", "grateful": "gratidão", "relieved": "alívio",
    "hopeful": "esperança",
}  # fmt: skip
_THINGS_EN = {
    "anxious": "anxiety", "worried": "worries", "stressed": "stress", "overwhelmed": "too much going on",
    "sad": "sadness", "angry": "anger", "frustrated": "frustration", "afraid": "fear", "guilty": "guilt",
    "ashamed": "shame", "lonely": "loneliness", "jealous": "jealousy", "bored": "boredom", "happy": "joy",
    "excited": "excitement", "calm": "calm", "proud": "pride", "grateful": "gratitude", "relieved": "relief",
    "hopeful": "hope",
}  # fmt: skip
_ABOUT_EN = {
    "afraid": "of", "proud": "of", "jealous": "of", "ashamed": "of", "grateful": "for", "bored": "with",
    "frustrated": "with",
}  # fmt: skip
_TOPICS = {
    "deadlines": ("prazos", "deadlines"), "meetings": ("reuniões", "meetings"),
    "presentations": ("apresentações", "presentations"), "interviews": ("entrevistas", "interviews"),
    "boss": ("a chefia", "the boss"), "clients": ("clientes", "clients"), "colleagues": ("colegas", "colleagues"),
    "work": ("o trabalho", "work"), "exams": ("provas", "exams"), "thesis": ("a tese", "the thesis"),
    "studies": ("os estudos", "studies"), "debts": ("dívidas e contas", "debts and bills"),
    "money": ("dinheiro", "money"), "mother": ("a mãe", "their mother"), "father": ("o pai", "their father"),
    "siblings": ("irmãos", "siblings"), "children": ("os filhos", "their children"),
    "partner": ("o relacionamento", "their relationship"), "ex": ("a separação", "their separation"),
    "family": ("a família", "family"), "friends": ("amigos", "friends"), "pets": ("bichos de estimação", "their pets"),
    "health": ("a saúde", "health"), "doctor": ("médicos e exames", "doctors and test results"),
    "body": ("o próprio corpo", "their body"), "sleep": ("o sono", "sleep"), "future": ("o futuro", "the future"),
    "traffic": ("o trânsito", "traffic"), "moving": ("mudanças", "moving"), "home": ("a casa", "home"),
    "news": ("as notícias", "the news"), "social_media": ("redes sociais", "social media"),
    "travel": ("viagens", "travel"), "loneliness": ("ficar só", "being alone"), "project": ("projetos", "projects"),
    "death": ("a morte", "death"),
}  # fmt: skip
_PT: dict[tuple[str, int], _Words] = {
    ("exercise", 1): _Words("Exercita-se mais vezes", "se exercita", "se exercitou"),
    ("meditation", 1): _Words("Medita mais vezes", "medita", "meditou"),
    ("therapy", 1): _Words("Faz terapia mais vezes", "faz terapia", "fez terapia"),
    ("alcohol", 1): _Words("Bebe mais vezes", "bebe", "bebeu"),
    ("much_coffee", 1): _Words("Toma muito café mais vezes", "toma muito café", "tomou muito café"),
    ("company", 1): _Words(
        "Está com outras pessoas mais vezes", "está com outras pessoas", "esteve com outras pessoas"
    ),
    ("argument", 1): _Words("Briga com alguém mais vezes", "briga com alguém", "brigou com alguém"),
    ("overtime", 1): _Words("Trabalha demais mais vezes", "trabalha demais", "trabalhou demais"),
    ("reading", 1): _Words("Lê mais vezes", "lê", "leu"),
    ("studying", 1): _Words("Estuda mais vezes", "estuda", "estudou"),
    ("screens", 1): _Words("Fica muito nas telas mais vezes", "fica muito nas telas", "ficou muito nas telas"),
    ("overspending", 1): _Words("Gasta demais mais vezes", "gasta demais", "gastou demais"),
    ("headache", 1): _Words("Tem dor de cabeça mais vezes", "tem dor de cabeça", "teve dor de cabeça"),
    ("outdoors", 1): _Words("Fica ao ar livre mais vezes", "fica ao ar livre", "ficou ao ar livre"),
    ("music", 1): _Words("Toca música mais vezes", "toca música", "tocou música"),
    ("prayer", 1): _Words("Reza mais vezes", "reza", "rezou"),
    ("sleep", 1): _Words("Dorme melhor", "dorme bem", "dormiu bem"),
    ("sleep", -1): _Words("Dorme pior", "dorme mal", "dormiu mal"),
    ("energy", 1): _Words("Tem mais energia", "tem energia", "teve energia"),
    ("energy", -1): _Words("Tem menos energia", "está sem energia", "ficou sem energia"),
    ("eating", 1): _Words("Come melhor", "come bem", "comeu bem"),
    ("eating", -1): _Words("Come pior", "come mal", "comeu mal"),
    ("focus", 1): _Words("Rende mais", "rende bem", "rendeu bem"),
    ("focus", -1): _Words("Rende menos", "rende pouco", "rendeu pouco"),
    (MOOD, 1): _Words("Está de melhor humor", "está de bom humor", "esteve de bom humor"),
    (MOOD, -1): _Words("Está de pior humor", "está de mau humor", "esteve de mau humor"),
}
_EN: dict[tuple[str, int], _Words] = {
    ("exercise", 1): _Words("Exercises more often", "exercises", "exercised", "exercise"),
    ("meditation", 1): _Words("Meditates more often", "meditates", "meditated", "meditation"),
    ("therapy", 1): _Words("Has therapy more often", "has therapy", "had therapy", "therapy"),
    ("alcohol", 1): _Words("Drinks more often", "drinks", "drank", "alcohol"),
    ("much_coffee", 1): _Words(
        "Drinks a lot of coffee more often", "drinks a lot of coffee", "drank a lot of coffee", "a lot of coffee"
    ),
    ("company", 1): _Words("Is with others more often", "is with others", "was with others", "company"),
    ("argument", 1): _Words("Argues more often", "argues", "argued", "an argument"),
    ("overtime", 1): _Words("Works too long more often", "works too long", "worked too long", "overtime"),
    ("reading", 1): _Words("Reads more often", "reads", "read", "reading"),
    ("studying", 1): _Words("Studies more often", "studies", "studied", "studying"),
    ("screens", 1): _Words("Is on screens a lot more often", "is on screens", "was on screens", "a lot of screen time"),
    ("overspending", 1): _Words("Overspends more often", "overspends", "overspent", "overspending"),
    ("headache", 1): _Words("Has headaches more often", "has headaches", "had headaches", "a headache"),
    ("outdoors", 1): _Words("Is outdoors more often", "is outdoors", "was outdoors", "time outdoors"),
    ("music", 1): _Words("Makes music more often", "makes music", "made music", "music"),
    ("prayer", 1): _Words("Prays more often", "prays", "prayed", "prayer"),
    ("sleep", 1): _Words("Sleeps better", "sleeps well", "slept well", "good sleep"),
    ("sleep", -1): _Words("Sleeps worse", "sleeps badly", "slept badly", "bad sleep"),
    ("energy", 1): _Words("Has more energy", "has energy", "had energy", "energy"),
    ("energy", -1): _Words("Has less energy", "has no energy", "had no energy", "little energy"),
    ("eating", 1): _Words("Eats better", "eats well", "ate well", "good food"),
    ("eating", -1): _Words("Eats worse", "eats badly", "ate badly", "bad food"),
    ("focus", 1): _Words("Gets more done", "gets things done", "got things done", "good focus"),
    ("focus", -1): _Words("Gets less done", "gets little done", "got little done", "poor focus"),
    (MOOD, 1): _Words("Is in a better mood", "is in a good mood", "was in a good mood", "a good mood"),
    (MOOD, -1): _Words("Is in a worse mood", "is in a bad mood", "was in a bad mood", "a bad mood"),
}
_AREAS = {
    LifeArea.HEALTH: ("da saúde", "health"),
    LifeArea.FINANCE: ("das finanças", "money"),
    LifeArea.RELATIONSHIPS: ("dos relacionamentos", "relationships"),
    LifeArea.CAREER: ("da carreira", "work"),
    LifeArea.GROWTH: ("do crescimento pessoal", "personal growth"),
    LifeArea.LEISURE: ("do lazer", "leisure"),
    LifeArea.SPIRITUALITY: ("da espiritualidade", "spirituality"),
    LifeArea.MENTAL_HEALTH: ("da saúde mental", "mental health"),
}
_FEATURE_AREAS = {
    **dict.fromkeys(("exercise", "alcohol", "much_coffee", "headache", "sleep", "energy", "eating"), LifeArea.HEALTH),
    **dict.fromkeys(("company", "argument"), LifeArea.RELATIONSHIPS),
    **dict.fromkeys(("overtime", "focus"), LifeArea.CAREER),
    **dict.fromkeys(("reading", "studying"), LifeArea.GROWTH),
    **dict.fromkeys(("screens", "outdoors", "music"), LifeArea.LEISURE),
    "overspending": LifeArea.FINANCE,
    "prayer": LifeArea.SPIRITUALITY,
}
_WEEKDAYS_PT = (
    "às segundas-feiras", "às terças-feiras", "às quartas-feiras", "às quintas-feiras", "às sextas-feiras",
    "aos sábados", "aos domingos",
)  # fmt: skip
_WEEKDAYS_EN = tuple(
    f"on {day}s" for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
)
_PARTS = {
    "morning": ("de manhã", "in the morning"),
    "afternoon": ("à tarde", "in the afternoon"),
    "evening": ("à noite", "in the evening"),
    "night": ("tarde da noite", "late at night"),
}
_MONTHS_PT = (
    "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro",
    "dezembro",
)  # fmt: skip
_MONTHS_EN = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SEASONS = ((12, 2), (3, 5), (6, 8), (9, 11))
_STRENGTHS = ((0.6, "fraco", "weak"), (0.7, "moderado", "moderate"), (1.0, "razoável", "fair"))


def sentence(insight: Insight, language: str) -> str:
    """The insight with its counts, in "pt" or "en"."""
    return f"{title(insight, language)} ({_counts(insight, language == 'pt')})"


def title(insight: Insight, language: str) -> str:
    """The insight alone."""
    pt = language == "pt"
    words = _words(insight.features[-1], insight.signs[-1], pt)
    match insight.kind:
        case InsightKind.RECURRING:
            feature = insight.features[0]
            topic = _TOPICS.get(feature.topic, (feature.topic, feature.topic))[0 if pt else 1]
            return f"{_first(words.has)} {'com' if pt else _ABOUT_EN.get(feature.name, 'about')} {topic}"
        case InsightKind.STREAK:
            unit = {"days": ("dias seguidos", "days"), "weeks": ("semanas seguidas", "weeks")}[insight.when]
            return f"{_first(words.had)}: {insight.count} {unit[0] if pt else unit[1] + ' running'}"
        case InsightKind.MONTH:
            year, month = insight.when.removeprefix("month:").split("-")
            if pt:
                return f"Em {_MONTHS_PT[int(month) - 1]} de {year}, {words.had} mais vezes que nos outros meses"
            return f"{_first(words.had)} more often in {_MONTHS_EN[int(month) - 1]} {year} than in other months"
        case InsightKind.TOGETHER:
            less = f"{_first(words.has)} {'menos vezes' if pt else 'less often'}"
            return f"{less if insight.less else words.more} {_condition(insight, pt)}"
        case _:
            return f"{words.more} {_when(insight.when, pt)}"


def evidence(insight: Insight, language: str) -> str:
    """What speaks for it, in numbers and never in anybody's words, and how weak that is."""
    pt = language == "pt"
    strength = next(words for most, *words in _STRENGTHS if insight.confidence < most)
    told = f"{insight.days} dias com conversa" if pt else f"{insight.days} days with talk"
    span = f"{_day(insight.since, pt)} – {_day(insight.until, pt)}"
    parts = [told, span]
    if insight.chance is not None and insight.rate is not None:
        shown = f"p = {insight.chance:.2g}, q = {insight.rate:.2g}"
        parts.append(shown.replace(".", ",") if pt else shown)
    parts.append(f"indício {strength[0]}" if pt else f"{strength[1]} evidence")
    if insight.kind is InsightKind.TOGETHER:
        parts.append("não diz o que causa o quê" if pt else "it does not tell which causes which")
    return "; ".join(parts)


def area_of(insight: Insight) -> LifeArea | None:
    """The area of life an insight belongs to: that of what it is about, last things first."""
    feature = insight.features[-1]
    if feature.kind == AREA_MOOD:
        return LifeArea(feature.name)
    if feature.kind == FEELING:
        return TOPIC_AREAS.get(feature.topic, LifeArea.MENTAL_HEALTH)
    return _FEATURE_AREAS.get(feature.name, LifeArea.MENTAL_HEALTH)


def _words(feature: Feature, sign: int, pt: bool) -> _Words:
    """How a feature is told; one nobody has words for is told by its name."""
    if feature.kind == FEELING:
        if pt:
            noun = _FEELINGS_PT.get(feature.name, feature.name)
            return _Words(f"Sente {noun} mais vezes", f"sente {noun}", f"sentiu {noun}")
        thing = _THINGS_EN.get(feature.name, feature.name)
        return _Words(f"Feels {feature.name} more often", f"feels {feature.name}", f"felt {feature.name}", thing)
    if feature.kind == AREA_MOOD:
        return _area_words(LifeArea(feature.name), sign, pt)
    found = (_PT if pt else _EN).get((feature.name, sign)) if feature.kind in (ACTIVITY, STATE) else None
    if found is not None:
        return found
    name = feature.name.replace("_", " ")
    return _Words(f"{_first(name)}: {'mais vezes' if pt else 'more often'}", name, name, name)


def _area_words(area: LifeArea, sign: int, pt: bool) -> _Words:
    of, about = _AREAS[area]
    if pt:
        how = "positiva" if sign > 0 else "negativa"
        return _Words(
            f"Fala {of} de forma mais {how}", f"fala {of} de forma {how}", f"falou {of} de forma {how}"
        )  # fmt: skip
    well = "well" if sign > 0 else "badly"
    better = "better" if sign > 0 else "worse"
    thing = f"{'good' if sign > 0 else 'bad'} talk of {about}"
    return _Words(f"Speaks {better} of {about}", f"speaks {well} of {about}", f"spoke {well} of {about}", thing)


def _condition(insight: Insight, pt: bool) -> str:
    words = _words(insight.features[0], insight.signs[0], pt)
    if insight.when == "next_day":
        return f"no dia seguinte quando {words.has}" if pt else f"the day after {words.thing}"
    return f"nos dias em que {words.has}" if pt else f"on days with {words.thing}"


def _when(when: str, pt: bool) -> str:
    kind, _, value = when.partition(":")
    match kind:
        case "weekday":
            return (_WEEKDAYS_PT if pt else _WEEKDAYS_EN)[int(value)]
        case "weekend":
            return "nos fins de semana" if pt else "at weekends"
        case "part":
            return _PARTS[value][0 if pt else 1]
        case _:
            first, last = _SEASONS[int(value)]
            if pt:
                return f"de {_MONTHS_PT[first - 1]} a {_MONTHS_PT[last - 1]}"
            return f"from {_MONTHS_EN[first - 1]} to {_MONTHS_EN[last - 1]}"


def _counts(insight: Insight, pt: bool) -> str:
    match insight.kind:
        case InsightKind.RECURRING:
            return f"em {insight.count} dias diferentes" if pt else f"on {insight.count} different days"
        case InsightKind.STREAK:
            return f"{_day(insight.since, pt)} – {_day(insight.until, pt)}"
        case InsightKind.PART_OF_DAY:
            unit = "vezes" if pt else "times"
        case _:
            unit = "dias" if pt else "days"
    against = "contra" if pt else "against"
    return f"{insight.count} {'de' if pt else 'of'} {insight.of} {unit}, {against} {insight.other_count} " + (
        f"{'de' if pt else 'of'} {insight.other_of}"
    )


def _day(day: date, pt: bool) -> str:
    return f"{day.day:02d}/{day.month:02d}/{day.year}" if pt else f"{day.day} {_MONTHS_EN[day.month - 1]} {day.year}"


def _first(words: str) -> str:
    return words[:1].upper() + words[1:]
