"""The sentences of recalling and its reasons, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

RECALLED: dict[str, Pair] = {
    # done
    "done.archived": ("Archived", "Arquivado"),
    "done.archived.back": (
        "A question that asks for just this still finds it. To bring it back: relembra recover {id}",
        "Uma pergunta que peça justo isto ainda acha. Para trazer de volta: relembra recover {id}",
    ),
    "done.recovered": ("Back from the archive", "De volta do arquivo"),
    # how it came about
    "trace.missed.more": (
        "{n} more; see them with --limit {all}",
        "mais {n}; veja com --limit {all}",
    ),
    "empty.context.then": (
        "Nothing of what is known about {user} goes back to that time.",
        "Nada do que se sabe de {user} alcança essa época.",
    ),
    "empty.trace": (
        "Nothing that {user} may hear here is anything like the question.",
        "Nada do que {user} pode ouvir aqui se parece com a pergunta.",
    ),
    # what went wrong
    "error.field.context.format": (
        "there is no such format; choose markdown, xml, compact, layers, json or chat.",
        "esse formato não existe; escolha markdown, xml, compact, layers, json ou chat.",
    ),
    "usage.no_chat_command": (
        "“{text}” is no command of a chat. One begins with a slash: relembra command /help",
        "“{text}” não é um comando de conversa. Um começa com barra: relembra command /ajuda",
    ),
}
