"""What is said in chat apps besides the answers themselves, English and Portuguese side by side."""

from __future__ import annotations

__all__ = ["EVERYTHING", "HERE", "KEEPS", "LANGUAGES", "SUMMARIES", "say", "spoken"]

Pair = tuple[str, str]
LANGUAGES = ("en", "pt")

EVERYTHING = ("everything", "tudo")
HERE = ("here", "aqui")
"""What may stand behind /forget instead of an id, without accents and in small letters."""

KEEPS = {
    "new": "new", "old": "old", "both": "both", "neither": "neither",
    "novo": "new", "nova": "new", "antigo": "old", "antiga": "old", "ambos": "both", "nenhum": "neither",
}  # fmt: skip
"""The answers to a question, as they are typed and as `resolve` takes them."""

SENTENCES: dict[str, Pair] = {
    "hello": (
        "Ask me something, or write /help for what you can ask of this memory.",
        "Pergunte algo, ou escreva /ajuda para ver o que dá para pedir a esta memória.",
    ),
    "help": (
        "/questions: what I would like to ask you\n"
        "/forget here: remove what you said in this channel\n"
        "/forget everything: remove all that is known of you\n"
        "/memory on, /memory off: whether anything is kept in a group (for its admins)",
        "/perguntas: o que eu gostaria de perguntar\n"
        "/esquecer aqui: apaga o que você disse neste canal\n"
        "/esquecer tudo: apaga tudo o que se sabe de você\n"
        "/memoria ligar, /memoria desligar: se algo é guardado num grupo (para quem o administra)",
    ),
    "kept": ("Kept.", "Guardado."),
    "nothing": ("I remember nothing about that.", "Não lembro nada sobre isso."),
    "found": ("What I remember:", "O que eu lembro:"),
    "claimed": ("said by {name}", "dito por {name}"),
    "trouble": (
        "I could not do that just now. Please try again in a moment.",
        "Não consegui fazer isso agora. Tente de novo daqui a pouco.",
    ),
    "upstream": (
        "The model that answers cannot be reached just now. What you said is kept; please ask again later.",
        "O modelo que responde está fora de alcance agora. O que você disse está guardado; pergunte mais tarde.",
    ),
    "slowly": (
        "That was a lot at once. What you said is kept; please ask again in a minute.",
        "Foi muita coisa de uma vez. O que você disse está guardado; pergunte de novo daqui a um minuto.",
    ),
    "wrong": ("I cannot use that.", "Isso eu não consigo usar."),
    "refused": ("Nothing is remembered of you here.", "Nada é lembrado de você aqui."),
    "questions.none": ("I have no questions for you.", "Não tenho perguntas para você."),
    "questions.answer": (
        "To answer: /questions and the id, then new, old, both or neither, as in: /questions {id} new",
        "Para responder: /perguntas e o id, depois novo, antigo, ambos ou nenhum, como em: /perguntas {id} novo",
    ),
    "questions.unknown": ("I have no question {id} for you here.", "Não tenho a pergunta {id} para você aqui."),
    "questions.which": (
        "Say which one is right: new, old, both or neither.",
        "Diga qual vale: novo, antigo, ambos ou nenhum.",
    ),
    "questions.new": ("Thank you. From now on: “{new}”", "Obrigado. De agora em diante: “{new}”"),
    "questions.old": ("Thank you. It stays: “{old}”", "Obrigado. Continua: “{old}”"),
    "questions.both": ("Thank you. Both hold.", "Obrigado. Os dois valem."),
    "questions.neither": ("Thank you. Neither holds.", "Obrigado. Nenhum dos dois vale."),
    "questions.moved": (
        "That has changed since I asked, so there is nothing left to settle.",
        "Isso mudou desde que perguntei, então não há mais o que resolver.",
    ),
    "forget.here": (
        "This removes what you said in this channel, and what was learnt only from it. It cannot be undone. To go on: "
        "/forget here for good",
        "Isto apaga o que você disse neste canal e o que só se aprendeu com isso. Não dá para desfazer. Para seguir: "
        "/esquecer aqui de vez",
    ),
    "forget.everything": (
        "This removes all that is known of you, everywhere: what you said, what was learnt, and who you are in other "
        "apps. It cannot be undone. To go on: /forget everything for good",
        "Isto apaga tudo o que se sabe de você, em todo lugar: o que disse, o que se aprendeu e quem você é em outros "
        "apps. Não dá para desfazer. Para seguir: /esquecer tudo de vez",
    ),
    "forget.nothing_here": ("Nothing you said here is kept.", "Nada do que você disse aqui está guardado."),
    "switch.group": (
        "Memory is switched on and off in a group, not here.",
        "A memória se liga e desliga num grupo, não aqui.",
    ),
    "switch.admins": (
        "Only somebody who manages this group may switch its memory.",
        "Só quem administra este grupo pode ligar ou desligar a memória dele.",
    ),
    "switch.is_on": ("Memory is on here.", "A memória está ligada aqui."),
    "switch.is_off": (
        "Memory is off here: nothing is kept or recalled. Somebody who manages this group can switch it on: /memory on",
        "A memória está desligada aqui: nada é guardado nem lembrado. Quem administra pode ligar: /memoria ligar",
    ),
    "switch.on": (
        "Memory is on here: what people say from now on is kept.",
        "A memória está ligada aqui: o que se disser de agora em diante é guardado.",
    ),
    "switch.off": (
        "Memory is off here: from now on nothing is kept or recalled. What was kept stays with each person.",
        "A memória está desligada aqui: de agora em diante nada é guardado nem lembrado. O que já foi guardado fica "
        "com cada pessoa.",
    ),
    "switch.settings": (
        "Memory is off here by the settings of this installation; only whoever runs it can change that.",
        "A memória está desligada aqui pela configuração desta instalação; só quem a opera pode mudar isso.",
    ),
}


SUMMARIES = {
    "keep": ("Keep something now", "Guarda algo agora"),
    "recall": ("Look for something that is known or was said", "Procura algo que se sabe ou foi dito"),
    "forget": ("Forget one thing, what you said here, or everything", "Esquece uma coisa, o dito aqui, ou tudo"),
    "undo": ("Bring back what was forgotten", "Traz de volta o que foi esquecido"),
    "profile": ("Who you are, as far as is known", "Quem você é, até onde se sabe"),
    "questions": ("What I would like to ask you, and your answers", "O que eu gostaria de perguntar, e suas respostas"),
    "help": ("What you can ask of this memory", "O que dá para pedir a esta memória"),
    "memory": ("Whether anything is remembered in this group", "Se algo é lembrado neste grupo"),
}
"""What each command does, as an app lists it: at most 100 characters."""
SENTENCES |= {f"summary.{command}": pair for command, pair in SUMMARIES.items()}


def say(key: str, language: str, **parts: object) -> str:
    """A sentence in a language."""
    return SENTENCES[key][LANGUAGES.index(language)].format(**parts)


def spoken(locale: str | None, otherwise: str) -> str:
    """The language of ours that a locale like pt-BR or en-GB is nearest to; another tongue is answered in English."""
    if not locale:
        return otherwise
    return "pt" if locale.lower().startswith("pt") else "en"
