"""The prompts: what a model gets to read, word by word, and how a person's own files take their place."""

from __future__ import annotations

from collections.abc import Callable

from builders import NOW, a_message, a_note, minutes
from hashing import HashingEmbedder
from loops import each
from relembra.domain.candidate import Talk
from relembra.domain.message import Role
from relembra.minds.languages import LANGUAGES
from relembra.minds.llm import ModelNight
from relembra.minds.llm.models import Prompt, prompt_of
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from scripted import Request, all_worth, reading, scripted, structured

VERSIONS = {"digest": "2", "reread": "2", "repair": "2"}
ROOMS = {
    "digest": "messages", "summary": "messages", "compare": "pairs", "reread": "messages", "topics": "notes",
    "retell": "texts", "repair": "problems",
}  # fmt: skip
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
        )
        await night.reread(Talk((program, person), language=language, known=(known,)))
        await night.topics(notes, language=language, most=5)
        await night.retell([before, said], language=language, tokens=100)
        await night.close()
        for name, request in zip(("reread", "topics", "retell"), server.requests, strict=True):
            golden(f"prompts/{name}.{language}.txt", as_read(request))


def as_read(request: Request) -> str:
    return f"[system]\n{request.system}\n\n[user]\n{request.user}\n"


def test_what_is_put_into_a_prompt_is_never_looked_at_for_room() -> None:
    rendered = Prompt("1", "Read {{attributes}}.", "{{messages}}").rendered(
        attributes="{{messages}}", messages="{{attributes}}"
    )
    assert (rendered.instructions, rendered.data) == ("Read {{messages}}.", "{{attributes}}")
    assert prompt_of("digest", "fr") == prompt_of("digest", "en")


@each([(name, language) for name in ROOMS for language in LANGUAGES])
def test_every_prompt_has_its_version_and_room_for_what_is_said_only_after_the_instructions(
    name: str, language: str
) -> None:
    prompt = prompt_of(name, language)
    assert prompt.version == VERSIONS.get(name, "1")
    assert f"{{{{{ROOMS[name]}}}}}" in (prompt.data or prompt.instructions)
    assert not prompt.data or f"{{{{{ROOMS[name]}}}}}" not in prompt.instructions
