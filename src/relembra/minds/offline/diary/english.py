"""How English tells of a day. Past forms say nothing of who, so what stands before them is asked."""

from __future__ import annotations

import re

from relembra.domain.insight import ACTIVITY, FEELING, STATE
from relembra.minds.offline.diary.words import NAME, START, TOPICS, Lexicon, Telling, any_of, telling

__all__ = ["ENGLISH"]

_VERY = (
    r"(?:(?:so|really|very|super|quite|pretty|kind of|kinda|a bit|a little|extremely|incredibly|absolutely|still|always|"
    r"terribly|deeply|genuinely|honestly|just|insanely|constantly|too|rather|completely|totally|more|much|even|again|"
    r"today|feeling|a lot|getting|all|way|increasingly|somewhat|at all|nearly as|less|that|especially|particularly|and) )*"
)
_SPORTS = (
    r"(?:exercise|exercises|yoga|pilates|swimming|running|jogging|hiking|cycling|climbing|crossfit|spinning|cardio|weights|"
    r"stretching|dancing|workouts?|zumba|boxing|tennis|football|soccer|basketball|weightlifting|training)"
)
_AGAIN = r"(?:(?:back|again|out|all|early|straight|finally|to) )*"
_DRINKS = r"(?:wine|beers?|drinks?|cocktails?|gin|whisk(?:e)?y|vodka|pints?|margaritas?|alcohol|shots|glass(?:es)? of (?:wine|red|white))"
_FRIENDS = r"(?:(?:my|the|some|a|an|few|old|couple of|with|up|good|both|two|three|few of my) )*"
_PEOPLE = r"(?:friends?|family|mom|mum|dad|mother|father|parents|sister|brother|cousins?|girlfriend|boyfriend|husband|wife|partner|kids|grandma|grandpa|grandparents|colleagues|coworkers|mates?|girls|guys|buddies|neighbou?rs?)"

_TELLINGS: tuple[Telling, ...] = (
    telling(
        STATE,
        "sleep",
        r"""
        (?:slept|been sleeping|sleeping|i sleep) (?:so |really |very |pretty |super |quite |only |just )*(?:badly|poorly|terribly|horribly|awfully|little|like (?:crap|shit|garbage)|fitfully|awful|terrible|bad|worse)
        slept (?:for )?(?:only |just |about |maybe |barely |like |around )*(?:one|two|three|four|five|[1-5])(?: and a half)? ?(?:h|hrs?|hours?)
        insomnia
        (?:bad|rough|terrible|awful|sleepless|horrible|restless|poor|short) night(?:'s)?(?: of sleep| sleep)?
        (?:terrible|awful|bad|poor|lousy) sleep
        toss(?:ed|ing) and turn(?:ed|ing)
        (?:barely|hardly) slept
        (?:was up|been up|lay awake|laid awake|stayed awake|stayed up) (?:all night|half the night|most of the night|for hours|until (?:two|three|four|five|[2-5]))
        woke up (?:several times|a lot|every hour|(?:in the middle of|during) the night|at (?:two|three|four|[2-4])(?: ?am)?|unrested|groggy|multiple times)
        (?:had|having|have had) (?:a |another |some |bad )*(?:nightmares?|bad dreams?)
        """,
        -1,
    ),
    telling(
        STATE,
        "sleep",
        r"""
        (?:slept|been sleeping) (?:so |really |very |pretty |super |much |surprisingly |quite )*(?:well|great|better|soundly|deeply|wonderfully|amazing|good|in|peacefully|fine|right through|through)
        slept like a (?:log|baby|rock|king|queen)
        slept (?:all|through the|the whole) night
        slept (?:for )?(?:almost |nearly |about |a full |over |like |around )*(?:seven|eight|nine|ten|[7-9]|10)(?: and a half)? ?(?:h|hrs?|hours?)
        (?:good|great|solid|full|decent|wonderful|proper|amazing|lovely|perfect) night(?:'s)? (?:of )?(?:sleep|rest)
        (?:great|good|amazing|deep|wonderful) sleep
        woke up (?:so |really |very |feeling |pretty |actually )*(?:rested|refreshed|well rested|well-rested|restored)
        """,
    ),
    telling(STATE, "sleep", r"(?:sleep|fall asleep|get to sleep|get (?:any|much|enough) sleep|sleep a wink|drift off)(?: (?:well|much|at all|enough))?", only_denied=True),
    telling(STATE, "sleep", r"(?:slept)", only_denied=True),
    telling(
        STATE,
        "energy",
        rf"""
        (?:i'm|im|i am|i was|i feel|felt|feeling|i've been|woke up|been|got home|came home|i got|ended the day|still) {_VERY}(?:tired|exhausted|drained|worn out|wiped out|wiped|knackered|fatigued|sluggish|sleepy|out of energy|low on energy|shattered|beat|burned out|burnt out)
        (?:no|zero|low) energy
        dead tired
        """,
        -1,
    ),
    telling(STATE, "energy", rf"{START}{_VERY}(?:tired|exhausted|drained|worn out|wiped out|knackered)", -1),
    telling(
        STATE,
        "energy",
        rf"""
        (?:i'm|im|i am|i was|i feel|felt|feeling|i've been|woke up|been) {_VERY}(?:energetic|energi[sz]ed|full of energy|full of beans|pumped|lively|revitali[sz]ed)
        (?:lots of|so much|plenty of|more|tons of|great) energy
        """,
    ),
    telling(
        STATE,
        "eating",
        r"""
        (?:ate|eaten|had) (?:(?:so|a lot of|too much|lots of|some|only|just|nothing but|more) )*(?:junk(?: food)?|crap|fast food|badly|too much|poorly|takeout|takeaway|chips|candy|sweets|mcdonald's|burgers?|pizza|garbage)
        (?:skipped|forgot|missed) (?:my |to eat |to have )?(?:lunch|dinner|breakfast|meals?)
        (?:overate|binged|binge ate|stress ate|stress-ate|pigged out)
        """,
        -1,
    ),
    telling(
        STATE,
        "eating",
        r"""
        (?:ate|eaten|eating) (?:(?:really|so|very|pretty|more|super) )*(?:well|healthy|healthily|clean|better|a salad|salad|vegetables|veggies|fruit|light)
        (?:cooked|had|made) (?:myself )?(?:a |some )?(?:really |nice |big |proper )*(?:healthy|home-cooked|homemade|balanced) (?:meal|dinner|lunch|breakfast|food)
        stuck to (?:my|the) diet
        """,
    ),
    telling(
        STATE,
        "focus",
        r"""
        procrastinat(?:ed|ing)(?: \w+){0,2}
        (?:couldn't|could not|can't|cannot|unable to|struggled to) (?:really |even )?(?:focus|concentrate|get anything done)
        got nothing done
        (?:unproductive|wasted) (?:day|morning|afternoon)
        (?:scattered|distracted|unfocused|unproductive)
        no focus
        """,
        -1,
    ),
    telling(
        STATE,
        "focus",
        r"""
        (?:really |very |super |so |quite |pretty )*productive(?: day| morning| afternoon)?
        got (?:so much|a lot|lots|loads|tons|plenty) done
        (?:was|felt|been|feeling) (?:really |very |super |so )*(?:focused|in the zone)
        (?:focused|concentrated) (?:really |very )*well
        """,
    ),
    telling(
        ACTIVITY,
        "exercise",
        rf"""
        (?:worked out|exercised|jogged|swam|cycled|biked|hiked|trained|lifted(?: weights)?|danced|climbed)
        (?:ran|walked) (?:(?:for|about|almost|a|an|another|my|around|nearly|some|in|to|home|through|along|the) )*(?:\d+(?:\.\d+)? ?(?:k|km|miles?|min|minutes|kilomet\w+)|\d+k|five|ten|half an hour|hour|miles?|laps?|park|river|beach|this morning|today|before work|after work|home from work|work|again|for \w+ minutes)
        (?:went|been|got) {_AGAIN}(?:for )?(?:(?:a|an|my|another|long|short|quick|morning|evening|little|nice|good|lunchtime|bike|easy|brisk) )*(?:run|jog|walk|swim|ride|hike|{_SPORTS})
        (?:went|been|made it|got) {_AGAIN}(?:the |my )?(?:gym|pool|yoga|pilates|crossfit|spin class|dance class|climbing gym)
        (?:hit|left) the (?:gym|pool|weights|trail)
        did (?:(?:some|my|a|an|minutes|minutes of|\d+|half|hour|hour of|of|bit|little|quick|short|full|twenty|thirty|long) )*(?:{_SPORTS}|workout|run|jog|yoga class)
        played (?:some |a game of |a bit of )?(?:tennis|football|soccer|basketball|volleyball|squash|padel|badminton|hockey|rugby)
        had (?:a |my )(?:great |good |hard |quick |long |short )*(?:run|workout|swim|training|gym session|yoga class|tennis lesson|dance class|jog)
        took (?:a |my )(?:long |nice |short |evening |morning )*(?:walk|run|hike|yoga class|spin class|dance class|swim)
        """,
    ),
    telling(
        ACTIVITY,
        "exercise",
        rf"(?:work out|exercise|run|jog|swim|go (?:for )?(?:a |my |to the |to )?(?:run|jog|walk|swim|gym|pool|{_SPORTS})|make it to the (?:gym|pool)|get to the gym|{_SPORTS}|gym|train)",
        only_denied=True,
    ),
    telling(ACTIVITY, "exercise", rf"(?:skipped|missed|cancell?ed|bailed on|ditched) (?:my |the )?(?:morning |evening )?(?:{_SPORTS}|gym|run|workout|yoga class|walk|swim)", -1),
    telling(ACTIVITY, "meditation", r"(?:meditated|did (?:(?:my|some|a|ten|minutes|minutes of|\d+|of|short|guided|breathing) )*(?:meditation|mindfulness|breathing exercises?))"),
    telling(ACTIVITY, "meditation", "meditate|meditating", only_denied=True),
    telling(
        ACTIVITY,
        "therapy",
        r"""
        (?:had|went to|did|came out of|got out of|left) (?:my |a |an |good |great |hard |tough |another )*(?:therapy|therapy session|counsel?ling|session with my (?:therapist|counsel?lor|psychologist)|session)
        (?:saw|talked to|spoke (?:to|with)|met) (?:my|the) (?:therapist|psychologist|counsel?lor|shrink)
        """,
    ),
    telling(
        ACTIVITY,
        "alcohol",
        rf"""
        (?:drank|had) (?:(?:a|an|some|two|three|four|too|much|many|few|a few|a couple of|couple|of|another|one|several|\d+|half a bottle of|bottle of|red|white|cold|of red|way) )*{_DRINKS}
        (?:drank (?:too much|a lot|last night|again)|got (?:drunk|tipsy|wasted))
        (?:i'm|im|woke up|was|so|a bit) (?:so |really |a bit )?hung ?over
        """,
    ),
    telling(ACTIVITY, "alcohol", rf"(?:drink(?:ing)?(?! (?:water|coffee|tea))|have (?:a |any )?{_DRINKS}|alcohol)", only_denied=True),
    telling(
        ACTIVITY,
        "much_coffee",
        r"""
        (?:drank|had) (?:(?:way|far) )?(?:too much coffee|too many coffees|(?:three|four|five|six|[3-9]) (?:coffees|cups of coffee|espressos)|coffee (?:late|at night|in the evening))
        too much (?:coffee|caffeine)
        """,
    ),
    telling(
        ACTIVITY,
        "company",
        rf"""
        (?:went out|had (?:a |an )?(?:lovely |nice |great |late |quick )*(?:dinner|lunch|coffee|brunch|drinks|breakfast|barbecue)|spent (?:the day|the evening|the afternoon|time|some time|the weekend)|hung out|met up|caught up|played|met|stayed|watched a movie) with {_FRIENDS}{_PEOPLE}
        (?:saw|met|visited|hosted) {_FRIENDS}(?:friends?|family|cousins?|parents|grandma|grandpa|grandparents|buddies)
        (?:friends|family) (?:came over|came round|visited)
        (?:went|been) to (?:a|the|my|an) (?:\w+(?:'s)? )?(?:party|birthday|barbecue|wedding|concert|bar|pub)
        """,
    ),
    telling(
        ACTIVITY,
        "argument",
        r"""
        (?:argued|fought|quarrel?led|bickered)(?: \w+){0,2}
        (?:had|got into|have had) (?:a |an |another |yet another )(?:big |huge |stupid |bad |terrible |silly )*(?:fight|argument|row|quarrel)
        """,
    ),
    telling(
        ACTIVITY,
        "overtime",
        r"""
        (?:worked|had to work|stayed|had to stay|working) (?:really |very |so |too )*(?:late|overtime|until (?:\d+|nine|ten|eleven|midnight)|all weekend|the (?:whole )?weekend|on (?:saturday|sunday)|till (?:\d+|nine|ten|eleven|midnight|late)|\d\d hours)(?: at (?:work|the office))?
        (?:did|put in) (?:some |more |\w+ hours of )?overtime
        got (?:home|out of work) (?:really |very |so |too )*late from work
        left (?:work|the office) (?:really |very |so |too )*late
        """,
    ),
    telling(ACTIVITY, "reading", r"(?:read|finished|started) (?:(?:a|an|my|some|another|few|good|the|whole|great|new|of|couple|\d+|couple of|two|three) )*(?:books?|novel|chapters?|pages|before bed|in bed)"),
    telling(ACTIVITY, "studying", r"(?:studied|spent (?:the day|the morning|the evening|the afternoon|hours|all day) studying)"),
    telling(
        ACTIVITY,
        "screens",
        r"""
        (?:doomscroll(?:ed|ing)|scroll(?:ed|ing) (?:\w+ ){0,3}(?:all night|for hours|in bed|until late|instagram|tiktok|my phone|twitter|too long))
        (?:was|spent|stayed)(?: (?:up|the|whole|all|evening|night|day|hours|three|two|four|too|much|time|late|\d+))* (?:on|watching|binging|looking at|staring at) (?:my |the )?(?:phone|instagram|tiktok|youtube|netflix|screens?|twitter|social media|series)
        """,
    ),
    telling(
        ACTIVITY,
        "overspending",
        r"""
        spent (?:(?:way|far|money|again|so) )*(?:too much|more than i (?:should|could)|a fortune|money i (?:don't|didn't) have)(?: money)?(?! time)
        (?:impulse[- ]bought|splurged|overspent|maxed out my card)(?: \w+){0,2}
        (?:bought|ordered) (?:\w+ ){0,4}(?:on impulse|on a whim|i (?:don't|didn't) need)
        (?:made|another) (?:an )?(?:impulse|impulsive) (?:buy|purchase)
        """,
    ),
    telling(ACTIVITY, "headache", r"(?:headaches?|migraines?|(?:head|my head) (?:is |was )?(?:pounding|killing me|hurting|hurts))"),
    telling(
        ACTIVITY,
        "outdoors",
        r"""
        (?:went|been|got) (?:out |back |down )*to the (?:beach|park|woods|forest|lake|mountains|countryside|sea)
        (?:spent|had) (?:\w+ ){0,3}(?:outside|outdoors|in nature|in the sun|in the garden)
        (?:gardened|sat in the sun)
        """,
    ),
    telling(ACTIVITY, "music", r"(?:played|practi[cs]ed) (?:(?:the|my|some|a|bit|of|for|little) )*(?:guitar|piano|drums|violin|bass|ukulele|flute|music|keyboard|cello)"),
    telling(ACTIVITY, "prayer", r"(?:prayed|went to (?:church|mass|mosque|temple|synagogue))"),
)  # fmt: skip

_ADJECTIVES = {
    "anxious": r"anxious|nervous|panicky|on edge|uneasy|apprehensive|tense|restless|jittery|distressed",
    "worried": r"worried|worrying|concerned",
    "stressed": r"stressed(?: out)?|under pressure|frazzled",
    "overwhelmed": r"overwhelmed|swamped|in over my head|drowning",
    "sad": r"sad|down(?! (?:for|to|with))|depressed|blue|low(?! on)|miserable|gloomy|heartbroken|tearful|hurt|upset|unhappy|empty|hopeless",
    "angry": r"angry|mad|furious|annoyed|irritated|pissed(?: off)?|livid|fed up|resentful",
    "frustrated": r"frustrated|disappointed|let down|discouraged",
    "afraid": r"afraid|scared|terrified|frightened|fearful",
    "guilty": r"guilty|remorseful|bad about myself",
    "ashamed": r"ashamed|embarrassed|humiliated",
    "lonely": r"lonely|isolated|homesick",
    "jealous": r"jealous|envious",
    "bored": r"bored",
    "happy": r"happy(?! (?:birthday|new|holidays|to help))|glad(?! (?:to hear|you))|joyful|cheerful|content|delighted|over the moon|fulfilled|pleased(?! to meet)",
    "excited": r"excited|thrilled|psyched|stoked|motivated|enthusiastic|eager",
    "calm": r"calm|relaxed|peaceful|at peace|serene|at ease|chilled",
    "proud": r"proud",
    "grateful": r"grateful|thankful",
    "relieved": r"relieved",
    "hopeful": r"hopeful|optimistic|confident",
}
_NOUNS = {
    "anxious": r"anxiety|panic(?: attacks?)?|dread|nerves|butterflies",
    "worried": r"worries",
    "stressed": r"stress",
    "sad": r"sadness|the blues",
    "angry": r"anger|rage",
    "frustrated": r"frustration",
    "afraid": r"fear",
    "guilty": r"guilt|remorse",
    "ashamed": r"shame",
    "lonely": r"loneliness",
    "jealous": r"jealousy",
    "bored": r"boredom",
    "happy": r"joy|happiness",
    "calm": r"peace|calm",
    "grateful": r"gratitude",
    "relieved": r"relief",
    "hopeful": r"hope(?! (?:you|u|this|that|to|it|all|we|i|he|she|they|everything|your))",
}
_VERBS = {
    "anxious": r"(?:freaked|freaking) out|panicked|panicking|spiral(?:l)?(?:ed|ing)|(?:makes?|gives?|giving|gave) me anxiety|freaks? me out|my heart was racing",
    "worried": r"(?:i|i've been|i keep) (?:worry|worrying)|worries me|worried me|kept worrying|can't stop worrying",
    "stressed": r"stress(?:es|ed|ing)? me(?: out)?|stressing(?: out)?",
    "overwhelmed": r"overwhelms? me|overwhelmed me",
    "sad": r"cried|been crying|teared up|burst into tears|broke down|bummed me out",
    "angry": r"lost my temper|(?:pissed|ticked) me off|pisses me off|drives? me (?:mad|crazy|nuts)|drove me (?:mad|crazy|nuts)|annoys me|annoyed me|snapped at \w+",
    "frustrated": r"frustrates me|frustrated me|disappointed me",
    "afraid": r"scares? me|scared me|terrif(?:y|ies|ied) me|dreading",
    "guilty": r"regret(?:ted)?|blamed? myself",
    "happy": r"had (?:so much |a lot of |great |such )?fun|laughed (?:so much|a lot)|made my day|had a (?:great|lovely|wonderful|fantastic) (?:day|time|evening|afternoon)",
    "calm": r"calms me(?: down)?|calmed me(?: down)?|relaxes me|relaxed me|calmed down",
}
_BE = (
    r"(?:i'm|im|i am|i was|i feel|i felt|felt|feeling|i've been|i have been|been|i get|i got|got|i keep|woke up|getting|makes? me|made me|"
    r"making me|left me|leaves me|makes? me feel|made me feel|has me|had me|keeps? me|kept me|got me|went to bed|came home|still|ended up|i stay|stayed|remained|i wasn't|wasn't|i'm not|i am not|i was not|not)"
)
_HAVE = r"(?:felt|feel|feeling|had|have|having|got|get|full of|so much|the|my|bit of|wave of|rush of|sense of|some|lots of|more|a lot of|pure|such|constant)"

_PLAIN = r"(?!(?:blue|down|low|empty|mad|hurt|content|tense|eager)(?!\w))"  # not of things

_FEELINGS = tuple(
    one
    for name in _ADJECTIVES
    for one in (
        telling(FEELING, name, rf"{_BE} {_VERY}(?:{_ADJECTIVES[name]})"),
        telling(FEELING, name, rf"{START}(?:today |and |day |still |again )?{_VERY}{_PLAIN}(?:{_ADJECTIVES[name]})"),
        *(
            [
                telling(FEELING, name, rf"{_HAVE} (?:terrible |huge |awful |real |bad |big )*(?:{_NOUNS[name]})"),
                telling(FEELING, name, rf"{START}(?:so much |pure |more |the )?(?:{_NOUNS[name]})"),
                telling(FEELING, name, rf"(?:no|without|zero|without any) (?:{_NOUNS[name]})", -1),
            ]
            if name in _NOUNS
            else []
        ),
        *([telling(FEELING, name, _VERBS[name])] if name in _VERBS else []),
    )
)

_FELT = tuple(
    (name, re.compile(any_of("|".join(part[name] for part in (_ADJECTIVES, _NOUNS, _VERBS) if name in part))))
    for name in _ADJECTIVES
)

_TOPIC_WORDS = {
    "deadlines": r"deadlines?|due dates?",
    "meetings": r"meetings?|stand-?ups?|calls?",
    "presentations": r"presentations?|talks?|public speaking|pitch",
    "interviews": r"interviews?",
    "boss": r"boss|manager|supervisor",
    "clients": r"clients?|customers?",
    "colleagues": r"colleagues?|coworkers?|my team",
    "work": r"work|job|office|career|layoffs?|promotion",
    "exams": r"exams?|tests?|finals|midterms?",
    "thesis": r"thesis|dissertation|phd|master's",
    "studies": r"stud(?:y|ies|ying)|school|college|university|classes|course|homework",
    "debts": r"debts?|bills?|rent|loan|mortgage|credit card",
    "money": r"money|finances?|salary|budget|savings|spending|financial situation",
    "mother": r"my (?:mother|mom|mum)",
    "father": r"my (?:father|dad)",
    "siblings": r"my (?:sister|brother)s?",
    "children": r"my (?:kids?|children|son|daughter|baby)|the kids",
    "partner": r"(?:girlfriend|boyfriend|husband|wife|partner|marriage|fiancee?|relationship)",
    "ex": r"my ex|divorce|break-?up",
    "family": r"family|my parents|relatives|in-laws",
    "friends": r"friends?|friendships?",
    "pets": r"(?:my|the) (?:dog|cat|puppy|kitten)",
    "health": r"health|illness|pain|symptoms?|treatment|surgery|pregnancy",
    "doctor": r"doctor|blood test|test results|appointment|dentist|hospital|scan",
    "body": r"my (?:body|weight|looks)|the scale",
    "sleep": r"sleep(?:ing)?|insomnia",
    "future": r"future|what comes next|my life|direction",
    "traffic": r"traffic|commute|commuting",
    "moving": r"mov(?:e|ing) (?:house|out|in|to)|the move",
    "home": r"house|apartment|flat|home|neighbou?rs?|renovation",
    "news": r"news|politics|elections?|war",
    "social_media": r"social media|instagram|tiktok|twitter",
    "travel": r"trip|travell?(?:ing)?|flights?|flying|planes?|vacation|holiday",
    "loneliness": r"loneliness|being alone",
    "project": r"projects?",
    "death": r"death|grief|funeral",
}

ENGLISH = Lexicon(
    tellings=_TELLINGS,
    feelings=_FEELINGS,
    felt=_FELT,
    topics=tuple((topic, re.compile(any_of(_TOPIC_WORDS[topic]))) for topic in TOPICS),
    denied=re.compile(
        r"(?<![\w'])(?:(?:didn't|didnt|did not|couldn't|couldnt|could not|haven't|havent|have not|hadn't|wasn't|wasnt|was not|"
        r"isn't|aren't|not|never|no|barely|hardly|instead of|avoided|failed to|less|no longer|nothing|"
        r"can't|cant|cannot|don't|dont|too tired to|too busy to|too lazy to|nor|skipped)[ ]+"
        r"(?:(?!(?:and|but|then|only|so)[ ])[\w'-]+[ ]+){0,3}|without[ ]+(?:(?:a|an|any|my|the)[ ]+)?)$"
    ),
    denied_within=re.compile(r"(?<![\w'])(?:not|wasn't|isn't|never|less|no longer)(?![\w'])"),
    unreal=re.compile(
        r"(?<![\w'])(?:will|i'll|we'll|going to(?! bed)|gonna|want to|wanted to|wanna|need to|needed to|should|should've|would|i'd|"
        r"might|may|hope to|hoping|plan to|planning|try to|trying to|if|wish|supposed to|let's|tomorrow|maybe|"
        r"thinking of|thought about|dreamt|dreamed|about to|promised)(?![\w'])(?!.*\b(?:but|and|ended up)\b.*$)|(?<![\w'])(?:when|whenever)(?: i)? $"
    ),
    general=re.compile(
        r"(?<![\w'])(?:always|usually|generally|normally|every (?:day|week|morning|night|evening|monday|tuesday|wednesday|"
        r"thursday|friday|saturday|sunday|month|year)|this (?:week|month|year)|often|used to|sometimes|once in a while|when i was (?:a|young|little|in)|"
        r"as a (?:kid|child))(?![\w'])"
    ),
    long_ago=re.compile(
        r"(?<![\w'])(?:last (?:week|month|year|summer|winter)|(?:days?|weeks?|months?|years?) ago|the other day|once|back in|last (?:weekend|night out)|(?:19|20)\d\d)(?![\w'])"
    ),
    yesterday=re.compile(r"(?<![\w'])yesterday(?![\w'])"),
    day_before=re.compile(r"(?<![\w'])the day before yesterday(?![\w'])"),
    weekdays=tuple(
        re.compile(rf"(?<![\w'])(?:on|last|this) {name}(?![\w'])")
        for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    ),
    asks_who=re.compile(
        r"(?:\w{2,}ed|went|ran|slept|had|felt|woke|drank|ate|got|did|took|saw|met|spent|broke|lost|burst|swam|fought|hit|made|left|"
        r"hung|caught|overate|regret|read|been|freaked)(?![\w'])"
    ),
    subjects=re.compile(
        r"(?<![\w'])(?:i|i've|i'd|we|we've|and|then|just|also|today|yesterday|finally|again|morning|afternoon|evening|night|tonight|"
        r"really|still|even|never|have|had|so|later|not|didn't|haven't|hadn't|day|week|weekend|work|lunch|dinner|breakfast|actually|"
        r"almost|nearly|both|all|after|honestly|only|barely|hardly|first|now|time|where|since|because|that i|home|school|usual|"
        r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|luckily|sadly|anyway|ended up|lately|quickly)"
        r"(?: (?:just|also|finally|really|even|never|not|actually|almost|only|barely|hardly|already|have|had|been|totally|completely))* $"
    ),
    first_person=re.compile(r"\W*(?:today |and )*(?:i|i'm|im|i've|i'd|we)(?![\w'])|.*(?<!\w)me(?!\w)"),
    others=re.compile(
        r"(?:and |so |today |then |yesterday )*(?:he|she|they|you|he's|she's|they're|(?:my|the|our|his|her|their) (?:\w+ )?(?:mother|mom|mum|father|dad|parents|sister|brother|son|daughter|kids?|husband|wife|partner|girlfriend|boyfriend|friends?|boss|colleagues?|coworkers?|grandma|grandpa|aunt|uncle|cousins?|neighbou?rs?|baby|dog|cat|ex|therapist|doctor|teacher|client|team|roommate|manager))(?![\w'])"
        r"(?!.*(?<![\w'])(?:i|i'm|i've|we)(?![\w']))"
    ),
    another=re.compile(
        r"(?<![\w'])(?:he|she|they|you|it|he's|she's|they're|his|her|their|who|(?:my|the|our|his|her|their) "
        r"(?!(?:day|night|morning|week|afternoon|evening|weekend|gym|way|whole)\b)[\w-]+(?:'s)?(?: (?!and )\w+)?|everyone|everybody|someone|nobody)"
        r"(?: (?:also|just|never|already|really|has|have|had|did|didn't|was|were|is|are|hasn't|wasn't|then|finally|even|still|who|that))* $"
    ),
    theirs=re.compile(
        r" of (?:his|hers|theirs|(?:my|our|his|her|their) (?:mother|mom|mum|father|dad|parents|sister|brother|son|daughter|kids?|"
        r"husband|wife|partner|girlfriend|boyfriend|friend|boss|colleague|grandma|grandpa|aunt|uncle|cousin|neighbou?r|baby|"
        r"dog|cat)'?s?)(?!\w)"
    ),
    named=(
        (re.compile(rf"{NAME}'s(?= (?!(?:been|got|not|so|really|very|still|feeling|having)(?!\w)))"), "his"),
        (
            re.compile(
                rf"{NAME}(?='s |(?: (?:also|just|never|already|really|still|then|even|always))* (?:has|had|is|was|gets?|got|feels?|felt|"
                r"woke|slept|came|went|seems?|looks|keeps|kept|said|told|hasn't|isn't|wasn't|did|didn't|does|doesn't|\w+ed)(?![\w']))"
            ),
            "he",
        ),
    ),
    clause_end=re.compile(r"[;:]|(?<![\w'])(?:but|although|though|however|while|whereas|yet|despite)(?![\w'])| - | and (?=today|yesterday|now|tonight|this morning)"),
)  # fmt: skip
