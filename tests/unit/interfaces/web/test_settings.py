"""The settings: how somebody reads, models, keys and links, who is listened to, the installation."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from houses import House, a_house
from loops import each
from web_pages import Reader, Seen, a_reader, seen, signed_in

KEY_FORM = {"name": "phone", "right": "read", "user": "", "expires": ""}
LINK_FORM = {"what": "link", "user": "ana", "right": "read"}


HOUSE = {"is_open": True, "blocked": ["trudy"], "spaces_off": ["poker"]}


def secret_in(page: Seen) -> str:
    return next(given["value"] for tag, given in page.tags if tag == "input" and given.get("id") == "made")


async def test_an_account_is_unlinked_by_its_person_and_nobody_else(house: House, reader: Reader) -> None:
    await house.memory.link("discord", "184405311681986560", user="ana")
    await house.memory.link("telegram", "77", user="bia")
    assert "184405311681986560" in (await reader.get("/settings/accounts")).text
    assert (await reader.post("/settings/accounts", channel="telegram", id="77")).status_code == 404
    page = await reader.done("/settings/accounts", channel="discord", id="184405311681986560")
    assert "Account unlinked." in page.text
    assert "No linked accounts" in page.text
    assert [link.channel for link in await house.memory.links()] == ["telegram"]


async def test_models_are_named_with_where_they_run_and_no_key_is_shown(reader: Reader) -> None:
    page = await reader.get("/settings/models")
    for told in ("Built-in reader, no language model", "On this machine"):
        assert told in page.text
    asked: dict[str, Any] = {"llm": "openai:fast-1", "llm_deep": "openai:deep-1", "llm_api_key": "sk-llm"}
    asked |= {"upstream": "http://model.example/v1", "upstream_model": "big", "upstream_api_key": "sk-up"}
    async with a_house(is_open=True, **asked) as house, a_reader(house) as other:
        page = await other.get("/settings/models")
        for told in ("openai:fast-1", "openai:deep-1", "big", "model.example"):
            assert told in page.text
        assert "sk-" not in str(page)


@each([
    ({"name": ""}, "is missing"),
    ({"name": "x", "expires": "2001-01-01"}, "That date is in the past."),
    ({"name": "x", "expires": "tomorrow"}, "That date could not be read."),
    ({"name": "x", "right": "owner"}, "Choose read, write or admin."),
    ({"name": "x", "user": "ana", "every": "yes"}, "cannot be used"),
])  # fmt: skip
async def test_what_is_wrong_is_said_and_what_was_typed_stays(
    sent: dict[str, str], said: str, house: House, reader: Reader
) -> None:
    before = len(await house.memory.keys())
    answer = await reader.post("/settings/keys", **sent)
    page = seen(answer)
    assert answer.status_code == 422
    assert said in page.text
    typed = {given.get("name"): given.get("value") for tag, given in page.tags if tag == "input" and "value" in given}
    assert sent["name"] in (typed["name"], "")
    assert len(await house.memory.keys()) == before


@each([KEY_FORM, LINK_FORM])
async def test_a_form_pressed_twice_makes_one_and_one_that_comes_later_shows_no_secret(
    sent: dict[str, str], house: House, reader: Reader
) -> None:
    fields = sent | {"once": sent["right"] + sent.get("what", "")}
    held = len(await house.memory.keys())
    first, second = await asyncio.gather(
        reader.post("/settings/keys", **fields), reader.post("/settings/keys", **fields)
    )
    secrets = [re.findall(r"rlb_[\w-]{20,}|/enter\?pass=\S+", answer.text) for answer in (first, second)]
    assert secrets[0] == secrets[1] != []
    made = await house.memory.keys()
    assert len(made) == held + 1
    for key in house.app.state.once._sent:  # as after a minute
        house.app.state.once._hide(key)
    again = await reader.post("/settings/keys", **fields)
    assert await house.memory.keys() == made
    assert again.status_code == 422
    assert not re.findall(r"rlb_[\w-]{20,}|/enter\?pass=", again.text)


async def test_keys_of_operators_and_other_tenants_are_made_and_revoked_by_theirs_alone(
    house: House, reader: Reader
) -> None:
    made = secret_in(seen(await reader.post("/settings/keys", name="all", right="admin", every="yes")))
    key = await house.memory.key_of(made)
    assert key is not None
    assert key.tenant == "*"
    tenants = await signed_in(house, "admin", user="ana")
    assert (await tenants.post("/settings/keys", name="all", every="yes")).status_code == 403
    other = await signed_in(house, "other", user="ana")
    mine = secret_in(seen(await other.post("/settings/keys", name="mine")))
    held = await house.memory.key_of(mine)
    assert held is not None
    assert held.tenant == "other"
    assert key.prefix not in (await other.answer("/settings/keys")).text
    assert (await other.post("/settings/keys/revoke", id=key.id)).status_code == 404
    assert "Key revoked." in (await reader.done("/settings/keys/revoke", id=key.id)).text
    revoked = await house.memory.key_of(made)
    assert revoked is not None
    assert revoked.revoked_at is not None


async def test_what_cannot_be_used_is_told_in_the_readers_language(reader: Reader) -> None:
    await reader.done("/looks", language="pt", back="/settings")
    for path, sent, told in (
        ("/looks", {"zone": "zz"}, "Esse relógio não existe"),
        ("/looks", {"theme": "zz"}, "Escolha claro, escuro ou como o sistema."),
        ("/looks", {"language": "zz"}, "Esse idioma não existe aqui"),
        ("/talk", {"do": "forget", "id": "elsewhere"}, "Aqui só se apagam conversas feitas nesta página."),
    ):
        answer = await reader.post(path, **sent)
        assert answer.status_code == 422
        page = seen(answer).text
        assert told in page
        assert "em inglês" not in page


async def test_only_spaces_that_are_turned_on_are_remembered_once_the_others_are_off() -> None:
    async with a_house(is_open=True) as house, a_reader(house) as reader:
        await house.memory.switch_space("club", on=True)
        page = await reader.done("/settings/blocked", what="others_off")
        assert "Only the spaces you turn on are remembered now." in page.text
        assert await house.memory.refusal(space="new") is not None
        await reader.done("/settings/blocked", what="space_on", name="new")
        assert await house.memory.refusal(space="new") is None
        await reader.done("/settings/blocked", what="others_on")
        assert await house.memory.refusal(space="another") is None
    async with a_house(is_open=True, spaces_only=["club"]) as house, a_reader(house) as reader:
        wrong = await reader.post("/settings/blocked", what="others_on")
        assert (wrong.status_code, "in the settings file" in wrong.text) == (409, True)
        assert await house.memory.refusal(space="another") is not None
