"""Why a model could not be used: every sentence in both languages, and an unknown one marked as English."""

from __future__ import annotations

import pytest

from loops import each
from relembra.errors import MissingExtraError, SettingsError
from relembra.interfaces.failures import aside, trouble
from relembra.locale import Words
from relembra.minds.llm.models import Place

EN, PT = Words("en", "names"), Words("pt", "names")
UNREACHED = "the model ollama:x could not be reached, or broke off"


def refusal(model: str, url: str | None = None) -> str:
    with pytest.raises(SettingsError) as refused:
        Place(model, url)
    return str(refused.value)


@each(
    [
        refusal("openai:x"),
        refusal("nonsense"),
        refusal("openai:x", "ftp://host"),
        str(MissingExtraError("a language model", "llm")),
        "the folder for prompts /nowhere is not there",
        UNREACHED,
        "the model ollama:x did not answer within 60 seconds",
        "the model ollama:x answered 503",
        "the model ollama:x is busy or in trouble",
        "1 message could not be learnt from yet",
        f"12 messages could not be learnt from yet: {UNREACHED}",
        f"not all was read again: {UNREACHED}",
        f"not all was read again: {UNREACHED}; 2 messages could not be learnt from yet: {UNREACHED}",
    ]
)
def test_the_commonest_have_a_sentence_in_both_languages(said: str) -> None:
    assert trouble(EN, said) == said
    told = trouble(PT, said)
    assert told not in (None, said)


def test_an_unknown_one_stays_and_is_said_to_be_english() -> None:
    assert trouble(PT, "odd") is None
    assert (aside(PT, "odd"), aside(EN, "odd")) == ("(em inglês: odd)", "(odd)")
    assert aside(PT, UNREACHED) == "(não consegui falar com o modelo ollama:x, ou ele parou no meio)"
