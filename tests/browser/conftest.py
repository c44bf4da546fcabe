"""A real browser on a real server: Debian's chromium, driven by Playwright, on memories of people of its own.

Without a browser these tests are skipped on somebody's own machine, and fail where `CI` is set.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import count
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from acceptance.served import Running
from browser.browsing import (
    DESK,
    LOCALES,
    PATIENCE_MS,
    STAND_IN,
    ZONE,
    Person,
    Visitor,
    Watched,
    a_server,
    brought,
    lived_by,
)
from relembra.interfaces import stories as playing
from relembra.interfaces.stories import story_in
from relembra.interfaces.web.visits import LOOKS
from relembra.locale import Words

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def executable() -> str:
    found = os.environ.get("RELEMBRA_TEST_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium here, and these tests must run: sh requirements/system.sh")
        pytest.skip("no chromium here; on Debian: apt-get install chromium")
    return found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one file: Playwright's loop may not run while other tests have theirs."""
    path = executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Visitor]:
    """Somebody who opens a server's pages; at the end nothing may have gone wrong in the browser."""
    opened: list[tuple[BrowserContext, Watched]] = []

    def visit(
        url: str, *, language: str = "pt", user: str = "", allowed: tuple[str, ...] = (), **options: Any
    ) -> Watched:
        options.setdefault("viewport", DESK)
        context = chromium.new_context(locale=LOCALES[language], timezone_id=ZONE, **options)
        context.set_default_timeout(PATIENCE_MS)
        if user:
            context.add_cookies([{"name": LOOKS, "value": urlencode({"user": user}), "url": url, "httpOnly": True}])
        has_script = bool(options.get("java_script_enabled", True))
        watched = Watched(context.new_page(), url, Words(language, "web", "names"), has_script, allowed=allowed)
        watched.page.on("pageerror", lambda error: watched.troubles.append(f"script: {error}"))
        watched.page.on("console", lambda said: watched.troubles.append(said.text))
        watched.page.on(
            "request",
            lambda sent: watched.troubles.append(f"elsewhere: {sent.url}") if not sent.url.startswith(url) else None,
        )
        opened.append((context, watched))
        return watched

    yield visit
    for context, watched in opened:
        context.close()
        assert [said for said in watched.troubles if not any(part in said for part in watched.allowed)] == []


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The server that tests share; each has people of its own there."""
    with a_server(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The demo story as it was lived until yesterday, as an export; lived once for all workers."""
    mine = tmp_path_factory.getbasetemp()
    path = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "story.json"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            now = datetime.now(ZoneInfo(ZONE))
            with ThreadPoolExecutor(1) as thread:  # where no loop runs
                path.write_bytes(thread.submit(playing.live, story_in("pt"), user=STAND_IN, now=now).result())
    return path.read_bytes()


_numbers = count(1)


@pytest.fixture
def person(house: Running, story: bytes) -> Person:
    """Somebody new on the shared server, who lived through the story."""

    def new() -> str:
        name = f"ana-{next(_numbers)}"
        brought(house.url, name, lived_by(name, story))
        return name

    return new


@pytest.fixture(scope="session")
def reader(house: Running, story: bytes) -> str:
    """Somebody who lived through the story, and whose memory tests only look at."""
    brought(house.url, "reader", lived_by("reader", story))
    return "reader"
