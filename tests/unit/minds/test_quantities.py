from __future__ import annotations

from decimal import Decimal

import pytest

from examples import Example, examples, score
from relembra.minds.offline.quantities import QuantityKind, find_quantities


def reading(example: Example) -> list[dict[str, object]]:
    found = find_quantities(example["text"], example["language"])
    said = [Decimal(one["value"]) for one in example["expected"]]
    values = [one.value for one in found]
    if values != said:
        return [{"value": str(value)} for value in values]
    return [
        {"value": expected["value"], "unit": one.unit, "kind": one.kind.value}
        for one, expected in zip(found, example["expected"], strict=True)
    ]


@pytest.mark.parametrize("split", ["tune", "test"])
@pytest.mark.parametrize("language", ["pt", "en"])
def test_examples_are_read_as_expected(language: str, split: str) -> None:
    assert score(examples("quantities", language=language, split=split), reading) >= 0.95


def test_the_span_holds_number_and_unit() -> None:
    text = "pesa 72,5 quilos e custou R$ 30"
    weight, price = find_quantities(text, "pt")
    assert text[weight.start : weight.end] == "72,5 quilos"
    assert text[price.start : price.end] == "R$ 30"


def test_years_are_an_age_only_of_someone() -> None:
    (age,) = find_quantities("minha avó tem 82 anos", "pt")
    (time,) = find_quantities("moramos lá por 82 anos", "pt")
    assert (age.kind, time.kind) == (QuantityKind.AGE, QuantityKind.DURATION)


def test_pounds_are_money_where_something_was_paid() -> None:
    (price,) = find_quantities("I paid 50 pounds", "en")
    (weight,) = find_quantities("I lost 50 pounds", "en")
    assert (price.unit, weight.unit) == ("GBP", "lb")
