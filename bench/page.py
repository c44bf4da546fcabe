"""The memory page of somebody with ten thousand items: its time beside the API calls it needs, its weight, its calm;
and the pages that tell of all of them, beside those calls and beside themselves right after something was learnt.

The server is a process of its own, as `relembra serve` starts it. Weight and layout shift are a real browser's:
chromium, driven by Playwright; where there is none, those rows say so.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.night import texts
from bench.table import Row, median, ms

ITEMS = 10_000
QUICK_ITEMS = 1_000
AT_ONCE = 500
ROUNDS = 40
WARM = 5
USER = "ana"
AREAS = ("health", "finance", "relationships", "career", "growth", "leisure", "spirituality", "mental_health", None)
TYPES = ("fact", "preference", "memory", "goal", "emotion")
NEEDED = (f"/v1/knowledge?user={USER}&limit=50", f"/v1/count?user={USER}")
MOST_RATIO = 3.0
MOST_KILOBYTES = 300.0
PORTRAYING = ("/profile", "/profile?see=bio", "/profile?see=people", "/profile?see=ways")
"""Pages made of everything known, which are made anew once something is learnt."""
LOOKING = ("/time", "/time/pictures", "/time/graph", "/time/day", "/notes", "/nights")
VISITS = 10
CHANGES = 5
MOST_AGAIN = 0.5
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


@dataclass(frozen=True)
class Seen:
    """What a browser saw of a first visit."""

    kilobytes: float
    shift: float  # while loading, after typing a search, and after showing more, together


@contextmanager
def _server(folder: Path) -> Iterator[int]:
    command = [sys.executable, "-m", "relembra", "serve", "--db", str(folder / "m.db"), "--port", "0", "--json"]
    env = os.environ | {"USER": USER, "RELEMBRA_USER": USER}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=env)
    try:
        assert server.stdout is not None
        yield int(json.loads(server.stdout.readline())["port"])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def _drafts(count: int) -> list[dict[str, Any]]:
    said = [text for text in texts() if 20 <= len(text) <= 200]
    return [
        {
            "content": f"{said[number % len(said)]} ({number})",
            "area": AREAS[number % len(AREAS)],
            "type": TYPES[number % len(TYPES)],
        }
        for number in range(count)
    ]


def _filled(port: int, count: int) -> None:
    connection, drafts = http.client.HTTPConnection("127.0.0.1", port), _drafts(count)
    for start in range(0, count, AT_ONCE):
        body = json.dumps({"user": USER, "drafts": drafts[start : start + AT_ONCE]})
        connection.request("POST", "/v1/knowledge/many", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise RuntimeError(said.decode())
    connection.close()


class _Visitor:
    """One connection to the server, and what its answers take."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)

    def got(self, *paths: str) -> float:
        """Seconds until all these were answered, one after another."""
        began = time.perf_counter()
        for path in paths:
            self._connection.request("GET", path, headers={"Cookie": f"relembra_looks=user={USER}"})
            answer = self._connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{path}: {answer.status}")
        return time.perf_counter() - began

    def learn(self, content: str) -> None:
        body = json.dumps({"user": USER, "content": content})
        self._connection.request("POST", "/v1/knowledge", body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise RuntimeError(said.decode())


def _times(visitor: _Visitor, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of the page, and of the calls it needs, taken in turns so that both meet the same machine."""
    for _ in range(WARM):
        visitor.got("/", *NEEDED)
    pairs = [(visitor.got("/"), visitor.got(*NEEDED)) for _ in range(rounds)]
    return [page for page, _ in pairs], [calls for _, calls in pairs]


def _others(visitor: _Visitor, what: str) -> Iterator[Row]:
    """The other pages, seen again beside the first page's calls; and those that change with all that is learnt."""
    for path in (*PORTRAYING, *LOOKING):
        visitor.got(path)
        pairs = [(visitor.got(path), visitor.got(*NEEDED)) for _ in range(VISITS)]
        again, calls = median(page for page, _ in pairs), median(calls for _, calls in pairs)
        goal = MOST_RATIO if path in PORTRAYING else None
        yield Row(f"{path} {what}, seen again / the first page's API calls", ms(again), ms(calls), again / calls, goal)
    for path in PORTRAYING:
        fresh, kept = [], []
        for number in range(CHANGES):
            visitor.learn(f"{path} was looked at before this ({number})")
            fresh.append(visitor.got(path))
            kept.append(visitor.got(path))
        made, again = median(fresh), median(kept)
        yield Row(
            f"{path} {what}, seen again / once something is learnt", ms(again), ms(made), again / made, MOST_AGAIN
        )


def _seen(port: int) -> Seen | None:
    """A first visit in a browser with nothing cached; None where there is no browser."""
    path = os.environ.get("RELEMBRA_TEST_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if path is None:
        return None
    sent: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 860}, locale="pt-BR")
        page.add_init_script(SHIFTS)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
        page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
        kilobytes = sum(sent) / 1e3
        page.locator("#q").press_sequentially("trabalho", delay=30)
        page.wait_for_load_state("networkidle")
        shift = page.evaluate("window.shifted")
        page.goto(f"http://127.0.0.1:{port}/?view=list", wait_until="networkidle")
        shown = page.locator("#results .card.item").count()
        page.locator("#more a").click()
        page.locator("#results .card.item").nth(shown).wait_for()
        shift += page.evaluate("window.shifted")
        browser.close()
    return Seen(kilobytes, shift)


def rows(*, quick: bool = False) -> list[Row]:
    count = QUICK_ITEMS if quick else ITEMS
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as port:
        _filled(port, count)
        visitor, what = _Visitor(port), f"of {count:,} items"
        page, calls = (median(times) for times in _times(visitor, ROUNDS))
        others = list(_others(visitor, what))
        seen = _seen(port)
    return [
        Row(f"first page {what} / the API calls it needs", ms(page), ms(calls), page / calls, MOST_RATIO),
        Row(
            f"first visit {what}, sent, kB",
            "no browser" if seen is None else f"{seen.kilobytes:.0f} kB",
            "",
            None if seen is None else seen.kilobytes,
            MOST_KILOBYTES,
        ),
        Row(
            f"layout shift {what}: loading, typing, showing more",
            "no browser" if seen is None else f"{seen.shift:.4f}",
            "",
            None if seen is None else round(seen.shift, 3),
            0,
        ),
        *others,
    ]


if __name__ == "__main__":
    import argparse

    from bench.table import printed

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    printed(rows(quick=parser.parse_args().quick), as_json=False)
