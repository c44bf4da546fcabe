"""The help texts of night work, as in `manual`."""

from __future__ import annotations

from relembra.interfaces.words import Pair

NIGHT_MANUAL: dict[str, Pair] = {
    "group.tended": ("Night work", "O trabalho da noite"),
    "help.consolidate": (
        "Do the work of the night now.\nWhat was said since the last time is gone through: what is new, what changed, "
        "what says the same; the compact memory is rewritten, and a record is kept.",
        "Faz já o trabalho da noite.\nRepassa o que foi dito desde a última vez: o que é novo, o que mudou, o que diz "
        "o mesmo; a memória compacta é reescrita, e fica um registro.",
    ),
    "help.consolidations": (
        "Show the records of the nights, newest first, or one as a difference.\nWith an ID: + new, ~ changed from what "
        "to what, − ended, ⇒ merged, ▾ put away.",
        "Mostra os registros das noites, do mais novo ao mais antigo, ou as diferenças de um.\nCom um ID: + novo, "
        "~ mudou de quê para quê, − terminou, ⇒ juntado, ▾ arquivado.",
    ),
    "help.rollback": (
        "Take back everything a night did.\nWhat somebody changed since stays as it is. Asks first, and says how to "
        "undo it.",
        "Desfaz tudo o que uma noite fez.\nO que alguém mudou depois fica como está. Pergunta antes, e diz como voltar "
        "atrás.",
    ),
    "help.garden": (
        "Tend the memory now: merge, fade, put away, shorten.\nIt comes by itself once a week. What you confirmed is "
        "never touched.",
        "Cuida da memória já: junta, enfraquece, arquiva, encurta.\nVem sozinho uma vez por semana. O que você "
        "confirmou não se toca.",
    ),
    "help.insights": (
        "Show what recurs: feelings, times, things that go together.\nStatistics find it; each says on how many days "
        "it rests and how weak it is.",
        "Mostra o que se repete: sentimentos, horários, coisas que andam juntas.\nQuem acha é a estatística; cada uma "
        "diz em quantos dias se apoia e quão fraca é.",
    ),
    "help.report": (
        "Write the report of a week or a month.\nOf the last one that is over (or the one going on, where nothing "
        "happened before), or of the one a day lies in. It is kept as a note.",
        "Escreve o relatório de uma semana ou de um mês.\nDo último que acabou (ou do que está em curso, se nele nada "
        "aconteceu), ou daquele em que cai um dia. Fica guardado como nota.",
    ),
    "help.appointment": (
        "Write what to tell a doctor or another professional.\nSymptoms, medication, what changed since the last time, "
        "and questions; for the next appointment known, kept as a note.",
        "Escreve o que contar ao médico ou a outro profissional.\nSintomas, remédios, o que mudou desde a última vez e "
        "perguntas; para a próxima consulta conhecida, guardado como nota.",
    ),
    "help.jobs": (
        "Show the work in the queue, the next due first.\nEverybody's; with --user or the setting user, that person's.",
        "Mostra o trabalho na fila, o próximo primeiro.\nDe todo mundo; com --user ou a configuração user, dela.",
    ),
    "help.jobs_show": ("Show one piece of work whole.", "Mostra um trabalho por inteiro."),
    "help.jobs_retry": (
        "Try work again: one piece, or all that was given up.",
        "Tenta de novo: um trabalho, ou tudo o que foi abandonado.",
    ),
    "help.jobs_cancel": ("Take a piece of work out of the queue.", "Tira um trabalho da fila."),
    "help.jobs_run": (
        "Do work now: one piece, or all that is due.\nMay be stopped with Ctrl-C; what is done is kept, the rest stays "
        "in the queue.",
        "Faz já: um trabalho, ou tudo o que já pode ser feito.\nPode ser interrompido com Ctrl-C; o que foi feito "
        "fica, o resto continua na fila.",
    ),
    "consolidations.id": (
        "the record's id, or at least four characters it starts or ends with; without it, all",
        "o id do registro, ou ao menos quatro caracteres do começo ou do fim; sem isso, todos",
    ),
    "consolidations.kind": (
        "consolidation (without it), clustering, gardening, insight, report or all",
        "consolidação (sem isso), assuntos, jardinagem, percepções, relatório ou todos",
    ),
    "consolidations.space": (
        "of this space as a whole, every kind, and not of a person",
        "deste espaço como um todo, de todo tipo, e não de uma pessoa",
    ),
    "consolidations.everybody": ("of everybody, spaces too", "de todo mundo, e dos espaços"),
    "consolidations.raw": ("what the model answered, as it came", "o que o modelo respondeu, tal como veio"),
    "rollback.id": (
        "the record's id, or at least four characters it starts or ends with",
        "o id do registro, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "rollback.space": (
        "a record of this space as a whole, and not of a person",
        "um registro deste espaço como um todo, e não de uma pessoa",
    ),
    "rollback.yes": ("do not ask", "não pergunta"),
    "garden.dry_run": ("say what would be done and why, and do nothing", "diz o que faria e por quê, e não faz nada"),
    "insights.now": ("look through what was said first", "examina antes o que foi dito"),
    "report.period": ("weekly or monthly", "semana ou mês (ou em inglês: weekly, monthly)"),
    "report.day": ("a day of that week or month, like 2026-03-01", "um dia dessa semana ou mês, como 2026-03-01"),
    "report.save": (
        "write it there as Markdown, with its pictures; files of the same name are replaced",
        "grava ali em Markdown, com as figuras; arquivos do mesmo nome são trocados",
    ),
    "appointment.with": (
        "with whom: doctor, dentist, psychologist, …; without it, whoever is next",
        "com quem: médico, dentista, psicóloga, …; sem isso, quem for o próximo",
    ),
    "appointment.at": (
        "when, if it is not known yet: 2026-03-01T10:00",
        "quando, se ainda não se sabe: 2026-03-01T10:00",
    ),
    "appointment.save": (
        "write it there as Markdown, with its pictures; files of the same name are replaced",
        "grava ali em Markdown, com as figuras; arquivos do mesmo nome são trocados",
    ),
    "jobs.state": ("waiting, running or dead", "esperando, em-andamento ou abandonado"),
    "jobs.kind": (
        "index, flush, read, learn, begin, summarise, consolidate, cluster, garden, insight, weekly or monthly",
        "index, flush, read, learn, begin, summarise, consolidate, cluster, garden, insight, weekly ou monthly",
    ),
    "jobs_show.id": (
        "the work's id, or at least four characters it starts or ends with",
        "o id do trabalho, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "jobs_retry.id": (
        "the work's id, or a piece of it; without it, all that was given up",
        "o id do trabalho, ou um pedaço; sem isso, tudo o que foi abandonado",
    ),
    "jobs_cancel.id": (
        "the work's id, or at least four characters it starts or ends with",
        "o id do trabalho, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "jobs_run.id": (
        "the work's id, or a piece of it, also before its time; without it, all that is due",
        "o id do trabalho, ou um pedaço, mesmo antes da hora; sem isso, tudo o que já pode ser feito",
    ),
    "example.consolidations": ("relembra consolidations 3f9a1c20", "relembra consolidations 3f9a1c20"),
    "example.rollback": ("relembra rollback 3f9a1c20", "relembra rollback 3f9a1c20"),
    "example.garden": ("relembra garden --dry-run", "relembra garden --dry-run"),
    "example.insights": ("relembra insights --now", "relembra insights --now"),
    "example.report": ("relembra report weekly --save reports", "relembra report semana --save relatorios"),
    "example.appointment": ("relembra appointment doctor --save notes", "relembra appointment médica --save notas"),
    "example.jobs_run": ("relembra jobs run 3f9a1c20", "relembra jobs run 3f9a1c20"),
    "meta.WITH": ("WITH", "COM"),
    "meta.PERIOD": ("PERIOD", "PERÍODO"),
    "meta.FOLDER": ("FOLDER", "PASTA"),
    "meta.STATE": ("STATE", "ESTADO"),
}
