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
from acceptance.served import line_of, started, until

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


def test_it_listens_answers_ends_in_order_and_tells_its_first_key_once(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--json") as running:
        told = where(running)
        key, url = told["first_key"], told["url"]
        assert told["keys_needed"] is False
        assert WEB.get(f"{url}/healthz").json()["status"] == "ok"
        assert WEB.get(f"{url}/readyz").json() == {"status": "ok", "missing": [], "lacks": []}
        assert WEB.post(f"{url}/v1/messages", json={"user": "ana", "said": "Moro em Recife."}).status_code == 201
        code, _, err = ended(running, signal.SIGINT)
        assert (code, err) == (0, "")
    with serving(tmp_path, "--port", "0", "--json", RELEMBRA_KEYS="always") as again:
        told = where(again)
        assert (told["first_key"], told["keys_needed"]) == (None, True)
        url = f"{told['url']}/v1/messages?user=ana"
        assert WEB.get(url).status_code == 401
        listed = WEB.get(url, headers={"Authorization": f"Bearer {key}"}).json()
        assert [message["text"] for message in listed["items"]] == ["Moro em Recife."]
        code, _, err = ended(again, signal.SIGTERM)
        assert (code, err) == (0, "")


def test_a_server_may_leave_queued_work_to_a_worker(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--no-worker", "--json") as server:
        url = where(server)["url"]

        def waiting() -> int:
            listed = WEB.get(f"{url}/v1/jobs", params={"user": "ana", "state": "waiting"}).json()["items"]
            return sum(job["kind"] == "index" for job in listed)

        assert WEB.post(f"{url}/v1/messages", json={"user": "ana", "said": "Moro em Recife."}).status_code == 201
        assert waiting() == 1
        with started(tmp_path, *RELEMBRA, "worker", "--db", "m.db", "--json") as worker:
            assert where(worker) == {"working": True}
            until(lambda: waiting() == 0)
            assert WEB.post(f"{url}/v1/messages", json={"user": "ana", "said": "E amo o mar."}).status_code == 201
            until(lambda: waiting() == 0)  # it sees what another process enqueues
            code, out, err = ended(worker, signal.SIGTERM)
            assert (code, json.loads(out), err) == (0, {"stopped": True}, "")
        assert ended(server, signal.SIGTERM)[0] == 0


def test_where_its_port_is_taken_it_uses_another_and_where_nobody_would_see_it_makes_no_key(
    tmp_path: Path, process: Cli
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with serving(tmp_path, "--lang", "pt", RELEMBRA_PORT=str(taken)) as running:
            told = ""
            while "Ctrl-C" not in told:  # its last line
                told += line_of(running)
            assert told.startswith(f"A porta {taken} está ocupada")
            url = re.search(r"http://127\.0\.0\.1:(\d+)", told)
            assert url is not None
            assert int(url[1]) != taken
            assert WEB.get(f"{url[0]}/healthz").status_code == 200
            _, rest, _ = ended(running, signal.SIGTERM)
        ran = process("serve", "--db", "m.db", "--port", str(taken))  # one that was asked for
        assert (ran.code, "taken by another program" in ran.err) == (2, True)
    assert "rlb_" not in told + rest
    assert "Ainda não há chave. " in told
    assert "relembra keys create" in told
    assert process("keys", "--db", "m.db", "--json").data["items"] == []


def test_others_are_let_in_only_where_there_is_a_key_and_need_it(process: Cli, tmp_path: Path) -> None:
    ran = process("serve", "--db", "m.db", "--host", "0.0.0.0", "--port", "0")
    assert (ran.code, "relembra keys create" in ran.err) == (2, True)
    made = process("keys", "create", "--name", "laptop", "--scope", "write", "--db", "m.db", "--json").data
    with serving(tmp_path, "--host", "0.0.0.0", "--port", "0", "--json") as running:
        told = where(running)
        assert (told["keys_needed"], told["first_key"]) == (True, None)
        url = f"http://127.0.0.1:{told['port']}/v1/knowledge?user=ana"
        assert WEB.get(url).status_code == 401
        assert WEB.get(url, headers={"Authorization": f"Bearer {made['secret']}"}).status_code == 200


@pytest.mark.parametrize("words", [("--port", "70000"), ("--host", "10.255.255.1", "--port", "0")])
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
