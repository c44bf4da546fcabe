"""The help texts of the ways in from outside, as in `manual`."""

from __future__ import annotations

from relembra.interfaces.words import Pair

DOORS_MANUAL: dict[str, Pair] = {
    "group.doors": ("Doors to the outside", "Portas para fora"),
    "help.keys": (
        "Show the keys, newest first, and how each stands.\nOf everybody; with --user or --tenant only theirs. "
        "Secrets are never shown again.",
        "Mostra as chaves, da mais nova à mais antiga, e como está cada uma.\nDe todo mundo; com --user ou --tenant só "
        "as de lá. Os segredos não aparecem de novo.",
    ),
    "help.keys_create": (
        "Make a key for a program that comes in from outside.\nThe key itself goes to standard output, this once; what "
        "is kept is a digest. Without --for and --every-tenant it opens every memory of the tenant.",
        "Cria uma chave para um programa que entra de fora.\nA chave vai para a saída padrão, só desta vez; guarda-se "
        "apenas um resumo dela. Sem --for e --every-tenant abre toda memória da instalação.",
    ),
    "help.keys_link": (
        "Make a link by which a person opens their memory in a browser.\nIt is good once, within a day, and goes to "
        "standard output. The key it makes stands in the list and can be revoked.",
        "Cria um link com que uma pessoa abre a própria memória em um navegador.\nVale uma vez, dentro de um dia, e "
        "vai para a saída padrão. A chave que ele cria aparece na lista e pode ser revogada.",
    ),
    "help.keys_revoke": (
        "Let a key open nothing any more, at once.",
        "Faz uma chave não abrir mais nada, na hora.",
    ),
    "help.link": (
        "Say that an account of a chat program is a person's.\nWhat the account says there is theirs from then on.",
        "Diz que uma conta de um programa de conversa é de uma pessoa.\nO que a conta disser lá passa a ser dela.",
    ),
    "help.unlink": (
        "Let an account be nobody's again.\nWhat it said so far stays where it is.",
        "Faz uma conta deixar de ser de alguém.\nO que ela disse até aqui fica onde está.",
    ),
    "help.links": (
        "Show the accounts and whose they are.\nEverybody's; with --user or the setting user, that person's.",
        "Mostra as contas e de quem são.\nDe todo mundo; com --user ou a configuração user, dela.",
    ),
    "help.block": (
        "Keep nothing of a person any more, and recall nothing for them.\nIn every conversation of the tenant, at "
        "once, for all programs on this store. What they said and is not learnt from yet never is; what is known of "
        "them stays.",
        "Deixa de guardar e de lembrar tudo de uma pessoa.\nEm toda conversa da instalação, na hora, para todos os "
        "programas desta memória. O que ela disse e ainda não foi aprendido nunca será; o que já se sabe fica.",
    ),
    "help.unblock": (
        "Listen to a person again.\nWhom the setting blocked names stays blocked.",
        "Volta a ouvir uma pessoa.\nQuem está na configuração blocked continua em bloqueio.",
    ),
    "help.doors": (
        "Show who is blocked and which spaces are switched off.",
        "Mostra quem está em bloqueio e quais espaços estão desligados.",
    ),
    "help.spaces": (
        "Show the spaces and whether memory is on there.\nEvery team, guild or group anything was said in, and every "
        "one that is switched off.",
        "Mostra os espaços e se a memória está ligada neles.\nToda equipe, servidor ou grupo em que se disse algo, e "
        "tudo o que está desligado.",
    ),
    "help.spaces_on": (
        "Switch the memory of a space on.\nOne that the setting spaces_off names stays off.",
        "Liga a memória de um espaço.\nO que está na configuração spaces_off continua desligado.",
    ),
    "help.spaces_off": (
        "Switch the memory of a space off: nothing is kept or recalled there.\nWhat was said there and is not learnt "
        "from yet never is; what is known stays, and is recalled elsewhere.",
        "Desliga a memória de um espaço: nada é guardado nem lembrado lá.\nO que se disse lá e ainda não foi aprendido "
        "nunca será; o que já se sabe fica, e é lembrado em outros lugares.",
    ),
    "help.users": (
        "Show whose memories there are, by name.",
        "Mostra de quem há memória, por nome.",
    ),
    "block.name": ("whom, as they are called here", "quem, com o nome que tem aqui"),
    "unblock.name": ("whom, as they are called here", "quem, com o nome que tem aqui"),
    "spaces_on.name": ("the team, guild or group", "a equipe, o servidor ou o grupo"),
    "spaces_off.name": ("the team, guild or group", "a equipe, o servidor ou o grupo"),
    "example.block": ("relembra block mallory", "relembra block mallory"),
    "example.spaces_off": ('relembra spaces off "poker night"', 'relembra spaces off "noite de pôquer"'),
    "help.local": (
        "Mark an item as local-only.\nNo model on another machine is shown it, what it replaced, or the messages and "
        "notes it was learnt from; models on this machine still are. Only its person may take the mark off.",
        "Marca um item como só local.\nNenhum modelo em outra máquina o recebe, nem o que ele substituiu, nem as "
        "mensagens e notas de onde veio; os modelos desta máquina sim. Só a própria pessoa pode tirar a marca.",
    ),
    "local.off": ("let any model see it again", "deixa qualquer modelo vê-lo de novo"),
    "add.local_only": (
        "no model on another machine is shown it",
        "nenhum modelo em outra máquina o recebe",
    ),
    "example.local": ("relembra local 3f9a1c20", "relembra local 3f9a1c20"),
    "help.mcp": (
        "Serve one assistant over standard input and output (MCP).\nDesktop clients start it by themselves; it ends "
        "when they leave. Nothing but the protocol is printed.",
        "Atende um assistente pela entrada e saída padrão (MCP).\nOs programas de mesa o iniciam sozinhos; termina "
        "quando eles saem. Nada além do protocolo é escrito.",
    ),
    "keys_create.name": ("what you call it, to know it again", "como você a chama, para reconhecer depois"),
    "keys_create.scope": (
        "what it allows: read, write (without it) or admin",
        "o que ela permite: leitura, escrita (sem isso) ou administração",
    ),
    "keys_create.for": ("it opens this person's memory only", "ela abre só a memória desta pessoa"),
    "keys_create.every_tenant": (
        "it opens every tenant: a key for whoever runs this",
        "ela abre todo o servidor: uma chave para quem cuida de tudo",
    ),
    "keys_create.expires": (
        "the last day, or the moment, it opens anything; without it, until it is revoked",
        "o último dia, ou o momento, em que abre algo; sem isso, até ser revogada",
    ),
    "keys_link.scope": (
        "what it allows: read, write (without it) or admin",
        "o que ele permite: leitura, escrita (sem isso) ou administração",
    ),
    "keys_link.url": (
        "the server's address as that person reaches it; without it, the settings host and port",
        "o endereço do servidor como a pessoa o alcança; sem isso, o das configurações host e port",
    ),
    "keys_revoke.id": (
        "the key's id or prefix, or at least four characters of an end of its id",
        "o id ou o prefixo da chave, ou ao menos quatro caracteres do começo ou do fim do id",
    ),
    "link.channel": ("which program: discord, telegram, …", "qual programa: discord, telegram, …"),
    "link.id": ("the account's id in that program", "o id da conta nesse programa"),
    "link.bring": (
        "what the account said while it was nobody's becomes theirs too",
        "o que a conta disse quando não era de ninguém também passa a ser dela",
    ),
    "unlink.channel": ("which program: discord, telegram, …", "qual programa: discord, telegram, …"),
    "unlink.id": ("the account's id in that program", "o id da conta nesse programa"),
    "mcp.read_only": (
        "only what reads is offered: nothing can be saved, settled or forgotten",
        "só oferece o que lê: nada pode ser guardado, resolvido ou esquecido",
    ),
    "mcp.local": (
        "the model runs on a machine of yours, and may see what is marked local-only",
        "o modelo roda numa máquina sua, e pode ver o que está marcado como só local",
    ),
    "mcp.space": (
        "the talk takes place in this team, guild or group",
        "a conversa acontece nesta equipe, neste servidor ou grupo",
    ),
    "example.mcp": ("relembra mcp --db m.db --user ana", "relembra mcp --db m.db --user ana"),
    "example.keys_create": (
        "relembra keys create --name laptop --scope write",
        "relembra keys create --name notebook --scope escrita",
    ),
    "example.keys_link": (
        "relembra keys link --user ana --url https://memory.example.org",
        "relembra keys link --user ana --url https://memoria.example.org",
    ),
    "example.keys_revoke": ("relembra keys revoke k3j9x0aa", "relembra keys revoke k3j9x0aa"),
    "example.link": (
        "relembra link discord 184405311681986560 --user ana",
        "relembra link discord 184405311681986560 --user ana",
    ),
    "meta.CHANNEL": ("CHANNEL", "CANAL"),
    "meta.RIGHT": ("RIGHT", "DIREITO"),
    "meta.URL": ("URL", "URL"),
}
