"""The sentences of adding something: English, Portuguese. Their keys begin with "page.add."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.done.added": ("Added. Your assistant knows it now.", "Adicionado. Seu assistente já sabe."),
    "page.done.known": ("This was known already.", "Isto já se sabia."),
    "page.add.title": ("Add to the memory", "Adicionar à memória"),
    "page.add.lead": (
        "Tell what your assistant should know. What you add yourself counts as certain and confirmed.",
        "Conte o que seu assistente deve saber. O que você mesmo adiciona vale como certo e confirmado.",
    ),
    "page.add.content": ("What should be known?", "O que se deve saber?"),
    "page.add.content.hint": ("I am allergic to shrimp.", "Sou alérgica a camarão."),
    "page.add.type": ("What kind of thing is it?", "Que tipo de coisa é?"),
    "page.add.by_words": ("What the words tell", "O que as palavras disserem"),
    "page.add.area": ("Which area of life does it belong to?", "De que área da vida é?"),
    "page.add.area.none": ("Not chosen", "Não escolhida"),
    "page.add.held_from": ("Since when is it so?", "Desde quando é assim?"),
    "page.add.held_from.hint": ("Left empty: from today.", "Vazio: a partir de hoje."),
    "page.add.more": ("More about it", "Mais sobre isto"),
    "page.add.subject": ("Whom is it about?", "Sobre quem é?"),
    "page.add.subject.hint": (
        "Left empty: whoever the words name, else yourself.",
        "Vazio: quem as palavras nomearem, ou você.",
    ),
    "page.add.attribute": ("What does it tell?", "O que informa?"),
    "page.add.attribute.hint": (
        "With a value, a newer one can take its place: a new address replaces the old.",
        "Com um valor, um mais novo pode tomar o lugar: um novo endereço substitui o antigo.",
    ),
    "page.add.value": ("Its value", "O valor"),
    "page.add.value.hint": ("Porto, 62 kg, teacher…", "Porto, 62 kg, professora…"),
    "page.add.tags": ("Tags", "Etiquetas"),
    "page.add.tags.hint": ("Separated by commas.", "Separadas por vírgulas."),
    "page.add.local": ("Keep it on this machine", "Manter só nesta máquina"),
    "page.add.local.hint": (
        "No model on another machine will see it.",
        "Nenhum modelo em outra máquina vai ver isto.",
    ),
    "page.add.button": ("Add", "Adicionar"),
    "page.add.near": ("Something like it is known already", "Já se sabe algo parecido"),
    "page.add.near.text": (
        "Open it to confirm or correct it, or add yours all the same.",
        "Abra para confirmar ou corrigir, ou adicione o seu mesmo assim.",
    ),
    "page.add.bad_day": (
        "The day cannot be read; write it like 2026-03-31.",
        "Não deu para ler o dia; escreva como 2026-03-31.",
    ),
}
