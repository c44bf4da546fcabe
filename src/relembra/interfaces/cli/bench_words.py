"""The sentences of measuring, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

BENCH: dict[str, Pair] = {
    # names of the few
    "bench.method.relembra": ("Relembra", "Relembra"),
    "bench.method.bm25": ("words (BM25)", "palavras (BM25)"),
    "bench.method.vectors": ("vectors", "vetores"),
    "bench.method.hybrid": ("both summed", "soma dos dois"),
    "bench.level.turns": ("Messages", "Mensagens"),
    "bench.level.sessions": ("Conversations", "Conversas"),
    "bench.latency.recall": ("recall", "recall"),
    "bench.latency.load": ("load", "load"),
    "bench.latency.embed": ("embedding", "vetor só"),
    "bench.metric.relevance": ("relevance", "relevância"),
    "bench.metric.continuity": ("continuity", "continuidade"),
    "bench.metric.personalisation": ("personalisation", "personalização"),
    # on the way
    "bench.saving": ("Saving", "Guardando"),
    "bench.embedding": ("Embedding for comparison", "Vetores para comparar"),
    "bench.asking": ("Asking", "Perguntando"),
    "bench.playing": ("Playing scripts", "Encenando roteiros"),
    # answers
    "bench.about": (
        "{questions} asked of {messages} in {conversations}, in {memories}.",
        "{questions} sobre {messages} em {conversations}, em {memories}.",
    ),
    "bench.stopped": ("Stopped early: not everything was asked.", "Interrompido: nem tudo foi perguntado."),
    "bench.stopped.nothing": (
        "Stopped before anything was measured.",
        "Interrompido antes de medir qualquer coisa.",
    ),
    "bench.stopped.kept": (
        "Stopped before anything was measured. What is in {db} stays; the same command goes on from there.",
        "Interrompido antes de medir qualquer coisa. O que está em {db} fica; o mesmo comando continua dali.",
    ),
    "bench.left_out": (
        "Left out, for they have no evidence: {count}.",
        "De fora, por não terem evidência: {count}.",
    ),
    "bench.overall": ("all", "todas"),
    "bench.head.method": ("method", "método"),
    "bench.head.type": ("Relembra, by type of question", "Relembra, por tipo de pergunta"),
    "bench.fresh": ("newest first", "o novo antes"),
    "bench.fresh.line": ("Newest value first ({count})", "O valor novo antes ({count})"),
    "bench.context": ("Context", "Contexto"),
    "bench.context.line": (
        "{share} of the evidence in {tokens} tokens (budget {budget}, {messages} messages, {items} items)",
        "{share} da evidência em {tokens} tokens (limite {budget}, {messages} mensagens, {items} itens)",
    ),
    "bench.context.plain": (
        "{share} in {tokens} tokens (budget {budget})",
        "{share} em {tokens} tokens (limite {budget})",
    ),
    "bench.latency": ("Time", "Tempo"),
    "bench.times": ("p50 {p50} ms, p95 {p95} ms", "p50 {p50} ms, p95 {p95} ms"),
    "bench.times.ratio": (
        "p50 {p50} ms, p95 {p95} ms ({ratio} × embedding)",
        "p50 {p50} ms, p95 {p95} ms ({ratio} × vetor só)",
    ),
    "bench.page": ("Page written: {path}", "Página escrita: {path}"),
    "bench.probes": ("Passed: {passed} of {count}.", "Passaram: {passed} de {count}."),
    "bench.share": ("{share} of {n}", "{share} de {n}"),
    "bench.days": ("remembered after", "lembrado depois de"),
    "bench.days.mean": ("{n} days on average", "{n} dias em média"),
    "bench.tokens": ("tokens on average", "tokens em média"),
    "bench.failed": ("What did not pass", "O que não passou"),
    "bench.problem.missing": ("missing: {words}", "faltou: {words}"),
    "bench.problem.unwanted": ("should not be there: {words}", "não devia estar: {words}"),
    "bench.problem.outdated": ("outdated, yet held: {words}", "desatualizado, e ainda vale: {words}"),
    "bench.problem.unapplied": ("not known: {words}", "não se sabe: {words}"),
    # the page
    "bench.run.half": ("half: {value}", "metade: {value}"),
    "bench.run.pool": ("pool: {value}", "grupo: {value}"),
    "bench.run.embedder": ("embedder: {value}", "vetores: {value}"),
    "bench.page.title": ("Recall on {dataset}", "Recuperação em {dataset}"),
    "bench.page.curves": ("Share of evidence among the first", "Parte da evidência entre os primeiros"),
    "bench.page.types": ("Among the first five, by type of question", "Entre os cinco primeiros, por tipo de pergunta"),
    "bench.page.latency": ("Time taken", "Tempo gasto"),
    "bench.page.missed": ("Missed: {n}", "Sem acerto: {n}"),
    "bench.page.none_missed": (
        "Every question found something of its evidence among the first ten.",
        "Toda pergunta achou algo da sua evidência entre os dez primeiros.",
    ),
    "bench.page.method": ("method", "método"),
    "bench.page.plain": ("best plain: {n}", "melhor simples: {n}"),
    "bench.page.shown": ("evidence in {tokens} tokens", "evidência em {tokens} tokens"),
    "bench.page.context": ("BM25 in {tokens}: {n}", "BM25 em {tokens}: {n}"),
    "bench.page.ratio": ("{n} × embedding alone", "{n} × o vetor sozinho"),
    "bench.page.question": ("question", "pergunta"),
    "bench.page.expected": ("expected", "esperado"),
    "bench.page.first": ("came first", "veio primeiro"),
    "bench.page.more": ("and {n} more", "e mais {n}"),
    # mistakes
    "usage.choice": ("{option} is one of {choices}, not {word}.", "{option} é uma de {choices}, não {word}."),
    "usage.bench.dataset": (
        "say which data it is: --dataset {choices}.",
        "diga quais são os dados: --dataset {choices}.",
    ),
    "usage.bench.html": (
        "{path} cannot be written; name a file in a folder that is there.",
        "não dá para escrever em {path}; indique um arquivo numa pasta que exista.",
    ),
    "error.field.data": (
        "the data could not be used.",
        "os dados não servem.",
    ),
    "error.field.script": (
        "the script could not be used. docs/evaluation.md shows what one looks like.",
        "o roteiro não serve. docs/evaluation.md mostra como é um.",
    ),
    "error.field.kept": (
        "that file holds something else. Name a new one with --db, or remove it first.",
        "esse arquivo guarda outra coisa. Indique um novo com --db, ou apague esse antes.",
    ),
}
