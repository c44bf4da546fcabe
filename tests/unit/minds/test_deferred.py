"""Minds made on first use: what is wrong with one is said when it is needed, and not before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from builders import a_message
from hashing import HashingEmbedder
from loops import each
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra.bootstrap import chosen_night, chosen_reader, offline_night, offline_reader
from relembra.domain.candidate import Effect, Spent, Talk
from relembra.domain.jobs import JobState
from relembra.domain.policy import LIFE
from relembra.errors import MindUnavailableError, MissingExtraError, SettingsError
from relembra.minds.deferred import DeferredMatcher, DeferredNight, DeferredReader
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import NightReader, Reader
from relembra.settings import Settings
from scripted import StandInReader

TALK = Talk((a_message(),))


class Making:
    """Makes a reader, or fails for as long as something is wrong."""

    def __init__(self, wrong: Exception | None = None) -> None:
        self.wrong = wrong
        self.made: list[NotationReader] = []

    def __call__(self) -> Reader:
        if self.wrong is not None:
            raise self.wrong
        self.made.append(NotationReader(name="openai:x/digest@1"))
        return self.made[-1]


def deferred(making: Making) -> DeferredReader:
    return DeferredReader(making, offline=StandInReader(), model="openai:x")


async def test_a_reader_is_made_once_and_only_to_read_with() -> None:
    making = Making()
    reader = deferred(making)
    assert reader.spent() == []
    await reader.close()
    assert making.made == []
    assert (await reader.digest(TALK)).reader == reader.name == "openai:x/digest@1"
    assert (await reader.working_summary(TALK, None)).startswith("So far 1")
    assert (await reader.compare([("a", "b")]))[0].contradicts == 0.0
    assert await reader.effects(TALK, TALK.messages[0], ["a", "b"]) == [Effect(nothing=1.0)] * 2
    assert len(making.made) == 1


@each([SettingsError("openai: needs an API key"), MissingExtraError("a model", "llm")])
async def test_what_is_wrong_is_said_when_something_is_to_be_read_and_may_be_put_right(wrong: Exception) -> None:
    making = Making(wrong)
    reader = deferred(making)
    assert (reader.name, reader.spent()) == ("openai:x", [])
    with pytest.raises(MindUnavailableError) as digesting:
        await reader.digest(TALK)
    with pytest.raises(MindUnavailableError) as summing_up:
        await reader.working_summary(TALK, None)
    for said in (digesting.value, summing_up.value):
        assert (str(said), said.__cause__) == (str(wrong), wrong)
    assert [one.contradicts for one in await reader.compare([("a", "b")])] == [0.5]  # offline
    assert [one.over for one in await reader.effects(TALK, TALK.messages[0], ["a"])] == [1.0]
    await reader.close()
    making.wrong = None
    assert (await reader.digest(TALK)).reader == "openai:x/digest@1"


async def test_a_wrong_model_is_chosen_without_a_word_and_named_by_its_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    offline = offline_reader(OfflineTokens(), LIFE)
    assert chosen_reader(Settings(), offline) is None
    for settings, said in (
        (Settings(llm="openai:x"), "needs an API key"),
        (Settings(llm="nonsense"), "must be written provider:model"),
        (Settings(llm="ollama:x", prompts="/nowhere"), "is not there"),
    ):
        reader = chosen_reader(settings, offline)
        assert reader is not None
        assert reader.name == settings.llm
        with pytest.raises(MindUnavailableError, match=said):
            await reader.digest(TALK)
    right = chosen_reader(Settings(llm="ollama:x"), offline)
    assert right is not None
    assert right.name == "ollama:x/digest@2"
    await right.close()


async def test_learning_waits_for_a_setting_however_long(tmp_path: Path) -> None:
    clock, making = Clock(), Making(SettingsError("openai: needs an API key"))
    reader = deferred(making)
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=reader) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        for _ in range(6):
            clock.move(hours=4)
            assert (await memory.learn(user="ana")).added == []
        failed = {(job.state, job.error) for job in await memory.failed_jobs()}
        assert failed == {(JobState.WAITING, "openai: needs an API key")}
        making.wrong = None
        assert [item.value for item in (await memory.learn(user="ana")).added] == ["Recife"]
        assert await memory.failed_jobs() == []


class Nightly(OfflineNight):
    """Stands in for the night's reader with a model."""

    name = "openai:x/night@1.1.1"

    def spent(self) -> list[Spent]:
        return [SPENT]


def a_nightly() -> OfflineNight:
    return Nightly(HashingEmbedder(), OfflineTokens())


async def test_the_nights_reader_is_made_once_and_only_to_work_with() -> None:
    made: list[NightReader] = []

    def make() -> NightReader:
        made.append(a_nightly())
        return made[-1]

    night = DeferredNight(make, model="openai:x")
    assert night.rereads
    assert night.spent() == []
    await night.close()
    assert made == []
    assert (await night.reread(TALK)).reader == night.name == Nightly.name
    assert await night.topics([], language="en", most=3) == []
    assert await night.retell(["Ana rows."], language="en", tokens=20) == "Ana rows."
    assert night.spent() == [SPENT]
    await night.close()
    assert len(made) == 1


async def test_what_is_wrong_with_the_nights_reader_is_an_outage_with_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    offline = offline_night(HashingEmbedder(), OfflineTokens(), LIFE)
    gate = offline_reader(OfflineTokens(), LIFE)
    assert chosen_night(Settings(), offline, gate) is offline
    for settings, said in (
        (Settings(llm="openai:x"), "needs an API key"),
        (Settings(llm="ollama:x", llm_deep="openai:y"), "needs an API key"),
        (Settings(llm="nonsense"), "must be written provider:model"),
        (Settings(llm="ollama:x", prompts="/nowhere"), "is not there"),
    ):
        night = chosen_night(settings, offline, gate)
        assert night.name == (settings.llm_deep or settings.llm)
        asks: list[Callable[[], Awaitable[object]]] = [
            partial(night.reread, TALK),
            partial(night.topics, [], language="en", most=1),
            partial(night.retell, [], language="en", tokens=1),
        ]
        for ask in asks:
            with pytest.raises(MindUnavailableError, match=said):
                await ask()
    right = chosen_night(Settings(llm="ollama:x", llm_deep="ollama:y"), offline, gate)
    assert right.name == "ollama:y/night@2.1.1"
    await right.close()
    monkeypatch.setattr("relembra.bootstrap.find_spec", lambda _: None)
    with pytest.raises(MindUnavailableError, match=r"relembra\[llm\]"):
        await chosen_night(Settings(llm="ollama:x"), offline, gate).reread(TALK)


SPENT = Spent(task="relevance", model="openai:x", calls=1, input_tokens=10, output_tokens=2)


class Marking:
    """A matcher that likes every text alike."""

    def __init__(self) -> None:
        self.closed = 0

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.5] * len(texts)

    def spent(self) -> list[Spent]:
        return [SPENT]

    async def close(self) -> None:
        self.closed += 1


async def test_a_matcher_is_made_once_and_only_to_match_with() -> None:
    made: list[Marking] = []

    def make() -> Marking:
        made.append(Marking())
        return made[-1]

    matcher = DeferredMatcher(make)
    assert matcher.spent() == []
    await matcher.close()
    assert made == []
    assert await matcher.match("a", ["b", "c"]) == [0.5, 0.5]
    assert await matcher.match("a", ["b"]) == [0.5]
    assert matcher.spent() == [SPENT]
    await matcher.close()
    assert [one.closed for one in made] == [1]
