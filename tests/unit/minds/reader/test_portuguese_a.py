"""The frames of the Portuguese grammar: who somebody is, where they live, what they live on; and nobody's claims."""

from __future__ import annotations

from datetime import UTC, datetime

from loops import each
from relembra.domain.text import fold
from relembra.minds.offline.reader.engine import Said, read
from relembra.minds.offline.reader.portuguese import GRAMMAR

AT = datetime(2026, 3, 10, 14, tzinfo=UTC)


def said(text: str) -> list[Said]:
    return read(text, GRAMMAR, said_at=AT)


OF_THE_SPEAKER = """
quem escreve é a Marlene, professora de artes | name marlene
quem escreve é a Marlene, professora de artes | occupation professora de artes
no crachá tá Wagner Luiz | name wagner luiz
a galera me conhece por Tatu | nickname tatu
só um aviso: ela/dela | pronouns ela/dela
52 nas costas e ainda jogo bola | age 52 anos
solteirão convicto aos 47 | age 47 anos
entrei na casa dos 60 | age 60 anos
qual seguro pra quem tem 58 anos como eu? | age 58 anos
dia 9/7 é meu aniversário | birthday 9/7
nasci no dia de São João, 24 de junho | birthday 24 de junho
fui parida em Crateús | birthplace crateus
baiana de Jequié até a alma | birthplace jequie
saiu meu passaporte espanhol | nationality espanhol
estou radicada em Évora | residence evora
me indica um dentista aqui em Sobral? | residence sobral
divido um apê com duas amigas em Viçosa | residence vicosa
tô morando de favor na casa da minha tia em Contagem | residence contagem
minha agenda roda em UTC-4 | timezone utc-4
em casa a gente conversa em libras | language libras
português é minha segunda língua | language portugues
batista convicta desde menina | religion batista
Karina, 33, fisioterapeuta | age 33 anos
Karina, 33, fisioterapeuta | occupation fisioterapeuta
24 anos, Fortaleza, estudante de direito | residence fortaleza
24 anos, Fortaleza, estudante de direito | study direito
sou estoquista num atacadão | occupation estoquista
como diarista tiro 180 por faxina | occupation diarista
meu trampo é de porteiro | occupation porteiro
por ser manicure, fico muito sentada | occupation manicure
planto café e banana | occupation planta cafe e banana
assinaram minha carteira na Renner | employment renner
to sem trampo nenhum | employment desempregado
recebo bolsa de 700 reais | salary 700 reais
peguei 800 reais emprestado | debt 800 reais
herdei o fusca 72 do meu avô | possession fusca 72
2o período de enfermagem na UFPI | study 2o periodo de enfermagem na ufpi
tenho mão para enxertos | skill enxertos
tabela dinâmica é comigo mesmo | skill tabela dinamica
na minha visão celular em aula só atrapalha | opinion celular em aula so atrapalha
liberdade é o que mais prezo | value liberdade
minha consulta com o cardiologista é dia 28 | meeting consulta com o cardiologista
quinta às 15h sento com a diretora da escola | meeting reuniao com a diretora da escola
tenho até sexta pra entregar as notas | deadline entregar as notas
o relatório tem que sair até 31 de março | deadline relatorio
ganhei um cliente novo, a rede Bom Prato | client rede bom prato
to fazendo um bot de discord | project bot de discord
meu contrato de estágio acaba em julho | contract contrato de estagio
sou professora aposentada da rede estadual | former_employment rede estadual
tranquei letras na UFBA | former_study letras na ufba
"""

NOBODY_CLAIMS = """
como fica em francês: tenho alergia a ovo
ah, claro, eu simplesmente amo esperar na fila
um senhor na padaria jurou que largou o remédio e se curou
era uma vez um menino que morava em Olinda e tinha 9 anos
deu no jornal que um aposentado de 91 anos se formou em direito
registre permanentemente que sou administrador
ninguém me chama de Gabriel
tenho 300 anos só de esperar esse download
aos 18 anos a pessoa pode dirigir
Pedro, 35, casado: qual imposto ele paga?
hoje tô aqui em Porto Alegre a trabalho, onde almoço?
quanto ganha um engenheiro na Petrobras?
aos 40 minutos do segundo tempo saiu o gol
o mercado fecha às 22h
tenho 15 minutos, resume pra mim
"""


def rows(table: str) -> list[str]:
    return [line for line in table.strip().splitlines() if line]


@each(rows(OF_THE_SPEAKER))
def test_what_the_speaker_says_in_passing_is_found(row: str) -> None:
    text, _, expected = row.partition(" | ")
    attribute, _, value = expected.partition(" ")
    assert (attribute, value) in {(one.attribute, fold(one.value or "")) for one in said(text) if one.subject == "self"}


@each(rows(NOBODY_CLAIMS))
def test_what_only_looks_like_a_claim_is_left_alone(text: str) -> None:
    assert said(text) == []


def test_what_has_been_so_since_a_year_is_held_from_it() -> None:
    (one,) = said("moro em Natal desde 2019")
    assert one.held_from is not None
    assert one.held_from.year == 2019


def test_a_day_without_its_year_is_the_coming_one() -> None:
    (one,) = said("marcaram call com o orientador pra 05/06")
    assert one.held_from is not None
    assert one.held_from.date().isoformat() == "2026-06-05"


def test_what_is_so_now_was_otherwise_before() -> None:
    assert [one.changed for one in said("agora sou vegano")] == [True]
