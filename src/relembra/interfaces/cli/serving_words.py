"""What `relembra serve` says, and its help, English and Portuguese side by side."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SERVING: dict[str, Pair] = {
    "serve.listening": ("Relembra listens at {url}", "O Relembra escuta em {url}"),
    "serve.taken": (
        "Port {wanted} is taken by another program, so this one uses {port}.",
        "A porta {wanted} está ocupada por outro programa, então esta usa a {port}.",
    ),
    "serve.path.page": ("/", "/"),
    "serve.what.page": ("the memory page: see it, correct it, erase it", "a página da memória: ver, corrigir, apagar"),
    "serve.path.docs": ("/docs", "/docs"),
    "serve.what.docs": ("how to call it", "como chamar"),
    "serve.path.v1": ("/v1/…", "/v1/…"),
    "serve.what.v1": ("the HTTP API", "a API HTTP"),
    "serve.path.chat": ("/v1", "/v1"),
    "serve.what.chat": (
        "the base_url for OpenAI-compatible clients (memory proxy)",
        "a base_url para clientes compatíveis com OpenAI (proxy com memória)",
    ),
    "serve.path.mcp": ("/mcp", "/mcp"),
    "serve.what.mcp": ("the MCP server", "o servidor MCP"),
    "serve.path.healthz": ("/healthz", "/healthz"),
    "serve.what.healthz": ("whether it is well", "se está bem"),
    "serve.open": (
        "Only this machine can reach it, so no key is asked for.",
        "Só esta máquina o alcança, então não se pede chave.",
    ),
    "serve.closed": (
        "Every request needs a key: Authorization: Bearer rlb_…",
        "Todo pedido precisa de uma chave: Authorization: Bearer rlb_…",
    ),
    "serve.first_key": (
        "Your first key, for when others may reach the server. It is shown this once, so keep it:",
        "Sua primeira chave, para quando outros puderem alcançar o servidor. Só aparece desta vez, então guarde:",
    ),
    "serve.no_key": (
        "There is no key yet. Make one in a terminal: relembra keys create --name NAME --scope admin --every-tenant",
        "Ainda não há chave. Crie uma em um terminal: relembra keys create --name NOME --scope admin --every-tenant",
    ),
    "serve.port_taken": (
        "{host}:{number} is taken by another program; choose another with --port, or leave --port out.",
        "{host}:{number} está ocupado por outro programa; escolha outra porta com --port, ou não dê --port.",
    ),
    "serve.unguarded": (
        "{host} can be reached from elsewhere, and there is no key yet. Make one first: relembra keys create --name "
        "NAME --scope admin",
        "{host} pode ser alcançado de fora, e ainda não há chave. Crie uma antes: relembra keys create --name NOME "
        "--scope admin",
    ),
    "serve.no_address": (
        "this machine cannot listen on {host}, port {number}; check --host and --port.",
        "esta máquina não pode escutar em {host}, porta {number}; confira --host e --port.",
    ),
    "serve.stop": ("Ctrl-C stops it.", "Ctrl-C encerra."),
    "doctor.extra.server": ("extra server", "extra server"),
    "doctor.extra.server.for": (
        "for the HTTP API, the memory proxy and the MCP server: pip install 'relembra[server]'",
        "para a API HTTP, o proxy com memória e o servidor MCP: pip install 'relembra[server]'",
    ),
    "doctor.extra.discord": ("extra discord", "extra discord"),
    "doctor.extra.discord.for": (
        "for relembra discord: pip install 'relembra[discord]'",
        "para relembra discord: pip install 'relembra[discord]'",
    ),
    "doctor.extra.langchain": ("extra langchain", "extra langchain"),
    "doctor.extra.langchain.for": (
        "for LangChain and LangGraph: pip install 'relembra[langchain]'",
        "para LangChain e LangGraph: pip install 'relembra[langchain]'",
    ),
    "doctor.extra.agents": ("extra agents", "extra agents"),
    "doctor.extra.agents.for": (
        "for OpenAI Agents: pip install 'relembra[agents]'",
        "para OpenAI Agents: pip install 'relembra[agents]'",
    ),
    "doctor.extra.telemetry": ("extra telemetry", "extra telemetry"),
    "doctor.extra.telemetry.for": (
        "for traces to a collector of your own: pip install 'relembra[telemetry]'",
        "para rastros para um coletor seu: pip install 'relembra[telemetry]'",
    ),
    "serve.stopped": ("Stopped; everything is kept.", "Encerrado; tudo está guardado."),
}

SERVING_MANUAL: dict[str, Pair] = {
    "help.serve": (
        "Open every door: the HTTP API, the memory proxy, the MCP server.\nListens on this machine only, without keys; "
        "for others --host 0.0.0.0, after making a key with relembra keys create. Ctrl-C stops it.",
        "Abre todas as portas: a API HTTP, o proxy com memória, o servidor MCP.\nEscuta só nesta máquina, sem chaves; "
        "para outros, --host 0.0.0.0, depois de criar uma chave com relembra keys create. Ctrl-C encerra.",
    ),
    "serve.host": (
        "the address to listen on (127.0.0.1)",
        "o endereço onde escutar (127.0.0.1)",
    ),
    "serve.port": (
        "the port; without it 8484, or another if that is taken",
        "a porta; sem ela 8484, ou outra se estiver ocupada",
    ),
    "meta.ADDRESS": ("ADDRESS", "ENDEREÇO"),
    "example.serve": ("relembra serve --db m.db --port 8484", "relembra serve --db m.db --port 8484"),
}
