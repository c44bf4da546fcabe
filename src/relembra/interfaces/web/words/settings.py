"""The sentences of the settings: English, Portuguese. Those of export, import and erasing are in `transfer`."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.settings.tabs": ("Parts of the settings", "Partes dos ajustes"),
    # how somebody reads
    "page.settings.reading": ("Reading", "Leitura"),
    "page.settings.reading.title": ("How you read", "Como você lê"),
    "page.settings.reading.what": (
        "These hold for this browser, and change nothing for anybody else.",
        "Valem para este navegador e não mudam nada para mais ninguém.",
    ),
    "page.settings.language": ("Language", "Idioma"),
    "page.settings.language.auto": ("As the browser says", "Como o navegador diz"),
    "page.settings.language.system": ("As the system says", "Como o sistema diz"),
    "page.settings.language.en": ("English", "English"),
    "page.settings.language.pt": ("Português", "Português"),
    "page.settings.zone": ("Clock", "Relógio"),
    "page.settings.zone.house": ("As this installation: {zone}", "Como esta instalação: {zone}"),
    "page.settings.zone.system": ("As the system says", "Como o sistema diz"),
    "page.settings.zone.now": ("Now there: {moment}", "Agora lá: {moment}"),
    "page.settings.zone.other": ("Other", "Outros"),
    "page.settings.theme": ("Appearance", "Aparência"),
    # accounts
    "page.settings.accounts": ("Accounts", "Contas"),
    "page.settings.accounts.title": ("Your accounts elsewhere", "Suas contas em outros lugares"),
    "page.settings.accounts.what": (
        "What these accounts say in a chat program is remembered as {user}'s.",
        "O que estas contas dizem em um programa de conversa é lembrado como de {user}.",
    ),
    "page.settings.accounts.none": ("No account is linked", "Nenhuma conta vinculada"),
    "page.settings.accounts.none.what": (
        "When you write to a bot on Discord or Telegram, it says how to link the account.",
        "Quando você escreve a um robô no Discord ou Telegram, ele diz como vincular a conta.",
    ),
    "page.settings.accounts.since": ("linked {when}", "vinculada {when}"),
    "page.settings.accounts.unlink": ("Unlink", "Desvincular"),
    "page.settings.accounts.unlink.what": (
        "From then on what it says is not yours any more. What it said so far stays.",
        "Daí em diante o que ela disser não é mais seu. O que já disse fica.",
    ),
    "page.done.unlinked": ("The account is unlinked.", "A conta foi desvinculada."),
    # models
    "page.settings.models": ("Models", "Modelos"),
    "page.settings.models.title": ("Who reads along", "Quem lê junto"),
    "page.settings.models.what": (
        "Which models see your words, and whether they run here. What you mark as staying on this machine is shown to "
        "none elsewhere.",
        "Quais modelos veem suas palavras, e se rodam aqui. O que você marca para ficar nesta máquina não é mostrado a "
        "nenhum de fora.",
    ),
    "page.settings.models.reader": ("Reads what you say", "Lê o que você diz"),
    "page.settings.models.reader.what": (
        "Finds in a conversation what is worth knowing.",
        "Encontra na conversa o que vale a pena saber.",
    ),
    "page.settings.models.deep": ("Reads at night", "Lê à noite"),
    "page.settings.models.deep.what": ("For what is rarer and harder.", "Para o que é mais raro e difícil."),
    "page.settings.models.embedder": ("Finds by meaning", "Encontra pelo sentido"),
    "page.settings.models.embedder.what": (
        "Turns sentences into numbers that can be compared.",
        "Transforma frases em números que dá para comparar.",
    ),
    "page.settings.models.reranker": ("Orders the best hits", "Ordena os melhores"),
    "page.settings.models.reranker.what": (
        "Looks once more at what was found, before it is given to an assistant.",
        "Olha mais uma vez o que foi encontrado, antes de dar ao assistente.",
    ),
    "page.settings.models.upstream": ("Answers: {name}", "Responde: {name}"),
    "page.settings.models.main": ("Answers", "Responde"),
    "page.settings.models.upstream.what": (
        "The model behind Talk, the memory proxy and the chat programs.",
        "O modelo por trás de Conversar, da ponte de memória e dos programas de conversa.",
    ),
    "page.settings.models.rules": ("Rules, without a language model", "Regras, sem modelo de linguagem"),
    "page.settings.models.shipped": ("The model that comes with Relembra", "O modelo que vem com o Relembra"),
    "page.settings.models.folder": ("A model in a folder", "Um modelo em uma pasta"),
    "page.settings.models.nobody": ("Nobody: the first order stays", "Ninguém: fica a primeira ordem"),
    "page.settings.models.any": ("whichever is asked for", "o que for pedido"),
    "page.settings.models.here": ("On this machine", "Nesta máquina"),
    "page.settings.models.away": ("Elsewhere: {host}", "Fora: {host}"),
    "page.settings.models.away.plain": ("Elsewhere", "Fora daqui"),
    "page.settings.models.test": ("Test", "Testar"),
    "page.settings.models.test.of": ("Test: {name}", "Testar: {name}"),
    "page.settings.models.costs": (
        "A test asks the model one short thing, which may cost a little where it is paid for.",
        "Um teste pergunta uma coisa curta ao modelo, o que pode custar um pouquinho onde ele é pago.",
    ),
    "page.settings.models.ok": ("It works: {name} answered in {span}.", "Funciona: {name} respondeu em {span}."),
    "page.settings.models.bad": ("It does not work, after {span}.", "Não funciona, depois de {span}."),
    "page.settings.models.trouble.key": (
        "The server did not accept the key: check {api_key}, and that it is one of this provider's.",
        "O servidor não aceitou a chave: veja {api_key}, e se ela é mesmo desse provedor.",
    ),
    "page.settings.models.trouble.missing": (
        "The server knows no such model, or no such address: check {model} and {url}.",
        "O servidor não conhece esse modelo, ou esse endereço: veja {model} e {url}.",
    ),
    "page.settings.models.trouble.busy": (
        "The server has too much to do, is in trouble, or the account has nothing left. Try again later.",
        "O servidor está ocupado demais, com problemas, ou a conta ficou sem saldo. Tente mais tarde.",
    ),
    "page.settings.models.trouble.reach": (
        "The server cannot be reached: check that it runs, and its address in {url}.",
        "Não dá para alcançar o servidor: veja se ele está rodando, e o endereço em {url}.",
    ),
    "page.settings.models.trouble.slow": (
        "It did not answer in time. A model that has just been started may need a minute: try again, or choose a "
        "smaller one in {model}.",
        "Não respondeu a tempo. Um modelo recém-iniciado pode precisar de um minuto: tente de novo, ou escolha um "
        "menor em {model}.",
    ),
    "page.settings.models.trouble.answer": (
        "It answered, but nothing that can be used: check the address in {url}, and that the model in {model} can call "
        "functions.",
        "Respondeu, mas nada que sirva: veja o endereço em {url}, e se o modelo em {model} sabe chamar funções.",
    ),
    "page.settings.models.trouble.other": (
        "The model could not answer: check {model}, {url} and {api_key}.",
        "O modelo não conseguiu responder: veja {model}, {url} e {api_key}.",
    ),
    "page.settings.models.how": ("To use a language model", "Para usar um modelo de linguagem"),
    "page.settings.models.how.what": (
        "Write the lines of one of these into {file}, and start again. A name in capitals is yours to fill in.",
        "Escreva as linhas de um destes em {file} e reinicie. O nome em maiúsculas é você quem preenche.",
    ),
    "page.settings.models.how.key": (
        "The key may also come from the environment, as RELEMBRA_LLM_API_KEY. It is never shown here.",
        "A chave também pode vir do ambiente, em RELEMBRA_LLM_API_KEY. Ela nunca aparece aqui.",
    ),
    "page.settings.models.how.missing": (
        "Language models need a few packages more. Install them first.",
        "Modelos de linguagem precisam de mais alguns pacotes. Instale primeiro.",
    ),
    "page.settings.models.how.install": ("In the folder of Relembra", "Na pasta do Relembra"),
    "page.settings.models.how.lines": ("The settings for {name}", "As configurações para {name}"),
    "page.settings.models.how.any": ("Any other that speaks OpenAI's protocol", "Outro que fale o protocolo da OpenAI"),
    "page.settings.models.how.google": (
        "Needs one package more: pip install 'pydantic-ai-slim[google]'",
        "Precisa de mais um pacote: pip install 'pydantic-ai-slim[google]'",
    ),
    "page.settings.models.set": (
        "They are chosen in the settings file; keys are never shown here.",
        "São escolhidos no arquivo de configuração; as chaves nunca aparecem aqui.",
    ),
    # keys
    "page.settings.keys": ("Keys", "Chaves"),
    "page.settings.keys.title": ("Who may come in", "Quem pode entrar"),
    "page.settings.keys.what": (
        "A key lets a program, or a person with a browser, open a memory. Its secret is shown once.",
        "Uma chave deixa um programa, ou uma pessoa com navegador, abrir uma memória. O segredo aparece uma única vez.",
    ),
    "page.settings.keys.none": ("There is no key yet", "Ainda não há chave"),
    "page.settings.keys.none.what": (
        "Make one for every program and every person, so that each can be taken back alone.",
        "Crie uma para cada programa e cada pessoa, para poder tirar uma sem mexer nas outras.",
    ),
    "page.settings.keys.new": ("Make a key", "Criar uma chave"),
    "page.settings.keys.name": ("Name", "Nome"),
    "page.settings.keys.name.hint": ("What you know it by, like “laptop”.", "Como você a reconhece, como “notebook”."),
    "page.settings.keys.right": ("It may", "Ela permite"),
    "page.settings.keys.right.read": ("Read: look and search", "Leitura: ver e buscar"),
    "page.settings.keys.right.write": ("Write: also save, correct, erase", "Escrita: também guardar, corrigir, apagar"),
    "page.settings.keys.right.admin": (
        "Admin: also keys, and who is listened to",
        "Administração: também chaves, e quem é ouvido",
    ),
    "page.settings.keys.user": ("For", "Para"),
    "page.settings.keys.user.hint": (
        "The name of one person; empty: everybody's memory.",
        "O nome de uma pessoa; vazio: a memória de todo mundo.",
    ),
    "page.settings.keys.every": ("Every tenant: for whoever runs this", "Todo o servidor: para quem cuida dele"),
    "page.settings.keys.expires": ("Last day", "Último dia"),
    "page.settings.keys.expires.hint": ("Empty: until you revoke it.", "Vazio: até você revogar."),
    "page.settings.keys.expires.past": ("This day is past already.", "Esse dia já passou."),
    "page.settings.keys.expires.wrong": ("This is no day.", "Isso não é um dia."),
    "page.settings.keys.make": ("Make the key", "Criar a chave"),
    "page.settings.keys.made": ("The key “{name}” is made", "A chave “{name}” foi criada"),
    "page.settings.keys.once": (
        "Copy it now: it will not be shown again. If it gets lost, revoke it and make another.",
        "Copie agora: ela não aparece de novo. Se você perder, revogue e crie outra.",
    ),
    "page.settings.keys.over": (
        "This form was sent before, and what it asked for was made then. Its secret is not shown again.",
        "Este formulário já tinha sido enviado, e o que ele pedia foi feito então. O segredo não aparece de novo.",
    ),
    "page.settings.keys.secret": ("The key", "A chave"),
    "page.settings.keys.everybody": ("everybody", "todo mundo"),
    "page.settings.keys.tenants": ("every tenant", "todo o servidor"),
    "page.settings.keys.made_on": ("made {when}", "criada {when}"),
    "page.settings.keys.used": ("used {when}", "usada {when}"),
    "page.settings.keys.unused": ("never used", "nunca usada"),
    "page.settings.keys.until": ("until {when}", "até {when}"),
    "page.settings.keys.old": ("Keys that open nothing any more", "Chaves que não abrem mais nada"),
    "page.settings.keys.revoke": ("Revoke", "Revogar"),
    "page.settings.keys.revoke.of": ("Revoke {name}", "Revogar {name}"),
    "page.settings.keys.revoke.what": (
        "It opens nothing from then on, at once, in every program and browser that uses it. There is no way back.",
        "Ela não abre mais nada, na hora, em nenhum programa ou navegador que a use. Não há volta.",
    ),
    "page.settings.keys.revoke.yes": ("Yes, revoke it", "Sim, revogar"),
    "page.settings.keys.yours": ("you came in with it", "você entrou com ela"),
    "page.done.revoked": ("The key opens nothing any more.", "A chave não abre mais nada."),
    # links
    "page.settings.link": ("A link to sign in", "Um link para entrar"),
    "page.settings.link.what": (
        "Send it to somebody: it opens their own memory in their browser, once, within a day.",
        "Mande para alguém: abre a memória da própria pessoa no navegador dela, uma vez, dentro de um dia.",
    ),
    "page.settings.link.user": ("Whose memory", "A memória de quem"),
    "page.settings.link.make": ("Make the link", "Criar o link"),
    "page.settings.link.made": ("The link for {user} is made", "O link de {user} foi criado"),
    "page.settings.link.once": (
        "It is good once, until {when}, and will not be shown again. Whoever has it gets in: send it to nobody else.",
        "Vale uma vez, até {when}, e não aparece de novo. Quem tiver o link entra: não mande a mais ninguém.",
    ),
    "page.settings.link.secret": ("The link", "O link"),
    # who is listened to
    "page.settings.listening": ("Listening", "Escuta"),
    "page.settings.listening.people": ("Who is not listened to", "Quem não é ouvido"),
    "page.settings.listening.people.what": (
        "Nothing these people say is kept, and nothing is recalled for them. What is known of them stays until it is "
        "erased.",
        "Nada do que estas pessoas dizem é guardado, e nada é lembrado para elas. O que já se sabe delas fica até ser "
        "apagado.",
    ),
    "page.settings.listening.everybody": ("Everybody is listened to.", "Todo mundo é ouvido."),
    "page.settings.listening.name": ("Name of the person", "Nome da pessoa"),
    "page.settings.listening.block": ("Stop listening", "Deixar de ouvir"),
    "page.settings.listening.unblock": ("Listen again", "Voltar a ouvir"),
    "page.settings.listening.unblock.of": ("Listen to {name} again", "Voltar a ouvir {name}"),
    "page.settings.listening.since": ("blocked {when}", "bloqueada {when}"),
    "page.settings.listening.fixed": ("in the settings file", "no arquivo de configuração"),
    "page.settings.listening.fixed.what": (
        "What the settings file says can only be changed there.",
        "O que está no arquivo de configuração só pode ser mudado lá.",
    ),
    "page.settings.listening.spaces": ("Spaces", "Espaços"),
    "page.settings.listening.spaces.what": (
        "Teams, guilds and groups. Where memory is off, nothing is kept or recalled.",
        "Equipes, servidores e grupos. Onde a memória está desligada, nada é guardado nem lembrado.",
    ),
    "page.settings.listening.nowhere": (
        "Nothing was said in a space yet. You can switch one off before anybody talks there.",
        "Ainda não se disse nada em um espaço. Você pode desligar um antes que alguém fale lá.",
    ),
    "page.settings.listening.space": ("Name of the space", "Nome do espaço"),
    "page.settings.listening.off": ("Switch off", "Desligar"),
    "page.settings.listening.off.of": ("Switch off {name}", "Desligar {name}"),
    "page.settings.listening.on.of": ("Switch on {name}", "Ligar {name}"),
    "page.done.blocked": ("They are not listened to any more.", "Essa pessoa não é mais ouvida."),
    "page.done.unblocked": ("They are listened to again.", "Essa pessoa volta a ser ouvida."),
    "page.done.space_on": ("Memory is on there.", "A memória está ligada lá."),
    "page.done.space_off": ("Memory is off there.", "A memória está desligada lá."),
    # the installation
    "page.settings.house": ("Installation", "Instalação"),
    "page.settings.house.title": ("For the whole installation", "Para toda a instalação"),
    "page.settings.house.what": (
        "Written to {path}. It takes effect at the next start.",
        "Escrito em {path}. Passa a valer no próximo início.",
    ),
    "page.settings.house.language.what": (
        "Of messages, and of what an assistant is given when the talk does not show its language.",
        "Das mensagens, e do que se entrega ao assistente quando a conversa não mostra o idioma.",
    ),
    "page.settings.house.timezone.what": ("The one days and nights go by.", "O dos dias e das noites."),
    "page.settings.house.preset": ("How it remembers", "Como ele lembra"),
    "page.settings.preset.life": ("Life", "Vida"),
    "page.settings.preset.life.what": (
        "For one person and their assistant: everything that matters, kept long and told at length.",
        "Para uma pessoa e seu assistente: tudo o que importa, guardado por muito tempo e contado com calma.",
    ),
    "page.settings.preset.group": ("Group", "Grupo"),
    "page.settings.preset.group.what": (
        "For a community that talks in spaces. For now its numbers are those of Life.",
        "Para uma comunidade que conversa em espaços. Por enquanto os números são os de Vida.",
    ),
    "page.settings.preset.companion": ("Companion", "Companhia"),
    "page.settings.preset.companion.what": (
        "For a small model that keeps somebody company: short contexts, with what is warm and recent first.",
        "Para um modelo pequeno que faz companhia: contextos curtos, primeiro o que é recente e próximo.",
    ),
    "page.settings.preset.work": ("Work", "Trabalho"),
    "page.settings.preset.work.what": (
        "For projects: each layer of memory, from the talk at hand to what is long past, has its share.",
        "Para projetos: cada camada da memória, da conversa em curso ao passado distante, tem sua parte.",
    ),
    "page.settings.house.later": ("After the next start: {value}.", "Depois do próximo início: {value}."),
    "page.settings.house.now": ("In use now: {value}.", "Em uso agora: {value}."),
    "page.settings.house.overridden": (
        "{variable} is set in the environment and wins over the file.",
        "{variable} está definida no ambiente e vale mais que o arquivo.",
    ),
    "page.settings.house.system": ("the system's", "o do sistema"),
    "page.done.house_saved": (
        "Saved. It takes effect at the next start.",
        "Salvo. Passa a valer no próximo início.",
    ),
    "page.settings.numbers.what": (
        "Every decision depends on these. Any of them can be changed in the settings file, like [policy.context] "
        "budget_tokens = 800.",
        "Toda decisão depende destes. Qualquer um pode ser mudado no arquivo de configuração, como [policy.context] "
        "budget_tokens = 800.",
    ),
    "page.settings.numbers.of": ("Numbers of {preset}", "Números de {preset}"),
    "page.settings.numbers.look": ("Look at the numbers of", "Ver os números de"),
    "page.settings.numbers.number": ("Number", "Número"),
    "page.settings.numbers.value": ("Value", "Valor"),
    "page.settings.numbers.usual": ("usually {value}", "o comum é {value}"),
    "page.settings.numbers.different": ("differs", "diferente"),
    "page.settings.numbers.own": ("set by you", "definido por você"),
    "page.settings.numbers.changed.one": ("{n} differs", "{n} diferente"),
    "page.settings.numbers.changed.many": ("{n} differ", "{n} diferentes"),
    "page.settings.yes": ("yes", "sim"),
    "page.settings.no": ("no", "não"),
    # your data
    "page.settings.data": ("Your data", "Seus dados"),
    "page.settings.data.title": ("Your memory is yours", "Sua memória é sua"),
    "page.settings.data.what": (
        "Take it along, bring it back, or erase it for good.",
        "Leve com você, traga de volta, ou apague de vez.",
    ),
}
