"""The sentences around every page: English, Portuguese."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.skip": ("Skip to the content", "Pular para o conteúdo"),
    "page.nav": ("Pages", "Páginas"),
    "page.memory": ("Memory", "Memória"),
    "page.questions": ("Questions", "Perguntas"),
    "page.profile": ("Profile", "Perfil"),
    "page.time": ("Time", "Tempo"),
    "page.notes": ("Notes", "Notas"),
    "page.nights": ("Nights", "Noites"),
    "page.try": ("Try it", "Experimentar"),
    "page.talk": ("Talk", "Conversar"),
    "page.settings": ("Settings", "Ajustes"),
    "page.more": ("More", "Mais"),
    "page.add": ("Add", "Adicionar"),
    "page.close": ("Close", "Fechar"),
    "page.cancel": ("Cancel", "Cancelar"),
    "page.save": ("Save", "Salvar"),
    "page.undo": ("Undo", "Desfazer"),
    "page.back": ("Back", "Voltar"),
    "page.show_more": ("Show more", "Mostrar mais"),
    "page.again": ("Try again", "Tentar de novo"),
    "page.copy": ("Copy", "Copiar"),
    "page.copied": ("Copied", "Copiado"),
    "page.chosen": ("Selected", "Selecionado"),
    "page.offline": (
        "The server cannot be reached. What is on this page stays as it is.",
        "Não foi possível falar com o servidor. O que está nesta página fica como está.",
    ),
    "page.failed": (
        "The server did not answer as it should. What is on this page stays as it is.",
        "O servidor não respondeu como devia. O que está nesta página fica como está.",
    ),
    "page.out": (
        "Your sign-in has ended. What you wrote is still here: sign in, then send it again.",
        "Seu acesso terminou. O que você escreveu continua aqui: entre e envie de novo.",
    ),
    "page.whose": ("Whose memory", "A memória de quem"),
    "page.whose.open": ("Open", "Abrir"),
    "page.whose.lead": (
        "You may open the memory of more than one person. Say whose you want to see.",
        "Você pode abrir a memória de mais de uma pessoa. Diga de quem é a que quer ver.",
    ),
    "page.whose.name": ("Name of the person", "Nome da pessoa"),
    "page.whose.known": ("Somebody known", "Alguém conhecido"),
    "page.whose.more": (
        "There are more. Write a part of a name above to find the others.",
        "Há mais gente. Escreva acima uma parte do nome para achar as outras pessoas.",
    ),
    "page.whose.new": (
        "Nothing is kept of “{user}”. Is the name right? If so, a new memory opens, with nothing in it.",
        "Não há nada guardado de “{user}”. O nome está certo? Se estiver, abre-se uma memória nova, sem nada dentro.",
    ),
    "page.whose.new.open": ("Open a new memory for {user}", "Abrir uma memória nova para {user}"),
    "page.whose.all": ("See everybody", "Ver todas as pessoas"),
    "page.theme": ("Appearance", "Aparência"),
    "page.theme.auto": ("As the system", "Como o sistema"),
    "page.theme.light": ("Light", "Claro"),
    "page.theme.dark": ("Dark", "Escuro"),
    "page.theme.turn": ("Change between light and dark", "Alternar entre claro e escuro"),
    "page.language": ("Language", "Idioma"),
    "page.language.other": ("Português", "English"),
    "page.leave": ("Sign out", "Sair"),
    "page.keys": ("Keyboard shortcuts", "Atalhos do teclado"),
    "page.keys.search": ("search", "buscar"),
    "page.keys.next": ("next item", "próximo item"),
    "page.keys.previous": ("previous item", "item anterior"),
    "page.keys.open": ("open the item", "abrir o item"),
    "page.keys.add": ("add something", "adicionar algo"),
    "page.keys.go": ("go to Memory, Questions, Profile, Time", "ir para Memória, Perguntas, Perfil, Tempo"),
    "page.keys.leave": ("close a menu, leave a field", "fechar um menu, sair de um campo"),
    "page.keys.help": ("these shortcuts", "estes atalhos"),
    "page.done.undone": ("Taken back.", "Desfeito."),
    "page.done.saved": ("Saved.", "Salvo."),
    "page.done.left": ("You are signed out.", "Você saiu."),
    "page.lost_place": (
        "This address leads into the middle of a list that is no longer there. Begin at its start.",
        "Este endereço leva ao meio de uma lista que não existe mais. Comece do início.",
    ),
    "page.resend": ("Send it once more", "Envie mais uma vez"),
    "page.resend.stale": (
        "Your browser no longer knows this form, so nothing was done.",
        "Seu navegador não reconhece mais este formulário, então nada foi feito.",
    ),
    "page.resend.kept": ("Here is what you sent.", "Aqui está o que você enviou."),
    "page.resend.send": ("Send again", "Enviar de novo"),
    "page.trouble": ("That did not work", "Não deu certo"),
    "page.forbidden": (
        "You may not do this with the key you signed in with.",
        "A chave com que você entrou não permite isto.",
    ),
    "page.other_origin": (
        "This form did not come from a page of this server, so nothing was done. Behind a proxy, it has to pass the "
        "header Host on.",
        "Este formulário não veio de uma página deste servidor, então nada foi feito. Atrás de um proxy, ele precisa "
        "repassar o cabeçalho Host.",
    ),
    "page.broken": (
        "Something went wrong here that should not. Nothing of yours is lost; the log of the server says where.",
        "Algo deu errado aqui que não devia. Nada seu se perdeu; o registro do servidor diz onde.",
    ),
    "page.turned_away": ("This address cannot be used like that.", "Este endereço não pode ser usado assim."),
    "page.turned_away.404": ("There is no page at this address.", "Não há página neste endereço."),
    "page.turned_away.408": (
        "It took too long to arrive. Nothing was changed; try again.",
        "Demorou demais para chegar. Nada mudou; tente de novo.",
    ),
    "page.turned_away.413": (
        "That is more than is taken at once. Nothing was changed.",
        "É mais do que se aceita de uma vez. Nada mudou.",
    ),
    "page.confidence.high": (
        "High: said outright, or confirmed by you ({n} or more).",
        "Alta: dito com todas as letras, ou confirmado por você ({n} ou mais).",
    ),
    "page.confidence.medium": (
        "Medium: concluded from what was said (from {n}).",
        "Média: concluído do que foi dito (a partir de {n}).",
    ),
    "page.confidence.low": (
        "Low: a hint, better asked about (from {n}).",
        "Baixa: um indício, melhor perguntar (a partir de {n}).",
    ),
    "page.confidence.doubtful": (
        "Doubtful: hardly more than a guess.",
        "Duvidosa: pouco mais que um palpite.",
    ),
    "page.confidence": ("Confidence", "Confiança"),
    "page.validated": ("Confirmed by you", "Confirmado por você"),
    "page.local_only": ("Stays on this machine", "Fica nesta máquina"),
    "page.unresolved": ("There is a question about it", "Há uma pergunta sobre isto"),
    "page.no_area": ("No area", "Sem área"),
    "page.enter.title": ("Sign in", "Entrar"),
    "page.enter.lead": (
        "See what your assistant remembers, confirm it, correct it, erase it.",
        "Veja o que seu assistente lembra, confirme, corrija, apague.",
    ),
    "page.enter.key": ("Your key", "Sua chave"),
    "page.enter.how": (
        "It begins with rlb_ and was shown once, when it was made. Whoever runs this server can make you one, or send "
        "you a link.",
        "Ela começa com rlb_ e foi mostrada uma vez, quando foi criada. Quem cuida deste servidor pode criar uma para "
        "você, ou mandar um link.",
    ),
    "page.enter.button": ("Sign in", "Entrar"),
    "page.enter.link": (
        "Somebody sent you this link. It opens your memory in this browser, once.",
        "Alguém mandou este link para você. Ele abre sua memória neste navegador, uma única vez.",
    ),
    "page.enter.link.button": ("Open my memory", "Abrir minha memória"),
    "page.enter.wrong_key": (
        "This key opens nothing: it may be mistyped, revoked or expired.",
        "Esta chave não abre nada: pode estar digitada errado, revogada ou vencida.",
    ),
    "page.enter.wrong_link": (
        "This link opens nothing any more: each is good once and for a day. Ask for another.",
        "Este link não abre mais nada: cada um vale uma vez e por um dia. Peça outro.",
    ),
}
