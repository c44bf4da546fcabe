"""What is nobody's claim in English: fiction, quotations, text to work on, conditions, wishes, words of strangers."""

from __future__ import annotations

from relembra.minds.offline.judges.rules import rule_of
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.english.mouths import own_until
from relembra.minds.offline.reader.english.words import TIE

__all__ = ["BREAKS", "DENIAL", "UNREAL", "foreign", "skipped"]

_SILENT = frozenset(
    [
        "blank",
        "no words",
        "told to the memory",
        "text to work on",
        "advertisement",
        "code or log",
        "pleasantries",
        "a bare link",
    ]
)
_STAGED = re.compile(
    r"\b(?:role ?-?play\w*|fan ?fic\w*|in character|once upon a time|for my (?:novel"
    r"|story|book|screenplay|script|d&d|dnd|campaign)"
    r"|(?:my|the|main|a) (?:character|protagonist|oc|narrator|villain|hero|heroine)s?\b(?! (?:development|limit))"
    r"|(?<!my )(?<!graphic )(?<!my first )(?<!my debut )(?<!writing a )(?:novel|screenplay|short story|poem|story|monologue|dialogue|script|scene|song"
    r"|lyrics|limerick|haiku)\s?(?:about|where|in which|:)"
    r"|(?:(?<=^)|(?<=[.!?:,] )|(?<=^so )|(?<=^ok )|(?<=^now )|(?<=please ))(?:pretend"
    r"|imagine|suppose|assume|let's say|lets say|say) (?:that |you |i |we |i'm |im"
    r" |you're )|let's say i\b|lets say i\b"
    r"|hypothetical\w*|for (?:the sake of|argument's)|act (?:as|like) (?:if|a|an|though)"
    r"|you are now|you're now|playing the part"
    r"|(?:(?<=^)|(?<=[.!?:,] )|(?<=please )|(?<=you )|(?<=me ))translate\b|translate"
    r" (?:this|into|to|it|that|from|the following)|translation (?:of|into|for this)"
    r"|(?<!'m )(?<!im )(?<! am )(?<! are )(?<!'re )(?<! is )(?<!been )(?<!really )(?<! so )(?<!super )(?<!very )(?<!heavily )(?<!got )"
    r"(?<!get )(?<!getting )into (?:[a-z]+ )?(?:german|french|spanish|italian|portuguese|polish|turkish|japanese|chinese"
    r"|mandarin|dutch|english|hindi|arabic|urdu|bengali|tamil|latin|greek|korean|russian|swedish|welsh|irish|punjabi"
    r"|vietnamese|thai|hebrew|ukrainian|tagalog)\b|en ingles|proofread\w*|paraphrase"
    r"|summari[sz]e|(?:correct|fix|check|improve|rewrite|rephrase|edit) (?:this|the"
    r" following|my (?:sentence|text|grammar|email|essay|paragraph|letter|cv|cover))"
    r"|how (?:do|would|to|can) (?:you |i |u |one )?(?:say|write|spell|translate)|what"
    r" does .{1,80} mean|the sentence|this sentence|example sentence|as an example"
    r"|for example:"
    r"|(?:sample|dummy|fake|made-up|mock|test) (?:data|text|profile|user|bio|example|persona|customer|answer|sentence)"
    r"|lyrics?|the (?:chorus|lyric)|(?:song|line|quote|poem) (?:that )?(?:goes|says"
    r"|says|from)|as the (?:song|saying|poet)|ignore (?:all |any |the )?(?:previous"
    r"|prior|your)"
    r"|(?:let's|lets) play (?:a game|pretend|a scene)|test,? test\b|in (?:the sims"
    r"|minecraft|skyrim|stardew(?: valley)?|animal crossing|gta|roblox|fallout|elden"
    r" ring|zelda)\b|(?:just )?testing(?=[:,])|mic check|(?:imaginary|fictional|made-up"
    r"|fictitious) \w+|chapter (?:one|two|three|\d+)|click (?:bit|the link|here|on)"
    r"|system prompt|(?:reads?|says|said|wrote|writes|goes|posted|tweeted|titled|captioned)\s?[:,]"
    r"\s?[\"'“‘]"
    r"|in (?:this|our|my|the|a) (?:dnd|d&d|larp|rp|improv|skit|campaign|role ?play|sketch)|in (?:this|our) (?:game|story"
    r"|scene|play)|(?:do|run|have|stage) an? (?:mock|fake|pretend|practi[cs]e) \w+|mock (?:trial|interview|debate|court)"
    r"|let'?s play\s?(?=[:,])|overheard|tl;? ?dr (?:this|that|of|for|please)|first[- ]person|in the voice of|from the"
    r" (?:perspective|point of view|pov) of|(?:diary|journal) entry|make up an?|you'?re (?:the|a) (?:suspect|judge|villain"
    r"|wizard|dragon|king|queen|detective|cop|innkeeper|interviewer|patient|customer)|(?:earn|make) (?:up to )?[$£€]\d[\d,]*"
    r" (?:a|per) (?:day|week|hour)\b.*(?:ask me how|dm me|www|http|click|link|sign up)"
    r"|(?:continue|finish|start|tell|write) (?:me )?(?:the|this|my|a) (?:\w+ )?(?:story|tale|scene|chapter)|knock knock|\[?forwarded\]?|fwd?:|subject line|dear (?:sir|hiring|mr|ms|customer|team|all)|\bdear \w+,\n|best regards|kind regards|sincerely yours"
    r"|(?:flash ?card|quiz|exam|test|homework|exercise|worksheet|textbook) (?:question|says|asks|sentence|prompt)s?"
    r"|customer (?:says|wrote|review)|(?:the|a) (?:reddit|forum) (?:post|thread|user))\b"
)
_INSTRUCTED = re.compile(
    r"\b(?:remember|note|save|store|record|log|know|memori[sz]e|write down|add|keep"
    r"|update your memory|from now on|going forward|henceforth)\b.{0,60}"
    r"\b(?:admin\w*|root|superuser|developer (?:mode|access)|authori[sz]\w+|approv\w+"
    r"|discounts?|refunds?|permission\w*|clearance|unlimited|premium (?:user|member)"
    r"|password|credentials?|policy|no (?:rules|limits|restrictions)|system|always"
    r" (?:right|allowed)|obey|full access|vip)\b"
    r"|\bi(?:'m| am|m) (?:an? |the |your |now )?(?:\w+ )?(?:admin(?:istrator)?|root"
    r"|superuser|developer of (?:you|this)|creator of (?:you|this)|authori[sz]ed \w+)\b"
    r"|\b(?:all|every|any) (?:users?|customers?|employees?|requests?|orders?) (?:are"
    r"|is|get|gets|should|must|have|has)\b"
    r"|\b(?:delete|erase|wipe|forget|clear) (?:everything|all|what|my (?:data|memor\w+|info\w*)|the memor\w+)\b"
)
_SUSPECT = re.compile(
    r"[{}<>=$\\_@#]|://|www\.|\b(?:ignor\w+|disregard|forget|memor\w+|system|admin"
    r"|sav\w+|stor\w+|record\w*|log\w*|not(?:e|es)|translat\w+|correct|proofread|fix"
    r"|rewrit\w+|summari\w+|writ\w+"
    r"|creat\w+|pretend|role|act|click\w*|off|free|won|buy|shop|order|delete|clear"
    r"|wipe|import|def|select|insert|update|error|function|const|print|docker|sudo"
    r"|git|traceback|know about me|remember|code|spots|paraphras\w+"
    r"|imagine|analy\w+|make up|tell me|you are now|limited|erase|reset|commit|add"
    r"|put|from now on|going forward|what do you)\b|^\W*\w*\W*$|^\W*(?:\w+\W+){0,7}\w*\W*$"
)
_SPEAKERS = re.compile(
    r"^\s*(?:\[?[A-Z][\w ]{0,20}\]?|[ABQ]|person \w|user|customer|agent|interviewer)\s?:\s", re.MULTILINE
)
_TURNS = re.compile(
    r"\b(?:interviewer|candidate|customer|agent|patient|doctor|user|assistant|person"
    r" [ab]|speaker \d)\s?:\s"
)
_STARRED = re.compile(r"(?:^|\s)\*[^*\n]{4,}\*(?=\s|$)|♪|^\s*[-—]\s*[\"“]", re.MULTILINE)


_OWN_WORDS = re.compile(r"(?:[a-z']+\W+){3}")
"""What a message must say before other people's words for anything in it to be its speaker's."""


def foreign(raw: str, flat: str) -> bool:
    """Whether nothing in a message is the speaker's own claim."""
    if _STAGED.search(flat) or _INSTRUCTED.search(flat) or _STARRED.search(raw):
        return True
    if _IRONY.search(flat):
        return True
    if len(_SPEAKERS.findall(raw)) >= 2 or len(_TURNS.findall(flat)) >= 2:
        return True
    own = own_until(raw, flat)
    if own < len(flat) and not _OWN_WORDS.search(flat, 0, own):
        return True
    if not _SUSPECT.search(flat):
        return False
    ruling = rule_of(raw)
    return ruling is not None and ruling.name in _SILENT


_HEARSAY = re.compile(
    r"\b(?:i (?:read|heard|saw)(?: (?:somewhere|online|today|that|a|an|on(?! an?\b| my\b)|in|about))"
    r"|(?:saw|read|heard) (?:on|in|that|a|an) (?:the )?\w+|according to(?! (?:my|the|our) (?:doctor|doc|gp|dieti[ct]ian|nurse|tests?|scan|consultant|specialist|scales?"
    r"|allergist|vet|(?:donor )?card|chart|label|records?|fitbit|watch)\b)|the news|"
    r"(?<!my )(?<!my first )(?<!graphic )(?:the |this |an? )?(?:article|headline|newspaper|documentary|podcast|movie|film"
    r"|book|novel|show|series|tv|episode|study|studies|tweet|post|ad|advert) (?:i \w+"
    r" )?(?:said|says|about|where|claims|shows|is about|that)"
    r"|in (?:the|this|that|a) (?:movie|film|book|novel|show|series|episode|documentary"
    r"|news|story|anime|manga|soap)\b|on the (?:news|telly|show)"
    r"|some (?:guy|woman|man|lady|girl|dude|bloke|person|stranger|kid)|(?:^|[,;] |\b(?:and"
    r"|but|that|because|so|saw|heard|met|apparently|think) )(?:a|this|that|the) (?:guy"
    r"|woman|man|lady|dude|bloke|person|stranger|kid|actor|actress|singer|celebrity"
    r"|player|politician|president|customer|candidate|applicant|passenger|driver|cashier"
    r"|barista|mayor|minister|king|queen)\b(?:[^,;.]{0,40}?)\s(?:said|says|told|is"
    r"|was|has|had|lives|works|claims|got|won|moved|who|whose|thinks|keeps|wrote|posted"
    r"|just)\b"
    r"|(?<!stand )(?<!hate )(?<!abide )(?<!love )(?<!like )(?<!dislike )(?<!prefer"
    r" )(?:people|those|anyone) who|(?<!as )someone who|friend of a friend|(?:neighbou?r|friend"
    r"|cousin|sister|brother|colleague|coworker|mum|mom|dad)'s (?:neighbou?r|friend"
    r"|cousin|boss|colleague|coworker|uncle|aunt)(?:'s \w+)? (?:said|says|told|claims"
    r"|lives|works|is|has|thinks|swears)"
    r"|(?:my|the|our) (?:feed|timeline|paper|papers|radio|telly|internet|app) (?:says|said|claims|reckons)|rumou?r has it|they say|legend has it|studies show|scientists|researchers)\b"
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\b|\b(?:yeah right|as if|said no one ever|sarcasm|just kidding|jk|j/k"
    r"|kidding|not really lol|in my dreams|ha i wish|i wish)\b"
    r"|\boh (?:sure|yeah|yes|great|joy|yay),? (?:because|cause|i (?:just |totally "
    r"|absolutely )?(?:love|adore|live)|love)"
    r"|\b(?:sure|yeah|totally),? (?:and )?(?:i'm|im) (?:the )?(?:queen|king|pope|batman"
    r"|president|beyonce|santa|a unicorn|an astronaut)"
    r"|\bi(?:'m| am|m) (?:the queen|the king|the pope|batman|superman|spider-?man|the"
    r" president|santa|god|literally dying|literally (?:a|the)|a (?:potato|zombie|mess"
    r"|genius|walking|ghost|vampire|disaster|queen|king|monster|god|unicorn|wreck|sucker"
    r"|snob))"
    r"|\bjust (?:what i (?:needed|wanted)|love(?:ly)? (?:when|it when|how|being))|\bi"
    r" (?:just |absolutely |totally )?love (?:it when|when|how|being stuck|waiting"
    r"|sitting in traffic|standing in)"
    r"|\bdream job\b.{0,30}\bsure\b|🙄|🙃"
    r"|\bi(?:'m| am|m) (?:clearly|obviously|apparently|totally) (?:an? |the )"
    r"|\boh (?:yes|yeah|sure|totally|absolutely),? i(?:'m|m| am|'ve| have)\b.*\b(?:obviously|clearly|totally|of course)\b"
)
_IRONY = re.compile(
    r"^\W*(?:oh |well |just |how )?(?:fantastic|brilliant|wonderful|marvell?ous|perfect|great|lovely|splendid|super|awesome)"
    r"[.!,].*\b(?:died|broke|broken|crashed|late|cancell?ed|stuck|lost|failed|delayed|flat tyre|again)\b.*\blove\b"
    r"|\bme,? \w+\? (?:never|no|nah|of course not)\b"
)
"""Praise for what went wrong: nothing in such a message is meant."""
_CELEBRITY = re.compile(
    r"\W*(?:[Yy]es|[Yy]eah|[Ss]ure|[Rr]ight|[Oo]k)\b,? and [Ii]'?m (?:the )?[A-Z][a-z]+ [A-Z][a-z]+\W*$"
)
_ELSEWHERE = re.compile(
    r"^\W*(?:q|question|example|e\.g|eg|quote|prompt|title|caption|headline|joke|riddle|user|customer|assistant|human|system|interviewer|hiring|breaking|news)\s?:"
)


def skipped(raw: str, flat: str) -> bool:
    """Whether a sentence is a report about strangers, a joke, or a heading."""
    if _ELSEWHERE.search(flat) or _SARCASM.search(flat) or _CELEBRITY.match(raw):
        return True
    if _HEARSAY.search(flat):
        return True
    return raw.lstrip().startswith(("“", '"', "«", "‘")) and len(flat.split()) > 2


_S = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|he|she|they|he's|she's|they're|hes"
    r"|shes|it|it's|who|you|u|my|our|his|her|their)"
)
_VERBS = (
    r"(?:live|lives|living|work|works|working|am|is|was|were|are|have|has|had|got|love"
    r"|loves|like|likes|hate|hates|prefer|prefers"
    r"|study|studies|studying|play|plays|speak|speaks|moved|married|started|quit|left"
    r"|take|takes|taking|drive|drives|own|owns|run|runs"
    r"|want|wants|plan|plans|need|needs|can't|cant|don't|dont|doesn't|doesnt|never"
    r"|always|just|used to|recently|finally|now|also|allergic"
    r"|lost|bought|sold|graduated|became|retired|teach|teaches|sing|sings|drink|drinks"
    r"|smoke|smokes|eat|eats|wake|wakes|go|goes|enjoy"
    r"|enjoys|adore|adores|became|born|turned|turning|suffers?|weighs?|wakes?|gets?"
    r"|no longer|not|haven't|turns|detests|speaking|learning|drove|worked|lived|waited|taught|ran|hoping|trying|saving"
    r"|planning|thinking|looking|engaged|divorced|single|vegan|vegetarian|diabetic"
    r"|lactose|expecting|pregnant|terrified|scared|afraid|obsessed|mad about|crazy"
    r" about|fluent|retired|raised|addicted|into|hooked|based|broke|can|can't|earn"
    r"|make|owe"
    r"|collect|collects|cook|cooks|bake|bakes|paint|paints|write|writes|swim|swims"
    r"|cycle|cycles|hoping|gave|swapped|switched|signed)"
)
BREAKS = re.compile(
    r"\s*;\s*|\s+[-–—]{1,3}\s+|\s*\(\s*|\s*\)\s*|\s*(?:->|→|\.{2,}|…)\s*"
    rf"|,?\s+(?:and then|and|but|so|yet|plus|because|cuz|cause|bc|since|though|tho|although"
    rf"|even though|while|whereas|as|except)\s+(?=(?:also\s|now\s|actually\s)?{_S}(?![a-z/]))"
    rf"|(?<!born),?\s+(?:and then|and|but|yet|&|then)\s+(?=(?:still |also |now |never |always"
    rf" |just |only |really |mostly )?{_VERBS}(?![a-z]))"
    rf"|,\s+(?!(?:my|our) (?:[\w-]+ ){{0,2}}?(?:{TIE}|\w+[- ](?:year|yr)s?[- ]old)\s*(?:,|$|[.!;):?]))(?=(?:also\s|now\s"
    rf"|actually\s|btw\s|these days\s|nowadays\s|currently\s|today\s|later\s|then\s)?{_S}(?![a-z]))"
    rf"|,\s+(?={_VERBS}(?![a-z]))"
    r"|,\s+(?=(?:big|huge|massive|total|avid|keen) [\w ]{3,20}?(?:guy|fan|gal|girl|nerd|lover|reader|person)\b)|(?<!people)(?<!guess),?\s+(?=who(?:'s|s)?\s)|,?\s+(?:so|but|and)\s+(?=(?:what|how|which"
    r"|can|could|any|where|do (?:i|you|we)|does|should|please|pls|is there|are there"
    r"|who|would|help|turns|keep|don't|then|recommend|suggest|give|update|make|swap"
    r"|plan|it's)\s)|,\s+(?=(?:then|turns out|plan|swap|keep|make|update|leave|nothing"
    r"|everyone|everybody|people|not)\s)"
    r"|(?<!like)(?<!love)(?<!hate)(?<!prefer)(?<! it),?\s+(?=(?:if|unless|whenever"
    r"|when|wherever|where|which|whose|until (?:i|we|he|she|they|you|it|my|the (?!end|\d)))\s)|,\s+(?=(?:what|how|any|can|could|should"
    r"|would|do|does|is|are|please|pls|so|but|recommend|suggest|help|give|which|maybe"
    r"|thanks|whose)\s)"
    rf"|(?:(?<=anymore)|(?<=any more)|(?<= lol)|(?<= lmao)|(?<= rn)|(?<= tho)|(?<= btw)|(?<= haha))\s+(?={_S}(?![a-z]))"
    r"|,\s*(?=(?:[a-z]+ is|[a-z]+'s) my\s)|:\s+(?=(?:i|i'm|im|my|we)\b)"
)
UNREAL = re.compile(
    r"^\W*(?:(?:and|but|so|or|even|only|as|except)\s)?(?:if|unless|whether|when|whenever"
    r"|wherever|where|until|what if|suppose|imagine|as if|as though|in case|should"
    r" i|had i|were i"
    r"|whatever|whoever|no matter)\b"
    r"|\b(?:wish(?:es|ed|ing)?(?! me luck| us luck)|what if|if only|as if|as though|would(?:n't|nt)? (?:be"
    r"|have|love|like|live|kill|never)|i'd (?:kill|be|have|live|die|give)\b|id (?:love"
    r"|kill)|could have|should have|would've|could've|should've"
    r"|maybe(?! \d)|perhaps|might|may be|probably|supposedly|allegedly|not sure (?:if|whether"
    r"|that)|dunno if|don't know (?:if|whether)|dont know if|doubt|wonder(?:ing)?|in"
    r" (?:my|a) dream|dreamt|dreamed (?:that|i|of being)|nightmare"
    r"|hypothetically|theoretically|feels? like (?:i|we|my)|feel as though|looks like i|it's like i|as a joke|joking"
    r"|(?:he|she|they|who|someone|everyone|people|everybody|guy|(?!i |we |doctor|doc|gp|consultant"
    r"|neurologist|psychiatrist|therapist|specialist|dentist|vet)[a-z]+) (?:thinks?"
    r"|thought|says?|said|claims?|claimed|assumes?|assumed|believes?|guessed|told (?:me"
    r"|us|everyone|people)|keeps? saying|joked|reckons?) (?:that )?(?:i|i'm|im|we|he"
    r"|she|they|my)\b(?!/)"
    r"|pretend(?:ing)?|(?:almost|nearly|very nearly|just about|(?:came|come|got|was|were) (?:this |so |very |that )?close to"
    r"|narrowly avoided|on the verge of) (?:\w{2,}(?<!bo)(?<!ti)(?:ed|ing)(?! \d)|bought|got|quit|left|went|took|became|lost|broke|sold"
    r"|fell|gave|made|won|ran|work|works|live|lives|had|chose|did|said|cut|hit)|(?:'m|im|am|'s|is|be) (?:almost|nearly) \d\d?\b(?! ?(?:years?|months|weeks|yrs|kg|kilos|km|lbs|hours|minutes))|caught dead|over my dead body|(?:rather|sooner)"
    r" (?:die|starve|eat glass)|not in a million years|no way (?:i|i'd|am i|would i)|would i ever|never would)"
    r"|\b(?:not|isn't|wasn't) (?:true|really) that\b"
)
DENIAL = re.compile(r"\b(?:not|never|no|don't|dont|doesn't|doesnt|isn't|isnt|without|nor|neither|ain't)\s(?:\w+\s)?$")
