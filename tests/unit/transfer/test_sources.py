"""Files, folders and zips given to an import, and JSON of any size: read in order, refused where they are hostile."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chats import zipped
from loops import each
from relembra.errors import InvalidInputError
from relembra.transfer import slices
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
        limits = {"LONGEST_ELEMENT": 200_000, "MOST_IN_AN_ELEMENT": 5_000, "LONGEST_HEAD": 50_000, "BLOCK": 10_000}
        for name, number in limits.items():
            patch.setattr(slices, name, number)
        with pytest.raises(InvalidInputError, match=why):
            _values(content)


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


def test_a_damaged_file_of_a_zip_is_told_when_it_is_read() -> None:
    content = bytearray(zipped({"a.json": json.dumps([{"a": "b" * 50}] * 50)}))
    content[60] ^= 0xFF
    with Sources(io.BytesIO(bytes(content))) as sources:
        file = sources.files[0].open()
        with file, pytest.raises(InvalidInputError, match=r"'a.json' is damaged"):
            list(slices.elements(file))


def test_a_folder_is_read_by_name_with_its_zips_and_without_links(tmp_path: Path) -> None:
    """What is no chat is left alone, a zip within a zip too."""
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
        assert (sources.left_alone, [name for name, _ in sources.refused]) == (3, ["bad.zip"])
