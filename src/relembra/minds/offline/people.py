"""Words about people, in flat form: common first names, kinship and other ties, titles, and capitals that are no names.

The lists were written for this package. A name need not be listed to be found where words around it say it is one.
"""

from __future__ import annotations

__all__ = ["AMBIGUOUS_NAMES", "FIRST_NAMES", "KIN_TITLES", "NOT_PEOPLE", "RELATIONS", "TITLES"]


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PORTUGUESE_NAMES = _words(
    """
    adriana adriano aline alice alana alessandra alessandro alex alexandre alexandra amanda ana andre andrea andreia
    angela antonia antonio antonella arthur artur augusto barbara beatriz benicio benjamim bento bernardo bia bianca
    breno bruna bruno caio camila carla carlos carlota carolina caroline catarina cecilia celia cesar cicero cintia
    clara claudia claudio clarice cristiane cristiano cristina daniel daniela daniele danilo davi debora denise diego
    diogo douglas duda edson eduarda eduardo elaine eliana eliane elias elisa elza emanuel emilia enzo erica erick
    esther eva evandro fabiana fabiano fabio fabricio felipe fernanda fernando flavia flavio francisca francisco
    gabi gabriel gabriela geraldo gilberto giovana giovanna gisele graca guilherme gustavo heitor helena heloisa
    henrique hugo iara igor ines ingrid irene isabel isabela isadora isis israel ivan ivone jaqueline jessica joana
    joao joaquim jonas jorge jose josefa juca julia juliana juliano julio karen karina katia kelly lais lara larissa
    laura lauro leandro leila leo leonardo leticia lia lidia livia lorena lorenzo luan luana lucas lucia luciana
    luciano lucinda luis luisa luiz luiza luna magali maite manuel manuela marcela marcelo marcia marcio marcos marco
    maria mariana marilia marina mario marisa marlene marta mateus matheus mauricio mauro maya melissa miguel milena
    milton mirela miriam moises monica murilo nair natalia nathalia nelson neusa nicolas nicole nina noemi olga olivia
    orlando osvaldo otavio pablo patricia paula paulo pedro pietra pietro priscila rafael rafaela raimundo ramon raquel
    raul rebeca regina reginaldo renan renata renato ricardo rita roberta roberto rodrigo rogerio ronaldo rosa rosana
    rosangela ruth ruy sabrina samara samuel sandra sara sebastiao sergio silvia simone sofia solange sonia sophia
    stella suely suzana tais talita tania tatiana teresa thais theo thiago tiago tina tomas tonho valentina valeria
    vanessa vera veronica vicente victor vinicius virginia vitor vitoria viviane wagner wellington wesley william
    yasmin yuri zeca ze zelia zilda
    """
)
_ENGLISH_NAMES = _words(
    """
    aaron abby abigail adam adrian aidan alan albert alex alexander alexandra alexis alice alicia alison allison amanda
    amber amelia amy andrea andrew andy angela anna anne annie anthony ariana arthur ashley ava barbara becky ben
    benjamin bernard beth betty bob bobby brad bradley brandon brenda brian brittany bruce caleb cameron carl carla
    carlos carmen carol caroline carrie catherine charles charlie charlotte chloe chris christian christina
    christine christopher cindy claire colin connor craig crystal cynthia daisy dan daniel danielle danny dave david
    dean deborah dennis derek diana diane donald donna doris dorothy doug douglas duncan dylan ed eddie edgar edith
    edward elaine eleanor elena eli elijah elizabeth ella ellen ellie emily emma eric erica erin ethan eugene eva
    evan evelyn fiona frances fred freddie gabriel gabriella gary geoff george gerald gina gloria gordon grayson greg
    gregory gwen hannah harold harry hazel heather heidi helen henry holly howard hugh ian isaac isabel isabella jack
    jackie jackson jacob jacqueline jake james jamie jane janet janice jason jay jean jeff jeffrey jen jennifer jenny
    jeremy jerry jesse jessica jill jim jimmy joan joanna joe joel john johnny jon jonathan jordan joseph josh joshua
    joyce juan judith judy julia julian julie justin karen kate katherine kathleen kathy katie keith kelly ken kenneth
    kevin kim kimberly kristen kyle larry laura lauren leo leon leonard leslie liam lia lily linda lindsay lisa liz
    logan louis louise lucas lucia lucy luisa luke lydia lynn madison maggie marcus margaret maria marie marilyn
    martha martin marvin mary mason matt matthew megan melanie melissa mia michael michelle miguel mike mitchell
    molly monica morgan nancy naomi natalie nathan neil nicholas nick nicole nina noah nora norman oliver olivia omar
    oscar owen pamela patricia patrick paul paula peggy pete peter phil philip phillip phoebe priya rachel ralph
    randy raymond rebecca rex rhonda richard rick robert robin rodney roger ron ronald rosie ross roy russell ruth
    ryan sally sam samantha samuel sandra sara sarah scott sean sebastian seth shannon sharon sheila shirley simon
    sofia sophia sophie stacy stanley stella stephanie stephen steve steven stuart susan suzanne sylvia tara ted
    teresa terry theo theodore theresa thomas tiffany tim timothy tina todd tom tommy tony tracy travis tyler
    valerie vanessa veronica vicky victor victoria vincent violet virginia vivian walter wanda wayne wendy william
    zach zachary zoe ludwig
    """
)
FIRST_NAMES = {"pt": _PORTUGUESE_NAMES, "en": _ENGLISH_NAMES}

AMBIGUOUS_NAMES = _words(
    "will may april june august mark bill rose grace hope faith joy rich frank art drew chase dawn summer "
    "autumn jade ruby"
    " pearl iris rob pat sue ray gene miles max rosa vitoria linda clara aurora lia marco graca jordan amber crystal"
    " madison virginia victoria jackson austin dean robin holly daisy hazel violet charlotte israel duda dan mar luna"
)
"""Names that are also words or places: at the beginning of a sentence they need more than their capital."""

RELATIONS = {
    "pt": (
        "mae|pai|irma|irmao|irmaos|irmas|filha|filho|filhos|filhas|esposa|esposo|mulher|marido|namorada|namorado|noiva|noivo|"
        "avo|avos|vo|neta|neto|netos|tia|tio|tios|prima|primo|primos|sobrinha|sobrinho|sobrinhos|sogra|sogro|cunhada|cunhado|"
        "genro|nora|madrasta|padrasto|enteada|enteado|afilhada|afilhado|madrinha|padrinho|amiga|amigo|amigos|amigas|chefe|"
        "colega|colegas|vizinha|vizinho|socia|socio|patroa|patrao|professora|professor|medica|medico|dentista|terapeuta|"
        "psicologa|psicologo|treinador|treinadora|companheira|companheiro|parceira|parceiro|ex|bebe|gemeos|cachorro|cachorra|"
        "cao|cadela|gato|gata|cavalo|passarinho|papagaio|coelho|hamster|peixe|gatinho|gatinha|cachorrinho|cachorrinha|baba"
    ),
    "en": (
        "mother|mom|mum|mama|father|dad|daddy|sister|brother|sisters|brothers|siblings|daughter|son|daughters|sons|kid|kids|"
        "children|child|baby|twins|wife|husband|girlfriend|boyfriend|fiancee|fiance|partner|spouse|grandmother|grandma|"
        "grandfather|grandpa|granddaughter|grandson|aunt|uncle|cousin|cousins|niece|nephew|mother-in-law|father-in-law|"
        "sister-in-law|brother-in-law|stepmother|stepfather|stepson|stepdaughter|godmother|godfather|friend|friends|bestie|"
        "boss|manager|colleague|coworker|co-worker|neighbor|neighbour|roommate|flatmate|teacher|doctor|dentist|therapist|coach|"
        "trainer|mentor|ex|ex-wife|ex-husband|buddy|landlord|dog|cat|puppy|kitten|horse|parrot|rabbit|hamster|bird|pet"
    ),
}

TITLES = {
    "pt": r"dra?\.?|sra?\.?|srta\.?|dona|seu|senhora?|profa?\.?|professora?|doutora?|padre|madre|frei|pastora?|"
    r"delegad[oa]|capitao",
    "en": r"dr\.?|mrs?\.?|ms\.?|miss|prof\.?|professor|doctor|coach|father|sister|reverend|rev\.?|pastor|"
    r"captain|officer|judge|sir|lady",
}
KIN_TITLES = {
    "pt": {"tia": "tia", "tio": "tio", "vovo": "avó", "vo": "avó", "primo": "primo", "prima": "prima"},
    "en": {
        "aunt": "aunt",
        "auntie": "aunt",
        "uncle": "uncle",
        "grandma": "grandma",
        "grandpa": "grandpa",
        "cousin": "cousin",
    },
}

NOT_PEOPLE = _words(
    """
    brasil portugal lisboa porto recife natal salvador curitiba brasilia fortaleza manaus belem santos campinas paris
    londres roma madrid europa africa asia america deus jesus google facebook instagram whatsapp netflix amazon apple
    microsoft petrobras uber nubank titanic fusca corinthians flamengo palmeiras vasco gremio internacional youtube
    london boston chicago texas california florida england france germany italy spain india china japan canada mexico
    australia tesla ford toyota starbucks walmart target christmas easter halloween thanksgiving god english french
    spanish german portuguese italian monday tuesday wednesday thursday friday saturday sunday january february march
    april may june july august september october november december segunda terca quarta quinta sexta sabado domingo
    janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro tv ok pascoa carnaval
    ingles frances espanhol alemao italiano python java linux windows iphone android covid netflix spotify disney
    uefa fifa nasa usp ufrj enem sus inss ibge new york san francisco angeles los las vegas sao rio
    """
)
