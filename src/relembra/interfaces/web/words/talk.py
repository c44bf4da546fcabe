"""The sentences of talking and of the first visit: English, Portuguese; "page.talk." and "page.welcome."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    # talking
    "page.talk.lead": (
        "Say something. Your assistant answers with what it remembers, and learns from what you say.",
        "Conte algo. Seu assistente responde com o que lembra, e aprende com o que você diz.",
    ),
    "page.talk.lead.read": ("What was said on this page, to be read.", "O que foi dito nesta página, para ler."),
    "page.talk.lead.alone": (
        "Say something, and see what is remembered of it.",
        "Conte algo, e veja o que fica na memória.",
    ),
    "page.talk.no_model": (
        "No model is set up here to answer you. What you say is kept and learnt from all the same, and you see what an "
        "assistant would be told.",
        "Não há um modelo configurado aqui para responder. O que você diz é guardado e se aprende com isso do mesmo "
        "jeito, e você vê o que um assistente receberia.",
    ),
    "page.talk.set_up": ("See the settings", "Ver os ajustes"),
    "page.talk.messages": ("The conversation", "A conversa"),
    "page.talk.you": ("You", "Você"),
    "page.talk.cut": ("The beginning of {n} characters.", "O começo de {n} letras."),
    "page.talk.empty": ("Nothing said today yet", "Nada foi dito hoje ainda"),
    "page.talk.empty.hint": (
        "Tell something of yourself: where you live, what you like, what you are planning.",
        "Conte algo de você: onde mora, do que gosta, o que anda planejando.",
    ),
    "page.talk.earlier": ("Earlier messages", "Mensagens anteriores"),
    "page.talk.latest": ("Latest messages", "Mensagens mais recentes"),
    "page.talk.box": ("What do you want to say?", "O que você quer dizer?"),
    "page.talk.box.hint": ("Write a message…", "Escreva uma mensagem…"),
    "page.talk.send": ("Send", "Enviar"),
    "page.talk.enter": ("Enter sends, Shift+Enter begins a new line.", "Enter envia, Shift+Enter começa outra linha."),
    "page.talk.thinking": ("One moment…", "Um momento…"),
    "page.talk.command": (
        "A command: it is not kept as part of the conversation.",
        "Um comando: não fica guardado na conversa.",
    ),
    "page.talk.told": ("What an assistant would be told now", "O que um assistente receberia agora"),
    "page.talk.told.nothing": (
        "Nothing yet: nothing known fits what you said.",
        "Nada ainda: nada do que se sabe combina com o que você disse.",
    ),
    "page.talk.learn": ("Learn now", "Aprender agora"),
    "page.talk.learn.hint": (
        "What you say is learnt from at once. This writes the note of the talk now, too.",
        "O que você diz é aprendido na hora. Isto também anota a conversa agora.",
    ),
    "page.talk.learnt": ("Learnt from what you said", "Aprendido do que você disse"),
    "page.talk.learnt.nothing": ("Nothing new was learnt", "Nada de novo foi aprendido"),
    "page.talk.learnt.nothing.hint": (
        "Everything was read already, or there was nothing lasting in it.",
        "Tudo já tinha sido lido, ou não havia nada ali que fique.",
    ),
    "page.talk.learnt.waiting": (
        "Some of it could not be read just now. Nothing is lost; it is tried again by itself.",
        "Uma parte não deu para ler agora. Nada se perdeu; a memória tenta de novo.",
    ),
    "page.talk.decide": ("Decide which holds", "Decidir o que vale"),
    "page.talk.again": ("Ask for the answer again", "Pedir a resposta de novo"),
    "page.talk.trouble.busy": (
        "The model that answers has too much to do right now. What you said is kept; ask again in a moment.",
        "O modelo que responde está ocupado demais agora. O que você disse está guardado; peça de novo daqui a pouco.",
    ),
    "page.talk.trouble.slow": (
        "The model that answers took too long. What you said is kept; ask again in a moment.",
        "O modelo que responde demorou demais. O que você disse está guardado; peça de novo daqui a pouco.",
    ),
    "page.talk.trouble.key": (
        "The model that answers did not accept its key. What you said is kept; whoever set it up can put that right.",
        "O modelo que responde não aceitou a chave. O que você disse está guardado; quem configurou pode acertar isso.",
    ),
    "page.talk.trouble.model": (
        "The model that answers was not found where it should be. What you said is kept; whoever set it up can put "
        "that right.",
        "O modelo que responde não foi achado onde deveria. O que você disse está guardado; quem configurou pode "
        "acertar isso.",
    ),
    "page.talk.trouble.unreached": (
        "The model that answers gave no answer. What you said is kept; ask again in a moment.",
        "O modelo que responde não deu resposta. O que você disse está guardado; peça de novo daqui a pouco.",
    ),
    "page.talk.trouble.recall": (
        "The answer came without what is remembered, which could not be read in time.",
        "A resposta veio sem o que está na memória, que não deu para ler a tempo.",
    ),
    "page.talk.unkept": (
        "What you said could not be kept just now; it still stands in the box. Try again in a moment.",
        "Não deu para guardar o que você disse agora; o texto continua na caixa. Tente de novo daqui a pouco.",
    ),
    "page.talk.refused": (
        "Nothing of this person is kept, by a setting. What you wrote still stands in the box.",
        "Nada desta pessoa é guardado, por causa de um ajuste. O que você escreveu continua na caixa.",
    ),
    "page.talk.delete": ("Delete conversation", "Apagar conversa"),
    "page.talk.forget": ("Forget this conversation for good", "Esquecer esta conversa de vez"),
    "page.talk.forget.what": (
        "The messages go, with the notes made of them, reports that quote them, and everything learnt from nothing "
        "else. This cannot be taken back.",
        "As mensagens vão embora, com as notas feitas delas, os relatórios que as citam e tudo o que só se aprendeu "
        "ali. Não dá para desfazer.",
    ),
    "page.talk.forget.sure": ("Yes, forget it for good", "Sim, esquecer de vez"),
    "page.talk.forget.unsure": ("Tick the box to say that you mean it.", "Marque a caixa para confirmar."),
    "page.talk.forget.button": ("Forget for good", "Esquecer de vez"),
    "page.talk.gone": ("Forgotten for good: {messages}, {items}.", "Esquecido de vez: {messages}, {items}."),
    "page.talk.others": ("Earlier conversations", "Conversas anteriores"),
    "page.talk.untitled": ("A conversation", "Uma conversa"),
    "page.talk.to_today": ("Go on talking", "Continuar conversando"),
    "page.done.talk_deleted": (
        "Conversation deleted. What was learnt from it stays.",
        "Conversa apagada. O que se aprendeu com ela fica.",
    ),
    # the first visit
    "page.welcome.title": ("Ways to begin", "Por onde começar"),
    "page.welcome.hello": ("Nothing is remembered yet", "Ainda não há nada na memória"),
    "page.welcome.lead": (
        "Here you will see what your assistant knows of you, and can confirm it, correct it, or erase it. How would "
        "you like to begin?",
        "Aqui você verá o que seu assistente sabe de você, e poderá confirmar, corrigir ou apagar. Por onde você quer "
        "começar?",
    ),
    "page.welcome.others": (
        "You are looking at the memory of {user}. Something is remembered of others here:",
        "Você está vendo a memória de {user}. Há algo guardado aqui de outras pessoas:",
    ),
    "page.welcome.story": ("Look at a story", "Ver uma história"),
    "page.welcome.story.what": (
        "Two weeks in somebody's life, with nights, questions and changes of mind. One click forgets it again, and "
        "nothing of it stays.",
        "Duas semanas na vida de alguém, com noites, perguntas e mudanças de ideia. Um clique esquece tudo, e nada "
        "disso fica.",
    ),
    "page.welcome.story.button": ("Load the demo story", "Carregar a história"),
    "page.welcome.import": ("Bring your memory along", "Trazer sua memória"),
    "page.welcome.import.what": (
        "An export of Relembra, as a .json or .jsonl file, from another machine or an earlier time.",
        "Uma exportação do Relembra, em arquivo .json ou .jsonl, de outra máquina ou de antes.",
    ),
    "page.welcome.import.button": ("Choose a file", "Escolher um arquivo"),
    "page.welcome.import.send": ("Import", "Importar"),
    "page.welcome.talk": ("Start talking", "Começar a conversar"),
    "page.welcome.talk.what": (
        "Tell something of yourself and watch what is learnt from it.",
        "Conte algo de você e veja o que se aprende com isso.",
    ),
    "page.welcome.talk.button": ("Say the first word", "Dizer a primeira palavra"),
    "page.connect": ("Connect in a minute", "Conecte em um minuto"),
    "page.connect.what": (
        "Give this memory to a program you use. Its light turns green when the first message comes in.",
        "Dê esta memória a um programa que você usa. A luz dele fica verde quando chega a primeira mensagem.",
    ),
    "page.connect.proxy": ("A chat client", "Um cliente de conversa"),
    "page.connect.proxy.what": (
        "For anything that speaks OpenAI's protocol: put this address where it asks for a base URL.",
        "Para tudo o que fala o protocolo da OpenAI: ponha este endereço onde se pede a base URL.",
    ),
    "page.connect.proxy.header": (
        "The header that says whose memory",
        "O cabeçalho que diz de quem é a memória",
    ),
    "page.connect.proxy.header.key": ("The header with your key", "O cabeçalho com sua chave"),
    "page.connect.proxy.no_model": (
        "No model is set to answer yet: set upstream, like RELEMBRA_UPSTREAM=https://api.openai.com/v1, and start "
        "again.",
        "Ainda não há um modelo para responder: defina upstream, como RELEMBRA_UPSTREAM=https://api.openai.com/v1, e "
        "reinicie.",
    ),
    "page.connect.mcp": ("An assistant with MCP", "Um assistente com MCP"),
    "page.connect.mcp.what": (
        "For desktop assistants and editors: add this to the file where they keep their MCP servers.",
        "Para assistentes de mesa e editores: acrescente isto ao arquivo em que guardam seus servidores MCP.",
    ),
    "page.connect.mcp.stdio": ("Started by the client (stdio)", "Iniciado pelo cliente (stdio)"),
    "page.connect.mcp.url": ("Over this server (URL)", "Por este servidor (URL)"),
    "page.connect.program": ("Python", "Python"),
    "page.connect.program.what": (
        "Three lines, from any program that reaches this server; the command line and the HTTP API count as well.",
        "Três linhas, de qualquer programa que alcance este servidor; a linha de comando e a API HTTP também valem.",
    ),
    "page.connect.said": ("I moved to Bristol in March.", "Eu me mudei para Recife em março."),
    "page.connect.key": (
        "This server asks for a key: put one from Settings, Keys where rlb_… stands.",
        "Este servidor pede uma chave: ponha uma de Ajustes, Chaves no lugar de rlb_….",
    ),
    "page.connect.waiting": ("waiting for the first message", "esperando a primeira mensagem"),
    "page.connect.heard": ("a message came in {when}", "chegou uma mensagem {when}"),
    "page.connect.look": ("Look again", "Olhar de novo"),
    "page.welcome.reading": (
        "Your key may only read. Once something is remembered, you will see it here.",
        "Sua chave só permite ler. Quando houver algo na memória, você verá aqui.",
    ),
    "page.welcome.not_empty": (
        "Something is remembered already. The story would stand beside it.",
        "Já há algo na memória. A história ficaria ao lado.",
    ),
    "page.welcome.notice": (
        "This memory holds the demo story. Look around, try things; then take it out with one click.",
        "Esta memória contém a história de demonstração. Explore, experimente; depois tire tudo com um clique.",
    ),
    "page.welcome.remove": ("Remove the story", "Tirar a história"),
    "page.welcome.sure.title": (
        "Load the story beside what is there?",
        "Carregar a história ao lado do que já existe?",
    ),
    "page.welcome.sure.what": (
        "This memory is not empty. The story is about somebody else, and until it is removed an assistant would take "
        "it for true.",
        "Esta memória não está vazia. A história é de outra pessoa, e até ser tirada um assistente a tomaria por "
        "verdade.",
    ),
    "page.welcome.sure.beside": (
        "What is remembered stays, but may contradict the story: questions can come of it.",
        "O que está na memória fica, mas pode contradizer a história: podem surgir perguntas.",
    ),
    "page.welcome.sure.away": (
        "Removing the story takes out what it brought, and nothing else.",
        "Tirar a história leva só o que ela trouxe, e mais nada.",
    ),
    "page.welcome.sure.button": ("Load it all the same", "Carregar mesmo assim"),
    "page.welcome.loading": ("Living two weeks…", "Vivendo duas semanas…"),
    "page.welcome.loading.what": (
        "A fortnight is lived through the real engine, nights included, with the models that come along. Nothing is "
        "sent anywhere. It takes some seconds.",
        "Quinze dias passam pelo motor de verdade, com as noites, usando os modelos que vêm junto. Nada é enviado a "
        "lugar nenhum. Leva alguns segundos.",
    ),
    "page.welcome.step.living": ("Days and nights pass", "Passam dias e noites"),
    "page.welcome.step.taking": ("Taking it into your memory", "Guardando na sua memória"),
    "page.welcome.failed": ("The story could not be loaded. {why}", "Não deu para carregar a história. {why}"),
    "page.welcome.again": ("Try again", "Tentar de novo"),
    "page.done.story": ("The story is here. Look around.", "A história está aqui. Pode explorar."),
    "page.done.story_here": ("The story is here already.", "A história já está aqui."),
    "page.done.story_removed": (
        "The story is gone; what was yours stays.",
        "A história se foi; o que era seu ficou.",
    ),
}
