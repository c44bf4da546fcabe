"""The sentences of keys and linked accounts, English and Portuguese side by side; `catalogue` has the others."""

from __future__ import annotations

Pair = tuple[str, str]

DOORS: dict[str, Pair] = {
    # names of the few
    "right.read": ("read", "leitura"),
    "right.write": ("write", "escrita"),
    "right.admin": ("admin", "administração"),
    "standing.valid": ("valid", "válida"),
    "standing.expired": ("expired", "venceu"),
    "standing.revoked": ("revoked", "revogada"),
    # tables
    "head.right": ("allows", "permite"),
    "head.opens": ("opens", "abre"),
    "head.prefix": ("prefix", "prefixo"),
    "head.standing": ("standing", "situação"),
    "head.used": ("last used", "último uso"),
    "head.channel": ("program", "programa"),
    "head.account": ("account", "conta"),
    # keys
    "keys.opens.everything": ("every tenant", "toda instalação"),
    "keys.opens.tenant": ("all of {tenant}", "tudo de {tenant}"),
    "keys.opens.person": ("{user} in {tenant}", "{user} em {tenant}"),
    "keys.never": ("never", "nunca"),
    "keys.until": ("valid until {moment}", "válida até {moment}"),
    "keys.created": ("Key {name} made: {right}, opens {opens}.", "Chave {name} criada: {right}, abre {opens}."),
    "keys.once": (
        "Keep it now: it will not be shown again. If it gets lost, revoke it and make another.",
        "Guarde agora: ela não será mostrada de novo. Se você perder, revogue e crie outra.",
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
    "error.not_found.key": (
        "there is no key {id}; relembra keys shows them all.",
        "não há chave {id}; relembra keys mostra todas.",
    ),
    "error.field.right": ("choose read, write or admin.", "escolha leitura, escrita ou administração."),
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
        "escolha: --for para uma pessoa, ou --every-tenant; uma chave para toda instalação não é de ninguém.",
    ),
    "usage.key_past": (
        "{option} {word} is past already; such a key would open nothing.",
        "{option} {word} já passou; uma chave assim não abriria nada.",
    ),
    # what stays on this machine
    "label.local": ("models", "modelos"),
    "label.local.text": (
        "local-only: no model on another machine sees it",
        "só local: nenhum modelo em outra máquina o vê",
    ),
    "verb.keep_local": ("kept local", "deixado só local"),
    "verb.let_out": ("let out again", "liberado de novo"),
    "aspect.local_only": ("local-only", "só local"),
    "done.kept_local": ("Stays on this machine", "Fica nesta máquina"),
    "done.kept_local.sources": (
        "The messages and notes it came from stay here as well; relembra local {id} --off lets it out again.",
        "As mensagens e notas de onde veio também ficam aqui; relembra local {id} --off o libera de novo.",
    ),
    "done.let_out": ("Any model may see it again", "Qualquer modelo pode vê-lo de novo"),
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
