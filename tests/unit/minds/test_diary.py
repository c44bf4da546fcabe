"""What messages tell of a day, in both languages: who did it, whether it was so, and which day it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from builders import NOW, a_message, an_item, ids_of
from loops import each
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Message
from relembra.minds.offline.diary import OfflineObserver, lexicon_of, noticed

WEDNESDAY = 2
TOLD = {
    "state.sleep+": [
        "Dormi muito bem hoje, acordei descansada.", "Fiz yoga e dormi como uma pedra", "não dormi mal, na verdade",
        "dormi 8 horas", "Slept really well last night.", "I slept like a log", "Good night's sleep, finally.",
    ],
    "state.sleep-": [
        "Não dormi bem essa noite.", "não consegui dormir, fiquei rolando na cama", "Insônia de novo",
        "dormi só 4 horas", "Não estou dormindo bem",
        "Didn't sleep well at all.", "I couldn't sleep again.", "I barely slept",
        "I've been sleeping badly",
    ],
    "activity.exercise+": [
        "Fui correr de manhã e depois trabalhei normal.", "treinei pernas", "Acordei cedo e fui pra academia",
        "Went for a run before work.", "didn't drink and ran 5k this morning", "I hit the gym", "Did some yoga today",
    ],
    "activity.exercise-": [
        "Não fui correr hoje, choveu.", "não fui pra academia de novo", "Faltei na academia.", "Hoje não teve academia",
        "Sem academia hoje", "Three days without any exercise",
        "I didn't go running today.", "Skipped the gym again.", "No gym today.", "I haven't exercised in days",
    ],
    "state.energy-": ["tô exausta", "Woke up tired, no energy", "Exausto depois do trabalho"],
    "activity.alcohol+": ["bebi vinho demais", "Had two glasses of wine with dinner"],
    "activity.alcohol-": ["Não bebi hoje.", "I didn't drink anything"],
    "activity.headache+": ["hoje estou com dor de cabeça", "had a terrible headache all afternoon"],
    "activity.headache-": ["Não tive dor de cabeça", "no headache today"],
    "activity.overspending+": ["Gastei demais no cartão por impulso", "Spent too much money on clothes"],
    "activity.argument+": ["Briguei com meu namorado", "I argued with my boss"],
    "activity.overtime+": ["Trabalhei até tarde de novo", "I worked late again"],
    "activity.meditation+": ["Meditei 10 minutos", "I meditated this morning"],
    "feeling.anxious.deadlines+": [
        "Estou muito ansiosa com o prazo do projeto.", "Ansioso de novo com a entrega de sexta.",
        "O prazo do projeto me deixa ansiosa.", "I'm so anxious about the deadline.", "Deadlines make me anxious.",
        "The project deadline makes me nervous",
    ],
    "feeling.anxious.interviews-": [
        "não fiquei nada nervosa na entrevista", "I wasn't nervous before the interview at all",
    ],
    "feeling.anxious.work-": ["menos ansiosa com o trabalho hoje", "I feel less anxious about work"],
    "feeling.anxious.work+": [
        "Tive uma crise de ansiedade por causa do trabalho", "Anxious about work again.",
        "Estou ansioso com a viagem de trabalho", "I'm anxious about the work trip",
    ],
    "feeling.angry.partner+": [
        "Briguei com meu namorado de novo, fiquei com muita raiva", "Argued with my boyfriend, I'm really angry",
    ],
    "feeling.worried.mother+": ["estou preocupada com a minha mãe", "I was worried about my mom"],
    "feeling.sad.ex+": ["Acordei triste por causa do meu ex", "I cried about my ex"],
    "feeling.happy.work+": ["Fiquei muito feliz com a promoção no trabalho", "I'm happy about the new job"],
    "feeling.lonely+": ["Me sinto sozinha aqui", "I feel so lonely"],
}  # fmt: skip
SILENT = [
    "Vou correr amanhã cedo.", "Queria ter ido correr mas não deu", "Minha mãe dormiu mal essa noite.",
    "Ela estava muito ansiosa com a prova.", "meu chefe estava irritado hoje", "costumo dormir bem",
    "Se eu correr hoje durmo melhor", "Será que dormi bem?", "o dia estava triste", "minha mãe está com insônia",
    "corri pra pegar o ônibus", '"estou ansiosa", disse a Marta', "semana passada corri muito",
    "Feliz aniversário, Ana!",
    "I want to go for a run tomorrow.", "My sister went running this morning.", "My brother slept badly.",
    "She felt anxious about her exam", "I usually sleep well.", "My boss was angry at me", "ran out of milk",
    "the program ran for 10 minutes", "I'm down for pizza", "my mom has a headache", "Happy birthday Ana!",
    "Dora regretted her tattoo.", "Alice cried at her jab", "nothing beats a Sunday for me, blue since birth",
    "Hope you're doing well.", "shoe size 13 wide, it's a nightmare", "I studied from 2005 to 2009", "É leve.",
    "kkkk tô chorando de rir", "esse mês gastei demais", "when I'm upset I need space", "meu chefe é bravo",
    "Did you sleep well?", "If I slept well I would run", "I'm alone at home", "last year I went running a lot",
    "Minha irmã está triste com o divórcio.", "Meu chefe está ansioso com o prazo.", "O Tom dormiu mal.",
    "Tom estava ansioso com o trabalho.", "Tom está sem energia.", "O Tom está com dor de cabeça.",
    "A dor de cabeça da minha mãe voltou.", "Insônia do Tom de novo.", "Acho que o Tom está ansioso com o prazo.",
    "My sister is sad about the divorce.", "My boss is anxious about the deadline.", "Tom slept badly.",
    "Tom was anxious about work.", "Tom has no energy.", "Tom had a headache.", "Tom's headache is back.",
    "My mother's headache is back.", "Tom has insomnia again.", "I think Tom is anxious about the deadline.",
]  # fmt: skip


@each([(key, text) for key, texts in TOLD.items() for text in texts])
def test_what_is_told(key: str, text: str) -> None:
    found = {f"{one.feature.key}{'+' if one.polarity > 0 else '-'}" for one in noticed(text, WEDNESDAY)}
    assert key in found
    assert key[:-1] + ("-" if key[-1] == "+" else "+") not in found


@each(SILENT)
def test_what_tells_nothing_of_ones_own_day(text: str) -> None:
    assert noticed(text, WEDNESDAY) == []


@each([
        ("Ontem corri 5 km", 1), ("No sábado corri 10 km", 4), ("anteontem fui correr", 2), ("corri hoje", 0),
        ("Yesterday I ran 5k.", 1), ("On Saturday I went hiking", 4), ("I went running", 0),
    ])  # fmt: skip
def test_the_day_that_is_meant(text: str, days_ago: int) -> None:
    assert [(one.feature.name, one.days_ago) for one in noticed(text, WEDNESDAY)] == [("exercise", days_ago)]


@each(["Ontem à noite dormi mal", "Yesterday night I slept badly"])
def test_last_night_belongs_to_this_morning(text: str) -> None:
    assert [(one.feature.name, one.days_ago) for one in noticed(text, WEDNESDAY)] == [("sleep", 0)]


def test_two_days_in_one_sentence() -> None:
    found = noticed("Ontem bebi vinho demais e hoje estou com dor de cabeça.", WEDNESDAY)
    assert {(one.feature.name, one.days_ago) for one in found} == {("alcohol", 1), ("headache", 0)}


def test_a_million_characters_are_read_in_part() -> None:
    assert noticed("Dormi mal. " + "não " * 250_000, WEDNESDAY) == noticed("Dormi mal.", WEDNESDAY)


def test_both_languages_tell_of_the_same_features() -> None:
    portuguese, english = lexicon_of("pt"), lexicon_of("en")
    assert {one.feature for one in portuguese.tellings} == {one.feature for one in english.tellings}
    assert {one.feature for one in portuguese.feelings} == {one.feature for one in english.feelings}
    assert [name for name, _ in portuguese.felt] == [name for name, _ in english.felt]
    assert [topic for topic, _ in portuguese.topics] == [topic for topic, _ in english.topics]
    assert len(portuguese.weekdays) == len(english.weekdays) == 7


def spoken(text: str, hour: int = 22) -> Message:
    return a_message(text=text, sent_at=datetime(2026, 3, 2, hour, 30, tzinfo=UTC), zone="-03:00")


async def test_a_day_is_the_speakers_own() -> None:
    [late] = await OfflineObserver().observe([spoken("estou ansiosa", hour=2)])
    assert (late.day.isoformat(), late.day.weekday()) == ("2026-03-01", 6)
    [elsewhere] = await OfflineObserver().observe([a_message(text="estou ansiosa", zone="Moon/Tranquility")])
    assert elsewhere.day == NOW.date()


async def test_a_feeling_that_was_learnt_counts_on_the_days_it_was_said() -> None:
    said = [spoken("that again…"), spoken("I'm anxious about deadlines")]
    item = an_item(
        type=KnowledgeType.EMOTION, value="anxious about deadlines", message_ids=(said[0].id, said[1].id, "gone")
    )
    found = await OfflineObserver().observe(said, [item, an_item(value="anxious about deadlines")])
    assert [(one.feature.key, one.message_id) for one in found] == [
        ("feeling.anxious.deadlines", said[1].id),
        ("feeling.anxious.deadlines", said[0].id),
    ]


async def test_what_others_feel_or_say_one_feels_is_no_feeling_of_ones_own() -> None:
    said = [spoken("that again…"), spoken("de novo isso")]
    theirs = an_item(
        type=KnowledgeType.EMOTION, subject="sister", value="sad about the divorce", message_ids=tuple(ids_of(said))
    )
    claimed = an_item(
        type=KnowledgeType.EMOTION, speaker="Bia", value="triste com o divórcio", message_ids=tuple(ids_of(said))
    )
    assert await OfflineObserver().observe(said, [theirs, claimed]) == []
    own = replace(claimed, speaker=None)
    assert len(await OfflineObserver().observe(said, [theirs, own])) == 2
