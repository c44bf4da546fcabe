"""A fleet on one PostgreSQL: processes that serve and processes that work, killed at random while clients save and ask.

Clients send each message again, under the same name, until it is acknowledged. Afterwards the database is looked into:
every acknowledged message is there once, each was learnt once, and each night's work was done once. Everything listens
on this machine alone, and the number of requests and kills is bounded.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import httpx

from bench.corpus import Corpus
from bench.table import median, ms, percentile

if TYPE_CHECKING:
    import psycopg

    from postgres import Server

PATIENCE_SECONDS = 120.0
LAST_TALK = timedelta(days=2)  # so long ago that the night after it is over
AT_ONCE = ("index", "read", "learn", "summarise")  # what waits only after it failed
NIGHT_WORK = ("consolidate", "cluster", "garden", "insight")
SERVE = ("serve", "--no-worker", "--port", "0", "--json")
WORK = ("worker", "--json")


# ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Program:
    """A process of the fleet, started again when it was killed."""

    def __init__(self, address: str, folder: Path, words: tuple[str, ...], name: str) -> None:
        self._address, self._folder, self._words = address, folder, words
        self._log = folder / f"{name}.log"
        self.url = ""
        self.process: subprocess.Popen[str] | None = None
        self._is_ready = False

    def launch(self) -> None:
        self._is_ready = False
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELEMBRA_", "XDG_"))}
        env = kept | {
            "HOME": str(self._folder),
            "RELEMBRA_DB": self._address,
            "RELEMBRA_RATE_LIMIT": "0",
        }
        log: IO[str]
        with self._log.open("a") as log:
            command = [sys.executable, "-m", "relembra", *self._words]
            self.process = subprocess.Popen(
                command, cwd=self._folder, env=env, stdout=subprocess.PIPE, stderr=log, text=True
            )

    def ready(self) -> None:
        """Until it says that it is at work."""
        if self._is_ready:
            return
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self._log.read_text()[-2_000:]
        self._is_ready = True
        self.url = json.loads(line).get("url", "")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        if self.process is not None:
            self.ready()
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        process.send_signal(how)
        status = process.wait(PATIENCE_SECONDS)
        if process.stdout is not None:
            process.stdout.close()
        return status


class Fleet:
    """So many processes that serve and that work, on one database."""

    def __init__(self, address: str, folder: Path, *, servers: int, workers: int) -> None:
        self.servers = [Program(address, folder, SERVE, f"server-{number}") for number in range(servers)]
        self.workers = [Program(address, folder, WORK, f"worker-{number}") for number in range(workers)]

    def start(self, programs: list[Program] | None = None) -> None:
        """All at once; the first of them makes the tables."""
        programs = [*self.servers, *self.workers] if programs is None else programs
        for program in programs:
            program.launch()
        for program in programs:
            program.ready()

    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    def kill_all(self) -> None:
        for program in (*self.servers, *self.workers):
            program.kill()


@contextmanager
def running(address: str, folder: Path, *, servers: int, workers: int) -> Iterator[Fleet]:
    fleet = Fleet(address, folder, servers=servers, workers=workers)
    try:
        fleet.start()
        yield fleet
    finally:
        fleet.kill_all()


# ── clients ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Said:
    """What clients sent, and what came of it."""

    acknowledged: Counter[tuple[str, str]] = field(default_factory=Counter)
    again: int = 0  # sends after one without an answer, or with a refusal
    asked: int = 0
    took: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Load:
    """People who each say so many things, one after another, through so many clients at once."""

    people: int
    messages: int
    clients: int
    servers: int | None = None  # so many of the fleet's are asked; None: all
    name: str = "p"  # people's begins so


class Clients:
    """Threads that save and ask until all was acknowledged, or enough."""

    def __init__(self, fleet: Fleet, load: Load, seed: int) -> None:
        self._fleet, self._load, self._seed = fleet, load, seed
        self.said, self._lock = Said(), threading.Lock()
        self.enough = threading.Event()
        self._people: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(load.people):
            self._people.put(number)
        self._threads = [threading.Thread(target=self._talk, args=(number,)) for number in range(load.clients)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def busy(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
        assert not self.busy(), "clients that never got an answer"

    def _talk(self, seed: int) -> None:
        chance, corpus = random.Random(self._seed + seed), Corpus(seed=self._seed + seed)
        with httpx.Client(timeout=20.0) as client:
            while True:
                try:
                    person = f"{self._load.name}{self._people.get_nowait()}"
                except queue.Empty:
                    return
                for number in range(self._load.messages):
                    if self.enough.is_set():
                        return
                    self._say(client, chance, person, number, corpus.sentence(8))
                    self._ask(client, chance, person, corpus.sentence(5))

    def _url(self, chance: random.Random) -> str:
        return chance.choice(self._fleet.urls()[: self._load.servers])

    def _say(self, client: httpx.Client, chance: random.Random, user: str, number: int, words: str) -> None:
        at = datetime.now(UTC) - LAST_TALK + timedelta(minutes=number)
        body = {
            "user": user,
            "said": f"Eu gosto de {user}-{number}-{words.replace(' ', '')[:8]}.",
            "replied": "Entendi.",
            "conversation": "talk",
            "external_id": f"{user}-{number}",
            "at": at.isoformat(),
        }
        headers = {"Idempotency-Key": f"{user}-{number}"} if number % 2 else {}
        while True:
            start = time.perf_counter()
            try:
                answer = client.post(f"{self._url(chance)}/v1/messages", json=body, headers=headers)
            except httpx.HTTPError:
                self._tell(again=1)
                time.sleep(0.05)
                continue
            if answer.status_code in (200, 201):
                with self._lock:
                    self.said.acknowledged[user, str(body["external_id"])] += 1
                    self.said.took.append(time.perf_counter() - start)
                return
            if answer.status_code == 409:  # a server died with it: its claim is let go after a minute
                headers = {}
            elif answer.status_code < 500:
                self._tell(trouble=f"{answer.status_code} {answer.text[:200]}")
                return
            self._tell(again=1)
            time.sleep(0.05)

    def _ask(self, client: httpx.Client, chance: random.Random, user: str, words: str) -> None:
        with suppress(httpx.HTTPError):
            url = f"{self._url(chance)}/v1/search"
            answer = client.post(url, json={"user": user, "query": f"{words}?"})
            self._tell(asked=1)
            if answer.status_code not in (200, 503):
                self._tell(trouble=f"{answer.status_code} {answer.text[:200]}")

    def _tell(self, *, again: int = 0, asked: int = 0, trouble: str = "") -> None:
        with self._lock:
            self.said.again += again
            self.said.asked += asked
            if trouble:
                self.said.troubles.append(trouble)


# ── killing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def killed_at_random(fleet: Fleet, server: Server, clients: Clients, kills: int, seed: int) -> Counter[str]:
    """While clients are at work: a process that serves, one that works, or the database, at random moments."""
    chance, done = random.Random(seed), Counter[str]()
    for kind in itertools.islice(itertools.cycle(("server", "worker", "database")), kills):
        time.sleep(chance.uniform(0.2, 1.5))
        if not clients.busy():
            break
        if kind == "database":
            for worker in fleet.workers:
                worker.ready()  # one that finds no database ends, and whoever runs it would start it again
            server.crash()
            time.sleep(chance.uniform(0.0, 0.5))
            server.start()
        else:
            program = chance.choice(fleet.servers if kind == "server" else fleet.workers)
            program.kill()
            program.launch()
            if kind == "server":
                program.ready()
        done[kind] += 1
    return done


# ── what came of it ───────────────────────────────────────────────────────────────────────────────────────────────


def until(is_so: Any, what: str) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < give_up, what
        time.sleep(0.01)


def is_done(admin: psycopg.Connection[Any], kinds: tuple[str, ...]) -> bool:
    """Whether no work of these kinds is left; what failed while the database was gone need not wait for its time."""
    come_early(admin, (*AT_ONCE, *(kind for kind in kinds if kind == "flush")))
    wanted = "kind = ANY(%s) AND due_at <= %s AND state <> 'dead' OR state = 'running'"
    text = f"SELECT count(*) FROM relembra.job WHERE {wanted}"  # noqa: S608 (own)
    return admin.execute(text, [[*AT_ONCE, *kinds], int(time.time() * 1e6)]).fetchall() == [(0,)]


def come_early(admin: psycopg.Connection[Any], kinds: tuple[str, ...]) -> None:
    """Let work of these kinds be due, as if its time had come, and tell the workers as the program does."""
    admin.execute(
        "UPDATE relembra.job SET due_at = 0 WHERE state = 'waiting' AND kind = ANY(%s) AND due_at > 0", [list(kinds)]
    )
    admin.execute("SELECT pg_notify('relembra_work', 'bench')")


def claims_expired(admin: psycopg.Connection[Any]) -> int:
    """What processes that were killed had claimed, as if the ten minutes had gone by; how much that was."""
    return admin.execute("UPDATE relembra.job SET lease_until = 0 WHERE state = 'running'").rowcount


def found(admin: psycopg.Connection[Any], said: Said) -> dict[str, int]:
    """What should all be nothing, but for the first lines; looked up in the tables themselves."""

    def rows(text: str) -> list[tuple[Any, ...]]:
        return admin.execute(text).fetchall()

    saved = "SELECT owner, external_id, count(*) FROM relembra.message WHERE role = 'user' GROUP BY 1, 2"
    kept = Counter({(owner, name): count for owner, name, count in rows(saved)})
    notes = (
        "SELECT owner, said, count(*) FROM relembra.note,"
        " LATERAL json_array_elements_text(message_ids::json) AS one (said) WHERE kind = 'conversation' GROUP BY 1, 2"
    )
    noted = Counter({(owner, id): count for owner, id, count in rows(notes)})
    ids = "SELECT owner, encode(id, 'hex')::uuid::text FROM relembra.message WHERE role = 'user'"
    talked = {(owner, id) for owner, id in rows(ids)}
    nights = rows(
        "SELECT owner, night, status, count(*) FROM relembra.run WHERE kind = 'consolidation' GROUP BY 1, 2, 3"
    )
    made = rows("SELECT owner, target_id FROM relembra.audit WHERE before IS NULL AND target = 'item'")
    values = rows(
        "SELECT owner, said, attribute, coalesce(value, content) FROM relembra.item,"
        " LATERAL json_array_elements_text(message_ids::json) AS one (said)"
    )
    things = Counter((owner, id) for owner, id, *_ in values)
    return {
        "messages": kept.total(),
        "items": int(rows("SELECT count(*) FROM relembra.item")[0][0]),
        "nights": sum(count for *_, count in nights),
        "lost": sum(1 for one in said.acknowledged if one not in kept),
        "saved twice": sum(1 for count in kept.values() if count > 1),
        "not noted": sum(1 for one in talked if one not in noted),
        "noted twice": sum(1 for one in talked if noted[one] > 1),
        "not learnt": sum(1 for one in talked if one not in things),
        "messages with two items": sum(1 for count in things.values() if count > 1),
        "learnt twice": len(values) - len(set(values)),
        "counted twice": int(rows("SELECT count(*) FROM relembra.item WHERE observations > 1")[0][0]),
        "made in the trail": len(made),
        "made twice": len(made) - len(set(made)),
        "nights twice": sum(1 for *_, count in nights if count > 1),
        "nights not done": sum(1 for _, _, status, _ in nights if status != "completed"),
        "people without a night": len({owner for owner, _ in kept} - {owner for owner, *_ in nights}),
        "dead jobs": int(rows("SELECT count(*) FROM relembra.job WHERE state = 'dead'")[0][0]),
        "unaccounted": int(rows("SELECT count(*) FROM relembra.unaccounted WHERE what = 1")[0][0]),
    }  # fmt: skip


@dataclass
class Outcome:
    """What was done to a fleet and what came of it."""

    said: Said
    kills: Counter[str]
    held: int  # jobs the killed had claimed; all who were told to end gave theirs back
    statuses: list[int]
    figures: dict[str, int]


def tried(server: Server, address: str, folder: Path, load: Load, *, servers: int, workers: int, kills: int,
          seed: int) -> Outcome:  # fmt: skip
    """Let a fleet be killed under load, end it in order, start it anew, and look what is there."""
    chance = random.Random(seed)
    with running(address, folder, servers=servers, workers=workers) as fleet:
        clients = Clients(fleet, load, seed)
        clients.start()
        done = killed_at_random(fleet, server, clients, kills, seed)
        clients.enough.set()
        clients.join()
        statuses, held = list[int](), 0
        with server.admin(address.partition("@/")[2].partition("?")[0]) as admin:
            for due in (("flush",), NIGHT_WORK):
                come_early(admin, due)
                if due == NIGHT_WORK:
                    time.sleep(chance.uniform(0.1, 1.0))
                    fleet.workers[0].kill()
                    done["worker at night"] += 1
                statuses += [worker.stop() for worker in fleet.workers if worker.process is not None]
                held += claims_expired(admin)
                fleet.start(fleet.workers)
                until(partial(is_done, admin, due), "work is left")
            statuses += [program.stop() for program in (*fleet.workers, *fleet.servers)]
            return Outcome(clients.said, done, held, statuses, found(admin, clients.said))


def heard(server: Server, folder: Path, times: int) -> list[float]:
    """How long after the answer what was said is learnt by a worker that had nothing to do."""
    address, took = server.new_database("fleet_heard"), list[float]()
    with running(address, folder, servers=1, workers=1) as fleet, server.admin("fleet_heard") as admin:
        for number in range(times):
            body = {"user": f"p{number}", "said": f"Eu moro em Recife, no bairro {number}.", "external_id": str(number)}
            assert httpx.post(f"{fleet.urls()[0]}/v1/messages", json=body, timeout=20.0).status_code == 201
            start = time.perf_counter()
            until(lambda: is_done(admin, ()), "work is left")
            took.append(time.perf_counter() - start)
            time.sleep(0.3)
    return took


@dataclass(frozen=True)
class Rate:
    """What so many processes answered."""

    servers: int
    a_second: float
    saves: list[float]
    worked: dict[str, float]  # seconds of the processor for each request, by who took them


def worked(fleet: Fleet, server: Server) -> dict[str, float]:
    """Seconds of the processor so far: of those who serve, of the database and of the clients."""
    import psutil  # type: ignore[import-untyped]  # it has no stubs

    def seconds(pid: int, *, children: bool = False) -> float:
        times = psutil.Process(pid).cpu_times()
        own = times.user + times.system
        if children:
            own += sum(seconds(child.pid) for child in psutil.Process(pid).children(recursive=True))
        return float(own)

    serving = [program.process.pid for program in fleet.servers if program.process is not None]
    return {
        "servers": sum(map(seconds, serving)),
        "database": seconds(server.pid, children=True),
        "clients": seconds(os.getpid()),
    }


def throughput(server: Server, folder: Path, load: Load, rounds: int) -> Iterator[Rate]:
    """Saves and questions answered by 1, 2 and 4 processes in turns."""
    with running(server.new_database("fleet_rates"), folder, servers=4, workers=0) as fleet:
        for number, servers in itertools.product(range(rounds + 1), (1, 2, 4)):
            clients = Clients(fleet, replace(load, servers=servers, name=f"r{number}-{servers}-"), seed=number)
            before, start = worked(fleet, server), time.perf_counter()
            clients.start()
            clients.join()
            took, after = time.perf_counter() - start, worked(fleet, server)
            answered = clients.said.acknowledged.total() + clients.said.asked
            each = {who: (after[who] - before[who]) / answered for who in after}
            if number:  # the first round loads what is loaded when first needed
                yield Rate(servers, answered / took, clients.said.took, each)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--only", choices=("kills", "throughput"))
    asked = parser.parse_args()
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    import postgres

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(postgres.running(fsync="on", full_page_writes="on", max_connections="200"))
        load = Load(asked.people, asked.messages, asked.clients)
        if asked.only != "throughput":
            print(f"seed {asked.seed}")
            start = time.perf_counter()
            came = tried(
                server, server.new_database("fleet"), folder, load,
                servers=asked.servers, workers=asked.workers, kills=asked.kills, seed=asked.seed,
            )  # fmt: skip
            said = came.said
            print(f"acknowledged {len(said.acknowledged)} messages, sent again {said.again}, asked {said.asked}")
            print(
                f"killed {dict(came.kills)}; claims of the killed {came.held}; in {time.perf_counter() - start:.0f} s"
            )
            print(f"exit statuses {came.statuses}; troubles {said.troubles[:5]}")
            print(", ".join(f"{name} {number}" for name, number in came.figures.items()))
        if asked.only != "kills":
            took = heard(server, folder, 20)
            print(f"learnt after the answer, by an idle worker: {ms(median(took))} (p95 {ms(percentile(took, 95))})")
            rates = list(throughput(server, folder, load, asked.rounds))
            for servers in (1, 2, 4):
                mine = [rate for rate in rates if rate.servers == servers]
                saves = [took for rate in mine for took in rate.saves]
                each = ", ".join(f"{who} {ms(median([rate.worked[who] for rate in mine]))}" for who in mine[0].worked)
                print(
                    f"{servers} processes: {median([rate.a_second for rate in mine]):.0f} requests a second;"
                    f" a save {ms(median(saves))} (p95 {ms(percentile(saves, 95))}); processor a request: {each}"
                )


if __name__ == "__main__":
    main()
