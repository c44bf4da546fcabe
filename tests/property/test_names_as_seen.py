"""However somebody spells the assistant's name, it is known for it; names that only resemble it are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import ANA, NOW, an_id
from relembra.domain.scope import DIRECT
from relembra.domain.text import as_seen
from relembra.errors import InvalidInputError
from relembra.ingest.intake import RESERVED, exchange

DRESSES = {
    "a": "aAаАαΑᴀａＡ𝐚𝔸ⓐáãåⱥ🅰🇦",
    "b": "bBвВΒᏏʙｂ𝐛ⓑḃ",
    "e": "eEеЕεΕᴇｅ𝐞ⓔéê℮",
    "i": "iIіІιΙıɪｉ𝐢ⓘíl1Ӏ",
    "l": "lLʟｌ𝐥ⓛłi1Ӏ",
    "m": "mMмМΜᴍｍ𝐦ⓜṁ",
    "n": "nNΝпոɴｎ𝐧ⓝñ",
    "r": "rRгʀｒ𝐫ⓡŕ",
    "s": "sSѕЅꜱｓ𝐬ⓢşſ",
    "t": "tTтТΤτᴛｔ𝐭ⓣŧ",
    "y": "yYуУΥʏｙ𝐲ⓨÿ",
}
BETWEEN = ["", "", "", " ", "\u00a0", "\u3000", "-", "_", ".", "\u0301", "\u034f", "\ufe0f", "\u3164", "\u2800", "’"]
INVISIBLE = ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e"]


@st.composite
def disguised(draw: st.DrawFn, between: list[str]) -> tuple[str, str]:
    name = draw(st.sampled_from(RESERVED))
    gap = st.sampled_from(between)
    return name, draw(gap) + "".join(draw(st.sampled_from(DRESSES[letter])) + draw(gap) for letter in name)


def saved(author: str) -> None:
    exchange(
        ANA, said="oi", replied=None, at=None, now=NOW, place=DIRECT, conversation=None, external_id=None,
        author=author, metadata=None, new_id=an_id,
    )  # fmt: skip


@given(disguised(BETWEEN + INVISIBLE))
def test_a_reserved_name_is_known_in_every_dress(case: tuple[str, str]) -> None:
    name, worn = case
    assert as_seen(worn) == as_seen(name)


@given(disguised(BETWEEN))
def test_nobody_speaks_under_a_reserved_name_in_any_dress(case: tuple[str, str]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        saved(case[1])
    assert caught.value.field == "author"


@given(st.text(min_size=1))
def test_looking_twice_shows_the_same(name: str) -> None:
    assert as_seen(as_seen(name)) == as_seen(name)
    assert as_seen(name) != ""


@given(st.text(st.sampled_from("abcdefghjkmnopqrstuvwxyz"), min_size=1, max_size=12))
def test_plain_letters_are_what_they_are(name: str) -> None:
    assert as_seen(name) == name
    assert as_seen(f" {name.upper()}!") == name


@pytest.mark.parametrize(
    "author", ["Ana", "assistant to the director", "Sistemas", "Анна", "🤖", "Systema", "bot", "李"]
)
def test_whoever_is_called_otherwise_speaks(author: str) -> None:
    saved(author)
