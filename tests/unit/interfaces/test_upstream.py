from __future__ import annotations

import pytest

from loops import each
from relembra.errors import NotFoundError, SettingsError, UpstreamError
from relembra.interfaces.upstream import Upstream, Upstreams
from relembra.settings import Locality, Settings, UpstreamSettings, is_local
from upstreams import answers, fails, hangs_up, says, stays_silent, upstream

TALK = [{"role": "user", "content": "hi"}]


@each([
    ("auto", "http://127.0.0.1:11434/v1", True), ("auto", "http://localhost/v1", True),
    ("auto", "http://[::1]:80/v1", True), ("auto", "http://models.localhost/v1", True),
    ("auto", "https://api.openai.com/v1", False), ("auto", "http://127.0.0.1.example.org/v1", False),
    ("auto", "http://localhost.example.org/v1", False), ("auto", "http://192.168.1.9/v1", False),
    ("auto", "", False), ("yes", "https://models.example.org/v1", True), ("no", "http://127.0.0.1/v1", False),
])  # fmt: skip
def test_which_address_is_this_machine_s(choice: Locality, url: str, expected: bool) -> None:
    assert is_local(choice, url) is expected


def test_the_servers_that_are_set() -> None:
    more = {"home": UpstreamSettings(url="http://127.0.0.1:1/v1", model="llama3")}
    settings = Settings(upstream="https://api.example.org/v1/", upstream_model="big", upstreams=more)
    upstreams = Upstreams.of(settings)
    main, model = upstreams.chosen(None)
    assert (main.name, main.local, model, main.at("models")) == (
        "default",
        False,
        "big",
        "https://api.example.org/v1/models",
    )
    assert upstreams.chosen("other/big") == (main, "other/big")
    home, model = upstreams.chosen("home/qwen")
    assert (home.name, home.local, model) == ("home", True, "qwen")
    assert upstreams.chosen("home/")[1] == "llama3"
    assert not Upstreams.of(Settings())


def test_the_only_server_needs_no_name_and_no_secret_is_shown() -> None:
    upstreams = Upstreams([Upstream(name="home", url="http://127.0.0.1/v1", model="llama3")])
    assert upstreams.chosen(None)[1] == "llama3"
    with pytest.raises(NotFoundError):
        Upstreams().chosen("m")
    with pytest.raises(SettingsError, match="http"):
        Upstream(name="x", url="api.example.org")
    assert "hidden" not in repr(Upstream(name="x", url="http://u:hidden@h/v1", api_key="sk-hidden"))


async def test_a_reply_to_a_chat() -> None:
    async with upstream(says("Hello.")) as server:
        upstreams = Upstreams([Upstream(name="default", url=server.url, api_key="sk", model="m")])
        assert await upstreams.complete(TALK) == "Hello."
        [asked] = server.asked
        assert asked.body == {"model": "m", "messages": TALK}
        assert asked.headers["authorization"] == "Bearer sk"
        await upstreams.close()
        await upstreams.close()
        with pytest.raises(UpstreamError, match="closed"):
            await upstreams.complete(TALK)


@each([
    (fails(401), 401, "API key"), (fails(429, Retry_After="9"), 429, "later"), (fails(500), 500, "logged"),
    (answers(200, b'{"choices": [{"mess'), 502, "no JSON"),
    (answers(200, b'{"choices": []}'), 502, "no chat completion"), (says(""), 502, "empty"),
    (hangs_up, 502, "broke off"), (stays_silent, 504, "in time"),
])  # fmt: skip
async def test_a_server_that_gives_no_reply(step: object, status: int, said: str) -> None:
    async with upstream(step) as server:  # type: ignore[arg-type]  # steps of two shapes
        upstreams = Upstreams([Upstream(name="default", url=server.url)], silence_seconds=0.2)
        with pytest.raises(UpstreamError, match=said) as told:
            await upstreams.complete(TALK)
        assert told.value.status == status
        assert told.value.retry_after == ("9" if status == 429 else None)
        await upstreams.close()
