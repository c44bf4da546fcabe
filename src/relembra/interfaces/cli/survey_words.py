"""The sentences and help texts of a memory seen from above, English and Portuguese side by side."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SURVEY: dict[str, Pair] = {
    "counted.total": ("{items} known of {user}", "{items} sobre {user}"),
    "counted.area": ("area", "área"),
    "counted.none": ("no area", "sem área"),
    "counted.type": ("type", "tipo"),
    "counted.source": ("source", "origem"),
    "counted.level": ("certainty", "certeza"),
    "counted.standing": ("standing", "situação"),
    "counted.validated": ("confirmed", "confirmados"),
    "counted.unresolved": ("in question", "em dúvida"),
    "empty.timeline": (
        "Nothing that happened is known of {user} here. Notes are written once a talk falls quiet, or now with: "
        "relembra learn",
        "Ainda não se sabe de nada que tenha acontecido com {user} aqui. As notas são escritas quando a conversa "
        "silencia, ou já com: relembra learn",
    ),
}
SURVEY_MANUAL: dict[str, Pair] = {
    "help.count": (
        "Count what is known, by area, type, source and certainty.\nThe filters are those of list.",
        "Conta o que se sabe, por área, tipo, origem e certeza.\nOs filtros são os de list.",
    ),
    "help.over-time": (
        "Show what came and went: learnt, replaced, put away, deleted, faded, and moods.\nHalf a year of weeks unless "
        "told otherwise; the steps are whole, at most 400.",
        "Mostra o que veio e o que se foi: aprendido, substituído, arquivado, apagado, enfraquecido, e o humor.\n"
        "Meio ano em semanas, se não se disser outra coisa; os passos são inteiros, no máximo 400.",
    ),
    "help.timeline": (
        "Show notes and events on one line of time, newest first.\nWhat is planned for a day to come stands at the "
        "top.",
        "Mostra notas e acontecimentos numa só linha do tempo, do mais novo ao mais antigo.\nO que está marcado para "
        "um dia que ainda vem fica no alto.",
    ),
    "any.below": ("less sure than this", "menos certo que isto"),
    "list.order": (
        "newest (without it), oldest, surest, unsure or changed",
        "mais-novos (sem isso), mais-antigos, mais-certos, incertos ou mudados",
    ),
    "over-time.since": ("from the step this day lies in", "desde o passo em que fica este dia"),
    "over-time.until": (
        "up to the step this day lies in; without it, now",
        "até o passo em que fica este dia; sem isso, agora",
    ),
    "over-time.step": ("day, week (without it) or month", "dia, semana (sem isso) ou mês"),
    "timeline.since": ("happened at or after", "aconteceu desde"),
    "timeline.until": ("happened until: a day counts whole", "aconteceu até: um dia conta inteiro"),
    "example.count": ("relembra count --area health", "relembra count --area saúde"),
    "example.over-time": (
        "relembra over-time --step month --since 2026-01-01",
        "relembra over-time --step mês --since 2026-01-01",
    ),
    "example.timeline": ("relembra timeline --since 2026-03-01", "relembra timeline --since 2026-03-01"),
    "meta.ORDER": ("ORDER", "ORDEM"),
    "meta.STEP": ("STEP", "PASSO"),
}
