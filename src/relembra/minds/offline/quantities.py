"""Amounts with their units in prose: weights, lengths, money, ages, temperatures, spans of time, shares and counts.

Values stay in the unit that was said, under one name a unit ("quilos", "kg" and "kilos" are all "kg"); only compound
heights are summed, in inches or metres. Calendar dates and clock times are left to `dates`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.language import STOP_WORDS, Language
from relembra.minds.offline.numbers import NumberMention, find_numbers, number_value

__all__ = ["Quantity", "QuantityKind", "find_quantities"]


class QuantityKind(StrEnum):
    WEIGHT = "weight"
    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    MONEY = "money"
    AGE = "age"
    TEMPERATURE = "temperature"
    DURATION = "duration"
    PERCENTAGE = "percentage"
    COUNT = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """`unit` is a symbol, an ISO 4217 currency ("" when none was said), or for a count the noun as written."""

    start: int
    end: int
    value: Decimal
    unit: str
    kind: QuantityKind


_K = QuantityKind


def _units(kind: QuantityKind, listed: dict[str, str]) -> dict[str, tuple[str, QuantityKind]]:
    return {word: (unit, kind) for unit, words in listed.items() for word in words.split("|")}


_SHARED = (
    _units(
        _K.WEIGHT,
        {
            "kg": "kg|kgs|quilo|quilos|kilo|kilos|quilograma|quilogramas|kilogram|kilograms",
            "g": "g|gr",
            "mg": "mg",
            "t": "ton|tons",
        },
    )
    | _units(_K.LENGTH, {"km": "km|kms", "m": "m|mt|mts", "cm": "cm", "mm": "mm"})
    | _units(_K.VOLUME, {"ml": "ml", "l": "l|lt"})
    | _units(_K.AREA, {"m²": "m²|m2", "ha": "ha"})
    | _units(_K.MONEY, {"BRL": "reais|brl", "USD": "usd|us$", "EUR": "eur|euro|euros|€", "GBP": "gbp|£"})
    | _units(_K.TEMPERATURE, {"°C": "°c|ºc|oc", "°F": "°f|ºf", "°": "°"})
    | _units(_K.DURATION, {"minute": "min|mins", "hour": "h|hs|hr|hrs"})
    | _units(_K.PERCENTAGE, {"percent": "%"})
)
_UNITS: dict[str, dict[str, tuple[str, QuantityKind]]] = {
    "pt": _SHARED
    | _units(_K.WEIGHT, {"g": "grama|gramas", "t": "tonelada|toneladas", "arroba": "arroba|arrobas", "lb": "libras"})
    | _units(
        _K.LENGTH,
        {
            "km": "quilometro|quilometros",
            "m": "metro|metros",
            "cm": "centimetro|centimetros",
            "mile": "milha|milhas",
            "ft": "pes",
            "in": "polegada|polegadas",
        },
    )
    | _units(_K.VOLUME, {"l": "litro|litros", "ml": "mililitro|mililitros"})
    | _units(_K.AREA, {"m²": "metros quadrados", "ha": "hectare|hectares"})
    | _units(
        _K.MONEY,
        {
            "BRL": "real|conto|contos|pila|pilas|mangos",
            "USD": "dolar|dolares",
            "GBP": "libras esterlinas",
            "EUR": "de euros",
            "": "por mes|ao mes|por ano",
        },
    )
    | _units(_K.TEMPERATURE, {"°C": "graus|graus celsius|graus c", "°F": "graus fahrenheit"})
    | _units(
        _K.DURATION,
        {
            "second": "segundo|segundos",
            "minute": "minuto|minutos",
            "hour": "hora|horas",
            "day": "dia|dias",
            "week": "semana|semanas",
            "month": "mes|meses",
            "year": "ano|anos",
            "decade": "decada|decadas",
        },
    )
    | _units(_K.PERCENTAGE, {"percent": "por cento"}),
    "en": _SHARED
    | _units(_K.WEIGHT, {"g": "gram|grams", "lb": "lb|lbs|pound|pounds", "oz": "oz|ounce|ounces", "stone": "stone"})
    | _units(
        _K.LENGTH,
        {
            "km": "kilometer|kilometers|kilometre|kilometres",
            "m": "meter|meters|metre|metres",
            "cm": "centimeter|centimeters",
            "mile": "mile|miles|mi",
            "ft": "foot|feet|ft",
            "in": "inch|inches",
            "yd": "yard|yards",
        },
    )
    | _units(_K.VOLUME, {"l": "liter|liters|litre|litres", "gal": "gallon|gallons", "cup": "cup|cups"})
    | _units(
        _K.AREA,
        {"ft²": "square feet|square foot|sq ft|sqft", "m²": "square meters|square metres", "acre": "acre|acres"},
    )
    | _units(_K.MONEY, {"USD": "dollar|dollars|buck|bucks", "GBP": "quid", "": "a year|a month|per year|per month"})
    | _units(
        _K.TEMPERATURE,
        {
            "°": "degree|degrees",
            "°C": "degrees celsius|degrees c|celsius",
            "°F": "degrees fahrenheit|degrees f|fahrenheit",
        },
    )
    | _units(
        _K.DURATION,
        {
            "second": "second|seconds",
            "minute": "minute|minutes",
            "hour": "hour|hours",
            "day": "day|days|night|nights",
            "week": "week|weeks",
            "month": "month|months",
            "year": "year|years",
            "decade": "decade|decades",
        },
    )
    | _units(_K.PERCENTAGE, {"percent": "percent|per cent"}),
}


def _after(language: str) -> re.Pattern[str]:
    words = "|".join(re.escape(word).replace(r"\ ", r"\s") for word in sorted(_UNITS[language], key=len, reverse=True))
    of = r"(?:de\s)?" if language == "pt" else ""
    return re.compile(rf"(?:\s{{0,2}}|-){of}(?P<unit>{words})(?![a-z0-9²])")


_AFTER = {language: _after(language) for language in ("pt", "en")}
_CURRENCY = re.compile(r"(?P<sign>r\$|us\$|u\$|\$|€|£)\s?$")
_CURRENCIES = {"r$": "BRL", "us$": "USD", "u$": "USD", "$": "USD", "€": "EUR", "£": "GBP"}
_CLOCK = re.compile(r"(?:^|[^a-z])(?:as|das|at|pelas|ate as)\s$")
_HALF_AFTER = {"pt": re.compile(r"\se\smei[ao](?![a-z])"), "en": re.compile(r"\sand\sa\shalf(?![a-z])")}
_AGE_BEFORE = re.compile(
    r"(?:^|[^a-z])(?:tem|tenho|tinha|temos|fez|fiz|faz|fara|completou|completei|com|aos|ate os|idade de|"
    r"(?:filh[oa]|menin[oa]|homem|mulher|garot[oa]|crianca|bebe|senhora?) de)\s(?:apenas\s|so\s|quase\s|uns\s)?$"
)
_AGE_AFTER = re.compile(r"[\s-]old(?![a-z])|\sof\sage|\sde\sidade")
_NOT_AGE = re.compile(r"\s(?:de\s(?!idade)|que\s|atras|depois)")
_IS_AGE = re.compile(
    r"(?:^|[^a-z])(?:(?:daughter|son|kid|baby|boy|girl|brother|sister|mother|father|mom|dad|he|she|who|wife|husband|nephew|"
    r"niece|grandson|granddaughter|cousin|friend) (?:is|was|just turned|turned)|i'm|i am|he's|she's|i turned|turned) $"
)
_ENDS = re.compile(r"\s*(?:$|[.,;!?)\n]|and\s|now|today|last|this|but)")
_NOUN = {
    "pt": re.compile(r"\s(?:de\s)?(?P<noun>[a-z]{3,})(?![a-z0-9])"),
    "en": re.compile(r"\s(?:of\s)?(?P<noun>[a-z]{3,})(?![a-z0-9])"),
}
_IRREGULAR = frozenset(listed("people children men women mice feet teeth fish sheep deer"))
_NOT_NOUN = frozenset(
    listed(
        "vezes mais menos depois antes mas dos das nos nas aos pois anos apos atras tres seis dois reais "
        "mesmos outros poucos"
        " times this his its was has does yes less plus vs thus always perhaps besides is as us years"
    )
)
_ONE_OF_A_KIND = frozenset(
    listed(
        "irmao irma filho filha gato gata cachorro cachorra neto neta sobrinho sobrinha primo prima carro casa moto"
        " brother sister son daughter cat dog grandson granddaughter nephew niece cousin child kid car house"
    )
)
_FEET = re.compile(
    r"(?<![\d.])(?P<feet>\d)(?:'|\s?(?:ft|feet|foot)\s?)\s?(?P<inches>\d{1,2})(?:\"|''|\s?(?:inches|inch|in))?(?!\d)"
)
_METRES = re.compile(r"(?<![\d.])(?P<metres>[12]|um|dois)\s?(?:m|metros?)\s?e?\s?(?P<cm>\d\d)(?![\d.,%])")
_HOURS = re.compile(r"(?<![\d.:])(?P<hours>\d{1,2})h(?P<minutes>[0-5]\d)(?:min|m)?(?![a-z0-9])")
_HALF_HOUR = re.compile(
    r"(?<![a-z])(?:meia\shora|half\san\shour)(?![a-z])|(?<![a-z])an?\s(?P<unit>hour|year|month|week)\sand\sa\shalf(?![a-z])"
)


def find_quantities(text: str, language: Language) -> list[Quantity]:
    """Quantities in reading order, never overlapping. A bare number is not one; a noun after it makes it a count."""
    flat = flattened(text)
    found = _compounds(flat.text)
    taken = {place for one in found for place in range(one.start, one.end)}
    for number in find_numbers(flat.raw, language, articles=True):
        if number.start not in taken and (quantity := _quantity(flat.raw, flat.text, number, language)):
            found.append(quantity)
    found.sort(key=lambda one: one.start)
    found = [one for place, one in enumerate(found) if not place or one.start >= found[place - 1].end]
    return [_placed(one, *flat.span(one.start, one.end)) for one in found]


def _placed(quantity: Quantity, start: int, end: int) -> Quantity:
    return Quantity(start=start, end=end, value=quantity.value, unit=quantity.unit, kind=quantity.kind)


def _compounds(flat: str) -> list[Quantity]:
    """Amounts spelled over two units: 5'11", 1 metro e 80, 1h30, half an hour."""
    found = [(match, *_height(match)) for match in _FEET.finditer(flat)]
    found += [(match, *_metres(match)) for match in _METRES.finditer(flat)]
    found += [
        (match, Decimal(60 * int(match["hours"]) + int(match["minutes"])), "minute", _K.DURATION)
        for match in _HOURS.finditer(flat)
        if not _CLOCK.search(flat, max(0, match.start() - 8), match.start())
    ]
    found += [
        (match, Decimal("1.5" if match["unit"] else "0.5"), match["unit"] or "hour", _K.DURATION)
        for match in _HALF_HOUR.finditer(flat)
    ]
    found.sort(key=lambda one: one[0].start())
    return [
        Quantity(start=match.start(), end=match.end(), value=value, unit=unit, kind=kind)
        for place, (match, value, unit, kind) in enumerate(found)
        if not place or match.start() >= found[place - 1][0].end()
    ]


def _height(match: re.Match[str]) -> tuple[Decimal, str, QuantityKind]:
    return Decimal(12 * int(match["feet"]) + int(match["inches"])), "in", _K.LENGTH


def _metres(match: re.Match[str]) -> tuple[Decimal, str, QuantityKind]:
    whole = {"um": 1, "dois": 2}.get(match["metres"]) or int(match["metres"])
    return Decimal(whole) + Decimal(int(match["cm"])) / 100, "m", _K.LENGTH


def _quantity(raw: str, flat: str, number: NumberMention, language: Language) -> Quantity | None:
    start, end, value = number
    low = max(0, start - 24)
    if sign := _CURRENCY.search(flat, max(0, start - 5), start):
        return Quantity(start=sign.start(), end=end, value=value, unit=_CURRENCIES[sign["sign"]], kind=_K.MONEY)
    unit = _AFTER[language].match(flat, end)
    if unit is None:
        if language == "en" and value <= 120 and _IS_AGE.search(flat, low, start) and _ENDS.match(flat, end):
            return Quantity(start=start, end=end, value=value, unit="year", kind=_K.AGE)
        return _count(raw, flat, number, language)
    name, kind = _UNITS[language][" ".join(unit["unit"].split())]
    end = unit.end()
    if name == "" and not flat[start : number.end].endswith(("k", "mil", "thousand")):
        return None
    if unit["unit"] in {"h", "hs"} and _CLOCK.search(flat, max(0, start - 8), start):
        return None
    if name == "lb" and re.search(r"(?:paid|cost|costs|spent|price|worth)\s(?:me\s|of\s)?$", flat[low:start]):
        name, kind = "GBP", _K.MONEY
    if kind is _K.DURATION:
        if half := _HALF_AFTER[language].match(flat, end):
            value, end = value + Decimal("0.5"), half.end()
        if old := _AGE_AFTER.match(flat, end):
            kind, end = _K.AGE, old.end()
        elif language == "pt" and name in {"year", "month"} and _AGE_BEFORE.search(flat, low, start):
            kind = _K.DURATION if _NOT_AGE.match(flat, end) else _K.AGE
        elif value == 1 and not flat[start].isdigit():
            return None  # "um dia", "one day": no amount was meant
    if name == "" or kind is not _K.MONEY:
        end = number.end if name == "" else end
    return Quantity(start=start, end=end, value=value, unit=name, kind=kind)


def _count(raw: str, flat: str, number: NumberMention, language: Language) -> Quantity | None:
    """A number and a plural noun; for one, only nouns of which people tell how many they have."""
    match = _NOUN[language].match(flat, number.end)
    if match is None:
        return None
    noun = match["noun"]
    if number.value == 1:
        fits = noun in _ONE_OF_A_KIND
    else:
        fits = (noun.endswith("s") or noun in _IRREGULAR) and noun not in STOP_WORDS and noun not in _NOT_NOUN
    if not fits or number_value(noun, language) is not None or (noun.endswith("ss") and noun not in _IRREGULAR):
        return None
    written = raw[match.start("noun") : match.end("noun")].lower()
    return Quantity(start=number.start, end=match.end(), value=number.value, unit=written, kind=_K.COUNT)
