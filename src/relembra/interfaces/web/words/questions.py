"""The sentences of this page: English, Portuguese. Their keys begin with "page.questions."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.questions.lead": (
        "Two things you said that do not go together. Say what holds; you can change your mind.",
        "Duas coisas que você disse e que não combinam. Diga o que vale; dá para mudar de ideia.",
    ),
    "page.questions.tabs": ("Which questions", "Quais perguntas"),
    "page.questions.open": ("Open", "Em aberto"),
    "page.questions.decided": ("Decided", "Decididas"),
    "page.questions.all": ("All questions", "Todas as perguntas"),
    "page.questions.start": ("Back to the first ones", "Voltar às primeiras"),
    "page.questions.earlier": ("Earlier", "Antes"),
    "page.questions.later": ("Later", "Depois"),
    "page.questions.sides": ("The two sides", "Os dois lados"),
    "page.questions.unconfirmed": ("Not confirmed", "Não confirmado"),
    "page.questions.note": ("In the note of that talk", "Na nota daquela conversa"),
    "page.questions.more_messages": ("said more than once", "dito mais de uma vez"),
    "page.questions.no_words": (
        "No message is kept with this one.",
        "Nenhuma mensagem está guardada com este.",
    ),
    "page.questions.in_space": ("in the space {place}", "no espaço {place}"),
    "page.questions.keep": ("This one holds", "Vale este"),
    "page.questions.keep.what": ("This one holds: {content}", "Vale este: {content}"),
    "page.questions.both": ("Both hold", "Valem os dois"),
    "page.questions.neither": ("Neither holds", "Nenhum vale"),
    "page.questions.both.how": ("Both stay in the memory.", "Os dois ficam na memória."),
    "page.questions.neither.how": ("Both are deleted.", "Os dois são apagados."),
    "page.questions.why": ("Why this is asked", "Por que esta pergunta"),
    "page.questions.how": ("How it was noticed", "Como foi notado"),
    "page.questions.judged": ("Noticed by", "Notado por"),
    "page.questions.judged.rule": ("a rule of the memory", "uma regra da memória"),
    "page.questions.judged.offline": (
        "the reader that comes with the memory",
        "o leitor que vem com a memória",
    ),
    "page.questions.certainty": ("{n}% sure", "com {n}% de certeza"),
    "page.questions.opened": ("Noticed", "Notado"),
    "page.questions.asked": ("Asked in conversation", "Perguntado em conversa"),
    "page.questions.asked.times": ("{n}×, last {when}", "{n}×, a última {when}"),
    "page.questions.asked.never": ("not yet", "ainda não"),
    "page.questions.settled.you": ("You decided", "Você decidiu"),
    "page.questions.settled.rule": ("Decided by a rule", "Decidido por uma regra"),
    "page.questions.settled.other": ("Decided by {who}", "Decidido por {who}"),
    "page.questions.settled.itself": (
        "Closed by itself, as one side is no longer known",
        "Fechou sozinha, pois um dos lados não está mais na memória",
    ),
    "page.questions.undone.you": ("You took the decision back", "Você desfez a decisão"),
    "page.questions.undone.other": ("The decision was taken back", "A decisão foi desfeita"),
    "page.questions.undone": (
        "The decision was taken back, and both sides are known again. Say what holds, if you like.",
        "A decisão foi desfeita, e os dois lados voltaram à memória. Se quiser, diga o que vale.",
    ),
    "page.questions.moved_on": (
        "Something newer has taken its place since, so this can no longer be taken back.",
        "Algo mais novo já tomou o lugar disto, então não dá mais para desfazer.",
    ),
    "page.questions.moved_on.link": ("See what holds now", "Ver o que vale agora"),
    "page.questions.take_back": ("Take back", "Desfazer"),
    "page.questions.kept": ("holds", "vale"),
    "page.questions.dropped": ("no longer holds", "não vale mais"),
    "page.questions.about": ("Contradiction", "Contradição"),
    "page.questions.about.person": ("{name}: {about}", "{name}: {about}"),
    "page.questions.answered": ("Noted: {outcome}.", "Anotado: {outcome}."),
    "page.done.reopened": ("Taken back.", "Desfeito."),
    "page.done.asked_again": (
        "Taken back: the question is open again.",
        "Desfeito: a pergunta está aberta de novo.",
    ),
    "page.questions.empty": ("Nothing to decide", "Nada a decidir"),
    "page.questions.empty.text": (
        "When two things you say do not go together, like two birthdays, and no rule can tell which holds, the "
        "question waits here. Your assistant may also ask you about it, gently, when you talk.",
        "Quando duas coisas que você diz não combinam, como dois aniversários, e nenhuma regra sabe qual vale, a "
        "pergunta espera aqui. Seu assistente também pode perguntar, com delicadeza, enquanto vocês conversam.",
    ),
    "page.questions.empty.decided": ("Nothing decided yet", "Nada decidido ainda"),
    "page.questions.empty.decided.text": (
        "Here you will see what was in question and how it ended: your answers, and what rules decided, like a new "
        "address in the place of the old one.",
        "Aqui você verá o que esteve em dúvida e como terminou: suas respostas e o que as regras decidiram, como um "
        "endereço novo no lugar do antigo.",
    ),
    "page.questions.empty.here": (
        "Nothing more on this page.",
        "Nada mais nesta página.",
    ),
}
