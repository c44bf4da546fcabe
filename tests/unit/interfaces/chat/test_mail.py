"""E-mail over a real SMTP server on loopback: what was written is kept, answered once, and no machine is answered."""

from __future__ import annotations

import datetime
import ipaddress
import json
import logging
import ssl
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from loops import each
from mails import OWN, PASSWORD, SECRET, Smtp, a_mailbox
from relembra.domain.jobs import REPLY, JobState
from relembra.interfaces.http.channels import ANSWERS_AN_HOUR
from relembra.transfer.documents.mail import plain, written
from scripted import scripted, spoken

ANA_NAME = "email:ana@example.org"


async def test_an_email_is_kept_and_answered_in_its_thread() -> None:
    thread = {"in_reply_to": "<m0@example.org>", "references": "<a@x.org> <m0@example.org>"}
    with scripted(spoken("Boa viagem!")) as model:
        async with a_mailbox(upstream=model.url, upstream_model="m") as box:
            assert await box.gets("Vou para Lisboa em maio.\n\n-- \nAna", **thread) == ["Boa viagem!"]
            reply, said = await box.memory.messages(user=ANA_NAME)
            [(to, sent)] = box.smtp.taken
    assert (said.text, said.author_name, said.conversation) == ("Vou para Lisboa em maio.", "Ana Souza", "email")
    assert said.metadata["subject"] == "Viagem"
    assert (reply.text, reply.conversation) == ("Boa viagem!", "email")
    assert (to, sent["to"], sent["from"]) == (["ana@example.org"], "ana@example.org", f"Relembra <{OWN}>")
    assert (sent["subject"], sent["in-reply-to"]) == ("Re: Viagem", "<m1@example.org>")
    assert sent["references"] == "<a@x.org> <m0@example.org> <m1@example.org>"
    assert (sent["auto-submitted"], sent["message-id"].endswith("@relembra.example>")) == ("auto-replied", True)


async def test_a_raw_email_is_read_in_any_encoding_and_comes_again_without_effect() -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "João Ávila <joao@example.org>", OWN, "Férias de verão"
    mail["Message-ID"], mail["Date"] = "<j1@example.org>", "Sun, 01 Mar 2026 08:30:00 -0300"
    mail.set_content("Moro em Florianópolis desde março.\n\nEm sex., 27 de fev. de 2026 às 10:00, Relembra <"
                     f"{OWN}>\nescreveu:\n\n> Onde você mora?\n", charset="iso-8859-1")  # fmt: skip
    mail.add_alternative("<p>Outra coisa</p>", subtype="html")
    async with a_mailbox() as box:
        [answer] = await box.gets_raw(mail.as_bytes())
        assert await box.gets_raw(mail.as_bytes()) == []
        [said] = await box.memory.messages(user="email:joao@example.org")
        [(_, sent)] = box.smtp.taken
    assert (said.text, said.author_name) == ("Moro em Florianópolis desde março.", "João Ávila")
    assert said.sent_at == datetime.datetime(2026, 3, 1, 11, 30, tzinfo=datetime.UTC)
    assert (answer != "", sent["subject"]) == (True, "Re: Férias de verão")


async def test_commands_are_answered_and_a_linked_person_is_the_same_everywhere() -> None:
    async with a_mailbox() as box:
        await box.memory.link("email", "ana@example.org", user="ana")
        await box.memory.add("Prefere chá verde", user="ana")
        [found] = await box.gets("/recall chá")
        [again] = await box.gets("que chá eu prefiro?", id="<m2@example.org>")
        [stranger] = await box.gets("que chá eu prefiro?", id="<m3@example.org>", **{"from": "mallory@example.org"})
        [gone] = await box.gets("/esquecer tudo para sempre", id="<m4@example.org>")
        assert box.smtp.taken[-1][1]["in-reply-to"] == "<m4@example.org>"
    assert ("chá verde" in found, "chá verde" in again, "verde" in stranger) == (True, True, False)
    assert gone


@each([
    {"headers": {"Auto-Submitted": "auto-replied"}}, {"headers": {"auto-submitted": "auto-generated; why=vacation"}},
    {"headers": {"Precedence": "bulk"}}, {"headers": {"List-Id": "<news.example.org>"}},
    {"headers": {"X-Auto-Response-Suppress": "All"}}, {"headers": {"Return-Path": "<>"}},
    {"from": "MAILER-DAEMON@example.org"}, {"from": "no-reply@shop.example"}, {"from": OWN.upper()},
])  # fmt: skip
async def test_no_machine_is_answered_nor_kept(parts: dict[str, Any]) -> None:
    async with a_mailbox() as box:
        assert await box.gets("Estou de férias até dia 10.", **parts) == []
        assert (await box.memory.stats()).messages == 0
        assert len(await box.gets("/help", id="<m2@example.org>", headers={"Auto-Submitted": "no"})) == 1


async def test_a_machine_that_says_nothing_of_itself_is_answered_some_times_only() -> None:
    async with a_mailbox() as box:
        answers = [await box.gets("Recebi sua mensagem.", id=f"<m{n}@example.org>") for n in range(15)]
        assert len(await box.memory.messages(user=ANA_NAME)) == 15
        assert len(await box.gets("/help", **{"from": "bia@example.org"}, id="<b@example.org>")) == 1
    assert 0 < sum(map(len, answers)) <= ANSWERS_AN_HOUR // 6


WRITTEN = [
    ("Sim.\r\n\r\nOn Mon, Mar 2, 2026 at 10:00 AM Ana <ana@x.org> wrote:\r\n> Vem?\r\n>> Sim?\r\n", "Sim."),
    ("Sim.\n\nEm seg., 2 de mar. de 2026 às 10:00, Uma Pessoa\n<p@x.org> escreveu:\n\n> Vem?", "Sim."),
    ("Sim.\n\n-----Original Message-----\nFrom: Ana\nVem?", "Sim."),
    ("Sim.\n\n________________________________\nDe: Ana <a@x.org>\nEnviado: segunda\nPara: Bia\nVem?", "Sim."),
    ("Sim.\n\nFrom: Ana <a@x.org>\nSent: Monday\nTo: Bia\nSubject: Party\n\nVem?", "Sim."),
    ("Sim.\n\nEnviado do meu iPhone", "Sim."), ("Yes.\n\nSent from my Galaxy\n", "Yes."),
    ("Sim.\n-- \nAna Souza\nRua 7", "Sim."), ("Sim.\n--\nAna", "Sim."),
    ("> Onde?\nEm Recife.\n> Quando?\nEm maio.", "Em Recife.\nEm maio."),
    ("Comprar:\n- pão\n- leite\n\nPrazo: sexta às 10:00", "Comprar:\n- pão\n- leite\n\nPrazo: sexta às 10:00"),
    ("Nota: às 10:00 - 11:00\nLocal: Recife", "Nota: às 10:00 - 11:00\nLocal: Recife"),
    ("Sim.\nEm 2 de março de 2026 às 10:00, Ana escreveu:\n> Vem?", "Sim."),
    ("um\n\n\n\n\ndois", "um\n\ndois"), ("", ""),
    ("Sim.\n\nEm segunda-feira, 2 de março de 2026 10:00:00 BRT, Uma Pessoa <p@x.org> escreveu:\n\nVem?", "Sim."),
    ("Yes.\n\nOn Monday, March 2, 2026 at 10:00:00 AM GMT, A. Person\n<p@x.org> wrote:\n\nComing?", "Yes."),
    ("Sim.\n\nObter o Outlook para iOS<https://aka.ms/x>\n________________________________\nFrom: Ana\nSent: Monday\n"
     "To: Bia\n\nVem?", "Sim."),
    ("Sim.\n\n*De:* Ana <a@x.org>\n*Enviada em:* segunda-feira\n*Para:* Bia\n*Assunto:* Festa\n\nVem?", "Sim."),
    ("Olhe.\n\n---------- Forwarded message ---------\nDe: Ana <a@x.org>\nOutra coisa", "Olhe."),
    *((same, same) for same in (
        "Lista 1\n---\nLista 2", "--- Compras ---\npão", "Voo: TP 123\nSaída: 10:00\nContato: ana@x.org\nMala: uma",
        "Enviado via Correios ontem.\nChega amanhã.", "De: casa\nPara: o trabalho", "____\nfim",
        "Convidados de 2026:\n- Ana <a@x.org>\n- Bia",
    )),
]  # fmt: skip


@each(WRITTEN)
def test_what_is_quoted_and_what_closes_an_email_is_cut_off(text: str, left: str) -> None:
    assert written(text) == left


@each([
    ("<p>Sim.</p><p>Em maio.</p>", "Sim.\n\nEm maio."), ("Ana &amp; Bia<br>juntas", "Ana & Bia\njuntas"),
    ("<head><style>p {}</style></head><div>Sim.</div><blockquote>Vem?<p>a</p></blockquote>", "Sim."),
    ('<div>Sim.</div><div class="gmail_quote"><div>Em seg.</div>Vem?</div>', "Sim."), ("sem < fim", "sem < fim"),
])  # fmt: skip
def test_a_page_says_its_words(page: str, words: str) -> None:
    assert plain(page) == words


@each([
    ("RCPT", "550 no such user", None), ("DATA", "554 no", None), ("RCPT", "450 later", 24), ("MAIL", "451 later", 24),
    ("AUTH", "535 wrong", 24), ("EHLO", "421 closing", 24),
])  # fmt: skip
async def test_what_is_refused_is_tried_again_or_given_up(word: str, answer: str, seconds: int | None) -> None:
    smtp = Smtp(refuses={word: [answer, answer]})
    async with a_mailbox(smtp, smtp_user="relembra", smtp_password=PASSWORD) as box:
        assert await box.gets("/help") == []
        [job] = await box.memory.jobs(kind=REPLY)
        assert PASSWORD not in str(job.error)
        assert (job.state is JobState.DEAD) == (seconds is None), job.error
        smtp.refuses.clear()
        box.house.clock.move(minutes=1)
        await box.memory.settle()
        assert len(smtp.taken) == (seconds is not None)


async def test_it_signs_in_by_tls_that_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smtp = Smtp(context=a_certificate(tmp_path))
    chosen: dict[str, Any] = {"smtp_tls": "starttls", "smtp_user": "relembra", "smtp_password": PASSWORD}
    async with a_mailbox(smtp, **chosen) as box:
        assert await box.gets("/help") == []
        assert (await box.memory.jobs(kind=REPLY))[
            0
        ].error == "the mail server could not be used (SSLCertVerificationError)"
        assert smtp.signed_in == []
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
        box.house.clock.move(minutes=1)
        await box.memory.settle()
        assert len(smtp.taken) == 1
    assert smtp.signed_in == [(f"relembra\0{PASSWORD}", True)]
    async with a_mailbox(Smtp(), **chosen) as box:
        assert await box.gets("/help") == []
        assert "STARTTLS" in str((await box.memory.jobs(kind=REPLY))[0].error)


def a_certificate(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, for localhost, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    others = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(others, critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(secret)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "key.pem")
    return context


NESTED = b"From: a@x.org\r\n" + b"".join(
    b"Content-Type: multipart/mixed; boundary=x%d\r\n\r\n--x%d\r\n" % (depth, depth) for depth in range(9_000)
)


async def test_an_email_made_to_take_long_to_read_is_read_all_the_same() -> None:
    """Each of these takes minutes where its length counts twice."""
    page = "<p>Sim." + "<a " * 100_000
    quotes = "Sim.\n" + "a 2026:\n> b\n" * 8_000
    head = b"From: ana@example.org\r\nContent-Type: text/html; " + b"a=b;" * 9_000 + b"\r\nTo: " + b"a@b.c, " * 9_000
    async with a_mailbox() as box:
        await box.gets_raw(head + b"\r\nMessage-ID: <p@x>\r\n\r\n" + page.encode())
        await box.gets(quotes, id="<q@x>")
        assert [one.text[:4] for one in await box.memory.messages(user=ANA_NAME)] == ["Sim.", "Sim."]


async def test_only_what_is_signed_and_an_email_is_taken() -> None:
    async with a_mailbox() as box:
        body = json.dumps({"from": "ana@example.org", "text": "oi", "message_id": "<m1@x>"}).encode()
        assert (await box.delivers(body, secret="guessed")).status_code == 401
        for content in (b"", b"[]", b"{}", body.replace(b"ana@example.org", b"ana"), body[:-1] + b', "more": 1}'):
            assert (await box.delivers(content)).status_code == 422, content
        for content in (b"", b"no e-mail at all", b"From: nobody\r\n\r\noi", b"From: " + b"(" * 900, NESTED):
            assert (await box.delivers(content, "message/rfc822")).status_code == 422, content
        assert (await box.memory.stats()).messages == 0


async def test_a_subject_cannot_add_headers_and_one_without_words_counts_by_it() -> None:
    async with a_mailbox() as box:
        await box.gets("", subject="Lembrete\r\nBcc: mallory@example.org")
        [said] = await box.memory.messages(user=ANA_NAME)
        [(to, sent)] = box.smtp.taken
    assert said.text == "Lembrete Bcc: mallory@example.org"
    assert (to, sent["bcc"]) == (["ana@example.org"], None)


@each([{"smtp_host": ""}, {"webhooks": {}}, {"smtp_user": "relembra"}])
async def test_half_set_up_it_says_what_is_missing(parts: dict[str, Any]) -> None:
    missing = {"smtp_host": "smtp_host", "webhooks": "webhook_secret", "smtp_user": "smtp_password"}[next(iter(parts))]
    async with a_mailbox(**parts) as box:
        response = await box.delivers(b"{}")
        assert (response.status_code, missing in response.json()["detail"]) == (404, True)


async def test_neither_secrets_nor_addresses_nor_words_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    smtp = Smtp(refuses={"RCPT": ["450 ana@example.org is busy"]})
    with caplog.at_level(logging.DEBUG):
        async with a_mailbox(smtp, smtp_user="relembra", smtp_password=PASSWORD) as box:
            await box.gets("Moro em Recife.")
            [job] = await box.memory.jobs(kind=REPLY)
    ours = [record for record in caplog.records if record.name.startswith("relembra")]
    assert ours
    for word in (PASSWORD, SECRET, "Recife", "ana@example.org"):
        assert not any(word in record.getMessage() for record in ours), word
    assert job.error == "the mail server did not take the recipient (450)"
