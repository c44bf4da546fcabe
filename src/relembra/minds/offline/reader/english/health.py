"""Body and health: conditions, allergies, intolerances, medicines, diets, measures."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said, told
from relembra.minds.offline.reader.english.words import clean, parts

__all__ = ["ADJECTIVES", "CONDITION", "DRUGS", "RULES", "is_denied", "is_over"]

_CONDITIONS = (
    r"diabetes|asthma|eczema|psoriasis|arthritis|osteoarthritis|rheumatoid arthritis"
    r"|migraines?|epilepsy|depression|anxiety|bipolar(?: disorder| ii| i| 2| 1)?|adhd"
    r"|add|autism|asperger'?s|ocd|ptsd|cptsd"
    r"|ibs|ibd|crohn'?s(?: disease)?|colitis|ulcerative colitis|celiac(?: disease)?"
    r"|coeliac(?: disease)?|gerd|acid reflux|reflux|gastritis|ulcers?|gout|fibromyalgia"
    r"|lupus|ms|multiple sclerosis|parkinson'?s(?: disease)?|alzheimer'?s(?: disease)?"
    r"|dementia|cancer|leukaemia|leukemia|lymphoma|tumou?r|melanoma|copd|emphysema"
    r"|hypertension|high blood pressure|low blood pressure|high cholesterol|hypothyroidism"
    r"|hyperthyroidism|thyroid (?:problems?|issues?|disease)|hashimoto'?s|graves'?"
    r" disease"
    r"|anaemia|anemia|endometriosis|pcos|fibroids|insomnia|sleep apno?ea|narcolepsy"
    r"|scoliosis|sciatica|a herniated disc|herniated disc|slipped disc|tinnitus|vertigo"
    r"|glaucoma|cataracts|astigmatism|dyslexia|dyspraxia|dyscalculia|tourette'?s|a"
    r" stutter|stammer|stutter"
    r"|hiv|hepatitis(?: [abc])?|kidney (?:disease|stones|failure)|gallstones|heart"
    r" (?:disease|failure|murmur|condition|problems?|arrhythmia)|a heart (?:murmur"
    r"|condition)|atrial fibrillation|afib|a pacemaker|pacemaker|angina|osteoporosis"
    r"|vitiligo|rosacea|acne|alopecia"
    r"|long covid|chronic (?:fatigue(?: syndrome)?|pain|back pain|migraines?|bronchitis"
    r"|kidney disease|illness|sinusitis)|me/cfs|pots|ehlers[- ]danlos|raynaud'?s|sjogren'?s"
    r"|cystic fibrosis|sickle cell(?: disease| anaemia| anemia)?|haemophilia|hemophilia"
    r"|cerebral palsy|muscular dystrophy"
    r"|an eating disorder|eating disorder|anorexia|bulimia|borderline personality disorder"
    r"|bpd|schizophrenia|social anxiety|panic (?:attacks|disorder)|postpartum depression"
    r"|seasonal affective disorder|sad disorder|hay ?fever|a bad (?:knee|back|hip|shoulder)"
    r"|bad (?:knees|back|hips)|carpal tunnel|tendonitis|plantar fasciitis|a hernia"
    r"|hernia"
    r"|color ?blindness|colour ?blindness|hearing loss|low vision|prediabetes|pre-diabetes"
    r"|insulin resistance|diverticulitis|lyme(?: disease)?|a prosthetic leg|neuropathy"
    r"|varicose veins|restless legs?(?: syndrome)?|synesthesia|aphantasia|misophonia"
    r"|a stoma|epilepsy|brca1?|hip dysplasia|fiv|a concussion|concussion|dyscalculia"
    r"|a blood clot disorder|vasculitis|sarcoidosis|cellulitis|rsi|tmj|pernicious anaemia"
    r"|type (?:1|2|one|two)(?: diabetes)?|t1d|t2d|shingles|pneumonia|tuberculosis|sepsis|glandular fever|lymphoedema|bunions|cysts"
    r"|(?!empathy|sympathy|apathy|telepathy|osmosis|hypnosis|diagnosis|prognosis|metamorphosis|neurosis|overdosis)[a-z]{4,}(?:itis|osis|algia|pathy"
    r"|aemia|emia|sclerosis|carcinoma|sarcoma|myeloma|glioma|phobia)|(?:[a-z'-]{4,} ){1,2}?(?:syndrome|disease|disorder|deficiency)"
)
CONDITION = (
    rf"(?:(?:type (?:1|2|one|two)|mild|severe|chronic|bad|early|early[- ]onset|late[-"
    rf" ]stage|stage \w+|stage \w+ \w+|terminal|moderate|serious|juvenile|breast|lung"
    rf"|prostate|skin|colon|bowel|ovarian|thyroid|bone|brain|kidney|bladder|testicular"
    rf"|pancreatic|liver|throat|stomach|blood|generali[sz]ed|clinical|relapsing-remitting"
    rf"|exercise-induced|combined|inattentive|gestational|vascular|advanced|cluster"
    rf"|inflammatory|bilateral|slight|rheumatoid|childhood|recurrent) ){{0,3}}(?:{_CONDITIONS})"
)
ADJECTIVES = (
    r"insulin[- ]dependent|(?:type (?:1|2|one|two) )?diabetic|type (?:1|2|one|two)(?=\s*(?:$|[,.!]|so\b|and\b|but\b))|in a wheelchair|housebound|bedridden|on dialysis"
    r"|recovering (?:alcoholic|addict)|(?:pre|insulin)[- ]?(?:dependent )?diabetic"
    r"|asthmatic|epileptic|celiac|coeliac|autistic|dyslexic|dyspraxic|bipolar(?: \w{1,2})?"
    r"|schizophrenic|colou?r ?blind|colou?r-blind|blind(?: in (?:one|my (?:left|right))"
    r" eye)?|legally blind|(?:partially |half |almost |completely )?deaf(?: in (?:one"
    r"|my|the) (?:\w+ )?ear)?|hard of hearing|hearing impaired|partially sighted|anaemic"
    r"|anemic|hypothyroid|hypertensive|haemophiliac|neurodivergent|immunocompromised"
    r"|immunosuppressed|hiv[- ]positive|an? (?:recovering )?alcoholic|an insomniac"
    r"|an amputee|paraplegic|quadriplegic|short-?sighted|near-?sighted|far-?sighted"
    r"|obese|bulimic|anorexic|in remission|cancer[- ]free|menopausal|perimenopausal"
    r"|infertile|lactating|left[- ]handed|right[- ]handed|ambidextrous|arthritic|incontinent"
    r"|wheelchair[- ]bound|a wheelchair user|disabled|ocd|adhd"
)


def is_over(head: Head, verb: str = "") -> bool:
    return head.ended or head.used or head.past or verb in ("had", "suffered", "was")


def is_denied(head: Head) -> bool:
    return head.thought or head.future or (head.negated and not head.ended)


def _has(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head):
        return
    verb = match[0].split()[0]
    gone = is_over(head, verb if not head.have else "")
    if verb == "diagnosed":
        gone = False
    if re.search(r"\b(?:childhood|long gone|outgrew|grew out of|gone now|went away)\b", clause.sentence.lower()):
        gone = True
    found = re.compile(CONDITION + r"(?![a-z])").match(clause.flat, match.start("v"))
    at = match.start("v")
    while found:
        value = re.sub(r"^(?:an?|my) ", "", clause.raw[slice(*found.span())])
        if (
            not re.match(r"(?:about|for (?:my|the|tomorrow)|over|attack)\b", clause.flat[found.end() :].strip())
            or "anxiety" not in value.lower()
        ):
            yield said((FORMER if gone else "") + "condition", value, head, changed=verb in ("diagnosed", "developed"))
        at = found.end()
        more = re.compile(r"(?:,\s(?:and\s)?|\s(?:and|&|plus)\s)(?:an?\s|my\s)?").match(clause.flat, at)
        found = re.compile(CONDITION + r"(?![a-z])").match(clause.flat, more.end()) if more else None


def _adjective(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head) or (
        head.person == ELIDED
        and re.match(r"\s(?:people|person|man|woman|kids?|friendly|of)\b", clause.flat[match.end() :])
    ):
        return
    gone = is_over(head) and not re.match(r"in remission|cancer", match["v"])
    if re.match(r"\s(?:to|with rage|by|luck|spot|date)\b", clause.flat[match.end() :]) and not match["v"].startswith(
        "in "
    ):
        return
    yield said(
        (FORMER if gone else "") + "condition", re.sub(r"^an? ", "", clause.cut(match, "v")), head, changed=head.changed
    )
    more = re.compile(rf"(?:,| and|, and) (?:an? )?(?P<v>{ADJECTIVES})(?![a-z'])").match(clause.flat, match.end("v"))
    if more:
        yield said((FORMER if gone else "") + "condition", clause.cut(more, "v"), head)


_ALLERGY_STOP = "so|which|but|that|as|and (?:also )?(?:can't|cant|hate)|since|because|in case|unless|at|is|are"


def _allergy(attribute: str, match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head):
        return
    gone = is_over(head)
    for value in parts(clause.cut(match, "v"), stop=_ALLERGY_STOP, most=4):
        low = value.lower()
        if re.match(
            r"(?:my|stupid|stupidity|nonsense|bullshit|bs|work|mondays?|mornings?|people|drama"
            r"|exercise|effort|commitment|fun|small talk|meetings|responsibility|his|her|your"
            r"|this|that|idiots|spreadsheets)\b",
            low,
        ):
            continue
        yield said((FORMER if gone else "") + attribute, value, head)


def _allergic(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _allergy("allergy", match, clause, head)
    other = re.search(r"\band my (?P<t>[a-z-]+) (?P<n>[A-Z][\w'’-]+) to (?P<v>[\w ]{2,30})", clause.raw)
    if other and head.person == SPEAKER:
        yield Said(attribute="allergy", value=clean(other["v"]), subject=other["n"], relation=other["t"].lower())


def _intolerant(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _allergy("intolerance", match, clause, head)


def _noun_allergy(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I have a nut allergy", "severe peanut allergy here", "my son's egg allergy"."""
    if is_denied(head) or head.person == NOBODY:
        return
    what = re.sub(
        r"^(?:(?:i|we|she|he|they|who|also|ive|i've|she's|he's|got|an?|the|my|his|her|severe|bad|mild|serious|nasty|terrible|life-threatening"
        r"|slight|deadly|huge|pretty|really|got|has|have|with|new|major|big|full|blown"
        r"|full-blown|full blown|food|known|of)\s+)+",
        "",
        clause.cut(match, "v"),
        flags=re.IGNORECASE,
    )
    if not what or what.lower() in ("food", "any", "no", "known", "drug", "no known"):
        return
    kind = "intolerance" if match["k"].startswith("intoleran") or "sensitiv" in match["k"] else "allergy"
    yield said((FORMER if head.used or head.ended or match[0].startswith("had") else "") + kind, what, head)


DRUGS = re.compile(
    r"(?:metformin|insulin|sertraline|zoloft|prozac|fluoxetine|citalopram|escitalopram"
    r"|lexapro|celexa|paxil|paroxetine|venlafaxine|effexor|duloxetine|cymbalta|bupropion"
    r"|wellbutrin|mirtazapine|trazodone|lithium|lamotrigine|lamictal|quetiapine|seroquel"
    r"|abilify|aripiprazole|olanzapine|risperidone|adderall|ritalin|concerta|vyvanse"
    r"|methylphenidate|atomoxetine"
    r"|levothyroxine|synthroid|thyroxine|atorvastatin|lipitor|simvastatin|statins?"
    r"|rosuvastatin|lisinopril|ramipril|losartan|amlodipine|bisoprolol|metoprolol|propranolol"
    r"|beta[- ]blockers?|blood thinners?|warfarin|eliquis|apixaban|xarelto|aspirin"
    r"|clopidogrel|omeprazole|pantoprazole|lansoprazole|nexium|ozempic|wegovy|semaglutide"
    r"|mounjaro|tirzepatide|humira|adalimumab|methotrexate|prednisone|prednisolone"
    r"|steroids|hydroxychloroquine"
    r"|gabapentin|pregabalin|lyrica|topiramate|keppra|levetiracetam|carbamazepine|valproate"
    r"|sumatriptan|tramadol|codeine|naproxen|ibuprofen|ventolin|salbutamol|albuterol"
    r"|symbicort|montelukast|antihistamines?|cetirizine|loratadine|zyrtec|claritin"
    r"|antidepressants?|ssris?|anti-?anxiety (?:meds|medication)|xanax|alprazolam|diazepam"
    r"|valium|clonazepam|lorazepam|ambien|zolpidem|melatonin|sleeping pills|birth control"
    r"|the pill|hrt|estrogen|oestrogen|testosterone|spironolactone|finasteride|minoxidil"
    r"|tamoxifen|letrozole|chemo\w*|antibiotics|iron(?: tablets| supplements| pills)?"
    r"|vitamin \w\d*|b12|folic acid|magnesium|fish oil|creatine|suboxone|methadone"
    r"|naltrexone|allopurinol|colchicine|furosemide|water tablets|donepezil|levodopa"
    r"|truvada|prep|antiretrovirals|immunosuppressants|opioids|painkillers|acid reducers"
    r"|[a-z]{2,}(?:pril|sartan|olol|statin|prazole|conazole|oxetine|triptan|cillin|mycin|azepam|azolam|gliptin|gliflozin"
    r"|glutide|zumab|ximab|tinib|xaban|dipine|lukast|thiazide|cycline|triptyline|pramine|azepine|parin)"
    r"|junel|yasmin|nuvaring|mirena|nexplanon|kyleena|microgynon|inhalers?|epipens?|meds for (?:\w+ ){1,3}|blood pressure (?:meds|medication"
    r"|pills|tablets)|thyroid (?:meds|medication|pills))"
)


def _makes_ill(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "gluten makes me ill", "dairy gives me cramps", "shellfish sends me to hospital"."""
    value = clean(
        re.sub(r"^(?:and|but|so|because|remember|since|as)\s+", "", clause.cut(match, "v"), flags=re.IGNORECASE), most=3
    )
    if not value or re.match(
        r"(?:he|she|it|that|this|they|you|work|my|who|what|your|his|her|the thought|thinking"
        r"|watching|seeing|talking|[a-z]+ing)\b",
        value.lower(),
    ):
        return
    severe = re.search(
        r"hives|er\b|hospital|swell|anaphyla|throat|rash|epipen|itch|break out|sneeze|wheeze", match["h"]
    )
    yield Said(attribute="allergy" if severe else "intolerance", value=value)
    del head


RULES: tuple[Rule, ...] = (
    predicate(
        "condition: have", "have|has|had|having|got|suffer|suffers|suffering|suffered|live with|lives"
        " with|living with|diagnosed|got diagnosed|been diagnosed|developed|dealing"
        " with|struggle with|struggles with|struggling with|battling|battle|was diagnosed"
        "|prone to|get|gets|recovering from|being treated for",
        r"(?:\s(?:from|with|got|been diagnosed with|been|as|just been diagnosed with))*\s(?:an?\s"
        r"|the\s|my\s|really\s|some\s|pretty\s|quite\s|very\s|this\s|both\s|terrible\s|awful\s|horrible\s|nasty\s|crippling\s|debilitating\s"
        r"|occasional\s|frequent\s|constant\s|regular\s|dreadful\s|recurring\s|such\s|so\s)*" +
        rf"(?P<v>{CONDITION})(?![a-z])(?!\s(?:medication|meds|awareness|research|clinic))", _has, bare=frozenset([
        "have", "got", "had", "diagnosed", "suffer", "living", "suffering"]), when=always,
    ),
    predicate(
        "condition: be", "type|diabetic|asthmatic|epileptic|celiac|coeliac|autistic|dyslexic|dyspraxic"
        "|bipolar|colour|color|colorblind|colourblind|color-blind|colour-blind|blind"
        "|legally|deaf|hard|partially|anaemic|anemic|a|an|in|cancer|immunocompromised"
        "|neurodivergent|left-handed|left|right-handed|ambidextrous|paraplegic|disabled"
        "|perimenopausal|menopausal|insulin|insulin-dependent|half|prediabetic|pre-diabetic"
        "|hypothyroid|ocd|adhd|short-sighted|near-sighted|nearsighted|shortsighted"
        "|schizophrenic|arthritic|infertile|hiv|wheelchair|recovering|housebound|bedridden|on", "", _adjective, be=True, bare=True, whole=
        rf"(?:a |an )?(?P<v>{ADJECTIVES})(?![a-z'])", when=always,
    ),
    anywhere(
        "condition: doctor says", "says said told diagnosis confirmed found it's its",
        rf"\b(?:doc|doctor|doctors|gp|specialist|results?|diagnosis|consultant|neurologist"
        rf"|psychiatrist|they told me|test|tests|scan|mri|biopsy)\b[^,;]{{0,40}}?\b(?:it's"
        rf"|its|it is|i have|i've got|confirmed|is|was|as|shows?|with)\s(?P<v>{CONDITION})(?![a-z])", lambda m,
        c, h: [] if h.person == OTHER and h.relation not in ("doctor", "gp", "therapist", "psychiatrist", None)
        else [Said(attribute="condition", value=c.cut(m, "v"), changed=True)],
    ),
    anywhere(
        "condition: diagnosed me", "diagnosed",
        rf"\bdiagnosed (?:me|us) (?:with|as having) (?:an? )?(?P<v>{CONDITION})(?![a-z])", lambda m, c, h: [Said(
        attribute="condition", value=c.cut(m, "v"), changed=True)],
    ),
    predicate(
        "condition: high", "blood pressure|cholesterol|iron|blood sugar|vitamin d|ferritin|b12",
        r"(?:'s| is| has been| was)\s(?:really |very |quite |always |too |a bit )?(?P<v>high" r"|low)\b", lambda
        m, c, h: [said("condition",
        f"{m['v']} {m[0][: m.start('v') - m.start()].split(chr(39))[0].replace(' is', '').replace(' has been', '').strip()}",
        h)], owned=True,
    ),
    predicate(
        "condition: use", "use|uses|wear|wears|need|needs|get around in",
        r"\s(?P<v>(?:an? )?(?:wheelchair|hearing aids?|cpap(?: machine)?|walker|walking"
        r" stick|cane|crutches|prosthetic\w*|insulin pump|pacemaker|glasses|contact"
        r" lenses|oxygen))(?![a-z])", lambda m, c, h: [told(h, attribute="condition", value=
        f"uses {c.cut(m, 'v')}")],
    ),
    predicate(
        "condition: noun first", "type|" + "|".join(sorted(set(re.findall(r"[a-z]{3,}", _CONDITIONS)) - {"bad",
        "color", "colour", "add", "sad"})), "", lambda m, c, h: _has(m, c, h) if re.match(
        r"\s*(?:$|[,.!]|diagnosed|since|for|and\b|sucks|here|so\b)", c.flat[m.end() :]) and not h.be else [],
        bare=True, whole=rf"(?P<v>{CONDITION})(?![a-z])", when=lambda h: h.person == ELIDED,
    ),
    predicate(
        "allergy", "allergic|anaphylactic", r"\s(?:to|2|with)\s{V}", _allergic, be=True, bare=True, when=always,
    ),
    predicate(
        "allergy: and x to", "to", r"\s{V}", lambda m, c, h: _allergy("allergy", m, c, h) if h.person == OTHER
        and re.search(r"allergic to [^.;]{2,60}$", c.earlier) else [],
    ),
    anywhere(
        "intolerance: not friends", "friends mix agree along sit",
        r"^\W*(?P<v>[a-z]+(?: [a-z]+)?) (?:and (?:i|me|my (?:stomach|gut|body))) (?:are"
        r" not friends|aren't friends|don't (?:get along|mix|agree)|do not (?:get along"
        r"|mix|agree)|dont (?:get along|mix|agree)|are enemies)|(?P<v2>[a-z]+) (?:doesn't"
        r"|doesnt|does not|don't|dont) (?:agree|sit well) with me", lambda m, c, h: [Said(attribute=
        "intolerance", value=c.cut(m, "v") if m["v"] else c.cut(m, "v2"))] if re.match(
        r"(?:and |but |so )?(?:lactose|gluten|dairy|milk|cheese|fructose|caffeine|coffee"
        r"|wheat|onions?|garlic|eggs?|alcohol|beans|soy|spicy \w+|peppers|wine|beer" r"|bread|shellfish|nuts)",
        m["v"] or m["v2"]) else [],
    ),
    predicate(
        "intolerance", "intolerant|sensitive",
        r"\s(?:to|of)\s(?P<v>(?:gluten|lactose|dairy|milk|caffeine|fructose|wheat|sulphites"
        r"|sulfites|histamine|eggs?|soy|alcohol|onions?|garlic|spicy|fodmaps?|nightshades"
        r"|yeast|msg|corn|histamines)\b[^;!?()\n]{0,60})", _intolerant, be=True, bare=True, when=always,
    ),
    anywhere(
        "intolerance: x intolerant", "intolerant",
        r"(?:^|[^a-z])(?P<v>lactose|gluten|fructose|dairy|wheat|histamine|sorbitol"
        r"|egg|soy|alcohol|caffeine|sulphite|yeast)[\s-]intolerant\b", lambda m, c, h: [] if is_denied(h) or h.
        person == NOBODY else [said((FORMER if h.used or h.ended or h.past else "") + "intolerance", c.cut(m,
        "v"), h)],
    ),
    anywhere(
        "allergy: noun", "allergy allergies intolerance sensitivity",
        r"(?:^|\b(?:have|has|had|got|with|'ve got|ve|my|his|her|'s|suffer from|develop(?:ed)?"
        r"|is|the)\s)(?P<v>(?:[\w-]+\s){1,4}?)(?P<k>allergy|allergies|intolerance|sensitivity)\b(?"
        r"!\s(?:to|test|season|meds|medication))", _noun_allergy,
    ),
    anywhere(
        "allergy: to", "allergy allergies intolerance sensitivity reaction",
        r"\b(?P<k>allergy|allergies|intolerance|sensitivity|reaction)\sto\s{V}", lambda m, c, h: _allergy(
        "intolerance" if m["k"] in ("intolerance", "sensitivity") else "allergy", m, c, h) if h.person != NOBODY
        else [],
    ),
    anywhere(
        "intolerance: makes ill", "brings bring makes make gives give sends send gets upsets upset kills wrecks"
        " wreck destroys destroy",
        r"(?:^|,\s|\band\s|\bremember\s)\W*(?P<v>[a-z][\w' -]{2,40}?)\s(?:always |really"
        r" |usually )?(?P<h>(?:makes?|gets?) me (?:(?:ill|sick)(?! (?:with|to my stomach|of|just|thinking))|really ill|so sick|bloat\w*"
        r"|throw up|vomit|break out|itch\w*|swell|wheeze|sneeze)|gives? me (?:hives"
        r"|a rash|cramps|stomach\w*|the runs|heartburn|migraines|terrible cramps|awful"
        r" cramps|bad cramps|indigestion)|brings? me out in (?:hives|a rash|spots)"
        r"|sends? me to (?:the )?(?:er|hospital|a&e|emergency)|makes? my (?:lips|throat"
        r"|tongue|face|eyes) (?:swell|close|itch|tingle)\w*|upsets? my stomach|(?:wrecks?"
        r"|destroys?) my (?:stomach|gut))", _makes_ill,
    ),
)  # fmt: skip
