"""`relembra serve` as a process: where it listens, what it says, whom it refuses, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from acceptance.running import RELEMBRA, Cli
from acceptance.served import line_of, started

WITHIN_SECONDS = 60


def serving(folder: Path, *words: str, **env: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return started(folder, *RELEMBRA, "serve", "--db", "m.db", *words, **env)


WEB = httpx.Client(timeout=WITHIN_SECONDS)


@pytest.fixture(scope="session", autouse=True)
def hung_up() -> Iterator[None]:
    yield
    WEB.close()


def where(running: subprocess.Popen[str]) -> dict[str, Any]:
    """What it says once it listens, with --json."""
    told: dict[str, Any] = json.loads(line_of(running))
    return told


def ended(running: subprocess.Popen[str], how: signal.Signals) -> tuple[int, str, str]:
    running.send_signal(how)
    out, err = running.communicate(timeout=WITHIN_SECONDS)
    return running.returncode, out, err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_listens_answers_and_ends_in_order(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path, "--port", "0", "--json") as running:
        told = where(running)
        assert told["keys_needed"] is False
        assert WEB.get(f"{told['url']}/healthz").json()["status"] == "ok"
        assert WEB.get(f"{told['url']}/readyz").json() == {"status": "ok", "missing": []}
        saved = WEB.post(f"{told['url']}/v1/messages", json={"user": "ana", "said": "Moro em Recife."})
        assert saved.status_code in (200, 201)
        code, _, err = ended(running, how)
        assert (code, err) == (0, "")
    with serving(tmp_path, "--port", "0", "--json") as again:
        listed = WEB.get(f"{where(again)['url']}/v1/messages", params={"user": "ana"}).json()
        assert [message["text"] for message in listed["items"]] == ["Moro em Recife."]


def test_the_first_key_is_told_once_and_opens_every_door(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--json") as running:
        key = where(running)["first_key"]
        ended(running, signal.SIGTERM)
    with serving(tmp_path, "--port", "0", "--json", RELEMBRA_KEYS="always") as running:
        told = where(running)
        assert told["first_key"] is None
        assert told["keys_needed"] is True
        url = f"{told['url']}/v1/knowledge?user=ana"
        assert WEB.get(url).status_code == 401
        assert WEB.get(url, headers={"Authorization": f"Bearer {key}"}).status_code == 200


@pytest.mark.parametrize(("language", "sentence"), [("en", "There is no key yet."), ("pt", "Ainda não há chave.")])
def test_where_no_terminal_would_show_it_no_key_is_made(
    tmp_path: Path, process: Cli, language: str, sentence: str
) -> None:
    with serving(tmp_path, "--port", "0", "--lang", language) as running:
        told = ""
        while "Ctrl-C" not in told:  # its last line
            told += line_of(running)
        _, rest, _ = ended(running, signal.SIGTERM)
    assert "rlb_" not in told + rest
    assert f"{sentence} " in told
    assert "relembra keys create" in told
    assert process("keys", "--db", "m.db", "--json").data["items"] == []


@pytest.fixture
def taken() -> Iterator[int]:
    """A port another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Port {port} is taken"), ("pt", "A porta {port} está ocupada")]
)
def test_where_its_port_is_taken_it_uses_another_and_says_so(
    tmp_path: Path, taken: int, language: str, sentence: str
) -> None:
    with serving(tmp_path, "--lang", language, RELEMBRA_PORT=str(taken)) as running:
        lines = [line_of(running), line_of(running)]
        assert lines[0].startswith(sentence.format(port=taken))
        url = re.search(r"http://127\.0\.0\.1:(\d+)", lines[1])
        assert url is not None
        assert int(url[1]) != taken
        assert WEB.get(f"{url[0]}/healthz").status_code == 200


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(process: Cli, taken: int) -> None:
    ran = process("serve", "--db", "m.db", "--port", str(taken))
    assert ran.code == 2
    assert "taken by another program" in ran.err


def test_nobody_elsewhere_is_let_in_without_a_key(process: Cli) -> None:
    ran = process("serve", "--db", "m.db", "--host", "0.0.0.0", "--port", "0")
    assert ran.code == 2
    assert "relembra keys create" in ran.err
    pt = process("serve", "--db", "m.db", "--host", "0.0.0.0", "--port", "0", "--lang", "pt")
    assert "ainda não há chave" in pt.err


def test_with_a_key_others_may_come_and_need_it(process: Cli, tmp_path: Path) -> None:
    made = process("keys", "create", "--name", "laptop", "--scope", "write", "--db", "m.db", "--json").data
    with serving(tmp_path, "--host", "0.0.0.0", "--port", "0", "--json") as running:
        told = where(running)
        assert told["keys_needed"] is True
        assert told["first_key"] is None
        url = f"http://127.0.0.1:{told['port']}/v1/knowledge?user=ana"
        assert WEB.get(url).status_code == 401
        assert WEB.get(url, headers={"Authorization": f"Bearer {made['secret']}"}).status_code == 200


@pytest.mark.parametrize("words", [("--port", "70000"), ("--port", "x"), ("--host", "10.255.255.1", "--port", "0")])
def test_what_cannot_be_listened_on_is_said_plainly(process: Cli, words: tuple[str, ...]) -> None:
    ran = process("serve", "--db", "m.db", *words)
    assert ran.code == 2
    assert "unexpected" not in ran.err


def test_what_is_said_is_known_right_after_and_survives_being_killed_before_it_is_read(tmp_path: Path) -> None:
    def known(url: str) -> list[str]:
        """What is known once anything is; nobody asked for it to be learnt."""
        until = time.monotonic() + WITHIN_SECONDS
        while time.monotonic() < until:
            found = WEB.get(f"{url}/v1/knowledge", params={"user": "ana"}).json()["items"]
            if found:
                return [item["value"] for item in found]
            time.sleep(0.1)
        return []

    with serving(tmp_path, "--port", "0", "--json") as running:
        url = where(running)["url"]
        WEB.post(f"{url}/v1/messages", json={"user": "ana", "said": "Moro em Recife."})
        running.kill()  # whether it was read or not
        running.communicate(timeout=WITHIN_SECONDS)
    with serving(tmp_path, "--port", "0", "--json") as again:
        assert known(where(again)["url"]) == ["Recife"]
        ended(again, signal.SIGTERM)
