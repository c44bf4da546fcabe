"""The words of commands typed in a chat: their names, and what is answered, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FOR_GOOD", "NAMES", "SPELLINGS", "WORDS", "counted", "receipt"]

NAMES = {
    "lembrar": ("recall", "pt"),
    "guardar": ("keep", "pt"),
    "remember": ("keep", "en"),
    "recall": ("recall", "en"),
    "esquecer": ("forget", "pt"),
    "forget": ("forget", "en"),
    "desfazer": ("undo", "pt"),
    "undo": ("undo", "en"),
    "perfil": ("profile", "pt"),
    "profile": ("profile", "en"),
    "ajuda": ("help", "pt"),
    "help": ("help", "en"),
}
"""What is typed, without accents and in small letters: the command it is, and the language it is in."""

SPELLINGS = {
    "en": {"keep": "remember", "recall": "recall", "forget": "forget", "undo": "undo"},
    "pt": {"keep": "guardar", "recall": "lembrar", "forget": "esquecer", "undo": "desfazer"},
}
"""How a command is spelt where an answer names it."""

FOR_GOOD = ("for good", "forever", "de vez", "para sempre")
"""What stands behind an id when nothing is to be left, without accents and in small letters."""

WORDS = {
    "en": {
        "help": (
            "What you can ask of this memory:\n"
            "/recall WORDS: look for something that is known or was said\n"
            "/remember TEXT: keep something now\n"
            "/forget ID: forget one thing; with words instead of an id, shows what is meant\n"
            "/forget ID for good: remove it so that it cannot come back\n"
            "/undo ID: bring back what was forgotten\n"
            "/profile: who you are, as far as is known\n"
            "/help: this list"
        ),
        "keep.usage": "What shall I keep? Write for example: /remember I am allergic to peanuts",
        "keep.done": "Kept: “{content}”",
        "keep.forget": "To forget it: /forget {id}",
        "keep.refused": "Nothing is remembered of you here.",
        "recall.usage": "What shall I look for? Write for example: /recall tea",
        "recall.found": "What I remember about “{query}”:",
        "recall.nothing": "I remember nothing about “{query}”.",
        "note": "note",
        "forget.usage": "What shall I forget? Write /forget and an id, or words to look for: /forget my old address",
        "forget.which": "I forget nothing by guessing. These come closest:",
        "forget.repeat": "Repeat it with the id of the one you mean: /forget {id}",
        "forget.nothing": "I know nothing like “{query}” here, so there is nothing to forget.",
        "forget.done": "Forgotten: “{content}”",
        "forget.undo": "To bring it back: /undo {id}",
        "forget.for_good": "To remove it so that it cannot come back: /forget {id} for good",
        "forget.already": "That was forgotten already: “{content}”",
        "gone.done": "Removed for good: {counts}.",
        "gone.later": "Its last bytes leave the file as soon as nobody reads it.",
        "gone.said": "Messages that say it stay where they were said.",
        "undo.usage": "What shall I bring back? Write /undo and the id of what was forgotten.",
        "undo.done": "It is back: “{content}”",
        "undo.not_forgotten": "That is not forgotten, so there is nothing to undo: “{content}”",
        "undo.cannot": "That cannot be undone any more: “{content}”",
        "id.unknown": "There is nothing under the id {id} here. What was removed for good does not come back.",
        "id.several": "The id {id} fits several things. Give more of it.",
        "profile.heading": "What I know of {name}:",
        "profile.empty": "I know nothing of {name} here yet. Tell me something, and it will stand here.",
        "profile.more": "and {count} more",
        "unsure": "unsure",
    },
    "pt": {
        "help": (
            "O que você pode pedir a esta memória:\n"
            "/lembrar PALAVRAS: procura algo que se sabe ou que foi dito\n"
            "/guardar TEXTO: guarda algo agora\n"
            "/esquecer ID: esquece uma coisa; com palavras em vez de um id, mostra do que se trata\n"
            "/esquecer ID de vez: apaga de modo que não possa voltar\n"
            "/desfazer ID: traz de volta o que foi esquecido\n"
            "/perfil: quem você é, até onde se sabe\n"
            "/ajuda: esta lista"
        ),
        "keep.usage": "O que devo guardar? Escreva por exemplo: /guardar sou alérgica a amendoim",
        "keep.done": "Guardado: “{content}”",
        "keep.forget": "Para esquecer: /esquecer {id}",
        "keep.refused": "Nada é lembrado de você aqui.",
        "recall.usage": "O que devo procurar? Escreva por exemplo: /lembrar chá",
        "recall.found": "O que lembro sobre “{query}”:",
        "recall.nothing": "Não lembro nada sobre “{query}”.",
        "note": "nota",
        "forget.usage": "O que devo esquecer? Escreva /esquecer e um id, ou palavras: /esquecer meu endereço antigo",
        "forget.which": "Não esqueço nada por palpite. Isto é o que mais se parece:",
        "forget.repeat": "Repita com o id daquilo que você quer dizer: /esquecer {id}",
        "forget.nothing": "Não sei nada parecido com “{query}” aqui, então não há o que esquecer.",
        "forget.done": "Esquecido: “{content}”",
        "forget.undo": "Para trazer de volta: /desfazer {id}",
        "forget.for_good": "Para apagar de modo que não possa voltar: /esquecer {id} de vez",
        "forget.already": "Isso já estava esquecido: “{content}”",
        "gone.done": "Apagado de vez: {counts}.",
        "gone.later": "Os últimos bytes saem do arquivo assim que ninguém o estiver lendo.",
        "gone.said": "As mensagens que dizem isso ficam onde foram ditas.",
        "undo.usage": "O que devo trazer de volta? Escreva /desfazer e o id do que foi esquecido.",
        "undo.done": "Está de volta: “{content}”",
        "undo.not_forgotten": "Isso não está esquecido, então não há o que desfazer: “{content}”",
        "undo.cannot": "Isso já não pode ser desfeito: “{content}”",
        "id.unknown": "Não há nada com o id {id} aqui. O que foi apagado de vez não volta.",
        "id.several": "O id {id} serve para várias coisas. Dê mais dele.",
        "profile.heading": "O que sei de {name}:",
        "profile.empty": "Ainda não sei nada de {name} aqui. Conte algo, e estará aqui.",
        "profile.more": "e mais {count}",
        "unsure": "incerto",
    },
}

_COUNTED = {
    "en": {
        "items": ("item", "items"),
        "notes": ("note", "notes"),
        "messages": ("message", "messages"),
        "conversations": ("conversation", "conversations"),
        "terms": ("search word", "search words"),
        "vectors": ("vector", "vectors"),
        "audit": ("record of a change", "records of changes"),
        "jobs": ("queued job", "queued jobs"),
        "cases": ("contradiction", "contradictions"),
        "pointers": ("mention", "mentions"),
        "archive": ("archived text", "archived texts"),
    },
    "pt": {
        "items": ("item", "itens"),
        "notes": ("nota", "notas"),
        "messages": ("mensagem", "mensagens"),
        "conversations": ("conversa", "conversas"),
        "terms": ("palavra de busca", "palavras de busca"),
        "vectors": ("vetor", "vetores"),
        "audit": ("registro de mudança", "registros de mudanças"),
        "jobs": ("tarefa na fila", "tarefas na fila"),
        "cases": ("contradição", "contradições"),
        "pointers": ("menção", "menções"),
        "archive": ("texto arquivado", "textos arquivados"),
    },
}


def counted(name: str, count: int, language: str) -> str:
    """A place of a receipt with how much went from there, as in "2 vectors"."""
    one, many = _COUNTED[language].get(name, (name, name))
    return f"{count} {one if count == 1 else many}"


def receipt(counts: Mapping[str, int], language: str) -> str:
    """What was removed for good, counted."""
    gone = ", ".join(counted(name, count, language) for name, count in counts.items() if count)
    return WORDS[language]["gone.done"].format(counts=gone or counted("items", 0, language))
