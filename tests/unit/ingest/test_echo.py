"""What Relembra itself put into a prompt is found again, whoever passes it along; people's own words stay."""

from __future__ import annotations

import time

from builders import NOW, a_message, a_note, an_item
from loops import each
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Role
from relembra.domain.policy import LIFE
from relembra.ingest.pipeline import without_echo
from relembra.learn.casework import Question
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.recall.assembly import assemble
from relembra.recall.ranking import MessageHit, unasked
from relembra.views import memory as user_memory
from relembra.views import profile
from relembra.views.memory import compact

ASKED = {
    "en": "Before, you said that you live in “Recife”, and now that you live in “Porto”. Has something changed?",
    "pt": "Antes você disse que mora em “Recife”, agora que mora no “Porto”. Mudou algo?",
}
ITEMS = [
    an_item(content="Lives in Recife", attribute="residence", value="Recife", title="Home"),
    an_item(content="Works with glass: “vases”, mostly", attribute="employment", value="glassworks", confidence=0.5),
    an_item(content="Likes rowing", attribute="likes", value="rowing", type=KnowledgeType.PREFERENCE),
    an_item(content="Wakes at six", attribute="wake_time", value="6:00"),
    an_item(content="Wants to run a marathon", attribute="goal", value="run a marathon", type=KnowledgeType.GOAL),
]


def a_context(language: str) -> str:
    said = [a_message(text=f"Said in Recife, {number}") for number in range(3)]
    replied = a_message(text="Reply about\nRecife", role=Role.ASSISTANT)
    hits = [unasked(item, LIFE.ranking) for item in ITEMS]
    return assemble(
        name="ana", hits=hits, earlier=[MessageHit(said[0], 0.5, hits[0].why)], recent=[*said[1:], replied],
        summary="Talks about Recife (mood: low)", question=Question("c", ASKED[language]), now=NOW, budget=2_000,
        language=language, policy=LIFE, tokens=OfflineTokens(),
    ).text  # fmt: skip


def a_profile(language: str) -> str:
    shown = profile.profile(ITEMS, [a_note()], name="ana", now=NOW, language=language, speaker="ana")
    return profile.rendered(shown, language)


def a_compact_memory(language: str) -> str:
    made = compact(
        ITEMS, [], name="ana", now=NOW, language=language, tokens=OfflineTokens(), budget_tokens=800, version=1,
        speaker="ana",
    )  # fmt: skip
    return user_memory.rendered(made, language)


OURS = [a_context, a_profile, a_compact_memory, ASKED.__getitem__]


@each([(language, ours) for language in ["en", "pt"] for ours in OURS])
def test_our_own_text_teaches_nothing(language: str, ours) -> None:  # type: ignore[no-untyped-def]  # any renderer
    text = ours(language)
    assert len(text) > 40
    assert (without_echo(text).strip(), without_echo(text.replace("\n", "\r\n")).strip()) == ("", "")


@each([(language, ours) for language in ["en", "pt"] for ours in OURS])
def test_words_around_our_own_text_stay(language: str, ours) -> None:  # type: ignore[no-untyped-def]  # any renderer
    text = f"Look what it told me:\n\n{ours(language)}\n\nBut I live in Lima now."
    left = without_echo(text)
    assert "Recife" not in left
    assert "marathon" not in left
    assert (left.split("\n")[0], left.split("\n")[-1]) == ("Look what it told me:", "But I live in Lima now.")


@each(["background_facts", "relembra", "memory"])
def test_a_block_in_our_tags_teaches_nothing(tag: str) -> None:
    assert without_echo(f'<{tag} for="ana">\nlives in Recife\n</{tag}> hello') == "hello"


def test_a_tag_that_is_never_closed_hides_nothing() -> None:
    assert without_echo("<memory> is a tag\nI live in Lima") == "<memory> is a tag\nI live in Lima"
    assert without_echo("<memory>a <relembra>b</relembra> c") == "<memory>a   c"


@each(["<memory>", "</memory><memory>", "<memory ", "\n", "- “”\n", "## Said earlier\n", "Antes você disse ", "- “”"])
def test_a_long_message_takes_no_long_time(piece: str) -> None:
    started = time.process_time()
    without_echo(piece * (300_000 // len(piece)))
    assert time.process_time() - started < 2


@each(
    [
        "Moro em Recife.",
        "Shopping:\n- eggs\n- milk\nI live in Lima.",
        "O que aconteceu foi que me mudei para Lima\ne agora estou sem emprego",
        "What happened is that I moved to Lima.\nI work at Vale now.",
        "To ask her was hard\nbut we married in May",
        "Said earlier that I like tea\nbut I like coffee",
        "Meu livro favorito é “Dom Casmurro”.",
        "- Moro em Lima\n- Trabalho na Vale",
        "a < b and b > c\nI live in Lima",
        "# Me\nI live in Lima\n# Work\nI work at Vale",
        "Antes você disse isso, agora não sei",
        "<b>Lima</b> is home",
        "",
    ]
)
def test_peoples_own_words_stay_as_they_are(text: str) -> None:
    assert without_echo(text) == text
