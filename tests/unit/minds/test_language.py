"""Telling Portuguese from English."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.text import fold
from relembra.minds.offline.language import STOP_WORDS, language_of


@each(
    [
        ("Moro em Lisboa desde março", "pt"),
        ("vc vem hoje?", "pt"),
        ("Meu cachorro morreu", "pt"),
        ("São Paulo", "pt"),
        ("I live in Lisbon", "en"),
        ("My dog died", "en"),
        ("good morning", "en"),
        ("I'll call Dr. João about the results", "en"),
        ("O Peter gosta de Game of Thrones e eu não", "pt"),
        ("Maria", None),
        ("pizza", None),
        ("2026, 10:30", None),
        ("😀", None),
        ("", None),
    ]
)
def test_language_of_everyday_lines(text: str, language: str | None) -> None:
    assert language_of(text) == language


PORTUGUESE_LINES = """
bom dia | boa tarde! | Boa noite | oi sumida | e aí, blz? | vlw | tmj | flw | tudo certo | tudo bem? | obg
obrigadaaa | kkkkkk | rsrs | pode deixar | tanto faz | deu certo | deu ruim | to com fome | tô cansado | cheguei
saindo agora | hj nao da | amanha eu vejo | q horas? | pq? | cade vc | nao sei | sei la | concordo | perfeito
gostei | adorei | feliz aniversario | parabens!! | saudade | bjs | preciso de ajuda | pagar boleto | comprar leite
consulta quinta | reuniao 15h | dor de cabeça | cachorro fugiu | minha irma casou | trabalho remoto | resume isso
traduz pra ingles | continua | mais curto | outra opcao | muito obrigado mesmo | Chovendo | Entendi. | fechou
ainda não | já volto | peraí | nossa que legal | que saco
"""
ENGLISH_LINES = """
good morning | good night! | thx | brb | ty | np | hey | what's up | sounds good | got it | no worries | never mind
my bad | be right back | see you later | on my way | call me | i'm tired | so hungry | happy birthday | congrats!!
miss you | need help | pay rent | buy milk | dentist thursday | meeting at 3 | headache again | dog ran away
my sister got married | remote work | summarize this | shorter please | another option | keep going | love it
awesome | agreed | perfect | raining | Understood. | not yet | wait | idk | why? | where are you | whatever
of course | that sucks | yesss | helloooo | gonna sleep | u there? | tbh same | lunch? | tomorrow works | how much
bus is late | fixed it | nice one
"""
LINES_OF_NEITHER = """
ok | haha | pizza | Maria | 123 | :) | SMS | https://example.com/a/b | foo@example.org | 😂😂 | Hola, ¿cómo estás?
muchas gracias, hasta mañana | Je ne sais pas, merci | Ich habe keine Zeit und du | привет как дела | こんにちは
ciao, come stai? io sono Marco | x = y + 1 | Netflix | hmm
"""


@each([(PORTUGUESE_LINES, "pt"), (ENGLISH_LINES, "en"), (LINES_OF_NEITHER, None)])
def test_language_of_very_short_lines(lines: str, language: str | None) -> None:
    told = {line: language_of(line) for line in re.split(r" \| |\n", lines.strip())}
    assert {line: answer for line, answer in told.items() if answer != language} == {}


@each(
    [
        ('traduz "where is the train station"', "pt"),
        ('what does "não tenho certeza" mean', "en"),
        ('"não tenho certeza"', "pt"),
        ("Sa\u0303o Paulo", "pt"),
        ("olha em docs.example.com/how_to_do_this_now @the_team", "pt"),
        ("Disse o Wellington Brooks", "pt"),
        ("sooooo tired", "en"),
        ("Luciana", None),
    ]
)
def test_quotes_addresses_and_names_do_not_mislead(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_stop_words_are_folded() -> None:
    assert all(word == fold(word) for word in STOP_WORDS)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert language_of(text) in ("pt", "en", None)
