"""What went wrong, English and Portuguese side by side; each is said as it is, or behind the lead of a door."""

from __future__ import annotations

from relembra.interfaces.words import Pair

FAILURES: dict[str, Pair] = {
    "error.detail": ("({message})", "(em inglês: {message})"),
    # by nobody's fault
    "error.unexpected": ("something unexpected happened.", "aconteceu algo inesperado."),
    "error.other": ("that could not be done.", "não foi possível fazer isso."),
    "error.too_long": (
        "that took longer than it may; what was finished is kept.",
        "isso demorou mais do que pode; o que ficou pronto está guardado.",
    ),
    "error.busy": (
        "another program is still learning from what was said; try again in a moment.",
        "outro programa ainda está aprendendo com o que foi dito; tente de novo daqui a pouco.",
    ),
    "error.mind": ("the model could not answer.", "o modelo não conseguiu responder."),
    "error.upstream": (
        "the model that answers cannot be reached just now; try again in a moment.",
        "o modelo que responde está fora de alcance agora; tente de novo daqui a pouco.",
    ),
    "error.missing": (
        "that needs an optional part of Relembra that is not installed here: {extra}.",
        "isso precisa de uma parte opcional do Relembra que não está instalada aqui: {extra}.",
    ),
    "error.settings": ("a setting cannot be used: {message}", "uma configuração não serve: {message}"),
    # the memory itself
    "error.memory.unavailable": (
        "the memory is being used by another program; try again in a moment.",
        "a memória está em uso por outro programa; tente de novo em instantes.",
    ),
    "error.memory.full": (
        "the disk is full; nothing was changed. Make room and try again.",
        "o disco está cheio; nada mudou. Libere espaço e tente de novo.",
    ),
    "error.memory.read_only": (
        "the memory may only be read here; nothing was changed.",
        "aqui a memória só pode ser lida; nada mudou.",
    ),
    "error.memory.corrupt": (
        "the memory's file is damaged; a backup has to be restored.",
        "o arquivo da memória está danificado; é preciso restaurar uma cópia.",
    ),
    "error.memory.version": (
        "this Relembra cannot open the memory safely; it has to be updated.",
        "este Relembra não consegue abrir a memória com segurança; é preciso atualizá-lo.",
    ),
    "error.memory.other": ("the memory cannot be used just now.", "não consigo usar a memória agora."),
    # a server that says no
    "error.status.401": ("please sign in first.", "entre primeiro, por favor."),
    "error.status.403": ("you may not do that.", "você não pode fazer isso."),
    "error.status.429": (
        "that was a lot at once; try again in a moment.",
        "foi muita coisa de uma vez; tente de novo daqui a pouco.",
    ),
    "error.status.503": (
        "that cannot be done just now; try again in a moment.",
        "isso não dá agora; tente de novo daqui a pouco.",
    ),
    # not there
    "error.not_found.here": ("there is nothing of that name here: {id}.", "não há nada com esse nome aqui: {id}."),
    "error.not_found.item": ("{user} has no item {id}.", "{user} não tem nenhum item {id}."),
    "error.not_found.conversation": ("{user} has no conversation {id}.", "{user} não tem nenhuma conversa {id}."),
    "error.not_found.note": ("{user} has no note {id}.", "{user} não tem nenhuma nota {id}."),
    "error.not_found.case": ("{user} has no contradiction {id}.", "{user} não tem nenhuma contradição {id}."),
    "error.not_found.record": ("{user} has no record {id}.", "{user} não tem nenhum registro {id}."),
    "error.not_found.person": (
        "nothing is known of {user}, and they said nothing yet. Is the name right?",
        "não se sabe nada de {user}, que ainda não disse nada. O nome está certo?",
    ),
    "error.not_found.job": (
        "there is no such work in the queue: {id}. It may be done already.",
        "não há esse trabalho na fila: {id}. Talvez já esteja feito.",
    ),
    "error.not_found.key": ("there is no key {id}.", "não há chave {id}."),
    "error.not_found.other": (
        "{user} has no item, conversation or change {id}.",
        "{user} não tem item, conversa ou mudança {id}.",
    ),
    # it does not go together
    "error.stale": (
        "it changed in the meantime; look at it again and decide anew.",
        "isso mudou nesse meio-tempo; veja de novo e decida outra vez.",
    ),
    "error.protected": (
        "the person confirmed this, so no machine may change it; they may themselves.",
        "a pessoa confirmou isto, então nenhuma máquina pode mudar; ela mesma pode.",
    ),
    "error.conflict": ("that does not go with what is there.", "isso não combina com o que já está guardado."),
    "error.conflict.replaced": (
        "that item was replaced already; correct the one that replaced it.",
        "esse item já foi substituído; corrija o que o substituiu.",
    ),
    "error.conflict.settled": (
        "one of the two was replaced since; there is nothing left to decide here.",
        "um dos dois já foi substituído; aqui não há mais o que decidir.",
    ),
    "error.conflict.deleted": ("that item is deleted; restore it first.", "esse item está apagado; restaure-o antes."),
    "error.conflict.changed": (
        "it changed again since; undo the later change first.",
        "mudou de novo depois; desfaça antes a mudança mais nova.",
    ),
    "error.conflict.forgotten": ("what it was before has been forgotten.", "o que era antes foi esquecido."),
    "error.conflict.undone": ("there is nothing left to undo.", "não há mais o que desfazer."),
    "error.conflict.undecided": ("there is no decision to take back.", "não há decisão para desfazer."),
    "error.conflict.under_way": (
        "that record is of work still under way; wait for its end.",
        "esse registro é de um trabalho em andamento; espere terminar.",
    ),
    "error.conflict.rolled_back": ("that record was rolled back already.", "esse registro já foi revertido."),
    "error.conflict.being_done": (
        "that work is under way just now; wait until it is finished.",
        "esse trabalho está em andamento; espere terminar.",
    ),
    "error.conflict.done": ("that work is done or gone already.", "esse trabalho já foi feito ou saiu da fila."),
    "error.conflict.unnoted": (
        "that work is to note what was said, which only forgetting the conversation takes away.",
        "esse trabalho vai anotar o que foi dito, o que só some esquecendo a conversa.",
    ),
    "error.conflict.conversation": (
        "there is a conversation of that name already; choose another.",
        "já há uma conversa com esse nome; escolha outro.",
    ),
    "error.conflict.settings": (
        "the settings decide that; change it there, and start again.",
        "isso está decidido nas configurações; mude lá e inicie de novo.",
    ),
    "error.conflict.file": (
        "that file exists already; name a new one.",
        "esse arquivo já existe; dê o nome de um novo.",
    ),
    "error.conflict.night": (
        "the work could not be done now; the queue of work says why.",
        "não consegui fazer o trabalho agora; a fila de trabalho diz por quê.",
    ),
    # what was given
    "error.invalid": ("{field} cannot be used: {message}.", "não dá para usar {field}."),
    "error.invalid.nothing": ("{message}.", "o que você deu não serve."),
    "error.empty": ("{field} is missing.", "falta {field}."),
    "error.long": ("at most {n} characters are taken: {field}.", "cabem no máximo {n} letras: {field}."),
    "error.unprintable": (
        "only characters that can be seen are taken: {field}.",
        "só cabem letras que se possam ver: {field}.",
    ),
    "error.moment": (
        "the date is too early or too late to be kept: {field}.",
        "a data é antiga ou distante demais para guardar: {field}.",
    ),
    "error.ahead": (
        "that has not come yet: {field} lies more than a day ahead.",
        "isso ainda não chegou: {field} está mais de um dia à frente.",
    ),
    "error.backwards": ("the end comes before the beginning.", "o fim vem antes do começo."),
    "error.field.by": ("only {user} can do that.", "só {user} pode fazer isso."),
    "error.field.by.nobody": ("only the person can do that.", "só a própria pessoa pode fazer isso."),
    "error.field.type": (
        "there is no such type; choose fact, preference, memory, insight, person, goal or emotion.",
        "esse tipo não existe; escolha fato, preferência, lembrança, percepção, pessoa, meta ou emoção.",
    ),
    "error.field.area": (
        "there is no such area; choose health, finance, relationships, career, growth, leisure, spirituality "
        "or mental_health.",
        "essa área não existe; escolha saúde, finanças, relacionamentos, carreira, crescimento, lazer, "
        "espiritualidade ou saúde-mental.",
    ),
    "error.field.area.none": (
        "there is no such area; choose health, finance, relationships, career, growth, leisure, spirituality or "
        "mental_health, or none for those of no area.",
        "essa área não existe; escolha saúde, finanças, relacionamentos, carreira, crescimento, lazer, "
        "espiritualidade ou saúde-mental, ou nenhuma para os que não têm área.",
    ),
    "error.field.source": (
        "that source cannot be used; choose conversation, ai_inference or import, or user_input for what the person "
        "enters themselves.",
        "essa origem não serve; escolha conversation, ai_inference ou import, ou user_input para o que a própria "
        "pessoa digita.",
    ),
    "error.field.kinds": (
        "there is no such kind; choose item, note or message.",
        "esse tipo não existe; escolha item, nota ou mensagem.",
    ),
    "error.field.keep": ("choose new, old, both or neither.", "escolha novo, antigo, ambos ou nenhum."),
    "error.field.limit": ("the limit is too small or too large.", "o limite é pequeno ou grande demais."),
    "error.field.confidence": ("confidence goes from 0 to 1.", "a certeza vai de 0 a 1."),
    "error.field.below": ("confidence goes from 0 to 1.", "a certeza vai de 0 a 1."),
    "error.field.only": (
        "choose confirmed, unconfirmed, questioned, deleted or local.",
        "escolha confirmados, não-confirmados, com-pergunta, apagados ou locais.",
    ),
    "error.field.note": ("that is no note's id.", "isso não é o id de uma nota."),
    "error.field.order": (
        "there is no such order; choose newest, oldest, surest, unsure or changed.",
        "essa ordem não existe; escolha mais-novos, mais-antigos, mais-certos, incertos ou mudados.",
    ),
    "error.field.step": (
        "choose day, week or month, so that there are at most 400 of them.",
        "escolha dia, semana ou mês, de modo que sejam no máximo 400.",
    ),
    "error.field.weight": ("weight goes from 0 to 1.", "o peso vai de 0 a 1."),
    "error.field.priority": ("priority goes from 1 to 10.", "a prioridade vai de 1 a 10."),
    "error.field.budget": (
        "the budget is a whole number of tokens, 0 or more.",
        "o limite é um número inteiro de tokens, de 0 para cima.",
    ),
    "error.field.id": (
        "that fits more than one id; type more of it.",
        "isso serve para mais de um id; digite mais dele.",
    ),
    "error.field.after": (
        "that is no cursor; copy the one the last page gave.",
        "isso não é um cursor; copie o que a última página deu.",
    ),
    "error.field.channel": ("a channel needs its space.", "um canal precisa do seu espaço."),
    "error.field.said": (
        "give what was said, what was replied, or both; neither may be empty.",
        "diga o que foi dito, o que foi respondido, ou os dois; nenhum pode ficar vazio.",
    ),
    "error.field.author": (
        "nobody speaks as the assistant or the system, and what a program says needs a name of its own.",
        "ninguém fala como o assistente ou o sistema, e o que um programa diz precisa de um nome só dele.",
    ),
    "error.field.right": ("choose read, write or admin.", "escolha leitura, escrita ou administração."),
    "error.field.period": (
        "a report is weekly or monthly.",
        "um relatório é da semana ou do mês; escolha semana ou mês.",
    ),
    "error.field.state": (
        "there is no such state; choose waiting, running or dead.",
        "esse estado não existe; escolha esperando, em-andamento ou abandonado.",
    ),
    "error.field.work": (
        "there is no such work; choose index, flush, read, learn, begin, summarise, consolidate, cluster, garden, "
        "insight, weekly or monthly.",
        "esse trabalho não existe; escolha index, flush, read, learn, begin, summarise, consolidate, cluster, garden, "
        "insight, weekly ou monthly.",
    ),
    "error.field.facts_file": (
        "the facts could not be read from that file. It should be a SQLite file with a table facts.",
        "não consegui ler os fatos desse arquivo. Deve ser um arquivo SQLite com uma tabela facts.",
    ),
    "error.field.file": ("that file cannot be imported.", "esse arquivo não pode ser importado."),
    "error.file.none": (
        "that file is no export of Relembra.",
        "esse arquivo não é uma exportação do Relembra.",
    ),
    "error.file.encoding": (
        "that file is not text in UTF-8, as every export of Relembra is.",
        "esse arquivo não é texto em UTF-8, como é toda exportação do Relembra.",
    ),
    "error.file.cut": (
        "that export was cut off: its end is missing. Copy or download it again.",
        "essa exportação foi cortada: falta o fim. Copie ou baixe de novo.",
    ),
    "error.file.newer": (
        "that export was written by a newer Relembra; update this one first.",
        "essa exportação foi escrita por um Relembra mais novo; atualize este antes.",
    ),
    "error.file.changed": (
        "that export was changed or damaged after it was written. Copy or download it again.",
        "essa exportação foi alterada ou danificada depois de escrita. Copie ou baixe de novo.",
    ),
    "error.file.swollen": (
        "that file holds far more in one place than any export of Relembra does, so it was not read.",
        "esse arquivo traz num só lugar muito mais do que qualquer exportação do Relembra, por isso não foi lido.",
    ),
    "error.file.many": (
        "that file holds more than can be taken over at once, so nothing of it was.",
        "esse arquivo tem mais do que dá para trazer de uma vez, por isso nada dele foi trazido.",
    ),
    "error.field.night_work": (
        "there is no such work; choose the night's, the garden's or the patterns'.",
        "esse trabalho não existe; escolha o da noite, o do jardim ou o dos padrões.",
    ),
    "error.field.talk": (
        "only conversations held on this page can be deleted here.",
        "aqui só se apagam conversas feitas nesta página.",
    ),
    "error.field.zone": (
        "there is no such clock; choose one of the list, like Europe/Lisbon.",
        "esse relógio não existe; escolha um da lista, como America/Sao_Paulo.",
    ),
    "error.field.theme": ("choose light, dark or as the system.", "escolha claro, escuro ou como o sistema."),
    "error.field.language": (
        "there is no such language here; choose en or pt.",
        "esse idioma não existe aqui; escolha en ou pt.",
    ),
    "error.field.preset": (
        "there is no such way to remember; choose one of the list.",
        "esse jeito de lembrar não existe; escolha um da lista.",
    ),
    # the parts somebody gives
    "field.content": ("the text", "o texto"),
    "field.text": ("the text", "o texto"),
    "field.query": ("the question", "a pergunta"),
    "field.conversation": ("the conversation", "a conversa"),
    "field.id": ("the id", "o id"),
    "field.change": ("the id", "o id"),
    "field.title": ("the title", "o título"),
    "field.name": ("the name", "o nome"),
    "field.user": ("the person's name", "o nome da pessoa"),
    "field.subject": ("whom it is about", "de quem se fala"),
    "field.speaker": ("who speaks", "quem fala"),
    "field.attribute": ("what it tells", "o que informa"),
    "field.value": ("the value", "o valor"),
    "field.evidence": ("the evidence", "a evidência"),
    "field.tags": ("the tags", "as etiquetas"),
    "field.message_ids": ("the messages", "as mensagens"),
    "field.messages": ("the messages", "as mensagens"),
    "field.metadata": ("the notes of programs", "as anotações de programas"),
    "field.space": ("the space", "o espaço"),
    "field.language": ("the language", "o idioma"),
    "field.kind": ("the kind", "o tipo"),
    "field.format": ("the format", "o formato"),
    "field.at": ("the moment", "o momento"),
    "field.held_from": ("since when it holds", "desde quando vale"),
    "field.expires_at": ("when it expires", "quando vence"),
    "field.since": ("the beginning", "o começo"),
    "field.until": ("the end", "o fim"),
    "field.as_of": ("what was known then", "o que se sabia então"),
    "field.true_at": ("what was true then", "o que era verdade então"),
    "field.target": ("the name of the new file", "o nome do arquivo novo"),
    "field.file": ("the file", "o arquivo"),
    "field.tool": ("the tool's name", "o nome da ferramenta"),
    "field.arguments": ("the arguments", "os argumentos"),
}
