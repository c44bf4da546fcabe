"""Files, folders and zips given to an import, and JSON of any size: read in order, refused where they are hostile."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import resource
import stat
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chats import RECIFE, found_in, told, whatsapp, zipped
from loops import each
from relembra import Memory
from relembra.errors import InvalidInputError
from relembra.transfer import slices
from relembra.transfer.chats import Context, Said, recognised
from relembra.transfer.sources import Sources


def _values(content: bytes) -> list[Any]:
    return [element.value for element in slices.elements(io.BytesIO(content))]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.text() | st.sampled_from(['"', "\\", "]}", '{"']),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.lists(st.dictionaries(st.text(), JSON), max_size=5), st.sampled_from([None, 1]), st.integers(4, 40))
def test_elements_are_those_of_the_list_however_it_comes(rows: list[Any], indent: int | None, size: int) -> None:
    """Also a few bytes at a time, and wherever the list stands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "BLOCK", size)
        text = json.dumps(rows, indent=indent)
        assert _values(text.encode()) == rows
        inside = f'{{"id": 7, "chats": {{"list": [{{"name": "x", "messages": {text}}}, {{"messages": []}}]}}}}'
        found = list(slices.elements(io.BytesIO(inside.encode("utf-16"))))
        assert [one.value for one in found] == rows
        assert all((one.owner, one.root["id"]) == ({"name": "x"}, 7) for one in found)


@each(
    [
        (b'[{"a": 1}', "cut off"),
        (b'{"messages": [{"a": ', "cut off"),
        (b'{"a": "b', "cut off"),
        (b'[{"a": 1}] more', "no JSON document"),
        (b'{"a": [1}', "no JSON document"),
        (b'[{"a" 1}]', "element 1 is no JSON"),
        (b"[{}, 7]", "element 2 must be an object"),
        (b'[{"a": "\xff\xfe"}]', "element 1 is not UTF-8"),
        (b'{"x":' * 100_000, "nested deeper"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
        (b'[{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}]", "element 1 is nested too deep"),
    ]
)
def test_json_that_is_cut_broken_or_swollen_says_where(content: bytes, why: str) -> None:
    with pytest.raises(InvalidInputError, match=why) as refused:
        _values(content)
    assert refused.value.field == "file"
    assert "xxx" not in str(refused.value)


@each(
    [
        (b'[{"a":[' + b"[]," * 10_000 + b"0]}]", "element 1 holds more than"),
        (b'[{"a":"' + b"x" * 300_000 + b'"}]', "element 1 is longer than"),
        (b'{"a":"' + b"x" * 600_000, "a text is longer than"),
        (b'{"a":"' + b"x" * 90_000 + b'","messages":[]}', "before its lists is too long"),
    ]
)
def test_json_too_large_to_be_held_is_refused(content: bytes, why: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "LONGEST_HEAD", 50_000)
        patch.setattr(slices, "BLOCK", 10_000)
        with pytest.raises(InvalidInputError, match=why):
            list(slices.Scanner(io.BytesIO(content), longest=200_000, most=5_000).elements())


CHATS = {"contacts": ["x" * 100] * 30_000, "chats": [{"name": "a", "messages": [{}], "id": 1}] * 2_000}
SLOW: dict[str, Callable[[], tuple[bytes, str]]] = {
    "no name": lambda: (b'{"a" 1' + b" " * 100_000 + b"1 [", "a.json"),
    "names that end in escapes": lambda: (b'{"' + b'\\"' * 300_000 + b'": [', "a.json"),
    "many lists below a long beginning": lambda: (json.dumps(CHATS).encode(), "a.json"),
    "many lists beside each other": lambda: (
        b'{"a":' * 400 + b'{"messages":[]' + b',"messages":[{}]' * 20_000,
        "a.json",
    ),
    "a heading": lambda: (b"#" + b" " * 2_000 + b"x" * 501, "a.md"),
}


@each(list(SLOW))
def test_no_file_stops_everybody_for_seconds(name: str) -> None:
    """A pattern that goes back, or reading the beginning over and over, would: nothing else runs meanwhile."""
    content, called = SLOW[name]()
    began = time.process_time()
    with contextlib.suppress(InvalidInputError):
        found_in(content, called)
        _values(content)
    assert time.process_time() - began < 2


@each(
    [
        (b'[{"a": NaN, "b": -Infinity}]', "a"),
        (b'[{"a": "\\ud83d half"}]', "a"),
        (b'[{"a": 1, "a": 2}]', "a"),
        (b'[{"a": "tab\there"}]', "a"),
        (b'[{"a": 1e400, "b": 123456789012345678901234567890}]', "a"),
    ]
)
def test_what_json_forbids_and_programs_write_is_let_pass(content: bytes, name: str) -> None:
    [value] = _values(content)
    json.dumps(value, ensure_ascii=False).encode()
    assert name in value


def _hostile(name: str, content: bytes = b"[]", **info: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.compress_type = zipfile.ZIP_DEFLATED
        for part, value in info.items():
            setattr(entry, part, value)
        archive.writestr(entry, content)
    return out.getvalue()


def _encrypted() -> bytes:
    content = bytearray(zipped({"a.json": "[]"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    return bytes(content)


@each(
    [
        (_hostile("../a.json"), "outside of it"),
        (_hostile("/etc/a.json"), "outside of it"),
        (_hostile("x\\..\\..\\a.json"), "outside of it"),
        (_hostile("C:/a.json"), "outside of it"),
        (_hostile("a.json", b"/etc/passwd", external_attr=(stat.S_IFLNK | 0o777) << 16), "is a link"),
        (_hostile("a.json", b"0" * (33 << 20)), "packed more than 200 to 1"),
        (zipped({f"{number}.json": b" " * (12 << 20) for number in range(3)}), "packed more than 200 to 1"),
        (_encrypted(), "needs a password"),
        (zipped({"a.json": "[]"})[:-30], "no whole zip"),
        (b"PK\x03\x04 nothing more", "no whole zip"),
    ]
)
def test_a_hostile_zip_is_refused_with_the_name_of_the_file(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "chats.zip"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=f"chats.zip.*{why}"), Sources(path):
        pass


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_of_a_zip_is_told_when_it_is_read(packed: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as archive:
        archive.writestr("a.json", json.dumps([{"a": f"b{n}" * 50} for n in range(50)]))
    whole = out.getvalue()
    for place in (28, 40, 60, 90):
        content = bytearray(whole)
        content[place] ^= 0xFF
        with Sources(io.BytesIO(bytes(content))) as sources:
            with pytest.raises(InvalidInputError, match=r"'a.json' is damaged") as refused:
                list(sources.files[0].elements())
            assert refused.value.kind == "cut"


def test_a_folder_is_read_by_name_with_its_zips_and_without_links(tmp_path: Path) -> None:
    """What is no chat is left alone; a zip within a zip is told."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.json").write_text("[]")
    (tmp_path / "one.txt").write_text("x")
    (tmp_path / "photo.jpg").write_bytes(b"\xff")
    (tmp_path / "link.json").symlink_to(tmp_path / "b" / "two.json")
    (tmp_path / "more.zip").write_bytes(zipped({"z.json": "[]", "inner.zip": b"", "chat.bin": b"", "dir/a.jsonl": ""}))
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04")
    with Sources(tmp_path) as sources:
        names = sorted(file.name for file in sources.files)
        assert names == ["b/two.json", "dir/a.jsonl", "one.txt", "photo.jpg", "z.json"]
        assert sources.left_alone == 2
        assert [(name, exc.kind) for name, exc in sources.refused] == [("bad.zip", "cut"), ("inner.zip", "nested")]


async def test_a_file_that_cannot_be_opened_is_told_and_the_rest_comes(memory: Memory, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.md", "c.zip"):
        (tmp_path / name).write_text("x")
    (tmp_path / "z.jsonl").write_text('{"role": "user", "content": "hi", "at": "2024-03-01T10:00:00Z"}')
    opened, opening = io.open, os.strerror(errno.EACCES)

    def shut(path: Any, *how: Any, **more: Any) -> Any:
        if str(path).endswith(("a.jsonl", "c.zip")):
            raise PermissionError(errno.EACCES, opening, path)
        if str(path).endswith("b.md"):
            (tmp_path / "b.md").unlink()
        return opened(path, *how, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "open", shut)
        came = await memory.import_(tmp_path, user="ana")
    assert came.added["messages"] == 1
    told = {one.file: one.why.rpartition(": ")[2] for one in came.refused}
    assert told == {"a.jsonl": opening, "c.zip": opening, "b.md": os.strerror(errno.ENOENT)}


def test_a_folder_may_hold_more_zips_than_can_be_open(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number}.zip").write_bytes(zipped({"a.json": f'[{{"a": {number}}}]'}))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, most[1]))
    try:
        with Sources(tmp_path) as sources:
            found = [element.value["a"] for file in sources.files for element in file.elements()]
            assert (sorted(found), sources.refused) == (list(range(100)), [])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)


@each(
    [
        ({"role": "user", "content": "one\u2028two"}, {"role": "user", "content": "x"}),
        ({"role": "user", "content": "x" * 70_000}, {"role": "user", "content": "x"}),
        ({"role": "user", "content": "x" * 1_500_000}, {"role": "user", "content": "y" * 1_500_000}),
        ({"role": "user", "content": "x" * 70_000},),
    ]
)
def test_lines_are_told_however_long_they_are(*rows: dict[str, Any]) -> None:
    format, found = found_in("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    assert (format, [text for *_, text in told(found)]) == ("jsonl", [row["content"] for row in rows])


def test_a_chat_by_itself_is_called_as_its_folder_is(tmp_path: Path) -> None:
    """As a zip's is that was unpacked."""
    (tmp_path / "WhatsApp Chat - Vinyl").mkdir()
    path = tmp_path / "WhatsApp Chat - Vinyl" / "_chat.txt"
    path.write_text(whatsapp("01/02/2020 10:00 - Ana: oi", "13/02/2020 10:01 - Rui: oi"))
    with Sources(path) as sources:
        format = recognised(sources.files[0])
        assert format is not None
        assert {one.title for one in format.read(sources.files[0], Context(RECIFE)) if isinstance(one, Said)} == {
            "Vinyl"
        }
