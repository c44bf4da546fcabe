from __future__ import annotations

import pytest

from relembra.errors import NotFoundError, SettingsError
from relembra.interfaces.upstream import Upstream, Upstreams
from relembra.settings import Settings, UpstreamSettings


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
