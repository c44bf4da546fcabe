"""The sentences of keys, linked accounts and who is listened to, English and Portuguese side by side."""

from __future__ import annotations

from relembra.interfaces.words import Pair

DOORS: dict[str, Pair] = {
    # keys
    "keys.created": ("Key {name} made: {right}, opens {opens}.", "Chave {name} criada: {right}, abre {opens}."),
    "keys.once": (
        "Keep it now: it will not be shown again. If it gets lost, revoke it and make another.",
        "Guarde agora: ela não será mostrada de novo. Se você perder, revogue e crie outra.",
    ),
    "keys.link.name": ("Link for {user}", "Link de {user}"),
    "keys.link.made": (
        "This link opens the memory of {user} in a browser ({right}): once, until {moment}. It will not be shown "
        "again; whoever has it gets in.",
        "Este link abre a memória de {user} em um navegador ({right}): uma vez, até {moment}. Ele não será mostrado de "
        "novo; quem tiver o link entra.",
    ),
    "usage.link_url": (
        "{word} is no address of a server; give one like https://memory.example.org",
        "{word} não é endereço de um servidor; dê um como https://memoria.example.org",
    ),
    "keys.expires": ("It expires {moment}.", "Ela vence em {moment}."),
    "keys.revoked": (
        "Key {name} ({prefix}) opens nothing any more.",
        "A chave {name} ({prefix}) não abre mais nada.",
    ),
    "empty.keys": (
        "There is no key yet. Make one: relembra keys create --name laptop --scope write",
        "Ainda não há chave. Crie uma: relembra keys create --name notebook --scope escrita",
    ),
    "error.field.keys revoke.id": (
        "that fits more than one key; type more of its id.",
        "isso serve para mais de uma chave; digite mais do id.",
    ),
    "usage.key_name": (
        "a key needs a name: --name laptop",
        "uma chave precisa de um nome: --name notebook",
    ),
    "usage.key_whose": (
        "choose one: --for a person, or --every-tenant; a key for every tenant is bound to nobody.",
        "escolha: --for para uma pessoa, ou --every-tenant; uma chave para todo o servidor não é de ninguém.",
    ),
    "usage.key_past": (
        "{option} {word} is past already; such a key would open nothing.",
        "{option} {word} já passou; uma chave assim não abriria nada.",
    ),
    # what stays on this machine
    "done.kept_local": ("Stays on this machine", "Fica nesta máquina"),
    "done.kept_local.sources": (
        "The messages and notes it came from stay here as well; relembra local {id} --off lets it out again.",
        "As mensagens e notas de onde veio também ficam aqui; relembra local {id} --off o libera de novo.",
    ),
    "done.let_out": ("Any model may see it again", "Qualquer modelo pode vê-lo de novo"),
    # who is listened to
    "block.done": (
        "{name} is blocked: nothing of theirs is kept any more, and nothing recalled.",
        "Bloqueio feito: nada de {name} é mais guardado nem lembrado.",
    ),
    "block.known": (
        "What is known of them stays; relembra unblock undoes this, relembra forget takes it away.",
        "O que já se sabe fica; relembra unblock desfaz isto, relembra forget apaga tudo.",
    ),
    "unblock.done": ("{name} is listened to again.", "Volto a ouvir {name}."),
    "unblock.nothing": ("{name} was not blocked.", "{name} não estava em bloqueio."),
    "spaces.on.done": ("Memory is on in {space}.", "A memória está ligada em {space}."),
    "spaces.off.done": (
        "Memory is off in {space}: nothing is kept or recalled there.",
        "A memória está desligada em {space}: nada é guardado nem lembrado lá.",
    ),
    "empty.doors": (
        "Everybody is listened to, everywhere.",
        "Todos são ouvidos, em todo lugar.",
    ),
    "empty.spaces": (
        "Nothing was said in a space yet. With --space, save keeps what is said in a team, guild or group.",
        "Ainda não se disse nada em um espaço. Com --space, save guarda o que se diz em uma equipe, servidor ou grupo.",
    ),
    "empty.users": ("Nothing is kept of anybody yet.", "Ainda não há nada guardado de ninguém."),
    # accounts
    "link.done": ("{channel} {id} is {user}'s now.", "{channel} {id} agora é de {user}."),
    "link.instead": ("It was {user}'s before.", "Antes era de {user}."),
    "link.brought": (
        "What it said before is {user}'s too.",
        "O que disse antes também é de {user}.",
    ),
    "unlink.done": ("{channel} {id} is nobody's now.", "{channel} {id} agora não é de ninguém."),
    "unlink.nothing": ("{channel} {id} was nobody's.", "{channel} {id} não era de ninguém."),
    "empty.links": ("No account is linked to anybody.", "Nenhuma conta está ligada a alguém."),
    "empty.links.person": ("No account is linked to {user}.", "Nenhuma conta está ligada a {user}."),
    "error.field.link.channel": (
        "the program's name must be a short word, like discord.",
        "o nome do programa deve ser uma palavra curta, como discord.",
    ),
    "error.field.link.id": (
        "the account's id must be short and printable.",
        "o id da conta deve ser curto e legível.",
    ),
}
