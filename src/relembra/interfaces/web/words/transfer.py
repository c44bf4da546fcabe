"""The sentences of export, import, work under way and erasing: English, Portuguese."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.export.title": ("Take your memory along", "Levar sua memória"),
    "page.export.what": (
        "Everything kept of {user}, in a file of yours.",
        "Tudo o que está guardado de {user}, em um arquivo seu.",
    ),
    "page.export.format": ("As", "Como"),
    "page.export.json": ("JSON, whole", "JSON, completo"),
    "page.export.json.what": (
        "Everything with its history, in one document. It can be brought back in.",
        "Tudo com o histórico, em um documento só. Dá para trazer de volta.",
    ),
    "page.export.jsonl": ("JSON lines, whole", "Linhas JSON, completo"),
    "page.export.jsonl.what": (
        "The same, a line for each thing: for large memories.",
        "O mesmo, uma linha para cada coisa: para memórias grandes.",
    ),
    "page.export.markdown": ("A text to read", "Um texto para ler"),
    "page.export.markdown.what": (
        "Your life as it is known, in Markdown. It cannot be brought back in.",
        "Sua vida como ela é conhecida, em Markdown. Não dá para trazer de volta.",
    ),
    "page.export.notes": ("The notes", "As notas"),
    "page.export.notes.what": ("A zip with a Markdown file for each note.", "Um zip com um Markdown para cada nota."),
    "page.export.everybody": ("Everybody's, as JSON lines", "De todo mundo, em linhas JSON"),
    "page.export.button": ("Prepare the file", "Preparar o arquivo"),
    "page.export.download": ("Download", "Baixar"),
    "page.export.direct": ("or download at once: {format}", "ou baixe direto: {format}"),
    "page.export.working": ("Your memory is being written down", "Sua memória está sendo escrita"),
    "page.export.done": ("Your file is ready", "Seu arquivo está pronto"),
    "page.export.done.what": (
        "It holds everything about you: keep it somewhere safe. Here it is kept for an hour.",
        "Ele tem tudo sobre você: guarde em lugar seguro. Aqui ele fica por uma hora.",
    ),
    "page.export.changed": (
        "It was being written to all the while, so parts may be of different moments.",
        "Ela mudou enquanto era escrita, então as partes podem ser de momentos diferentes.",
    ),
    # import
    "page.import.title": ("Bring a memory in", "Trazer uma memória"),
    "page.import.what": (
        "An export of Relembra, JSON or JSON lines. What is there already stays as it is, and a second time adds "
        "nothing.",
        "Um arquivo exportado do Relembra, JSON ou linhas JSON. O que já está fica como está, e uma segunda vez não "
        "acrescenta nada.",
    ),
    "page.import.facts": (
        "The facts file of an older program (SQLite) is understood as well.",
        "O arquivo de fatos de um programa mais antigo (SQLite) também serve.",
    ),
    "page.import.file": ("File", "Arquivo"),
    "page.import.into": ("It becomes", "Passa a ser"),
    "page.import.into.user": ("{user}'s memory, whoever it was of", "a memória de {user}, seja de quem era"),
    "page.import.into.everybody": (
        "of everybody in the file, each under their own name",
        "de todos que estão no arquivo, cada um com seu nome",
    ),
    "page.import.look": ("Look first", "Olhar antes"),
    "page.import.look.what": (
        "Looking first says what would come in, and keeps nothing.",
        "Olhar antes diz o que entraria, e não guarda nada.",
    ),
    "page.import.button": ("Bring it in", "Trazer"),
    "page.import.now": ("Bring it in now", "Trazer agora"),
    "page.import.none": ("Choose a file first.", "Escolha um arquivo antes."),
    "page.import.gone": (
        "The file is not here any more. Choose it once more.",
        "O arquivo não está mais aqui. Escolha de novo.",
    ),
    "page.import.admin": (
        "This is the file of an older program; only whoever administers this may bring it in.",
        "Este é o arquivo de um programa mais antigo; só quem administra isto pode trazê-lo.",
    ),
    "page.import.sending": ("Sending", "Enviando"),
    "page.import.working": ("The memory is coming in", "A memória está entrando"),
    "page.import.done": ("It is in", "Entrou"),
    "page.import.would": ("This would come in", "Isto entraria"),
    "page.import.would.what": ("Nothing was kept so far.", "Nada foi guardado até agora."),
    "page.import.nothing": ("Nothing new in this file", "Nada de novo neste arquivo"),
    "page.import.nobody": (
        "This file knows nothing of {user}. It knows of {people}.",
        "Este arquivo não sabe nada de {user}. Ele sabe de {people}.",
    ),
    "page.import.came": ("New", "Novo"),
    "page.import.rest": ("Not taken in", "Não entrou"),
    "page.import.skipped.what": ("the same as here, so there is nothing to do", "igual ao que está aqui, nada a fazer"),
    "page.import.conflicted.what": (
        "different from what is here, which stays as it is",
        "diferente do que está aqui, que fica como está",
    ),
    "page.import.left_out.what": (
        "notes of spaces, people not asked for, or records of what stayed out",
        "notas de espaços, pessoas não pedidas, ou registros do que ficou de fora",
    ),
    "page.import.which": ("Which differ", "Quais são diferentes"),
    "page.import.see": ("See the memory", "Ver a memória"),
    "page.import.another": ("Another file", "Outro arquivo"),
    # work under way
    "page.errand.rows": ("{done} of {total}", "{done} de {total}"),
    "page.errand.wait": (
        "You may leave this page; it goes on by itself.",
        "Você pode sair desta página; isto continua sozinho.",
    ),
    "page.errand.failed": ("That did not work", "Não deu certo"),
    "page.errand.failed.kept": (
        "What came in before that is kept; the same file goes on from there.",
        "O que entrou antes disso está guardado; o mesmo arquivo continua dali.",
    ),
    "page.errand.gone": ("This is over", "Isto já passou"),
    "page.errand.gone.what": (
        "Finished work is shown for an hour, and not after a restart. Begin it again if you need it.",
        "O que terminou aparece por uma hora, e não depois de um reinício. Comece de novo se precisar.",
    ),
    "page.errand.again": ("Try again", "Tentar de novo"),
    "page.errand.busy": (
        "There is one under way already; wait until it is done.",
        "Já há um em andamento; espere terminar.",
    ),
    # erase me
    "page.erase.title": ("Erase me", "Apagar tudo de mim"),
    "page.erase.title.other": ("Erase {user}", "Apagar tudo de {user}"),
    "page.erase.what": (
        "Everything kept of {user} goes for good: what was said, what is known, notes, history, indexes, queued work, "
        "keys and linked accounts. Nothing brings it back.",
        "Tudo o que está guardado de {user} vai embora de vez: o que foi dito, o que se sabe, notas, histórico, "
        "índices, trabalhos na fila, chaves e contas ligadas. Nada traz de volta.",
    ),
    "page.erase.held": ("What will go", "O que vai embora"),
    "page.erase.shared": (
        "Among the notes: {notes} of groups, where others spoke too. They go whole; what the others said stays.",
        "Entre as notas: {notes} de grupos, onde outras pessoas também falaram. Somem por inteiro; o que as outras "
        "disseram fica.",
    ),
    "page.erase.nothing": ("Nothing is kept of {user}.", "Não há nada guardado de {user}."),
    "page.erase.nothing.what": (
        "Erasing removes keys and linked accounts all the same.",
        "Apagar tira mesmo assim as chaves e as contas ligadas.",
    ),
    "page.erase.first": ("First, take a copy", "Antes, leve uma cópia"),
    "page.erase.first.what": (
        "With it you can bring everything back one day, here or elsewhere.",
        "Com ela você pode trazer tudo de volta um dia, aqui ou em outro lugar.",
    ),
    "page.erase.backups": (
        "Backups made before, and files you exported, are not touched: they are yours to delete.",
        "Cópias feitas antes, e arquivos que você exportou, não são tocados: cabe a você apagá-los.",
    ),
    "page.erase.name": ("To confirm, type the name: {user}", "Para confirmar, digite o nome: {user}"),
    "page.erase.name.wrong": (
        "That is not the name. Nothing was erased.",
        "Esse não é o nome. Nada foi apagado.",
    ),
    "page.erase.button": ("Erase everything for good", "Apagar tudo de vez"),
    "page.erase.done": ("Everything is erased", "Tudo foi apagado"),
    "page.erase.done.what": (
        "This is your receipt: what went, from where, and when. It is kept nowhere else.",
        "Este é o seu recibo: o que se foi, de onde, e quando. Ele não fica guardado em nenhum outro lugar.",
    ),
    "page.erase.when": ("When", "Quando"),
    "page.erase.whose": ("Of whom", "De quem"),
    "page.erase.total": ("in all", "ao todo"),
    "page.erase.traces": (
        "Another program is reading the file just now; the last bytes leave it as soon as it can be rewritten.",
        "Outro programa está lendo o arquivo agora; os últimos bytes saem assim que ele puder ser reescrito.",
    ),
    "page.erase.clean": (
        "The bytes are overwritten too: nothing can be read back from the file.",
        "Os bytes também foram sobrescritos: nada pode ser lido de volta do arquivo.",
    ),
    "page.erase.key": (
        "The key you came in with is gone as well, so you are signed out here.",
        "A chave com que você entrou também se foi, então você saiu daqui.",
    ),
    "page.erase.save": ("Keep the receipt", "Guarde o recibo"),
    "page.erase.receipt": ("Receipt of erasing", "Recibo de apagamento"),
    "page.erase.start": ("Start anew", "Começar de novo"),
}
