"""What a browser's tabs and history say: every page, part, filter and search has a title of its own."""

from __future__ import annotations

import re
from html import unescape

import pytest

from houses import House
from web_pages import Reader, a_reader


async def titled(reader: Reader, path: str) -> str:
    answer = await reader.answer(path)
    found = re.search(r"<title>(.*?)</title>", answer.text, re.DOTALL)
    assert found is not None, answer.text[:500]
    return unescape(found[1]).removesuffix(" · Relembra")


@pytest.mark.parametrize(
    ("language", "path", "title"),
    [
        ("en", "/", "Memory"),
        ("en", "/?q=tea", "tea – Search"),
        ("pt", "/?q=chá&area=health", "chá – Saúde – Busca"),
        ("en", "/?area=health&type=fact", "Health, fact – Memory"),
        ("pt", "/?area=none", "Sem área – Memória"),
        ("en", "/?view=list", "As a list – Memory"),
        ("pt", "/?tag=demo-story", "etiqueta: história de demonstração – Memória"),
        ("en", "/questions?see=decided", "Decided – Questions"),
        ("pt", "/profile?see=people", "Pessoas – Perfil"),
        ("en", "/profile?see=ways", "Your ways – Profile"),
        ("en", "/time?from=2026-02-01&to=2026-02-28", "February 2026 – Time"),
        ("pt", "/time?from=2026-02-02&to=2026-02-08", "2 a 8 de fevereiro de 2026 – Tempo"),
        ("en", "/time/day?on=2025-02-03", "Feb 3, 2025 – One day"),
        ("pt", "/time/day?on=2025-02-03&area=health", "3 fev 2025 – Saúde – Um dia"),
        ("en", "/time/pictures?span=year", "1 year – Pictures"),
        ("pt", "/notes?kind=weekly", "Semanas – Notas"),
        ("en", "/nights?kind=gardening", "Garden – Nights"),
        ("en", "/nights/jobs?state=dead", "Given up – Queue"),
        ("pt", "/try?q=Onde+moro%3F", "Onde moro? – Experimentar"),
        ("en", "/try?tab=learn", "What it would learn – Try it"),
        ("en", "/settings", "Reading – Settings"),
        ("pt", "/settings/data", "Seus dados – Ajustes"),
        ("en", "/settings/models", "Models – Settings"),
    ],
)
async def test_each_says_what_it_shows(house: House, language: str, path: str, title: str) -> None:
    await house.memory.add("Toma chá verde", user="ana", area="health")
    async with a_reader(house, language=language) as reader:
        assert await titled(reader, path) == title


async def test_a_long_search_is_cut_and_a_hostile_one_is_text(house: House) -> None:
    await house.memory.add("Toma chá verde", user="ana")
    async with a_reader(house) as reader:
        answer = await reader.answer("/", q="</title><script>" + "tea " * 50)
        assert "</title><script>" not in answer.text
        assert len(await titled(reader, "/?q=" + "tea+" * 50)) < 120
