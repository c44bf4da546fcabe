"""Topics said in a few words, to compare in meaning with what is known: a question about dinner looks for tastes."""

from __future__ import annotations

from collections.abc import Sequence

from relembra.minds.offline.language import Language

__all__ = ["about"]

_SAID: dict[str, dict[Language, str]] = {
    "food": {"pt": "comida, dieta, alergias e gostos alimentares", "en": "food, diet, allergies and food preferences"},
    "health": {"pt": "saúde, doenças, remédios e médicos", "en": "health, illness, medication and doctors"},
    "sport": {"pt": "esporte, treino e exercício físico", "en": "sport, training and exercise"},
    "mood": {"pt": "sentimentos, humor e ansiedade", "en": "feelings, mood and anxiety"},
    "family": {"pt": "família, filhos, pais e irmãos", "en": "family, children, parents and siblings"},
    "love": {"pt": "namoro, casamento e relacionamento", "en": "dating, marriage and partner"},
    "friends": {"pt": "amigos e amizades", "en": "friends and friendship"},
    "pets": {"pt": "animais de estimação, cachorro e gato", "en": "pets, dog and cat"},
    "faith": {"pt": "fé, religião e espiritualidade", "en": "faith, religion and spirituality"},
    "looks": {"pt": "roupas, cabelo e aparência", "en": "clothes, hair and looks"},
    "celebrations": {"pt": "aniversários, festas e presentes", "en": "birthdays, parties and presents"},
    "identity": {"pt": "nome, idade e de onde é", "en": "name, age and where from"},
    "work": {"pt": "trabalho, emprego e carreira", "en": "work, job and career"},
    "study": {"pt": "estudos, faculdade e cursos", "en": "studies, university and courses"},
    "money": {"pt": "dinheiro, gastos, dívidas e investimentos", "en": "money, spending, debts and investments"},
    "shopping": {"pt": "compras, marcas e preferências", "en": "shopping, brands and preferences"},
    "home": {"pt": "casa, moradia e bairro", "en": "home, flat and neighbourhood"},
    "travel": {"pt": "viagens, férias e destinos", "en": "travel, holidays and destinations"},
    "transport": {"pt": "carro, bicicleta e transporte", "en": "car, bicycle and transport"},
    "films": {"pt": "filmes e séries preferidos", "en": "favourite films and series"},
    "books": {"pt": "livros e leituras preferidos", "en": "favourite books and reading"},
    "music": {"pt": "música, bandas e instrumentos preferidos", "en": "favourite music, bands and instruments"},
    "games": {"pt": "jogos preferidos", "en": "favourite games"},
    "technology": {"pt": "computadores, celular e tecnologia", "en": "computers, phone and technology"},
    "hobbies": {"pt": "passatempos e o que gosta de fazer", "en": "hobbies and what they like to do"},
    "goals": {"pt": "metas, objetivos e planos", "en": "goals, resolutions and plans"},
}


def about(topics: Sequence[str], language: Language | None) -> str | None:
    """The first topic in a few words of the question's language; None where there is none."""
    return _SAID[topics[0]][language or "en"] if topics else None
