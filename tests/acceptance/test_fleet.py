"""A small fleet on one PostgreSQL, as real processes: killed at random, told to end, and given work nobody can do."""

from __future__ import annotations

from pathlib import Path

import httpx
from bench.fleet import Load, claims_expired, is_done, running, tried, until

from postgres import Server
from postgres import running as on_server
from seeds import a_seed

PATIENCE = 60.0


def test_nothing_is_lost_or_done_twice_when_processes_and_the_database_are_killed(tmp_path: Path) -> None:
    load, seed = Load(people=2, messages=200, clients=2), a_seed()
    with on_server() as server:
        came = tried(server, server.new_database("fleet"), tmp_path, load, servers=2, workers=2, kills=3, seed=seed)
    assert came.said.troubles == []
    assert (came.kills["server"], came.kills["worker"], came.kills["database"]) == (1, 1, 1)
    assert set(came.statuses) == {0}
    held = dict(came.figures)
    said = held.pop("messages")
    assert said >= len(came.said.acknowledged) > 0
    assert held.pop("items") == held.pop("made in the trail") >= said
    held.pop("messages with two items")  # the night may find a second thing in one
    assert held.pop("nights") > 0
    assert {name: number for name, number in held.items() if number} == {}


def test_who_is_told_to_end_hands_back_and_what_nobody_can_do_is_shown(postgres_server: Server, tmp_path: Path) -> None:
    address = postgres_server.new_database("fleet_ending")
    with (
        running(address, tmp_path, servers=1, workers=0) as fleet,
        running(address, tmp_path / "..", servers=0, workers=2) as workers,
        postgres_server.admin("fleet_ending") as admin,
        httpx.Client(base_url=fleet.urls()[0], timeout=PATIENCE) as client,
    ):
        for number in range(60):
            body = {"user": f"p{number % 6}", "said": f"Eu gosto de bolo {number}.", "external_id": str(number)}
            assert client.post("/v1/messages", json=body).status_code == 201
        assert [worker.stop() for worker in workers.workers] == [0, 0]
        assert admin.execute("SELECT count(*) FROM relembra.job WHERE state = 'running'").fetchall() == [(0,)]
        assert claims_expired(admin) == 0
        admin.execute(
            "INSERT INTO relembra.job (id, tenant, owner, kind, payload, due_at, created_at, state, attempts) VALUES"
            " (%s, 'default', 'p0', 'learn', '{}', 0, 0, 'waiting', 1000)",
            [bytes.fromhex("01900000000070008000") + bytes(6)],
        )
        workers.start(workers.workers)
        until(lambda: is_done(admin, ()), "work is left")
        dead = client.get("/v1/jobs", params={"state": "dead"}).json()["items"]
        assert [(job["kind"], job["state"]) for job in dead] == [("learn", "dead")]
        assert "ended 50 times" in dead[0]["error"]
        assert 'relembra_jobs{state="dead"} 1' in client.get("/metrics").text
        assert admin.execute("SELECT count(*) FROM relembra.item").fetchall()[0][0] > 0
