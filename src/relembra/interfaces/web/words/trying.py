"""The sentences of trying it out: English, Portuguese. Their keys begin with "page.trying."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.trying.lead": (
        "See what your assistant would remember or learn, before it does. Nothing here is kept or counted.",
        "Veja o que seu assistente lembraria ou aprenderia, antes que aconteça. Nada daqui é guardado nem contado.",
    ),
    "page.trying.recall": ("What it would recall", "O que lembraria"),
    "page.trying.learn": ("What it would learn", "O que aprenderia"),
    # recalled
    "page.trying.question": ("What would you ask your assistant?", "O que você perguntaria ao seu assistente?"),
    "page.trying.question.hint": ("What should I cook on Sunday?", "O que eu cozinho no domingo?"),
    "page.trying.budget": ("Room, in tokens", "Espaço, em tokens"),
    "page.trying.budget.hint": ("Usually {n}. With less, less is told.", "Normalmente {n}. Com menos, se conta menos."),
    "page.trying.budget.wrong": (
        "The room is a whole number of tokens, from 0 to {most}.",
        "O espaço é um número inteiro de tokens, de 0 a {most}.",
    ),
    "page.trying.language.auto": ("As the question", "O da pergunta"),
    "page.trying.go": ("Try it", "Experimentar"),
    "page.trying.kept": ("Nothing is kept.", "Nada é guardado."),
    "page.trying.told": ("What the assistant would be told", "O que o assistente receberia"),
    "page.trying.told.nothing": (
        "Nothing: what is known does not fit this question, or there was no room for it.",
        "Nada: o que se sabe não combina com esta pergunta, ou não coube.",
    ),
    "page.trying.room": ("{tokens} of {budget} tokens used", "{tokens} de {budget} tokens usados"),
    "page.trying.room.none": ("No part had anything to tell.", "Nenhuma parte tinha algo a contar."),
    "page.trying.part": ("Part", "Parte"),
    "page.trying.tokens": ("Tokens", "Tokens"),
    "page.trying.lines": ("Lines", "Linhas"),
    "page.trying.cut": ("No room for", "Não couberam"),
    "page.trying.whole.hint": (
        "Each part is counted line by line, with room to spare; the whole is counted as it stands.",
        "Cada parte é contada linha por linha, com folga; o todo é contado como está.",
    ),
    "page.trying.whole": ("The whole text", "O texto inteiro"),
    "page.trying.found": ("What was found, and why ({n})", "O que foi achado, e por quê ({n})"),
    "page.trying.found.none": (
        "Nothing close enough to the question to be told.",
        "Nada parecido o bastante com a pergunta para ser contado.",
    ),
    "page.trying.rest": (
        "together {similarity} · weight {weight} · recency {recency} · {rule}",
        "no conjunto {similarity} · peso {weight} · recência {recency} · {rule}",
    ),
    "page.trying.left": ("Near, and left out ({n})", "Perto, mas ficou de fora ({n})"),
    "page.trying.left.all": ("Show all that was left out", "Mostrar tudo o que ficou de fora"),
    "page.trying.left.none": ("Nothing else came near.", "Nada mais chegou perto."),
    "page.trying.empty": ("There is nothing to recall yet", "Ainda não há o que lembrar"),
    "page.trying.empty.hint": (
        "Say something, or load the demo story, and come back to see what would be recalled.",
        "Conte algo, ou carregue a história de demonstração, e volte para ver o que seria lembrado.",
    ),
    "page.trying.examples": ("For example", "Por exemplo"),
    "page.trying.example.1": ("Where do I live?", "Onde eu moro?"),
    "page.trying.example.2": ("What can I cook tonight?", "O que posso cozinhar hoje à noite?"),
    "page.trying.example.3": ("How have I been sleeping?", "Como eu tenho dormido?"),
    "page.trying.example.4": ("What should I tell my doctor?", "O que devo contar ao meu médico?"),
    # learnt
    "page.trying.message": ("Something you might say", "Algo que você diria"),
    "page.trying.message.hint": (
        "I moved to Bristol last week, and I'm learning to swim.",
        "Mudei para o Porto na semana passada e estou aprendendo a nadar.",
    ),
    "page.trying.go.learn": ("See what would be learnt", "Ver o que seria aprendido"),
    "page.trying.would": ("Would be learnt ({n})", "Seria aprendido ({n})"),
    "page.trying.would.nothing": ("Nothing would be learnt", "Nada seria aprendido"),
    "page.trying.why.unread": (
        "This takes too long to read, so nothing would be learnt from it.",
        "Isto demora demais para ler, e nada seria aprendido daqui.",
    ),
    "page.trying.why.question": (
        "A question tells nothing to keep; what you say of yourself does.",
        "Uma pergunta não conta nada que valha guardar; o que você diz de si, sim.",
    ),
    "page.trying.why.nothing": (
        "There is nothing lasting in it. What is kept: who you are, whom and what you love, what you plan, what "
        "happened.",
        "Não há nada ali que fique. O que se guarda: quem você é, de quem e do que gosta, o que planeja, o que "
        "aconteceu.",
    ),
    "page.trying.because": ("Why: {why}", "Por quê: {why}"),
    "page.trying.unkept": ("Would not be kept", "Não seria guardado"),
    "page.trying.unkept.question": ("a question tells nothing of you", "uma pergunta não conta nada de você"),
    "page.trying.unkept.talk": ("nothing lasting in it", "nada ali que fique"),
}
