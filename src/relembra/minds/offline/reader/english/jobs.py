"""Names of professions, and how one is read out of what follows "I'm a"."""

from __future__ import annotations

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.english.words import clean

__all__ = ["JOB", "JOBS", "STOP_JOB", "job_of"]

JOBS = listed(
    "accountant actor actress actuary administrator advisor adviser agent analyst"
    " anaesthetist anesthesiologist animator"
    " anthropologist apprentice archaeologist architect archivist artist assistant"
    " astronomer athlete attorney auditor author"
    " bailiff baker banker barber barista barrister bartender beautician beekeeper biologist bookkeeper bookseller boss"
    " bouncer brewer bricklayer broker builder butcher butler buyer captain cardiologist"
    " caregiver carer caretaker carpenter cashier"
    " caterer ceo cfo cto chaplain chauffeur chef chemist chiropractor choreographer"
    " civil-servant cleaner clerk coach cobbler coder"
    " colonel comedian composer conductor constable consultant contractor controller"
    " cook coordinator copywriter counsellor counselor courier"
    " curator dancer dealer dean dentist dermatologist designer detective developer"
    " dietitian dietician director dispatcher diver dj"
    " doctor doorman doula draughtsman dressmaker driver ecologist economist editor"
    " electrician engineer entrepreneur epidemiologist"
    " estate-agent executive fabricator farmer filmmaker financier firefighter fisherman"
    " fishmonger fitter florist foreman forester"
    " founder freelancer gardener gastroenterologist geographer geologist glazier"
    " goldsmith grocer groomer groundskeeper guard guide gynaecologist"
    " hairdresser hairstylist handyman headteacher historian homemaker hostess housekeeper"
    " housewife hygienist illustrator inspector"
    " installer instructor intern interpreter inventor investigator janitor jeweler"
    " jeweller joiner journalist judge keeper"
    " laborer labourer landscaper lawyer lecturer librarian lifeguard linguist locksmith"
    " logistician machinist magician maid"
    " mailman manager marketer mason masseur masseuse mathematician mechanic mediator"
    " medic merchant meteorologist microbiologist"
    " midwife miner minister model mortician musician nanny neurologist novelist nurse"
    " nutritionist obstetrician officer oncologist"
    " operator optician optometrist orthodontist osteopath paediatrician painter palaeontologist"
    " paralegal paramedic pastor pathologist"
    " pediatrician performer pharmacist philosopher phlebotomist photographer physician"
    " physicist physio physiotherapist pianist pilot planner plasterer"
    " plumber podiatrist poet policeman policewoman politician porter postdoc postman"
    " potter priest principal printer producer prof professor"
    " programmer projectionist psychiatrist psychologist psychotherapist publicist"
    " publisher purchaser radiographer radiologist realtor"
    " receptionist recruiter referee registrar repairman reporter representative rep"
    " researcher retailer roofer runner sailor salesman"
    " salesperson saleswoman scaffolder scheduler scientist sculptor seamstress secretary"
    " seller sergeant server sheriff shepherd shipbuilder"
    " shopkeeper singer social-worker sociologist soldier solicitor specialist statistician"
    " stewardess steward stockbroker strategist"
    " streamer student stylist superintendent supervisor surgeon surveyor tailor tattooist"
    " teacher technician technologist telemarketer"
    " teller therapist tiler toolmaker trader trainee trainer translator trucker tutor"
    " typist umpire underwriter undertaker upholsterer"
    " usher valet vet veterinarian vicar violinist vp waiter waitress warden watchmaker"
    " weaver webdesigner welder woodworker worker"
    " writer youtuber zookeeper zoologist sysadmin dba devops qa sdet pm swe ta cna"
    " emt gp paediatrician coo cmo ops hr cop"
    " dev hand ranger lead head partner associate owner co-founder cofounder operative"
    " picker packer technologist ux-designer temp grad"
    " team-leader group-leader scout-leader crew-leader shift-leader sommelier sweep"
    " tester fitter umpire docker stevedore roadie groom jockey milkman binman dustman"
    " ferryman cabbie busker childminder scaffolder rigger driller deckhand bosun"
    " drummer guitarist bassist cellist ceramicist taxidermist arborist stuntman ghostwriter"
    " columnist cartoonist proofreader subtitler milliner cooper thatcher stonemason"
    " gravedigger embalmer walker croupier bookmaker auctioneer conveyancer notary"
    " magistrate marine submariner diplomat lobbyist fundraiser missionary nun monk"
    " imam deacon flight-attendant cabin-crew dog-walker au-pair tree-surgeon air-traffic-control"
    "ler civil-engineer hatter glassblower perfumer restorer bookbinder printmaker"
    " illustrator podcaster influencer blogger vlogger critic reviewer demonstrator"
    " checker assembler moulder turner machinist polisher sprayer valeter grader sorter"
    " forager trapper gamekeeper shearer milker fruit-picker beautician manicurist"
    " aesthetician barmaid barman bellhop concierge doorman hotelier innkeeper landlord"
    " restaurateur baker patissier pastry-chef chocolatier cheesemaker brewer distiller"
    " winemaker vintner miller ironworker pipefitter steelworker boilermaker millwright"
    " lineman linesman glazier roofer paver tiler plumber sous-chef dishwasher busboy"
    " busser mixologist chandler roaster luthier farrier blacksmith saddler botanist"
    " anthropologist virologist neurosurgeon treasurer chairman chairwoman chairperson churchwarden"
    " trustee councillor governor mayor headmaster headmistress postmaster matron orderly"
)


JOB = rf"(?:{'|'.join(sorted((w.replace('-', ' ') for w in JOBS), key=len, reverse=True))})"


_HEAD_NOUN = re.compile(
    rf"^(?:[\w'/&+.#-]+ ){{0,4}}?(?:{JOB}|\w{{3,}}(?:ologist|ographer|smith|wright|maker"
    rf"|monger|keeper|therapist|scientist|ician(?<!politician)))s?(?:[- /]{JOB})?\b(?:"
    rf" (?:of|in) \w+(?: \w+)?)?"
)


_NOT_JOB = re.compile(
    r"^(?:good|great|bad|big|huge|terrible|better|natural|decent|fast|slow|heavy|light"
    r"|picky|sucker|keen|avid|proud|happy|sad|morning|night owl|huge|former|ex|real"
    r"|total|complete|early|"
    r"chain|big|poor|horrible|awful|amazing|lousy|nervous|careful|excellent|regular"
    r"|keen|amateur|hobby|wannabe|aspiring|serious|social|budding|binge|home|frequent"
    r"|non)[- ](?:\w+ )?(?:"
    r"driver|cook|singer|dancer|swimmer|runner|reader|writer|sleeper|listener|smoker"
    r"|drinker|gamer|speaker|hand|head|judge|worker|owner|player|model|planner|keeper"
    r"|teacher|boss|parent|baker|painter|photographer|guitarist|musician|gardener|riser"
    r"|thinker|lead|partner|actor|actress|artist|chef|traveller|traveler)\b"
    r"|^(?:dog|cat|pet|home|car|house|business|cat|horse|motorbike|truck|iphone|homeowner"
    r"|tesla|season ticket|kidney|blood)s? (?:owner|holder|donor)|^(?:dance|night)"
    r" (?:partner)|^(?:hot|on|the|my|your|his|her) |^control|^(?:team|people) person"
    r"|\b(?:owner|head) of (?:a|the|my) (?:dog|cat|table)|admin"
)


_OBJECT = re.compile(
    r"\b(?:years|months|weeks|days|hours) of\b|\s(?:a|an|the|my|your|his|her|our|to|with|for|about|at|by|from|on)\s|^(?:worst"
    r"|best|only|same|bad|promoted|married|engaged|friends|hired|named|like|such)\b"
    r"|^(?!consulting|nursing|engineering|training|marketing|managing|acting|building"
    r"|mining|teaching|cleaning|boxing|swimming|dancing|riding"
    r"|climbing|driving|flying|visiting|practi[sc]ing|operating|recruiting|advertising"
    r"|lighting|planning|diving|founding|copywriting|catering"
    r"|accounting|banking|testing|trading|shipping|housekeeping|landscaping|plumbing"
    r"|roofing|welding|purchasing|licensing|casting|gaming|aspiring)[a-z]+ing\b"
)


STOP_JOB = (
    "at|for|with|from|by|who|that|on|working|living|based|so|in (?:a|an|the|my|our"
    "|this|london|paris|new|\\d+)|in [a-z]+|here|there|trying|looking|specializing"
    "|specialising|during|since|of \\d+|turned|because|w|w/|and|out|doing|full|part"
    "|about|over|under|right|back|when|near|making"
)


def job_of(text: str) -> str:
    """The profession in "senior nurse at the general": a noun we know, with what stands before it."""
    value = clean(text, stop=STOP_JOB, most=6)
    low = value.lower()
    found = _HEAD_NOUN.match(low)
    if not found or _NOT_JOB.search(low) or _OBJECT.search(found[0]):
        return ""
    value = value[: found.end()]
    return re.sub(
        r"^(?:(?:freaking|bloody|proud|qualified|full[- ]time|part[- ]time|only|simple"
        r"|humble|busy|good|professional|fully qualified|brand new|new|local|retired|former"
        r"|ex|certified|licensed|registered(?! nurse)) )+",
        "",
        value,
        flags=re.IGNORECASE,
    )
