"""The mood of the last messages, by the shipped networks."""

from __future__ import annotations

import pytest

from builders import a_message
from relembra.domain.candidate import Talk
from relembra.domain.policy import LearnPolicy
from relembra.minds.offline.tokens import OfflineTokens
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader

SAID = (
    ("pt", "abatido", "que raiva, o sistema caiu de novo"),
    ("pt", "abatido", "não aguento mais esse trabalho, tô exausta e triste"),
    ("pt", "animado", "consegui o emprego!!"),
    ("pt", "animado", "tô muito feliz, minha filha nasceu hoje"),
    ("pt", "neutro", "que horas abre o banco?"),
    ("en", "low", "this is so frustrating, the app crashed again and I lost everything"),
    ("en", "low", "I feel terrible, my dog died yesterday"),
    ("en", "in good spirits", "I got the job!! so happy"),
    ("en", "in good spirits", "we won the final, best day ever"),
    ("en", "neutral", "what time is it in Tokyo?"),
)


async def told(language: str, *texts: str) -> str:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    return await reader.working_summary(Talk(tuple(a_message(text=text) for text in texts), language=language), None)


@pytest.mark.parametrize(("language", "mood", "text"), SAID)
async def test_a_message_has_its_mood(language: str, mood: str, text: str) -> None:
    assert (await told(language, text)).endswith(f": {mood})")


async def test_a_plain_message_after_a_frustrated_one_does_not_calm_it() -> None:
    summary = await told("pt", "que raiva, o sistema caiu de novo", "vou ligar pro suporte")
    assert summary == "Que raiva, o sistema caiu de novo. Vou ligar pro suporte. (humor: abatido)"
