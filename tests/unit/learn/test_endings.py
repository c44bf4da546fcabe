"""What a message ends, or puts in doubt, though no item says so: by a judge's word, and within plain rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from builders import ANA, NOW, a_message, an_item, days, minutes
from loops import each
from memories import Clock, a_memory, a_store
from readers import BARELY, HARDLY, SURE, UNSURE, NotationReader
from relembra import Memory
from relembra.domain.candidate import Effect
from relembra.domain.case import Outcome
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import Place
from relembra.domain.text import as_words, bare_words, is_words, quoted
from relembra.learn.decisions import Clash
from relembra.learn.endings import Turn, by_successor, clashes, holds_words, in_own_words, may_end, successor
from relembra.minds.port import Outside

FIRED = f"Fui demitido hoje (ends Vale {SURE})"
FOLDED = f"o time acabou, né (ends volleyball {UNSURE})"


async def said(memory: Memory, *texts: str, user: str = "ana", space: str | None = None) -> None:
    for text in texts:
        await memory.save(user=user, said=text, space=space)
    await memory.settle(flush=True)


async def held(memory: Memory, **wishes: object) -> list[str]:
    return sorted(item.content for item in await memory.list(user="ana", **wishes))  # type: ignore[arg-type]


async def only(memory: Memory, part: str) -> KnowledgeItem:
    [item] = [row for row in await memory.list(user="ana", history=True) if part in row.content]
    return item


async def test_a_message_ends_what_it_plainly_ends_by_its_own_words(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale] [likes=tea]")
    clock.move(days=30)
    await said(listener, FIRED)
    assert await held(listener) == ["Likes tea", f"“{FIRED}”"]
    job, words = await only(listener, "Works"), await only(listener, "“Fui")
    assert (job.superseded_by, job.held_until, job.confidence) == (words.id, clock.now, 0.95)
    assert (words.type, words.attribute, words.confidence, words.subject) == (KnowledgeType.MEMORY, None, SURE, "self")
    assert len(words.message_ids) == 1
    assert words.note_id is not None
    [case] = await listener.conflicts(user="ana")
    assert (case.case.outcome, case.case.judged_by, case.case.certainty) == (Outcome.NEW, "offline-notation@1", SURE)
    assert (case.old.id, case.new.id) == (job.id, words.id)
    trail = (await listener.history(job.id, user="ana")).trail
    assert [(entry.verb, entry.why) for entry in trail][-1] == ("supersede", "ended by what was said later")
    assert [hit.item.id for hit in await listener.search("Fui demitido", user="ana", limit=1)] == [words.id]


async def test_what_the_same_message_taught_of_the_same_matter_takes_its_place(listener: Memory, clock: Clock) -> None:
    await said(listener, "[habit=pilates] [likes=tea]")
    clock.move(days=1)
    await said(listener, f"Parei de fazer pilates, agora [habit=yoga] e [pet=um gato] (replaces pilates {SURE})")
    assert await held(listener) == ["Likes tea", "habit yoga", "pet um gato"]
    assert (await only(listener, "pilates")).superseded_by == (await only(listener, "yoga")).id
    [case] = await listener.conflicts(user="ana")
    assert case.case.why == "replaced by what was said later"


async def test_what_a_rule_ended_or_repeated_is_left_to_the_rule(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale]", "[likes=tea]")
    clock.move(days=1)
    await said(listener, f"[employment=Petrobras] (ends Vale {SURE})", f"[likes=tea] (ends tea {SURE})")
    assert await held(listener) == ["Likes tea", "Works at Petrobras"]
    [case] = await listener.conflicts(user="ana")
    assert case.case.judged_by == "rule"


async def test_one_message_may_end_several_things_and_doubt_others(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=tennis at the club] [event=dinner at the club@2026-12-24] [fact=swims at the pool]")
    clock.move(days=1)
    await said(listener, f"O clube fechou (ends club {SURE}) (ends pool {UNSURE})")
    [words] = [item for item in await listener.list(user="ana") if holds_words(item)]
    assert len([item for item in await listener.list(user="ana", history=True) if item.superseded_by == words.id]) == 2
    assert (await only(listener, "swims")).needs_resolution
    [opened] = await listener.conflicts(user="ana", open_only=True)
    assert (opened.new.id, opened.case.certainty) == (words.id, UNSURE)


@pytest.mark.parametrize("what", ["repeats", "details", "asks"])
async def test_what_repeats_details_or_asks_ends_nothing(what: str, listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale]")
    clock.move(days=1)
    await said(listener, f"ainda na Vale ({what} Vale {SURE})", f"talvez eu saia (ends Vale {HARDLY})")
    assert (await held(listener), await listener.conflicts(user="ana")) == (["Works at Vale"], [])


async def test_who_tells_of_one_matter_at_most_puts_another_in_doubt(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale] [hobby=tennis]")
    clock.move(days=1)
    await said(listener, f"agora [residence=Recife] (ends Vale {SURE}) (ends tennis {BARELY})")
    rows = await listener.list(user="ana")
    assert {row.content: row.needs_resolution for row in rows if not is_words(row.content)} == {
        "Lives in Recife": False,
        "Works at Vale": True,
        "hobby tennis": False,
    }


async def test_who_died_and_who_was_left_is_in_doubt_whatever_the_judge_says(listener: Memory, clock: Clock) -> None:
    await said(listener, "[Tom.pet=dog]", "[Jack.relation=boyfriend]", "[Ana.relation=sister]")
    clock.move(days=1)
    await said(listener, "o Tom morreu ontem (ends nothing 0.1)")
    await said(listener, "[former_marital_status=over] (ends nothing 0.1)")
    rows = {row.subject: row.needs_resolution for row in await listener.list(user="ana") if not is_words(row.content)}
    assert (rows["Tom"], rows["Jack"], rows["Ana"]) == (True, True, False)


def test_words_that_were_learnt_whole_are_not_kept_twice_for_what_they_doubt() -> None:
    message = a_message(text="We broke up.", scope=ANA, author="ana", sent_at=NOW)
    words = an_item(scope=ANA, attribute="former_marital_status", content="“we broke up”")
    doubted = [Clash(an_item(scope=ANA), "perhaps over", None)]
    assert by_successor(doubted, [an_item(scope=ANA), words], message) == [(words, doubted)]
    assert by_successor(doubted, [an_item(scope=ANA)], message) == [(None, doubted)]


async def test_what_was_learnt_elsewhere_is_not_ended(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale]")
    await said(listener, "[hobby=tennis]", space="g1")
    clock.move(days=1)
    await said(listener, f"saí da firma (ends Vale {SURE})", space="g1")
    await said(listener, f"chega de esporte (ends tennis {SURE})")
    await said(listener, f"acabou tudo (ends tennis {SURE}) (ends Vale {SURE})", space="g2")
    assert await held(listener) == ["Works at Vale", "hobby tennis"]
    await said(listener, f"chega (ends tennis {SURE})", space="g1")
    assert "hobby tennis" not in await held(listener)


async def test_what_was_said_before_ends_nothing_said_after_it(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale]")
    await listener.save(user="ana", said=FIRED, at=clock.now - days(400))
    await listener.settle(flush=True)
    assert await held(listener) == ["Works at Vale"]


async def test_reading_a_message_again_changes_nothing(listener: Memory, reader: NotationReader, clock: Clock) -> None:
    await said(listener, "[employment=Vale] [hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FIRED, FOLDED)
    before = await listener.list(user="ana", history=True)
    messages = [row for row in await listener.messages(user="ana") if "(ends" in row.text]
    talk = await listener._listening.talk(ANA, messages)
    digest = await reader.digest(talk)
    for turning in (digest.turning, ()):
        learnt = await listener._learner.learn(ANA, messages, (), note_id=None, talk=talk, turning=turning)
        assert (learnt.added, learnt.ended, learnt.opened) == ([], [], [])
    assert await listener.list(user="ana", history=True) == before


async def test_at_most_eight_statements_are_judged(listener: Memory, reader: NotationReader, clock: Clock) -> None:
    facts = (f"[fact=chess number {number}]" for number in range(12))
    await said(listener, *facts, "[Tom.pet=dog] [fact=plays chess]")
    clock.move(days=1)
    await said(listener, f"o Tom morreu ontem, plays chess (ends nothing {UNSURE})")
    [(_, asked)] = reader.judged
    assert (len(asked), asked[0]) == (8, "Tom: pet dog")
    assert "plays chess" in asked[:2]


async def test_a_reader_elsewhere_is_told_nothing_of_what_is_held(tmp_path: Path, clock: Clock) -> None:
    away, here = NotationReader(name="model:x"), NotationReader()
    async with a_memory(
        await a_store("memory", tmp_path), clock=clock, reader=here, model=away, outside=Outside(reader=True)
    ) as memory:
        await memory.add("takes zoltanib", user="ana", local_only=True)
        await memory.save(user="ana", said=f"parei com isso (ends zoltanib {SURE})", space=None)
        await memory.settle(flush=True)
        assert away.judged == []
        [case] = await memory.conflicts(user="ana")
        assert case.case.judged_by == here.name
        [words] = [item for item in await memory.list(user="ana") if holds_words(item)]
        assert words.local_only


async def test_a_preview_says_what_would_end_or_be_asked(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale] [hobby=volleyball]")
    clock.move(days=1)
    [ended] = await listener.preview(FIRED, user="ana")
    [doubted] = await listener.preview(FOLDED, user="ana")
    assert (ended.verdict, [old.content for old in ended.against]) == ("replace", ["Works at Vale"])
    assert (doubted.verdict, [old.content for old in doubted.against]) == ("ask", ["hobby volleyball"])
    assert await held(listener) == ["Works at Vale", "hobby volleyball"]


async def test_what_may_be_over_is_asked_about_and_a_yes_ends_it(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FOLDED)
    game = await only(listener, "hobby")
    assert (game.needs_resolution, game.superseded_at) == (True, None)
    asked = (await listener.load(user="ana", query="hello")).question
    assert asked is not None
    assert "“hobby volleyball”" in asked.text
    assert quoted(FOLDED) in asked.text
    await listener.settle()
    clock.move(minutes=1)
    await listener.save(user="ana", said="oi", replied=asked.text)
    clock.move(minutes=1)
    await said(listener, "sim, mudou")
    assert (await only(listener, "hobby")).superseded_by == (await only(listener, "“o time")).id
    assert await listener.conflicts(user="ana", open_only=True) == []


async def test_confirming_what_is_in_doubt_settles_it(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FOLDED)
    game = await listener.validate((await only(listener, "hobby")).id, user="ana")
    assert (game.validated, game.needs_resolution) == (True, False)
    assert (await only(listener, "“o time")).superseded_by == game.id
    assert await listener.conflicts(user="ana", open_only=True) == []


async def test_deleting_or_undoing_the_words_takes_the_doubt_away(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FOLDED)
    await listener.delete((await only(listener, "“o time")).id, user="ana")
    assert not (await only(listener, "hobby")).needs_resolution
    clock.move(days=1)
    await said(listener, f"acabou mesmo (ends volleyball {UNSURE})")
    game = await only(listener, "hobby")
    assert game.needs_resolution
    await listener.undo(game.id, user="ana")
    assert not (await only(listener, "hobby")).needs_resolution
    assert await listener.conflicts(user="ana", open_only=True) == []


async def test_the_night_closes_a_doubt_when_the_item_was_said_again(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FOLDED)
    await listener.consolidate(user="ana")
    assert (await only(listener, "hobby")).needs_resolution
    clock.move(days=1)
    await said(listener, "[hobby=volleyball]")
    run = await listener.consolidate(user="ana")
    game, words = await only(listener, "hobby"), await only(listener, "“o time")
    assert (game.needs_resolution, game.validated, words.superseded_by) == (False, False, game.id)
    [conflict] = await listener.conflicts(user="ana")
    assert (conflict.case.outcome, conflict.case.settled_by) == (Outcome.OLD, "program:relembra")
    [entry] = [one for one in (await listener.history(words.id, user="ana")).trail if one.verb == "resolve"]
    assert (entry.why, entry.change) == ("said again since", conflict.case.change)
    assert run is not None
    assert entry.change in run.changes
    back = await listener.reopen(conflict.id)
    assert (back.case.outcome, back.new.superseded_at) == (Outcome.UNDONE, None)


async def test_the_night_closes_a_doubt_about_what_a_rule_ended(listener: Memory, clock: Clock) -> None:
    await said(listener, "[employment=Vale]")
    clock.move(days=1)
    await said(listener, f"acho que acabou (ends Vale {UNSURE})")
    clock.move(days=1)
    await said(listener, "[employment=Petrobras]")
    await listener.consolidate(user="ana")
    assert await listener.conflicts(user="ana", open_only=True) == []
    assert not any(item.needs_resolution for item in await listener.list(user="ana", history=True))


async def test_an_old_doubt_stays_shown_and_is_asked_about_no_more(listener: Memory, clock: Clock) -> None:
    await said(listener, "[hobby=volleyball]")
    clock.move(days=1)
    await said(listener, FOLDED)
    clock.move(days=91)
    await said(listener, "[likes=tea]")
    await listener.consolidate(user="ana")
    context = await listener.load(user="ana", query="volleyball")
    assert context.question is None
    assert "disse: " in (await listener.load(user="ana", query="volleyball", language="pt")).text
    assert len(await listener.conflicts(user="ana", open_only=True)) == 1


def test_who_may_end_what() -> None:
    message = a_message(scope=ANA, author="ana", text="over", sent_at=NOW)
    old = an_item(scope=ANA, held_from=NOW - days(1))
    assert may_end(old, message, NOW)
    assert not may_end(replace(old, superseded_at=NOW), message, NOW)
    assert not may_end(replace(old, message_ids=(message.id,)), message, NOW)
    assert not may_end(replace(old, speaker="bia"), message, NOW)
    assert not may_end(old, replace(message, author="bia"), NOW)
    assert may_end(replace(old, speaker="bia"), replace(message, author="Bia"), NOW)
    assert not may_end(replace(old, place=Place("g", "c")), message, NOW)
    assert not may_end(old, replace(message, place=Place("g", "c")), NOW)
    assert not may_end(replace(old, type=KnowledgeType.MEMORY), message, NOW)
    assert may_end(replace(old, type=KnowledgeType.MEMORY, held_from=NOW + days(3)), message, NOW)


def test_a_successor_is_of_the_same_subject_and_matter() -> None:
    old = an_item(attribute="employment", value="Vale")
    over, other = an_item(attribute="former_employment"), an_item(attribute="pet")
    assert successor(old, [other, over]) is over
    assert successor(old, [other, replace(over, subject="Tom")]) is None
    assert successor(replace(old, local_only=True), [over]) is None
    assert successor(replace(old, attribute=None), [an_item(attribute=None)]) is None
    lost = an_item(type=KnowledgeType.MEMORY, attribute="event", area=LifeArea.CAREER)
    assert successor(replace(old, area=LifeArea.CAREER), [other, lost]) is lost
    assert successor(replace(old, area=LifeArea.CAREER), [lost, over]) is over
    assert successor(replace(old, area=LifeArea.LEISURE), [lost]) is None
    assert successor(replace(old, area=LifeArea.LEISURE), [other, replace(lost, area=None)]) is not None


def test_the_words_of_a_message_are_kept_short_and_in_quotation_marks() -> None:
    message = a_message(scope=ANA, author="ana", text="acabou “de vez”\n" + "muito " * 60, sent_at=NOW - minutes(1))
    old = an_item(scope=ANA)
    [clash] = clashes(Turn(message, {old.id: Effect(ends=1.0)}, "j"), {old.id: old}, policy=LearnPolicy(), now=NOW)
    words = in_own_words(Turn(message, {}, "j", "pt"), [clash], id="w", scope=ANA, note_id=None, now=NOW)
    assert words.content.startswith('“acabou "de vez" muito')
    assert words.content.endswith("…”")
    assert len(words.content) <= 162
    assert holds_words(words)
    assert (words.language, words.held_from) == ("pt", NOW - timedelta(minutes=1))


def test_words_are_quoted_once() -> None:
    assert (as_words("a <b>"), quoted("“a <b>”")) == ("“a <b>”", "“a &lt;b&gt;”")
    assert (quoted("“a” e “b”"), bare_words("“a”")) == ('“"a" e "b"”', "a")
    assert not is_words("“a” b")


async def test_who_names_another_medicine_says_nothing_of_this_one(listener: Memory, clock: Clock) -> None:
    await said(listener, "[medication=sertraline 50 mg]")
    clock.move(days=1)
    await said(listener, f"[medication=metformin 500 mg] (ends sertraline {SURE})")
    assert await held(listener) == ["medication metformin 500 mg", "medication sertraline 50 mg"]


async def test_a_dose_that_may_be_of_two_medicines_ends_neither(listener: Memory, clock: Clock) -> None:
    await said(listener, "[medication=sertraline 50 mg] [medication=metformin 500 mg]")
    clock.move(days=1)
    await said(listener, f"[medication=75] (ends sertraline {SURE})")
    rows = {row.value: row.needs_resolution for row in await listener.list(user="ana") if not is_words(row.content)}
    assert (rows["sertraline 50 mg"], rows["metformin 500 mg"]) == (True, False)


@each([("Laura.relation=wife", "[marital_status=divorced]", True),
     ("Laura.relation=girlfriend", "[marital_status=single again]", True),
     ("Laura.relation=girlfriend", "[marital_status=divorced]", False),
     ("Laura.relation=ex-wife", "[marital_status=single]", False),
     ("Laura.relation=namorada", "[former_marital_status=solteiro]", False),
     ("Laura.relation=wife", "[Katia.former_marital_status=over]", False),
     ("Ben.age=8", "Rex died on Saturday. Ben won't stop crying.", False)])  # fmt: skip
async def test_whom_a_death_or_the_end_of_a_couple_puts_in_doubt(
    tie: str, said_now: str, is_doubted: bool, listener: Memory, clock: Clock
) -> None:
    user = f"{tie} {said_now}"
    await said(listener, f"[{tie}]", user=user)
    clock.move(days=1)
    await said(listener, f"{said_now} (ends nothing 0.1)", user=user)
    [row] = [row for row in await listener.list(user=user) if tie.startswith(f"{row.subject}.{row.attribute}=")]
    assert row.needs_resolution is is_doubted


@each(
    [
        ("medication=sertraline 50 mg", "I ran out of it", "sertraline"),
        ("medication=sertralina 50 mg", "acabou, só chega segunda", "sertralina"),
        ("habit=volleyball", "no volleyball today, I skipped it", "volleyball"),
        ("Pipoca.relation=cat", "Mingau died", "Pipoca"),
    ]
)
async def test_what_ran_out_was_skipped_or_is_anothers_goes_on(
    known: str, words: str, ended: str, listener: Memory, clock: Clock
) -> None:
    await said(listener, f"[{known}]", user=known)
    clock.move(days=1)
    await said(listener, f"{words} (ends {ended} {SURE})", user=known)
    [row] = await listener.list(user=known)
    assert not row.needs_resolution


async def test_a_trip_that_is_called_off_puts_the_plans_in_doubt_it_may_mean(listener: Memory, clock: Clock) -> None:
    await said(listener, "[event=Lisbon@2027-03-01] [residence=Leeds]")
    clock.move(days=1)
    await said(listener, "[former_event=the trip] (ends nothing 0.1)")
    rows = {row.value: row.needs_resolution for row in await listener.list(user="ana") if not is_words(row.content)}
    assert (rows["Lisbon"], rows["Leeds"]) == (True, False)
