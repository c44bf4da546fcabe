"""What the shipped networks read with the rules around them: whose it is, and whether it is so, or still so."""

from __future__ import annotations

from datetime import timedelta

from builders import NOW, a_message
from loops import each
from relembra.domain.candidate import Talk
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message, Role
from relembra.domain.policy import LearnPolicy
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.reader.networks import Networks, Tagged, shipped_networks
from relembra.minds.reader.reader import OfflineReader


class Counting(Networks):
    """The shipped networks, with how many words each message was read with."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[int] = []

    def tag(self, words: object) -> Tagged:
        assert isinstance(words, tuple)
        self.words.append(len(words))
        return shipped_networks().tag(words)


def a_reader(networks: Networks) -> OfflineReader:
    return OfflineReader(networks, OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)


def talk_of(*messages: Message, language: str = "en") -> Talk:
    return Talk(tuple(messages), only=frozenset([messages[-1].id]), language=language)


async def contents(text: str, language: str) -> list[str]:
    digest = await a_reader(shipped_networks()).digest(talk_of(a_message(text=text), language=language))
    return [one.content for one in digest.candidates]


@each(
    [
        ("pt", "Moro em Recife há 3 anos, e você?", "Mora em Recife"),
        ("pt", "Adoro café, e vc?", "Gosta de café"),
        ("en", "I live in Lisbon now. And you?", "Lives in Lisbon"),
        ("en", "I love olives, you?", "Likes olives"),
    ]
)
async def test_a_question_back_takes_nothing_from_what_was_said(language: str, text: str, content: str) -> None:
    assert await contents(text, language) == [content]


async def test_a_question_about_the_other_one_is_still_a_question() -> None:
    assert await contents("Do you think I live in Lisbon?", "en") == []


@each(
    [
        ("pt", "minha ex-mulher mora em Recife", "Ex-mulher mora em Recife"),
        ("en", "my mother-in-law lives in Leeds", "Their mother-in-law lives in Leeds"),
    ]
)
async def test_a_hyphenated_word_for_kin_stays_whole(language: str, text: str, content: str) -> None:
    assert content in await contents(text, language)


async def test_where_somebody_is_for_a_few_days_is_no_home() -> None:
    assert "Lives in York" not in await contents("I'm in York for a conference", "en")


@each(
    [
        ("Enjoy the rain!", "I love ginger tea.", 5),  # nothing before it is needed
        ("What do you drink?", "I love ginger tea.", 10),
        ("Clara called.", "She loves ginger tea.", 8),
        ("Clara called.", "Ginger tea!", 6),
    ]
)
async def test_the_turns_before_are_read_only_where_a_message_leans_on_them(
    replied: str, text: str, words: int
) -> None:
    networks = Counting()
    before = a_message(text=replied, role=Role.ASSISTANT, author="assistant", sent_at=NOW - timedelta(minutes=1))
    await a_reader(networks).digest(talk_of(before, a_message(text=text, sent_at=NOW)))
    assert networks.words == [words]


async def test_a_question_of_ones_own_is_not_what_one_answers() -> None:
    asked = a_message(text="Can you write a poem about a dog called Rex?", sent_at=NOW - timedelta(minutes=1))
    told = a_message(text="moved to York last week!", sent_at=NOW)
    digest = await a_reader(shipped_networks()).digest(talk_of(asked, told))
    assert {one.subject for one in digest.candidates} == {SELF}


@each(
    [
        ("en", "I live with my parents", "“I live with my parents”", None),  # how, not where
        ("pt", "moro sozinha", "“moro sozinha”", None),
        ("en", "I moved from SP to Rio", "Lives in Rio", "residence"),
        ("en", "GP put my lisinopril up to 20 mg.", "Takes lisinopril 20 mg", "medication"),
        ("pt", "aumentou minha sertralina pra 100mg", "Toma sertralina 100mg", "medication"),
        ("pt", "Minha irmã Bia terminou com o namorado, o Gustavo", "Bia é a irmã", "relation"),
        ("en", "my dog's name is Thor", "Thor is their dog", "relation"),
        ("pt", "eu tomava sertralina", "Não toma mais sertralina", "former_medication"),
        ("en", "I've had asthma since I was a kid", "Has asthma", "condition"),
        ("pt", "consulta amanhã às 15h com a dra. Marta", "“consulta amanhã às 15h com a dra. Marta”", "event"),
        ("en", "oh, I'm a doctor", "Is a doctor", "occupation"),
        ("en", "thanks! oh, I live in Leeds", "Lives in Leeds", "residence"),
        ("pt", "meus pais moram em Ouro Preto", "Pais: “meus pais moram em Ouro Preto”", "residence"),
    ]
)
async def test_a_plain_statement_is_read_for_what_it_says(
    language: str, text: str, content: str, attribute: str | None
) -> None:
    digest = await a_reader(shipped_networks()).digest(talk_of(a_message(text=text), language=language))
    assert [(one.content, one.attribute) for one in digest.candidates] == [(content, attribute)]


@each(
    [
        ("en", "I'm at Walmart right now"),
        ("en", "I'm in Paris now, so pretty"),
        ("en", "I moved here from India five years ago"),
        ("en", "my wife's mother lives in Tampa"),
        ("pt", "o marido da minha irmã é advogado"),
        ("pt", "minha mãe tem uma amiga que mora em Paris"),
        ("en", "my brother's girlfriend is called Amy"),
        ("pt", "acho que sou alérgico a camarão"),
        ("en", "I might be celiac"),
        ("pt", "nasci em 1990"),
        ("en", "I have a 3 year old"),
        ("en", "Off the record: I have HIV."),
        ("pt", "Não guarda isso: tenho HIV."),
        ("pt", "esquece que eu moro em Campinas"),
        ("pt", "minha senha do banco é 4590 e meu cpf é 123.456.789-09"),
        ("en", "my API key is sk-live-51Habc123456789"),
        ("pt", "não vou mais me mudar pra Lisboa"),
    ]
)
async def test_what_is_nobodys_or_not_sure_is_not_kept(language: str, text: str) -> None:
    assert await contents(text, language) == []


async def test_the_lines_of_a_list_are_sentences() -> None:
    assert await contents("- moro em Natal\n- tenho 2 filhos\n- sou médico", "pt") == [
        "Mora em Natal",
        "Tem 2 filhos",
        "É médico",
    ]


@each(
    [
        ("Are you vegetarian?", "no", []),
        ("Do you smoke?", "I don't", []),
        ("What is your husband called?", "Paul", ["Paul is their husband"]),
        ("How old are you?", "34", ["Is 34 years old"]),
    ]
)
async def test_a_question_is_answered_by_the_person(asked: str, text: str, found: list[str]) -> None:
    before = a_message(text=asked, role=Role.ASSISTANT, author="assistant", sent_at=NOW - timedelta(minutes=1))
    digest = await a_reader(shipped_networks()).digest(talk_of(before, a_message(text=text, sent_at=NOW)))
    assert [one.content for one in digest.candidates] == found
