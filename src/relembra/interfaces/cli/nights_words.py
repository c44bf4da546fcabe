"""The sentences of night work and its records, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

NIGHTS: dict[str, Pair] = {
    # records
    "run.raw.how": (
        "The model's own words: relembra consolidations {id} --raw",
        "As palavras do modelo: relembra consolidations {id} --raw",
    ),
    "run.raw.how.space": (
        "The model's own words: relembra consolidations {id} --space {space} --raw",
        "As palavras do modelo: relembra consolidations {id} --space {space} --raw",
    ),
    "run.back.how": ("To take all of it back: relembra rollback {id}", "Para desfazer tudo: relembra rollback {id}"),
    "run.back.how.space": (
        "To take all of it back: relembra rollback {id} --space {space}",
        "Para desfazer tudo: relembra rollback {id} --space {space}",
    ),
    "consolidate.working": ("Going through what was said…", "Repassando o que foi dito…"),
    "consolidate.nothing": (
        "Nothing to consolidate: {user} said nothing since the last time.",
        "Nada a consolidar: {user} não disse nada desde a última vez.",
    ),
    "consolidate.stopped": (
        "Stopped. What is done is kept and recorded; the rest is done the coming night, or now with relembra jobs run.",
        "Interrompido. O que foi feito está guardado e registrado; o resto fica para a próxima noite, ou já, com "
        "relembra jobs run.",
    ),
    "run.unlearnt.how": (
        "Nothing is lost: it is tried again by itself; relembra jobs shows it.",
        "Nada se perde: tenta-se de novo sozinho; relembra jobs mostra.",
    ),
    "empty.runs": (
        "No night has worked for {user} yet. The first does after something was said; at once with: relembra "
        "consolidate",
        "Nenhuma noite trabalhou para {user} ainda. A primeira vem depois de alguma conversa; já, com: relembra "
        "consolidate",
    ),
    "empty.runs.space": (
        "No night has worked for the space {space} yet. See everything with: relembra consolidations --everybody "
        "--kind all",
        "Nenhuma noite trabalhou para o espaço {space} ainda. Veja tudo com: relembra consolidations --everybody "
        "--kind todos",
    ),
    "empty.runs.everybody": (
        "No night has worked here yet. The first does after something was said.",
        "Nenhuma noite trabalhou aqui ainda. A primeira vem depois de alguma conversa.",
    ),
    "empty.runs.kind": (
        "There is no record of that kind. See every kind with: relembra consolidations --kind all",
        "Não há registro desse tipo. Veja todos com: relembra consolidations --kind todos",
    ),
    # taking one back
    "rollback.ask": (
        "Everything this record did will be taken back: {work}, {when}: {counts}.\nWhat somebody changed since stays.",
        "Tudo o que este registro fez será desfeito: {work}, {when}: {counts}.\nO que alguém mudou depois fica.",
    ),
    "rollback.kept": ("Nothing was taken back.", "Nada foi desfeito."),
    "rollback.cannot": (
        "nobody is here to be asked whether you are sure. Add --yes to take it back without asking.",
        "não consigo perguntar aqui se você tem certeza. Acrescente --yes para desfazer sem perguntar.",
    ),
    "rollback.done": ("Taken back: {counts}", "Desfeito: {counts}"),
    "rollback.nothing": (
        "There was nothing left to take back; the record is marked as rolled back.",
        "Não havia mais o que desfazer; o registro ficou marcado como revertido.",
    ),
    "rollback.undo": ("To undo that again: relembra undo {change}", "Para desfazer isto: relembra undo {change}"),
    # what went wrong
    "error.field.consolidations.kind": (
        "there is no such kind of record; choose consolidation, clustering, gardening, insight, report or all.",
        "esse tipo de registro não existe; escolha consolidação, assuntos, jardinagem, percepções, relatório ou todos.",
    ),
    "error.conflict.consolidate": (
        "the night work could not be done; relembra jobs says why.",
        "não consegui fazer o trabalho da noite; relembra jobs diz por quê.",
    ),
    "error.conflict.rollback": (
        "that record is of work still under way, or was rolled back already (see relembra consolidations).",
        "esse registro é de um trabalho em andamento, ou já foi revertido (veja relembra consolidations).",
    ),
}
