"""How Portuguese tells of a day. Verbs of the first person say who; "estava" and the like are asked for a subject."""

from __future__ import annotations

import re

from relembra.domain.insight import ACTIVITY, FEELING, STATE
from relembra.minds.offline.diary.words import NAME, START, TOPICS, Lexicon, Telling, any_of, telling

__all__ = ["PORTUGUESE"]

_VERY = (
    r"(?:(?:muito|mto|mt|super|tao|bem|bastante|meio|um pouco|um tanto|extremamente|demais|ainda|mais|cada vez mais|"
    r"toda|todo|completamente|hoje|ontem|sempre|de novo|ficando|me sentindo|me sinto|tremendamente|realmente|"
    r"hiper|mega|nada|nem um pouco|menos|assim|so|incrivelmente|especialmente|particularmente) )*"
)
_SPORTS = (
    r"(?:exercicios?|academia|musculacao|yoga|ioga|pilates|natacao|corrida|caminhada|bike|crossfit|spinning|"
    r"alongamento|esteira|bicicleta|treino|treinos|futebol|tenis|volei|danca|ginastica|cardio|trilha|escalada|"
    r"hidroginastica|jiu-jitsu|luta|boxe|funcional)"
)
_GO = r"(?:fui|fomos|a gente foi|voltei|acabei de (?:ir|voltar)|consegui ir|tive que ir)"
_WENT = rf"{_GO} (?:(?:hoje|cedo|de novo|finalmente|de manha|a noite|a tarde|la|ate) )*"
_FRIENDS = r"(?:(?:o|a|os|as|uns|umas|minhas?|meus?|um|uma|dois|duas|tres|varios|o pessoal|velhos) )*"
_DRINKS = r"(?:vinho|cerveja|cervejas|chopp?s?|cachaca|caipirinha|drinks?|gin|whisky|uisque|vodka|tacas?|breja|brejas)"

_TELLINGS: tuple[Telling, ...] = (
    telling(
        STATE,
        "sleep",
        r"""
        (?:dormi|dormimos|tenho dormido|cochilei|to dormindo|estou dormindo|ando dormindo) (?:muito |super |tao |bem |bastante )*(?:mal|pouco|pouquissimo|pessimamente|quase nada|picado|aos pedacos|nada)
        dormi (?:so |apenas |umas |somente |menos de )*(?:uma?|duas|tres|quatro|cinco|[1-5])(?: ?h| horas?)(?: e meia)?
        insonia
        noite (?:ruim|pessima|horrivel|mal dormida|em claro|terrivel|em branco|dificil) ?(?:de sono)?
        passei a noite (?:em claro|acordad[oa]|virando na cama|rolando na cama)
        (?:rolei|virei|fiquei rolando|fiquei virando) (?:na cama|de um lado pro outro)
        (?:virei|virou) a noite
        demorei (?:muito |horas |um tempao )?(?:a|pra|para) (?:dormir|pegar no sono)
        custei (?:a|pra|para) (?:dormir|pegar no sono)
        acordei (?:varias vezes|de hora em hora|de madrugada|no meio da noite|mil vezes|quebrad[oa]|sem ter descansado)
        perdi o sono
        tive pesadelos?
        """,
        -1,
    ),
    telling(
        STATE,
        "sleep",
        r"""
        (?:dormi|dormimos|tenho dormido|to dormindo|estou dormindo|ando dormindo) (?:muito |super |tao |mais |realmente |bastante )*(?:bem|direito|melhor|otimo|maravilhosamente|profundamente|tranquil[oa]|gostoso|bastante|pesado)
        dormi (?:feito|como|que nem|igual) (?:uma? )?(?:pedra|bebe|anjo|rei|rainha)
        dormi (?:a noite (?:toda|inteira)|direto)
        dormi (?:umas |quase |mais de )*(?:sete|oito|nove|dez|[7-9]|10)(?: ?h| horas?)(?: e meia)?
        (?:noite|sono) (?:boa|bom|otim[oa]|maravilhos[oa]|reparador|reparadora|tranquil[oa]|excelente|profund[oa]) ?(?:de sono)?
        boa noite de sono
        acordei (?:muito |super |tao |bem )*(?:descansad[oa]|renovad[oa]|revigorad[oa]|nov[oa])
        """,
    ),
    telling(STATE, "sleep", r"(?:dormir|pegar no sono|pregar (?:o|os) olhos?)", only_denied=True),
    telling(STATE, "sleep", r"(?:dormi|preguei o olho|preguei os olhos)", only_denied=True),
    telling(
        STATE,
        "energy",
        rf"""
        (?:estou|to|tou|fiquei|me sinto|me senti|acordei|cheguei|ando|passei o dia|terminei o dia|sai|voltei|estava|tava) {_VERY}(?:cansad[oa]|exaust[oa]|esgotad[oa]|acabad[oa]|mort[oa]|moid[oa]|podre|sem energia|sem forcas?|sem disposicao|so o po|sonolent[oa]|destruid[oa])
        (?:morrendo|morta|morto) de (?:cansaco|sono)
        sem (?:energia|forcas|disposicao)(?: nenhuma| pra nada)?
        que cansaco
        """,
        -1,
    ),
    telling(STATE, "energy", rf"{START}{_VERY}(?:cansad[oa]|exaust[oa]|esgotad[oa]|acabad[oa])", -1),
    telling(
        STATE,
        "energy",
        rf"""
        (?:estou|to|tou|fiquei|me sinto|me senti|acordei|cheguei|ando|passei o dia|estava|tava) {_VERY}(?:dispost[oa]|chei[oa] de energia|com (?:muita |bastante |mais )?energia|com (?:muita |mais |bastante )?disposicao|energizad[oa]|a mil|revigorad[oa])
        """,
    ),
    telling(
        STATE,
        "eating",
        r"""
        (?:comi|jantei|almocei|belisquei) (?:muita |so |muito |um monte de |bastante |mais )*(?:besteiras?|porcarias?|fast food|fast-food|junk|doces?|demais|mal|muito mal|bobagens?|hamburguer|lanches?|miojo|fritura|salgadinho|pizza)
        (?:pulei|esqueci) (?:o |do |de )?(?:almoco|jantar|cafe da manha|almocar|jantar)
        exagerei (?:na comida|no doce|nos doces|no jantar|no almoco)
        tive (?:uma )?compulsao(?: alimentar)?
        descontei (?:tudo )?na comida
        """,
        -1,
    ),
    telling(
        STATE,
        "eating",
        r"""
        (?:comi|jantei|almocei|me alimentei) (?:muito |super |tao |mais |bastante )*(?:bem|direito|melhor|saudavel|salada|leve|frutas?|legumes|direitinho|verduras)
        (?:segui|mantive) a dieta
        """,
    ),
    telling(
        STATE,
        "focus",
        r"""
        procrastinei(?: \w+){0,2}
        nao (?:consegui|to conseguindo) (?:me )?(?:concentrar|focar|produzir|render|trabalhar)(?: em nada)?
        nao rendi(?: nada)?
        dia (?:improdutivo|perdido)
        (?:muito |super )?(?:dispers[oa]|distraid[oa]|improdutiv[oa])
        sem (?:foco|concentracao)
        """,
        -1,
    ),
    telling(
        STATE,
        "focus",
        r"""
        (?:rendi|produzi|trabalhei|foquei) (?:muito |super )*(?:bem|bastante|pra caramba|muito|demais)
        (?:dia|manha|tarde) (?:muito |super |bem |bastante )*produtiv[oa]
        (?:consegui|conseguindo) (?:me )?(?:concentrar|focar)
        (?:fui|estou|to|fiquei|me senti) (?:muito |super |bem |bastante )*(?:produtiv[oa]|focad[oa]|concentrad[oa])
        """,
    ),
    telling(
        ACTIVITY,
        "exercise",
        rf"""
        (?:corri(?! (?:pra|para|atras|contra|risco|o risco))|caminhei|malhei|treinei|pedalei|nadei|me exercitei|exercitei|dancei|escalei|remei|surfei)
        {_WENT}(?:correr|caminhar|malhar|treinar|pedalar|nadar|andar de bike|andar de bicicleta|dancar|surfar)
        {_WENT}(?:a|na|no|pra|para a|para o|pro|ao|da|do) (?:aula de )?{_SPORTS}
        (?:fiz|fizemos|consegui fazer|acabei de fazer|terminei) (?:(?:uns|umas|um|uma|meia hora de|uma hora de|\d+ (?:min|minutos|km|horas?) de|a|o|meu|minha|aula de|bastante|muito|mais|boa|otima|longa|minhas?) )*{_SPORTS}
        joguei (?:um |uma |muito )?(?:bola|futebol|tenis|volei|basquete|pelada|padel|squash)
        (?:tive|teve) aula de (?:yoga|ioga|pilates|danca|natacao|spinning|boxe)
        """,
    ),
    telling(
        ACTIVITY,
        "exercise",
        rf"(?:correr|caminhar|malhar|treinar|pedalar|nadar|me exercitar|{_SPORTS})",
        only_denied=True,
    ),
    telling(
        ACTIVITY, "exercise", rf"(?:faltei|matei|pulei|furei|cancelei|perdi) (?:a |o |na |no |ao )?(?:aula de )?{_SPORTS}", -1
    ),
    telling(
        ACTIVITY,
        "meditation",
        r"""
        meditei
        (?:fiz|consegui fazer|pratiquei) (?:uma |uns |\d+ (?:min|minutos) de |dez minutos de |um pouco de |minha )*(?:meditacao|respiracao guiada|mindfulness)
        """,
    ),
    telling(ACTIVITY, "meditation", "meditar|meditacao", only_denied=True),
    telling(
        ACTIVITY,
        "therapy",
        rf"""
        (?:tive|fiz|sai da|voltei da|acabei de sair da) (?:minha |uma |a |sessao de |boa )*(?:terapia|sessao|analise|consulta com a psicologa|consulta com o psicologo)
        {_WENT}(?:a|na|no|pra|para a|ao) (?:minha |meu )?(?:terapia|terapeuta|psicologa|psicologo|analista)
        (?:conversei|falei) com (?:a|o|minha|meu) (?:minha |meu )?(?:terapeuta|psicologa|psicologo|analista)
        """,
    ),
    telling(
        ACTIVITY,
        "alcohol",
        rf"""
        bebi(?! (?:agua|cafe|cha|suco|leite|muita agua|bastante agua|pouca agua))(?: \w+){{0,4}}
        tomei (?:(?:um|uma|uns|umas|duas|dois|tres|varias|muita|muito|algumas|alguns|\d+|meia garrafa de|copos? de|tacas? de) )*{_DRINKS}
        (?:to|estou|acordei) (?:de|com) ressaca
        enchi a cara
        """,
    ),
    telling(ACTIVITY, "alcohol", rf"(?:beber|tomar {_DRINKS}|alcool)", only_denied=True),
    telling(
        ACTIVITY,
        "much_coffee",
        r"""
        tomei (?:cafe demais|muito cafe|cafe a tarde toda|(?:tres|quatro|cinco|seis|[3-9]) (?:cafes|xicaras de cafe)|cafe (?:de noite|a noite|tarde))
        exagerei no cafe
        """,
    ),
    telling(
        ACTIVITY,
        "company",
        rf"""
        (?:sai|jantei|almocei|tomei (?:um )?cafe|passei (?:o dia|a tarde|a noite|um tempo)|conversei|brinquei|viajei|fiquei) com {_FRIENDS}(?:amig[oa]s?|galera|pessoal|turma|primos?|primas?|colegas|familia|namorad[oa]|marido|esposa|mulher|irma[os]?|irmao|mae|pai|pais|avo|avos|sobrinh[oa]s?|filh[oa]s?)
        (?:encontrei|vi|recebi|visitei|revi) {_FRIENDS}(?:amig[oa]s?|galera|pessoal|turma|primos?|primas?|familia|avo|avos)
        (?:fui|fomos) (?:n[oa]|pr[oa]|a|ao|em) (?:uma? |o |a )?(?:festa|aniversario|churrasco|bar|show|casamento)(?: d[eao] \w+)?
        """,
    ),
    telling(
        ACTIVITY,
        "argument",
        r"""
        (?:briguei|discuti|bati boca|me desentendi|brigamos|discutimos) (?:feio |de novo |muito |outra vez )*(?:com|por|sobre)?
        (?:tive|tivemos|teve) (?:uma |outra |mais uma )?(?:briga|discussao|bate-boca)(?: feia)?
        """,
    ),
    telling(
        ACTIVITY,
        "overtime",
        r"""
        trabalhei (?:ate (?:muito )?(?:tarde|as (?:\d+|dez|onze|nove)|meia-noite|de madrugada)|demais|o dia inteiro sem parar|no fim de semana|no sabado|no domingo|\d\d horas)
        (?:fiz|tive que fazer) horas? extras?
        (?:fiquei|sai) (?:no|do) (?:trabalho|escritorio|servico) (?:ate )?(?:muito )?tarde
        (?:fiquei|sai) (?:ate )?(?:muito )?tarde (?:no|do) (?:trabalho|escritorio|servico)
        tive que trabalhar (?:ate tarde|no fim de semana|de madrugada)
        virei a noite trabalhando
        """,
    ),
    telling(
        ACTIVITY,
        "reading",
        r"""
        li (?:(?:um|uns|uma|o|a|meu|muito|bastante|mais|alguns|quase|varios) )*(?:pouco|livro|livros|romance|capitulos?|paginas?|\d+ paginas|antes de dormir|bastante|a noite|de noite)
        (?:terminei|comecei|acabei) (?:de ler|um livro|o livro|outro livro)
        """,
    ),
    telling(ACTIVITY, "studying", r"(?:estudei|passei (?:o dia|a tarde|a manha|a noite) estudando|fiquei estudando)"),
    telling(
        ACTIVITY,
        "screens",
        r"""
        (?:fiquei|passei) (?:(?:o dia|a noite|horas|a tarde|ate tarde|a madrugada|muito tempo|tempo demais|a noite toda|duas horas|tres horas|\d+ horas|de novo) )*(?:no|na|vendo|rolando|mexendo no|olhando o|jogando no) (?:celular|instagram|tiktok|feed|redes sociais|telas?|youtube|twitter|netflix|series?)(?: ate tarde| a noite toda| demais)?
        """,
    ),
    telling(
        ACTIVITY,
        "overspending",
        r"""
        gastei (?:(?:dinheiro|um monte|uma grana|de novo|muito mais|bem mais) )*(?:demais|muito|o que nao (?:devia|podia|tinha)|mais do que (?:devia|podia)|sem precisar|a toa|alem da conta)
        comprei (?:(?:de novo|outra|mais|uma?|um monte de|coisas?|roupas?|coisa) )*(?:por impulso|sem precisar|a toa|que nao precisava)
        (?:fiz|outra) (?:uma |outra )?compra (?:por impulso|impulsiva)
        estourei (?:o|meu) (?:cartao|orcamento|limite)
        """,
    ),
    telling(ACTIVITY, "headache", r"(?:dor de cabeca|enxaqueca|enxaquecas|cabeca (?:doendo|latejando|explodindo))"),
    telling(
        ACTIVITY,
        "outdoors",
        rf"""
        {_WENT}(?:a|na|no|pra|ao|para a|pro|para o) (?:praia|parque|cachoeira|mato|sitio|montanha|serra)
        passeei(?: \w+){{0,2}} (?:no|na|pelo|pela) (?:parque|praia|bairro|mato|orla|trilha)
        (?:tomei|peguei) (?:um )?(?:pouco de )?sol
        """,
    ),
    telling(ACTIVITY, "music", r"(?:toquei|ensaiei|pratiquei) (?:(?:um|pouco|de|o|meu|bastante) )*(?:violao|piano|guitarra|bateria|flauta|baixo|teclado|violino|musica)"),
    telling(ACTIVITY, "prayer", r"(?:rezei|orei|fui (?:a|na) (?:missa|igreja)|fui ao culto)"),
)  # fmt: skip

_ADJECTIVES = {
    "anxious": r"ansios[oa]|angustiad[oa]|aflit[oa]|nervos[oa]|apreensiv[oa]|tens[oa]|em panico|surtad[oa]|inquiet[oa]",
    "worried": r"preocupad[oa]",
    "stressed": r"estressad[oa]|stressad[oa]",
    "overwhelmed": r"sobrecarregad[oa]|atolad[oa]|assoberbad[oa]|sufocad[oa]|afogad[oa]",
    "sad": r"triste|pra baixo|para baixo|deprimid[oa]|desanimad[oa]|abatid[oa]|arrasad[oa]|melancolic[oa]|chatead[oa]|magoad[oa]|vazi[oa]",
    "angry": r"com (?:muita |tanta )?raiva|irritad[oa]|brav[oa]|put[oa]|furios[oa]|revoltad[oa]|com (?:muito )?odio",
    "frustrated": r"frustrad[oa]|decepcionad[oa]",
    "afraid": r"com (?:muito |tanto )?medo|apavorad[oa]|assustad[oa]|aterrorizad[oa]|com (?:muito )?receio",
    "guilty": r"culpad[oa]|com (?:muita )?culpa|com remorso|arrependid[oa]",
    "ashamed": r"com (?:muita )?vergonha|envergonhad[oa]|humilhad[oa]",
    "lonely": r"solitari[oa]|isolad[oa]|carente",
    "jealous": r"com (?:muito )?ciumes?|enciumad[oa]|com inveja",
    "bored": r"entediad[oa]|com tedio",
    "happy": r"feliz(?! (?:aniversario|natal|ano|pascoa|dia))|felizes|contente|alegre|radiante|realizad[oa]|satisfeit[oa]",
    "excited": r"animad[oa]|empolgad[oa]|entusiasmad[oa]|ansiosa? pra ver|motivad[oa]",
    "calm": r"calm[oa]|em paz|tranquil[oa]|relaxad[oa]|seren[oa]|leve",
    "proud": r"orgulhos[oa]|com (?:muito )?orgulho",
    "grateful": r"grat[oa]|agradecid[oa]",
    "relieved": r"aliviad[oa]|com (?:um )?alivio",
    "hopeful": r"esperancos[oa]|otimista|com (?:mais |muita )?esperanca|confiante",
}
_NOUNS = {
    "anxious": r"ansiedade|angustia|panico|nervosismo|aflicao",
    "worried": r"preocupacao",
    "stressed": r"estresse|stress",
    "overwhelmed": r"sobrecarga",
    "sad": r"tristeza|vontade de chorar|desanimo|magoa",
    "angry": r"raiva|odio|irritacao",
    "frustrated": r"frustracao|decepcao",
    "afraid": r"medo|pavor|receio",
    "guilty": r"culpa|remorso|arrependimento",
    "ashamed": r"vergonha",
    "lonely": r"solidao",
    "jealous": r"ciumes?|inveja",
    "bored": r"tedio",
    "happy": r"alegria|felicidade",
    "excited": r"empolgacao|animo",
    "calm": r"paz|calma|tranquilidade",
    "proud": r"orgulho",
    "grateful": r"gratidao",
    "relieved": r"alivio",
    "hopeful": r"esperanca",
}
_VERBS = {
    "anxious": r"surtei|entrei em panico|tive (?:uma |outra )?crise(?: de ansiedade| de panico)?|me angustio|me angustiei|me da(?:o)? ansiedade",
    "worried": r"me preocupo|me preocupei|(?:ta|esta|tem|estao|tao) me preocupando|me preocupa(?:m|ram)?",
    "stressed": r"me estresso|me estressei|me stressei|me estressa(?:m|ram)?|me estressou|(?:ta|esta) me estressando",
    "sad": r"chorei(?! de (?:rir|alegria|emocao|felicidade))|chorando(?! de (?:rir|alegria|emocao|felicidade))|me entristece|me entristeceu|me derrubou",
    "angry": r"me irrito|me irritei|me irrita(?:m|ram)?|me irritou|me tira(?:m)? do serio|me tirou do serio|perdi a paciencia",
    "frustrated": r"me frustro|me frustrei|me frustra(?:m)?|me frustrou|me decepcionei|me decepcionou",
    "afraid": r"me apavora(?:m)?|me assusta(?:m)?|me assustou|me assustei|tremi de medo",
    "guilty": r"me culpo|me culpei|me arrependo|me arrependi",
    "lonely": r"me (?:sinto|senti|sentindo) (?:muito |tao |meio |super |mais )*(?:sozinh[oa]|so)",
    "happy": r"me diverti|ri muito|me alegra|me alegrou|me fez (?:muito )?(?:bem|feliz)|adorei o dia",
    "calm": r"me acalma(?:m)?|me acalmou|me acalmei|relaxei|me relaxa|me relaxou",
    "proud": r"me orgulho|me orgulhei",
}
_BE = (
    r"(?:eu )?(?:estou|to|tou|fiquei|fico|me sinto|me senti|sinto-me|ando|estive|acordei|passei (?:o dia|a manha|a tarde|a noite|"
    r"a semana)|voltei|cheguei|sai|sigo|continuo|me sentindo|ficando|tenho (?:andado|ficado|estado)|fui dormir|"
    r"dormi|me deixa(?:m|ram)?|me deixou|me deixando|estava|tava|andava|me sentia|vivo|terminei o dia|comecei o dia)"
)
_HAVE = (
    r"(?:senti|sinto|sentindo|tive|tenho|tendo|bateu(?: uma| um)?|deu(?: uma| um)?|me deu|me da|me dao|dando|que|estou com|"
    r"to com|tou com|fiquei com|fico com|acordei com|ando com|morrendo de|morri de|cheia? de|crise de|voltou a|veio a|"
    r"me causa(?:m)?|passei|peguei|pico de|ataque de|acabei com|continuo com|dormi com|sigo com|era tanta|quanta)"
)
_MUCH = r"(?:(?:muita|muito|mta|mto|uma|um|tanta|tanto|certa|certo|a|o|aquela|aquele|bastante|enorme|grande|mais|puta|maior) )*"

_PLAIN = r"(?!(?:vazi[oa]|leve|brav[oa]|put[oa]|carente|mal)(?!\w))"  # not of things

_FEELINGS = tuple(
    one
    for name in _ADJECTIVES
    for one in (
        telling(FEELING, name, rf"{_BE} {_VERY}(?:{_ADJECTIVES[name]})"),
        telling(FEELING, name, rf"{START}(?:hoje |dia |ainda |de novo )?{_VERY}{_PLAIN}(?:{_ADJECTIVES[name]})"),
        telling(FEELING, name, rf"{_HAVE} {_MUCH}(?:{_NOUNS[name]})"),
        telling(FEELING, name, rf"{START}(?:hoje |muita |muito |de novo |mais )*(?:{_NOUNS[name]})"),
        telling(FEELING, name, rf"(?:sem|nenhuma?|nada de) (?:{_NOUNS[name]})", -1),
        *([telling(FEELING, name, _VERBS[name])] if name in _VERBS else []),
    )
)

_FELT = tuple(
    (name, re.compile(any_of("|".join(part[name] for part in (_ADJECTIVES, _NOUNS, _VERBS) if name in part))))
    for name in _ADJECTIVES
)

_TOPIC_WORDS = {
    "deadlines": r"prazos?|entregas?|deadlines?",
    "meetings": r"reuniao|reunioes|daily|call|calls",
    "presentations": r"apresentacao|apresentacoes|palestra|falar em publico",
    "interviews": r"entrevistas?|processo seletivo",
    "boss": r"chefe|chefia|gestora?|gerente|patrao|patroa",
    "clients": r"clientes?",
    "colleagues": r"colegas? de trabalho|minha equipe|meu time",
    "work": r"viage(?:m|ns) (?:de|a|do) trabalho|trabalho|trampo|emprego|escritorio|servico|empresa|carreira|demissao|promocao",
    "exams": r"provas?|vestibular|enem|concurso|exame da oab|testes?",
    "thesis": r"tcc|tese|dissertacao|monografia|mestrado|doutorado",
    "studies": r"estudos?|faculdade|escola|curso|aulas?|universidade",
    "debts": r"dividas?|boletos?|contas pra pagar|contas atrasadas|cartao|emprestimo|aluguel",
    "money": r"dinheiro|grana|financas|salario|contas|gastos|orcamento|situacao financeira",
    "mother": r"minha mae|mamae|a mae",
    "father": r"meu pai|papai",
    "siblings": r"minhas? irmas?|meus? irmaos?|meu irmao",
    "children": r"meus? filhos?|minhas? filhas?|meu bebe|as criancas|os meninos",
    "partner": r"namorad[oa]|marido|esposa|minha mulher|meu parceiro|minha parceira|casamento|noiv[oa]|relacionamento",
    "ex": r"meu ex|minha ex|ex-namorad[oa]|separacao|divorcio|termino",
    "family": r"familia|meus pais|parentes|sogra|sogro",
    "friends": r"amig[oa]s?|amizades?",
    "pets": r"cachorr[oa]|gat[oa]|meu dog|minha gata",
    "health": r"saude|doenca|dor|dores|sintomas?|tratamento|cirurgia|gravidez",
    "doctor": r"medic[oa]|exames? de sangue|exames|resultado do exame|consulta|dentista|hospital",
    "body": r"meu corpo|meu peso|aparencia|engordei|balanca",
    "sleep": r"sono|dormir|insonia",
    "future": r"futuro|o que vem|minha vida|rumo",
    "traffic": r"transito|onibus lotado|metro lotado",
    "moving": r"mudanca|mudar de casa|mudar de cidade",
    "home": r"casa|apartamento|vizinh[oa]s?|obra|reforma",
    "news": r"noticias|noticiario|politica|eleicoes|eleicao|guerra",
    "social_media": r"redes sociais|instagram|tiktok|twitter",
    "travel": r"viagem|viagens|viajar|voo|aviao|avioes|voar|ferias",
    "loneliness": r"solidao|ficar sozinh[oa]|estar sozinh[oa]",
    "project": r"projetos?",
    "death": r"morte|luto|velorio|enterro",
}

PORTUGUESE = Lexicon(
    tellings=_TELLINGS,
    feelings=_FEELINGS,
    felt=_FELT,
    topics=tuple((topic, re.compile(any_of(_TOPIC_WORDS[topic]))) for topic in TOPICS),
    denied=re.compile(
        r"(?<!\w)(?:(?:nao|n|nem|nunca|jamais|em vez de|ao inves de|deixei de|parei de|evitei|desisti de|menos|"
        r"nada|mal|nenhum|nenhuma|faltou)[ ]+(?:(?!(?:e|mas|so|apenas|depois|que)[ ])[\w'-]+[ ]+){0,3}|sem[ ]+(?:(?:a|o|uma?|minha|meu|nenhuma?)[ ]+)?)$"
    ),
    denied_within=re.compile(r"(?<!\w)(?:nao|nem|menos|sem|nada)(?!\w)"),
    unreal=re.compile(
        r"(?<!\w)(?:vou|vamos|iria|ia|quero|queria|preciso|precisava|devo|deveria|devia|pretendo|espero|tomara|se eu|se|"
        r"talvez|quem sabe|posso|poderia|gostaria|tenho que|tinha que|tento|tentar|planejo|amanha|bora|caso eu|"
        r"pensei em|penso em|sonhei que|sera que|prometi)(?!\w)(?!.*\b(?:mas|e|acabei)\b.*$)|(?<!\w)(?:quando|sempre que|toda vez que)(?: eu)? $"
    ),
    general=re.compile(
        r"(?<!\w)(?:sempre|costumo|costumava|geralmente|normalmente|em geral|todo (?:dia|sabado|domingo|mes|ano)|"
        r"toda (?:semana|segunda|terca|quarta|quinta|sexta|noite|manha)|todos os dias|todas as (?:noites|manhas|semanas)|"
        r"antigamente|quando eu era|(?:n?ess[ea]|n?est[ea]) (?:mes|ano|semana)|de vez em quando|as vezes|na infancia|quando crianca)(?!\w)"
    ),
    long_ago=re.compile(
        r"(?<!\w)(?:(?:semana|mes|ano) passad[oa]|(?:dias?|semanas?|mes|meses|anos?) atras|ha (?:\w+ )?(?:dias|semanas|meses|anos)|"
        r"(?:fim de semana|fds|segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)? passad[oa]|outro dia|uma vez|ano retrasado|(?:19|20)\d\d|nas? ferias passadas)(?!\w)"
    ),
    yesterday=re.compile(r"(?<!\w)(?:ontem|onte)(?!\w)"),
    day_before=re.compile(r"(?<!\w)(?:anteontem|antes de ontem)(?!\w)"),
    weekdays=tuple(
        re.compile(rf"(?<!\w)(?:n[oa]|d[oa]|nest[ea]|ess[ea]|nessa|nesse) (?:ultim[oa] )?(?:{names})(?!\w)")
        for names in (
            "segunda(?:-feira)?", "terca(?:-feira)?", "quarta(?:-feira)?", "quinta(?:-feira)?", "sexta(?:-feira)?",
            "sabado", "domingo",
        )
    ),
    asks_who=re.compile(r"(?!)"),
    subjects=re.compile(r"(?!)"),
    first_person=re.compile(
        r"\W*(?:hoje |ontem |e )*(?:eu |nao )*(?:(?:estou|to|tou|ando|me|tenho|fomos|sinto|sinto-me|fico|sigo|continuo|vivo|"
        r"morrendo|fiz|tive|estive|vi|li)|\w+(?:ei|i))(?!\w)"
    ),
    others=re.compile(
        r"(?:e |ai |hoje |ontem |que |entao )*(?:el[ea]s?|voces?|vc|(?:minhas?|meus?|a|o|as|os|nossa|nosso) (?:\w+ )?(?:mae|pai|pais|irma|irmao|irmas|irmaos|filh[oa]s?|marido|esposa|mulher|namorad[oa]|noiv[oa]|amig[oa]s?|chefe|colega|colegas|avo|vo|tia|tio|prim[oa]s?|sogr[oa]|vizinh[oa]|bebe|cachorr[oa]|gat[oa]|ex|terapeuta|medic[oa]|professora?|cliente|equipe|time))(?!\w)"
    ),
    another=re.compile(
        r"(?<!\w)(?:el[ea]s?|voces?|vc|(?:minha|meu|minhas|meus|nossa|nosso|a|o|as|os) "
        r"[\w-]+(?: d[eao]s? \w+)?|que)(?: tambem| ja| so| nao| hoje| ontem| que)* $"
    ),
    theirs=re.compile(
        r" (?:del[ea]s?|d[aeo]s? (?:(?:minhas?|meus?|noss[oa]s?|su[ao]s?|seus?) )?(?:mae|pai|pais|irma|irmao|irmas|irmaos|filh[oa]s?|"
        r"marido|esposa|mulher|namorad[oa]|noiv[oa]|amig[oa]s?|chefe|colegas?|avo|vo|tia|tio|prim[oa]s?|sogr[oa]|vizinh[oa]|"
        r"bebe|ex|cliente|cachorr[oa]|gat[oa]))(?!\w)"
    ),
    named=(
        (re.compile(rf"(?<!\w)d[aeo] {NAME}"), "dele"),
        (
            re.compile(
                rf"(?:(?<!\w)[oa] )?{NAME}(?=(?: (?:ja|so|nao|tambem|hoje|ontem|ainda|sempre|se))* (?:esta|ta|estava|tava|anda|andava|"
                r"tem|teve|tinha|fica|ficou|acordou|dormiu|passou|chegou|voltou|parece|vive|continua|sente|sentiu|sentia|"
                r"disse|falou|contou|era|e)(?!\w))"
            ),
            "ele",
        ),
    ),
    clause_end=re.compile(r"[;:]|(?<!\w)(?:mas|porem|so que|embora|enquanto|apesar d[eao]|ja que a|contudo)(?!\w)| - | e (?=hoje|ontem|agora)"),
)  # fmt: skip
