"""The sentences of this page: English, Portuguese. Their keys begin with "page.profile."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.profile.lead": (
        "Who you are, as your assistant sees you, and where each thing is from.",
        "Quem você é aos olhos do seu assistente, e de onde vem cada coisa.",
    ),
    "page.profile.tabs": ("Parts of the profile", "Partes do perfil"),
    "page.profile.see.who": ("Who you are", "Quem você é"),
    "page.profile.see.people": ("People", "Pessoas"),
    "page.profile.see.ways": ("Your ways", "Seu jeito"),
    "page.profile.back": ("Back to the profile", "Voltar ao perfil"),
    "page.profile.start": ("Back to the first ones", "Voltar aos primeiros"),
    # the compact memory
    "page.profile.compact": ("Compact memory", "Memória compacta"),
    "page.profile.compact.lead": (
        "The short portrait every conversation begins with. It is made anew as you tell more.",
        "O retrato curto com que toda conversa começa. Ele se refaz conforme você conta mais.",
    ),
    "page.profile.compact.tokens": ("{n} of {most} tokens", "{n} de {most} tokens"),
    "page.profile.compact.version": ("version {n}", "versão {n}"),
    "page.profile.compact.made": ("made {when}", "feita {when}"),
    "page.profile.compact.language": ("in {language}", "em {language}"),
    "page.profile.compact.block": ("As the assistant reads it", "Como o assistente lê"),
    "page.profile.compact.empty": ("No portrait yet", "Ainda sem retrato"),
    "page.profile.compact.empty.text": (
        "Tell where you live, what you do, what you want and who matters to you, in a conversation or here, and it "
        "takes shape.",
        "Conte onde você mora, o que faz, o que quer e quem é importante para você, numa conversa ou aqui, e ele "
        "ganha forma.",
    ),
    # the six sections
    "page.profile.sections": ("In six parts", "Em seis partes"),
    "page.profile.section.all": ("See all {n}", "Ver todas as {n}"),
    "page.profile.section.empty.bio": (
        "Nothing yet: your name, age, home or work would stand here.",
        "Nada ainda: aqui ficariam seu nome, idade, casa ou trabalho.",
    ),
    "page.profile.section.empty.interests": (
        "Nothing yet: what you like, and what you do not.",
        "Nada ainda: do que você gosta, e do que não gosta.",
    ),
    "page.profile.section.empty.skills": (
        "Nothing yet: languages you speak, things you know how to do.",
        "Nada ainda: línguas que você fala, coisas que sabe fazer.",
    ),
    "page.profile.section.empty.opinions": (
        "Nothing yet: what you think, and what matters to you.",
        "Nada ainda: o que você pensa, e o que importa para você.",
    ),
    "page.profile.section.empty.relationships": (
        "Nobody yet: family, friends, pets.",
        "Ninguém ainda: família, amigos, bichos.",
    ),
    "page.profile.section.empty.other": (
        "Nothing yet: goals, feelings, what happened.",
        "Nada ainda: metas, sentimentos, o que aconteceu.",
    ),
    "page.profile.you": ("you", "você"),
    "page.profile.typed": ("written by you", "escrito por você"),
    "page.profile.said": ("said by {who}", "dito por {who}"),
    "page.profile.inferred": ("concluded by the assistant", "deduzido pelo assistente"),
    "page.profile.imported": ("imported", "importado"),
    "page.profile.note": ("from the note “{title}”", "da nota “{title}”"),
    "page.profile.unsure": ("unsure", "incerto"),
    "page.profile.place": ("in the space {place}", "no espaço {place}"),
    # people
    "page.profile.people.lead": (
        "The people and pets in your life, the closest first.",
        "As pessoas e os bichos da sua vida, os mais próximos primeiro.",
    ),
    "page.profile.people.empty": ("Nobody yet", "Ninguém ainda"),
    "page.profile.people.empty.text": (
        "Tell about someone, like “my sister is called Clara, her birthday is on 27 November”, and she appears here.",
        "Conte de alguém, como “minha irmã se chama Clara e faz aniversário em 27 de novembro”, e ela aparece aqui.",
    ),
    "page.profile.people.pet": ("pet", "bicho de estimação"),
    "page.profile.people.nothing": ("Nothing else is known yet.", "Ainda não se sabe mais nada."),
    "page.profile.people.more": ("{n} more", "mais {n}"),
    "page.profile.birthdays": ("Next birthdays", "Próximos aniversários"),
    "page.profile.birthday": ("Birthday", "Aniversário"),
    "page.profile.birthday.today": ("today!", "hoje!"),
    "page.profile.birthday.tomorrow": ("tomorrow", "amanhã"),
    "page.profile.birthday.in": ("in {n} days", "em {n} dias"),
    "page.profile.birthday.turns": ("turns {n} {when}", "faz {n} {when}"),
    "page.profile.age.one": ("{n} year old", "{n} ano"),
    "page.profile.age.many": ("{n} years old", "{n} anos"),
    # how somebody is
    "page.profile.traits": ("Your ways", "Seu jeito"),
    "page.profile.traits.lead": (
        "Tastes, habits, hours, feelings and values, the strongest first: how sure each is, and how often it was seen.",
        "Gostos, hábitos, horários, sentimentos e valores, os mais fortes primeiro: quão certo é cada um, e quantas "
        "vezes foi visto.",
    ),
    "page.profile.traits.empty": ("Nothing noticed yet", "Nada percebido ainda"),
    "page.profile.traits.empty.text": (
        "What you like, how you prefer to be spoken to, when you get up: it gathers here as you talk.",
        "Do que você gosta, como prefere que falem com você, a que horas acorda: isso se junta aqui conforme vocês "
        "conversam.",
    ),
    "page.profile.traits.seen.one": ("seen once", "visto uma vez"),
    "page.profile.traits.seen.many": ("seen {n} times", "visto {n} vezes"),
    "page.profile.traits.sure": ("{n}% sure", "{n}% de certeza"),
    "page.profile.traits.source": ("Source {n}", "Origem {n}"),
    "page.profile.traits.sources": ("put together from", "reunido de"),
    "page.profile.insights": ("What recurs", "O que se repete"),
    "page.profile.insights.lead": (
        "Patterns found in what you said. Statistics, not certainties: say whether it is so.",
        "Padrões encontrados no que você disse. São estatísticas, não certezas: diga se é assim.",
    ),
    "page.profile.insights.empty": ("No patterns yet", "Nenhum padrão ainda"),
    "page.profile.insights.empty.text": (
        "It takes the same feeling about the same thing on three days, or about two weeks of talk for anything else.",
        "É preciso o mesmo sentimento sobre a mesma coisa em três dias, ou umas duas semanas de conversa para o resto.",
    ),
    "page.profile.insights.how": ("How it was found", "Como foi percebido"),
    "page.profile.insights.yes": ("That is so", "É assim"),
    "page.profile.insights.no": ("Not so", "Não é"),
}
