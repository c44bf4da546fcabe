"""What each word of a question weighs when it is looked for: words that only build the question weigh little."""

from __future__ import annotations

from relembra.domain.text import fold
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.flat import listed

__all__ = ["LIGHT", "weights_of"]

LIGHT = 0.3
"""Of a word that only builds a question, or names a time that was understood."""

_BUILDING = frozenset(
    listed(
        "remind reminds reminded recall recalls remember wonder wondering wondered know tell confirm clarify "
        "check find curious ask asking previous previously earlier before conversation conversations chat chats "
        "discussion discuss discussed discussing talk talked talking mention mentioned mentioning said say told "
        "referring refer referred follow going looking back many much total number amount often long times time "
        "happen happened happening event day days week weeks month months year years ago last past passed recent "
        "recently lately currently current now since between first second third earliest latest order most least "
        "more less which thing things something anything please thanks hi hey hello help want wanted like need "
        "get got think thinking thought suggest suggestions recommend recommendations advice tips ideas lembrar "
        "lembre lembra lembro recordar recorde saber sei dizer diga diz disse falou falar falamos contou contar "
        "confirmar perguntar pergunta anterior anteriores antes conversa conversas papo discussao discutimos "
        "conversamos mencionou mencionei citou comentou vezes vez quantidade numero aconteceu acontecer evento "
        "dia dias semana semanas mes meses ano anos atras ultimo ultima ultimos ultimas passado passada recente "
        "recentemente atualmente agora desde entre primeiro primeira segundo ordem coisa coisas algo alguma algum "
        "favor obrigado obrigada oi ola ajuda ajudar quero queria gostaria preciso acho pensando sugestao "
        "sugestoes recomendacao recomendacoes conselho dicas ideias sobre acerca respeito contei contamos falei "
        "comentei rolou fiz fizemos fez did done"
    )
)


def weights_of(text: str, analyzer: BilingualAnalyzer, *, dated: str = "") -> dict[str, float]:
    """The terms of a question with their weights; a word with two stems shares its weight between them.

    `dated`: the words that named a time. A question of nothing but small words is looked for by all of them.
    """
    times = set(analyzer.terms(dated)) if dated else set()
    weights: dict[str, float] = {}
    for word, terms in analyzer.words(text):
        weight = LIGHT if fold(word).replace("’", "'") in _BUILDING else 1.0
        for term in terms:
            share = weight / len(terms)
            if term in times:
                share = min(share, LIGHT)
            weights[term] = max(weights.get(term, 0.0), share)
    return weights or dict.fromkeys(analyzer.terms(text), 1.0)
