"""The patterns a clause's beginning is read with: lead words, subjects, helping verbs, questions, requests."""

from __future__ import annotations

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.english.words import BARE_KIN, MANY, TIE

__all__ = [
    "AFTER_NAME",
    "APPOSED",
    "BESIDE",
    "CALLED",
    "COLLEAGUE",
    "EXCLAIMED",
    "HE",
    "HELP",
    "KIN_TITLE",
    "LEAD",
    "MENTION",
    "OWN",
    "PERSONAL",
    "QUESTION",
    "REQUEST",
    "SHE",
    "SUBJECT",
    "SUBJECTLESS",
    "VERB_S",
    "WHEN",
]

LEAD = re.compile(
    r"[\s,.:;!*>~\-\"'(\[]*(?:(?:and|but|so|also|plus|well|ok|okay|oh|ooh|hey|hi|hello"
    r"|hiya|yo|yeah|yea|yes|yep|yup|nope"
    r"|nah|no(?=,)|btw|by the way|fyi|actually|honestly|tbh|to be honest|ngl|lol|haha+|anyway|anyways|basically|jsyk"
    r"|just so you know|so you know|for context|for the record|for reference|context|background|fun fact|random fact"
    r"|update|correction|quick update|small update|life update|good news|bad news|great news|big news|guess what"
    r"|(?:it )?turns out(?: that)?|i think|i guess|i mean|i meant(?: to say| that)?|i suppose|i believe(?! in)"
    r"|i know(?= (?:i|my|that)\b)(?! my way)|i reckon|u know|you know"
    r"|i should (?:mention|say|add)(?: that)?|i forgot to (?:mention|say|tell you|tell"
    r" u)(?: that)?|did i mention(?: that)?"
    r"|i need to (?:mention|tell you)(?: that)?|i must (?:admit|confess)|i have to (?:admit|say|confess)|i gotta say"
    r"|i'll be honest|i will say|i wanted to (?:mention|tell you)(?: that)?|i'd like you to know(?: that)?"
    r"|have i (?:mentioned|told you)(?: that)?|just (?:to let you know|letting you"
    r" know)(?: that)?|heads up|heads-up|note"
    r"|sorry|sry|right|look|listen|see|man|dude|bro|mate|ugh|oof|omg|wow|yay|woohoo|welp|sigh|phew|aw|aww"
    r"|in fact|personally|the thing is|thing is|the truth is|truth is|because|cause"
    r"|cuz|coz|'cause|bc|since|as(?= (?:i|we|my|you|he|she|they|our)\b)"
    r"|now that|given that|given|considering(?: that)?|seeing as|seeing that|though|although|even though|even tho|while"
    r"|except(?: that)?|remember(?: that)?|don't forget(?: that)?|dont forget(?: that)?|keep in mind(?: that)?"
    r"|bear in mind(?: that)?|please (?:note|remember)(?: that)?|pls remember(?: that)?"
    r"|remind yourself that|it's just that"
    r"|not sure (?:if|whether) i (?:told|mentioned)(?: you| u)?(?: that)?(?: but)?|idk if i told you(?: but)?"
    r"|(?:as )?(?:you|u) (?:should|might|may) know(?: that)?|unfortunately|sadly|luckily"
    r"|thankfully|fortunately|happily|weirdly"
    r"|apparently|oddly|funnily enough|believe it or not|surprisingly|obviously|clearly|of course|ofc|sure|frankly"
    r"|for (?:some|whatever) reason|as a (?:result|kid|rule|matter of fact)|at home"
    r"|at work|in general|in my (?:free|spare) time"
    r"|also|plus|additionally|besides|moreover|finally|first(?=,)|firstly|second(?=,)|secondly|lastly|then|p\.?s\.?"
    r")(?=[\s,:.!;-]|$)[\s,:.!;\-]*)*"
)


WHEN = re.compile(
    r"(?:(?:(?P<now>now|nowadays|these days|as of (?:today|now|yesterday|this \w+|last"
    r" \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\w+ \d{1,2})|at the moment|right now|currently"
    r"|lately|recently|from now on|at present)"
    r"|today|yesterday|tonight|this (?:morning|week|month|year|afternoon|evening|weekend"
    r"|summer|spring|winter|fall|autumn)"
    r"|last (?:night|week|month|year|weekend|summer|spring|winter|fall|autumn|january"
    r"|february|march|april|may|june|july"
    r"|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:on |every |this |last |each )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?"
    r"|(?:way )?(?:back )?in (?:\d{4}|january|february|march|april|may|june|july|august|september"
    r"|october|november|december)(?: \d{4})?"
    r"|(?:about |almost |over )?(?:\d{1,2}|a|two|three|four|five|six|a few|a couple"
    r" of|several) (?:days?|weeks?|months?|years?|yrs?) ago"
    r"|since (?:\d{4}|last \w+|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:every|each) (?:morning|day|night|week|weekend|month|year|evening|summer|winter)|(?:at|on) weekends"
    r"|most (?:days|nights|mornings|weekends|evenings)|for (?:my|the) \d{2}(?:th|st|nd|rd)(?: birthday)?"
    r"|after (?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|many|a few) (?:long"
    r" )?(?:years?|months?|weeks?)(?: of (?:\w+ ){1,3}?)?"
    r"|for (?:the (?:last|past) )?(?:\d{1,2}|two|three|four|five|six|ten|a few) (?:years|months|weeks)(?: now)?"
    r"|by (?:next |the end of |this |then )?(?:the )?(?:summer|winter|spring|autumn|fall|year|christmas|\d{4}|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|new year)"
    r"|in (?:a|my) (?:past|former|previous) life|one day|someday|some day|eventually"
    r"|(?:before|after|until|when) (?:i|we) \w+(?: \w+){0,3}?(?=,? (?:i|we) (?:was|were|worked|lived|used|had|did)\b)"
    r"|(?:before|after|since) (?:the|my|that|this|college|uni|covid|our)(?: \w+){1,2}(?=,? (?:i|we|my)\b)"
    r"|normally|usually|generally|typically|sometimes|often)(?=[\s,])[\s,]*)*"
)


_ADJ = (
    r"(?:(?:two|three|four|five|six|\d|wee|older|younger|elder|eldest|oldest|youngest|middle|kid|little|lil|big|baby|deaf|blind|autistic|diabetic"
    r"|late|best|good|close|closest|dear|dearest|old"
    r"|new|ex|former|twin|only|first|second|third|lovely|beloved|amazing|wonderful"
    r"|sweet|poor|crazy|dear|great|paternal|maternal"
    r"|childhood|college|school|high school|uni|work|own|other|soon-to-be|future|adopted"
    r"|teenage|rescue|adult|grown|long-?time"
    r"|oldest|favou?rite|gorgeous|brilliant|mad|silly|tiny|chubby|fat|elderly|direct"
    r"|current|previous|foster|unborn|black|white"
    r"|ginger|golden|german|border|french|english|miniature|mini|jack russell|cocker|yorkshire|siberian|maine"
    r"|\d{1,2}[- ](?:year|yr|month|week)s?[- ]olds?|\d{1,2}yo)[\s-]+){0,3}"
)


_FROM = (
    r"(?:\s(?:from|at|in)\s(?:work|school|college|uni|university|church|the office|the gym|high school|accounts|hr))?"
)


_MINE = rf"(?:both (?:of )?|all (?:of )?|(?:one|two|three) of )?(?:my|our|mine and \w+'s)\s+{_ADJ}"


SUBJECT = re.compile(
    r"(?P<i>(?:me (?:and|n|&) (?:my )?[a-z]{2,15}(?=\s(?:are|were|got|have|just|finally|moved|bought|adopted|split|broke)\b)|guess who(?=\s(?:just|finally|got|has|passed|paid|made|won|finished|hit|ran)\b)|(?:me and my|my) (?P<plus>[a-z -]{2,30}?) and (?:i|me)|(?:[a-z]{2,15})"
    r" and i|i|we|we both|both of us)(?=[\s'’]|$)"
    r"|(?:im|iam|ive)(?=\s))"
    rf"|(?P<mine>{_MINE}(?P<tie>{TIE})(?!\s(?:appointment|appt|visit|bill|session|note"
    rf"|meeting|interview|stuff|food|school)s?\b){_FROM})(?P<more>(?:'s|s')\s+{_ADJ}(?P<tie2>{TIE})"
    rf")?(?=[\s',:]|$)"
    r"|(?P<kid>(?:my|our)\s+(?:\w+ )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen)[- ]?(?:(?:year|yr)s?[- ]?old|yo))(?=[\s',]|$)"
    rf"|(?P<many>(?:{_MINE}|the (?=girls|boys|kids|twins|dogs|cats|in-laws))(?P<ties>{MANY}))(?=[\s',]|$)"
    rf"|(?P<bare>{BARE_KIN})(?=[\s',]|$)"
    rf"|(?P<theirs>(?:his|her|their|its)\s+{_ADJ}(?P<tie3>{TIE}))(?=[\s',]|$)"
    r"|(?P<pro>he|she|they|hes|shes|theyre|it|its|who|that one)(?=[\s'’]|$)"
    rf"|(?P<topic>(?:my|our)\s+)(?!{_ADJ}(?:{TIE}|{MANY})\b)"
    r"|(?P<their>(?:his|her|their|its)\s+)"
)


APPOSED = re.compile(r"(?:,\s|\s\(|\s)(?:(?:named|called|who is called|whose name is)\s)?")


OWN = re.compile(r"(?:'s|s')\s+")


AFTER_NAME = re.compile(
    r"(?:'s|s)?\s*(?:,\s|\s)?(?:\(?\d{1,3}\)?,?\s|who\s|,\s)?(?:is|was|has|had|lives?"
    r"|works?|loves?|likes?|hates?|goes|got|can't|cant|can|"
    r"doesn't|doesnt|isn't|just|moved|died|passed|turned|turns|started|wants?|plays?"
    r"|speaks?|teaches|studies|runs|takes|and|who|will"
    r"|used|has|never|always|also|still|recently|gave|quit|left|retired|graduated|suffers"
    r"|had|broke|owns?|drives?|weighs|prefers?"
    r"|enjoys?|adores|became|bought|sold|married|'s|s\b|born|finally|really|now|needs"
    r"|comes|grew|collects|bakes|cooks|swims|studied"
    r"|eats|drinks|smokes|sleeps|wakes|gets|follows|supports|celebrates|spends|walks"
    r"|rides|paints|writes|sings|snores|barks)(?![a-z])"
)


_ADVERB = (
    r"(?:really|also|always|usually|often|sometimes|still|just|now|finally|recently"
    r"|currently|actually|absolutely|totally|truly"
    r"|literally|genuinely|honestly|only|even|both|all|already|officially|mostly|mainly"
    r"|kinda|kind of|sort of|sorta|lowkey|highkey"
    r"|so|very|quite|pretty|super|definitely|probably|basically|generally|normally"
    r"|typically|rarely|seldom|hardly|barely|newly"
    r"|originally|legit|deeply|fucking|freaking|bloody|secretly|simply|especially|particularly"
    r"|technically|proudly|happily"
    r"|personally|sadly|apparently|either|ever|well|once|again|then|since|suddenly"
    r"|slowly|gradually|obviously|clearly|unfortunately"
    r"|fully|severely|mildly|badly|terribly|deathly|highly|completely|extremely|incredibly"
    r"|pathologically|physically|naturally|(?!early|daily|weekly|monthly|nightly|family"
    r"|lonely|silly|ugly|lovely|elderly|friendly|july|reply|apply|supply|rely|italy"
    r"|bully|jelly|belly|curly|chilly|likely|unlikely|costly)[a-z]{4,14}ly)"
)


HELP = re.compile(
    rf"(?P<adv>{_ADVERB})(?=[\s,]|$)"
    r"|(?P<ended>(?:don'?t|doesn'?t|do not|does not|can'?t|am not|is not|isn'?t|are"
    r" not|aren'?t|'m not|m not|not|ain'?t)(?=.{1,90}\b(?:any ?more|any longer)\b)"
    r"|no longer|not any longer)(?=\s)"
    r"|(?P<used>used to|use to)(?: (?P<usedbe>be))?(?=\s)"
    r"|(?P<neg>don'?t|doesn'?t|didn'?t|do not|does not|did not|isn'?t|aren'?t|wasn'?t"
    r"|weren'?t|haven'?t|hasn'?t|hadn'?t|ain'?t|not"
    r"|never|cannot|won'?t)(?=\s)"
    r"|(?P<thought>would|could|might|may|should|must|'d|d|wouldn'?t|shouldn'?t|would'?ve|could'?ve)(?=\s)"
    r"|(?P<future>will|'ll|ll|gonna|going to|'m gonna|shall|about to)(?: (?P<futbe>be))?(?=\s(?!th"
    r"e |a |my |see|bed|work|school|church|college|uni))"
    r"|(?P<been>(?:have|has|'ve|ve|'s|s) (?:(?:now|also|always|never|just|only|already"
    r"|not|recently|officially) )?(?P<pp>been)|been)(?=\s)"
    r"|(?P<perf>'ve|ve|(?:have|has|'s|s|had)(?!\s(?:(?:really|so|also|now|still|always"
    r"|just|very|both) )*(?:obsessed|addicted|married|divorced|retired|engaged|widowed"
    r"|separated|scared|terrified|worried|stressed|called|named|based|interested|tired"
    r"|excited|fascinated|hooked|retired|allergic|devoted|spoiled|spoilt|diagnosed"
    r"|adopted|fed|red|disabled|gifted|talented|qualified|self-employed|unemployed"
    r"|semi-retired|limited|united|obliged|supposed|expected)\b)(?=\s(?:(?:now|also"
    r"|always|never|just|only|already|not|recently|officially|finally|had|since"
    r"|actually|really|both|even|pretty much|basically) )*(?:\w{2,12}ed|got|gotten"
    r"|become|lost|taken|given|known|gone|quit|left|bought|sold|grown|broken"
    r"|done|made|met|seen|begun|begun|come|run|had to|had|won|written|read|been|cut"
    r"|put|set|spent|told|thought|found|fallen|forgotten"
    r"|gone|kept|built|taught|paid|split|spoken|worn|driven|eaten|drunk|slept)\b))(?=\s)"
    r"|(?P<am>'m|m|am|is|'s|s|are|'re|re|be)(?=\s)"
    r"|(?P<was>was|were)(?=\s)"
    r"|(?P<did>do|does|did)(?=\s(?:not|really|like|love|have|want|live|work|feel|hate"
    r"|enjoy|speak|eat|drink|need|miss|think|know|believe|take|own|play|smoke|still"
    r"|also|actually|prefer|care|get|go)\b)"
)


QUESTION = re.compile(
    r"(?:what|whats|what's|who's|whos|whose|where|wheres|when|why|how|hows|which|wdym"
    r"|any (?:idea|tips|recs?|recommendations|good|chance|advice)"
    r"|(?:is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|has"
    r"|isn'?t|aren'?t|don'?t|doesn'?t|didn'?t|can'?t|won'?t"
    r"|wouldn'?t|shouldn'?t|couldn'?t|haven'?t)\s(?:i|you|u|we|he|she|it|they|there"
    r"|this|that|these|those|my|your|the|a|an|anyone|someone|ya)\b"
    r"|had (?:i|you|u|we|he|she|it|they)\b|have you|have i|have we|who (?:is|was|are|do|did|can|should|would|has|wrote"
    r"|painted|invented|won|made|knows)\b|anyone|anybody"
    r"|wanna|want me to|would it|ever (?:been|tried|had))"
)


REQUEST = re.compile(
    r"(?:please|pls|plz|kindly|let's|lets|let me|let us|write|give|tell|show|make|create"
    r"|help|explain|suggest|recommend|find|search"
    r"|translate|correct|proofread|fix|summari[sz]e|draft|plan|list|remind|set|add"
    r"|open|book|order|send|check|compare|calculate|convert"
    r"|describe|build|generate|imagine|pretend|suppose|consider|try|use|rewrite|paraphrase"
    r"|analy[sz]e|pick|choose|rank|rate"
    r"|name (?:a|an|me|some|three|five|two)|design|come up|brainstorm|compose|edit"
    r"|shorten|expand|turn (?:this|it|that|on|off)|put"
    r"|save|store|note|record|log|forget|delete|ignore|act|you are|you're|youre|u are"
    r"|your|think of|look up|look at|google|buy me|get me"
    r"|have a (?:nice|good|great|look|go)|thanks|thank|good luck|happy birthday|congrats"
    r"|imagine|say |be |wait|stop|(?:don't|dont|do not) (?:forget|worry|use|call|tell"
    r"|ask|be|give|send|write|say|make|let|assume|add|include|hold|suggest|mention"
    r"|repeat|change|go|start|do|show|explain|judge|laugh|bother)|never mind"
    r"|nevermind|go |come |take a|keep|talk|speak to|answer|reply|respond|call me|shout"
    r"|sing|read (?:me|this|the)|play (?:me|some|a|the|that|my))(?:\b|(?<=\s))"
)


VERB_S = frozenset(
    listed(
        "lives works loves likes hates has is speaks plays studies teaches runs owns drives"
        " takes goes wants needs suffers"
        " weighs enjoys prefers eats drinks smokes wakes sleeps adores celebrates turns"
        " collects feels looks sounds makes gets"
        " says means seems keeps comes does gives starts ends"
    )
)


SUBJECTLESS = re.compile(
    r"(?:the|a|an|this|that|these|those|there|it's|its|it|you|u|your|some|every|each"
    r"|all|people|everyone|everybody|someone|most|many"
    r"|nobody|no one|one|his|her|their|they|he|she)\b"
)


BESIDE = re.compile(
    rf",\s(?:my|our)\s+{_ADJ}(?:(?P<tie>{TIE}){_FROM}|(?P<kid>[a-z0-9]+[- ](?:year|yr)s?[- ]old)),?(?=\s|$)"
)


_UNITS = (
    r"(?:accounts|accounting|hr|it|finance|marketing|sales|legal|payroll|logistics|procurement|operations|ops|engineering"
    r"|support|admin|dispatch|reception|compliance|the office|work|my office|my team|my work|the warehouse|customer"
    r" (?:service|support|care)|facilities|purchasing|the lab|the ward|my department)"
)
COLLEAGUE = re.compile(
    rf"(?<![a-z])(?P<n>[a-z][\w'’-]+),? (?:(?:from|over in|up in|down in|in|at) {_UNITS}|(?:from |at |on )?(?:the )?next desk"
    r"(?: over)?)(?![a-z-])(?! (?:at|from) )"
)
"""A person told by the part of the company they sit in."""
KIN_TITLE = re.compile(
    r"(?:(?<=^)|(?<=[.,;!?:] )|(?<=and )|(?<=but )|(?<=for )|(?<=to )|(?<=with ))(?P<tie>cousin|auntie|aunty|aunt|uncle|nephew|niece|nan|nana|grandma|grandpa"
    r"|grandad|granny|gran) (?=[a-z])(?!ben'?s|jemima|sam\b|fester|vernon)"
)
"""A tie used as a title; whether a name follows is for the reader of it to see."""
MENTION = re.compile(
    rf"(?<![a-z])(?:my|our|an?)\s+(?:(?!my\b|our\b)[\w-]+\s){{0,3}}?(?P<tie>{TIE})(?P<own>'s)?(?![a-z-])(?:,?\s(?"
    rf":(?:named|called|who is called|whose name is|is called|name is)\s)?)?"
)


CALLED = re.compile(r"(?:(?:'s|s)? name(?:'s| is)|'s called|'s named| is(?: called| named)?),? ")


EXCLAIMED = re.compile(
    r"\W*(?:okay |ok |so |and |but |now |wait |omg )*(?:now )?i(?:'ve|'m)? (?:just"
    r" |actually |absolutely |finally |got |totally )*(?:love|got|hate|passed|won|moved)\b"
)


SHE = re.compile(
    r"(?:.*\b|step|grand|god|ex-|great-)?(?:mother|mom|mum|mam|mama|mommy|mummy|momma"
    r"|sister|sis|daughter|wife|girlfriend|gf|fiancee"
    r"|grandmother|grandma|gran|granny|nan|nana|aunt|auntie|aunty|niece|missus|landlady|mil)(?:-in-law| in law)?"
)


HE = re.compile(
    r"(?:.*\b|step|grand|god|ex-|great-)?(?:father|dad|daddy|papa|pop|brother|bro|son"
    r"|husband|hubby|hubs|boyfriend|bf|fiance|grandfather"
    r"|grandpa|grandad|granddad|gramps|uncle|nephew|landlord|fil)(?:-in-law| in law)?"
)


PERSONAL = re.compile(
    rf"(?:'s| is| was) (?:my|our) {_ADJ}{TIE}(?![a-z])|(?:'s| is) (?:getting (?:divorced"
    rf"|married)|pregnant|allergic to)| (?:died|passed away)(?: (?:on|in|last|this|yesterday)"
    rf"|$|[.,!])"
    r"|'s (?:birthday|bday|wedding|funeral|\d0th)\b| (?:resigned|snores|barks)\b| (?:loves|hates|adores|loathes) (?!the way|that|when)"
    r"| (?:goes|went) (?:crazy|mad|nuts) for | won'?t (?:touch|eat) | needs (?:insulin|glasses|surgery|\w+ \w+ a day)"
    r"| has (?:asthma|diabetes|autism|adhd|eczema|\w+ (?:(?:on )?\w+days))\b| just (?:turned|had (?:a|twins|her|his))\b"
    r"| (?:lives|lived) in | works (?:at|for|as) | was born | turned \d| got (?:engaged"
    r"|married|divorced|fired|promoted)\b"
)
