"""What is nobody's claim in Portuguese: other mouths, other worlds, questions, requests, conditions and wishes."""

from __future__ import annotations

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.lemmas import lemma
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.portuguese.vocabulary import ADVERBS, RELATION, TRADE

__all__ = ["BREAKS", "DENIAL", "UNREAL", "foreign", "skipped", "speaks_of_self", "split"]

_POLITE = (
    r"^\W*(?:(?:oi|ola|bom\sdia|boa\starde|boa\snoite|por\sfavor|pfv|pf|pode|podes|podia|poderia|"
    r"vc|voce|consegue|me|agora|ajuda|a|"
    r"preciso|preciso\sque|queria\sque|quero\sque|gente|ai|so|vamos|tu)[\s,!]+){0,5}"
)
_TEXT = (
    r"(?:texto|frase|paragrafo|mensagem|email|e-mail|trecho|redacao|poema|letra|musica|ata|artigo|"
    r"noticia|carta|post|legenda|perfil|"
    r"bio|depoimento|transcricao|conversa|dialogo|curriculo|enunciado|questao)"
)
_STORY = (
    r"(?:conto|historia|historinha|poema|cronica|fanfic|cena|monologo|haicai|soneto|cordel|letra|"
    r"musica|roteiro|romance|fabula|"
    r"personagem|dialogo|discurso|miniconto|esquete|parodia|redacao|diario|novela|piada|capitulo)"
)
_FOREIGN = re.compile(
    r"(?<![a-z])(?:"  # every one of them begins with a word
    rf"{_POLITE}(?:traduz\w*|traducao|corrij\w*|corrig\w*|revis[ae]\w*|reescrev\w*|parafrase\w*|"
    rf"resum\w*|verte|analis[ae]\w*|"
    rf"interpret[ae]|melhor[ae]|formata|passa|passe|passar|traduzir|deixa|simplifi\w+|"
    rf"transform[ae]\w*|transcrev\w*|classifi\w+|continu[ae]|complet[ae])\b"
    rf"(?:[^:\"\n>]{{0,60}}[:\"\n>]|\s(?:ai\s)?(?:es[st][ea]s?|[oa]s?|um|uma)\s(?:\w+\s)?{_TEXT}\b)"
    rf"|{_POLITE}(?:escrev\w+|cri[ae]r?|invent[ae]r?|faz|faca|fazer|gera|gere|conta|continu[ae]|"
    rf"bora)\s(?:pra\smim\s)?(?:um|uma|o|a|essa|esse|uns)\s"
    rf"(?:\w+\s){{0,2}}{_STORY}\b(?!.{{0,80}}\b(?:pra|para|sobre|com|do|da)\s(?:[oa]\s)?(?:meu|minha)\b)"
    rf"|{_POLITE}(?:finj\w|finge|fingir|faz(?:er)?\sde\sconta|faca\sde\sconta|imagin[ae]\s(?:que|"
    rf"um|uma|so)|imagine-se|aja\scomo|atue\scomo|atua\scomo|"
    r"voce\sagora\se|voce\se\sum|role\s?play|roleplay|interprete|simul[ae]\b|supon\w+|supoe|"
    r"vamos\sjogar|bora\sjogar|digamos|vamos\ssupor|hipoteticamente|"
    r"brincar\sde)"
    r"|^\W*(?:cenario|exemplo|exercicio|enunciado|personagem|ficha|questao|letra|trecho|citacao|"
    r"contexto\sficticio|hipotese|"
    r"prompt|system|sistema|admin|narrador|user|assistant|usuario|poema|tema\sda\sredacao)"
    r"\s?(?:\d+\s?)?[:\]-]"
    r"|\b(?:post|postagem|comentario|tweet|legenda|mensagem|msg|frase|texto|anuncio|bio|placa|meme|"
    r"video|bilhete|audio|manchete|titulo|"
    r"redacao|letra|verso|dizia|diz|escreveu|falou|disse|respondeu|perguntou|gritou|comentou|"
    r"mandou|postou|resposta\sdel[ea]|assim)\b[^.!?\n:]{0,40}:\s?(?=\S)"
    r"|\b(?:forwarded|encaminh(?:ad[oa]s?|ando|o|ei|aram)|repass(?:ando|ad[oa]s?|o)|fwd?|enc|copiad[oa]|colei|colando|"
    r"rascunh\w*|minuta|recado|relato|depoimento|transcricao|citando|aspas)\b[^.!?\n:]{0,40}:\s?(?=\S)"
    r"|^\W*(?:minha|meu)\s(?:fala|discurso|carta|redacao)\b[^.!?\n:]{0,40}:\s?(?=\S)"
    rf"|{_POLITE}(?:escrev\w+|redij\w+|redig\w+|elabor\w+|rascunh\w+|mont[ae]\w*|cri[ae]r?|faz|faca|fazer|gere?|"
    rf"gera|prepar[ae]r?|formul[ae]r?|pont[uo]\w+|poe|ponha|coloca|ajeit[ae]|arrum[ae]|confer[ei]|ve\sse|"
    rf"veja\sse)\s[^:\n]{{0,60}}?\b(?:e-?mail|carta|discurso|bio|mensagem|texto|"
    rf"post|legenda|redacao|poema|conto|historia|cronica|monologo|dialogo|cena|personagem|paragrafo|frase|cordel|soneto|"
    rf"depoimento|oficio|convite|anuncio|peticao|requerimento|declaracao|apresentacao|tweet|biografia|recado|bilhete|"
    rf"virgulas?|pontuacao|acentos?|gramatica|concordancia|crase)s?\b[^:\n]{{0,60}}:\s?(?=\S)"
    rf"|{_POLITE}(?:vamos|bora|quero)\s(?:treinar|simular|ensaiar|encenar|praticar|brincar|fingir)\b[^:\n]{{0,40}}:"
    r"|[♪♫🎶🎵]"
    r"|\b(?:no|num|nesse|nosso|meu)\s(?:rpg|roleplay|role\splay)\b|\bficha\sd[oae]\b|"
    r"\b(?:[oa]|meu|minha|um|uma|essa|esse)\s(?:personagem|protagonista|narrador|narradora|vila|"
    r"vilao|heroi|heroina|eu\slirico|avatar)\s(?!favorit|preferid)"
    r"|\bna\s(?:minha\s)?(?:fanfic|ficcao|novela\sque|historia\sque\s(?:eu\s)?(?:estou|to))\b"
    r"|\b(?:so\sum\sexemplo|exemplo\sd[ao]\s(?:apostila|livro|prova)|livro\sdidatico|apostila|"
    r"hipotetic\w+|situacao\shipotetica|suponha\w*|supondo|suponhamos|vamos\ssupor|digamos\sque|"
    r"faz\sde\sconta|por\shipotese)\b"
    r"|\bignor[ae]\w*\s(?:\w+\s){0,3}(?:instruc\w+|regras|anterior\w*|prompt)"
    r"|\b(?:anot\w+|lembr\w+|grav\w+|guard\w+|memori[zs]\w*|registr\w+|salv\w+|consider\w+|"
    r"adicion\w+|armazen\w+|decor\w+|a\spartir\sde\sagora|de\sagora\sem\sdiante|daqui\s(?:pra|para|"
    r"em)\s"
    r"(?:frente|diante)|doravante)\b.{0,80}\b(?:admin\w*|descontos?|aprovad\w+|autoriz\w+|"
    r"permiss\w+|acesso|senha|root|"
    r"regras|reembols\w+|verificad\w+|ilimitad\w+|vip|premium|obedec\w+|assinante|super\s?usuario|"
    r"superuser|privilegi\w+|"
    r"gratis|gratuit\w+|sem\srestric\w+|desenvolvedor\sdo\ssistema|dono\sd[oa]\s(?:sistema|"
    r"plataforma|empresa|site)|credito|"
    r"todos\sos\s(?:usuarios|clientes|pedidos)|confiave\w+|concord\w+|politica|instruc\w+|"
    r"voce\s(?:deve|e|nao\spode|pode)|"
    r"vc\s(?:deve|e|pode)|fatura|isent\w+|liberad\w+)"
    r"|\b(?:esquec\w+|apag\w+|delet\w+|limp\w+)\s(?:\w+\s){0,3}(?:memoria|historico|que\s(?:voce|"
    r"vc)\ssabe|sobre\smim)"
    r"|(?:clique|clica|acesse|compre|assine|assista|baixe|compartilhe)\s(?:aqui|no\slink|ja|agora|antes)\b|"
    r"link\sna\sbio|vagas\slimitadas"
    r"|\bcomo\s(?:fica|ficaria|se\s(?:fala|diz|escreve)|eu\s(?:falo|digo)|digo|falo)\b.{0,60}\bem\s(?:ingles|"
    r"espanhol|frances|alemao|"
    r"italiano|japones|libras|mandarim|portugues|russo|coreano|latim|crioulo)\b"
    r"|\b(?:versao|traducao)\s(?:em\s)?(?:ingles\w*|espanhol\w*|frances\w*|alem\w+|italian\w+)\b"
    r"|\b(?:atualiz\w+|regist\w+|grav\w+|salv\w+|anot\w+|guard\w+|memoriz\w+)\b.{0,30}\b(?:perfil\sinterno|"
    r"suas\sregras|nas\ssuas|na\smemoria|verdade|"
    r"permanentemente|pra\ssempre|para\ssempre|facto\sassente|fato\sconsumado)\b"
    r"|\bera\suma\svez\b|^\W*(?:conto|cena|roteiro|monologo|poema)\s(?:infantil|curto|de)\b.{0,30}:"
    r"|\b(?:funcionari[oa]|cliente|paciente|agricultora?|pessoa|aluno|aluna|usuario|empresa|familia|"
    r"candidat[oa])\s(?:fictici[oa]|qualquer|de\sexemplo|hipotetic[oa]|imaginari[oa])\b"
    r"|\bnao\se\s(?:o\s)?meu\scaso\b|\bsem\sser\scomigo\b|\bpara\silustrar\b"
    r"|\b(?:trecho|letra|refrao)\sd[aeo]\b|\b(?:aquela|essa|daquela)\smusica\b|\bcomo\s(?:diz|"
    r"dizia|diria|canta)\s(?:a|o|aquela)?"
    r")",
    re.DOTALL,
)
_CODE = re.compile(
    r"Traceback \(most recent call last\)|```|^\s*def \w+\(|^\s*import \w+|console\.log\(|=>\s*\{|"
    r"</\w+>|\bSELECT\b.{1,80}\bFROM\b"
    r"|^@\w+|\becho\b|^\s*\{\s*\"\w+\"\s*:|^\s*(?:const|let|var) \w+ ?=|\w+\s?=\s?[\"'\[{]",
    re.MULTILINE,
)
_SPEAKERS = re.compile(r"^\W*(?:\[?\d{1,2}[:h]\d\d\]?\s)?[A-Za-zÀ-ÿ]{1,16}(?:\s[A-Za-zÀ-ÿ]{1,16})?\s?:\s", re.MULTILINE)
_TWO_VOICES = re.compile(r"^\W*[A-ZÀ-Þ][a-zà-ÿ]{1,12}:\s.{1,200}\s[A-ZÀ-Þ][a-zà-ÿ]{1,12}:\s")
_DASHES = re.compile(
    r"^\s*[—–-]\s*[A-ZÀ-Þ].*\s[—–-]\s*(?:disse|falou|perguntou|respondeu|gritou|murmurou)", re.MULTILINE
)


_SPEAKER = re.compile(
    r"^\W*(?:\[?\d{1,2}[:h]\d\d(?::\d\d)?\]?\W{1,3})?"
    r"(?P<first>[A-ZÀ-Þ][a-zà-ÿ]{1,14})(?P<rest>(?:\s(?:d[aeo]s?\s)?[A-ZÀ-Þ][a-zà-ÿ]{1,14}){0,2})\s?:\s?(?=\S)",
    re.MULTILINE,
)
_ROLES = re.compile(
    rf"(?:{RELATION}|{TRADE}|el[ea]|voce|cliente|paciente|vendedora?|atendente|aluno|aluna|entrevistadora?|"
    r"entrevistad[oa]|suporte|bot|reporter)$"
)
_NAMES = FIRST_NAMES["pt"] | FIRST_NAMES["en"]


def _is_transcript(raw: str) -> bool:
    """Whether a line opens with who speaks it: "Carlos: oi, sou enfermeiro"."""
    for line in _SPEAKER.finditer(raw):
        first = flattened(line["first"]).text
        if first in _NAMES or _ROLES.match(first) or (line["rest"] and first.split()[0] in _NAMES):
            return True
    return False


def foreign(raw: str, flat: str) -> bool:
    """Whether nothing in the message is the speaker's own claim."""
    if _FOREIGN.search(flat) or _CODE.search(raw) or (":" in raw and _is_transcript(raw)):
        return True
    if "\n" in raw and len(_SPEAKERS.findall(raw)) >= 2:
        return True
    return bool(_DASHES.search(raw) or _TWO_VOICES.search(raw))


_ASKED = re.compile(
    r"^\W*(?:(?:e|mas|oi|ola|ei|entao|ou|ah|gente|bom\sdia|boa\starde|boa\snoite|alguem\ssabe|"
    r"vc\ssabe|sabe|sabes|me\sdiz|me\sfala|"
    r"afinal|cara|mano|tipo|so\suma\sduvida|duvida|pergunta)[\s,:!]+){0,3}"
    r"(?:o\sque|oq|oque|que\s(?!me\b|eu\b)|q\s|qual|quais|quem|onde|aonde|quantos?|quantas?|"
    r"por\sque|porque|pq|pra\sque|sera|cade|"
    r"como|quando|voce|vc|vcs|voces|tem\scomo|tem\salgum\w*|posso|pode|podes|poderia|consegue|"
    r"da\spra|existe|ha\salgu\w+|"
    r"e\s(?:normal|verdade|possivel|seguro|melhor|ruim|bom|perigoso|certo|obrigatorio|preciso|"
    r"dificil|facil)|devo|alguem)(?![a-z-])"
)
_ASKED_PLAINLY = re.compile(
    r"^\W*(?:(?:e|mas|oi|ola|ei|entao|gente)[\s,]+){0,2}(?:qual|quais|quanto\s(?:custa|vale|tempo)|"
    r"(?!o\sque\s(?:eu\s)?(?:mais|menos|nao)\s)"
    r"o\sque\s(?:e|eu|voce|vc)|"
    r"como\s(?:faco|faz|fazer|posso|eu\s(?:faco|posso)|e\sque|lidar|cancel\w+|declar\w+|voce|vc|"
    r"funciona|dizer|conseguir|evitar|"
    r"saber|conseguiria|explicar)|(?:voce|vc)\s(?:sabe|acha|conhece|lembra|pode|consegue|mora|tem|"
    r"gosta|e)|sera\sque|onde\s(?:eu\s)?(?:compro|acho|encontro))(?![a-z])"
)
_ELSEWHERE = re.compile(
    r"(?<![a-z])(?:se\s(?:eu\s|a\sgente\s|nos\s|el[ea]\s|voce\s|vc\s|tu\s|[oa]\s\w+\s|minha\s\w+\s|"
    r"meu\s\w+\s)?(?:nao\s|n\s|ja\s|me\s|so\s|um\sdia\s)?"
    r"(?!esse|desse|nesse)\w{1,12}[aeio]sse(?:mos|m|s)?|"
    r"quem\s(?:me\s)?dera|tomara|oxala|quem\sdisse|no\s(?:filme|livro|jogo|episodio|sonho)|"
    r"na\s(?:novela|serie|musica|peca)|"
    r"(?:esse|este|o|aquele|num)\s(?:filme|livro|anime|seriado|podcast)\s(?:que(?!\s(?:eu\s)?mais\s)|e\ssobre|conta)|"
    r"sonhei|pesadelo|"
    r"ouvi\s(?:dizer|falar|que|na|no|um)|dizem|diz\sque|disseram|reza\sa\slenda|segundo\s(?:o|a|"
    r"uma|um)\s|de\sacordo\scom|"
    r"(?:li|vi)\s(?:hoje\s|ontem\s|ai\s|la\s)?(?:que|num|numa|no|na|um|uma|em|sobre)\s|(?:na|uma|a)\snoticia|"
    r"manchete|(?:no|do|um)\sjornal|(?:na|uma|numa)\sreportagem|pesquisa\s(?:diz|mostra)|"
    r"estudo\s(?:diz|mostra)|fake\snews|boato|fofoca|ditado|tipo\sassim\sse|imagina\s(?:se|eu|que|"
    r"ser|ter|morar|so)|"
    r"como\sse\s(?:eu\s)?(?:fosse|tivesse)|(?:la|la\sna)\s(?:vizinha|novela)|zoeira|brincadeira|"
    r"brincando|to\szoando|to\sbrincando|"
    r"so\sque\snao|sqn|ate\sparece|aham|ironia|mentira|primeiro\sde\sabril|em\soutra\svida|"
    r"na\sproxima\svida|vidas\spassadas|"
    r"num\smundo|no\suniverso|universo\sparalelo|parabens\spra\smim|riquissim[oa]|"
    r"podre\sde\sric[oa]|meu\slado)(?![a-z-])|"
    r"(?<![a-z])(?:um|uma|o|a|aquele|aquela|algum|uns|umas)\s(?:senhora?|cara|mulher|homem|moc[oa]|rapaz|menin[oa]|"
    r"tiozinho|taxista|uber|motorista|atendente|"
    r"palestrante|professor|conhecid[oa]|desconhecid[oa]|fulan[oa]|guri|guria|passageir[oa]|caixa|porteir[oa]|"
    r"moradora?|vizinh[oa])\s(?:[a-z]+\s){0,6}?"
    r"(?:jurou|disse|contou|falou|diz|garantiu|comentou|escreveu|postou|abriu\sdizendo|explicou|afirmou|fala|conta|"
    r"jura)(?![a-z])|"
    r"(?<![a-z])(?:disse-me|contou-me|deu\s(?:no|na)|saiu\s(?:no|na)\s(?:jornal|tv|globo|noticia|g1|radio|net|"
    r"internet|instagram)|passou\sna\s(?:tv|globo))(?![a-z])|"
    r"^\W*(?:ah[\s,]+)?(?:claro|logico|obvio|com\scerteza|maravilha|sim\ssim|sim,\ssim|que\smaravilha|que\sdelicia|"
    r"nossa|genial|perfeito|pois)[,!]+\s(?:pois\s)?(?:(?:eu|so)\s)?"
    r"(?:simplesmente\s|sempre\s)?(?:amo|adoro|amei|adorei|nado|sou\s(?:a\spropria|o\sproprio|filh|milionari|ric)|"
    r"meu\s(?:hobby|sonho|programa)|tenho\s(?:\w+\s)?(?:bracos|maos)|tudo\sque\seu)|"
    r"🙄|(?<![a-z])(?:com\scerteza\seu\ssou|sou\spraticamente\sum\sgenio|so\siates)(?![a-z])"
)


def skipped(raw: str, flat: str) -> bool:
    """Whether a whole sentence claims nothing: it asks, or tells of somewhere else."""
    if (away := _ELSEWHERE.search(flat)) and not (away[0].startswith("se ") and " mas " in flat[away.end() :]):
        return True
    if "?" in raw and _ASKED.search(flat):
        return not _FACT_FIRST.search(flat)
    return bool(_ASKED_PLAINLY.search(flat)) and not _COMMA_FACT.search(flat)


_FACT_FIRST = re.compile(r"^\W*(?:sou|tenho|moro|trabalho)\s")
_COMMA_FACT = re.compile(
    r"[,;]\s?(?:(?:eu|pois|porque|pq|ja\sque|e\sque|que|sendo\sque)\s)?(?:sou|tenho|moro|trabalho|"
    r"tomo|estou|to|odeio|adoro|nao\sgosto|meu|minha)\s"
)

_FIRST = (
    r"(?:(?!(?:jogo|treino|uso|estudo|trabalho)\sd[eoa]s?\s)(?:jogo|treino|uso|estudo|trabalho)|"
    r"sou|moro|vivo|tenho|gosto|adoro|amo|odeio|detesto|curto|prefiro|tomo|faco|falo|toco|durmo|"
    r"acordo|"
    r"levanto|peso|meco|ganho|recebo|devo|pago|quero|queria|pretendo|planejo|vou|estou|tou|to|ando|"
    r"fico|me|sinto|sofro|torco|namoro|"
    r"crio|vendo|dirijo|cuido|leio|escrevo|pinto|danco|corro|pedalo|nado|medito|rezo|oro|como|bebo|"
    r"fumo|evito|suporto|aguento|"
    r"acho|penso|acredito|valorizo|preciso|posso|consigo|sei|costumo|atendo|dou|ensino|leciono|"
    r"coordeno|gerencio|lidero|administro|"
    r"programo|desenvolvo|pratico|frequento|assisto|ouco|escuto|viajo|coleciono|planto|cozinho|"
    r"morro|chamo|nasci|cresci|fui|tive|fiz|"
    r"vim|quis|era|tinha|morava|trabalhava|estava|tava|fumava|temos|somos|moramos|estamos|vivemos|"
    r"casamos|mudamos|compramos|vamos|vi|"
    r"consegui|perdi|descobri|sai|desisti|decidi|parti|vendi|aprendi|sofri|bati|cai|nao|nunca|"
    r"ja\s(?:fui|morei|tive)|odiava|"
    r"[a-z]{2,14}ei|mede|pode|da\spra|onde|qual|quero|sempre|mal\sposso|chamo-me|meu\snome|minha\smeta)"
)
_THIRD = (
    r"(?:esta|ta|tah|tem|mora|morava|trabalha|trabalhava|faz|gosta|adora|odeia|ama|detesta|curte|"
    r"prefere|toma|usa|estuda|nasceu|"
    r"morreu|faleceu|vai|foi|era|tinha|casou|ganha|sofre|fala|joga|toca|dorme|acorda|mudou|virou|"
    r"comecou|parou|quer|pretende|sonha|"
    r"vende|dirige|cuida|pesa|mede|chama|torce|vive|namora|passou|entrou|saiu|voltou|operou|"
    r"descobriu|teve|perdeu|conseguiu|"
    r"aposentou|formou|separou|divorciou|largou|come|bebe|fuma|pratica|completa|completou|leciona|"
    r"cria|canta|ensina|treina|fez|ficou|le|ve|morre|sabe|entende|corre|assiste|anda)"
)
_SMALL = (
    rf"(?:{ADVERBS}|(?:eu|a\sgente|nos|el[ea]s?|isso|me|se|te|mal|mto|muito|tbm|sou|nem|num|"
    rf"este\sano|esse\sano|por\senquanto|o\sresto)\s){{0,3}}"
)
_PREDICATE = (
    rf"(?:(?:muito|mto|super|bem|meio)\s)?(?:{TRADE}|alergic[oa]|intolerante|diabetic[oa]|"
    rf"celiac[oa]|vegan[oa]|vegetarian[oa]|casad[oa]|"
    r"solteir[oa]|divorciad[oa]|louc[oa]\spor|fa\sd|apaixonad[oa]\spor|viciad[oa]|autista|"
    r"hipertens[oa]|evangelic[oa]|catolic[oa]|um\s|uma\s|"
    r"(?:meu|minha)\s)"
)
_CLAUSE = re.compile(
    rf"{_SMALL}(?:(?:{_FIRST}|{_THIRD})(?![a-z-])|(?:é|eh)\s|e\s{_PREDICATE})|"
    rf"(?:[oa]s?\s)?(?:meus?|minhas?|noss[oa]s?)\s(?:\w+\s){{1,4}}{_SMALL}(?:(?:{_THIRD}|é|eh)"
    rf"(?![a-z-])|e\s{_PREDICATE})|[oa]\s\w+\s{_SMALL}(?:{_THIRD}|é|eh)(?![a-z-])|"
    r"(?:el[ea]s?|eu|a\sgente|nos)\s|(?:meu|minha)\s(?:nome|aniversario|meta|objetivo|sonho|plano|"
    r"apelido|pronome|prazo|reuniao|"
    r"consulta|time|cor|comida|filme|livro|salario|peso|altura|tipo|fuso)(?![a-z])|"
    r"(?:posso|pode|me\s(?:indica|ajuda|sugere|recomenda|passa|da)|qual|quais|o\sque|onde|"
    r"como\s(?:faco|posso|fica|lidar)|quanto|tem\scomo|da\spra|sera|"
    r"me\sexplica|monta|cria|sugere|indica|por\sonde|por\sque|das-me|faz-me|da-me|alguma\s(?:dica|"
    r"sugestao|ideia)|vc|voce)(?![a-z])"
)
_WORD_AT = re.compile(rf"{_SMALL}(?P<word>[a-z]{{3,}})(?![a-z-])")
_MAY_BREAK = re.compile(
    r"(?=[\s,:])(?:(?P<mark>\s*(?:[,:](?!\d)|(?<!\d)[,:])\s*(?:e\s|mas\s|so\sque\s|porque\s|pq\s|pois\s)?)|"
    r"(?P<e>\s+e\s+))"
)
_MUST_BREAK = re.compile(
    r"(?=[\s;…,.()!-])(?:"
    r"\s*[;…]+\s*|(?<!\bdr)(?<!\bdra)(?<!\bsr)(?<!\bsra)(?<!prof)(?<!profa)(?<!\beng)(?<!\bd)"
    r"\s*\.\s+|\s+-+>?\s+|\s*[()]\s*|\.\.+\s*|!+\s+|\n+|"
    r"\s*,?\s+(?:mas|porem|so\sque|porque|pq|pois|entao|embora(?=\s(?:eu|nao|seja|tenha|goste|"
    r"el[ea]))|enquanto|por\sisso|ja\sque|apesar\sde|senao|portanto)\s+(?!tambem\sa)|"
    rf"(?<!\btem)(?<!\btenho)(?<!\btemos)(?<!\bter)\s*,?\s+(?=(?:que|q)\s{_SMALL}(?:{_THIRD}|é|eh)(?![a-z-]))"
    r")"
)


def split(raw: str, flat: str) -> list[tuple[int, int]]:
    """Where clauses end: at stops and conjunctions, and at a comma or "e" when a new predicate follows."""
    marked = (
        "".join(here if here in "éÉ" and there == "e" else there for here, there in zip(raw, flat, strict=True))
        if "é" in raw
        else flat
    )
    stops = [match.span() for match in _MUST_BREAK.finditer(marked)]
    last = flat.rfind(", ") if "?" in flat else -1
    if last >= 0 and re.match(r",\s(?:[oa]\s)?[A-ZÀ-Þ]\w+\W*$", raw[last:]):
        last = -1
    for match in _MAY_BREAK.finditer(marked):
        if match["e"] and flat[: match.start()].endswith(("nasci", "nasceu")):
            continue
        if match.start() <= last < match.end() or _CLAUSE.match(marked, match.end()) or _is_verb_at(flat, match.end()):
            stops.append(match.span())
    stops.sort()
    kept: list[tuple[int, int]] = []
    for stop in stops:
        if not kept or stop[0] >= kept[-1][1]:
            kept.append(stop)
    return kept


def speaks_of_self(flat: str, at: int) -> bool:
    """Whether a clause has the speaker for its subject, by the first verb in it."""
    return bool(_SELF_AT.match(flat, at)) or _is_verb_at(flat, at)


_SELF_AT = re.compile(rf"{_SMALL}(?:{_FIRST}|eu|nos|a\sgente)(?![a-z-])")


def _is_verb_at(flat: str, at: int) -> bool:
    """Whether what follows begins with a verb in the first person, by its dictionary form."""
    match = _WORD_AT.match(flat, at)
    if match is None or not match["word"].endswith(("o", "ei")) or match["word"] in _NOUNS:
        return False
    base = lemma(match["word"], "pt")
    return base != match["word"] and base.endswith(("ar", "er", "ir"))


_NOUNS = frozenset(["jogo", "treino", "medo", "queijo", "vinho", "livro", "gato", "trabalho", "estudo", "canto", "uso"])

BREAKS = _MUST_BREAK

_CONDITIONAL = (
    r"(?:teria|seria|moraria|gostaria|faria|iria|poderia|deveria|compraria|viajaria|comeria|"
    r"largaria|trabalharia|viveria|estaria|"
    r"daria|ficaria|haveria|adoraria|amaria|mudaria|casaria|tomaria|usaria|(?<!quem\s)diria|"
    r"preferiria|aceitaria|pediria|saberia|voltaria|"
    r"abriria|escolheria|gastaria|ajudaria|tentaria)(?:m|mos)?"
)
UNREAL = re.compile(
    rf"\?|(?<![a-z])(?:ia\s(?:morar|ter|ser|comprar|viajar|mudar|largar|trabalhar|viver)(?![a-z])|"
    rf"^\W*(?:(?:e|mas|ou|ate|mesmo|como|so|ai|que)\s)?(?:se|caso)\s(?!cham|mudou|form|aposent|"
    rf"separ|cas[oa]u|machuc|foi\b|torn|div|trat)|"
    rf"(?<![a-z])se\s(?:eu|a\sgente|el[ea]|voce|vc|der|for|tiver|quiser|puder|fosse|tivesse|desse|"
    rf"pudesse|precisar)(?![a-z])|"
    rf"(?<![a-z]){_CONDITIONAL}(?![a-z])|"
    r"(?<![a-z])(?:fosse|tivesse|pudesse|morasse|ganhasse|trabalhasse|quisesse|soubesse|estivesse|"
    r"houvesse|fizesse)(?![a-z])|"
    r"(?<![a-z])(?:queria|qria)\s(?:muito\s|tanto\s)?(?:ter|ser|poder|morar|saber|estar|que|um|uma|"
    r"ir|tanto)(?![a-z])|bem\sque\seu|"
    r"(?<![a-z])(?:talvez|quem\ssabe|acho\sque\s(?:eu\s)?(?:sou|to|estou|tenho|vou|gosto)|"
    r"parece\sque|pelo\svisto|suspeit\w+|desconfi\w+|"
    r"nao\ssei\sse|nao\ssei\so|sera\sque|so\sfalta|por\s(?:um\s)?(?:pouco|triz)|"
    r"quase\s(?:(?:que|me|eu|nos|a\sgente|tambem)\s){0,2}(?!morri|dei|sei|rei)\w{1,12}(?:ei|i|ou|iu|amos|emos)|"
    r"(?:moro|vivo|mudo|trabalho|caso|volto|viro|vou)\s[^,]{2,40}\snem\s(?:mort[oa]|pagando|a\spau))(?![a-z])|"
    r"(?<![a-z])(?:disse|diz|falou|acha|achou|pensa|perguntou|jura|contou|insiste|quer|falam|acham|"
    r"dizem|pensam|achava|jurava|espera|pensou|cismou)\s"
    r"(?:que|q)\s(?:eu|sou|tenho|moro|nao\ssou|preciso|to|estou)(?![a-z])|"
    r"(?:^\W*(?:(?:e|agora|entao|ai|oi|ola|vc|voce|favor|pfv|so)[\s,]+){0,2}|(?<![a-z])(?:me|pode|favor|vc|voce)\s)"
    r"(?:faz|faca|escrev[ae]|cri[ae]|mont[ae]|gere?|da|de)\s(?:um|uma|uns|umas)\s(?!mes|"
    r"ano|tempo|semana|dia|bom|curso|tratamento|mestrado|doutorado|ta[nl]t)\w+\s(?:pra|para|de|com|"
    r"sobre|que)(?![a-z])|"
    r"^\W*(?:(?:oi|ola|por\sfavor|pfv|ei|e|entao|agora)[\s,]+){0,2}(?:me\s)?(?:ajuda|ajude|indica|"
    r"indique|sugere|sugira|recomenda|recomende|escreve|escreva|cria|crie|monta|"
    r"monte|manda|mande|explica|explique|passa\sa|passe\sa|lista|liste|calcula|calcule|traduz\w*|"
    r"conta\suma|mostra|mostre|toca\s(?:uma|a)|"
    r"pesquis[ae]|procur[ae]|compar[ae]|resum\w+|organiza|organize|planej[ae]|ger[ae]|prepar[ae]|"
    r"lembr[ae]\sde|coloca|adicion\w+)(?![a-z])|"
    r"(?<![a-z])(?:por\sexemplo|hipotetic\w+|teoricamente|em\steoria|brincad?\w+|fingi\w*)(?![a-z])|"
    r"[\"'“](?:eu\s)?(?:sou|moro|tenho|amo|gosto|trabalho|adoro|odeio|nao)\s|"
    r"(?<![a-z])(?:todo\smundo|as\spessoas|a\sgalera|qualquer\sum|quem)\s(?!(?:fala|escreve)\s(?:aqui\s)?(?:e|eh|"
    r"com)\s)(?:diz|fala|acha|tem|mora|"
    r"gosta|ama)(?![a-z]))"
)

DENIAL = re.compile(
    r"(?<![a-z])nem\s(?:mort[oa]|pagando|a\spau|ferrando|sonhando|fodendo|brincando)\s(?:que\s|eu\s|me\s){0,3}$|"
    r"(?<![a-z])(?:nao|n|naum|num|nunca|jamais|nem|tampouco|deixei\sde|sem|ninguem)\s+"
    r"(?:(?:me|se|o|a|eu|mais|muito|sou|e|ainda|tenho|to|estou|ando|tanto|bem|exatamente|"
    r"propriamente|necessariamente|"
    r"acho\sque|seja|era|foi|ser|ter|que|mto|ta|esta|fui|tinha|vou|de)\s+){0,3}$"
)
