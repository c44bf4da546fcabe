"""What the bots of chat apps say on a terminal, and their help, English and Portuguese side by side."""

from __future__ import annotations

from relembra.interfaces.words import Pair

CHAT: dict[str, Pair] = {
    "chat.discord": ("Listening on Discord. Ctrl-C ends it.", "Escutando no Discord. Ctrl-C encerra."),
    "chat.telegram": ("Listening on Telegram. Ctrl-C ends it.", "Escutando no Telegram. Ctrl-C encerra."),
    "chat.stopped": ("Stopped; everything is kept.", "Encerrado; tudo está guardado."),
    "chat.no_token": (
        "There is no token for the bot: set {setting} in relembra.toml, or {variable} in the environment.",
        "Não há token para o bot: defina {setting} no relembra.toml, ou {variable} no ambiente.",
    ),
    "chat.refused": (
        "The token in {setting} is not accepted; look it up where you made the bot.",
        "O token em {setting} não é aceito; confira onde você criou o bot.",
    ),
    "chat.intent": (
        "Discord does not let this bot read messages: switch on “Message Content Intent” on its page, under Bot, at "
        "discord.com/developers/applications.",
        "O Discord não deixa este bot ler mensagens: ligue “Message Content Intent” na página dele, em Bot, em "
        "discord.com/developers/applications.",
    ),
    "chat.unreachable": (
        "{app} cannot be reached ({type}). Check the connection and try again.",
        "O {app} está fora de alcance ({type}). Confira a conexão e tente de novo.",
    ),
    "error.conflict.telegram": (
        "Another program, or a webhook, takes this bot's messages; only one can. End it, or remove the webhook.",
        "Outro programa, ou um webhook, recebe as mensagens deste bot; só um pode. Encerre-o, ou tire o webhook.",
    ),
}

CHAT_MANUAL: dict[str, Pair] = {
    "help.discord": (
        "Listen and answer on Discord, until Ctrl-C.\nThe bot's token is the setting discord_token; with an upstream "
        "model it answers with it, else with what it remembers.",
        "Escuta e responde no Discord, até Ctrl-C.\nO token do bot é a configuração discord_token; com um modelo "
        "upstream ele responde com este, senão com o que lembra.",
    ),
    "help.telegram": (
        "Listen and answer on Telegram, until Ctrl-C.\nThe bot's token is the setting telegram_token; with an upstream "
        "model it answers with it, else with what it remembers.",
        "Escuta e responde no Telegram, até Ctrl-C.\nO token do bot é a configuração telegram_token; com um modelo "
        "upstream ele responde com este, senão com o que lembra.",
    ),
    "example.discord": ("relembra discord --db m.db", "relembra discord --db m.db"),
    "example.telegram": ("relembra telegram --db m.db", "relembra telegram --db m.db"),
}
