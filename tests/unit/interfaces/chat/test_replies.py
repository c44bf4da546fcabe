"""Long texts in pieces: none too long, nothing lost, and code blocks whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.interfaces.chat.bot import pieces, width

WORDS = st.text(alphabet="abc é👩 \n", max_size=400)
BLOCKS = st.tuples(st.sampled_from(["```", "~~~", "````"]), st.sampled_from(["", "py", "python title=x"]), WORDS).map(
    lambda made: f"{made[0]}{made[1]}\n{made[2]}\n{made[0]}"
)
TEXTS = st.lists(WORDS | BLOCKS, max_size=6).map("\n".join)


def fences(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(("```", "~~~"))]


def bare(text: str) -> str:
    """A text without the lines that begin and end code blocks, and without spaces."""
    return "".join("".join(line.split()) for line in text.split("\n") if not line.startswith(("```", "~~~")))


@given(TEXTS, st.integers(100, 300))
def test_no_piece_is_too_long_or_empty_nothing_is_lost_and_code_blocks_are_closed(text: str, limit: int) -> None:
    made = pieces(text, limit)
    for piece in made:
        assert width(piece) <= limit
        assert piece.strip()
        assert len(fences(piece)) % 2 == 0
    assert bare("\n".join(made)) == bare(text)


def test_a_text_that_fits_is_left_alone() -> None:
    text = "Veja:\n```py\nprint(1)\n```\n\nPronto."
    assert pieces(text, 2_000) == [text]


def test_it_is_cut_between_lines_or_else_between_words() -> None:
    assert pieces("a" * 60 + "\n" + "b" * 60, 100) == ["a" * 60, "b" * 60]
    assert pieces("word " * 29 + "word", 100) == [("word " * 20).strip(), ("word " * 10).strip()]
    assert pieces("a" * 250, 100) == ["a" * 100, "a" * 100, "a" * 50]


def test_a_block_goes_on_in_its_language() -> None:
    lines = [f"line {number}" for number in range(30)]
    first, *others = pieces("```py\n" + "\n".join(lines) + "\n```", 120)
    assert first.startswith("```py\nline 0")
    assert all(other.startswith("```py\n") and other.endswith("\n```") for other in others)


@each(["", "\n\n", " ", "```", "```py\n```"])
def test_a_text_that_says_nothing_makes_no_trouble(text: str) -> None:
    assert len(pieces(text, 100)) <= 1
