"""Long texts in pieces: none too long, nothing lost, and code blocks whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
