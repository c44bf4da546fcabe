"""An older program's facts: every part looked for under the names it had, and nothing taken over twice."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from loops import each
from relembra import InvalidInputError, Memory
from relembra.bootstrap import legacy_facts
from relembra.domain.policy import LIFE
from relembra.store.sqlite.backups import MOST_ROWS
from relembra.transfer.facts import Fact, OldFacts, facts_of, report

ALEX = {"id": 1, "discord_id": "111", "username": "alex", "display_name": "Alex"}
SAM = {"id": 2, "discord_id": "222", "username": "sam", "display_name": "Sam Lee"}


def a_fact(**parts: Any) -> dict[str, Any]:
    return {"id": 7, "user_id": 1, "fact": "Likes RPGs"} | parts


def read(*facts: dict[str, Any], user: str | None = None) -> OldFacts:
    return facts_of(facts, [ALEX, SAM], user=user)


def content(text: str, **parts: Any) -> str:
    (fact,) = read(a_fact(fact=text, **parts)).facts
    return fact.content


@each(
    [
        ("Alex likes RPGs", "Likes RPGs"),
        ("alex likes RPGs", "Likes RPGs"),
        ("Alex: likes RPGs", "Likes RPGs"),
        ("Alex - é professor", "É professor"),
        ("Lives in Austin", "Lives in Austin"),
        ("Alex and Sam play chess", "Alex and Sam play chess"),
        ("Alex e Sam jogam xadrez", "Alex e Sam jogam xadrez"),
        ("Alex's dog is called Bento", "Alex's dog is called Bento"),
        ("Alex Johnson likes RPGs", "Alex Johnson likes RPGs"),
        ("Alexandra likes RPGs", "Alexandra likes RPGs"),
        ("Alex", "Alex"),
        ("  Alex   likes\n RPGs ", "Likes RPGs"),
    ]
)
def test_a_name_it_begins_with_is_taken_off_where_a_sentence_is_left(text: str, kept: str) -> None:
    assert content(text) == kept


def test_the_whole_name_or_its_first_word_is_taken_off() -> None:
    assert content("Sam Lee has a dog", user_id=2) == "Has a dog"
    assert content("Sam has a dog", user_id=2) == "Has a dog"


@each(
    [
        ("2026-02-20 10:00:00", datetime(2026, 2, 20, 10, tzinfo=UTC)),
        ("2026-02-20T10:00:00-03:00", datetime(2026, 2, 20, 13, tzinfo=UTC)),
        ("2026-02-20", datetime(2026, 2, 20, tzinfo=UTC)),
        (1_771_581_600, datetime(2026, 2, 20, 10, tzinfo=UTC)),
        (1_771_581_600_000, datetime(2026, 2, 20, 10, tzinfo=UTC)),
        ("a while ago", None),
        (None, None),
        (10**30, None),
    ]
)
def test_a_date_is_read_however_it_was_written(written: object, moment: datetime | None) -> None:
    (fact,) = read(a_fact(created_at=written)).facts
    assert fact.held_from == moment


@each(
    [
        {"deleted": 1},
        {"is_deleted": "true"},
        {"deleted_at": "2026-01-01"},
        {"superseded_by": 9},
        {"superseded": True},
        {"active": 0},
        {"is_current": "false"},
        {"fact": "  "},
        {"fact": None},
        {"fact": b"bytes"},
        {"fact": "a\0b"},
        {"user_id": None},
    ]
)
def test_what_no_longer_holds_says_nothing_or_is_nobodys_is_left_out(flags: dict[str, Any]) -> None:
    old = read(a_fact(**flags), a_fact(id=8))
    assert (len(old.facts), old.left_out) == (1, 1)


@each([{"deleted": 0}, {"deleted_at": None}, {"superseded": ""}, {"active": 1}])
def test_a_flag_that_is_not_set_leaves_nothing_out(flags: dict[str, Any]) -> None:
    assert len(read(a_fact(**flags)).facts) == 1


def test_everybody_has_their_own_under_their_user_name() -> None:
    old = read(a_fact(), a_fact(id=8, user_id=2), a_fact(id=9, user_id=3))
    assert [fact.user for fact in old.facts] == ["alex", "sam", "3"]
    assert old.people == ("3", "alex", "sam")


@each(["sam", "SAM", "222", "Sam Lee", "2"])
def test_one_person_is_named_by_any_of_their_names_and_kept_under_it(name: str) -> None:
    old = read(a_fact(), a_fact(id=8, user_id=2), user=name)
    assert [(fact.user, fact.tag) for fact in old.facts] == [(name, "fact:8")]


def test_columns_may_have_other_names_and_users_may_be_missing() -> None:
    rows = [{"Fact_ID": 3, "Content": "Likes tea", "UserName": None, "username": "kim", "Timestamp": 0}]
    (fact,) = facts_of(rows, []).facts
    assert fact == Fact(user="kim", content="Likes tea", tag="fact:3", held_from=datetime(1970, 1, 1, tzinfo=UTC))
    (numberless,) = facts_of([{"text": "Likes tea", "user_id": 5}], []).facts
    assert (numberless.user, len(numberless.tag)) == ("5", len("fact:") + 12)


def test_a_table_without_words_is_refused_and_one_without_rows_is_empty() -> None:
    with pytest.raises(InvalidInputError, match="no column fact, text, content") as refused:
        facts_of([{"id": 1, "embedding": b""}], [])
    assert refused.value.field == "facts_file"
    assert facts_of([], []).facts == ()


def test_what_is_known_by_tag_and_words_is_not_added_again() -> None:
    old = read(a_fact(), a_fact(id=8, fact="Likes tea"), a_fact(id=9, fact="LIKES TEA"))
    new, told = report(old, {"alex": {("fact:7", "Likes RPGs")}})
    assert [fact.tag for fact in new["alex"]] == ["fact:8"]
    assert (told.added, told.known, told.repeated, told.total) == ({"alex": 1}, 1, 1, 1)
    other_file, _ = report(read(a_fact(fact="Has a dog")), {"alex": {("fact:7", "Likes RPGs")}})
    assert [fact.content for fact in other_file["alex"]] == ["Has a dog"]


# ── from a file into a memory ─────────────────────────────────────────────────────────────────────────────────────


def a_file(folder: Path, *statements: str) -> Path:
    path = folder / "old bot #1.db"
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement)
    db.close()
    return path


ODD = (
    "CREATE TABLE Facts (fact_id TEXT, user_id INTEGER, content TEXT, is_active INTEGER, created INTEGER)",
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)",
    "INSERT INTO users VALUES (4, 'Bia')",
    "INSERT INTO Facts VALUES ('a1', 4, 'Bia mora em Olinda', 1, 1771581600), ('a2', 4, 'Bia tem um gato', 0, NULL)",
)


async def test_an_odd_file_is_read_and_a_second_time_adds_nothing(memory: Memory, tmp_path: Path) -> None:
    path = a_file(tmp_path, *ODD)
    before = path.read_bytes()
    first = await memory.import_facts(path)
    assert (first.added, first.left_out) == ({"Bia": 1}, 1)
    (item,) = await memory.list(user="Bia")
    assert (item.content, item.source, item.tags) == ("Mora em Olinda", "import", ("fact:a1",))
    assert item.held_from == datetime(2026, 2, 20, 10, tzinfo=UTC)
    assert item.confidence == LIFE.confidence.explicit
    assert not item.validated
    assert (await memory.history(item.id, user="Bia")).trail[0].actor.name == "import"
    assert ((await memory.import_facts(path)).total, len(await memory.list(user="Bia"))) == (0, 1)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.glob("old*")] == [path.name]


async def test_what_the_person_deleted_or_put_right_stays_so(memory: Memory, tmp_path: Path) -> None:
    path = a_file(tmp_path, *ODD)
    await memory.import_facts(path)
    (item,) = await memory.list(user="Bia")
    right = await memory.correct(item.id, "Mora no Recife", user="Bia")
    assert (await memory.import_facts(path)).known == 1
    await memory.delete(right.id, user="Bia")
    assert (await memory.import_facts(path)).known == 1
    assert await memory.list(user="Bia") == []


async def test_a_trial_keeps_nothing_and_tenants_are_apart(memory: Memory, tmp_path: Path) -> None:
    path = a_file(tmp_path, *ODD)
    tried = await memory.import_facts(path, dry_run=True)
    assert (tried.total, tried.dry_run, await memory.list(user="Bia")) == (1, True, [])
    assert (await memory.import_facts(path, tenant="firm")).total == 1
    assert await memory.list(user="Bia") == []
    assert (await memory.import_facts(path, user="nobody")).people == ("Bia",)


def test_a_file_in_use_is_read_with_what_was_written_last_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "busy.db"
    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.execute("CREATE TABLE facts (id INTEGER, user_id INTEGER, text TEXT)")
    db.execute("INSERT INTO facts VALUES (1, 1, 'Likes tea')")
    beside = {other.name: other.read_bytes() for other in tmp_path.iterdir()}
    facts, users = legacy_facts(path)
    assert ([row["text"] for row in facts], users) == (["Likes tea"], [])
    assert {other.name: other.read_bytes() for other in tmp_path.iterdir()} == beside
    db.close()


def test_a_table_of_a_module_that_is_not_here_does_no_harm(tmp_path: Path) -> None:
    path = a_file(tmp_path, *ODD)
    db = apsw.Connection(str(path))
    db.execute("PRAGMA writable_schema = ON")
    db.execute(
        "INSERT INTO sqlite_schema VALUES ('table', 'vec_facts', 'vec_facts', 0, "
        "'CREATE VIRTUAL TABLE vec_facts USING vec0(fact_id INTEGER PRIMARY KEY, embedding float[768])')"
    )
    db.close()
    assert len(legacy_facts(path)[0]) == 2


def test_a_view_is_no_table_for_it_may_have_no_end(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n(fact) AS (SELECT 'x' UNION ALL SELECT fact FROM n) SELECT fact FROM n"
    path = a_file(tmp_path, f"CREATE VIEW facts AS {endless}")
    with pytest.raises(InvalidInputError, match="no table facts"):
        legacy_facts(path)


@each(["missing", "text", "tableless"])
def test_a_file_that_holds_no_facts_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.db"
    if kind == "text":
        path.write_text("no database at all " * 100)
    if kind == "tableless":
        apsw.Connection(str(path)).execute("CREATE TABLE other (x)")
    with pytest.raises(InvalidInputError) as refused:
        legacy_facts(path)
    assert refused.value.field == "facts_file"


def test_what_a_file_would_compute_is_passed_over_and_the_rest_is_read(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        "CREATE TABLE facts (id INTEGER, user_id INTEGER, fact TEXT, text TEXT AS (hex(zeroblob(9))), more BLOB)",
        "INSERT INTO facts (id, user_id, fact, more) VALUES (1, 1, 'Likes tea', zeroblob(1000))",
    )
    assert legacy_facts(path)[0] == [{"id": 1, "user_id": 1, "fact": "Likes tea"}]


def test_a_view_said_to_be_a_table_is_none(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        "CREATE VIEW facts AS SELECT 1 AS user_id, 'x' AS fact",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET type = 'table'",
    )
    with pytest.raises(InvalidInputError, match=r"no table facts|malformed"):
        legacy_facts(path)


def test_more_rows_than_can_be_taken_over_are_refused(tmp_path: Path) -> None:
    rows = ", ".join(["('x')"] * (MOST_ROWS + 1))
    path = a_file(tmp_path, "CREATE TABLE facts (fact TEXT)", f"INSERT INTO facts VALUES {rows}")  # noqa: S608 - our own
    with pytest.raises(InvalidInputError, match="more than can be taken over"):
        legacy_facts(path)


def test_a_word_that_stands_for_many_is_not_read_for_each(tmp_path: Path) -> None:
    """A file of a few hundred kilobytes that would hold gigabytes once it is read."""
    path = a_file(
        tmp_path,
        "CREATE TABLE facts (user_id INTEGER)",
        "INSERT INTO facts VALUES (1)" + ", (1)" * 20_000,
        f"ALTER TABLE facts ADD COLUMN fact TEXT DEFAULT '{'x' * 100_000}'",
    )
    with pytest.raises(InvalidInputError, match="more than can be taken over"):
        legacy_facts(path)


def test_a_table_without_a_known_column_says_which_it_has(tmp_path: Path) -> None:
    path = a_file(tmp_path, "CREATE TABLE facts (a TEXT, b TEXT)")
    with pytest.raises(InvalidInputError, match="only a, b"):
        legacy_facts(path)
