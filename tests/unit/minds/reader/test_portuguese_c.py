"""What the Portuguese grammar must not take for the speaker's, what it adds without ending, couples, and wording."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from loops import each
from relembra.domain.text import fold
from relembra.minds.offline.reader.engine import Said, read
from relembra.minds.offline.reader.portuguese import GRAMMAR

AT = datetime(2026, 3, 10, 14, tzinfo=UTC)


def said(text: str) -> list[Said]:
    return read(text, GRAMMAR, said_at=AT)


def told(text: str) -> list[tuple[str, str | None, str]]:
    return [(fold(one.subject), one.attribute, fold(one.value or "")) for one in said(text)]


def contents(text: str) -> list[str]:
    return [one.content or GRAMMAR.worded(one) for one in said(text)]


OTHER_MOUTHS = """
A Carla escreveu: moro em Natal e sou vegana.
Minha mãe mandou: tô com diabetes e tomo metformina
mensagem do João: moro em Natal e tenho dois filhos
Encaminhada: Sou diabético e preciso de insulina. Moro em Recife.
Mensagem encaminhada: meu nome é Carlos
Repassando: sou enfermeira e moro em Belém
Escreva um e-mail: sou engenheiro e moro em Belém
Escreve uma carta pro RH: trabalho na Vale e quero sair
Redija um discurso de casamento: casei com a Ana em 2019.
Pode montar uma bio: sou designer e moro em Olinda
Rascunho: sou formada em direito e trabalho no TJ
Carlos: oi, sou enfermeiro e moro em Recife
João Silva: moro em Natal
Mãe: tenho pressão alta e tomo losartana
João: moro em Natal. Maria: eu sou vegana
[10:32] Bia: sou alérgica a camarão
olha isso\nPedro: casei e moro em Lisboa
vamos treinar entrevista: eu sou o Carlos, gerente de RH da Ambev
Põe as vírgulas: sou o Márcio tenho 40 anos
"""

NOTHING = """
Quase mudei pra Lisboa
Quase virei vegana
Por pouco não fui demitido
Nem morto eu moro em Brasília
Nem morta trabalho na Vale
Moro em Brasília nem morto
Jamais moraria em São Paulo
Eu não moro em Recife
Trabalho é trabalho.
Minha esposa também.
Eu sou do RH
Sou do departamento de TI
Sou o cara que ligou ontem
Sou um grande fã de vocês
Oi, aqui é a fila do banco
larguei o Botafogo
terminei com o João o projeto
me separei do grupo na trilha
a Ana me deixou em casa
Meu Corsa morreu no meio da rua
como vegetariano come feijoada?
visto 40 vezes esse filme
não vou mais estudar hoje
Às vezes penso em ir viver para Braga, mas não passa de conversa
"""

BESIDE = """
Eu também trabalho na Uber | uber
Trabalho também na Uber nos fins de semana | uber
Comecei a trabalhar também na Rappi | rappi
Também moro em Recife | recife
Agora também sou motorista de aplicativo | motorista de aplicativo
Além de enfermeira, sou professora | professora
"""

PARTED = """
me separei da Marta | marta esposa
Me divorciei do Paulo em 2024 | paulo marido
terminei com o João | joao namorado
Terminei com minha namorada Bia | bia namorada
Eu e a Paula nos divorciamos | paula esposa
eu e o Tom terminamos | tom namorado
Me separei do meu marido | marido marido
Larguei meu namorado | namorado namorado
O Pedro terminou comigo | pedro namorado
"""

WORDED = """
Minha mãe Maria é médica | Maria é a mãe
Meu marido João trabalha na Vale | João é o marido
Minha amiga Bia chegou | Bia é amiga
me separei da Marta | Separou-se de Marta
A Rosa morreu | Rosa morreu
meço um metro e noventa e um | Mede um metro e noventa e um (1,91 m)
sou formada em direito | Tem formação em direito
pode me chamar de Zeca | Atende por Zeca
"""

FOUND = """
eu e o Renan noivamos no sábado | renan relation noivo
estou solteira de novo | self marital_status solteira
to devendo três meses de condomínio | self debt tres meses de condominio
Peguei empréstimo consignado de 20 mil | self debt emprestimo consignado de 20 mil
meu irmão me deve 900 reais | irmao debt 900 reais
A gente tem um sítio pequeno em Bueno Brandão | self possession sitio pequeno em bueno brandao
com 1,65 de altura e 70 kg meu IMC tá alto? | self weight 70 kg
Perdi 11 quilos e agora estou com 79. | self weight 79 kg
meu guri de 14 anos já tá com 1,82 | guri height 1,82
como vegetariana, o que posso levar pro almoço? | self diet vegetariana
Com artrose nos dois joelhos, que exercício consigo fazer? | self condition artrose nos dois joelhos
como fã de Machado de Assis, qual contista você me sugere? | self likes machado de assis
no quartel virei o Sargento Pipoca e o apelido pegou | self nickname sargento pipoca
Podes tratar-me por Nélinha | self nickname nelinha
já não sou vegetariana | self former_diet vegetariana
comecei Ozempic faz duas semanas | self medication ozempic
passei a levantar-me às dez | self wake_time dez
às 22h desligo tudo e durmo | self bedtime 22h
Tenho um casal: a Bia de 9 e o Otávio de 4 | bia relation filha
Tenho um casal: a Bia de 9 e o Otávio de 4 | otavio age 4 anos
O meu Armindo partiu no domingo | armindo event morte
Estou oficialmente divorciada do Otto | otto former_relation marido
Na verdade me confundi, a consulta é dia 29, olhei no papelzinho | self meeting consulta
Caminho na orla todo fim de tarde | self habit caminha na orla todo fim de tarde
Ao domingo vou sempre à missa das nove | self habit vai a missa das nove ao domingo
terças e quintas tenho pilates às 18h | self schedule tercas e quintas tenho pilates as 18h
aqui de Maringá não vejo praia | self residence maringa
moro em Floripa | self residence florianopolis
inverno é disparado minha estação preferida | self favorite_season inverno
bicho-preguiça é meu animal favorito | self favorite_animal bicho-preguica
já não vou fazer o mestrado | self dropped_goal fazer o mestrado
cresci testemunha de Jeová mas saí da religião aos 25 | self former_religion testemunha de jeova
calço 45 e só acho bota por encomenda | self None calca 45
meu filho menor é alérgico a leite | filho allergy leite
O livro que mais amo na vida é Torto Arado | self favorite_book torto arado
"""


def rows(table: str) -> list[str]:
    return [line for line in table.strip("\n").splitlines() if line]


@each([*rows(OTHER_MOUTHS.replace("isso\nPedro", "isso¶Pedro")), *rows(NOTHING)])
def test_nothing_is_kept_of_words_that_claim_nothing_of_the_speaker(text: str) -> None:
    assert told(text.replace("¶", "\n")) == []


@pytest.mark.parametrize("row", rows(BESIDE))
def test_what_is_added_ends_nothing(row: str) -> None:
    text, value = row.split(" | ")
    (one,) = [one for one in said(text) if fold(one.value or "") == value]
    assert not one.changed
    assert one.attribute in {None, "occupation"}


@each(rows(PARTED))
def test_a_break_up_ends_the_tie_and_changes_the_status(row: str) -> None:
    text, wanted = row.split(" | ")
    subject, value = wanted.split(" ")
    found = told(text)
    assert (subject, "former_relation", value) in found
    assert (subject, "relation", value) not in found
    assert any(attribute == "marital_status" for _, attribute, _ in found)
    assert all(one.changed for one in said(text) if one.attribute in {"former_relation", "marital_status"})


@each(rows(WORDED))
def test_it_is_worded_as_people_write(row: str) -> None:
    text, wanted = row.split(" | ")
    assert wanted in contents(text)


@each(rows(FOUND))
def test_it_is_found_of_the_right_one(row: str) -> None:
    text, wanted = row.split(" | ")
    subject, attribute, value = wanted.split(" ", 2)
    assert (subject, None if attribute == "None" else attribute, value) in told(text)


def test_leaving_is_said_only_where_one_lives_there_no_more() -> None:
    assert told("Não moro mais em Recife") == [("self", "former_residence", "recife")]
    assert told("Já não vivo em Braga") == [("self", "former_residence", "braga")]


def test_one_statement_is_kept_once() -> None:
    moves = [one for one in said("Me mudei pra Recife ontem, vim de vez pra Recife") if one.attribute == "event"]
    assert len(moves) == 1
    week = said("às terças busco os netos na escola às 17h30")
    assert len([one for one in week if one.attribute in {"habit", "schedule"}]) == 1
