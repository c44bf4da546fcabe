"""What other programs export, format by format: who said what and when, and what is left out and why."""

from __future__ import annotations

import contextlib
import io
import json
import time
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chats import RECIFE, chatgpt, found_in, left, node, told, whatsapp, zipped
from loops import each
from relembra.errors import InvalidInputError
from relembra.transfer.chats import Context, Fact, Said, recognised, slack
from relembra.transfer.chats.table import FORMATS
from relembra.transfer.sources import Sources

PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "file://a"}
ROOT = {"id": "r", "parent": None, "children": ["s"], "message": None}
HIDDEN = node("s", "r", ["q"], "system", "You are ChatGPT.")
TREE = (
    ROOT, HIDDEN,
    node("q", "s", ["a", "b"], "user", "Onde fica Olinda?", 1_700_000_100),
    node("a", "q", [], "assistant", "Na Bahia.", 1_700_000_110),
    node("b", "q", ["q2", "q3"], "assistant", "Em Pernambuco.", 1_700_000_120),
    node("q2", "b", [], "user", "Obrigda", 1_700_000_200),
    node("q3", "b", ["t"], "user", {"content_type": "multimodal_text", "parts": [PICTURE, "Obrigada!"]}, 1_700_000_210),
    node("t", "q3", ["c"], "tool", "result"),
    node("c", "t", [], "assistant", {"content_type": "code", "language": "python", "text": "print(1)"}),
)  # fmt: skip
SHOWN = [
    ("user", "2023-11-14T22:15:00+00:00", "Onde fica Olinda?"),
    ("assistant", "2023-11-14T22:15:20+00:00", "Em Pernambuco."),
    ("user", "2023-11-14T22:16:50+00:00", "Obrigada!"),
    ("assistant", "", "```python\nprint(1)\n```"),
]
LEFT = {"branch": 2, "hidden": 1, "tool": 1, "attachment": 1}
BARE = [
    {"id": name, "message": one["message"]}
    for name, one in (
        ("2", node("2", None, [], "assistant", "Hello!", 1_700_000_200)),
        ("1", node("1", None, [], "user", "Hi", 1_700_000_100)),
    )
]


MARKED = (
    'See \ue200entity\ue202["book","Dune","novel"]\ue201 and \ue200url\ue202its page\ue202https://a.b\ue201.'
    "\ue200cite\ue202turn0search0\ue202turn0search3\ue201"
)


def claude(*messages: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [
        {"uuid": "k1", "name": "Férias", "created_at": "2024-01-02T10:00:00Z", "chat_messages": list(messages)} | more
    ]


HUMAN = {"uuid": "m1", "sender": "human", "text": "Oi", "created_at": "2024-01-02T10:00:01Z", "attachments": [
    {"file_name": "a.txt", "extracted_content": "secret"}]}  # fmt: skip
REPLY = {"uuid": "m2", "sender": "assistant", "created_at": "2024-01-02T10:00:02Z", "text": "", "content": [
    {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Olá!"}]}  # fmt: skip
CLAUDE = [("user", "2024-01-02T10:00:01+00:00", "Oi"), ("assistant", "2024-01-02T10:00:02+00:00", "Olá!")]
SESSION: dict[str, Any] = {"sessionId": "g1", "startTime": "2026-03-10T14:00:00Z", "messages": [
    {"id": "1", "type": "user", "content": "oi", "timestamp": "2026-03-10T14:23:01.000Z"},
    {"id": "2", "type": "info", "content": "x"}]}  # fmt: skip
ACTIVITY: list[dict[str, Any]] = [
    {"header": "Gemini Apps", "title": "Prompted como fazer pão?", "time": "2024-05-01T12:00:00.123Z",
     "products": ["Gemini Apps"], "safeHtmlItem": [{"html": "<p>Misture &amp; asse.</p><ul><li>farinha</li></ul>"}]},
    {"header": "Gemini Apps", "title": "Used a thing", "time": "2024-05-01T11:00:00Z", "products": ["Gemini Apps"]},
]  # fmt: skip
TELEGRAM = {"name": "Bia", "type": "personal_chat", "id": 7, "messages": [
    {"id": 1, "type": "service", "action": "phone_call", "actor": "Bia", "date": "2024-01-15T10:29:00", "text": ""},
    {"id": 2, "type": "message", "date": "2024-01-15T10:30:00", "date_unixtime": "1705325400", "from": "Bia",
     "text": ["veja ", {"type": "link", "text": "https://a.b"}, "!"]},
    {"id": 3, "type": "message", "date": "2024-01-15T10:31:00", "from": "Ana", "text": "bom", "forwarded_from": "Rui"},
    {"id": 4, "type": "message", "date": "2024-01-15T10:32:00", "from": "Ana", "text": "", "photo": "x.jpg"},
    {"id": 5, "type": "message", "date": "2024-01-15T10:33:00", "from": None, "text": "quem?"}]}  # fmt: skip
BATCH = {"personal_information": {"first_name": "Ana", "last_name": "Lima"}, "chats": {"list": [
    TELEGRAM | {"messages": TELEGRAM["messages"][1:2]},  # type: ignore[index]
    {"name": "Turma", "type": "private_group", "id": 8, "messages": [
        {"id": 1, "type": "message", "date": "2024-02-01T10:00:00", "from": "Rui", "text": "e aí"}]}]}}  # fmt: skip
CHANNEL = {"id": "2", "name": "geral", "type": "GuildTextChat"}
DISCORD = {"guild": {"id": "1", "name": "Guilda"}, "channel": CHANNEL, "messages": [
    {"id": "9", "type": "Default", "timestamp": "2024-01-15T10:30:00+00:00", "content": "oi", "attachments": [{}],
     "author": {"id": "3", "name": "rui", "nickname": "Rui", "isBot": False}},
    {"id": "10", "type": "GuildMemberJoin", "timestamp": "2024-01-15T10:30:00+00:00", "content": "", "author": {}},
    {"id": "11", "type": "Default", "timestamp": "2024-01-15T10:31:00+00:00", "content": "beep",
     "author": {"name": "robo", "isBot": True}}]}  # fmt: skip
INSTAGRAM = {"participants": [{"name": "Ana"}, {"name": "JoÃ£o"}], "messages": [
    {"sender_name": "JoÃ£o", "timestamp_ms": 1579294140000, "content": "Olá 🙂".encode().decode("latin-1")},
    {"sender_name": "Ana", "timestamp_ms": 1579294130000, "photos": [{}]}], "title": "JoÃ£o"}  # fmt: skip
LETTA = {"agent_type": "memgpt_agent", "name": "Sam", "core_memory": [
    {"label": "human", "value": "Name: Ana\n- likes tea"}, {"label": "persona", "value": "I am Sam"}], "messages": [
    {"id": "1", "role": "user", "content": [{"type": "text", "text": "hi"}], "created_at": "2024-03-01T10:00:00+00:00"},
    {"id": "2", "role": "tool", "content": "x"}]}  # fmt: skip
GRAPH = (
    '{"type":"entity","name":"Clara","entityType":"person","observations":["gosta de chá",""]}\n'
    '{"type":"relation","from":"Clara","to":"Recife","relationType":"lives_in"}\n'
)
LINES = (
    '{"role":"user","content":"oi","at":"2024-03-01T10:00:00","conversation":"x"}\n'
    '{"role":"system","content":"be kind"}\n{"role":"assistant","content":[{"type":"text","text":"olá"}]}\n'
)
PT = whatsapp(
    "12/03/2023 09:14 - As mensagens e as ligações são protegidas com a criptografia de ponta a ponta.",
    "12/03/2023 09:14 - Ana: Bom dia", "segunda linha: sim", "", "12/03/2023 09:15 - João: <Mídia oculta>",
    "13/03/2023 21:00 - João: Mensagem apagada", "13/03/2023 21:01 - João: quase: nada <Mensagem editada>",
    "13/03/2023 21:02 - João: IMG-2023.jpg (arquivo anexado)",
)  # fmt: skip
IPHONE = whatsapp(
    "\u200e[3/1/24, 9:05:07\u202fPM] Ana: \u200eMessages and calls are end-to-end encrypted. Tap to learn more.",
    "[3/1/24, 9:05:08\u202fPM] Ana: Hi", "\u200e[3/2/24, 12:00:00\u202fAM] \u202aBen\u202c: \u200eimage omitted",
    "[3/14/24, 12:30:00\u202fPM] ~ Ben: Bye", "[3/14/24, 12:31:00\u202fPM] Ben: \u200eYou deleted this message.",
)  # fmt: skip
ANDROID_GROUP = whatsapp(
    '12/03/2023 08:01 - Bruno criou o grupo "Praia 🏖️"',
    "12/03/2023 08:01 - Bruno adicionou você",
    "12/03/2023 08:06 - +55\u00a081\u00a099876-5432: Oi! Aqui é o Davi",
    "12/03/2023 08:07 - 🌻 Carol 🌻: <Mídia oculta>",
    "A casa que achei",
    "12/03/2023 08:08 - Bruno: ENQUETE:",
    "Que dia?",
    "OPÇÃO: Moro longe (3 votos)",
    "OPÇÃO: 25 (1 voto)",
    "",
    "12/03/2023 08:09 - Ana: localização: https://maps.google.com/?q=-8.5,-35.0",
    "12/03/2023 08:10 - Bruno: IMG-7.jpg (arquivo anexado)",
    "A piscina",
    "13/03/2023 08:10 - Bruno saiu",
)
SPANISH = whatsapp(
    "12/2/23, 9:14 p. m. - Los mensajes y las llamadas están cifrados de extremo a extremo.",
    '12/2/23, 9:14 p. m. - Ana creó el grupo "Família"', "12/2/23, 9:15 p. m. - Ana: Hola <Se editó este mensaje.>",
    "12/2/23, 9:16 p. m. - Rui: <Multimedia omitido>", "12/2/23, 9:17 p. m. - Rui: a.pdf (archivo adjunto)",
    "12/2/23, 9:18 p. m. - Rui: Se eliminó este mensaje.", "12/2/23, 9:19 p. m. - Ana: Eliminaste este mensaje.",
)  # fmt: skip
APP = "\u200e"  # before what iPhones write themselves, under the name of whoever did it, or of the group
IPHONE_GROUP = whatsapp(
    f"[3/12/24, 9:15:02\u202fAM] Vinyl: {APP}Messages and calls are end-to-end encrypted.",
    f"[3/12/24, 9:15:02\u202fAM] Vinyl: {APP}Maya created this group",
    f"[3/12/24, 9:15:04\u202fAM] Maya: {APP}Maya added you",
    "[3/12/24, 12:06:00\u202fAM] Maya: Hi @\u2068Tom\u2069!",
    f"[3/13/24, 12:05:00\u202fPM] ~\u202fTom: On it {APP}<This message was edited>",
    f"{APP}[3/13/24, 8:00:00\u202fPM] Maya: {APP}Plan v2.pdf • {APP}2 pages {APP}document omitted",
    f"{APP}[3/13/24, 8:01:00\u202fPM] Maya: {APP}POLL:",
    "When?",
    f"{APP}OPTION: Friday (2 votes)",
    "",
    f"{APP}[3/13/24, 8:07:00\u202fPM] Maya: {APP}Voice call, {APP}12 min",
)
LAST = "2023-03-13T21:01:00-03:00"
FULL = "2023-03-12T09:14:00-03:00"


ROWS: list[tuple[str | None, str, list[tuple[str, str, str]], dict[str, int]]] = [
        ("chatgpt", chatgpt(*TREE, current="c"), SHOWN, LEFT),
        ("chatgpt", chatgpt(*TREE), SHOWN, LEFT),  # the last child, where no end is named
        ("chatgpt", json.dumps([{"title": "t", "mapping": {one["id"]: one for one in BARE}}]),
         [("user", "2023-11-14T22:15:00+00:00", "Hi"), ("assistant", "2023-11-14T22:16:40+00:00", "Hello!")], {}),
        ("chatgpt", chatgpt(node("a", None, [], "assistant", MARKED, 1_700_000_100)),
         [("assistant", "2023-11-14T22:15:00+00:00", "See Dune and its page.")], {}),
        ("claude", json.dumps(claude(HUMAN, REPLY)), CLAUDE, {"attachment": 1, "tool": 1}),
        ("claude", json.dumps({"conversations": claude(HUMAN, REPLY)}), CLAUDE, {"attachment": 1, "tool": 1}),
        ("claude", json.dumps(claude({**HUMAN, "attachments": []}, {**REPLY, "parent_message_uuid": "m1"},
                                     {**REPLY, "uuid": "m3", "parent_message_uuid": "m1"},
                                     current_leaf_message_uuid="m3")), CLAUDE, {"branch": 1, "tool": 1}),
        ("claude_projects", '[{"uuid": "p", "name": "Web", "docs": []}]', [], {"project": 1}),
        ("gemini", json.dumps(SESSION), [("user", "2026-03-10T14:23:01+00:00", "oi")], {"tool": 1}),
        ("gemini_takeout", json.dumps(ACTIVITY), [
            ("user", "2024-05-01T12:00:00.123000+00:00", "como fazer pão?"),
            ("assistant", "2024-05-01T12:00:00.124000+00:00", "Misture & asse.\n- farinha")], {"service": 1}),
        ("telegram", json.dumps(TELEGRAM), [("Bia", "2024-01-15T13:30:00+00:00", "veja https://a.b!"),
            ("Ana", "2024-01-15T10:31:00-03:00", "[Rui]\n> bom")], {"service": 1, "media": 1, "deleted": 1}),
        ("telegram", json.dumps(BATCH, indent=1), [("Bia", "2024-01-15T13:30:00+00:00", "veja https://a.b!"),
            ("Rui", "2024-02-01T10:00:00-03:00", "e aí")], {}),
        ("telegram", json.dumps({"name": "Robô", "type": "bot_chat", "id": 9, "messages": [
            {"id": 1, "type": "message", "date": "2024-01-15T10:31:00", "from": "Ana", "text": "oi"},
            {"id": 2, "type": "message", "date": "2024-01-15T10:32:00", "from": "Robô", "text": "Escolha:"}]}),
         [("Ana", "2024-01-15T10:31:00-03:00", "oi")], {"bot": 1}),
        ("discord", json.dumps(DISCORD), [("Rui", "2024-01-15T10:30:00+00:00", "oi")],
         {"attachment": 1, "service": 1, "bot": 1}),
        ("discord_package", '[{"ID": 5, "Timestamp": "2023-01-02 10:00:00", "Contents": "ei", "Attachments": ""}]',
         [("user", "2023-01-02T10:00:00+00:00", "ei")], {}),
        ("instagram", json.dumps(INSTAGRAM), [("João", "2020-01-17T20:49:00+00:00", "Olá 🙂")], {"media": 1}),
        ("letta", json.dumps(LETTA), [("user", "2024-03-01T10:00:00+00:00", "hi")], {"hidden": 1, "tool": 1}),
        ("jsonl", LINES, [("user", "2024-03-01T10:00:00-03:00", "oi"), ("assistant", "", "olá")], {"hidden": 1}),
        ("whatsapp", PT, [("Ana", FULL, "Bom dia\nsegunda linha: sim"), ("João", LAST, "quase: nada")],
         {"service": 1, "media": 2, "deleted": 1}),
        ("whatsapp", IPHONE, [("Ana", "2024-03-01T21:05:08-03:00", "Hi"), ("Ben", "2024-03-14T12:30:00-03:00", "Bye")],
         {"service": 1, "media": 1, "deleted": 1}),
        ("whatsapp", ANDROID_GROUP, [("+55 81 99876-5432", "2023-03-12T08:06:00-03:00", "Oi! Aqui é o Davi"),
            ("🌻 Carol 🌻", "2023-03-12T08:07:00-03:00", "A casa que achei"),
            ("Bruno", "2023-03-12T08:10:00-03:00", "A piscina")], {"service": 3, "attachment": 2, "media": 2}),
        ("whatsapp", IPHONE_GROUP, [("Maya", "2024-03-12T00:06:00-03:00", "Hi @Tom!"),
            ("Tom", "2024-03-13T12:05:00-03:00", "On it")], {"service": 4, "media": 2}),
        ("whatsapp", SPANISH, [("Ana", "2023-02-12T21:15:00-03:00", "Hola")], {"service": 2, "media": 2, "deleted": 2}),
        ("signal", "[2019-12-24, 12:23] Jane: Hi\n[2019-12-24, 12:24] Joe: Ho\n",
         [("Jane", "2019-12-24T12:23:00-03:00", "Hi"), ("Joe", "2019-12-24T12:24:00-03:00", "Ho")], {}),
        ("gemini", json.dumps({**SESSION, "messages": [{**SESSION["messages"][0], "content": [
            {"text": "oi"}, {"inlineData": {}}, {"text": "tudo bem?"}]}]}),
         [("user", "2026-03-10T14:23:01+00:00", "oi\ntudo bem?")], {}),
        (None, "just a text", [], {}),
        (None, '{"a": 1}', [], {}),
        (None, "[]", [], {}),
        (None, "", [], {}),
    ]  # fmt: skip


@each(ROWS)
def test_each_format_is_told_by_what_is_in_it(
    name: str | None, content: str, said: list[tuple[str, str, str]], out: dict[str, int]
) -> None:
    for written in (content, "\ufeff" + content, content.encode("utf-16")):
        format, found = found_in(written)
        assert (format, told(found), left(found)) == (name, said, out)


def test_every_format_is_tried_here() -> None:
    with_rows_of_their_own = {"slack", "slack_lists", "mem0", "mcp_graph"}
    assert {format.name for format in FORMATS if format.parts is None} == {
        row[0] for row in ROWS if row[0]
    } | with_rows_of_their_own


@each(
    [
        # a number that can be no month, and one that can: of the whole file
        (["13/01/20", "05/01/20"], "2020-01-13 2020-01-05"),
        (["01/13/20", "01/05/20"], "2020-01-13 2020-01-05"),
        # else whether time would go backwards
        (["05/01/2020", "06/01/2020", "01/02/2020"], "2020-01-05 2020-01-06 2020-02-01"),
        (["01/05/2020", "02/01/2020", "02/03/2020"], "2020-01-05 2020-02-01 2020-02-03"),
        # else the day comes first, unless hours are told as Americans do
        (["05/01/20"], "2020-01-05"),
        (["05.01.20"], "2020-01-05"),
        (["2020/01/05"], "2020-01-05"),
        (["2020-01-05"], "2020-01-05"),
    ]
)
def test_the_order_of_a_date_is_told_by_the_whole_file(dates: list[str], days: str) -> None:
    _, found = found_in(whatsapp(*(f"{date}, 10:00 - Ana: oi" for date in dates)))
    assert " ".join(at[:10] for _, at, _ in told(found)) == days


@each(
    [
        ("1/2/20, 9:05 AM", "2020-01-02T09:05"), ("1/2/20, 12:05 am", "2020-01-02T00:05"),
        ("1/2/20, 12:05 PM", "2020-01-02T12:05"), ("1/2/20, 9:05 p. m.", "2020-01-02T21:05"),
        ("31/2/20, 10:00", ""), ("1/2/20, 25:00", ""), ("01/02/20 9:05 da manhã", "2020-01-02T09:05"),
        ("13/02/20 9:05 da noite", "2020-02-13T21:05"), ("13/02/20 3:05 da tarde", "2020-02-13T15:05"),
        ("13/02/2020 às 23:59", "2020-02-13T23:59"),
    ]
)  # fmt: skip
def test_hours_are_read_as_they_are_written_anywhere(head: str, at: str) -> None:
    _, found = found_in(whatsapp(f"{head} - Ana: oi"))
    assert [at[:16] for _, at, _ in told(found)] == ([at] if at else [])


def test_an_hour_that_comes_twice_goes_on_in_time() -> None:
    """In Recife clocks went back at midnight of 2000-02-27; the hour from 23 is there twice."""
    lines = [
        "26/02/2000 23:30 - A: um",
        "26/02/2000 23:50 - A: dois",
        "26/02/2000 23:10 - A: três",
        "27/02/2000 00:05 - A: x",
    ]
    _, found = found_in(whatsapp(*lines))
    moments = [one.at.timestamp() for one in found if isinstance(one, Said) and one.at is not None]
    assert moments == sorted(moments)
    assert moments[2] - moments[1] == 20 * 60


@each(
    [
        b"25/12/2020 10:00 - Jo\xe3o: Ol\xe1\n",
        "25/12/2020 10:00 - João: Olá\n".encode(),
        b"25/12/2020 10:00 - Jo\xc3\xa3o: Ol\x00\xc3\xa1",
    ]
)
def test_a_chat_is_read_in_whatever_letters(content: bytes) -> None:
    assert [(who, said) for who, _, said in told(found_in(content)[1])] == [("João", "Olá")]


AT = "13/02/2020 10:00 - "
GROUP = whatsapp(
    "01/02/2020 10:00 - Ana criou o grupo “Família”", "01/02/2020 10:01 - Ana: oi", "13/02/2020 10:01 - Rui: oi"
)


ANA, RUI, BIA = (f"{AT}{name}: oi" for name in ("Ana", "Rui 🌻", "Bia"))


@each(
    [
        ("Conversa do WhatsApp com Rui 🌻", [ANA, RUI], None), ("Conversa do WhatsApp com RUI", [ANA, RUI], None),
        ("Conversa do WhatsApp com Familia", [ANA, RUI], "Familia"), ("Chat de WhatsApp con Familia", [ANA], None),
        ("WhatsApp Chat with Turma (2)", [ANA, RUI, BIA], "Turma"), ("WhatsApp Chat with 🏖️", [ANA, RUI], None),
        ("WhatsApp Chat with +55 81 9876-5432", [ANA, RUI], None), ("a", [ANA, RUI], None),
        ("a", [AT + "Ana criou o grupo “Família”", ANA], "Família"), ("a", SPANISH.splitlines(), "Família"),
    ]
)  # fmt: skip
def test_a_group_is_told_from_a_chat_of_two(name: str, lines: list[str], group: str | None) -> None:
    said = [one for one in found_in(whatsapp(*lines), f"{name}.txt")[1] if isinstance(one, Said)]
    assert {one.group for one in said} == {group}


def test_an_iphone_names_a_group_in_its_first_line() -> None:
    iphone = [one for one in found_in(IPHONE_GROUP, "WhatsApp Chat - Vinyl.txt")[1] if isinstance(one, Said)]
    assert {(one.group, one.author) for one in iphone} == {("Vinyl", "Maya"), ("Vinyl", "Tom")}


@each(
    [
        ([f"{APP}You deleted this message."], ["oi"], "", ["Ana"]),
        (["You deleted this message"], ["oi"], "", []),  # as anybody can type
        ([f"{APP}Eliminaste este mensaje."], ["oi"], "", ["Ana"]),
        (["You deleted this message"], [f"{APP}You deleted this message"], "", ["Rui"]),
        ([f"{APP}Você apagou esta mensagem"], [f"{APP}You deleted this message"], "", []),
        (["oi"], ["oi"], "WhatsApp Chat with Rui.txt", ["Ana"]),  # it is called as the other one
        (["You deleted this message"], ["oi"], "Conversa do WhatsApp com Ana - Cópia.txt", ["Rui"]),
        (["oi"], ["oi"], "WhatsApp Chat with Trip.txt", []),
    ]
)  # fmt: skip
def test_who_exported_a_chat_is_told_by_its_name_or_deletes_messages_as_you(
    ana: list[str], rui: list[str], name: str, own: list[str]
) -> None:
    said = [("Ana", one) for one in ana] + [("Rui", one) for one in rui]
    for head in (f"{APP}[13/02/20, 10:00:00] {{}}: {{}}", "13/02/2020 10:00 - {}: {}"):
        with Sources(io.BytesIO(whatsapp(*(head.format(*one) for one in said)).encode()), name) as sources:
            assert list(recognised(sources.files[0]).own_names(sources.files[0])) == own  # type: ignore[union-attr]


CHAT = "_chat.txt"
OF_GROUP, OF_RUI = (
    f"[13/02/20, 10:00:00] {name}: {APP}As mensagens e as ligações são protegidas com a criptografia."
    for name in ("Família Alves", "Rui")
)
FRENCH = f"[13/02/20, 10:00:00] Família Alves: {APP}Les messages et les appels sont chiffrés."
HI, HELLO = "[13/02/20, 10:01:00] Ana: oi", "[14/02/20, 10:01:00] Rui: olá"


@each(
    [
        # a longer export in which another answers
        ([ANA], [ANA, RUI], "Conversa do WhatsApp com Rui.txt", "", "Conversa do WhatsApp com Rui (1).txt", ""),
        # under another name
        ([ANA, RUI], [ANA, RUI], "Conversa do WhatsApp com Rui.txt", "", "a.txt", ""),
        # what an iPhone exports, unpacked
        ([OF_GROUP, HI, HELLO], [OF_GROUP, HI, HELLO], CHAT, "", CHAT, "WhatsApp Chat - Famíl_ia Alves.zip"),
        ([FRENCH, HI, HELLO], [FRENCH, HI, HELLO], CHAT, "", CHAT, "WhatsApp Chat - Família Alves.zip"),
        ([OF_RUI, HI], [OF_RUI, HI, HELLO], CHAT, "", CHAT, "WhatsApp Chat - Rui.zip"),
        # and as Apple writes letters
        ([HI], [HI, HELLO.replace("Rui", "Zé")], CHAT, "WhatsApp Chat - Zé.zip", CHAT, "WhatsApp Chat - Ze\u0301.zip"),
    ]
)  # fmt: skip
def test_a_chat_is_the_same_in_every_export(
    short: list[str], long: list[str], name: str, inside: str, other: str, within: str
) -> None:
    [first], [second] = (
        {(one.talk, one.title) for one in found_in(whatsapp(*lines), name, inside=zip)[1] if isinstance(one, Said)}
        for lines, name, zip in ((short, name, inside), (long, other, within))
    )
    assert first[0] == second[0]
    assert first[1] == second[1] or other == "a.txt"


def test_two_chats_are_never_one() -> None:
    """Also when both began in one minute."""
    begun = f"{AT}As mensagens e as ligações são protegidas com a criptografia de ponta a ponta."
    talks = [one.talk for line in (ANA, RUI) for one in found_in(whatsapp(begun, line))[1] if isinstance(one, Said)]
    assert len(set(talks)) == 2


@each(
    [
        ("contrato.pdf (arquivo anexado)", ["contrato.pdf"], {"media": 1}),
        (f"{APP}IMG (1).jpg (file attached)\nA piscina", ["IMG (1).jpg"], {}),
        (f"{APP}<attached: 12-PTT-2020.opus>", ["12-PTT-2020.opus"], {}),
        (f"{APP}Plan.pdf • {APP}2 pages {APP}<attached: 13-Plan.pdf>", ["13-Plan.pdf"], {"media": 1}),
        ("STK-1.webp (file attached)", [], {"media": 1}), (f"{APP}<attached: 14-STICKER-2.webp>", [], {"media": 1}),
    ]
)  # fmt: skip
def test_a_file_that_a_message_names_belongs_to_the_chat(body: str, attached: list[str], out: dict[str, int]) -> None:
    beside = dict.fromkeys(["contrato.pdf", "IMG (1).jpg", "12-PTT-2020.opus", "13-Plan.pdf", "STK-1.webp",
                            "14-STICKER-2.webp", "other.pdf"], "")  # fmt: skip
    with Sources(io.BytesIO(zipped({"a.txt": whatsapp(f"{AT}Ana: {body}"), **beside}))) as sources:
        file = next(file for file in sources.files if file.name == "a.txt")
        found = list(recognised(file).read(file, Context(RECIFE)))  # type: ignore[union-attr]
        assert (sorted(file.all.attached), left(found)) == (attached, out)
        assert sum(isinstance(one, Said) and one.file is not None for one in found) == (not out)


THREAD = {"participants": [{"name": "Ana"}, {"name": "JoÃ£o"}, {"name": "Bia"}], "messages": [
    {"sender_name": "Bia", "timestamp_ms": 1579294140000, "content": "oi"},
    {"sender_name": "Ana", "timestamp_ms": 1579294139000, "content": "title\": \"x"},
    {"sender_name": "Ana", "timestamp_ms": 1579294138000, "content": "Liked a message"},
    {"sender_name": "Ana", "timestamp_ms": 1579294137000, "content": "Reacted â\x9d¤ to your message "},
    {"sender_name": "Ana", "timestamp_ms": 1579294136000, "content": "Reagiu com â\x9d¤ Ã\xa0 sua mensagem"}],
    "title": "FÃ©rias", "thread_path": "inbox/ferias_17", "magic_words": []}  # fmt: skip


@each(
    [
        (json.dumps(THREAD, indent=2), "message_1.json", "ferias_17", "Férias"),
        (json.dumps(THREAD), "inbox/ferias_17/message_1.json", "ferias_17", "Férias"),
        (json.dumps({**THREAD, "thread_path": "archived_threads/ferias_17"}), "", "ferias_17", "Férias"),
        (json.dumps({**THREAD, "thread_path": ""}), "a/message_1.json", "Ana, Bia, João", "Férias"),
    ]
)
def test_a_chat_of_instagram_is_the_same_alone_and_in_a_zip(content: str, name: str, talk: str, title: str) -> None:
    _, found = found_in(content, name)
    assert {(one.talk, one.title, one.group) for one in found if isinstance(one, Said)} == {(talk, title, title)}
    assert ([text for _, _, text in told(found)], left(found)) == (["oi", 'title": "x'], {"service": 3})


def test_slack_is_read_with_its_people_and_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "users.json": '[{"id": "U1", "team_id": "T", "profile": {"real_name": "Ana"}}, '
        '{"id": "U2", "team_id": "T", "profile": {"real_name": "", "display_name": "Rui"}}]',
        "channels.json": '[{"id": "C1", "name": "geral", "creator": "U1", "members": ["U1"], "created": 1}]',
        "dms.json": '[{"id": "D1", "members": ["U1", "U2"], "created": 1}]',
        "geral/2020-01-02.json": json.dumps([
            {"type": "message", "user": "U1", "text": "oi <@U2> &lt;3 <https://a.b|aqui>", "ts": "1577959200.1"},
            {"type": "message", "subtype": "channel_join", "user": "U2", "text": "joined", "ts": "1577959201.0"},
            {"type": "message", "bot_id": "B", "text": "beep", "ts": "1577959202.0"}]),
        "D1/2020-01-03.json": '[{"type": "message", "user": "U2", "text": "psiu", "ts": "1578045600.0"}]',
        "D2/2020-01-03.json": '[{"type": "message", "user": "U2", "text": "oi", "ts": "1578045600.0"}]',
        "mpdm-a--b--c-1/2020-01-03.json": '[{"type": "message", "user": "U2", "text": "só nós", "ts": "1578045600.0"}]',
    }  # fmt: skip
    users = Mock(side_effect=slack._called)
    monkeypatch.setattr(slack, "_called", users)
    with Sources(io.BytesIO(zipped(files)), "Acme Slack export Mar 1 2024 - Mar 31 2024.zip") as sources:
        formats = {file.name: recognised(file) for file in sources.files}
        assert {name: format and format.name for name, format in formats.items()} == {
            "users.json": "slack_lists", "channels.json": "slack_lists", "dms.json": "slack_lists",
            "geral/2020-01-02.json": "slack", "D1/2020-01-03.json": "slack", "D2/2020-01-03.json": "slack",
            "mpdm-a--b--c-1/2020-01-03.json": "slack",
        }  # fmt: skip
        found = [one for file in sources.files for one in formats[file.name].read(file, Context(RECIFE))]  # type: ignore[union-attr]
    said = [(one.author, one.text, one.talk, one.group, one.channel) for one in found if isinstance(one, Said)]
    apart = "mpdm-a--b--c-1"
    assert said == [
        ("Rui", "psiu", "D1", None, "D1"), ("Rui", "oi", "D2", None, "D2"),
        ("Ana", "oi @Rui <3 aqui", "Acme geral", "Acme", "geral"),
        ("Rui", "só nós", f"Acme {apart}", f"{apart} Acme", "general"),
    ]  # fmt: skip
    assert left(found) == {"service": 1, "bot": 1}
    assert users.call_count == 2  # each is read once for all days


@each(
    [
        ("mem0", '{"results": [{"id": "a", "memory": "Gosta de chá", "user_id": "ana", "categories": ["bebidas"]}]}',
         [("Gosta de chá", None, ("bebidas",))]),
        ("mem0", '[{"id": "a", "memory": "Lives in Leeds"}]', [("Lives in Leeds", None, ())]),
        ("mcp_graph", GRAPH, [("gosta de chá", "Clara", ("person",)), ("lives in Recife", "Clara", ())]),
        ("letta", '{"agents": [], "blocks": [{"label": "human", "value": "Is a nurse"}]}', [("Is a nurse", None, ())]),
    ]
)  # fmt: skip
def test_what_other_memories_knew_is_told_as_facts(name: str, content: str, facts: list[tuple[Any, ...]]) -> None:
    format, found = found_in(content)
    assert (format, [(one.text, one.subject, one.tags) for one in found if isinstance(one, Fact)]) == (name, facts)


def test_what_another_person_says_in_a_recording_that_was_forwarded_is_left_out() -> None:
    message = {"type": "message", "date": "2024-01-15T10:31:00", "from": "Ana", "text": ""}
    chat = {**TELEGRAM, "messages": [
        {**message, "id": 1, "file": "a.ogg", "forwarded_from": "Rui"},
        {**message, "id": 2, "file": "a.ogg", "forwarded_from": None, "text": "ouve"},
        {**message, "id": 3, "photo": "a.jpg", "forwarded_from": "Rui"},
        {**message, "id": 4, "file": "a.ogg"}]}  # fmt: skip
    _, found = found_in(json.dumps(chat), "result.json", beside={"a.ogg": "", "a.jpg": ""})
    said = [(one.text, one.role.value, one.file and one.file.name) for one in found if isinstance(one, Said)]
    assert said == [("[…]\n> ouve", "user", None), ("", "system", "a.jpg"), ("", "user", "a.ogg")]
    assert left(found) == {"media": 1, "attachment": 1}


MANY = 100_000  # characters


def prompted(answer: str) -> str:
    return json.dumps([{**ACTIVITY[0], "safeHtmlItem": [{"html": answer}]}])


def slacked(text: str) -> str:
    return json.dumps([{"type": "message", "user": "U1", "text": text, "ts": "1577959200.1"}])


def answered(text: str) -> str:
    return chatgpt(node("a", None, [], "assistant", text, 1_700_000_100))


def shown(pointer: str) -> str:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": pointer}, "oi"]
    return chatgpt(node("a", None, [], "user", {"content_type": "multimodal_text", "parts": parts}, 1_700_000_100))


def messaged(text: str) -> str:
    return json.dumps({**INSTAGRAM, "messages": [{"sender_name": "Ana", "timestamp_ms": 1, "content": text}]})


@each(
    [
        (slacked("<:" * (MANY // 2)), ""), (slacked("<@U1|" * (MANY // 5)), ""), (slacked("<a:b|" * (MANY // 5)), ""),
        (whatsapp(AT + "a • " * (MANY // 4)), ""), (whatsapp(AT + "criou o grupo “" * (MANY // 15)), ""),
        (whatsapp(f"{AT}Ana: <Media omitted>", "a " * (MANY // 2)), ""), (whatsapp(f"{AT}Ana: a{' ' * MANY}b)"), ""),
        (whatsapp(f"{AT}Ana: {APP}{'a ' * (MANY // 2)}(file)"), ""),
        (whatsapp(f"{AT}Ana: {'<anexado: ' * (MANY // 10)})"), ""), (whatsapp(f"{AT}Ana: oi", APP * MANY + "x"), ""),
        (whatsapp(f"{AT}Ana: oi"), f"WhatsApp Chat with{' ' * 60_000}x.txt"),
        (shown("#" * MANY + "\nx"), ""), (shown("a://" * (MANY // 4)), ""),
        (answered("\ue200" * MANY), ""), (answered(f"\ue200url\ue202{'a' * MANY}"), ""),
        (answered('\ue200entity\ue202["a", "' * (MANY // 15)), ""),
        (prompted("<li " * MANY), ""), (prompted("<" * MANY), ""), (prompted("<br" + " " * MANY), ""),
        (messaged("Reacted " * (MANY // 8)), ""),
    ]
)  # fmt: skip
def test_no_text_keeps_a_reader_busy(content: str, name: str) -> None:
    """A server reads with one lock held for all."""
    began = time.process_time()
    assert found_in(content, name)[0] is not None
    assert time.process_time() - began < 2


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["mapping", "message", "parts", "content", "author", "role", "id", "children", "parent", "chat_messages",
         "text", "type", "from", "date", "messages", "ts", "user", "sender_name", "timestamp_ms", "channel",
         "memory", "label", "value", "Contents", "ID", "Timestamp", "header", "title", "time"]), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@given(_ANY, st.sampled_from(range(len(FORMATS))))
def test_no_shape_of_json_brings_a_reader_down(value: Any, number: int) -> None:
    """Whatever an element is, a format reads it or leaves it out."""
    for content in (json.dumps([value]), json.dumps({"messages": [value], "id": value, "channel": value})):
        with Sources(io.BytesIO(content.encode())) as sources, contextlib.suppress(InvalidInputError):
            list(FORMATS[number].read(sources.files[0], Context(RECIFE)))
