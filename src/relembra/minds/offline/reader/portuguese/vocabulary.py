"""Words the Portuguese rules are built from: ties, trades, creeds, ailments, and small bits of pattern.

Everything is flat (lower case, no accents). Lists are open-ended guesses at how people talk, not dictionaries.
"""

from __future__ import annotations

__all__ = [
    "ADVERBS",
    "CONDITION",
    "CREED",
    "DEMONYM",
    "DIET",
    "FAVORITES",
    "IN",
    "LANGUAGE",
    "MINE",
    "NUMBER",
    "PET",
    "RELATION",
    "TRADE",
    "VERY",
    "alternatives",
]


def alternatives(listed: str) -> str:
    """One group of all the words, longest first."""
    words = sorted({word.replace("_", r"\s") for word in listed.split()}, key=len, reverse=True)
    return f"(?:{'|'.join(words)})"


MINE = r"(?:meus?|minhas?|mha|nossos?|nossas?|mi[nñ]ha)"
IN = r"(?:em|no|na|nos|nas|num|numa|n)"
VERY = (
    r"(?:(?:muito|mto|mt|muita|mta|super|bem|meio|bastante|extremamente|realmente|tao|demais|"
    r"completamente|totalmente|um\spouco)\s)?"
)
ADVERBS = (
    r"(?:(?:e\sque|eh\sque|tambem|tb|tbm|ja|ainda|agora|hoje|hj|so|sempre|atualmente|realmente|"
    r"nunca|la|aqui|ai|que|q|se|me|nao|n|"
    r"sim|quase|ate|hoje\sem\sdia|no\smomento|alias|inclusive|ali|infelizmente|felizmente|finalmente|"
    r"tipo|geralmente|normalmente|acabou\sde|acaba\sde|recentemente|ontem|mesmo|mesma|so\sque|"
    r"ultimamente|vive|eu|"
    r"no\sentanto|por\sexemplo|na\sverdade)[\s,]+)"
)
NUMBER = (
    r"(?:\d{1,3}|um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|"
    r"quatorze|catorze|quinze|"
    r"dezesseis|dezessete|dezoito|dezenove|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|"
    r"oitenta|noventa)"
    r"(?:\se\s(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove))?|cem)"
)
_KIN = (
    "mae pai maezinha paizinho mamae papai irma irmao irmas irmaos maninha mana filha filho filhas "
    "filhos filhinha filhinho "
    "filhota filhote cacula primogenito primogenita esposa esposo mulher marido namorada namorado "
    "noiva noivo avo avos vo vovo "
    "avozinha neta neto netos netas netinha netinho tia tio tios tias prima primo primos primas "
    "sobrinha sobrinho sobrinhos "
    "sobrinhas sogra sogro sogros cunhada cunhado cunhados genro nora madrasta padrasto enteada "
    "enteado afilhada afilhado "
    "madrinha padrinho comadre compadre bisavo bisneta bisneto companheira companheiro parceira "
    "parceiro conjuge bebe gemeos "
    "gemeas pais crush ficante ex ex-namorada ex-namorado ex-marido ex-mulher ex-esposa ex-noivo "
    "ex-noiva ex-chefe ex-socio "
    "ex-sogra irmazinha irmaozinho irma-gemea meia-irma meio-irmao miuda miudo puto mainha painho "
    "voinha voinho vozinha vozinho oma nonna nonno nona nono paizao maezona gemea gemeo mozao mozinho mozi mor boy "
    "bofe conge titia titio dinda dindo manin irmaozao tia-avo tio-avo bisa biso filhao filhona guri "
    "guria pia moleque moleca pirralho pirralha bacuri cria caculinha rebento guris gurias netinhos "
    "filhinhos filhinhas bebes enteadas afilhados afilhadas namo"
)
_TIES = (
    "amiga amigo amigos amigas chefe colega colegas vizinha vizinho socia socio patroa patrao "
    "professora professor prof "
    "medica medico dentista terapeuta psicologa psicologo psiquiatra ginecologista cardiologista "
    "dermatologista pediatra "
    "nutricionista fisioterapeuta fisio personal treinador treinadora coach mentor mentora "
    "orientador orientadora gerente "
    "supervisor supervisora diretor diretora coordenador coordenadora lider gestor gestora "
    "estagiaria estagiario assistente "
    "secretaria funcionaria funcionario empregada diarista faxineira baba cabeleireira "
    "cabeleireiro manicure advogada "
    "advogado contador contadora corretor corretora aluna aluno roommate sindico sindica barbeiro "
    "mecanico veterinaria "
    "veterinario bff bestie parca parcinha brother truta migo miga amigao amigona amiguinha amiguinho "
    "camarada comparsa inquilina inquilino senhorio senhoria preceptor preceptora tutora tutor nutri "
    "endocrino endocrinologista ortopedista neurologista geriatra obstetra cuidadora cuidador pastor "
    "padre recrutadora recrutador ex-colega ex-aluna ex-aluno ex-vizinha ex-vizinho ex-patrao"
)
_PETS = (
    "cachorro cachorra cachorros cao caes cadela cadelinha cachorrinho cachorrinha doguinho gato "
    "gata gatos gatas gatinho "
    "gatinha cavalo egua passarinho papagaio calopsita periquito coelho coelha coelhinho hamster "
    "peixe peixinho tartaruga "
    "jabuti porquinho porquinho-da-india pet dog pitbull poodle pinscher vira-lata vira-latas "
    "labrador golden shih-tzu "
    "dachshund salsicha salsichinha viralatinha galinha galo cabra iguana furao canario felino bulldog beagle pastor-alemao caramelo "
    "bichano bichana labradora buldogue pastora yorkshire spitz lulu maltes pug husky rottweiler chihuahua dalmata siames siamesa persa "
    "maine-coon cacatua arara mula jumento potro bode ovelha pato sagui axolote betta porquinha calopsitas "
    "gatinhas gatinhos cachorrinhos cachorrinhas cachorras cadelas coelhos coelhas peixes passarinhos galinhas "
    "papagaios tartarugas jabutis periquitos cavalos cachorrona cachorrao catioro doguinha dogs pets lhasa"
)
RELATION = alternatives(f"{_KIN} {_TIES} {_PETS}")
PET = alternatives(_PETS)

_TRADES = (
    "medic[oa] enfermeir[oa] dentista professora? prof profe educadora? pedagog[oa] advogad[oa] "
    "engenheir[oa] arquitet[oa] "
    "programadora? desenvolvedora? dev devops designer jornalista publicitari[oa] contadora? "
    "contabilista economista "
    "administradora? psicolog[oa] psiquiatra terapeuta fisioterapeuta fisio nutricionista "
    "farmaceutic[oa] veterinari[oa] biolog[oa] "
    "quimic[oa] fisic[oa] matematic[oa] geolog[oa] geograf[oa] historiadora? sociolog[oa] "
    "antropolog[oa] filosof[oa] tradutora? "
    "interprete escritora? escrivao escriva poeta poetisa musicista music[oa] cantora? atriz ator "
    "bailarin[oa] dancarin[oa] "
    "cineasta fotograf[oa] pintora? escultora? artista artesa artesao costureir[oa] alfaiate "
    "estilista modelo maquiadora? "
    "cabeleireir[oa] barbeir[oa] manicure esteticista massagista tatuadora? cozinheir[oa] chef "
    "confeiteir[oa] padeir[oa] "
    "garcom garconete barman bartender barista sommelier motorista taxista caminhoneir[oa] motoboy "
    "entregadora? piloto pilota "
    "comissari[oa]_de_bordo aeromoca marinheir[oa] pescadora? agricultora? agronom[oa] "
    "fazendeir[oa] pecuarista jardineir[oa] "
    "pedreir[oa] pintor_de_paredes eletricista encanadora? canalizadora? mecanic[oa] soldadora? "
    "serralheir[oa] marceneir[oa] "
    "carpinteir[oa] torneir[oa] operari[oa] operadora? tecnic[oa] auxiliar assistente "
    "secretari[oa] recepcionista atendente "
    "vendedora? representante_comercial comerciante empresari[oa] empreendedora? "
    "empregad[oa]_domestica diarista faxineir[oa] "
    "porteir[oa] zeladora? sindic[oa] vigilante seguranca policial bombeir[oa] militar soldad[oa] "
    "sargento delegad[oa] "
    "juiz juiza promotora? defensora? procuradora? servidora? funcionari[oa]_public[oa] "
    "bancari[oa] corretora? "
    "consultora? analista gerente coordenadora? supervisora? diretora? gestora? lider ceo cto cfo "
    "cio rh estagiari[oa] "
    "aprendiz trainee bolsista pesquisadora? cientista_de_dados cientista professora_universitaria "
    "doutorand[oa] mestrand[oa] "
    "bibliotecari[oa] arquivista museolog[oa] assistente_social cuidadora? baba parteira doula "
    "podolog[oa] optometrista "
    "fonoaudiolog[oa] fono biomedic[oa] radiologista cirurgia cirurgiao anestesista pediatra "
    "obstetra ginecologista "
    "cardiologista dermatologista ortopedista oftalmologista neurologista oncologista "
    "endocrinologista geriatra "
    "personal_trainer personal treinadora? instrutora? atleta jogadora?_profissional arbitr[oa] "
    "tecnico_de_futebol "
    "streamer youtuber influenciadora? influencer social_media produtora? editora? redatora? "
    "roteirista revisora? diagramadora? "
    "ilustradora? animadora? ux product_manager product_owner scrum_master pm tech_lead freelancer "
    "freela autonom[oa] mei "
    "frentista caixa balconista acougueir[oa] feirante camelo ambulante estivador cobradora? "
    "maquinista topograf[oa] "
    "urbanista paisagista decoradora? cerimonialista promoter dj locutora? radialista "
    "apresentadora? reporter "
    "carteir[oa] despachante tabelia tabeliao escrevente leiloeir[oa] seguradora? atuari[oa] "
    "auditora? perit[oa] fiscal "
    "inspetora? merendeir[oa] padre freira pastora? missionari[oa] diplomata politic[oa] "
    "vereadora? deputad[oa] prefeit[oa] "
    "sapateir[oa] relojoeir[oa] joalheir[oa] ourives oleir[oa] ceramista apicultora? viticultora? "
    "enolog[oa] cervejeir[oa] "
    "dona_de_casa do_lar host hostess babysitter nanny doceira boleir[oa] salgadeira lojista "
    "coveir[oa] garimpeir[oa] "
    "astronom[oa] meteorologista oceanograf[oa] estatistic[oa] linguista arqueolog[oa] "
    "paleontolog[oa] genealogista "
    "guia_turistic[oa] guia agente_de_viagens agente_de_saude agente turismolog[oa] hoteleir[oa] "
    "camareir[oa] governanta mordomo "
    "sonoplasta cenograf[oa] figurinista perfumista florista mestre_de_obras mestre-cuca "
    "tabagista_profissional "
    "backend frontend fullstack full-stack data_scientist sysadmin dba tester qa growth copywriter "
    "gamer_profissional jovem_aprendiz menor_aprendiz sushiman oficial_de_justica guarda_municipal guarda_noturno "
    "empregad[oa]_de_\\w+ chefe_de_cozinha tech_recruiter recruiter head_de_\\w+ auxiliar_de_\\w+ operador_de_\\w+ uber"
)
_NO_TRADES = (
    "solteir[oa] inteir[oa] verdadeir[oa] brasileir[oa] mineir[oa] herdeir[oa] caseir[oa] parceir[oa] companheir[oa] "
    "primeir[oa] terceir[oa] festeir[oa] maneir[oa] baladeir[oa] fofoqueir[oa] noveleir[oa] cachaceir[oa] "
    "encrenqueir[oa] barraqueir[oa] bagunceir[oa] forasteir[oa] estrangeir[oa] caloteir[oa] passageir[oa] ligeir[oa] "
    "certeir[oa] faceir[oa] gripeir[oa] maconheir[oa] funkeir[oa] roqueir[oa] pagodeir[oa] forrozeir[oa] rueir[oa] "
    "arteir[oa] chocolateir[oa] cafeteir[oa] maneira brincadeira segunda-feira feira cadeira besteira canseira "
    "coleira carteira beira madeira geladeira fronteira zoeira bandeira asneira poeira cegueira coceira esteira "
    "perfeccionista otimista pessimista realista feminista machista egoista capitalista comunista socialista budista "
    "batista flamenguista petista bolsonarista metodista ativista minimalista altruista consumista adventista racista "
    "vista lista pista revista conquista mista entrevista calvinista taoista detalhista imediatista saudosista "
    "nacionalista monarquista anarquista satanista ambientalista exibicionista fatalista idealista narcisista "
    "sonhadora? trabalhadora? doadora? torcedora? consumidora? amadora? devedora? moradora? conhecedora? apreciadora? "
    "admiradora? sofredora? eleitora? leitora? portadora? senhora? autora? favor amor calor dor flor valor setor "
    "motor vapor rotor tumor humor pastor labrador computador notebook despertador celular ventilador liquidificador "
    "seguidora? espectadora? expectadora? lutadora? vencedora? perdedora? batalhadora? observadora? procrastinadora? "
    "colecionadora? conservadora? moderadora? sabotadora? inovadora? encantadora? acolhedora? sedutora? tenora? "
    "gastadora? faladora? dormidora? superdotadora? devoradora? bebedora? comedora? jogadora? hora agora fora senhora "
    "solitari[oa] universitari[oa] otari[oa] usuari[oa] proprietari[oa] sedentari[oa] contrari[oa] destinatari[oa] "
    "beneficiari[oa] voluntari[oa] secundari[oa] temporari[oa] vegetari[oa] visionari[oa] necessari[oa] primari[oa] "
    "locatari[oa] arbitrari[oa] ordinari[oa] extraordinari[oa] salari[oa] aniversari[oa] horari[oa] cenari[oa] "
    "comentari[oa] diari[oa] vari[oa] armari[oa] calendari[oa] dicionari[oa] autari[oa] celibatari[oa] "
    "multimilionari[oa] milionari[oa] bilionari[oa] imaginari[oa] precari[oa] solidari[oa] libertari[oa] "
    "majoritari[oa] minoritari[oa] fiadora? credora? provedora? tutora? genitora? pecadora? madrugadora? corredora? nadadora? "
    "navegadora? umbandista candomblecista kardecista paulista gremista santista turista protagonista ciclista surfista "
    "skatista alpinista maratonista enxadrista motociclista marxista lulista colecionista nudista sulista nortista "
    "autodidata contribuinte benfeitora? seguradora? ganhadora? lavadora? secadora? impressora? operadora? editora "
    "transportadora incorporadora distribuidora produtora emissora gravadora locadora financeira empreiteira cafeteira "
    "torneira mangueira lixeira mochileir[oa] interior exterior menor maior melhor pior superior inferior anterior"
)
_OPEN_TRADE = rf"(?!{alternatives(_NO_TRADES)}s?(?![a-z-]))[a-z]{{3,}}(?:eir[oa]|ista|[dst]ora?|olog[oa]|ograf[oa]|ari[oa]|euta|iatra)"
TRADE = rf"(?:{alternatives(_TRADES)}|{_OPEN_TRADE})(?![a-z-])"
"""Trades known by name, and words with the ending of one that are nothing else."""

DEMONYM = alternatives(
    "brasileir[oa] portugues portuguesa angolan[oa] mocambican[oa] cabo-verdian[oa] argentin[oa] "
    "chilen[oa] uruguai[oa] "
    "uruguay[oa] paraguai[oa] bolivian[oa] peruan[oa] colombian[oa] venezuelan[oa] mexican[oa] "
    "cuban[oa] haitian[oa] american[oa] "
    "canadense espanhola? frances francesa ingles inglesa alemao alema italian[oa] suic[oa] "
    "holandes holandesa belga russ[oa] "
    "ucranian[oa] polones polonesa romen[oa] greg[oa] turc[oa] japones japonesa chines chinesa "
    "corean[oa] indian[oa] siri[oa] "
    "libanes libanesa israelense palestin[oa] egipci[oa] nigerian[oa] senegales senegalesa "
    "marroquin[oa] australian[oa] "
    "neozelandes neozelandesa irlandes irlandesa escoces escocesa sueco sueca noruegues norueguesa "
    "dinamarques dinamarquesa "
    "finlandes finlandesa austriac[oa] tchec[oa] hungar[oa] equatorian[oa] costarriquenh[oa] "
    "dominican[oa] sul-african[oa]"
)
CREED = alternatives(
    "catolic[oa] catolic[oa]_praticante evangelic[oa] protestante crente espirita kardecista "
    "umbandista candomblecista budista "
    "judeu judia muculman[oa] hindu ateu ateia agnostic[oa] cristao crista adventista batista "
    "mormon testemunha_de_jeova "
    "presbiterian[oa] luteran[oa] metodista wiccan[oa] wicca messianic[oa] ortodox[oa] taoista "
    "pentecostal do_candomble "
    "da_umbanda da_assembleia_de_deus seicho-no-ie rastafari pag[ao] espiritualista assembleian[oa] anglican[oa] "
    "islamic[oa] xintoista bahai deista calvinista macumbeir[oa]"
)
DIET = alternatives(
    "vegan[oa] vegetarian[oa] ovolactovegetarian[oa] ovolacto pescetarian[oa] piscitarian[oa] "
    "flexitarian[oa] carnivor[oa] "
    "low_carb low-carb lowcarb cetogenic[oa] crudivor[oa] macrobiotic[oa] frugivor[oa]"
)
LANGUAGE = alternatives(
    "ingles espanhol frances alemao italiano japones chines mandarim coreano russo arabe hebraico "
    "latim grego holandes sueco "
    "noruegues dinamarques polones turco hindi libras esperanto catalao galego romeno ucraniano "
    "guarani tupi portugues "
    "lingua_gestual ioruba quimbundo crioulo finlandes tcheco hungaro vietnamita tailandes portunhol braille "
    "hunsrik hunsriqueano pomerano talian mirandes tetum umbundu kimbundu lingala suaili basco servio croata bulgaro "
    "persa farsi urdu bengali indonesio malaio tagalo africaner islandes lituano quechua aimara nheengatu kaingang "
    "iidiche lingua_de_sinais armenio albanes cantones"
)

CONDITION = alternatives(
    "diabetes_tipo_[12] diabetes pre-diabetes diabete hipertensao pressao_alta pressao_baixa asma "
    "bronquite rinite sinusite enxaqueca enxaquecas "
    "gastrite refluxo ulcera colite crohn doenca_de_crohn retocolite "
    "sindrome_do_intestino_irritavel intestino_irritavel "
    "endometriose sop ovario_policistico ovarios_policisticos mioma hipotireoidismo "
    "hipertireoidismo hashimoto tireoidite "
    "tireoide lupus artrite artrose fibromialgia osteoporose escoliose lordose hernia bursite "
    "tendinite ldr lombalgia "
    "ciatica ciatico depressao ansiedade tag toc tdah tept bipolaridade transtorno borderline "
    "esquizofrenia autismo tea panico "
    "sindrome burnout insonia apneia narcolepsia epilepsia parkinson alzheimer demencia esclerose "
    "cancer leucemia linfoma tumor "
    "anemia hemofilia trombose arritmia insuficiencia marcapasso sopro cardiopatia colesterol "
    "triglicerides gordura_no_figado "
    "hepatite cirrose pedra pedras calculo_renal glaucoma catarata miopia astigmatismo "
    "hipermetropia daltonismo ceratocone "
    "labirintite zumbido psoriase dermatite vitiligo eczema acne rosacea herpes hiv aids "
    "doenca_celiaca celiaca lipedema "
    "varizes gota claustrofobia fobia agorafobia bulimia anorexia compulsao dislexia gagueira "
    "surdez perda_auditiva "
    "fascite condromalacia hanseniase tuberculose chagas malaria dengue_hemorragica pcd paralisia "
    "avc derrame infarto "
    "marca-passo protese doenca problema_cardiaco "
    "problema_renal enfisema "
    "dpoc hidradenite urticaria talassemia anemia_falciforme esporao hemorroida hemorroidas "
    "diverticulite vesicula nodulo cisto "
    "hpv sifilis fibrose neuropatia neuralgia miastenia vertigem disautonomia prolapso "
    "altas_habilidades superdotacao "
    "baixa_visao cegueira deficiencia epicondilite sinovite torcicolo"
)

FAVORITES = {
    "cor": "color",
    "comida": "food",
    "prato": "food",
    "sobremesa": "dessert",
    "doce": "dessert",
    "fruta": "fruit",
    "filme": "movie",
    "serie": "series",
    "livro": "book",
    "autor": "author",
    "autora": "author",
    "escritor": "author",
    "escritora": "author",
    "banda": "band",
    "cantor": "singer",
    "cantora": "singer",
    "artista": "artist",
    "musica": "song",
    "time": "team",
    "clube": "team",
    "lugar": "place",
    "sitio": "place",
    "cidade": "city",
    "pais": "country",
    "praia": "place",
    "bebida": "drink",
    "cerveja": "drink",
    "vinho": "drink",
    "cha": "drink",
    "jogo": "game",
    "game": "game",
    "estacao": "season",
    "animal": "animal",
    "bicho": "animal",
    "esporte": "sport",
    "desporto": "sport",
    "hobby": "hobby",
    "materia": "subject",
    "disciplina": "subject",
    "pizza": "pizza",
    "sabor": "flavor",
    "sorvete": "ice_cream",
    "podcast": "podcast",
    "programa": "show",
    "anime": "anime",
    "ator": "actor",
    "atriz": "actor",
    "diretor": "director",
    "poeta": "poet",
    "flor": "flower",
    "numero": "number",
    "genero": "genre",
    "restaurante": "restaurant",
    "dia": "day",
    "mes": "month",
    "feriado": "holiday",
    "album": "album",
    "disco": "album",
    "marca": "brand",
    "perfume": "perfume",
    "personagem": "character",
    "palavra": "word",
    "passatempo": "hobby",
    "lanche": "snack",
    "queijo": "cheese",
    "massa": "pasta",
    "carro": "car",
    "novela": "show",
    "desenho": "cartoon",
    "parque": "place",
    "canal": "channel",
    "jogador": "player",
    "piloto": "driver",
    "refri": "drink",
    "refrigerante": "drink",
    "drink": "drink",
    "suco": "drink",
    "salgado": "snack",
    "bolo": "dessert",
    "seriado": "series",
    "cancao": "song",
    "som": "song",
    "rapper": "singer",
    "mc": "singer",
    "dupla": "band",
    "ritmo": "genre",
    "epoca": "season",
    "festa": "holiday",
    "raca": "breed",
    "sanduiche": "food",
    "petisco": "snack",
    "tempero": "spice",
    "bairro": "place",
    "museu": "place",
    "viagem": "trip",
    "youtuber": "channel",
    "manga": "manga",
    "hq": "comic",
    "modalidade": "sport",
}
