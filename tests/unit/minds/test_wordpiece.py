"""Our word pieces against the `tokenizers` package, number for number."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as ReferenceModel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from loops import each
from relembra.errors import MindError
from relembra.minds.offline.wordpiece import VOCABULARY_PATH, WordPiece, read_vocabulary, shipped_wordpiece

VOCABULARY = read_vocabulary(VOCABULARY_PATH)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def reference() -> Tokenizer:
    """Built as the model's own tokenizer.json says."""
    tokenizer = Tokenizer(
        ReferenceModel(VOCABULARY, unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", VOCABULARY["[CLS]"]), ("[SEP]", VOCABULARY["[SEP]"])]
    )
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


REFERENCE = reference()

# Blocks in which every character is treated alike. Outside them `tokenizers` lacks marks younger than Unicode 8.
BLOCKS = [
    (0x0000, 0x061C),  # ASCII, Latin, combining marks, Greek, Cyrillic, Hebrew, the start of Arabic
    (0x0620, 0x06FF),
    (0x0900, 0x097F),
    (0x1E00, 0x1FFF),
    (0x2000, 0x2BFF),  # punctuation, symbols, arrows
    (0x3000, 0x9FFF),  # kana, Chinese
    (0xAC00, 0xD7A3),
    (0xE000, 0xE0FF),
    (0xF900, 0xFFFF),
    (0x1F300, 0x1FAFF),  # emoji
    (0x20000, 0x2CEAF),
    (0xE0000, 0xE01EF),
]
KNOWN_CHARACTERS = st.one_of(
    *(st.characters(min_codepoint=low, max_codepoint=high, exclude_categories=["Cs"]) for low, high in BLOCKS)
)


@each(
    [
        "",
        "   ",
        "Ação! Os aviões não chegaram às 10:30, né?",
        "The quick brown fox doesn't jump over 1,234.56 lazy dogs.",
        "café cafe\u0301 CAFÉ İstanbul ΣΑΣ straße ﬁm",
        "😀👍🏽 👨‍👩‍👧 ❤️",
        "今日は天気がいい 漢字kanji 𠀀x",
        "שלום עולם مرحبا بالعالم",
        "a\x00b\x07c\u200bd\ufeffe\ufffdf\x1cg\x85h\x0bi",
        "one\u00a0two\u3000three\u2028four\u1680five",
        "[CLS] oi [SEP]x[MASK] [pad] [PAD][UNK]",
        "x" * 100 + " " + "x" * 101,
        "snake_case $5 a+b=c ~`^|<> “aspas” — …",
        "नमस्ते 안녕하세요 Привет",
    ]
)
def test_the_same_numbers_as_the_reference(text: str) -> None:
    assert shipped_wordpiece().encode(text) == REFERENCE.encode(text).ids


@given(st.text(KNOWN_CHARACTERS, max_size=80))
def test_any_text_of_common_scripts_gives_the_same_numbers(text: str) -> None:
    assert shipped_wordpiece().encode(text) == REFERENCE.encode(text).ids


@given(st.lists(st.sampled_from([*VOCABULARY][999:]), max_size=20).map(" ".join))
def test_any_vocabulary_words_give_the_same_numbers(text: str) -> None:
    assert shipped_wordpiece().encode(text.title()) == REFERENCE.encode(text.title()).ids


@given(st.text(max_size=60), st.integers(2, 20))
def test_a_limit_keeps_the_beginning_and_both_ends(text: str, limit: int) -> None:
    whole = shipped_wordpiece().encode(text)
    cut = shipped_wordpiece().encode(text, limit)
    assert (len(cut), cut[:-1], cut[-1]) == (min(limit, len(whole)), whole[: len(cut) - 1], whole[-1])


def test_every_character_of_the_listed_blocks_agrees() -> None:
    pieces = WordPiece(VOCABULARY)
    for low, high in BLOCKS:
        step = 1 if high - low < 0x1000 else 17  # what is alike by the thousand is sampled
        characters = [chr(code) for code in range(low, high + 1, step) if not 0xD800 <= code < 0xE000]
        texts = [f"a{char}b" for char in characters]
        numbers = [encoding.ids for encoding in REFERENCE.encode_batch(texts)]
        assert [text for text, ids in zip(texts, numbers, strict=True) if pieces.encode(text) != ids] == []


def test_a_lone_surrogate_is_dropped() -> None:
    assert shipped_wordpiece().encode("a\ud800b") == shipped_wordpiece().encode("ab")


def test_the_cache_stays_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[WordPiece.__module__], "CACHED_CHUNKS", 3)
    pieces = WordPiece(VOCABULARY)
    text = "um dois três quatro cinco um dois"
    assert pieces.encode(text) == pieces.encode(text) == REFERENCE.encode(text).ids


def test_a_vocabulary_that_is_missing_or_not_berts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MindError, match="cannot read the vocabulary"):
        read_vocabulary(tmp_path / "vocab.txt")
    with pytest.raises(MindError, match="not a BERT one"):
        WordPiece({"a": 0, "b": 1})
