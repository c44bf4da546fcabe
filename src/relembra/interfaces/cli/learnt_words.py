"""The sentences of listening and learning, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

from relembra.interfaces.words import Pair

LEARNT: dict[str, Pair] = {
    # learning
    "learn.working": ("Reading what was said…", "Lendo o que foi dito…"),
    "learn.summary": ("Learnt: {counts}", "Aprendido: {counts}"),
    "learn.nothing": (
        "Nothing new: there was nothing left to read of {user}, or nothing in it that lasts.",
        "Nada de novo: não havia mais o que ler de {user}, ou nada ali que fique.",
    ),
    "learn.waiting": (
        "Could not be read now, and waits: {count}. Nothing is lost; relembra learn tries again.",
        "Não deu para ler agora e ficou esperando: {count}. Nada se perdeu; relembra learn tenta de novo.",
    ),
    "learn.unread": (
        "Took too long to read, so nothing was learnt from it: {count}. The words themselves are kept.",
        "Demorou demais para ler, e nada foi aprendido dali: {count}. As palavras em si estão guardadas.",
    ),
    "learn.left": (
        "Could not be done now and is tried again later: {count}. See: relembra doctor",
        "Não deu para fazer agora e fica para depois: {count}. Veja: relembra doctor",
    ),
    "learn.stopped": (
        "Stopped. What was learnt is kept; the rest waits, and relembra learn goes on with it.",
        "Interrompido. O que se aprendeu está guardado; o resto espera, e relembra learn continua dali.",
    ),
    "preview.nothing_kept": (
        "A preview: nothing was kept.",
        "Só uma prévia: nada foi guardado.",
    ),
    "preview.nothing": (
        "Nothing here is worth keeping. I keep what lasts: who you are, whom and what you love, what you plan, what "
        "happened.",
        "Não há nada aqui que valha guardar. Eu guardo o que fica: quem você é, de quem e do que gosta, o que planeja, "
        "o que aconteceu.",
    ),
    "preview.unread": (
        "This takes too long to read, so nothing would be learnt from it. The words themselves would be kept.",
        "Isto demora demais para ler, e nada seria aprendido daqui. As palavras em si ficariam guardadas.",
    ),
    "preview.question": (
        "A question tells me nothing to keep; what you say of yourself does.",
        "Uma pergunta não me conta nada que valha guardar; o que você diz de si, sim.",
    ),
    "preview.blocked": (
        "Nothing of {user} is kept, for they are blocked; relembra doors tells who is.",
        "Nada de {user} é guardado, por estar em bloqueio; relembra doors diz quem está.",
    ),
    "preview.off": (
        "Nothing is kept in {space}: memory is off there; relembra spaces tells where it is on.",
        "Nada é guardado em {space}: lá a memória está desligada; relembra spaces diz onde está ligada.",
    ),
    # notes
    "empty.notes": (
        "There are no notes of {user} here yet. A talk is noted once it is quiet, or at once with: relembra learn",
        "Ainda não há notas de {user} aqui. Uma conversa vira nota quando silencia, ou já, com: relembra learn",
    ),
    # contradictions
    "conflicts.settle.how": (
        "You decide: relembra conflicts settle {id}",
        "Você decide: relembra conflicts settle {id}",
    ),
    "conflicts.undo.how": (
        "To take it back: relembra conflicts undo {id}",
        "Para desfazer: relembra conflicts undo {id}",
    ),
    "conflicts.settled": ("Settled: {outcome}", "Resolvido: {outcome}"),
    "conflicts.undone": ("Taken back: both are as before.", "Desfeito: os dois estão como antes."),
    "conflicts.left_open": ("Left open. It can wait.", "Ficou em aberto. Pode esperar."),
    "conflicts.ask": ("1–4, or Enter to leave it open: ", "1–4, ou Enter para deixar em aberto: "),
    "conflicts.ask.again": (
        "Please type 1, 2, 3 or 4; or new, old, both or neither.",
        "Digite 1, 2, 3 ou 4; ou novo, antigo, ambos ou nenhum.",
    ),
    "conflicts.cannot_ask": (
        "nobody is here to be asked. Add --keep new, --keep old, --keep both or --keep neither.",
        "não consigo perguntar aqui. Acrescente --keep novo, --keep antigo, --keep ambos ou --keep nenhum.",
    ),
    "empty.conflicts": (
        "Nothing known about {user} has ever disagreed with itself.",
        "Nada do que sei de {user} se contradisse até hoje.",
    ),
    "empty.conflicts.open": (
        "Nothing known about {user} is in question.",
        "Nada do que sei de {user} está em dúvida.",
    ),
    "context.question": (
        "To ask: {text}\nThe answer settles it when it is said, or by: relembra conflicts settle {id}",
        "A perguntar: {text}\nA resposta dita resolve, ou então: relembra conflicts settle {id}",
    ),
    # views
    "profile.one": (
        "choose --cognitive or --minified, not both.",
        "escolha --cognitive ou --minified, não os dois.",
    ),
    "empty.me": (
        "I know nothing lasting about {user} yet. Save what they say, then: relembra learn",
        "Ainda não sei nada duradouro de {user}. Guarde o que disser, e depois: relembra learn",
    ),
    "empty.profile": (
        "I know nothing about {user} yet. Save what they say, then: relembra learn",
        "Ainda não sei nada de {user}. Guarde o que disser, e depois: relembra learn",
    ),
    "empty.cognitive": (
        "Nothing yet says how {user} is. Tastes, habits and patterns show here once they are known.",
        "Nada ainda diz como {user} é. Gostos, hábitos e padrões aparecem aqui quando se souber.",
    ),
    "empty.people": (
        "I know nobody in the life of {user} yet.",
        "Ainda não conheço ninguém da vida de {user}.",
    ),
    # upkeep
    "stats.waiting.how": (
        "Talk waits to be learnt from until it is quiet; at once with: relembra learn. Other work waits for the night: "
        "relembra jobs",
        "A conversa espera silenciar para se aprender dela; já, com: relembra learn. O resto espera a noite: relembra "
        "jobs",
    ),
    "stats.dead.how": (
        "To try given-up work again: relembra retry",
        "Para tentar de novo o abandonado: relembra retry",
    ),
    "retry.working": ("Trying again…", "Tentando de novo…"),
    "retry.nothing": ("Nothing had been given up.", "Nada tinha sido abandonado."),
    "retry.done": ("Tried again: {count}.", "Tentado de novo: {count}."),
    "retry.left": (
        "Still waiting or given up: {count}. See: relembra doctor",
        "Ainda na fila ou abandonado: {count}. Veja: relembra doctor",
    ),
    "import.working": ("Importing…", "Importando…"),
    "import.done": ("Imported {count} from {path}.", "Importado de {path}: {count}."),
    "import.would": (
        "A trial: {count} would come from {path}. Nothing was kept.",
        "Só um ensaio: viriam {count} de {path}. Nada foi guardado.",
    ),
    "import.nothing": ("Nothing new in {path}.", "Nada de novo em {path}."),
    "import.nobody": (
        "The file has no facts about {user}. It knows: {people}",
        "O arquivo não tem fatos de {user}. Ele conhece: {people}",
    ),
    # why a language model could not be used
    "doctor.jobs.failed": ("{work}, {count} {told}", "{work}, {count} {told}"),
    "doctor.jobs.failed.advice": (
        "see to the reason given; it is tried again by itself later, or now with relembra jobs run ID; relembra jobs "
        "shows the ids",
        "resolva o motivo indicado; tenta-se de novo mais tarde, ou agora com relembra jobs run ID; relembra jobs "
        "mostra os ids",
    ),
    "doctor.llm": ("language model", "modelo de linguagem"),
    "doctor.llm.none": (
        "none configured; the reader in the package reads what is said",
        "nenhum configurado; o leitor que vem junto lê o que é dito",
    ),
    "doctor.llm.ok": ("{models} (not asked now, to cost nothing)", "{models} (não perguntei agora, para não gastar)"),
    "doctor.llm.advice": (
        "correct the settings llm, llm_deep, llm_url and llm_api_key, or leave them out",
        "corrija as configurações llm, llm_deep, llm_url e llm_api_key, ou tire-as",
    ),
    "doctor.extra.llm": ("extra llm", "extra llm"),
    "doctor.extra.llm.for": (
        "for language models that read talk: pip install 'relembra[llm]'",
        "para modelos de linguagem que leem conversas: pip install 'relembra[llm]'",
    ),
    # what went wrong
    "error.field.kind": (
        "there is no such kind of note; choose conversation, topic_cluster, session, appointment, weekly, monthly or "
        "document.",
        "esse tipo de nota não existe; escolha conversa, assunto, sessão, compromisso, semana, mês ou documento.",
    ),
    "error.field.format": (
        "there is no such format; choose openai or anthropic.",
        "esse formato não existe; escolha openai ou anthropic.",
    ),
    "error.tool": (
        "the tool cannot be used like that.",
        "a ferramenta não pode ser usada assim.",
    ),
    "error.conflict.conflicts_undo": (
        "there is no decision to take back, or one of the two was replaced since (see relembra conflicts show).",
        "não há decisão para desfazer, ou um dos dois já foi substituído (veja relembra conflicts show).",
    ),
    "error.conflict.conflicts_settle": (
        "one of the two was replaced since; there is nothing left to decide here (see relembra history).",
        "um dos dois já foi substituído; aqui não há mais o que decidir (veja relembra history).",
    ),
}
