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


async def read(language: str, text: str, asked: str = "") -> list[tuple[str, str | None]]:
    """What a message teaches, said right after the assistant asked something, or by itself."""
    said = [a_message(text=text, sent_at=NOW)]
    if asked:
        before = NOW - timedelta(minutes=1)
        said.insert(0, a_message(text=asked, role=Role.ASSISTANT, author="assistant", sent_at=before))
    digest = await a_reader(shipped_networks()).digest(talk_of(*said, language=language))
    return [(one.content, one.attribute) for one in digest.candidates]


@each(
    [
        # a question back takes nothing from what was said, and one about the other one is still a question
        ("pt", "Moro em Recife há 3 anos, e você?", ["Mora em Recife"]),
        ("pt", "Adoro café, e vc?", ["Gosta de café"]),
        ("en", "I live in Lisbon now. And you?", ["Lives in Lisbon"]),
        ("en", "I love olives, you?", ["Likes olives"]),
        ("en", "Do you think I live in Lisbon?", []),
        # the lines of a list are sentences
        ("pt", "- moro em Natal\n- tenho 2 filhos\n- sou médico", ["Mora em Natal", "Tem 2 filhos", "É médico"]),
        # what is nobody's or not sure is not kept
        ("en", "I'm at Walmart right now", []),
        ("en", "I'm in Paris now, so pretty", []),
        ("en", "I moved here from India five years ago", []),
        ("en", "my wife's mother lives in Tampa", []),
        ("pt", "o marido da minha irmã é advogado", []),
        ("pt", "minha mãe tem uma amiga que mora em Paris", []),
        ("en", "my brother's girlfriend is called Amy", []),
        ("pt", "acho que sou alérgico a camarão", []),
        ("en", "I might be celiac", []),
        ("pt", "nasci em 1990", []),
        ("en", "I have a 3 year old", []),
        ("en", "Off the record: I have HIV.", []),
        ("pt", "Não guarda isso: tenho HIV.", []),
        ("pt", "esquece que eu moro em Campinas", []),
        ("pt", "minha senha do banco é 4590 e meu cpf é 123.456.789-09", []),
        ("en", "my API key is sk-live-51Habc123456789", []),
        ("pt", "não vou mais me mudar pra Lisboa", []),
    ]
)
async def test_only_what_is_claimed_is_kept(language: str, text: str, found: list[str]) -> None:
    assert [content for content, _ in await read(language, text)] == found


@each(
    [
        ("pt", "minha ex-mulher mora em Recife", "Ex-mulher mora em Recife", True),  # a hyphenated word stays whole
        ("en", "my mother-in-law lives in Leeds", "Their mother-in-law lives in Leeds", True),
        ("en", "I'm in York for a conference", "Lives in York", False),  # for a few days
    ]
)
async def test_among_other_things(language: str, text: str, content: str, is_found: bool) -> None:
    assert (content in dict(await read(language, text))) is is_found


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
        ("pt", "meus pais moram em Ouro Preto", "“meus pais moram em Ouro Preto”", "residence"),
    ]
)
async def test_a_plain_statement_is_read_for_what_it_says(
    language: str, text: str, content: str, attribute: str | None
) -> None:
    assert await read(language, text) == [(content, attribute)]


@each(
    [
        ("Are you vegetarian?", "no", []),
        ("Do you smoke?", "I don't", []),
        ("What is your husband called?", "Paul", ["Paul is their husband"]),
        ("How old are you?", "34", ["Is 34 years old"]),
    ]
)
async def test_a_question_is_answered_by_the_person(asked: str, text: str, found: list[str]) -> None:
    assert [content for content, _ in await read("en", text, asked)] == found
