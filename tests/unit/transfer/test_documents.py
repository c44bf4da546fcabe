"""Documents: what each kind is read into, and what is refused of it."""

from __future__ import annotations

import io
import textwrap
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from chats import RECIFE, found_in, left, zipped
from documents import a_docx, a_paragraph, a_pdf, an_epub
from loops import each
from relembra.errors import InvalidInputError
from relembra.transfer import documents
from relembra.transfer.chats import Context, Fact, Format, Found, Passage, Said, recognised
from relembra.transfer.chats.table import FORMATS
from relembra.transfer.documents.media import read_alone
from relembra.transfer.sources import Sources

LONG = " ".join(f"Sentence number {number} says a little about the garden." for number in range(100))


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
BEGIN:VTIMERECIFE
TZID:X
END:VTIMERECIFE
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
        "a.txt",
        "One.\fTwo: so\u00adft \u200efind.".encode(),
        "text",
        [("", "", 1, "One."), ("", "", 2, "Two: soft find.")],
    ),
    ("b.md", b"# A\n| x | y |\n|---|--:|\n| 1 | 2 |\n\n***", "markdown", [("", "A", None, "| x | y |\n| 1 | 2 |")]),
    (
        "c.html",
        b"<h1>A</h1><nav><h2>Menu</h2><a>Home</a></nav><button>Buy</button><p>Words<label>x</label>y",
        "html",
        [("", "A", None, "Words\nx\ny")],
    ),
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
        [("", "Rent", None, "It is 900 euros.\nDue\non 5.\na | b")],
    ),
    (
        "d.pdf",
        a_pdf("The rent is 900.", "", "The end."),
        "pdf",
        [("", "", 1, "The rent is 900."), ("", "", 3, "The end.")],
    ),
    (
        "d.pdf",
        a_pdf(*(f"LEASE 2026\n{number} Clause\nWords of {number}.\n- {number} -" for number in (1, 2, 3))),
        "pdf",
        [("", "", number, f"{number} Clause\nWords of {number}.") for number in (1, 2, 3)],
    ),
    (
        "e.docx",
        a_docx(
            a_paragraph("Lease", "Title"),
            a_paragraph("Terms", "Ttulo1"),
            "<w:p><w:r><w:t>year</w:t><w:noBreakHyphen/><w:t>end</w:t></w:r><Fallback><w:t>year-end</w:t></Fallback></w:p>",
            notes="See clause 3.",
        ),
        "docx",
        [("", "Lease › Terms", None, "year-end"), ("", "", None, "See clause 3.")],
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
    ("g.eml", MAIL, "email", [("The roof", "João → ana@example.org", None, "It leaks.")]),
    ("h.eml", HTML_MAIL, "email", [("Hi", "a@example.org", None, "One\ntwo")]),
    (
        "i.mbox",
        b"From a@x Mon Mar  2 10:00:00 2026\n" + MAIL + b"\nFrom a@x Mon Mar  2 10:00:00 2026\n" + HTML_MAIL,
        "email",
        [("The roof", "João → ana@example.org", None, "It leaks."), ("Hi", "a@example.org", None, "One\ntwo")],
    ),
    (
        "j.ics",
        CALENDAR,
        "ics",
        [
            ("Dentist, again", "", None, "Thursday, March 5, 2026, 14:00–15:00.\nRua da Aurora."),
            ("Holiday", "", None, "Tuesday, April 21, 2026, every year."),
        ],
    ),
    ("k.txt", b"\x00\x01binary", None, []),
    ("", b"just words", None, []),
]


@each(ROWS)
def test_each_kind_is_read_into_passages_with_their_place(
    name: str, content: bytes, kind: str | None, passages: list[tuple[str, str, int | None, str]]
) -> None:
    format, found = found_in(content, name)
    assert (format, told(found)) == (kind, passages)


def test_moments_are_read_as_such() -> None:
    _, (mail,) = found_in(MAIL, "a.eml")
    _, (visit, _) = found_in(CALENDAR, "a.ics")
    assert isinstance(mail, Passage)
    assert isinstance(visit, Passage)
    assert mail.at == datetime(2026, 3, 2, 13, tzinfo=UTC)
    assert visit.at == datetime(2026, 3, 5, 14, tzinfo=RECIFE)


CARDS = [
    ("FN:Clara\nBDAY:1990-03-15", ("Clara", "1990-03-15")),
    ("FN:Inês Araújo\nBDAY:19900315", ("Inês Araújo", "1990-03-15")),
    ("FN:Late\nBDAY:1990-03-15T00:00:00Z", ("Late", "1990-03-15")),
    ("FN:Rui\nBDAY;VALUE=date:--0704", ("Rui", "--07-04")),
    ("FN:Rui\nBDAY:--07-04", ("Rui", "--07-04")),
    ("FN:Zoë\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-12-25", ("Zoë", "--12-25")),
    ("FN:Zoë\nBDAY;X-APPLE-OMIT-YEAR=1904:1904-12-25", ("Zoë", "--12-25")),
    ("N:Brandão;Tomás;;;\nBDAY:1985/03/01", ("Tomás Brandão", "1985-03-01")),
    (
        "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4A=6F=C3=A3=\n=6F =4C=69=6D=61\nBDAY:19850301",
        ("João Lima", "1985-03-01"),
    ),
    ("N;LANGUAGE=pt-br;ENCODING=QUOTED-PRINTABLE:Bezerra;M=F4nica\nBDAY:19850301", ("Mônica Bezerra", "1985-03-01")),
    ("FN:João Con\n ceição\nPHOTO;ENCODING=b:AAAA=\n BBBB=\nBDAY:19850301", ("João Conceição", "1985-03-01")),
    ("FN:Bia\nTEL:1", {"contact": 1}),
    ("FN:Tom\nBDAY:1985-02-29", {"contact": 1}),
    ("ORG:Shop", {"contact": 1}),
    ("BDAY:1985-02-28", {"unreadable": 1}),
    ("FN:Bia\nitem1.X-ABRELATEDNAMES:Ana\nANNIVERSARY:20150520", {"contact": 1, "detail": 2}),
]


@each(CARDS)
def test_contacts_are_known_by_their_birthdays(lines: str, told: tuple[str, str] | dict[str, int]) -> None:
    card = f"BEGIN:VCARD\nVERSION:3.0\n{lines}\nEND:VCARD\n".replace("\n", "\r\n")
    for content in (card.encode(), card.encode("cp1252")):
        found = found_in(content, "a.vcf")[1]
        assert left(found) or [(one.subject, one.value) for one in found if isinstance(one, Fact)] == [told]
        assert not left(found) or left(found) == told


def test_a_page_made_to_be_read_over_and_over_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "SECONDS", 0.2)
    with pytest.raises(InvalidInputError, match="too long to read"):
        found_in(b"<!--" * 500_000, "a.html")


def test_sentences_are_whole_where_lines_are_wrapped_and_lists_stay_lists() -> None:
    wrapped = "\n".join(textwrap.wrap(LONG, 70))
    texts = [text for *_, text in told(found_in(wrapped.encode(), "a.txt")[1])]
    assert " ".join(texts).split() == LONG.split()
    assert all(text.endswith(".") for text in texts)
    rows = "\n".join(f"{number}) Buy {number} pounds of flour and some more of it" for number in range(40))
    assert "flour and some more of it\n2) Buy" in told(found_in(rows.encode(), "a.txt")[1])[0][3]


def test_long_texts_are_passages_of_whole_sentences_with_nothing_lost() -> None:
    _, found = found_in(LONG.encode(), "a.txt")
    texts = [text for *_, text in told(found)]
    assert " ".join(texts).split() == LONG.split()
    assert all(100 <= len(text.split()) <= 250 for text in texts[:-1])
    assert all(text.endswith(".") for text in texts)


def _spoilt(content: bytes) -> bytes:
    """A part of it with a byte that is none of its own."""
    place = content.rindex(b"word/document.xml", 0, content.index(b"PK\x01\x02")) + len("word/document.xml") + 4
    return content[:place] + b"\xff" + content[place + 1 :]


def test_a_lone_document_that_is_damaged_is_said_to_be(tmp_path: Path) -> None:
    """It begins as a zip does, and is no export that was cut off."""
    (tmp_path / "bad.docx").write_bytes(b"PK\x03\x04 and so on")
    with Sources(tmp_path / "bad.docx") as sources:
        [file] = sources.files
        format = recognised(file)
        assert format is not None
        with pytest.raises(InvalidInputError) as refused:
            list(format.read(file, Context(RECIFE)))
    assert refused.value.kind == "damaged"


def test_a_picture_of_a_page_that_would_swell_is_a_broken_one() -> None:
    """A JPEG that says it is 20,000 pixels wide and high."""
    out = io.BytesIO()
    Image.new("RGB", (40, 40)).save(out, "JPEG")
    size = out.getvalue().index(b"\xff\xc0") + 5
    jpeg = out.getvalue()[:size] + (20_000).to_bytes(2) * 2 + out.getvalue()[size + 4 :]
    _, (page,) = found_in(a_pdf("", picture=jpeg), "a.pdf")
    assert isinstance(page, Passage)
    assert page.file is not None
    assert page.file.open().read() == b""


def test_pictures_by_themselves_are_known_by_what_they_show(tmp_path: Path) -> None:
    """Two of one name are two, and one is the same alone and with its folder."""
    pictures = {"x/Photos/image.jpg": b"\xff\xd8\xff1", "y/Photos/image.jpg": b"\xff\xd8\xff2"}
    for name, content in pictures.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(content)
    ids: list[set[tuple[str, str | None]]] = []
    for path in (tmp_path, tmp_path / "x" / "Photos", tmp_path / "x/Photos/image.jpg"):
        with Sources(path) as sources:
            found = [next(read_alone(file, Context(RECIFE))) for file in sources.files]
            ids.append({(one.talk, one.id) for one in found if isinstance(one, Said)})
    both, folder, alone = ids
    assert (len(both), folder) == (2, alone)
    assert alone < both


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


HOSTILE: list[tuple[str, Callable[[], bytes], str]] = [
    ("a.docx", lambda: a_docx("&b;", head=LAUGHS), "types of its own"),
    ("a.docx", lambda: a_docx("x", head="<!DOCTYPE x>"), "types of its own"),
    ("a.docx", lambda: a_docx("<w:p>"), "damaged"),
    ("a.docx", lambda: zipped({"word/document.xml": b" " * (documents.LARGEST + 1)}), "unpacked"),
    ("a.epub", lambda: zipped({"META-INF/container.xml": LAUGHS + "<x/>"}), "types of its own"),
    ("a.epub", lambda: zipped({"META-INF/container.xml": '<c><rootfile full-path="../../x"/></c>'}), "missing"),
    ("a.pdf", lambda: b"%PDF-1.4\nnothing more", "damaged"),
    ("a.pdf", lambda: b"not what it is called", "damaged"),
    ("a.docx", lambda: b"PK\x03\x04 and so on", "damaged"),
    ("a.docx", lambda: b"not what it is called", "damaged"),
    ("a.docx", lambda: zipped({"other.xml": "x"}), "missing"),
    ("a.epub", lambda: an_epub("x")[:-40], "damaged"),
    ("a.docx", lambda: _spoilt(a_docx("x", packed=zipfile.ZIP_LZMA)), "damaged"),
    ("a.ics", lambda: CALENDAR[: CALENDAR.index(b"END:VCALENDAR")], "cut off"),
    ("a.ics", lambda: CALENDAR[: CALENDAR.index(b"RRULE")], "cut off"),
    ("a.vcf", lambda: b"BEGIN:VCARD\nFN:Clara\nBDAY:1990-03-15\nEND:VCARD\nBEGIN:VCARD\nFN:R", "cut off"),
    ("a.pdf", lambda: a_pdf("", ""), "no words"),
    ("a.txt", lambda: b"word " * (documents.MOST_TEXT // 4), "characters"),
    ("a.md", lambda: "".join(f"# {n}\nx\n" for n in range(documents.MOST_PASSAGES + 10)).encode(), "passages"),
]


@each(HOSTILE)
def test_what_is_hostile_or_damaged_is_refused_whole(name: str, made: Callable[[], bytes], why: str) -> None:
    with pytest.raises(InvalidInputError, match=why):
        found_in(made(), name)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.binary(max_size=400), st.sampled_from([format for format in FORMATS if format.parts]), st.data())
def test_whatever_bytes_come_they_are_read_or_refused(noise: bytes, format: Format, data: st.DataObject) -> None:
    known = data.draw(st.sampled_from([content for _, content, *_ in ROWS]))
    place = data.draw(st.integers(0, len(known)))
    broken = known[:place] + noise + known[place + len(noise) :]
    with suppress(InvalidInputError), Sources(io.BytesIO(broken), "a.bin") as sources:
        for file in sources.files:
            list(format.read(file, Context(RECIFE)))


def test_what_lies_beside_a_program_s_export_is_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.docx": a_docx("x"), "b.md": "y", "c.bin": "z"}))
    with Sources(tmp_path / "a.zip") as sources:
        assert [(file.name, recognised(file).name) for file in sources.files if recognised(file)] == [  # type: ignore[union-attr]
            ("a.docx", "docx"),
            ("b.md", "markdown"),
        ]
        assert sources.left_alone == 1
