"""The prompts: what a model gets to read, word by word, and how a person's own files take their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builders import NOW, a_message, a_note, minutes
from hashing import HashingEmbedder
from loops import each
from relembra.domain.candidate import Talk
from relembra.domain.message import Role
from relembra.errors import SettingsError
from relembra.minds.languages import LANGUAGES
from relembra.minds.llm import ModelNight, Prompts
from relembra.minds.llm.models import NEEDED
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from scripted import Request, all_worth, reading, scripted, structured

VERSIONS = {"digest": "2", "reread": "2", "repair": "2"}
SAID = {
    "en": ("Where are you now?", "I moved to Recife last week.", "Lives in Oslo", "Wants to move."),
    "pt": ("Onde você está agora?", "Mudei pra Recife semana passada.", "Mora em Oslo", "Quer se mudar."),
}


@each(LANGUAGES)
async def test_prompts_are_as_they_were_agreed(language: str, golden: Callable[[str, str], None]) -> None:
    asked, said, known, before = SAID[language]
    program = a_message(id="a", role=Role.ASSISTANT, author="bot", text=asked, zone="-03:00")
    person = a_message(id="b", text=said, sent_at=NOW + minutes(1), zone="-03:00")
    talk = Talk((program, person), language=language, known=(known,))
    answers = [
        structured({"title": "t", "summary": "s"}),
        structured({"sentence": "s"}),
        structured({"wrong": True}),
        structured({"answers": [{"n": 1, "contradicts": 1, "same": 0}]}),
    ]
    with scripted(*answers) as server:
        async with reading(server) as reader:
            await reader.digest(talk)
            await reader.working_summary(talk, before)
            await reader.compare([(known, said)])
        names = ("digest", "summary", "compare", "repair")
        for name, request in zip(names, server.requests, strict=True):
            golden(f"prompts/{name}.{language}.txt", as_read(request))


@each(LANGUAGES)
async def test_the_prompts_of_the_night_are_as_they_were_agreed(
    language: str, golden: Callable[[str, str], None]
) -> None:
    asked, said, known, before = SAID[language]
    program = a_message(id="a", role=Role.ASSISTANT, author="bot", text=asked, zone="-03:00")
    person = a_message(id="b", text=said, sent_at=NOW + minutes(1), zone="-03:00")
    notes = [a_note(title=before, summary=said, participants=("ana", "bia")), a_note(title=known, summary=known)]
    with scripted(structured({}), structured({}), structured({"text": said})) as server:
        night = ModelNight(
            OfflineNight(HashingEmbedder(), OfflineTokens()),
            model="openai:deep-1",
            base_url=server.url,
            worth=all_worth,
            prompts=Prompts(),
        )
        await night.reread(Talk((program, person), language=language, known=(known,)))
        await night.topics(notes, language=language, most=5)
        await night.retell([before, said], language=language, tokens=100)
        await night.close()
        for name, request in zip(("reread", "topics", "retell"), server.requests, strict=True):
            golden(f"prompts/{name}.{language}.txt", as_read(request))


def as_read(request: Request) -> str:
    return f"[system]\n{request.system}\n\n[user]\n{request.user}\n"


def own(folder: Path, name: str, text: str, language: str = "en") -> Prompts:
    path = folder / language / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Prompts(folder)


def test_a_persons_own_file_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    text = "<!-- version: 7-mine -->\r\nRead {{attributes}}.\r\n<!-- data -->\r\n{{messages}}\r\n"
    prompts = own(tmp_path, "digest", text)
    assert (prompts.get("digest", "en").version, prompts.get("digest", "pt").version) == ("7-mine", "2")
    assert prompts.get("digest", "fr") is prompts.get("digest", "en")
    assert (prompts.version("digest"), prompts.version("compare")) == ("7-mine+2", "1")
    rendered = prompts.get("digest", "en").rendered(attributes="{{messages}}", messages="{{attributes}}")
    assert (rendered.instructions, rendered.data) == ("Read {{messages}}.", "{{attributes}}")


@each([(name, language) for name in NEEDED for language in LANGUAGES])
def test_every_shipped_prompt_can_be_read(name: str, language: str) -> None:
    assert Prompts().get(name, language).version == VERSIONS.get(name, "1")


@each(
    [
        ("Read.\n<!-- data -->\n{{messages}}", "must begin with a line like"),
        ("<!-- version: 1 -->\nRead.\n<!-- data -->\nnothing", r"no room for \{\{messages\}\}"),
        ("<!-- version: 1 -->\nRead {{weather}}.\n<!-- data -->\n{{messages}}", r"\{\{weather\}\}, which nothing"),
        ("<!-- version: 1 -->\nRead {{messages}}.\n", "after a line <!-- data -->"),
        ("<!-- version: 1 -->\nRead {{messages}}.\n<!-- data -->\nhere", "after a line <!-- data -->"),
    ]
)
def test_a_file_that_cannot_work_is_refused_with_its_place(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=sentence) as caught:
        own(tmp_path, "digest", text).get("digest", "en")
    assert "digest.md" in str(caught.value)


def test_a_file_or_folder_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "digest.md").write_bytes(b"<!-- version: 1 -->\n\xff")
    with pytest.raises(SettingsError, match="cannot be read"):
        Prompts(tmp_path).get("digest", "en")
    with pytest.raises(SettingsError, match="is not there"):
        Prompts(tmp_path / "nowhere").get("digest", "en")
