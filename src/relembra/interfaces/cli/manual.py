"""The help texts, English and Portuguese side by side.

`help.COMMAND` is what a command does (its first line also stands in the overview), `COMMAND.PART` or `any.PART` what a
part of it means, `example.COMMAND` how it looks when typed, and `meta.WORD` a placeholder.
"""

from __future__ import annotations

from relembra.interfaces.cli.chat_words import CHAT_MANUAL
from relembra.interfaces.cli.manual_doors import DOORS_MANUAL
from relembra.interfaces.cli.manual_nights import NIGHT_MANUAL
from relembra.interfaces.cli.serving_words import SERVING_MANUAL
from relembra.interfaces.cli.survey_words import SURVEY_MANUAL
from relembra.interfaces.words import Pair

_OTHERS = NIGHT_MANUAL | DOORS_MANUAL | SERVING_MANUAL | CHAT_MANUAL | SURVEY_MANUAL
MANUAL: dict[str, Pair] = _OTHERS | {
    "help.usage": ("Usage", "Uso"),
    "help.command_word": ("COMMAND", "COMANDO"),
    "help.options_word": ("[options]", "[opções]"),
    "help.about": (
        "A long-term memory for people and their assistants: kept in one file of yours, working offline.",
        "Uma memória de longo prazo para pessoas e seus assistentes: num arquivo só seu, funcionando sem internet.",
    ),
    "help.more": ("More about a command: relembra COMMAND --help", "Mais sobre um comando: relembra COMANDO --help"),
    "help.arguments": ("Arguments", "Argumentos"),
    "help.options": ("Options", "Opções"),
    "help.general": (
        "General options (before or after the command)",
        "Opções gerais (antes ou depois do comando)",
    ),
    "help.example": ("Example", "Exemplo"),
    "help.many": ("(may be repeated)", "(pode repetir)"),
    "help.exits": ("Exit codes", "Códigos de saída"),
    "exit.0": ("all went well", "deu tudo certo"),
    "exit.1": ("something unexpected, or any other error", "algo inesperado, ou outro erro qualquer"),
    "exit.2": ("the command line or a value cannot be used", "a linha de comando ou um valor não serve"),
    "exit.3": ("not found", "não encontrado"),
    "exit.4": ("does not go with what is there", "não combina com o que já está guardado"),
    "exit.5": (
        "the store is busy, full, damaged or out of reach",
        "a memória está ocupada, cheia, danificada ou fora de alcance",
    ),
    "exit.6": ("verify found problems", "verify encontrou problemas"),
    "exit.130": ("stopped with Ctrl-C", "interrompido com Ctrl-C"),
    "group.known": ("What is known", "O que se sabe"),
    "group.recalled": ("Recalling", "Lembrar"),
    "group.said": ("What was said", "O que foi dito"),
    "group.learnt": ("What was learnt", "O que se aprendeu"),
    "group.views": ("The whole picture", "O quadro inteiro"),
    "group.upkeep": ("Upkeep", "Cuidados"),
    # what each command does
    "help.add": (
        "Make something known.\nWhat you enter by hand counts as certain and confirmed. A text of - is read "
        "from standard input.",
        "Guarda algo que se sabe.\nO que você digita vale como certo e confirmado. O texto - é lido da entrada padrão.",
    ),
    "help.list": (
        "Show what is known, newest first or in another order.",
        "Mostra o que se sabe, do mais novo ao mais antigo ou noutra ordem.",
    ),
    "help.show": ("Show one item whole.", "Mostra um item por inteiro."),
    "help.validate": (
        "Confirm an item.\nIt grows surer, and no machine overwrites it from then on.",
        "Confirma um item.\nEle fica mais certo, e nenhuma máquina passa por cima dele.",
    ),
    "help.correct": (
        "Put the right words in the place of wrong ones.\nThe wrong item is hidden and stays in the history.",
        "Põe as palavras certas no lugar das erradas.\nO item errado some da vista e fica no histórico.",
    ),
    "help.delete": (
        "Hide an item.\nIt can come back with restore or undo; to remove it for good, use forget.",
        "Esconde um item.\nEle volta com restore ou undo; para apagar de vez, use forget.",
    ),
    "help.restore": (
        "Bring a deleted item back, or a backup.\nWith a file instead of an item, that backup takes the memory's "
        "place: see backup restore.",
        "Traz de volta um item apagado, ou uma cópia.\nCom um arquivo em vez de um item, essa cópia toma o lugar da "
        "memória: veja backup restore.",
    ),
    "help.archive": (
        "Put an item away.\nIt no longer counts as held; a question that asks for just this still finds it, and "
        "recover brings it back.",
        "Arquiva um item.\nEle deixa de contar como atual; uma pergunta que peça justo isto ainda o acha, e recover o "
        "traz de volta.",
    ),
    "help.recover": ("Take an item out of the archive.", "Tira um item do arquivo."),
    "help.history": (
        "Tell an item's story: what it replaced, what replaced it, and every change.",
        "Conta a história de um item: o que substituiu, o que o substituiu e cada mudança.",
    ),
    "help.undo": (
        "Undo a change, whole.\nGive the id of an item or a conversation for its last change, or the full id "
        "of a change.",
        "Desfaz uma mudança, por inteiro.\nDê o id de um item ou conversa para a última mudança, ou o id "
        "completo de uma mudança.",
    ),
    "help.related": ("Show items connected to one.", "Mostra itens ligados a outro."),
    "help.forget": (
        "Remove for good: one item, one conversation, or everything of a person.\n"
        "Nothing is left in rows, indexes or queued work, and nothing brings it back. Asks first.",
        "Apaga de vez: um item, uma conversa, ou tudo de uma pessoa.\n"
        "Não sobra nada nas linhas, nos índices nem na fila, e não há volta. Pergunta antes.",
    ),
    "help.search": (
        "Find what answers a question, by meaning and by words.",
        "Encontra o que responde a uma pergunta, pelo sentido e pelas palavras.",
    ),
    "help.recall": (
        "Find items, notes and messages that answer, side by side.\nWeak matches too, best first. Filters are for "
        "items; dates hold for notes and messages as well.",
        "Encontra itens, notas e mensagens que respondem, lado a lado.\nTambém o que combina pouco, o melhor primeiro. "
        "Os filtros são para itens; as datas valem também para notas e mensagens.",
    ),
    "help.why": (
        "Show how a context comes about, from the question to the cut.\nWhat was understood, what was found and by "
        "what, what was left out and why, and how the budget was shared. Nothing is counted as used.",
        "Mostra como nasce um contexto, da pergunta ao corte.\nO que se entendeu, o que se achou e como, o que ficou "
        "de fora e por quê, e como o limite de tokens foi dividido. Nada conta como usado.",
    ),
    "help.command": (
        "Answer a command typed in a chat, like /recall tea.\nThe answer is in the command's own language unless "
        "--lang says another.",
        "Responde a um comando de conversa, como /lembrar chá.\nA resposta vem no idioma do comando, a não ser que "
        "--lang diga outro.",
    ),
    "help.context": (
        "Write the block to hand to an assistant, within a token budget.\nOnly the block goes to standard output.",
        "Escreve o bloco para entregar a um assistente, dentro de um limite de tokens.\nSó o bloco vai para a "
        "saída padrão.",
    ),
    "help.save": (
        "Keep what was said, what was replied, or both.\nOr a list of messages. A text or file of - is read from "
        "standard input.",
        "Guarda o que foi dito, o que foi respondido, ou os dois.\nOu uma lista de mensagens. O texto ou arquivo - é "
        "lido da entrada padrão.",
    ),
    "help.messages": ("Show what was said, newest first.", "Mostra o que foi dito, do mais novo ao mais antigo."),
    "help.conversations": (
        "Show the conversations, last used first.",
        "Mostra as conversas, da mais recente à mais antiga.",
    ),
    "help.conversations_rename": ("Give a conversation another title.", "Dá outro título a uma conversa."),
    "help.conversations_delete": (
        "Hide a conversation with its messages.\nIt comes back with undo; what was learnt from it stays known.",
        "Esconde uma conversa com suas mensagens.\nEla volta com undo; o que se aprendeu com ela continua guardado.",
    ),
    "help.learn": (
        "Learn from what was said, now.\nTalk is read once it has been quiet for a while; this does not wait. It says "
        "what was new, said again, replaced or put in question.",
        "Aprende com o que foi dito, já.\nUma conversa é lida quando silencia por um tempo; isto não espera. Diz o que "
        "era novo, foi dito de novo, substituído ou posto em dúvida.",
    ),
    "help.preview": (
        "Show what would be learnt from a text.\nNothing is kept. A text of - is read from standard input.",
        "Mostra o que se aprenderia com um texto.\nNada é guardado. O texto - é lido da entrada padrão.",
    ),
    "help.notes": (
        "Show what happened, told briefly, newest first.",
        "Mostra o que aconteceu, contado em poucas palavras, do mais novo ao mais antigo.",
    ),
    "help.notes_show": ("Show one note whole.", "Mostra uma nota por inteiro."),
    "help.conflicts": (
        "Show what disagreed, and how it ended, newest first.\nMost is settled by rules; what only you can tell stays "
        "open.",
        "Mostra o que se contradisse e como acabou, do mais novo ao mais antigo.\nAs regras resolvem quase tudo; o que "
        "só você sabe fica em aberto.",
    ),
    "help.conflicts_show": (
        "Show one contradiction whole: both sides, why, and who decided.",
        "Mostra uma contradição por inteiro: os dois lados, por quê e quem decidiu.",
    ),
    "help.conflicts_settle": (
        "Say which of two things holds.\nWithout --keep it shows both and asks. An answer may be changed.",
        "Diz qual de duas coisas vale.\nSem --keep, mostra as duas e pergunta. A resposta pode ser mudada.",
    ),
    "help.conflicts_undo": (
        "Take a decision back, whoever took it.\nBoth sides are current again.",
        "Desfaz uma decisão, de quem quer que seja.\nOs dois lados voltam a valer.",
    ),
    "help.me": (
        "Write the compact memory of a person, for every prompt.\nOnly the block goes to standard output; its version "
        "grows as it changes.",
        "Escreve a memória compacta de uma pessoa, para todo prompt.\nSó o bloco vai para a saída padrão; a versão "
        "cresce quando ele muda.",
    ),
    "help.profile": (
        "Show who a person is, section by section, each line with where it is from.",
        "Mostra quem é uma pessoa, seção por seção, cada linha com a sua origem.",
    ),
    "help.people": (
        "Show the people and pets of a person's life, the closest first.",
        "Mostra as pessoas e os bichos da vida de alguém, os mais próximos primeiro.",
    ),
    "help.tools": (
        "Write the tools for an assistant as JSON.",
        "Escreve as ferramentas para um assistente em JSON.",
    ),
    "help.tools_call": (
        "Run one of the tools, as an assistant would.\nArguments of - are read from standard input.",
        "Usa uma das ferramentas, como um assistente faria.\nOs argumentos - são lidos da entrada padrão.",
    ),
    "help.retry": (
        "Try work again that was given up.",
        "Tenta de novo o trabalho que foi abandonado.",
    ),
    "help.export": (
        "Write a person's whole memory to a file.\njson and jsonl hold everything with its history and can be "
        "imported; markdown is for reading, and notes a zip of Markdown files. The file is for your eyes only, and "
        "whole or not there at all. A FILE of - is standard output.",
        "Grava a memória inteira de uma pessoa num arquivo.\njson e jsonl levam tudo com o histórico e podem ser "
        "importados; markdown é para ler, e notes um zip de arquivos Markdown. O arquivo é só para os seus olhos, e ou "
        "está inteiro ou não está. Um ARQUIVO - é a saída padrão.",
    ),
    "help.import": (
        "Take an export in.\nThe file is checked whole first. What is here already stays as it is, and a second time "
        "adds nothing. --user keeps one person's export under another name, and takes that person alone out of "
        "everybody's. A FILE of - is standard input; the SQLite file of an older program is read as import facts does.",
        "Traz uma exportação.\nO arquivo é conferido inteiro antes. O que já está aqui fica como está, e da segunda "
        "vez nada se repete. --user guarda a exportação de uma pessoa com outro nome, e tira só essa pessoa da de todo "
        "mundo. Um ARQUIVO - é a entrada padrão; o SQLite de um programa antigo é lido como faz import facts.",
    ),
    "help.import_facts": (
        "Take over the facts of an older program.\nIts SQLite file has a table facts, and stays as it is. Each fact "
        "goes to the person it belongs to; --user takes only one person's. A second time adds nothing.",
        "Traz os fatos de um programa mais antigo.\nO arquivo SQLite dele tem uma tabela facts, e fica como está. Cada "
        "fato vai para a pessoa a quem pertence; --user traz só os de uma. Da segunda vez nada se repete.",
    ),
    "help.stats": (
        "Say how much is kept.\nOf the whole store; with --user or the setting user, of that person.",
        "Diz quanto está guardado.\nNa memória inteira; com --user ou a configuração user, dessa pessoa.",
    ),
    "help.doctor": (
        "Check what works, what is missing, and what to do about it.",
        "Examina o que funciona, o que falta e o que fazer.",
    ),
    "help.reindex": (
        "Give everything a vector of the model in use.\nMay be stopped with Ctrl-C; the next time it goes on "
        "from there.",
        "Dá a tudo um vetor do modelo em uso.\nPode ser interrompido com Ctrl-C; da próxima vez continua dali.",
    ),
    "help.backup": (
        "Copy the store into a new file, also while in use.",
        "Copia a memória para um arquivo novo, mesmo em uso.",
    ),
    "help.backup_restore": (
        "Put a backup in the memory's place.\nThe backup is checked first and stays as it is; what was there is put "
        "aside under a name with the date. Stop every program that uses the memory before. Do not copy a backup over "
        "the file by hand: the old log beside it would damage it.",
        "Põe uma cópia no lugar da memória.\nA cópia é conferida antes e fica como está; o que havia lá fica de lado, "
        "com a data no nome. Pare antes todo programa que usa a memória. Não copie por cima do arquivo à mão: o "
        "registro antigo ao lado o danificaria.",
    ),
    "help.salvage": (
        "Bring what can be read of a damaged memory into a new file.\nThe damaged file is only read. Tells how many "
        "rows of each kind were read and lost; afterwards run reindex on the new file. Where there is a backup, it is "
        "better.",
        "Traz o que dá para ler de uma memória danificada para um arquivo novo.\nO arquivo danificado só é lido. Diz "
        "quantas linhas de cada tipo foram lidas e perdidas; depois rode reindex no arquivo novo. Uma cópia, se "
        "houver, é melhor.",
    ),
    "help.verify": (
        "Check that rows, text index and vectors agree.",
        "Confere se linhas, índice de texto e vetores combinam.",
    ),
    "help.bench_retrieval": (
        "Measure how well questions find what was said.\nThe data goes into a memory of its own; with --db that memory "
        "is kept and used again. No language model is asked. Ctrl-C shows what was measured so far.",
        "Mede como as perguntas acham o que foi dito.\nOs dados vão para uma memória à parte; com --db ela fica e "
        "serve de novo. Nenhum modelo de linguagem é consultado. Ctrl-C mostra o que já foi medido.",
    ),
    "help.bench_assistant": (
        "Measure what an assistant would get from the memory.\nPlays scripted talks over several sessions and tries "
        "the contexts: relevance, continuity, personalisation, performance.",
        "Mede o que um assistente receberia da memória.\nEncena conversas em várias sessões e examina os contextos: "
        "relevância, continuidade, personalização, desempenho.",
    ),
    "help.demo": (
        "See Relembra at work over a made-up fortnight, nights included.",
        "Veja o Relembra trabalhando em duas semanas inventadas, com as noites.",
    ),
    "help.version": ("Say which version this is.", "Diz qual é a versão."),
    # general parts
    "any.db": (
        "the memory's file; :memory: keeps nothing",
        "o arquivo da memória; :memory: não guarda nada",
    ),
    "any.user": ("whose memory; without it, yours", "de quem é a memória; sem isso, a sua"),
    "any.tenant": (
        "whose installation, where several share a store",
        "de qual instalação, onde várias dividem a memória",
    ),
    "any.lang": ("the language of messages: pt or en", "o idioma das mensagens: pt ou en"),
    "any.json": ("answer in JSON, for programs", "responde em JSON, para programas"),
    "any.debug": ("show where an error came from", "mostra de onde veio um erro"),
    "any.help": ("show this help", "mostra esta ajuda"),
    "any.version": ("show the version", "mostra a versão"),
    "any.id": (
        "the item's id, or at least four characters it starts or ends with",
        "o id do item, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "any.space": ("the team, guild or group where it was said", "a equipe, o servidor ou o grupo onde foi dito"),
    "any.channel": ("the channel of that space", "o canal desse espaço"),
    "any.by": (
        "who does it: person:NAME, program:NAME or model:NAME",
        "quem faz: person:NOME, program:NOME ou model:NOME",
    ),
    "any.limit": ("at most so many", "no máximo tantos"),
    "any.after": ("go on after the cursor the last page gave", "continua depois do cursor que a última página deu"),
    "any.type": (
        "fact, preference, memory, insight, person, goal or emotion",
        "fato, preferência, lembrança, percepção, pessoa, meta ou emoção (ou em inglês: fact, preference, …)",
    ),
    "any.area": (
        "health, finance, relationships, career, growth, leisure, spirituality or mental_health; none for those of "
        "no area",
        "saúde, finanças, relacionamentos, carreira, crescimento, lazer, espiritualidade ou saúde-mental (ou "
        "em inglês); nenhuma para os que não têm área",
    ),
    "any.tag": ("a tag; all of those given", "uma etiqueta; todas as que forem dadas"),
    "any.source": (
        "conversation, user_input, ai_inference or import",
        "conversation (conversa), user_input (digitado), ai_inference (inferência) ou import (importado)",
    ),
    "any.subject": ("whom it is about; self is the owner", "sobre quem é; self é a própria pessoa"),
    "any.attribute": (
        "what it tells: residence, employment, weight, …",
        "o que informa: residence, employment, weight, …",
    ),
    "any.min_confidence": ("at least so sure", "ao menos tão certo"),
    "any.since": (
        "learnt at or after: 2026-03-01 or a full moment",
        "aprendido desde: 2026-03-01 ou um momento completo",
    ),
    "any.until": ("learnt until: a day counts whole", "aprendido até: um dia conta inteiro"),
    "any.as_of": (
        "what was believed then; a day means its end",
        "o que se sabia então; um dia quer dizer o fim dele",
    ),
    "any.true_at": (
        "what was true then; a day means its end",
        "o que era verdade então; um dia quer dizer o fim dele",
    ),
    "any.note": (
        "learnt in this note: its id, or at least four characters it starts or ends with",
        "aprendido nesta nota: o id dela, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "any.only": (
        "confirmed (by you), unconfirmed, questioned (with an open question), deleted or local",
        "confirmados (por você), não-confirmados, com-pergunta (em aberto), apagados ou locais",
    ),
    "any.history": ("with what was replaced, archived or expired", "com o que foi substituído, arquivado ou venceu"),
    "any.deleted": ("with what was deleted", "com o que foi apagado"),
    "any.conversation": ("the conversation's id", "o id da conversa"),
    "any.why": ("why, for the history", "por quê, para o histórico"),
    # parts of one command
    "add.content": ("what to make known, or - for standard input", "o que guardar, ou - para a entrada padrão"),
    "add.area": (
        "health, finance, relationships, career, growth, leisure, spirituality or mental_health",
        "saúde, finanças, relacionamentos, carreira, crescimento, lazer, espiritualidade ou saúde-mental (ou "
        "em inglês)",
    ),
    "add.sub_area": ("a finer area, in your words", "uma área mais fina, com suas palavras"),
    "add.title": ("a short title; without it, the first words", "um título curto; sem isso, as primeiras palavras"),
    "add.tag": ("a tag", "uma etiqueta"),
    "add.attribute": (
        "what it tells: name, residence, employment, marital_status, weight, height, goal, …; "
        "a new value of some of these replaces the old one; without it, what the words tell",
        "o que informa: name, residence, employment, marital_status, weight, height, goal, …; "
        "um valor novo de alguns deles substitui o antigo; sem isso, o que as palavras disserem",
    ),
    "add.value": ("the value alone, like Recife", "só o valor, como Recife"),
    "add.confidence": ("how sure; typed by hand it is always 1", "quão certo; digitado à mão é sempre 1"),
    "add.weight": ("how important", "quão importante"),
    "add.priority": ("how urgent", "quão urgente"),
    "add.evidence": ("what an inference rests on", "em que uma inferência se apoia"),
    "add.related": ("the id of a connected item", "o id de um item ligado a este"),
    "add.message": ("the full id of a message it came from", "o id completo de uma mensagem de onde veio"),
    "add.held_from": ("true since", "verdade desde"),
    "add.expires": ("no longer true from", "deixa de valer em"),
    "correct.content": ("the right words, or - for standard input", "as palavras certas, ou - para a entrada padrão"),
    "undo.change": ("an item, a conversation or a change", "um item, uma conversa ou uma mudança"),
    "forget.conversation": (
        "this conversation, with what only it taught",
        "esta conversa, com o que só ela ensinou",
    ),
    "forget.all": ("everything of the person", "tudo da pessoa"),
    "forget.dry_run": ("say what would go, and forget nothing", "diz o que sumiria, e não esquece nada"),
    "forget.yes": ("do not ask", "não pergunta"),
    "search.query": ("the question", "a pergunta"),
    "recall.query": ("the question", "a pergunta"),
    "recall.kind": ("item, note or message", "item, nota ou mensagem"),
    "recall.limit": ("at most so many of each kind; without it, 10", "no máximo tantos de cada tipo; sem isso, 10"),
    "recall.why": ("say what each score is made of", "diz de que é feita cada pontuação"),
    "why.query": ("the question", "a pergunta"),
    "why.budget": ("as if at most so many tokens fitted", "como se coubessem no máximo tantos tokens"),
    "why.limit": (
        "at most so many of what was left out; without it, 10",
        "no máximo tantos do que ficou de fora; sem isso, 10",
    ),
    "command.text": ("what was typed in the chat", "o que se digitou na conversa"),
    "search.why": ("say what each score is made of", "diz de que é feita cada nota"),
    "context.query": (
        "what it is about; without it, what was said last",
        "do que se trata; sem isso, o que foi dito por último",
    ),
    "context.budget": ("at most so many tokens", "no máximo tantos tokens"),
    "context.format": (
        "markdown (without it), xml, compact, layers, json or chat",
        "markdown (sem isso), xml, compact, layers, json ou chat",
    ),
    "context.speaker": (
        "who else speaks in the space, to show their profile",
        "quem mais fala no espaço, para mostrar seu perfil",
    ),
    "context.mention": (
        "who is mentioned, to show up to three profiles",
        "quem é citado, para mostrar até três perfis",
    ),
    "save.said": ("what the person said", "o que a pessoa disse"),
    "save.replied": ("what the assistant replied", "o que o assistente respondeu"),
    "save.messages": (
        "a JSON list of messages with role and content, as chat programs hold them; all or none",
        "uma lista JSON de mensagens com role e content, como os programas de conversa guardam; todas ou nenhuma",
    ),
    "save.at": (
        "when: 2026-03-01T10:00:00-03:00; without an offset, by this computer's clock",
        "quando: 2026-03-01T10:00:00-03:00; sem fuso, pelo relógio deste computador",
    ),
    "save.external_id": ("your own id; saving it twice keeps one", "um id seu; guardar duas vezes fica uma só"),
    "save.author": ("who said it, if not the person", "quem disse, se não foi a própria pessoa"),
    "save.meta": ("something to keep with it", "algo para guardar junto"),
    "conversations_rename.title": ("the new title", "o novo título"),
    "save.program": (
        "a program said it (name it with --author): kept, and nothing is learnt from it",
        "quem disse foi um programa (dê o nome em --author): guarda, mas nada se aprende",
    ),
    "save.skip": ("pass over this one: nothing is kept", "deixa este passar: nada é guardado"),
    "learn.space": ("what was said in this space", "o que foi dito neste espaço"),
    "preview.text": ("what would be said, or - for standard input", "o que se diria, ou - para a entrada padrão"),
    "preview.at": (
        "as if said then: 2026-03-01 or a full moment",
        "como se dito então: 2026-03-01 ou um momento completo",
    ),
    "preview.space": ("as if said in this space", "como se dito neste espaço"),
    "notes.kind": (
        "conversation (without it), topic_cluster, session, appointment, weekly, monthly or document",
        "conversa (sem isso), assunto, sessão, compromisso, semana, mês ou documento",
    ),
    "notes_show.id": (
        "the note's id, or at least four characters it starts or ends with",
        "o id da nota, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "conflicts.open": ("only what waits for your answer", "só o que espera a sua resposta"),
    "conflicts_show.id": (
        "the id of the contradiction or of an item in it, or at least four characters it starts or ends with",
        "o id da contradição ou de um item dela, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "conflicts_settle.id": (
        "the id of the contradiction or of an item in it, or at least four characters it starts or ends with",
        "o id da contradição ou de um item dela, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "conflicts_undo.id": (
        "the id of the contradiction or of an item in it, or at least four characters it starts or ends with",
        "o id da contradição ou de um item dela, ou ao menos quatro caracteres do começo ou do fim",
    ),
    "conflicts_settle.keep": ("new, old, both or neither", "novo, antigo, ambos ou nenhum"),
    "profile.cognitive": (
        "how the person is instead: tastes, habits, patterns, and how often each was seen",
        "em vez disso, como a pessoa é: gostos, hábitos, padrões e quantas vezes cada um se viu",
    ),
    "profile.minified": (
        "in the fewest characters instead, as JSON: i, t, c, w, d",
        "em vez disso, no menor número de caracteres, em JSON: i, t, c, w, d",
    ),
    "profile.limit": ("at most so many, with --minified", "no máximo tantos, com --minified"),
    "tools.format": ("openai (without it) or anthropic", "openai (sem isso) ou anthropic"),
    "tools_call.tool": (
        "search_knowledge, add_knowledge or analyze_context",
        "search_knowledge, add_knowledge ou analyze_context",
    ),
    "tools_call.arguments": ("its arguments, a JSON object", "seus argumentos, um objeto JSON"),
    "export.file": (
        "the new file; without it, relembra-USER with the ending of its format",
        "o arquivo novo; sem isso, relembra-USUÁRIO com a terminação do formato",
    ),
    "export.format": (
        "json, jsonl, markdown or notes; without it, as FILE ends, else json",
        "json, jsonl, markdown ou notes; sem isso, conforme a terminação de ARQUIVO, senão json",
    ),
    "export.everybody": (
        "everybody of the tenant, with its spaces, as jsonl",
        "todo mundo da instalação, com os espaços, em jsonl",
    ),
    "export.language": (
        "of markdown and notes: pt or en; without it, the one most is known in",
        "de markdown e notes: pt ou en; sem isso, aquele em que mais se sabe",
    ),
    "export.overwrite": ("put it in the place of a file that exists", "põe no lugar de um arquivo que já existe"),
    "import.file": ("the export, json or jsonl", "a exportação, json ou jsonl"),
    "import.dry_run": ("say what would come, and keep nothing", "diz o que viria, e não guarda nada"),
    "import_facts.file": ("the older program's SQLite file", "o arquivo SQLite do programa antigo"),
    "import_facts.dry_run": ("say what would come, and keep nothing", "diz o que viria, e não guarda nada"),
    "stats.all": ("of everybody, whoever is set as user", "de todo mundo, seja quem for o user"),
    "salvage.file": ("the damaged file", "o arquivo danificado"),
    "salvage.to": ("the new file; one that exists is left alone", "o arquivo novo; um que já existe fica como está"),
    "backup_restore.file": ("the backup", "a cópia"),
    "backup.target": ("the new file; one that exists is left alone", "o arquivo novo; um que já existe fica como está"),
    "bench_retrieval.dataset": (
        "longmemeval, locomo, factconsolidation, faquad or jsonl",
        "longmemeval, locomo, factconsolidation, faquad ou jsonl",
    ),
    "bench_retrieval.data": (
        "the data: .json, .json.gz or .jsonl",
        "os dados: .json, .json.gz ou .jsonl",
    ),
    "bench_retrieval.pool": (
        "all: one memory of everything; question: each question or talk its own",
        "tudo: uma memória só; pergunta: cada pergunta ou conversa tem a sua",
    ),
    "bench_retrieval.row": (
        "which row of factconsolidation; without it, factconsolidation_sh_6k",
        "qual linha de factconsolidation; sem isso, factconsolidation_sh_6k",
    ),
    "bench_retrieval.half": (
        "first, second or all: the halves are always the same",
        "primeira, segunda ou todas: as metades são sempre as mesmas",
    ),
    "bench_retrieval.limit": ("at most so many questions", "no máximo tantas perguntas"),
    "bench_retrieval.html": ("write a page with plots, in one file", "escreve uma página com gráficos, num arquivo só"),
    "bench_assistant.script": (
        "a script of your own; without it, those shipped",
        "um roteiro seu; sem isso, os que vêm junto",
    ),
    "bench_assistant.budget": (
        "at most so many tokens a context; without it, 800",
        "no máximo tantos tokens por contexto; sem isso, 800",
    ),
    "demo.fast": ("without pauses", "sem pausas"),
    # how it looks when typed
    "example.add": (
        'relembra add "Prefers coffee without sugar" --type preference --area health',
        'relembra add "Prefere café sem açúcar" --type preferência --area saúde',
    ),
    "example.list": ("relembra list --type preference", "relembra list --type preferência"),
    "example.show": ("relembra show 3f9a1c20", "relembra show 3f9a1c20"),
    "example.correct": (
        'relembra correct 3f9a1c20 "Prefers tea" --why "stopped drinking coffee"',
        'relembra correct 3f9a1c20 "Prefere chá" --why "parou com o café"',
    ),
    "example.forget": ("relembra forget --all", "relembra forget --all"),
    "example.search": (
        'relembra search "what does she drink?" --limit 5',
        'relembra search "o que ela bebe?" --limit 5',
    ),
    "example.archive": ("relembra archive 3f9a1c20", "relembra archive 3f9a1c20"),
    "example.recall": (
        'relembra recall "the trip to Lisbon" --kind message',
        'relembra recall "a viagem a Lisboa" --kind mensagem',
    ),
    "example.why": (
        'relembra why "where did I live before?"',
        'relembra why "onde eu morava antes?"',
    ),
    "example.command": (
        'relembra command "/recall meeting"',
        'relembra command "/lembrar reunião"',
    ),
    "example.context": (
        'relembra context "where do I live?" --budget 800',
        'relembra context "onde eu moro?" --budget 800',
    ),
    "example.save": (
        'relembra save --said "I live in Recife." --replied "How nice!" --at 2026-03-01T10:00:00-03:00',
        'relembra save --said "Moro em Recife." --replied "Que bom!" --at 2026-03-01T10:00:00-03:00',
    ),
    "example.preview": (
        'relembra preview "I am lactose intolerant"',
        'relembra preview "Tenho intolerância a lactose"',
    ),
    "example.conflicts_settle": (
        "relembra conflicts settle 3f9a1c20 --keep new",
        "relembra conflicts settle 3f9a1c20 --keep novo",
    ),
    "example.tools_call": (
        """relembra tools call search_knowledge '{"query": "food"}'""",
        """relembra tools call search_knowledge '{"query": "comida"}'""",
    ),
    "example.export": ("relembra export ana.json", "relembra export ana.json"),
    "example.import": ("relembra import ana.json --dry-run", "relembra import ana.json --dry-run"),
    "example.import_facts": (
        "relembra import facts old.db --dry-run",
        "relembra import facts antigo.db --dry-run",
    ),
    "example.bench_retrieval": (
        "relembra bench retrieval --data questions.jsonl --html report.html",
        "relembra bench retrieval --data perguntas.jsonl --html relatorio.html",
    ),
    "example.salvage": (
        "relembra salvage memory.db --to salvaged.db",
        "relembra salvage memory.db --to salvo.db",
    ),
    "example.backup_restore": ("relembra backup restore copy.db", "relembra backup restore copia.db"),
    "example.backup": ("relembra backup copy.db", "relembra backup copia.db"),
    # placeholders
    "meta.FILE": ("FILE", "ARQUIVO"),
    "meta.NAME": ("NAME", "NOME"),
    "meta.LANGUAGE": ("LANGUAGE", "IDIOMA"),
    "meta.ID": ("ID", "ID"),
    "meta.TEXT": ("TEXT", "TEXTO"),
    "meta.TYPE": ("TYPE", "TIPO"),
    "meta.AREA": ("AREA", "ÁREA"),
    "meta.TAG": ("TAG", "ETIQUETA"),
    "meta.SOURCE": ("SOURCE", "ORIGEM"),
    "meta.DATE": ("DATE", "DATA"),
    "meta.POOL": ("POOL", "GRUPO"),
    "meta.HALF": ("HALF", "METADE"),
    "meta.KIND": ("KIND", "TIPO"),
    "meta.SIDE": ("SIDE", "LADO"),
    "meta.FORMAT": ("FORMAT", "FORMATO"),
    "meta.JSON": ("JSON", "JSON"),
    "meta.CURSOR": ("CURSOR", "CURSOR"),
    "meta.N": ("N", "N"),
    "meta.WHO": ("WHO", "QUEM"),
    "meta.KEY=VALUE": ("KEY=VALUE", "CHAVE=VALOR"),
    "meta.0–1": ("0–1", "0–1"),
    "meta.1–10": ("1–10", "1–10"),
}
