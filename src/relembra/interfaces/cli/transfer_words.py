"""The sentences about taking a memory elsewhere and back, English and Portuguese side by side."""

from __future__ import annotations

from relembra.interfaces.words import Pair

TRANSFER: dict[str, Pair] = {
    "export.working": ("Exporting", "Exportando"),
    "export.done": ("Exported to {path}: {count} ({size}).", "Exportado para {path}: {count} ({size})."),
    "export.people": ("Of {count}.", "De {count}."),
    "export.changed": (
        "It was being written to all the while, so parts may be of different moments.",
        "Escreveram nela o tempo todo, então as partes podem ser de momentos diferentes.",
    ),
    "export.stopped": ("Stopped. Nothing was written.", "Interrompido. Nada foi escrito."),
    "take_in.working": ("Importing", "Importando"),
    "take_in.settling": ("Indexing what came…", "Indexando o que veio…"),
    "take_in.done": ("Imported from {path}: {count}.", "Importado de {path}: {count}."),
    "take_in.would": (
        "A trial: {count} would come from {path}. Nothing was kept.",
        "Só um ensaio: viriam {count} de {path}. Nada foi guardado.",
    ),
    "take_in.nothing": ("Nothing new in {path}.", "Nada de novo em {path}."),
    "take_in.stopped": (
        "Stopped. What came is kept; the same command goes on from there.",
        "Interrompido. O que veio está guardado; o mesmo comando continua dali.",
    ),
    "stdin": ("standard input", "entrada padrão"),
    "error.field.export.format": (
        "there is no such format; choose json, jsonl, markdown or notes. --everybody needs jsonl.",
        "esse formato não existe; escolha json, jsonl, markdown ou notes. --everybody pede jsonl.",
    ),
    "error.field.export.language": ("choose en or pt.", "escolha en ou pt."),
    "error.conflict.export": (
        "that file exists already; name another, or give --overwrite.",
        "esse arquivo já existe; dê outro nome, ou use --overwrite.",
    ),
    "usage.one_output": (
        "{option} and - both want standard output; choose one of them.",
        "{option} e - querem ambos a saída padrão; escolha um deles.",
    ),
    "usage.zip_output": (
        "notes are a zip, which is no text for standard output; name a file.",
        "notes é um zip, que não é texto para a saída padrão; dê o nome de um arquivo.",
    ),
}
