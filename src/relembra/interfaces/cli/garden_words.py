"""The sentences of the gardener, insights and reports, in English and Portuguese; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

GARDEN: dict[str, Pair] = {
    # the gardener
    "garden.working": ("Tending the memory…", "Cuidando da memória…"),
    "garden.would": ("The gardener would do {count}; nothing was changed.", "O jardineiro faria {count}; nada mudou."),
    "garden.would.how": ("To do it now: relembra garden", "Para fazer já: relembra garden"),
    "garden.nothing": (
        "Nothing to tend of {user}: nothing is there twice, and nothing is old enough.",
        "Nada a cuidar em {user}: nada está repetido, e nada é velho o bastante.",
    ),
    "garden.stopped": (
        "Stopped. What is done is kept and recorded; relembra garden goes on from there.",
        "Interrompido. O que foi feito está guardado e registrado; relembra garden continua dali.",
    ),
    "error.conflict.garden": (
        "the gardener could not do its work; relembra jobs says why.",
        "o jardineiro não conseguiu trabalhar; relembra jobs diz por quê.",
    ),
    # insights
    "insights.working": ("Looking through what was said…", "Examinando o que foi dito…"),
    "insights.looked": ("Looked through {messages}: {counts}.", "Examinei {messages}: {counts}."),
    "insights.looked.nothing": ("nothing new", "nada de novo"),
    "insights.how": (
        "Statistics, not certainties: each says how weak it is. Yes: relembra validate ID. No: relembra delete ID.",
        "São estatísticas, não certezas: cada uma diz quão fraca é. Sim: relembra validate ID. Não: relembra delete "
        "ID.",
    ),
    "empty.insights": (
        "Nothing recurs in what {user} said, as far as statistics can tell. It takes the same feeling about the same "
        "thing on three days, or two weeks of talk for anything else.",
        "Nada se repete no que {user} disse, até onde a estatística alcança. É preciso o mesmo sentimento sobre a "
        "mesma coisa em três dias, ou duas semanas de conversa para o resto.",
    ),
    "empty.insights.how": ("Look now with: relembra insights --now", "Procure já com: relembra insights --now"),
    "error.conflict.insights": (
        "nothing could be looked for; relembra jobs says why.",
        "não consegui procurar; relembra jobs diz por quê.",
    ),
    # reports and appointments
    "report.saved": ("Written: {path}", "Gravado: {path}"),
    "report.nothing": (
        "Nothing happened in that {period}: {user} said nothing and nothing was learnt. Choose another with --day.",
        "Nada aconteceu no período ({period}): {user} não disse nada e nada se aprendeu. Escolha outro com --day.",
    ),
    "report.nothing.last": (
        "A report tells of the last {period} that is over. In that one {user} said nothing and nothing was learnt.\n"
        "For the one going on: relembra report {word} --day {day}",
        "O relatório conta o último período ({period}) que já acabou. Nesse {user} não disse nada e nada se aprendeu.\n"
        "Para o que está em curso: relembra report {word} --day {day}",
    ),
    "report.kept": (
        "Kept as the note {id}; see it again with: relembra notes show {id}",
        "Fica como a nota {id}; veja de novo com: relembra notes show {id}",
    ),
    "error.store.folder": (
        "the files could not be written to {target}. May you write there, and is there room?",
        "não consegui gravar os arquivos em {target}. Você pode escrever ali, e há espaço?",
    ),
}
