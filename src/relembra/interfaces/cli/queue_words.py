"""The sentences of the queue of work and its times, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

QUEUE: dict[str, Pair] = {
    # tables and panels
    "jobs.left": (
        "Nothing is lost: what is due is done by relembra jobs run, or by whatever opens this memory next.",
        "Nada se perde: relembra jobs run faz o que já pode ser feito, ou o próximo programa que abrir esta memória.",
    ),
    "jobs.dead.how": (
        "To try the given-up again: relembra jobs retry",
        "Para tentar de novo o abandonado: relembra jobs retry",
    ),
    "jobs.full": (
        "There may be more than these; raise --limit.",
        "Pode haver mais do que isto; aumente o --limit.",
    ),
    "jobs.working": ("Working…", "Trabalhando…"),
    "jobs.working.left": ("Working… {count} left", "Trabalhando… faltam {count}"),
    "jobs.done": ("Done: {count}.", "Feito: {count}."),
    "jobs.done.one": ("Done: {work}.", "Feito: {work}."),
    "jobs.nothing": ("Nothing is due now.", "Nada para fazer agora."),
    "jobs.next": ("Next: {work}, {due}.", "O próximo: {work}, {due}."),
    "jobs.failed": ("Could not be done: {work}.", "Não deu para fazer: {work}."),
    "jobs.failed.some": ("Could not be done: {count}.", "Não deu para fazer: {count}."),
    "jobs.put_off": ("Not yet: {work}, {due}.", "Ainda não: {work}, {due}."),
    "jobs.put_off.busy": (
        "Not yet: {work}; another program is still learning from what was said. Run this again in a moment.",
        "Ainda não: {work}; outro programa ainda está aprendendo com o que foi dito. Rode de novo daqui a pouco.",
    ),
    "jobs.stopped": (
        "Stopped. What is done is kept; the rest is back in the queue, and relembra jobs run goes on with it.",
        "Interrompido. O que foi feito está guardado; o resto voltou para a fila, e relembra jobs run continua dali.",
    ),
    "jobs.cancelled": ("Taken out of the queue: {work}.", "Saiu da fila: {work}."),
    "jobs.cancelled.night": (
        "What it would have accounted for is not lost: the next night takes it along.",
        "O que ele contaria não se perde: a próxima noite leva junto.",
    ),
    "empty.jobs": (
        'Nothing waits to be done. Talk leaves work behind; try:\n  relembra save --said "I live in Recife."',
        'Nada na fila. Cada conversa deixa trabalho para depois; tente:\n  relembra save --said "Moro em Recife."',
    ),
    "empty.jobs.filtered": (
        "No queued work fits that. See all of it with: relembra jobs",
        "Nenhum trabalho na fila combina com isso. Veja tudo com: relembra jobs",
    ),
    "empty.jobs.person": ("Nothing waits to be done for {user}.", "Nada na fila para {user}."),
    # the doctor
    "doctor.nights": ("night work", "trabalho da noite"),
    "doctor.nights.never": (
        "none yet; the first night after something was said does it",
        "nenhum ainda; a primeira noite depois de alguma conversa faz",
    ),
    "doctor.nights.last": ("last {when}: {work}, {status}", "último {when}: {work}, {status}"),
    "doctor.nights.next": ("next {due}", "próximo {due}"),
    "doctor.nights.overdue": ("{count} overdue, the first for {span}", "{count} em atraso, o primeiro há {span}"),
    "doctor.nights.overdue.advice": (
        "relembra jobs run does it now; a program that keeps the memory open does it by itself at night",
        "relembra jobs run faz agora; um programa que mantém a memória aberta faz sozinho, à noite",
    ),
    "doctor.nights.trouble.advice": (
        "see relembra consolidations {id} {whose}; what is left is tried again by itself",
        "veja relembra consolidations {id} {whose}; o que falta se tenta de novo sozinho",
    ),
    # what went wrong
    "error.conflict.jobs_cancel": (
        "it is under way just now, or it is to note what was said, which only forgetting the conversation takes away.",
        "está em andamento neste momento, ou vai anotar o que foi dito, o que só some esquecendo a conversa.",
    ),
}
