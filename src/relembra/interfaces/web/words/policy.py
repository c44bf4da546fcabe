"""What each number of a policy means: English, Portuguese. One line a number, under its name in the settings."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "policy.confidence": ("How sure it is", "Quanta certeza há"),
    "policy.decay": ("What fades", "O que enfraquece"),
    "policy.ranking": ("Finding what is known", "Encontrar o que se sabe"),
    "policy.context": ("What an assistant is given", "O que o assistente recebe"),
    "policy.search": ("How much may be asked for", "Quanto se pode pedir"),
    "policy.listen": ("Listening", "Ouvir"),
    "policy.learn": ("Learning", "Aprender"),
    "policy.layers": ("Layers", "Camadas"),
    "policy.talk": ("Finding what was said", "Encontrar o que foi dito"),
    "policy.tend": ("The night's work", "O trabalho da noite"),
    "policy.report": ("Notes and reports", "Notas e relatórios"),
    "policy.garden": ("The gardener", "O jardineiro"),
    "policy.insight": ("Insights", "Percepções"),
    "policy.cluster": ("Topics of a day", "Assuntos do dia"),
    "policy.confidence.explicit": (
        "What was said outright, or imported, starts here",
        "O que foi dito com todas as letras, ou importado, começa aqui",
    ),
    "policy.confidence.explicit_at_least": (
        "A confidence given for something said is raised to this",
        "A confiança dada a algo dito sobe até aqui",
    ),
    "policy.confidence.inference": ("A conclusion starts here", "Uma conclusão começa aqui"),
    "policy.confidence.user_input": ("What you type in yourself starts here", "O que você mesmo digita começa aqui"),
    "policy.confidence.validation_bonus": ("What confirming adds, up to 1", "Quanto confirmar acrescenta, até 1"),
    "policy.confidence.high": ("From here on it is called high", "Daqui em diante chama-se alta"),
    "policy.confidence.medium": (
        "From here on medium; below, a context marks it as unsure",
        "Daqui em diante, média; abaixo, o contexto marca como incerto",
    ),
    "policy.confidence.low": ("From here on low; below, doubtful", "Daqui em diante, baixa; abaixo, duvidosa"),
    "policy.decay.emotion_a_week": (
        "What the weight of an emotion loses in a week of silence",
        "Quanto o peso de uma emoção perde numa semana de silêncio",
    ),
    "policy.decay.archive_under": (
        "The weight below which such an item is put away",
        "O peso abaixo do qual um item assim é arquivado",
    ),
    "policy.garden.every": ("How often the gardener comes", "De quanto em quanto tempo o jardineiro passa"),
    "policy.garden.batch": ("How many rows are changed in one step", "Quantas linhas mudam em um passo"),
    "policy.garden.near_at_least": (
        "The nearness from which two items are asked to be the same",
        "A proximidade a partir da qual se pergunta se dois itens são o mesmo",
    ),
    "policy.garden.compared": (
        "With how many of the nearest an item is compared",
        "Com quantos dos mais próximos um item é comparado",
    ),
    "policy.garden.same_at_least": ("How sure it must be that they are", "Quanta certeza é preciso ter disso"),
    "policy.garden.idle": (
        "An item nobody uses loses one of its priority every so often",
        "Um item que ninguém usa perde um ponto de prioridade a cada intervalo destes",
    ),
    "policy.garden.raised_at_most": (
        "How far use lifts a priority above 5",
        "Quanto o uso eleva uma prioridade acima de 5",
    ),
    "policy.garden.lowered_at_most": ("How far time lets it sink below 5", "Quanto o tempo a deixa cair abaixo de 5"),
    "policy.garden.clusters_for": (
        "Topics and weekly reports nobody looks at are put away after that",
        "Assuntos e relatórios que ninguém olha são arquivados depois disso",
    ),
    "policy.garden.condense_after": (
        "A note of that age is told more briefly",
        "Uma nota dessa idade é contada de forma mais breve",
    ),
    "policy.garden.condensed_tokens": ("And has so many tokens then", "E fica com tantos tokens"),
    "policy.garden.condense_again_after": (
        "A note of that age is told more briefly still",
        "Uma nota dessa idade é contada ainda mais brevemente",
    ),
    "policy.garden.condensed_again_tokens": ("And has so many tokens then", "E fica com tantos tokens"),
    "policy.garden.condensed_at_once": (
        "The most notes told anew in one visit",
        "O máximo de notas recontadas em uma passagem",
    ),
    "policy.ranking.name": ("The formula that orders what is found", "A fórmula que ordena o que se encontra"),
    "policy.ranking.candidates": ("How many each way of searching offers", "Quantos cada forma de busca oferece"),
    "policy.ranking.focused_candidates": (
        "The same where a question names a topic or a time",
        "O mesmo quando a pergunta diz um assunto ou uma época",
    ),
    "policy.ranking.led": (
        "How many are looked at because of somebody named, or a note that answers",
        "Quantos são vistos por causa de alguém citado ou de uma nota que responde",
    ),
    "policy.ranking.recency_half_life_days": (
        "The age in days at which being new counts half",
        "A idade em dias em que ser novo vale metade",
    ),
    "policy.ranking.vector_share": (
        "The share of meaning; words have the rest",
        "A parte do sentido; o resto é das palavras",
    ),
    "policy.ranking.keyword_halfway": (
        "The score of words that counts as half sure",
        "A pontuação das palavras que vale meia certeza",
    ),
    "policy.ranking.weight_share": ("How far weight moves a score", "Quanto o peso mexe na pontuação"),
    "policy.ranking.recency_share": ("How far being new moves a score", "Quanto ser novo mexe na pontuação"),
    "policy.ranking.least_similarity": (
        "Weaker matches enter no context",
        "O que combina menos não entra em contexto nenhum",
    ),
    "policy.ranking.name_share": (
        "How far being about somebody named lifts a match",
        "Quanto falar de alguém citado melhora o resultado",
    ),
    "policy.ranking.time_share": ("How far being of the time named does", "Quanto ser da época citada melhora"),
    "policy.ranking.topic_share": (
        "How far being of the kind such talk looks for does",
        "Quanto ser do tipo que essa conversa procura melhora",
    ),
    "policy.ranking.note_share": (
        "How far coming from a note that answers does",
        "Quanto vir de uma nota que responde melhora",
    ),
    "policy.ranking.time_similarity": (
        "The least for what is of the time named, where only that is asked",
        "O mínimo do que é da época citada, quando só isso se pergunta",
    ),
    "policy.ranking.own_when_named": (
        "What is left of a match about you where somebody else is named",
        "O que resta do que fala de você quando se cita outra pessoa",
    ),
    "policy.ranking.topic_similarity": (
        "The least for items of such a kind, as a share",
        "O mínimo para itens desse tipo, como parte",
    ),
    "policy.ranking.recover_at_least": (
        "The match from which something put away comes back",
        "O resultado a partir do qual algo arquivado volta",
    ),
    "policy.ranking.matched": (
        "How many of the best are compared word by word",
        "Quantos dos melhores são comparados palavra por palavra",
    ),
    "policy.ranking.match_share": ("How far that comparison moves a match", "Quanto essa comparação mexe no resultado"),
    "policy.context.budget_tokens": ("How long a context may be, in tokens", "O tamanho de um contexto, em tokens"),
    "policy.context.recent_messages": ("Of the newest messages, at most", "Das mensagens mais novas, no máximo"),
    "policy.context.recalled_items": ("Items, at most", "Itens, no máximo"),
    "policy.context.recalled_notes": ("Notes, at most", "Notas, no máximo"),
    "policy.context.recalled_messages": ("Older messages, at most", "Mensagens mais antigas, no máximo"),
    "policy.context.mentioned_profiles": (
        "In a space, profiles of people who are mentioned",
        "Em um espaço, perfis de pessoas citadas",
    ),
    "policy.context.noted_profiles": (
        "Profiles of people in the notes recalled",
        "Perfis de pessoas nas notas lembradas",
    ),
    "policy.context.memory_share": ("The most the compact memory may take", "O máximo que a memória compacta ocupa"),
    "policy.context.profiles_share": ("The most profiles may take", "O máximo que os perfis ocupam"),
    "policy.context.known_share": ("Of what is left, the part of items", "Do que sobra, a parte dos itens"),
    "policy.context.notes_share": ("The part of notes", "A parte das notas"),
    "policy.context.earlier_share": ("The part of older messages", "A parte das mensagens antigas"),
    "policy.context.recent_share": ("The part of the conversation at hand", "A parte da conversa em curso"),
    "policy.context.user_memory_tokens": (
        "The longest compact memory, in tokens",
        "A maior memória compacta, em tokens",
    ),
    "policy.context.session_idle": (
        "The silence after which a session is over",
        "O silêncio depois do qual uma sessão acaba",
    ),
    "policy.layers.short": ("Messages of the conversation at hand", "Mensagens da conversa em curso"),
    "policy.layers.medium": ("Notes and messages of the last weeks", "Notas e mensagens das últimas semanas"),
    "policy.layers.long": (
        "Older notes and messages, and what was put away",
        "Notas e mensagens mais antigas, e o que foi arquivado",
    ),
    "policy.layers.episodic": (
        "Items that tell what happened, and appointments",
        "Itens que contam o que aconteceu, e compromissos",
    ),
    "policy.layers.semantic": ("Items that tell how things are", "Itens que contam como as coisas são"),
    "policy.layers.short_tokens": ("The longest short layer, in tokens", "A maior camada curta, em tokens"),
    "policy.layers.medium_most": (
        "How many are looked at for the middle layer",
        "Quantos são vistos para a camada do meio",
    ),
    "policy.layers.medium_for": ("How long something belongs to it", "Por quanto tempo algo pertence a ela"),
    "policy.search.default_limit": ("Hits where nobody says how many", "Resultados quando ninguém diz quantos"),
    "policy.search.tool_limit": ("The most an assistant may ask for", "O máximo que um assistente pode pedir"),
    "policy.search.largest_limit": ("The most a search may ask for", "O máximo que uma busca pode pedir"),
    "policy.search.largest_page": ("The most a list may ask for", "O máximo que uma lista pode pedir"),
    "policy.listen.quiet": ("The silence after which talk is noted", "O silêncio depois do qual a conversa é anotada"),
    "policy.listen.window": (
        "Talk older than this is noted before it goes on",
        "Conversa mais velha que isto é anotada antes de continuar",
    ),
    "policy.listen.summary_every": (
        "Your messages between two working summaries",
        "Mensagens suas entre dois resumos de trabalho",
    ),
    "policy.listen.summary_tokens": ("The longest working summary, in tokens", "O maior resumo de trabalho, em tokens"),
    "policy.listen.model_summaries": ("Whether a language model makes them", "Se um modelo de linguagem os faz"),
    "policy.listen.compress_over_tokens": (
        "Talk beyond this is told briefly, the oldest first",
        "O que passa disto é contado brevemente, o mais antigo primeiro",
    ),
    "policy.learn.contradiction_at_least": (
        "From here a contradiction is put to you",
        "Daqui em diante uma contradição é levada a você",
    ),
    "policy.learn.same_at_least": (
        "From here two sentences say the same in other words",
        "Daqui em diante duas frases dizem o mesmo com outras palavras",
    ),
    "policy.learn.near_at_least": (
        "The nearness from which two are compared at all",
        "A proximidade a partir da qual duas são comparadas",
    ),
    "policy.learn.compared": (
        "With how many known sentences a new one is compared",
        "Com quantas frases conhecidas uma nova é comparada",
    ),
    "policy.learn.judged": (
        "How many known sentences a message that may end something is held against",
        "Com quantas frases conhecidas se confronta uma mensagem que pode encerrar algo",
    ),
    "policy.learn.retire_at_least": (
        "How sure it must be that a message ends or replaces something",
        "Quanta certeza é preciso ter de que uma mensagem encerra ou troca algo",
    ),
    "policy.learn.doubt_at_least": (
        "From here what it may end is shown with the newer words and asked about",
        "Daqui em diante, o que ela pode encerrar aparece com as palavras novas e vira pergunta",
    ),
    "policy.learn.keep_at_least": (
        "How sure reading without a model must be of what it keeps",
        "Quanta certeza a leitura sem modelo precisa ter do que guarda",
    ),
    "policy.learn.keep_among_people": (
        "The same where people talk with each other",
        "O mesmo onde pessoas conversam entre si",
    ),
    "policy.learn.read_within": (
        "A message or question that takes longer to read is left unread",
        "Uma mensagem ou pergunta que demora mais para ler fica sem ser lida",
    ),
    "policy.learn.model_calls": (
        "Calls of a language model a day, for each person or group; the rest is read the next day",
        "Chamadas a um modelo de linguagem por dia, para cada pessoa ou grupo; o resto é lido no dia seguinte",
    ),
    "policy.learn.ask_again_after": (
        "The pause before the same question is put again",
        "A pausa antes de fazer a mesma pergunta de novo",
    ),
    "policy.learn.ask_at_most": ("How often it is put", "Quantas vezes ela é feita"),
    "policy.learn.ask_within": (
        "For how long something only doubted is asked about",
        "Por quanto tempo se pergunta sobre o que é só dúvida",
    ),
    "policy.learn.answer_within": (
        "A yes or no this soon after answers it",
        "Um sim ou não dentro deste tempo a responde",
    ),
    "policy.talk.candidates": ("How many each way of searching offers", "Quantas cada forma de busca oferece"),
    "policy.talk.vector_share": (
        "The share of meaning; words have the rest",
        "A parte do sentido; o resto é das palavras",
    ),
    "policy.talk.passage_share": (
        "Of meaning, the part of the nearest passage",
        "Do sentido, a parte do trecho mais próximo",
    ),
    "policy.talk.keyword_halfway": (
        "The score of words that counts as half sure",
        "A pontuação das palavras que vale meia certeza",
    ),
    "policy.talk.other_loss": (
        "What an assistant's message loses where you ask about yourself",
        "Quanto a mensagem de um assistente perde quando você pergunta de si",
    ),
    "policy.talk.unsure_loss": ("The same where it is not clear about whom", "O mesmo quando não está claro de quem"),
    "policy.talk.time_gain": ("What a message of the time named gains", "Quanto ganha uma mensagem da época citada"),
    "policy.talk.time_similarity": (
        "The least for what was said then, where only that is asked",
        "O mínimo do que foi dito então, quando só isso se pergunta",
    ),
    "policy.talk.told_within": (
        "After that time the gain halves every so often",
        "Depois desse tempo o ganho cai à metade a cada intervalo destes",
    ),
    "policy.talk.longest_period": ("A longer time says too little", "Um tempo maior diz pouco demais"),
    "policy.talk.opening_share": (
        "What a conversation takes of its first message's score",
        "Quanto uma conversa herda da primeira mensagem",
    ),
    "policy.talk.reread": (
        "How many of the best are read sentence by sentence",
        "Quantas das melhores são lidas frase por frase",
    ),
    "policy.talk.sentence_share": (
        "The part of the best sentence; the whole message has the rest",
        "A parte da melhor frase; o resto é da mensagem inteira",
    ),
    "policy.talk.neighbours_of": (
        "Beside how many short ones the neighbours are looked at",
        "Ao lado de quantas curtas se olham as vizinhas",
    ),
    "policy.talk.short_words": (
        "A message of at most so many words is short",
        "Uma mensagem com no máximo tantas palavras é curta",
    ),
    "policy.talk.neighbour_share": (
        "What a short message takes of the score beside it",
        "Quanto uma mensagem curta herda da pontuação ao lado",
    ),
    "policy.talk.fresh_among": (
        "Among how many of the best the newer of two comes first",
        "Entre quantas das melhores a mais nova de duas vem primeiro",
    ),
    "policy.talk.fresh_longest": (
        "Longer texts, in characters, are left out of that",
        "Textos mais longos, em letras, ficam fora disso",
    ),
    "policy.talk.same_matter": (
        "From here two messages are about one matter",
        "Daqui em diante duas mensagens tratam do mesmo",
    ),
    "policy.talk.maybe_same_matter": (
        "Or from here, where the newer one stands out",
        "Ou daqui, quando a mais nova se destaca",
    ),
    "policy.talk.apart": ("By so much", "Por tanto"),
    "policy.talk.said_again": ("From here one only says the other again", "Daqui em diante uma só repete a outra"),
    "policy.talk.lost_words": (
        "What weighs against a newer one that lacks words of the question",
        "O que pesa contra a mais nova sem palavras da pergunta",
    ),
    "policy.talk.change_words": ("What words of change weigh for it", "Quanto pesam a favor dela palavras de mudança"),
    "policy.talk.fresh_step": ("How far above the older one it is put", "Quanto acima da mais antiga ela fica"),
    "policy.talk.first_excerpts": ("How many of the best have more room", "Quantas das melhores têm mais espaço"),
    "policy.talk.first_excerpt": ("Characters of those that are shown", "Letras delas que aparecem"),
    "policy.talk.excerpt": ("Characters of the others", "Letras das outras"),
    "policy.talk.excerpt_slack": (
        "A message only this many times too long is shown whole",
        "Uma mensagem só tantas vezes maior aparece inteira",
    ),
    "policy.tend.night_hour": (
        "When the night's work begins, in hours on your own clock",
        "Quando começa o trabalho da noite, em horas do seu relógio",
    ),
    "policy.tend.at_once": (
        "People whose night work is done at the same time",
        "Pessoas cujo trabalho da noite é feito ao mesmo tempo",
    ),
    "policy.tend.longest_job": (
        "What takes longer is stopped and tried again",
        "O que demora mais é interrompido e tentado de novo",
    ),
    "policy.tend.tries": ("How often a piece of work is tried", "Quantas vezes um trabalho é tentado"),
    "policy.tend.batch_messages": (
        "Messages a model reads again in one step",
        "Mensagens que um modelo relê em um passo",
    ),
    "policy.tend.night_calls": (
        "How often models are asked in one night",
        "Quantas vezes modelos são consultados em uma noite",
    ),
    "policy.tend.night_tokens": ("The same in tokens", "O mesmo em tokens"),
    "policy.cluster.least_notes": ("A day with fewer notes has no topics", "Um dia com menos notas não tem assuntos"),
    "policy.cluster.least": ("Topics a day, where its notes allow", "Assuntos por dia, se as notas permitem"),
    "policy.cluster.most": ("Topics a day, at most", "Assuntos por dia, no máximo"),
    "policy.cluster.similar_at_least": (
        "The nearness from which notes are of one topic",
        "A proximidade a partir da qual notas são do mesmo assunto",
    ),
    "policy.cluster.related_at_least": ("Below it they never are", "Abaixo disto nunca são"),
    "policy.cluster.most_notes": ("Notes of a day that are looked at", "Notas de um dia que são vistas"),
    "policy.cluster.days_a_night": ("Days told in one night", "Dias contados em uma noite"),
    "policy.cluster.look_back": (
        "How late talk may come in to be told with its day",
        "Com quanto atraso uma conversa ainda entra no seu dia",
    ),
    "policy.report.lines": ("The most lines of each part", "O máximo de linhas de cada parte"),
    "policy.report.coming": ("How far ahead dates are told", "Até onde as datas por vir são contadas"),
    "policy.report.appointment_ahead": (
        "How long before an appointment its note is written",
        "Quanto antes de um compromisso a nota é escrita",
    ),
    "policy.report.looks_back": (
        "How far back it reads where no earlier one is known",
        "Até onde ela olha para trás quando não há um anterior",
    ),
    "policy.report.most_messages": ("Messages read for one note", "Mensagens lidas para uma nota"),
    "policy.report.most_items": ("Items, and notes, read for one", "Itens, e notas, lidos para uma"),
    "policy.insight.window": ("How far back talk is looked at", "Até onde se olha a conversa para trás"),
    "policy.insight.most_messages": ("Messages of it, the newest first", "Mensagens dela, as mais novas primeiro"),
    "policy.insight.recurring_days": (
        "On so many days the same feeling recurs",
        "Em tantos dias o mesmo sentimento se repete",
    ),
    "policy.insight.least_days": (
        "Days with anything said before chance is asked",
        "Dias com algo dito antes de consultar o acaso",
    ),
    "policy.insight.least_seen": ("Days a thing was told of before it is", "Dias em que algo foi contado antes disso"),
    "policy.insight.least_together": (
        "Days with and without each of two things",
        "Dias com e sem cada uma de duas coisas",
    ),
    "policy.insight.streak_days": ("Days running that are worth a word", "Dias seguidos que merecem uma palavra"),
    "policy.insight.streak_weeks": ("Weeks running that are", "Semanas seguidas que merecem"),
    "policy.insight.level": ("The rate of false ones among new ones", "A taxa de falsas entre as novas"),
    "policy.insight.keep_level": (
        "The rate up to which one told before stays",
        "A taxa até a qual uma já contada fica",
    ),
    "policy.insight.least_difference": (
        "Between two shares, to be worth a word",
        "Entre duas partes, para merecer uma palavra",
    ),
    "policy.insight.weakest": (
        "The confidence of one hardly more than chance",
        "A confiança de uma que é pouco mais que acaso",
    ),
    "policy.insight.strongest": ("The confidence none reaches", "A confiança que nenhuma alcança"),
    "policy.insight.halfway_days": (
        "Days that bring its confidence half of the way",
        "Dias que levam a confiança à metade do caminho",
    ),
    "policy.insight.most": ("Insights held of one place", "Percepções guardadas de um lugar"),
    "policy.insight.evidence": ("Messages one of them names", "Mensagens que uma delas cita"),
    "policy.insight.mood_at_least": (
        "From here a mood or an area counts",
        "Daqui em diante um humor ou uma área conta",
    ),
    "policy.insight.near_at_least": (
        "The nearness from which two items of one note are related",
        "A proximidade a partir da qual dois itens de uma nota se relacionam",
    ),
    "policy.insight.most_related": ("Other items one names", "Outros itens que uma cita"),
    "policy.insight.looked_at": ("Items looked at for that", "Itens vistos para isso"),
}
