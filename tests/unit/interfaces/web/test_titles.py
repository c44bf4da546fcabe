"""What a browser's tabs and history say: every page, part, filter and search has a title of its own."""

from __future__ import annotations

import re
from html import unescape

from houses import House
from loops import each
from web_pages import Reader, a_reader


async def titled(reader: Reader, path: str) -> str:
    answer = await reader.answer(path)
    found = re.search(r"<title>(.*?)</title>", answer.text, re.DOTALL)
    assert found is not None, answer.text[:500]
    return unescape(found[1]).removesuffix(" · Relembra")


@each(
    [
        ("en", "/", "Memory"),
        ("en", "/?q=tea", "tea – Search"),
        ("pt", "/?q=chá&area=health", "chá – Saúde – Busca"),
        ("en", "/?area=health&type=fact", "Health, fact – Memory"),
        ("pt", "/?area=none", "Sem área – Memória"),
        ("en", "/?view=list", "As a list – Memory"),
        ("pt", "/?tag=demo-story", "etiqueta: história de demonstração – Memória"),
        ("en", "/questions?see=decided", "Answered – Questions"),
        ("pt", "/profile?see=people", "Pessoas – Perfil"),
        ("en", "/profile?see=habits", "Habits and patterns – Profile"),
        ("en", "/history?from=2026-02-01&to=2026-02-28", "February 2026 – History"),
        ("pt", "/history?from=2026-02-02&to=2026-02-08", "2 a 8 de fevereiro de 2026 – Histórico"),
        ("en", "/history/day?on=2025-02-03", "Feb 3, 2025 – Day view"),
        ("pt", "/history/day?on=2025-02-03&area=health", "3 fev 2025 – Saúde – Visão do dia"),
        ("en", "/history/charts?span=year", "1 year – Charts"),
        ("pt", "/history?kind=weekly", "Relatórios semanais – Histórico"),
        ("en", "/settings/nights?kind=gardening", "Cleanups – Nightly review – Settings"),
        ("en", "/settings/nights/queue?state=dead", "Failed for good – Background tasks – Nightly review – Settings"),
        ("pt", "/talk/recall?q=Onde+moro%3F", "Onde moro? – Conversa"),
        ("en", "/talk/learn", "Test learning – Talk"),
        ("en", "/settings", "Display – Settings"),
        ("pt", "/settings/data", "Seus dados – Ajustes"),
        ("en", "/settings/models", "Models – Settings"),
    ]
)
async def test_each_says_what_it_shows(language: str, path: str, title: str, house: House) -> None:
    await house.memory.add("Toma chá verde", user="ana", area="health")
    async with a_reader(house, language=language) as reader:
        assert await titled(reader, path) == title


async def test_a_long_search_is_cut_and_a_hostile_one_is_text(house: House) -> None:
    await house.memory.add("Toma chá verde", user="ana")
    async with a_reader(house) as reader:
        answer = await reader.answer("/", q="</title><script>" + "tea " * 50)
        assert "</title><script>" not in answer.text
        assert len(await titled(reader, "/?q=" + "tea+" * 50)) < 120
