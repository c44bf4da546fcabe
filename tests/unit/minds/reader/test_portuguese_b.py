"""The frames of the Portuguese grammar for people, health, tastes, days, goals and feelings, said in passing."""

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


OF_THE_SPEAKER = """
casada há 12 anos, dois filhos | marital_status casada
moramos amasiados faz 3 anos | marital_status uniao estavel
vivo em união de facto desde 2014 | marital_status uniao estavel
nunca me casei | marital_status solteiro(a)
casei de novo aos 60 | marital_status casado
pai de 3 meninas e cansado | children 3 meninas
zero filhos, só plantas | children nenhum
minha rinite tá atacada hoje | condition rinite
diagnosticaram-me glaucoma na consulta | condition glaucoma
o exame deu anemia falciforme | condition anemia falciforme
hipertensa há dez anos e teimosa | condition hipertensa
não enxergo direito do olho esquerdo | condition nao enxerga direito do olho esquerdo
não posso com dipirona, fico toda empolada | allergy dipirona
camarão? me fecha a garganta | allergy camarao
dipirona jamais! sou alérgica | allergy dipirona
lactose e eu não nos damos, intolerância confirmada | intolerance lactose
o gastro chamou de intolerância a frutanos | intolerance frutanos
sertralina 50 de manhã, sagrado | medication sertralina 50
tô no terceiro mês de roacutan | medication roacutan
ando anticoagulado com varfarina | medication varfarina
sigo a dieta mediterrânica à risca | diet mediterranica a risca
tô há 40 dias sem açúcar | diet sem acucar
vegetariana desde 2019 | diet vegetariana
bati 103 quilo | weight 103 quilo
sou baixinha, 1.58 | height 1.58
doador universal aqui, O negativo | blood_type o negativo
piro em piseiro | likes piseiro
não resisto a pão de queijo | likes pao de queijo
o que eu mais gosto é viajar sozinha | likes viajar sozinha
sou mais chá do que café | likes cha
apaixonada por trem antigo | likes trem antigo
jiló? deus me livre | dislikes jilo
tomo ranço de gente que fura fila | dislikes gente que fura fila
nunca fui com a cara de praia lotada | dislikes praia lotada
coentro não desce de jeito nenhum | dislikes coentro
eu era louco por rodeio | former_likes rodeio
roxo ganha de qualquer cor | favorite_color roxo
o filme da minha vida é Cidade de Deus | favorite_movie cidade de deus
de todas as estações, fico com o outono | favorite_season outono
livro da vida: Capitães da Areia | favorite_book capitaes da areia
sou Corinthians desde criança | favorite_team corinthians
solto pipa toda semana | habit solta pipa toda semana
todo santo dia, chova ou faça sol, dou quatro voltas no açude | habit da quatro voltas no acude
não durmo sem ver um episódio | habit nao dorme sem ver um episodio
meu despertador grita 4h20 todo dia | wake_time 4h20
acordo com as galinhas, lá pelas 4 e meia | wake_time la pelas 4 e meia
dez da noite eu já tô na rede | bedtime dez da noite
capoto lá pelas 3 da matina | bedtime pelas 3 da matina
meu turno termina às 22h | schedule meu turno termina as 22h
pega leve nos termos técnicos | communication pega leve nos termos tecnicos
o plano é vazar pra Portugal em 2027 | goal vazar pra portugal em 2027
até dezembro eu viro faixa preta | goal virar faixa preta
queria ganhar alguma massa muscular | goal ganhar alguma massa muscular
joguei a toalha do mestrado | dropped_goal mestrado
aquela ideia de abrir hamburgueria? enterrei | dropped_goal abrir hamburgueria
passei 15 dias em Jericoacoara | event viagem: jericoacoara
desde o enfarte eu caminho mais | event enfarte
minha casa pegou fogo em 2019 | event casa pegou fogo em 2019
fico na bad quando vejo foto dela | emotion fico na bad (quando vejo foto dela)
a papelada das Finanças tira-me o sono | emotion tira-me o sono (papelada das financas)
me emociono com música antiga | emotion se emociona com musica antiga
"""

OF_OTHERS = """
a vó Zefinha mora no sítio | zefinha relation vo
quem me criou foi tia Lurdinha | lurdinha relation tia
mainha aplica insulina 3x no dia | mainha medication insulina
minha mãe toma 20 mg de insulina | mae medication insulina 20 mg
o Tom está tomando 50 mg de losartana | tom medication losartana 50 mg
painho é hipertenso | painho condition hipertenso
adotei duas gatas do lixão, Kitana e Mileena | mileena relation gata
criei dois sobrinhos, o Jonas e a Ester | ester relation sobrinha
minha professora de piano, dona Lourdes, morreu | lourdes relation professora
meu padrinho no NA é o Fabrício | fabricio relation padrinho
tenho um filho autista | filho condition autista
preciso de um presente pra minha prima advogada | prima occupation advogada
a Rosângela, minha cunhada, contadora das boas | rosangela occupation contadora
meu marido alemão odeia calor | marido nationality alemao
minha mãe está com Parkinson | mae condition parkinson
minha neta Lavínia incha com amendoim | lavinia allergy amendoim
aplico insulina na minha sogra toda noite | sogra medication insulina
pulseira da minha filha Heloísa: tipo A negativo | heloisa blood_type a negativo
enterrámos o meu irmão Aurélio no sábado | aurelio event morte
sou pai solo do Benício | benicio relation filho
nasceu a Maitê, minha neta | maite birthday 10/03/2026
"""

NOT_SAID = """
casei com esse bug hoje
isso deixa um gosto de sabão
Preciso comprar um carro pra família
a gata da minha irmã pariu e eu fiquei com um
PROMOÇÃO: chame no direct
a Anitta nasceu no Rio e é vegana
"""


def rows(table: str) -> list[str]:
    return [line for line in table.strip().splitlines() if line]


@each(rows(OF_THE_SPEAKER))
def test_what_the_speaker_says_in_passing_is_found(row: str) -> None:
    text, _, wanted = row.rpartition(" | ")
    attribute, _, value = wanted.partition(" ")
    found = [(one.subject, one.attribute, fold(one.value or "")) for one in said(text)]
    assert any(one[:2] == ("self", attribute) and one[2].startswith(value) for one in found), found


@each(rows(OF_OTHERS))
def test_what_is_said_of_others_is_theirs(row: str) -> None:
    text, _, wanted = row.rpartition(" | ")
    name, attribute, value = wanted.split(" ", 2)
    found = [(fold(one.subject), one.attribute, fold(one.value or "")) for one in said(text)]
    assert (name, attribute, value) in found


@pytest.mark.parametrize("text", rows(NOT_SAID))
def test_what_only_looks_like_a_fact_is_left_alone(text: str) -> None:
    assert not said(text)


@pytest.mark.parametrize("text", ["agora sou vegana", "sou vegano agora", "virei vegetariana"])
def test_a_turn_in_what_one_eats_is_a_change(text: str) -> None:
    assert [one.changed for one in said(text) if one.attribute == "diet"] == [True]


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("sou vegano desde 2019", "diet"),
        ("sou viúvo desde 2019", "marital_status"),
        ("tenho asma desde 2019", "condition"),
        ("tomo losartana desde 2019", "medication"),
    ],
)
def test_since_when_is_kept(text: str, attribute: str) -> None:
    (one,) = [one for one in said(text) if one.attribute == attribute]
    assert one.held_from is not None
    assert one.held_from.year == 2019


def test_a_feeling_read_by_two_rules_is_said_once() -> None:
    assert len([one for one in said("fico com raiva quando me interrompem") if one.attribute == "emotion"]) == 1
