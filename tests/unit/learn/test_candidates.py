"""From a proposal to an item: whose it is, how sure, since when, where from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from builders import ANA, NOW, a_message, an_id, days
from loops import each
from relembra.domain.candidate import Candidate
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Message
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Place
from relembra.domain.time import EARLIEST, LATEST
from relembra.learn.drafts import by_topic, item_of, whose


def proposed(message: Message, **changes: object) -> Candidate:
    base = Candidate(content="Mora em Recife", message_id=message.id, type=KnowledgeType.FACT)
    return replace(base, **changes)  # type: ignore[arg-type]  # plain words


def made(candidate: Candidate, message: Message, note_id: str | None = None) -> KnowledgeItem:
    policy = ConfidencePolicy()
    return item_of(candidate, message, id=an_id(), scope=ANA, note_id=note_id, policy=policy, now=NOW + days(1))


def test_an_item_says_where_it_came_from() -> None:
    message = a_message(place=Place("g1", "general"), zone="-03:00", sent_at=NOW - days(2))
    note = an_id()
    item = made(proposed(message, attribute="residence", value="Recife", tags=("casa",), language="pt"), message, note)
    assert (item.message_ids, item.note_id, item.place, item.zone) == ((message.id,), note, message.place, "-03:00")
    assert (item.held_from, item.created_at) == (message.sent_at, NOW + days(1))
    assert (item.subject, item.speaker, item.source, item.confidence) == (SELF, None, Source.CONVERSATION, 0.95)
    assert (item.sub_area, item.weight, item.tags, item.language) == ("home", 1.0, ("casa",), "pt")
    assert (item.title, item.validated, item.evidence) == ("Mora em Recife", False, None)


@each(
    [
        ("pt", (), ("food", "travel"), ("comida", "viagem")),
        (None, (), ("travel",), ("travel",)),
        ("en", ("food",), ("travel",), ("food",)),
        ("en", ("Sunday",), (), ("Sunday",)),
    ]
)
def test_topics_are_tags_in_the_items_language_unless_somebody_named_some(
    language: str | None, tags: tuple[str, ...], topics: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    item = by_topic(made(proposed(a_message(), language=language, tags=tags), a_message()), topics, "en")
    assert item.tags == shown


@each(
    [
        ("event", None, ("home", "money"), LifeArea.RELATIONSHIPS),
        ("event", None, ("identity", "money"), LifeArea.FINANCE),  # the first is of no area
        ("event", None, (), LifeArea.LEISURE),
        ("event", LifeArea.CAREER, ("home",), LifeArea.CAREER),
        ("meeting", None, ("home",), LifeArea.CAREER),
        ("opinion", None, ("home",), None),
    ]
)
def test_what_happened_is_of_the_area_its_topics_tell(
    attribute: str, area: LifeArea | None, topics: tuple[str, ...], expected: LifeArea | None
) -> None:
    message = a_message()
    item = made(proposed(message, content="Foi lá", attribute=attribute, area=area), message)
    assert by_topic(item, topics, "en").area is expected


@each([(KnowledgeType.MEMORY, 8), (KnowledgeType.FACT, 6), (KnowledgeType.PREFERENCE, 6)])
def test_what_happened_starts_before_what_is_known(type: KnowledgeType, priority: int) -> None:
    message = a_message()
    assert made(proposed(message, type=type), message).priority == priority


def test_what_was_concluded_is_modest_and_keeps_its_evidence() -> None:
    message = a_message()
    item = made(proposed(message, inferred=True, evidence="said so"), message)
    assert (item.source, item.confidence, item.evidence) == (Source.AI_INFERENCE, 0.7, "said so")


def test_a_reader_cannot_make_plain_words_unsure() -> None:
    message = a_message()
    assert made(proposed(message, confidence=0.2), message).confidence == 0.9
    assert made(proposed(message, confidence=0.2, inferred=True), message).confidence == 0.2


def test_what_the_proposal_knows_better_outdoes_the_attribute() -> None:
    message = a_message()
    candidate = proposed(message, attribute="weight", area=LifeArea.GROWTH, sub_area="sport", weight=0.1)
    item = made(candidate, message)
    assert (item.area, item.sub_area, item.weight) == (LifeArea.GROWTH, "sport", 0.1)


@each(
    [
        (datetime(1532, 1, 22, tzinfo=UTC), EARLIEST),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), EARLIEST),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12))), LATEST),
    ]
)
def test_a_moment_too_far_away_to_keep_is_the_nearest_that_is(found: datetime, kept: datetime) -> None:
    message = a_message()
    item = made(proposed(message, held_from=found, held_until=found, expires_at=found), message)
    assert item.held_from == item.held_until == item.expires_at == kept


@each(
    [
        ("ana", SELF, (SELF, None)),  # of herself
        ("ana", "Clara", ("Clara", "ana")),  # a claim about another
        ("bob", SELF, ("bob", "bob")),  # another of himself, in her memory
        ("bob", "Ana", (SELF, "bob")),  # gossip about her
        ("bob", "Clara", ("Clara", "bob")),
    ]
)
def test_what_is_said_of_another_is_a_claim(author: str, subject: str, owned: tuple[str, str | None]) -> None:
    message = a_message(author=author)
    assert whose(proposed(message, subject=subject), message, ANA) == owned


@each([("consulta com o cardiologista", LifeArea.HEALTH), ("dentista", LifeArea.HEALTH),
     ("exame de sangue", LifeArea.HEALTH), ("appointment with the dermatologist", LifeArea.HEALTH),
     ("Doctor's appointment", LifeArea.HEALTH), ("surgery", LifeArea.HEALTH),
     ("sessão de terapia", LifeArea.MENTAL_HEALTH), ("therapy", LifeArea.MENTAL_HEALTH),
     ("consulta com a advogada", LifeArea.CAREER), ("consulta do gato no veterinário", LifeArea.CAREER),
     ("reunião com o cliente", LifeArea.CAREER), ("meeting with the consultant", LifeArea.CAREER)])  # fmt: skip
def test_an_appointment_about_health_belongs_to_health(value: str, area: LifeArea) -> None:
    message = a_message()
    assert made(proposed(message, attribute="meeting", value=value, area=LifeArea.CAREER), message).area is area
    assert made(proposed(message, attribute="meeting", value=value), message).area is area
    own = proposed(message, attribute="meeting", value=value, area=LifeArea.GROWTH)
    assert made(own, message).area is LifeArea.GROWTH  # a reader knows better


@each(
    [
        ("Tem consulta (19/11/2026)", "pt", 60, "Tem consulta (19/11/2026, 15h30)"),
        ("Sees the dentist (2026-11-19)", "en", 1, "Sees the dentist (2026-11-19, 15:30)"),
        ("Tem consulta (19/11/2026)", "pt", 24 * 60, "Tem consulta (19/11/2026)"),
        ("Tem consulta às 15h30", "pt", 60, "Tem consulta às 15h30"),
    ]
)
def test_an_hour_that_was_told_is_kept_in_the_words(content: str, language: str, lasts: int, told: str) -> None:
    message = a_message(zone="-03:00")
    begins = datetime(2026, 11, 19, 15, 30, tzinfo=timezone(timedelta(hours=-3)))
    ends = begins + timedelta(minutes=lasts)
    candidate = proposed(
        message, attribute="meeting", content=content, language=language, held_from=begins, expires_at=ends
    )
    assert made(candidate, message).content == told
