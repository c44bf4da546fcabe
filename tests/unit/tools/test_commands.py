"""Commands typed in a chat, against a memory of rows in lists: what is one, what it answers, and what it touches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from builders import NOW, a_message, a_note, an_id, an_item
from loops import each
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import Place, may_hear
from relembra.domain.text import fold
from relembra.errors import ConflictError, InvalidInputError, NotFoundError
from relembra.tools.commands import NAMES, CommandAnswer, answered, counted
from relembra.views.profile import Profile, profile

CLUB = Place("book club", "general")
MOST_LINES = 10


@dataclass(frozen=True)
class Gone:
    counts: Mapping[str, int] = field(default_factory=lambda: {"items": 1, "terms": 3, "vectors": 0, "audit": 2})
    erased: bool = True


class Rows:
    """A memory of some rows; whatever shares a word with a question answers it."""

    def __init__(self, *rows: KnowledgeItem | Note | Message, leaks: bool = False, receipt: Gone | None = None) -> None:
        self.items_held = {row.id: row for row in rows if isinstance(row, KnowledgeItem)}
        self.others = [row for row in rows if not isinstance(row, KnowledgeItem)]
        self.calls: list[tuple[str, Any]] = []
        self.why = SimpleNamespace(similarity=0.2)
        self.leaks = leaks  # hands over what may not be heard where it is asked, as it should not
        self.receipt = receipt or Gone()

    async def recall(self, query: str, **asked: Any) -> Any:
        self.calls.append(("recall", {"query": query} | asked))
        notes = [row for row in self.others if isinstance(row, Note)]
        messages = [row for row in self.others if isinstance(row, Message)]
        return SimpleNamespace(
            items=[SimpleNamespace(item=row, why=self.why) for row in self._found(query, self._current(), asked)],
            notes=[SimpleNamespace(note=row, why=self.why) for row in self._found(query, notes, asked)],
            messages=[SimpleNamespace(message=row, why=self.why) for row in self._found(query, messages, asked)],
        )

    async def search(self, query: str, **asked: Any) -> Any:
        self.calls.append(("search", {"query": query} | asked))
        return [SimpleNamespace(item=row, why=self.why) for row in self._found(query, self._current(), asked)][
            : asked["limit"]
        ]

    async def add(self, content: str, **where: Any) -> KnowledgeItem:
        self.calls.append(("add", where))
        return an_item(id=an_id(0x4A2B3C4D5E62), content=content)

    async def find(self, fragment: str, **whose: Any) -> KnowledgeItem:
        assert whose == {"user": "ana", "outside": False, "tenant": "default"}
        found = [row for id, row in self.items_held.items() if id.startswith(fragment) or id.endswith(fragment)]
        if len(found) > 1:
            raise InvalidInputError("several", field="id")
        if not found:
            raise NotFoundError("item", fragment)
        return found[0]

    async def delete(self, id: str, **whose: Any) -> KnowledgeItem:
        self.calls.append(("delete", id))
        self.items_held[id] = replace(self.items_held[id], deleted_at=NOW)
        return self.items_held[id]

    async def undo(self, id: str, **whose: Any) -> list[object]:
        self.calls.append(("undo", id))
        if self.items_held[id].superseded_at is not None:
            raise ConflictError("changed since")
        self.items_held[id] = replace(self.items_held[id], deleted_at=None)
        return []

    async def forget(self, *, user: str, item: str, tenant: str) -> Gone:
        self.calls.append(("forget", item))
        del self.items_held[item]
        return self.receipt

    async def profile(self, **asked: Any) -> Profile:
        self.calls.append(("profile", asked))
        heard = [row for row in self._current() if may_hear(row.place, Place(asked["space"]))]
        return profile(heard, (), name=asked["user"], now=NOW, language=asked["language"])

    @property
    def changes(self) -> list[tuple[str, Any]]:
        return [call for call in self.calls if call[0] in ("delete", "undo", "forget")]

    def _current(self) -> list[KnowledgeItem]:
        return [row for row in self.items_held.values() if row.deleted_at is None]

    def _found(self, query: str, rows: Sequence[Any], asked: Mapping[str, Any]) -> list[Any]:
        wanted = set(re.findall(r"\w+", fold(query)))
        heard = [row for row in rows if self.leaks or may_hear(row.place, Place(asked["space"]))]
        return [row for row in heard if wanted & set(re.findall(r"\w+", fold(text_of(row))))]


def text_of(row: KnowledgeItem | Note | Message) -> str:
    return row.content if isinstance(row, KnowledgeItem) else row.summary if isinstance(row, Note) else row.text


TEA = an_item(id=an_id(0x1A2B3C4D5E6F), content="Likes mint tea")
SHED = an_item(id=an_id(0x2A2B3C4D5E60), content="The tea key hangs in the shed", source=Source.USER_INPUT)
CLUB_TEA = an_item(id=an_id(0x3A2B3C4D5E61), content="Brings the tea to the club", place=CLUB)
TEA_ID, SHED_ID, CLUB_ID = "3c4d5e6f", "3c4d5e60", "3c4d5e61"


async def ask(memory: Rows, text: str, **where: Any) -> CommandAnswer:
    """The answer to what is surely a command; it is short, plain, and one line an item."""
    answer = await answered(memory, text, user="ana", **where)
    assert answer is not None
    lines = answer.text.split("\n")
    assert 1 <= len(lines) <= MOST_LINES
    assert all(line.strip() == line != "" for line in lines)
    return answer


# ── keep ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@each(
    [
        ("/remember I keep “bees”\nhere", 'Kept: “I keep "bees" here”\nTo forget it: /forget 3c4d5e62'),
        ("/guardar crio abelhas", "Guardado: “crio abelhas”\nPara esquecer: /esquecer 3c4d5e62"),
    ]
)
async def test_what_is_to_be_remembered_is_kept_where_it_is_said(text: str, told: str) -> None:
    memory = Rows()
    answer = await ask(memory, text, space="club", channel="tea")
    assert (answer.name, answer.text, answer.done) == ("keep", told, True)
    assert memory.calls == [("add", {"user": "ana", "space": "club", "channel": "tea", "tenant": "default"})]


@each(["/remember", "/guardar  "])
async def test_nothing_to_remember_is_asked_for(text: str) -> None:
    memory = Rows()
    assert not (await ask(memory, text)).done
    assert memory.calls == []


async def test_where_nothing_is_kept_nothing_is_kept_by_name_either() -> None:
    memory = Rows()
    assert (await ask(memory, "/guardar crio abelhas", keeps=False)).text == "Nada é lembrado de você aqui."
    assert memory.calls == []


# ── what is a command ─────────────────────────────────────────────────────────────────────────────────────────────────


@each(["", "hello", "remember the milk", "/", "/ remember tea", "/home/ana", "/recall/tea", "/etc", "/start",
     "/recallx", "//recall tea", "/1recall tea", "/re call tea", "we say /recall tea", "/lembrar_me chá",
     "/recall@ tea", "/recall-tea", "/recall@bot/tea", "https://x/recall"])  # fmt: skip
async def test_what_is_no_command_of_ours_is_left_to_others(text: str) -> None:
    memory = Rows(TEA)
    assert await answered(memory, text, user="ana") is None
    assert memory.calls == []


@each(["/recall tea", "/RECALL tea", " /Recall   tea ", "/recall@relembra_bot tea", "/recall: tea", "/recall\ntea",
     "/lembrar tea", "/Lembrár tea", "/recall@relembra_bot: tea"])  # fmt: skip
async def test_a_command_is_known_however_it_is_typed(text: str) -> None:
    memory = Rows(TEA)
    answer = await ask(memory, text)
    assert (answer.name, answer.items) == ("recall", (TEA,))
    ((_, asked),) = memory.calls
    assert (asked["query"], asked["user"], asked["space"], asked["tenant"]) == ("tea", "ana", None, "default")


@each(["/perfil.", "/perfil!", "/PERFIL?!", "/perfil…", "/perfil@bot", "/profile ,", "/profile"])
async def test_trailing_punctuation_is_no_matter(text: str) -> None:
    assert (await ask(Rows(), text)).name == "profile"


async def test_a_command_for_another_bot_is_not_ours() -> None:
    for bot in ("relembra_bot", "@Relembra_Bot"):
        assert await answered(Rows(), "/help@other_bot", user="ana", bot=bot) is None
        assert (await ask(Rows(), "/help@relembra_bot", bot=bot)).name == "help"
        assert (await ask(Rows(), "/help", bot=bot)).name == "help"


@each(NAMES)
async def test_the_answer_is_in_the_language_of_the_command_unless_told(typed: str) -> None:
    name, own = NAMES[typed]
    by_language = {language: await ask(Rows(), f"/{typed}", language=language) for language in ("en", "pt")}
    assert {answer.name for answer in by_language.values()} == {name}
    assert by_language["en"].text != by_language["pt"].text
    assert await ask(Rows(), f"/{typed}") == by_language[own]


async def test_a_language_nobody_speaks_here_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="choose en or pt"):
        await answered(Rows(), "/help", user="ana", language="fr")


@each(["/recall", "/lembrar  ", "/recall@bot", "/forget", "/esquecer!", "/recall \u200b",
                                  "/undo", "/desfazer isso"])  # fmt: skip
async def test_without_what_it_is_about_the_answer_says_how_it_is_written(text: str) -> None:
    memory = Rows(TEA)
    answer = await ask(memory, text)
    assert not answer.done
    assert re.search(r"/(recall|lembrar|forget|esquecer|undo|desfazer)\b", answer.text)
    assert memory.calls == []


@each(["en", "pt"])
async def test_help_lists_every_command(language: str) -> None:
    text = (await ask(Rows(), "/help", language=language)).text
    listed = set(re.findall(r"^/(\w+)", text, re.MULTILINE))
    assert {NAMES[typed] for typed in listed} == {(name, language) for name, _ in NAMES.values()}


def test_what_went_is_counted_in_words() -> None:
    assert counted("vectors", 1, "pt") == "1 vetor"
    assert counted("vectors", 2, "en") == "2 vectors"
    assert counted("something new", 2, "en") == "2 something new"


# ── recall ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_recall_shows_items_notes_and_messages_with_date_source_and_id() -> None:
    note = a_note(id=an_id(0x11), title="Tea time", summary="Ana spoke of tea.")
    learnt = an_item(id=an_id(0x12), content="Had tea at four", note_id=note.id, needs_resolution=True)
    claim = an_item(id=an_id(0x13), content="Spills tea", speaker="Bia")
    said = a_message(id=an_id(0x14), text="Tea at “The Mill”?\nYes & <b>no</b>", zone="-03:00")
    reply = a_message(id=an_id(0x15), text="Tea it is", role=Role.ASSISTANT, author="bot")
    answer = await ask(Rows(SHED, learnt, claim, note, said, reply), "/recall tea")
    assert answer.text.split("\n") == [
        "What I remember about “tea”:",
        "3c4d5e60 · “The tea key hangs in the shed” · Mar 1, 2026, entered by the person",
        "00000012 · “Had tea at four” · Mar 1, 2026, Tea time, unsure",
        "00000013 · “Spills tea” · Mar 1, 2026, said in conversation, Bia",
        "00000011 · “Ana spoke of tea.” · Mar 1, 2026, note “Tea time”",
        '00000014 · “Tea at "The Mill"? Yes & <b>no</b>” · Mar 1, 2026, ana',
        "00000015 · “Tea it is” · Mar 1, 2026, assistant",
    ]
    assert answer.items == (SHED, learnt, claim)
    in_portuguese = (await ask(Rows(SHED, reply), "/lembrar tea")).text.split("\n")
    assert in_portuguese == [
        "O que lembro sobre “tea”:",
        "3c4d5e60 · “The tea key hangs in the shed” · 1 mar 2026, registrado pela pessoa",
        "00000015 · “Tea it is” · 1 mar 2026, assistente",
    ]


async def test_recall_without_a_find_says_so() -> None:
    assert await ask(Rows(TEA), "/recall coffee?") == CommandAnswer("recall", "I remember nothing about “coffee?”.")
    assert (await ask(Rows(TEA), "/lembrar café")).text == "Não lembro nada sobre “café”."


async def test_recall_leaves_out_what_is_hardly_like_it() -> None:
    memory = Rows(TEA, a_note(summary="tea"), a_message(text="tea"))
    memory.why.similarity = 0.19
    assert (await ask(memory, "/recall tea")).text == "I remember nothing about “tea”."
    assert (await ask(memory, "/forget tea")).items == (TEA,)


async def test_recall_never_shows_commands() -> None:
    asked, other = a_message(text="/recall tea"), a_message(text="/start tea")
    answer = await ask(Rows(asked, other), "/recall tea")
    assert "/recall tea" not in answer.text
    assert "/start tea" in answer.text


async def test_recall_is_short_whatever_there_is() -> None:
    rows: list[KnowledgeItem | Note | Message] = []
    for number in range(20):
        rows += [
            an_item(content=f"tea {number} " + "long " * 200),
            a_note(summary=f"tea {number} " + "long " * 200),
            a_message(text=f"tea {number}\n" + "long\n" * 200),
        ]
    answer = await ask(Rows(*rows), "/recall tea " + "and more " * 100)
    lines = answer.text.split("\n")
    assert len(lines) == 8
    assert all(len(line) < 240 for line in lines)
    assert len(answer.items) == sum("said in conversation" in line for line in lines)
    only_items = await ask(Rows(*(row for row in rows if isinstance(row, KnowledgeItem))), "/recall tea")
    assert len(only_items.items) == 7


@each(["\u202e", "\u200b", "\x07", "\n", "\u2028", "“", "”"])
async def test_remembered_text_stays_inside_its_quotation_marks_on_its_line(char: str) -> None:
    memory = Rows(an_item(content=f"tea{char} · {char}forged"))
    _, line = (await ask(memory, "/recall tea")).text.split("\n")
    assert line.count("“") == line.count("”") == 1
    assert not set(line) & set("\u202e\u200b\x07\u2028")
    assert "forged” · Mar 1, 2026" in line


# ── forget ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@each([f"/forget {TEA_ID}", f"/forget {TEA_ID}.", f"/forget “{TEA_ID.upper()}”", f"/forget {TEA.id}",
     f"/forget {TEA_ID[-6:]}"])  # fmt: skip
async def test_an_id_is_forgotten_softly_and_the_answer_says_what_can_follow(text: str) -> None:
    memory = Rows(TEA, SHED)
    answer = await ask(memory, text)
    assert memory.changes == [("delete", TEA.id)]
    assert answer.done
    assert answer.items == (memory.items_held[TEA.id],)
    assert answer.text.split("\n") == [
        "Forgotten: “Likes mint tea”",
        f"To bring it back: /undo {TEA_ID}",
        f"To remove it so that it cannot come back: /forget {TEA_ID} for good",
    ]
    again = await ask(memory, text)
    assert again.text.startswith("That was forgotten already: “Likes mint tea”")
    assert memory.changes == [("delete", TEA.id)]


async def test_what_an_answer_says_to_type_works() -> None:
    memory = Rows(TEA, SHED)
    softly = (await ask(memory, f"/esquecer {TEA_ID}")).text.split("\n")
    undo, for_good = (line.partition(": ")[2] for line in softly[1:])
    assert (await ask(memory, undo)).text == "Está de volta: “Likes mint tea”"
    assert memory.items_held[TEA.id].deleted_at is None
    assert (await ask(memory, for_good)).done
    assert memory.changes == [("delete", TEA.id), ("undo", TEA.id), ("forget", TEA.id)]


@each([f"/forget {TEA_ID} for good", f"/forget {TEA_ID}, forever!",
                                  f"/forget {TEA_ID} DE VEZ", f"/forget {TEA_ID} para sempre."])  # fmt: skip
async def test_for_good_shows_the_receipt_and_not_the_words(text: str) -> None:
    memory = Rows(TEA)
    answer = await ask(memory, text)
    assert memory.changes == [("forget", TEA.id)]
    assert answer == CommandAnswer("forget", "Removed for good: 1 item, 3 search words, 2 records of changes.")
    after = await ask(memory, f"/undo {TEA_ID}")
    assert not after.done
    assert "What was removed for good does not come back" in after.text


async def test_for_good_tells_what_is_left() -> None:
    said = replace(TEA, message_ids=("m1",))
    answer = await ask(Rows(said, receipt=Gone({"items": 1}, erased=False)), f"/esquecer {TEA_ID} de vez")
    assert answer.text.split("\n") == [
        "Apagado de vez: 1 item.",
        "As mensagens que dizem isso ficam onde foram ditas.",
        "Os últimos bytes saem do arquivo assim que ninguém o estiver lendo.",
    ]


@each(["/forget tea", "/forget the tea for good", "/esquecer TEA!", "/forget tea 2026"])
async def test_words_are_never_enough(text: str) -> None:
    memory = Rows(TEA, SHED)
    answer = await ask(memory, text, language="en")
    assert memory.changes == []
    assert not answer.done
    assert answer.items == (TEA, SHED)
    first, *_, last = answer.text.split("\n")
    assert first == "I forget nothing by guessing. These come closest:"
    assert last == f"Repeat it with the id of the one you mean: /forget {TEA_ID}"


@each([("cafe", "Gosta de cafe"), ("decade", "A decade ago"), ("2026", "Moved in 2026"),
                           ("2026-03-01", "Moved on 2026-03-01"), ("11987654321", "Phone: 11987654321")])  # fmt: skip
async def test_a_word_or_a_number_that_looks_like_an_id_is_looked_for(typed: str, content: str) -> None:
    wanted = an_item(content=content)
    memory = Rows(wanted, TEA)
    answer = await ask(memory, f"/forget {typed}")
    assert (memory.changes, answer.items, answer.done) == ([], (wanted,), False)


async def test_a_fragment_too_short_to_be_sure_is_asked_back() -> None:
    memory = Rows(TEA, SHED)
    answer = await ask(memory, "/forget 5e6f")
    assert (memory.changes, answer.items, answer.done) == ([], (TEA,), False)
    assert f"/forget {TEA_ID}" in answer.text


async def test_a_word_of_letters_is_no_id_even_where_one_ends_so() -> None:
    unlucky = an_item(id="01900000-0000-7000-8000-0000beefcafe", content="Likes mint tea")
    memory = Rows(unlucky)
    assert not (await ask(memory, "/forget beefcafe")).done
    assert memory.changes == []
    shown = (await ask(memory, "/forget tea")).text.rpartition(" ")[2]
    assert (await ask(memory, f"/forget {shown}")).done
    assert memory.changes == [("delete", unlucky.id)]


async def test_ids_that_fit_none_or_several_change_nothing() -> None:
    memory = Rows(TEA, SHED)
    none = await ask(memory, "/forget 9f9f9f9f")
    several = await ask(memory, "/forget 01900000")
    assert none.text.startswith("There is nothing under the id 9f9f9f9f here.")
    assert several.text == "The id 01900000 fits several things. Give more of it."
    assert (await ask(memory, "/undo 01900000")).text == several.text
    assert not (await ask(memory, "/forget 9f9f9f9f for good")).done
    assert memory.changes == []


async def test_nothing_like_it_means_nothing_to_forget() -> None:
    answer = await ask(Rows(TEA), "/esquecer endereço")
    assert answer.text == "Não sei nada parecido com “endereço” aqui, então não há o que esquecer."
    assert not answer.done


# ── undo ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_undo_brings_back_what_was_forgotten_and_undoes_nothing_else() -> None:
    memory = Rows(replace(TEA, deleted_at=NOW), SHED, replace(CLUB_TEA, deleted_at=NOW, superseded_at=NOW))
    back = await ask(memory, f"/undo {TEA_ID}")
    assert (back.text, back.items, back.done) == ("It is back: “Likes mint tea”", (TEA,), True)
    kept = await ask(memory, f"/desfazer {SHED_ID}")
    assert kept.text.startswith("Isso não está esquecido")
    assert memory.changes == [("undo", TEA.id)]
    cannot = await ask(memory, f"/undo {CLUB_ID}")
    assert cannot.text == "That cannot be undone any more: “Brings the tea to the club”"
    assert (kept.done, cannot.done) == (False, False)


# ── in a space ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_in_a_space_only_what_may_be_heard_there_is_shown() -> None:
    private_note, private_said = a_note(summary="tea in private"), a_message(text="tea in private")
    memory = Rows(TEA, CLUB_TEA, private_note, private_said, leaks=True)
    here = await ask(memory, "/recall tea", space="book club", channel="general")
    assert here.items == (CLUB_TEA,)
    assert len(here.text.split("\n")) == 2
    assert memory.calls[-1][1]["space"] == "book club"
    assert memory.calls[-1][1]["channel"] == "general"
    listed = await ask(memory, "/forget tea", space="book club")
    assert listed.items == (CLUB_TEA,)
    assert (await ask(memory, "/recall tea", space="elsewhere")).items == ()
    assert (await ask(memory, "/recall tea")).items == (TEA, CLUB_TEA)


@each(["", " for good"])
async def test_in_a_space_only_what_was_heard_there_is_forgotten(suffix: str) -> None:
    memory = Rows(TEA, CLUB_TEA)
    hidden = await ask(memory, f"/forget {TEA_ID}{suffix}", space="book club")
    unknown = await ask(memory, f"/forget 9f9f9f9f{suffix}", space="book club")
    assert hidden.text == unknown.text.replace("9f9f9f9f", TEA_ID)
    assert (hidden.done, hidden.items, memory.changes) == (False, (), [])
    assert (await ask(memory, f"/forget {CLUB_ID}{suffix}", space="book club")).done
    assert [id for _, id in memory.changes] == [CLUB_TEA.id]


async def test_in_a_space_nothing_private_is_brought_back() -> None:
    memory = Rows(replace(TEA, deleted_at=NOW))
    answer = await ask(memory, f"/undo {TEA_ID}", space="book club")
    assert "mint" not in answer.text
    assert memory.changes == []


# ── profile ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_profile_has_a_line_a_section() -> None:
    rows = [an_item(content=f"Fact {number}", priority=9 - number) for number in range(4)]
    liked = an_item(content="Only here", place=CLUB)
    answer = await ask(Rows(*rows), "/profile")
    assert answer.text.split("\n") == [
        "What I know of ana:",
        "Bio: “Fact 0”; “Fact 1”; “Fact 2”; and 1 more",
    ]
    disputed = an_item(content="Lives in Bristol", attribute="residence", value="Bristol", needs_resolution=True)
    assert (await ask(Rows(disputed), "/profile")).text.endswith("Bio: “Lives in Bristol” (unsure)")
    assert (await ask(Rows(TEA, liked), "/perfil", space="book club")).text.split("\n") == [
        "O que sei de ana:",
        "Biografia: “Only here”",
    ]


async def test_an_empty_profile_says_so() -> None:
    assert (await ask(Rows(), "/profile")).text.startswith("I know nothing of ana here yet.")
    assert (await ask(Rows(TEA), "/perfil", space="elsewhere")).text.startswith("Ainda não sei nada de ana aqui.")
