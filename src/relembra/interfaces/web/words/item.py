"""The sentences of one item's page: English, Portuguese. Their keys begin with "page.item."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.done.confirmed": ("Confirmed. No machine will change it.", "Confirmado. Nenhuma máquina vai mudar isto."),
    "page.done.corrected": ("Corrected.", "Corrigido."),
    "page.done.deleted": ("Deleted.", "Apagado."),
    "page.done.restored": ("It is back.", "Está de volta."),
    "page.done.archived": ("Put away.", "Arquivado."),
    "page.done.recovered": ("Taken out of the archive.", "Tirado do arquivo."),
    "page.done.kept_local": ("It stays on this machine from now on.", "De agora em diante, fica só nesta máquina."),
    "page.done.let_out": ("Models elsewhere may see it again.", "Modelos de fora podem ver isto de novo."),
    "page.item.missing": ("This item is not here", "Este item não está aqui"),
    "page.item.missing.text": (
        "It may have been forgotten for good, or the address is not quite right.",
        "Talvez tenha sido esquecido de vez, ou o endereço não esteja certo.",
    ),
    # what it says
    "page.item.details": ("Details", "Detalhes"),
    "page.item.self": ("you", "você"),
    "page.item.confidence.why": ("{n} of 1", "{n} de 1"),
    "page.item.source.conversation": ("said in a conversation", "dito numa conversa"),
    "page.item.source.user_input": ("typed in by you", "digitado por você"),
    "page.item.source.ai_inference": ("concluded from what was said", "concluído do que foi dito"),
    "page.item.source.import": ("imported", "importado"),
    "page.item.learnt": ("learnt", "aprendido"),
    "page.item.holds": ("holds since", "vale desde"),
    "page.item.weight": ("weight", "peso"),
    "page.item.priority": ("priority", "prioridade"),
    "page.item.priority.of": ("{n} of 10", "{n} de 10"),
    "page.item.said": ("said", "dito"),
    "page.item.said.again": ("{n} times, last {when}", "{n} vezes, a última {when}"),
    "page.item.said.times": ("{n} times", "{n} vezes"),
    "page.item.said.once": ("once", "uma vez"),
    "page.item.used": ("used", "usado"),
    "page.item.used.never": ("not yet", "ainda não"),
    "page.item.used.last": ("{n}×, last {when}", "{n}×, a última {when}"),
    "page.item.of_tag": ("All with the tag {name}", "Tudo com a etiqueta {name}"),
    "page.item.of_subject": ("All about {name}", "Tudo sobre {name}"),
    # where from
    "page.item.origin": ("Where it comes from", "De onde veio"),
    "page.item.evidence": ("What it was concluded from", "De onde foi concluído"),
    "page.item.note": ("From the note", "Da nota"),
    "page.item.messages": ("The very words", "As palavras ditas"),
    "page.item.messages.lost": (
        "Some of the messages are hidden or forgotten.",
        "Parte das mensagens está escondida ou foi esquecida.",
    ),
    "page.item.by_hand": (
        "You wrote this yourself; there is no conversation behind it.",
        "Foi você que escreveu isto; não há conversa por trás.",
    ),
    "page.item.no_origin": ("No message behind it was kept.", "Nenhuma mensagem por trás disto foi guardada."),
    "page.item.related": ("Related", "Relacionados"),
    # through time
    "page.item.history": ("See history", "Ver histórico"),
    "page.item.line": ("Through time", "Ao longo do tempo"),
    "page.item.line.now": ("holds now", "vale agora"),
    "page.item.line.here": ("this item", "este item"),
    "page.item.line.from": ("since {start}", "desde {start}"),
    "page.item.line.span": ("{start} to {end}", "de {start} a {end}"),
    "page.item.line.why": ("Replaced ({why})", "Substituído ({why})"),
    "page.item.line.alone": (
        "Nothing came before it, and nothing took its place.",
        "Nada veio antes disto, e nada tomou o seu lugar.",
    ),
    "page.item.corrected": ("you corrected it", "você corrigiu"),
    "page.item.trail": ("Every change", "Todas as mudanças"),
    "page.item.trail.by": ("by {who}", "por {who}"),
    "page.item.who.you": ("you", "você"),
    "page.item.who.gardener": ("the gardener", "o jardineiro"),
    "page.item.who.insight": ("the search for insights", "a busca de percepções"),
    "page.item.who.reporter": ("the reporter", "o relator"),
    "page.item.who.import": ("an import", "uma importação"),
    "page.item.who.recall": ("a recall", "uma lembrança"),
    "page.item.who.rollback": ("a rolled back night", "uma noite revertida"),
    "page.item.who.assistant": ("the assistant", "o assistente"),
    "page.item.nothing": ("nothing", "nada"),
    "page.item.was": ("before", "antes"),
    "page.item.is": ("now", "agora"),
    "page.item.put_right": ("You put this right", "Você corrigiu isto"),
    # not held now
    "page.item.state.deleted": (
        "Deleted {when}. Nobody recalls it; you can bring it back.",
        "Apagado {when}. Ninguém mais se lembra dele; você pode trazer de volta.",
    ),
    "page.item.state.corrected": ("Wrong, and put right {when}.", "Estava errado e foi corrigido {when}."),
    "page.item.state.replaced": (
        "Replaced {when}. It is kept as a part of your history.",
        "Substituído {when}. Fica guardado como parte da sua história.",
    ),
    "page.item.state.replaced.gone": (
        "What replaced it has been forgotten since.",
        "O que o substituiu já foi esquecido.",
    ),
    "page.item.state.archived": (
        "Put away {when}. A question it answers well brings it back, or you do.",
        "Arquivado {when}. Uma pergunta a que ele responda bem o traz de volta, ou você mesmo.",
    ),
    "page.item.state.expired": ("It held until {when}.", "Valeu até {when}."),
    "page.item.see_current": ("See what holds now", "Ver o que vale agora"),
    "page.item.stale": (
        "Somebody or something changed this meanwhile, so nothing was done. This is how it is now: look, and decide "
        "again.",
        "Alguém ou algo mudou isto nesse meio-tempo, então nada foi feito. Está assim agora: veja, e decida de novo.",
    ),
    # what can be done
    "page.item.do": ("What you can do", "O que você pode fazer"),
    "page.item.confirm": ("Confirm", "Confirmar"),
    "page.item.correct": ("Correct", "Corrigir"),
    "page.item.correct.button": ("Put it right", "Corrigir"),
    "page.item.correct.lead": (
        "Write how it really is. The old words leave the memory's answers, and stay in the history.",
        "Escreva como é de verdade. As palavras antigas saem das respostas da memória e ficam no histórico.",
    ),
    "page.item.correct.old": ("As it is known now", "Como está na memória"),
    "page.item.correct.new": ("As it should be", "Como deve ficar"),
    "page.item.correct.why": ("Why, if you like to say", "Por quê, se quiser dizer"),
    "page.item.correct.not": (
        "This one can no longer be corrected: it is deleted or replaced.",
        "Este não pode mais ser corrigido: foi apagado ou substituído.",
    ),
    "page.item.delete": ("Delete", "Apagar"),
    "page.item.restore": ("Restore", "Restaurar"),
    "page.item.archive": ("Put away", "Arquivar"),
    "page.item.archive.text": (
        "No longer held, but not gone: a question it answers well brings it back.",
        "Deixa de valer, mas não some: uma pergunta a que ele responda bem o traz de volta.",
    ),
    "page.item.recover": ("Take out of the archive", "Tirar do arquivo"),
    "page.item.local": ("Keep on this machine", "Manter só nesta máquina"),
    "page.item.local.text": (
        "No model on another machine will see this, or the words it came from.",
        "Nenhum modelo em outra máquina vai ver isto, nem as palavras de onde veio.",
    ),
    "page.item.let_out": ("Let models elsewhere see it", "Deixar modelos de fora verem"),
    "page.item.let_out.text": (
        "It stays on this machine now: no model on another machine sees it, or the words it came from.",
        "Agora fica só nesta máquina: nenhum modelo em outra máquina vê isto, nem as palavras de onde veio.",
    ),
    "page.item.forget": ("Forget for good", "Esquecer de vez"),
    "page.item.forget.text": (
        "Removes every trace of it. This cannot be undone.",
        "Apaga todos os rastros. Não dá para desfazer.",
    ),
    "page.item.forget.lead": ("You are about to forget this for good:", "Você vai esquecer isto de vez:"),
    "page.item.forget.goes": ("What goes, and does not come back", "O que some, e não volta"),
    "page.item.forget.goes.item": (
        "the item itself, out of every search, profile and summary",
        "o item em si, de toda busca, perfil e resumo",
    ),
    "page.item.forget.goes.one": ("the one line of its history", "a única linha do seu histórico"),
    "page.item.forget.goes.history": ("all {n} lines of its history", "todas as {n} linhas do seu histórico"),
    "page.item.forget.goes.quotes": (
        "questions about it, and every place that quotes it",
        "as perguntas sobre ele, e todo lugar que o cita",
    ),
    "page.item.forget.stays": ("What stays", "O que fica"),
    "page.item.forget.stays.messages": (
        "the messages it came from: they are what was said, and the assistant could learn from them again",
        "as mensagens de onde veio: são o que foi dito, e o assistente poderia aprender delas outra vez",
    ),
    "page.item.forget.stays.past": (
        "what it had replaced: it stays in the past and does not come back",
        "o que ele substituiu: continua no passado e não volta",
    ),
    "page.item.forget.rather": (
        "If you may want it back one day, delete it instead.",
        "Se um dia puder querer de volta, é melhor só apagar.",
    ),
    "page.item.forget.sure": ("Yes, forget this for good", "Sim, esquecer isto de vez"),
    "page.item.forget.unsure": (
        "Tick the box to say that you mean it. Nothing was removed.",
        "Marque a caixa para dizer que é isso mesmo. Nada foi removido.",
    ),
    "page.item.forgotten": ("Forgotten for good", "Esquecido de vez"),
    "page.item.forgotten.text": (
        "No trace of it is left in the memory. This is what went:",
        "Não sobrou rastro dele na memória. Foi isto que saiu:",
    ),
    "page.item.forgotten.traces": (
        "Somebody is reading the memory's file just now; the last bytes are wiped as soon as they are done.",
        "Alguém está lendo o arquivo da memória agora; os últimos bytes somem assim que terminar.",
    ),
}
