"""Takes the pictures of the memory page in docs/pictures, of the demo story, in a real browser.

By hand: python docs/make_screenshots.py [name …]. It needs chromium, as the tests of the pages do.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from relembra import Memory
from relembra.domain.jobs import Tally
from relembra.interfaces import stories as playing
from relembra.settings import Settings

FOLDER = Path(__file__).parent / "pictures"
DESK, PHONE = (1280, 860), (390, 844)
PEOPLE = {"en": "maya", "pt": "ana"}
"""Who lives through the story in each language."""
NOBODY = "clara"
LOCALES = {"en": "en-US", "pt": "pt-BR"}
ZONE = "America/Recife"
MOST_COLOURS = 256
MOST_EXACT = 120
LARGEST = 120_000
AS_USUAL = """url => document.querySelectorAll(".code").forEach(field => {
    field.value = field.value.replace(url, "http://127.0.0.1:8484").replace(/"--db", "[^"]*", /, "")
        .replace(/"command": "[^"]*"/, '"command": "/home/clara/relembra/.venv/bin/relembra"');
}) || document.querySelectorAll(".path").forEach(text => {
    text.textContent = text.textContent.replace(/\\/\\S*relembra\\.toml/, "~/.config/relembra/relembra.toml");
})"""
"""What is to be copied, with the address and paths of an installation as it usually is."""
PIXELS = """async source => {
    const image = await createImageBitmap(await (await fetch(source)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const {data} = canvas.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return btoa(text);
}"""


@dataclass(frozen=True)
class Picture:
    """One picture: which page, and how it is looked at."""

    name: str
    path: str  # {item}, {night} and the like stand for ids
    language: str
    scheme: Literal["light", "dark"]
    size: tuple[int, int] = DESK
    to: str = ""  # what is scrolled to the top
    is_new: bool = False  # of somebody of whom nothing is known


PICTURES = (
    Picture("page-memory-light", "/", "en", "light"),
    Picture("page-memory-phone", "/", "pt", "dark", PHONE),
    Picture("page-item-dark", "/item/{moved}", "pt", "dark"),
    Picture("page-questions-light", "/questions", "en", "light"),
    Picture("page-profile-phone", "/profile", "pt", "light", PHONE),
    Picture("page-night-light", "/settings/nights/{night}", "en", "light"),
    Picture("page-try-dark", "/talk/recall?q={question}", "en", "dark", to="#told"),
    Picture("page-settings-phone", "/settings", "pt", "dark", PHONE),
    Picture("page-welcome-phone", "/", "en", "dark", PHONE, is_new=True),
    Picture("page-connect-light", "/", "en", "light", to="#connect", is_new=True),
)


async def lived(db: Path) -> dict[str, dict[str, str]]:
    """The story in both languages, each lived by somebody; the ids the pictures are of."""
    ids = {}
    settings = Settings(db=str(db))
    async with Memory.open(db, settings=settings, background=False) as memory:
        for language, user in PEOPLE.items():
            await playing.bring(
                memory,
                language=language,
                now=datetime.now(ZoneInfo(ZONE)),
                settings=settings,
                progress=lambda *_: None,
                whose={"user": user, "tenant": "default"},
            )
            ids[language] = await _found(memory, user)
    return ids


async def _found(memory: Memory, user: str) -> dict[str, str]:
    items = await memory.list(user=user, history=True, limit=100)
    replaced = [item for item in items if item.attribute == "residence" and item.superseded_at is None]
    runs = await memory.consolidations(user=user, limit=100)
    nights = [run for run in runs if run.kind == "consolidation"]
    richest = max(nights, key=lambda run: (_kinds(run.tally), len(run.changes)))
    question = "What can I cook tonight?" if user == PEOPLE["en"] else "O que posso cozinhar hoje à noite?"
    return {
        "moved": replaced[0].id,
        "night": richest.id,
        "question": question.replace(" ", "+"),
    }


def _kinds(tally: Tally) -> int:
    """How many kinds of change a night made."""
    return sum(number > 0 for number in (tally.created, tally.updated, tally.superseded, tally.merged))


@contextmanager
def served(db: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "relembra", "serve", "--db", str(db), "--port", "0", "--json"]
    env = os.environ | {"HOME": str(db.parent), "TZ": ZONE}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=db.parent, env=env)
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["url"]
    finally:
        server.terminate()
        server.wait()


def taken(browser: Browser, url: str, picture: Picture, ids: dict[str, str]) -> bytes:
    """One picture as a PNG of few colours."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=LOCALES[picture.language],
        timezone_id=ZONE,
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        is_mobile=picture.size == PHONE,
        has_touch=picture.size == PHONE,
    )
    user = NOBODY if picture.is_new else PEOPLE[picture.language]
    context.add_cookies([{"name": "relembra_looks", "value": f"user={user}", "url": url}])
    page = context.new_page()
    page.goto(url + picture.path.format(**ids), wait_until="networkidle")
    page.evaluate("document.activeElement?.blur()")
    page.evaluate(AS_USUAL, url)
    if picture.to:
        page.locator(picture.to).first.evaluate("part => part.scrollIntoView()")
    shot = page.screenshot()
    pixels = _pixels(browser.new_page(), shot).reshape(height, width, 4)[..., :3]
    context.close()
    return png(*reduced(pixels))


def _pixels(page: Page, shot: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The colours of a picture, read by the browser that took it."""
    text: str = page.evaluate(PIXELS, f"data:image/png;base64,{base64.b64encode(shot).decode()}")
    page.close()
    return np.frombuffer(base64.b64decode(text), np.uint8)


def reduced(pixels: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A palette of the most used colours and of what is least like them, and for each pixel the nearest of them."""
    height, width, _ = pixels.shape
    known, which, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    kept = list(np.argsort(-counts)[:MOST_EXACT])
    colours, reach = known.astype(np.int64), np.sqrt(counts)
    nearest = np.stack([((colours - colours[one]) ** 2).sum(axis=1) for one in kept]).min(axis=0)
    while len(kept) < min(MOST_COLOURS, len(known)):  # whatever is furthest from its likeness, if it is seen at all
        kept.append((nearest * reach).argmax())
        nearest = np.minimum(nearest, ((colours - colours[kept[-1]]) ** 2).sum(axis=1))
    palette = colours[kept]
    likest = np.stack([((colours - one) ** 2).sum(axis=1) for one in palette]).argmin(axis=0)
    return palette.astype(np.uint8), likest.astype(np.uint8)[which.ravel()].reshape(height, width)


def png(palette: np.ndarray[Any, Any], pixels: np.ndarray[Any, Any]) -> bytes:
    """A PNG with a palette."""
    height, width = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1).tobytes()

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"PLTE", palette.tobytes()), chunk(b"IDAT", zlib.compress(rows, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def main(names: Sequence[str]) -> None:
    path = os.environ.get("RELEMBRA_TEST_BROWSER") or shutil.which("chromium")
    with TemporaryDirectory() as folder:
        db = Path(folder) / "memory.db"
        ids = asyncio.run(lived(db))
        with served(db) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            for picture in PICTURES:
                if not names or picture.name in names:
                    made = taken(browser, url, picture, ids[picture.language])
                    assert len(made) <= LARGEST, (picture.name, len(made))
                    (FOLDER / f"{picture.name}.png").write_bytes(made)
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
