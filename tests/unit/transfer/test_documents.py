"""Documents: what each kind is read into, and what is refused of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chats import zipped
from documents import a_docx, a_paragraph, a_pdf, an_epub
from loops import each
from relembra.errors import InvalidInputError
from relembra.transfer import documents
from relembra.transfer.chats import Context, Fact, Format, Found, Left, Passage, recognised
from relembra.transfer.chats.table import FORMATS
from relembra.transfer.sources import Sources

ZONE = ZoneInfo("America/Recife")
LONG = " ".join(f"Sentence number {number} says a little about the garden." for number in range(100))


def found_in(content: bytes, name: str) -> tuple[str | None, list[Found]]:
    with Sources(io.BytesIO(content), name) as sources:
        (file,) = sources.files
        format = recognised(file)
        return (None, []) if format is None else (format.name, list(format.read(file, Context(ZONE))))


def told(found: list[Found]) -> list[tuple[str, str, int | None, str]]:
    return [(one.title, one.heading, one.page, one.text) for one in found if isinstance(one, Passage)]


MAIL = """From: =?utf-8?q?Jo=C3=A3o?= <joao@example.org>
To: ana@example.org
Subject: The roof
Date: Mon, 2 Mar 2026 10:00:00 -0300
Content-Type: text/plain; charset=utf-8

It leaks.
""".replace("\n", "\r\n").encode()
HTML_MAIL = b"""From: a@example.org
Subject: Hi
Content-Type: text/html

<p>One</p><script>bad()</script><p>two</p>
"""
CALENDAR = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:X
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY:Dentist\\, again
DTSTART;TZID=America/Recife:20260305T140000
DTEND;TZID=America/Recife:20260305T150000
LOCATION:Rua da
  Aurora
BEGIN:VALARM
DESCRIPTION:beep
END:VALARM
END:VEVENT
BEGIN:VEVENT
SUMMARY:Holiday
DTSTART;VALUE=DATE:20260421
RRULE:FREQ=YEARLY
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n").encode()
PAGE = b"""<html><head><title>T</title><style>p{}</style></head><body><h1>Rent</h1><p>It is <b>900</b>&nbsp;euros.
<p>Due<br>on 5.<script>x</script><table><tr><td>a<td>b</table>"""
TABLE = "".join(f"<w:tc>{a_paragraph(cell)}</w:tc>" for cell in "ab")

ROWS = [
    ("a.txt", b"One.\n\nTwo.", "text", [("", "", None, "One.\nTwo.")]),
    ("a.txt", "Olá, ção".encode("cp1252"), "text", [("", "", None, "Olá, ção")]),
    (
        "b.md",
        b"---\ntags: x\n---\nIntro\n\n# Top\n\n## Sub ##\nText\n```\n# no heading\n```\n\nUnder\n=====\nlast",
        "markdown",
        [
            ("", "", None, "Intro"),
            ("", "Top › Sub", None, "Text\n```\n# no heading\n```"),
            ("", "Under", None, "last"),
        ],
    ),
    (
        "c.html",
        PAGE,
        "html",
        [("", "Rent", None, "It is 900 euros.\nDue\non 5.\na b")],
    ),
    (
        "d.pdf",
        a_pdf("The rent is 900.", "", "The end."),
        "pdf",
        [("", "", 1, "The rent is 900."), ("", "", 3, "The end.")],
    ),
    (
        "e.docx",
        a_docx(
            a_paragraph("Terms", "Heading1"),
            "First &amp; last",
            '<w:p><w:r><w:br w:type="page"/><w:t>over</w:t></w:r></w:p>',
            f"<w:tbl><w:tr>{TABLE}</w:tr></w:tbl>",
        ),
        "docx",
        [("", "Terms", 1, "First & last"), ("", "Terms", 2, "over\na | b")],
    ),
    (
        "f.epub",
        an_epub("<h1>One</h1><p>Call me.</p>", "<h1>Two</h1><p>The sea.</p>"),
        "epub",
        [("A book", "One", None, "Call me."), ("A book", "Two", None, "The sea.")],
    ),
    ("g.eml", MAIL, "eml", [("The roof", "João <joao@example.org> → ana@example.org", None, "It leaks.")]),
    ("h.eml", HTML_MAIL, "eml", [("Hi", "a@example.org →", None, "One\ntwo")]),
    (
        "i.mbox",
        b"From a@x Mon Mar  2 10:00:00 2026\n" + MAIL + b"\nFrom a@x Mon Mar  2 10:00:00 2026\n" + HTML_MAIL,
        "mbox",
        [
            ("", "The roof · João <joao@example.org> → ana@example.org", None, "It leaks."),
            ("", "Hi · a@example.org →", None, "One\ntwo"),
        ],
    ),
    (
        "j.ics",
        CALENDAR,
        "ics",
        [
            ("", "Dentist, again", None, "2026-03-05 14:00 – 2026-03-05 15:00 Dentist, again\nRua da Aurora"),
            ("", "Holiday", None, "2026-04-21 Holiday\nFREQ=YEARLY"),
        ],
    ),
    ("k.txt", b"\x00\x01binary", None, []),
    ("nameless", b"just words", None, []),
]


@each(ROWS)
def test_each_kind_is_read_into_passages_with_their_place(
    name: str, content: bytes, kind: str | None, passages: list[tuple[str, str, int | None, str]]
) -> None:
    format, found = found_in(content, name)
    assert (format, told(found)) == (kind, passages)


def test_moments_and_birthdays_are_read_as_such() -> None:
    _, (mail,) = found_in(MAIL, "a.eml")
    _, (visit, _) = found_in(CALENDAR, "a.ics")
    assert isinstance(mail, Passage)
    assert isinstance(visit, Passage)
    assert mail.at == datetime(2026, 3, 2, 13, tzinfo=UTC)
    assert visit.at == datetime(2026, 3, 5, 14, tzinfo=ZONE)
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{}\r\n{}END:VCARD\r\n"
    cards = [
        ("Clara", "BDAY:1990-03-15\r\n"),
        ("Rui", "BDAY;VALUE=date:--0704\r\n"),
        ("Bia", "TEL:1\r\n"),
        ("Tom", "BDAY:1604-02-30\r\n"),
        ("", ""),
    ]
    _, found = found_in("".join(card.format(*one) for one in cards).encode(), "a.vcf")
    facts = [(one.subject, one.value) for one in found if isinstance(one, Fact)]
    assert (facts, [one.why.value for one in found if isinstance(one, Left)]) == (
        [("Clara", "1990-03-15"), ("Rui", "--07-04")],
        ["contact", "contact", "unreadable"],
    )


def test_a_page_made_to_be_read_over_and_over_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "SECONDS", 0.2)
    with pytest.raises(InvalidInputError, match="too long to read"):
        found_in(b"<!--" * 500_000, "a.html")


def test_long_texts_are_passages_of_whole_sentences_with_nothing_lost() -> None:
    _, found = found_in(LONG.encode(), "a.txt")
    texts = [text for *_, text in told(found)]
    assert " ".join(texts).split() == LONG.split()
    assert all(100 <= len(text.split()) <= 250 for text in texts[:-1])
    assert all(text.endswith(".") for text in texts)


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


HOSTILE: list[tuple[str, Callable[[], bytes], str]] = [
    ("a.docx", lambda: a_docx("&b;", head=LAUGHS), "types of its own"),
    ("a.docx", lambda: a_docx("x", head="<!DOCTYPE x>"), "types of its own"),
    ("a.docx", lambda: a_docx("<w:p>"), "damaged"),
    ("a.docx", lambda: zipped({"word/document.xml": b" " * (documents.LARGEST + 1)}), "unpacked"),
    ("a.epub", lambda: zipped({"META-INF/container.xml": LAUGHS + "<x/>"}), "types of its own"),
    ("a.epub", lambda: zipped({"META-INF/container.xml": '<c><rootfile full-path="../../x"/></c>'}), "missing"),
    ("a.pdf", lambda: b"%PDF-1.4\nnothing more", "damaged"),
    ("a.pdf", lambda: a_pdf("", ""), "only pictures"),
    ("a.txt", lambda: b"word " * (documents.MOST_TEXT // 4), "characters"),
    ("a.md", lambda: "".join(f"# {n}\nx\n" for n in range(documents.MOST_PASSAGES + 10)).encode(), "passages"),
]


@each(HOSTILE)
def test_what_is_hostile_or_damaged_is_refused_whole(name: str, made: Callable[[], bytes], why: str) -> None:
    with pytest.raises(InvalidInputError, match=why):
        found_in(made(), name)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.binary(max_size=400), st.sampled_from([format for format in FORMATS if format.is_document]), st.data())
def test_whatever_bytes_come_they_are_read_or_refused(noise: bytes, format: Format, data: st.DataObject) -> None:
    known = data.draw(st.sampled_from([content for _, content, *_ in ROWS]))
    place = data.draw(st.integers(0, len(known)))
    broken = known[:place] + noise + known[place + len(noise) :]
    with Sources(io.BytesIO(broken), "a.bin") as sources:
        for file in sources.files:
            with suppress(InvalidInputError):
                list(format.read(file, Context(ZONE)))


def test_what_lies_beside_a_program_s_export_is_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.docx": a_docx("x"), "b.md": "y", "c.bin": "z"}))
    with Sources(tmp_path / "a.zip") as sources:
        assert [(file.name, recognised(file).name) for file in sources.files if recognised(file)] == [  # type: ignore[union-attr]
            ("a.docx", "docx"),
            ("b.md", "markdown"),
        ]
        assert sources.left_alone == 1
