"""Every sentence the commands say, English and Portuguese side by side; help texts are in `manual`.

What other doors say in the same words is in `interfaces.names_words`.
"""

from __future__ import annotations

from relembra.interfaces.cli.bench_words import BENCH
from relembra.interfaces.cli.chat_words import CHAT
from relembra.interfaces.cli.doors_words import DOORS
from relembra.interfaces.cli.garden_words import GARDEN
from relembra.interfaces.cli.learnt_words import LEARNT
from relembra.interfaces.cli.nights_words import NIGHTS
from relembra.interfaces.cli.queue_words import QUEUE
from relembra.interfaces.cli.recalled_words import RECALLED
from relembra.interfaces.cli.serving_words import SERVING
from relembra.interfaces.cli.survey_words import SURVEY
from relembra.interfaces.cli.transfer_words import TRANSFER
from relembra.interfaces.names_words import NAMES
from relembra.interfaces.words import Pair

_OTHERS = NAMES | LEARNT | BENCH | RECALLED | TRANSFER | QUEUE | NIGHTS | GARDEN | DOORS | SERVING | CHAT | SURVEY
SENTENCES: dict[str, Pair] = _OTHERS | {
    # done
    "done.added": ("Kept", "Guardado"),
    "done.known": ("Known already", "Já se sabia"),
    "done.replaces": ("replaces {id}", "substitui {id}"),
    "done.replaced": (
        "A later value is known already, so this one went straight into the history of {id}.",
        "Já se sabe um valor mais novo, então este foi direto para o histórico de {id}.",
    ),
    "done.unsure": (
        "It does not go with something else that is known. See both and settle it: relembra conflicts --open",
        "Não combina com outra coisa que se sabe. Veja as duas e resolva: relembra conflicts --open",
    ),
    "done.validated": ("Confirmed", "Confirmado"),
    "done.corrected": ("Corrected", "Corrigido"),
    "done.deleted": ("Deleted", "Apagado"),
    "done.deleted.back": ("To bring it back: relembra restore {id}", "Para trazer de volta: relembra restore {id}"),
    "done.restored": ("Restored", "Restaurado"),
    "done.undone": ("Undone", "Desfeito"),
    "done.saved": (
        "Kept in the conversation {conversation}: {count}.",
        "Guardado na conversa {conversation}: {count}.",
    ),
    "done.saved.known": (
        "That was already kept in the conversation {conversation}; nothing changed.",
        "Isso já estava guardado na conversa {conversation}; nada mudou.",
    ),
    "done.saved.left_out": (
        "Left out, as only text is kept: {places}.",
        "Ficou de fora, pois só se guarda texto: {places}.",
    ),
    "done.renamed": ("The conversation {id} is now called “{title}”.", "A conversa {id} agora se chama “{title}”."),
    "done.hidden": (
        "The conversation {id} is hidden. To bring it back: relembra undo {id}",
        "A conversa {id} está escondida. Para trazer de volta: relembra undo {id}",
    ),
    "done.forgotten": ("Forgotten: {count}.", "Esquecido: {count}."),
    "would.forget": ("Nothing was forgotten. This would go: {count}", "Nada foi esquecido. Isto sumiria: {count}"),
    "done.forgotten.nothing": ("There was nothing to forget.", "Não havia nada para esquecer."),
    "done.forgotten.traces": (
        "The file still holds traces, which are being overwritten; while another program reads it, they go as soon as "
        "it stops.",
        "O arquivo ainda guarda vestígios, que estão sendo sobrescritos; se outro programa o lê, eles somem assim que "
        "ele parar.",
    ),
    "done.backup": ("Copied to {path} ({size}).", "Copiado para {path} ({size})."),
    "restore.working": ("Checking and copying the backup", "Conferindo e copiando a cópia de segurança"),
    "restore.done": (
        "{path} is now what {file} holds ({size}).",
        "{path} agora é o que {file} guarda ({size}).",
    ),
    "restore.keys": (
        "Keys revoked since that backup was made are valid again: look at them with relembra keys and revoke those.",
        "Chaves revogadas depois dessa cópia voltaram a valer: confira com relembra keys e revogue-as.",
    ),
    "restore.aside": (
        "What was there before is in {path}; delete it once you no longer need it.",
        "O que estava lá antes ficou em {path}; apague quando não precisar mais.",
    ),
    "salvage.working": ("Reading what can be read", "Lendo o que dá para ler"),
    "salvage.done": ("Brought into {path}: {count}.", "Trazido para {path}: {count}."),
    "salvage.lost": ("Could not be read: {count}.", "Não deu para ler: {count}."),
    "salvage.table": ("  {table}: {read} read, {lost} lost", "  {table}: {read} lidas, {lost} perdidas"),
    "salvage.next": (
        "The damaged file is as it was. Next: relembra reindex --db {path}, then relembra verify --db {path}",
        "O arquivo danificado ficou como estava. Agora: relembra reindex --db {path}, depois relembra verify "
        "--db {path}",
    ),
    "error.backup.salvage.damaged": (
        "nothing can be brought out of {file}: its first page cannot be read, or it is not a Relembra memory.",
        "não dá para tirar nada de {file}: a primeira página não se lê, ou não é uma memória do Relembra.",
    ),
    "error.backup.salvage.newer": (
        "{file} was written by a newer Relembra. Upgrade with: pip install -U relembra",
        "{file} foi gravado por um Relembra mais novo. Atualize com: pip install -U relembra",
    ),
    "error.field.salvage.file": (
        "there is no such file. Name the damaged memory.",
        "esse arquivo não existe. Dê a memória danificada.",
    ),
    "done.reindex": ("Done: {count} with a new vector.", "Pronto: {count} com vetor novo."),
    "done.reindex.nothing": ("Nothing to do: everything has its vector.", "Nada a fazer: tudo já tem seu vetor."),
    "reindex.working": ("Reindexing", "Reindexando"),
    "reindex.stopped": (
        "Stopped. What is done is kept; relembra reindex goes on from there.",
        "Interrompido. O que foi feito está guardado; relembra reindex continua dali.",
    ),
    "verify.well": ("All is well: {count} checked.", "Tudo em ordem: {count} conferidas."),
    "verify.problems": ("Found {count}:", "Encontrei {count}:"),
    "verify.advice": (
        "Restore a backup with relembra backup restore FILE, or run relembra reindex if only vectors are named.",
        "Restaure uma cópia com relembra backup restore ARQUIVO, ou rode relembra reindex se só faltarem vetores.",
    ),
    # nothing there
    "empty.items": (
        'I know nothing about {user} yet. Try:\n  relembra add "Prefers coffee without sugar" --type preference',
        'Ainda não sei nada de {user}. Tente:\n  relembra add "Prefere café sem açúcar" --type preferência',
    ),
    "empty.filtered": (
        "Nothing known about {user} fits that. Try fewer filters, or --history and --deleted.",
        "Nada do que sei de {user} combina com isso. Tente menos filtros, ou --history e --deleted.",
    ),
    "empty.search": (
        "I found nothing about that. Try other words, see everything with: relembra list\n"
        'or tell it: relembra save --said "…"',
        "Não achei nada sobre isso. Tente outras palavras, veja tudo com: relembra list\n"
        'ou conte: relembra save --said "…"',
    ),
    "empty.weak": (
        "Nothing remembered is about that; these come nearest. To have it remembered, tell it:\n"
        '  relembra save --said "…"',
        "Nada do que está guardado fala disso; isto é o que chega mais perto. Para que fique guardado, conte:\n"
        '  relembra save --said "…"',
    ),
    "empty.related": ("Nothing is connected to this item yet.", "Nada está ligado a este item ainda."),
    "empty.messages": (
        '{user} has said nothing here yet. Try:\n  relembra save --said "I live in Recife."',
        '{user} ainda não disse nada aqui. Tente:\n  relembra save --said "Moro em Recife."',
    ),
    "empty.conversations": (
        '{user} has no conversations yet. Try:\n  relembra save --said "Good morning!" --conversation first',
        '{user} ainda não tem conversas. Tente:\n  relembra save --said "Bom dia!" --conversation primeira',
    ),
    "empty.context": (
        "There is nothing to say about {user} yet: save or add something first.",
        "Ainda não há nada a dizer sobre {user}: guarde algo antes com save ou add.",
    ),
    "more": ("There is more: add --after {cursor}", "Há mais: acrescente --after {cursor}"),
    # tables and panels
    "label.resolve.text": (
        "two things disagree; only you can tell: relembra conflicts --open",
        "duas coisas não combinam; só você pode dizer: relembra conflicts --open",
    ),
    # asking
    "ask.item": ("This will be forgotten for good:\n  {content}", "Isto será esquecido de vez:\n  {content}"),
    "ask.conversation": (
        "The conversation {id} “{title}” will be forgotten for good: {messages}, and what only they taught.",
        "A conversa {id} “{title}” será esquecida de vez: {messages}, e o que só elas ensinaram.",
    ),
    "ask.all": (
        "Everything of {user} will be forgotten for good: {items}, {messages}, {conversations}, {notes}.",
        "Tudo de {user} será esquecido de vez: {items}, {messages}, {conversations}, {notes}.",
    ),
    "ask.notes": (
        "Also removed, whole ({notes}); reports can be written again afterwards:",
        "Também some por inteiro ({notes}); relatórios podem ser escritos de novo depois:",
    ),
    "ask.notes.more": ("… and {n} more", "… e mais {n}"),
    "ask.sure": ("Are you sure? [y/N] ", "Tem certeza? [s/N] "),
    "ask.kept": ("Nothing was forgotten.", "Nada foi esquecido."),
    "ask.cannot": (
        "nobody is here to be asked whether you are sure. Add --yes to forget without asking.",
        "não consigo perguntar aqui se você tem certeza. Acrescente --yes para esquecer sem perguntar.",
    ),
    # hints
    "hint.reindex": (
        "Some vectors here were made by another model ({models}). Bring them up to date with: relembra reindex",
        "Há vetores aqui feitos por outro modelo ({models}). Atualize com: relembra reindex",
    ),
    "hint.no_model": (
        "The model cannot be used, so only words were searched. See: relembra doctor",
        "O modelo não pode ser usado, então procurei só por palavras. Veja: relembra doctor",
    ),
    "hint.error.not_found.case": ("See: relembra conflicts", "Veja: relembra conflicts"),
    "hint.error.not_found.record": (
        "See: relembra consolidations --kind all; one of a space is found with --space NAME.",
        "Veja: relembra consolidations --kind todos; o de um espaço se acha com --space NOME.",
    ),
    "hint.error.not_found.person": ("See: relembra stats --all", "Veja: relembra stats --all"),
    "hint.error.not_found.job": ("See: relembra jobs", "Veja: relembra jobs"),
    "hint.error.not_found.key": ("See: relembra keys", "Veja: relembra keys"),
    "hint.error.busy": ("relembra jobs shows what is under way.", "relembra jobs mostra o que está em andamento."),
    "hint.error.field.by": ("Leave --by out.", "Tire o --by."),
    "hint.error.field.source": ("user_input goes without --by.", "user_input vai sem --by."),
    "hint.error.field.channel": ("Give it with --space.", "Dê com --space."),
    "hint.error.field.said": ("Give them with --said and --replied.", "Use --said e --replied."),
    "hint.error.field.keep": ("Give it with --keep.", "Dê com --keep."),
    "hint.error.field.author": ("Give it with --author.", "Dê com --author."),
    # what went wrong
    "error.lead": ("That did not work: {message}", "Não deu: {message}"),
    "error.crash": (
        "something unexpected happened ({type}: {message}). With --debug I show where.",
        "aconteceu algo inesperado ({type}: {message}). Com --debug eu mostro onde.",
    ),
    "error.interrupted": ("Stopped.", "Interrompido."),
    "error.field.forget": (
        "say what to forget: an item's id, --conversation ID, or --all; one of them.",
        "diga o que esquecer: o id de um item, --conversation ID, ou --all; um deles.",
    ),
    "error.conflict.correct": (
        "that item was replaced already; correct the one that replaced it (see relembra history).",
        "esse item já foi substituído; corrija o que o substituiu (veja relembra history).",
    ),
    "error.conflict.undo": (
        "there is nothing left to undo, or it changed again since (see relembra history).",
        "não há mais o que desfazer, ou mudou de novo depois (veja relembra history).",
    ),
    "error.store.unavailable": (
        "the memory in {db} is being used by another program; try again in a moment.",
        "a memória em {db} está em uso por outro programa; tente de novo em instantes.",
    ),
    "error.store.full": (
        "the disk of {db} is full; nothing was changed. Make room and try again.",
        "o disco de {db} está cheio; nada mudou. Libere espaço e tente de novo.",
    ),
    "error.store.read_only": (
        "{db} may only be read, so nothing was changed. May you write the file and its folder, and is the setting "
        "read_only off?",
        "{db} só pode ser lido, por isso nada mudou. Você pode escrever no arquivo e na pasta, e a configuração "
        "read_only está desligada?",
    ),
    "error.store.corrupt": (
        "{db} is damaged, or is not a Relembra memory. Restore a backup with relembra backup restore FILE, or name "
        "another file. Was it restored by copying? The old log beside it then damages it; restore it that way instead.",
        "{db} está danificado ou não é uma memória do Relembra. Restaure uma cópia com relembra backup restore "
        "ARQUIVO, ou dê outro arquivo. Foi restaurado copiando por cima? O registro antigo ao lado então o danifica; "
        "restaure com o comando.",
    ),
    "error.backup.in_use": (
        "the memory in {db} is in use by another program. Stop it (relembra serve, a bot, an assistant) and try again; "
        "nothing was changed.",
        "a memória em {db} está em uso por outro programa. Pare-o (relembra serve, um bot, um assistente) e tente de "
        "novo; nada mudou.",
    ),
    "error.backup.damaged": (
        "{file} is damaged, or is not a Relembra memory, so it was not put in place of {db}. Choose another backup.",
        "{file} está danificado ou não é uma memória do Relembra, por isso não entrou no lugar de {db}. Escolha outra "
        "cópia.",
    ),
    "error.backup.newer": (
        "{file} was written by a newer Relembra, so it was not put in place of {db}. Upgrade with: pip install "
        "-U relembra",
        "{file} foi gravado por um Relembra mais novo, por isso não entrou no lugar de {db}. Atualize com: pip install "
        "-U relembra",
    ),
    "error.field.backup restore.file": (
        "there is no such backup, or it is the memory itself. Name the file that relembra backup wrote.",
        "essa cópia não existe, ou é a própria memória. Dê o arquivo que relembra backup gravou.",
    ),
    "error.store.version": (
        "this Relembra cannot open {db} safely: {message}.",
        "este Relembra não consegue abrir {db} com segurança. Atualize com: pip install -U relembra apsw",
    ),
    "error.store.other": (
        "{db} cannot be used. Does the folder exist, and may you read and write there?",
        "não consigo usar {db}. A pasta existe, e você pode ler e escrever nela?",
    ),
    "error.store.target": (
        "no copy could be written to {target}. Does its folder exist, may you write there, and is there room?",
        "não consegui gravar a cópia em {target}. A pasta existe, você pode escrever nela, e há espaço?",
    ),
    "error.store.missing": (
        "there is no memory in {db}. Check --db, or begin with: relembra add …",
        "não há memória em {db}. Confira o --db, ou comece com: relembra add …",
    ),
    "error.extra": (
        "{feature} needs one more package: pip install 'relembra[{extra}]'",
        "{feature} precisa de mais um pacote: pip install 'relembra[{extra}]'",
    ),
    # how the command line was typed
    "usage.no_command": ("there is no command {name}.", "não existe o comando {name}."),
    "usage.near_command": (
        "there is no command {name}. Did you mean {near}?",
        "não existe o comando {name}. Quis dizer {near}?",
    ),
    "usage.no_option": ("there is no option {option}.", "não existe a opção {option}."),
    "usage.near_option": (
        "there is no option {option}. Did you mean {near}?",
        "não existe a opção {option}. Quis dizer {near}?",
    ),
    "usage.unclear_option": (
        "{option} could be any of {options}; type more of it.",
        "{option} pode ser qualquer uma de {options}; digite mais.",
    ),
    "usage.needs_value": ("{option} needs a value.", "{option} precisa de um valor."),
    "usage.no_value": ("{option} takes no value.", "{option} não leva valor."),
    "usage.spare": (
        "I do not know what to do with: {words}. A text of several words goes in quotes.",
        "não sei o que fazer com: {words}. Um texto de várias palavras vai entre aspas.",
    ),
    "usage.spare_text": (
        'a text goes behind its option: relembra {option} "{words}"',
        'um texto vai depois da sua opção: relembra {option} "{words}"',
    ),
    "usage.spare_word": (
        "I do not know what to do with: {words}. Here only options may follow.",
        "não sei o que fazer com: {words}. Aqui só vêm opções.",
    ),
    "usage.missing": ("{argument} is missing.", "falta {argument}."),
    "usage.language": (
        "there is no language {name}; choose pt or en.",
        "não existe o idioma {name}; escolha pt ou en.",
    ),
    "usage.whole": (
        "{option} needs a whole number, not {word}.",
        "{option} precisa de um número inteiro, não {word}.",
    ),
    "usage.number": ("{option} needs a number, not {word}.", "{option} precisa de um número, não {word}."),
    "usage.date": (
        "{option} needs a date like 2026-03-01 or 2026-03-01T10:00:00-03:00, not {word}.",
        "{option} precisa de uma data como 2026-03-01 ou 2026-03-01T10:00:00-03:00, não {word}.",
    ),
    "usage.date_range": (
        "the date of {option}, {word}, is too early or too late to be kept.",
        "a data de {option}, {word}, é antiga ou distante demais para guardar.",
    ),
    "usage.who": (
        "{option} needs person:NAME, program:NAME or model:NAME, not {word}.",
        "{option} precisa de person:NOME, program:NOME ou model:NOME, não {word}.",
    ),
    "usage.pair": ("{option} needs KEY=VALUE, not {word}.", "{option} precisa de CHAVE=VALOR, não {word}."),
    "usage.one_stdin": (
        "only one text can come from standard input.",
        "só um texto pode vir da entrada padrão.",
    ),
    "usage.messages": (
        "--messages found no JSON list in {word}; write - for standard input, or a file that can be read.",
        "--messages não achou uma lista JSON em {word}; use - para a entrada padrão, ou um arquivo que se possa ler.",
    ),
    "usage.help": ("See: {command} --help", "Veja: {command} --help"),
    # the doctor
    "doctor.title": ("Relembra's check-up", "Exame do Relembra"),
    "doctor.well": ("All is well.", "Está tudo bem."),
    "doctor.warned": ("It works; see the notes above.", "Funciona; veja as observações acima."),
    "doctor.broken": (
        "Something does not work; see above what to do.",
        "Algo não funciona; veja acima o que fazer.",
    ),
    "doctor.relembra": ("Relembra", "Relembra"),
    "doctor.python": ("Python", "Python"),
    "doctor.sqlite": ("SQLite", "SQLite"),
    "doctor.vec1": ("vector search (vec1)", "busca vetorial (vec1)"),
    "doctor.vec1.ok": ("built in", "embutida"),
    "doctor.vec1.missing": ("missing; a slower way is used", "falta; uso um jeito mais lento"),
    "doctor.vec1.advice": ("pip install -U apsw", "pip install -U apsw"),
    "doctor.settings": ("settings file", "arquivo de configuração"),
    "doctor.settings.none": ("none; the defaults hold", "nenhum; valem os padrões"),
    "doctor.settings.advice": (
        "correct that line of the file or that RELEMBRA_ variable",
        "corrija essa linha do arquivo ou essa variável RELEMBRA_",
    ),
    "doctor.unknown": (
        "not looked at: the settings come first",
        "não examinei: antes é preciso acertar a configuração",
    ),
    "doctor.language": ("language", "idioma"),
    "doctor.language.pt": ("Portuguese", "português"),
    "doctor.language.en": ("English", "inglês"),
    "doctor.model": ("model", "modelo"),
    "doctor.model.ok": (
        "{name}, {dimensions} numbers a vector, by {engine}; "
        "self-test passed: a translation {translation}, a stranger {unrelated}",
        "{name}, {dimensions} números por vetor, com {engine}; "
        "autoteste passou: uma tradução {translation}, uma frase alheia {unrelated}",
    ),
    "doctor.model.slow": (
        "pip install --force-reinstall onnxruntime, for the same vectors several times quicker",
        "pip install --force-reinstall onnxruntime, para os mesmos vetores bem mais depressa",
    ),
    "doctor.reader": ("reader", "leitor"),
    "doctor.reader.ok": (
        "{name}; all {cases} plain sentences read right",
        "{name}; leu certo as {cases} frases simples",
    ),
    "doctor.tools": ("language tools", "ferramentas de idioma"),
    "doctor.tools.ok": (
        "analyzer {version}; all {cases} dates, names, sentences, lemmas and languages read right",
        "analisador {version}; leram certo os {cases} casos de datas, nomes, frases, lemas e idiomas",
    ),
    "doctor.model.answers": (
        "{name}, {dimensions} numbers a vector; it answers",
        "{name}, {dimensions} números por vetor; responde",
    ),
    "doctor.model.advice": ("install Relembra again", "instale o Relembra de novo"),
    "doctor.model.extra": ("pip install 'relembra[{extra}]'", "pip install 'relembra[{extra}]'"),
    "doctor.model.setting": (
        "correct the settings embedder and embedder_url, or leave them out for the shipped model",
        "corrija as configurações embedder e embedder_url, ou tire-as para usar o modelo que vem junto",
    ),
    "doctor.model.server": (
        "check that the server runs, and the settings embedder_url and embedder_api_key",
        "confira se o servidor está no ar, e as configurações embedder_url e embedder_api_key",
    ),
    "doctor.model.folder": (
        "check the folder in the setting embedder, or leave it out for the shipped model",
        "confira a pasta na configuração embedder, ou tire-a para usar o modelo que vem junto",
    ),
    "doctor.store": ("memory", "memória"),
    "doctor.store.file": ("{path} ({size})", "{path} ({size})"),
    "doctor.store.new": (
        "{path} (will be made at the first add or save)",
        "{path} (será criada no primeiro add ou save)",
    ),
    "doctor.store.memory": ("in this process only; nothing is kept", "só neste processo; nada fica guardado"),
    "doctor.store.readonly": ("{path} cannot be written", "{path} não pode ser escrito"),
    "doctor.store.readonly.advice": (
        "check who may write the file and its folder, or name another with --db",
        "confira quem pode escrever no arquivo e na pasta, ou dê outro com --db",
    ),
    "doctor.store.busy": ("{path} is being used by another program", "{path} está em uso por outro programa"),
    "doctor.store.busy.advice": ("try again in a moment", "tente de novo em instantes"),
    "doctor.store.full": ("the disk of {path} is full", "o disco de {path} está cheio"),
    "doctor.store.full.advice": ("make room", "libere espaço"),
    "doctor.store.corrupt": (
        "{path} is damaged, or is not a Relembra memory",
        "{path} está danificado ou não é uma memória do Relembra",
    ),
    "doctor.store.corrupt.advice": (
        "restore a backup: relembra backup restore FILE",
        "restaure uma cópia: relembra backup restore ARQUIVO",
    ),
    "doctor.store.version": (
        "this Relembra cannot open {path} safely: {message}",
        "este Relembra não consegue abrir {path} com segurança: {message}",
    ),
    "doctor.store.version.advice": ("pip install -U relembra apsw", "pip install -U relembra apsw"),
    "doctor.store.broken": ("{path} does not open: {message}", "{path} não abre: {message}"),
    "doctor.store.broken.advice": (
        "check that its folder exists, and who may read and write there",
        "confira se a pasta existe, e quem pode ler e escrever nela",
    ),
    "doctor.store.unknown": ("{db} is no file", "{db} não é um arquivo"),
    "doctor.store.unknown.advice": (
        "give a file with --db or the setting db",
        "dê um arquivo com --db ou com a configuração db",
    ),
    "doctor.backups": ("backups", "cópias"),
    "doctor.backups.ok": ("{count} in {folder}, the last of {day}", "{count} em {folder}, a última de {day}"),
    "doctor.backups.none": ("none in {folder} yet", "nenhuma em {folder} ainda"),
    "doctor.backups.late": ("the last in {folder} is of {day}", "a última em {folder} é de {day}"),
    "doctor.backups.advice": (
        "they are made while relembra serve or a bot runs; the log says why one failed",
        "são feitas enquanto relembra serve ou um bot roda; o registro diz por que uma falhou",
    ),
    "doctor.backups.unwritable": (
        "that folder does not exist or cannot be written: set backup_folder to another",
        "essa pasta não existe ou não aceita escrita: indique outra em backup_folder",
    ),
    "doctor.disk": ("free disk", "disco livre"),
    "doctor.disk.advice": ("make room: under 200 MB are left", "libere espaço: sobram menos de 200 MB"),
    "doctor.vectors": ("vectors", "vetores"),
    "doctor.vectors.ok": ("all of the model in use", "todos do modelo em uso"),
    "doctor.vectors.missing": ("{count} without one of the model in use", "{count} sem vetor do modelo em uso"),
    "doctor.vectors.unknown": (
        "cannot be told while the model does not work",
        "não dá para saber enquanto o modelo não funciona",
    ),
    "doctor.vectors.other": ("some are of {models}", "há alguns de {models}"),
    "doctor.vectors.advice": ("relembra reindex", "relembra reindex"),
    "doctor.jobs": ("queued work", "trabalho na fila"),
    "doctor.jobs.none": ("none", "nada"),
    "doctor.jobs.dead": (
        "see to the reason given; relembra retry tries given-up work again, relembra jobs shows it",
        "resolva o motivo indicado; relembra retry tenta de novo o trabalho abandonado, relembra jobs o mostra",
    ),
    "doctor.extra.http": ("extra http", "extra http"),
    "doctor.extra.tokenizers": ("extra tokenizers", "extra tokenizers"),
    "doctor.extra.ok": ("installed", "instalado"),
    "doctor.extra.missing": ("not installed (optional)", "não instalado (opcional)"),
    "doctor.extra.http.for": (
        "for models on a server: pip install 'relembra[http]'",
        "para modelos num servidor: pip install 'relembra[http]'",
    ),
    "doctor.extra.tokenizers.for": (
        "for models in a folder: pip install 'relembra[tokenizers]'",
        "para modelos numa pasta: pip install 'relembra[tokenizers]'",
    ),
}
