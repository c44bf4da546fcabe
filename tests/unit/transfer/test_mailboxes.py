"""Mailboxes: e-mails one after another, what was newly written in each, once each, and nothing that is too much."""

from __future__ import annotations

import base64
import io
import tracemalloc
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chats import RECIFE, found_in, left, zipped
from loops import each
from memories import InMemoryStore
from relembra import Memory
from relembra.errors import StoreError
from relembra.transfer.chats import Context, Passage, recognised
from relembra.transfer.documents.mail import MOST_HELD
from relembra.transfer.sources import Sources

FROM = b"From 1234@xxx Mon Mar 02 13:00:00 +0000 2026\n"


def an_email(body: str | bytes, *headers: str, id: str = "1@x", subject: str = "Hi") -> bytes:
    given = body if isinstance(body, bytes) else body.encode()
    head = "\n".join((f"Message-ID: <{id}>", "From: Ana <ana@x.org>", f"Subject: {subject}", *headers))
    return head.encode() + b"\n\n" + given


def boxed(*mails: bytes) -> bytes:
    return b"".join(FROM + mail + b"\n\n" for mail in mails)


def parted(*parts: str, kind: str = "mixed") -> tuple[str, tuple[str, ...]]:
    """The body of an e-mail of parts, and its header."""
    return "".join(f"--b\n{part}\n" for part in parts) + "--b--", (f'Content-Type: multipart/{kind}; boundary="b"',)


def texts(content: bytes) -> list[str]:
    return [one.text for one in found_in(content, "a.mbox")[1] if isinstance(one, Passage)]


PLAIN, PAGE = "Content-Type: text/plain; charset=utf-8\n\n", "Content-Type: text/html\n\n"
BASE64, QUOTED = "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable"
REPLY = "Sim.\n\nEm seg., 2 de mar. de 2026 às 10:00, Rui <rui@x>\nescreveu:\n\n> Pode ser?\n> Ou não?"
OUTLOOK = "<p>Sim.</p><p><b>De:</b> Rui &lt;r@x&gt;<br><b>Enviada:</b> 2 de março<br><b>Para:</b> Ana</p><p>Pode?</p>"
GMAIL = '<div>Sim.</div><div class="gmail_quote"><div>On Mon, Rui wrote:</div><blockquote>Pode?</blockquote></div>'
FORWARDED = "Olha!\n\n---------- Forwarded message ---------\nDe: Lu <lu@x>\nSubject: Bolo\n\nTrês ovos."
PASSED_ON = "Content-Type: message/rfc822\n\nFrom: Lu <lu@x>\nSubject: Bolo\n\nTrês ovos."
PDF = f"Content-Type: application/pdf\n{BASE64}\n\nAAAA"
NOTES = "Content-Type: text/plain\nContent-Disposition: attachment\n\nsecret"

BODIES: list[tuple[str | bytes, tuple[str, ...], str, list[str]]] = [
    ("Ol=E1, tudo=\n bem?", ("Content-Type: text/plain; charset=iso-8859-1", QUOTED), "Hi", ["Olá, tudo bem?"]),
    (base64.encodebytes("Olá".encode()), ("Content-Type: text/plain; charset=utf-8", BASE64), "Hi", ["Olá"]),
    ("Olá".encode("latin-1"), ("Content-Type: text/plain; charset=utf-8",), "Hi", ["Olá"]),
    ("Olá", (), "Hi", ["Olá"]),
    ("Olá", ("Content-Type: text/plain; charset=punycode",), "Hi", ["Olá"]),
    (REPLY, (), "Re: Hi", ["Sim."]),
    ("Oi.\n\nOn 3 Mar 2026, Rui <r@x> wrote:\n> Onde?\n\nAqui.\n\n> Quem?\n\nEu.", (), "Hi", ["Oi.\nAqui.\nEu."]),
    ("Sim.\n\nEnviado do meu iPhone", (), "Hi", ["Sim."]),
    (OUTLOOK, ("Content-Type: text/html",), "RES: Hi", ["Sim."]),
    (GMAIL, ("Content-Type: text/html",), "Re: Hi", ["Sim."]),
    (GMAIL, ("Content-Type: text/html",), "Enc: Hi", ["Sim.\nOn Mon, Rui wrote:\nPode?"]),
    (FORWARDED, (), "Fwd: Bolo", [FORWARDED.replace("\n\n", "\n")]),
    (*parted(PLAIN + "Sim.", PAGE + "<p>Outro</p>", kind="alternative"), "Hi", ["Sim."]),
    (*parted(PLAIN + " ", PAGE + "<p>Só aqui</p>", kind="alternative"), "Hi", ["Só aqui"]),
    (*parted(PLAIN + "Um.", PDF, PLAIN + "Dois.", NOTES), "Hi", ["Um.\nDois."]),
    (*parted(PLAIN + "Veja.", PASSED_ON), "Hi", ["Veja.", "Três ovos."]),
    (*parted(PDF), "Só o anexo", ["Só o anexo"]),
    ("<table><tr><td>a</td><td>b</td></tr></table>", ("Content-Type: text/html",), "Hi", ["a b"]),
    (">From now on, and\n>>From then\n\nFrom here in 2020\non", (), "Hi", ["From now on, and\nFrom here in 2020\non"]),
]


@each(BODIES)
def test_what_was_newly_written_is_kept_of_an_email(
    body: str | bytes, headers: tuple[str, ...], subject: str, said: list[str]
) -> None:
    whole = boxed(an_email(body, *headers, subject=subject), an_email("Next.", id="2@x"))
    assert texts(whole) == [*said, "Next."]
    assert texts(whole.replace(b"\n", b"\r\n")) == [*said, "Next."]


LEFT = [
    (("X-Gmail-Labels: Inbox,Spam",), "spam"),
    (("X-Gmail-Labels: =?UTF-8?Q?N=C3=A3o_lidas,Lixeira?=",), "deleted"),
    (("X-Gmail-Labels: Rascunhos",), "draft"),
    (("X-Spam-Flag: YES",), "spam"),
    (("X-Mozilla-Status: 0009",), "deleted"),
    (("Content-Type: multipart/mixed; boundary=b", "Subject:"), "empty"),
]


@each(LEFT)
def test_what_nobody_looks_for_is_left_out_and_counted(headers: tuple[str, ...], why: str) -> None:
    whole = boxed(an_email("x" if why != "empty" else "", *headers, subject=""), an_email("Kept."))
    found = found_in(whole, "a.mbox")[1]
    assert (texts(whole), left(found)) == (["Kept."], {why: 1})


def test_who_when_and_an_id_are_told_where_they_can_be() -> None:
    headers = (
        'To: "Lima, Bia" <b@x>, =?utf-8?q?Jo=C3=A3o?= <j@x>, c@x, d@x',
        "Date: Seg, 02 fev 2026 10:00:00 -0300",
        "Received: by x; Mon, 2 Feb 2026 05:00:01 -0800",
    )
    dated, bare = found_in(boxed(an_email("One.", *headers), b"A: b\n\nTwo."), "a.mbox")[1]
    assert isinstance(dated, Passage)
    assert isinstance(bare, Passage)
    assert (dated.title, dated.heading, dated.document) == ("Hi", "Ana → Bia Lima, João, c@x, …", "<1@x>")
    assert dated.at == datetime(2026, 2, 2, 13, 0, 1, tzinfo=UTC)
    assert (bare.title, bare.heading, bare.at) == ("", "", datetime(2026, 3, 2, 13, tzinfo=UTC))
    (alone,) = found_in(b"A: b\n\nTwo.", "a.eml")[1]
    assert isinstance(alone, Passage)
    assert bare.document == found_in(boxed(b"A: b\n\nTwo."), "a.mbox")[1][0].document != ""  # type: ignore[union-attr]


DEEP = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(5_000))
INNER = "Content-Type: message/rfc822\n\n" * 5_000
HOSTILE: list[tuple[bytes, str]] = [
    (b"word " * (MOST_HELD // 4), "long"),
    (b"\n" * 200_000, "long"),
    (b"X: y\n" * 300_000, "long"),
    (DEEP.encode(), ""),
    (INNER.encode(), ""),
    (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 300_000, ""),
    (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\nSGVsbG8gd29yb",
        "",
    ),
]


@each(HOSTILE)
def test_an_email_that_is_too_much_is_left_out_alone(hostile: bytes, why: str) -> None:
    head = b"Message-ID: <2@x>\nSubject: bad\n"
    for bad in (head + hostile, head + b"\n" + hostile):
        whole = boxed(an_email("Before."), bad, an_email("After.", id="3@x"))
        found = found_in(whole, "a.mbox")[1]
        assert [text for text in texts(whole) if text in ("Before.", "After.")] == ["Before.", "After."]
        assert set(left(found)) <= {why or "long", "unreadable", "empty"}


class Made(io.RawIOBase):
    """A file that is nowhere whole."""

    def __init__(self, pieces: Sequence[tuple[bytes, int]]) -> None:
        self._pieces = pieces
        self.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0) -> int:
        self._made, self._rest = (piece for piece, many in self._pieces for _ in range(many)), b""
        return 0

    def readinto(self, into: Any) -> int:
        self._rest = self._rest or next(self._made, b"")
        size = min(len(into), len(self._rest))
        into[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def test_a_mailbox_of_any_size_is_read_in_little_memory() -> None:
    body, headers = parted(PLAIN + "Veja.", f"Content-Type: video/mp4\n{BASE64}\n\nAAAA")
    attached = an_email(body, *headers).partition(b"AAAA\n")
    line = b"A" * 76 + b"\n"
    pieces = [(FROM + attached[0], 1), (line * 1_000, 400), (attached[2] + b"\n\n", 1)]
    pieces += [(FROM + an_email(b"", id="2@x"), 1), (line * 1_000, 400), (b"\n\n", 1)]
    pieces += [(FROM + an_email(b"Word. " * 50 + b"\n\n", id="3@x"), 1)]
    sample = Sources(io.BytesIO(boxed(an_email("x"))), "a.mbox")
    format = recognised(sample.files[0])
    assert format is not None
    tracemalloc.start()
    with Sources(Made(pieces), "a.mbox") as sources:  # type: ignore[arg-type]
        found = list(format.read(sources.files[0], Context(RECIFE)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [one.document for one in found if isinstance(one, Passage)] == ["<1@x>", "<3@x>"]
    assert left(found) == {"attachment": 1, "long": 1}
    assert peak < 4 * MOST_HELD, f"{peak:,} bytes for a mailbox of 60 MB"


# ── kept ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def taken(memory: Memory, *mails: bytes, name: str = "a.mbox", **how: Any) -> dict[str, int]:
    content = boxed(*mails) if name.endswith("mbox") else mails[0]
    return {**(await memory.import_(io.BytesIO(content), user="ana", file_name=name, **how)).added}


async def kept(memory: Memory) -> list[str]:
    return sorted(note.summary for note in await memory.notes(user="ana", kind="document", limit=100))


ONE, TWO, THREE = (an_email(f"Words {n}.", f"Date: Mon, {n} Mar 2026 10:00:00 +0000", id=f"{n}@x") for n in (1, 2, 3))


async def test_each_email_is_a_document_of_its_own_and_once(memory: Memory) -> None:
    assert await taken(memory, ONE, TWO, dry_run=True) == {"emails": 2, "passages": 2}
    assert await taken(memory, ONE, TWO, an_email("Other words.", id="1@x")) == {"emails": 2, "passages": 2}
    assert await taken(memory, ONE, name="one.eml") == {"emails": 0, "passages": 0}
    assert await taken(memory, ONE, TWO, THREE, name="longer.mbox") == {"emails": 1, "passages": 1}
    assert await kept(memory) == ["Words 1.", "Words 2.", "Words 3."]
    came = await memory.import_(io.BytesIO(boxed(ONE, TWO, THREE)), user="ana", file_name="a.mbox")
    assert (came.total, came.first, came.formats) == (0, datetime(2026, 3, 1, 10, tzinfo=UTC), ("email",))
    assert (await memory.verify()).problems == ()


async def test_one_email_is_hidden_or_forgotten_alone_and_what_was_hidden_stays_so(memory: Memory) -> None:
    await taken(memory, ONE, TWO, THREE)
    talks = {talk.created_at.day: talk.id for talk in await memory.conversations(user="ana")}
    await memory.delete_conversation(talks[1], user="ana")
    await memory.forget(user="ana", conversation=talks[2])
    assert await kept(memory) == ["Words 3."]
    assert await taken(memory, ONE, THREE) == {"emails": 0, "passages": 0}
    assert await kept(memory) == ["Words 3."]


async def test_an_import_that_was_stopped_goes_on_where_it_was(
    memory: Memory, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails = [an_email(f"Words {n}.", id=f"{n}@x") for n in range(450)]
    applied, done = store.apply, 0

    async def stopping(*given: Any) -> Any:
        nonlocal done
        done += len(given[1]) > 100
        if done == 2:
            done += 1
            raise StoreError("stopped")
        return await applied(*given)

    monkeypatch.setattr(store, "apply", stopping)
    with pytest.raises(StoreError):
        await taken(memory, *mails)
    assert 0 < len(await memory.conversations(user="ana", limit=100)) < 450
    rest = await taken(memory, *mails)
    assert rest == {"emails": 250, "passages": 250}
    assert (await memory.stats(user="ana")).notes == 450


async def test_a_mailbox_and_a_calendar_come_along_with_talk(memory: Memory) -> None:
    event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dentist\nDTSTART;VALUE=DATE:20260305\nEND:VEVENT\nEND:VCALENDAR"
    talk = '{"role": "user", "content": "hi", "at": "2024-03-01T10:00:00Z"}'
    chat = "[2024-03-01, 10:00] Ana: hi\n[2024-03-01, 10:01] Rui: hello"
    files: dict[str, bytes | str] = {"a.mbox": boxed(ONE), "b.ics": event, "c.html": "<p>Menu</p>"}
    how: dict[str, Any] = {"user": "ana", "file_name": "takeout.zip", "me": "Ana"}
    came = await memory.import_(io.BytesIO(zipped({**files, "d.jsonl": talk})), **how)
    assert (came.formats, came.left_alone) == (("jsonl", "email", "ics"), 1)
    beside = await memory.import_(io.BytesIO(zipped({**files, "d.txt": chat})), **how)
    assert (beside.formats, beside.left_alone) == (("signal", "email", "ics"), 1)


async def test_a_mailbox_as_mail_exports_it_lies_in_a_folder_of_its_name(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "Inbox.mbox").mkdir()
    (tmp_path / "Inbox.mbox" / "mbox").write_bytes(boxed(ONE))
    (tmp_path / "Inbox.mbox" / "table_of_contents").write_bytes(b"\x00")
    came = await memory.import_(tmp_path / "Inbox.mbox", user="ana")
    assert (came.added, came.left_alone) == ({"emails": 1, "passages": 1}, 1)
    await memory.settle()
    found = await memory.recall("Words?", user="ana")
    assert found.notes[0].note.title == "Hi · Ana"
