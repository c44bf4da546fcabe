"""Topics nearest to a person: body, mood, people and animals, faith, looks, and who one is."""

from __future__ import annotations

from relembra.domain.knowledge import KnowledgeType as Type
from relembra.domain.knowledge import LifeArea as Area
from relembra.minds.offline.inquiry.topic import Topic

__all__ = ["TOPICS_OF_PEOPLE"]

TOPICS_OF_PEOPLE = (
    Topic(
        name="food",
        portuguese="""
        comida comer comi comeu come comem comia comemos comendo jantar janta almoco almocar cafe cafe_da_manha lanche
        lanchar ceia refeicao marmita receita cozinhar cozinheiro restaurante lanchonete padaria boteco churrasco
        churrascaria pizza pizzaria hamburguer sushi massa macarrao lasanha arroz feijao feijoada carne frango peixe
        camarao ovo queijo presunto pao bolo doce sobremesa chocolate sorvete brigadeiro fruta banana maca laranja
        morango abacate legume verdura salada sopa tempero coentro cebola alho pimenta sal acucar gluten lactose leite
        manteiga azeite vegetariano vegetariana vegano vegana dieta cardapio prato bebida beber bebo bebeu bebi bebia
        cerveja vinho suco refrigerante cha fome gastronomia delivery ifood mercado supermercado feira acai tapioca
        coxinha pastel ingrediente amendoim nozes
        """,
        english="""
        food eat eating ate meal meals dinner lunch breakfast brunch supper snack recipe cook cooking bake baking
        baked restaurant diner cafe bakery pizza burger sushi pasta noodles lasagna rice beans meat beef pork chicken
        fish shrimp seafood egg eggs cheese ham bread cake cookie cookies dessert sweets chocolate ice_cream fruit
        apple banana orange strawberry avocado vegetable vegetables salad soup spice spices cilantro onion garlic
        pepper salt sugar gluten lactose milk butter vegetarian vegan diet menu dish dishes drink drinks beer wine
        juice soda tea coffee cocktail hungry cuisine takeout grocery groceries supermarket ingredient ingredients
        peanut peanuts nuts smoothie barbecue bbq keto
        """,
        types=(Type.PREFERENCE, Type.FACT),
        areas=(Area.HEALTH, Area.LEISURE),
    ),
    Topic(
        name="health",
        portuguese="""
        saude medico medica doutor doutora hospital clinica consulta exame exame_de_sangue remedio medicamento
        medicacao comprimido vitamina suplemento antibiotico vacina doente doenca sintoma dor dores febre gripe
        resfriado tosse covid alergia alergico alergica asma rinite sinusite diabetes diabetico pressao_alta
        pra_pressao colesterol peso pesar pesei pesava peso_corporal emagrecer engordar emagreci engordei imc dieta
        dormir dormi dormido durmo sono insonia cirurgia operacao fratura lesao machuquei dentista dente ortodontista
        oftalmologista oculos miopia fisioterapia fisioterapeuta nutricionista dermatologista cardiologista
        ginecologista gravidez gravida menstruacao enxaqueca dor_de_cabeca coluna joelho gastrite refluxo anemia
        tireoide hormonio cancer quimioterapia intolerancia intolerante plano_de_saude sus fumar cigarro fumante
        tipo_sanguineo altura diagnostico tratamento
        """,
        english="""
        health healthy doctor doctors hospital clinic checkup medical medicine medication medications meds pill pills
        vitamin vitamins supplement supplements antibiotic vaccine sick ill illness disease symptom symptoms pain hurt
        ache headache headaches migraine fever flu cold cough covid allergy allergies allergic asthma diabetes
        diabetic blood_pressure cholesterol weight weigh weighed diet sleep slept sleeping insomnia surgery operation
        fracture injury injured dentist dental tooth teeth orthodontist optometrist eyeglasses physiotherapy
        physical_therapy physiotherapist nutritionist dermatologist cardiologist gynecologist pregnancy pregnant
        period_cramps back_pain knee gastritis reflux anemia thyroid hormone cancer chemo chemotherapy intolerance
        intolerant health_insurance smoke smoking cigarette smoker blood_type height diagnosis diagnosed treatment
        prescription dose dosage
        """,
        types=(Type.FACT, Type.MEMORY),
        areas=(Area.HEALTH,),
    ),
    Topic(
        name="sport",
        portuguese="""
        esporte esportivo academia treino treinar treinei musculacao crossfit pilates ioga yoga corrida correr corro
        corri maratona meia_maratona natacao nadar nado nadei nadou nadava ciclismo pedalar pedalei futebol futsal
        basquete volei tenis_de_mesa jogar_tenis tenis_de_corrida joguei_bola bola luta boxe judo jiu-jitsu muay
        karate surfe surfar skate trilha caminhada caminhar escalada exercicio alongamento campeonato torneio copa
        mundial olimpiada olimpico time_de_futebol torcer torco torcida flamengo corinthians palmeiras atleta
        tecnico_do_time personal_trainer gol estadio remo triatlo medalha
        """,
        english="""
        sport sports gym workout workouts exercise exercises exercising training crossfit pilates yoga run runs
        running ran jog jogging marathon half_marathon race swim swimming swam cycling biking bike_ride football
        soccer basketball volleyball baseball softball tennis golf hockey cricket rugby boxing judo karate jiu-jitsu
        martial_arts surf surfing skateboard skiing snowboarding hike hikes hiking climbing stretching stretches
        championship tournament league world_cup olympics olympic athlete coach personal_trainer stadium rowing
        triathlon treadmill weightlifting deadlift bench_press fitness steps medal
        """,
        types=(Type.MEMORY, Type.FACT, Type.GOAL),
        areas=(Area.HEALTH, Area.LEISURE),
    ),
    Topic(
        name="mood",
        portuguese="""
        humor triste tristeza chorar chorei feliz felicidade alegre alegria ansioso ansiosa ansiedade estressado
        estressada estresse nervoso nervosa preocupado preocupada preocupacao medo pavor raiva irritado irritada bravo
        frustrado frustrada frustracao culpa vergonha sozinho sozinha solidao solitario deprimido deprimida depressao
        desanimado desanimada animado animada empolgado cansado cansada exausto exausta esgotado burnout panico trauma
        luto saudade terapia terapeuta psicologo psicologa psiquiatra autoestima inseguro insegura sentimento sentindo
        sentir sinto senti emocao emocional desabafar desabafo angustia calmo calma gratidao meditar meditacao
        """,
        english="""
        mood sad sadness cry crying cried happy happiness joy joyful anxious anxiety stressed stress stressful nervous
        worried worry worries fear afraid scared angry anger mad irritated upset frustrated frustration guilt guilty
        ashamed shame lonely loneliness depressed depression discouraged excited thrilled tired exhausted drained
        burnout burned_out panic trauma grief grieving therapy therapist psychologist psychiatrist counselor
        self-esteem insecure feel feeling feelings felt emotion emotions emotional vent venting overwhelmed calm
        gratitude meditate meditation mindfulness homesick mental_health coping
        """,
        types=(Type.EMOTION, Type.INSIGHT, Type.MEMORY),
        areas=(Area.MENTAL_HEALTH,),
    ),
    Topic(
        name="family",
        portuguese="""
        familia familiar parente parentes mae mamae pai papai pais irmao irma irmaos irmas filho filha filhos filhas
        bebe avo vo vovo vovó neto neta netos tio tia tios tias primo prima primos sobrinho sobrinha cunhado cunhada
        sogro sogra genro nora padrasto madrasta enteado enteada padrinho madrinha afilhado afilhada gemeos cacula
        primogenito crianca criancas maternidade paternidade
        """,
        english="""
        family relative relatives mother mom mum mommy father dad daddy parent parents brother brothers sister sisters
        sibling siblings son sons daughter daughters child children kid kids baby grandmother grandma grandfather
        grandpa grandparents grandson granddaughter grandkids uncle uncles aunt aunts cousin cousins nephew nephews
        niece nieces in-law in-laws brother-in-law sister-in-law mother-in-law father-in-law stepfather stepmother
        stepson stepdaughter godfather godmother godson twins newborn toddler parenting
        """,
        types=(Type.PERSON, Type.FACT, Type.MEMORY),
        areas=(Area.RELATIONSHIPS,),
    ),
    Topic(
        name="love",
        portuguese="""
        namorado namorada namoro namorar namorando namoravamos noivo noiva noivado marido esposa esposo mulher_dele
        minha_mulher casamento casar casei casado casada casamos divorcio divorciado divorciada separacao separei
        termino terminei_com ex-namorado ex-namorada ex-marido ex-mulher meu_ex minha_ex paquera paquerar crush
        ficante ficar_com encontro_romantico primeiro_encontro tinder bumble amor apaixonado apaixonada paixao beijo
        beijar ciume ciumes traicao trair relacionamento romance romantico solteiro solteira companheiro companheira
        lua_de_mel flerte
        """,
        english="""
        boyfriend girlfriend dating fiance fiancee engaged engagement husband wife spouse partner marriage married
        marry wedding divorce divorced breakup break-up broke_up break_up breaking_up ex-boyfriend ex-girlfriend
        ex-husband ex-wife my_ex crush first_date tinder bumble hinge love_life in_love romance romantic kiss kissed
        jealous jealousy cheated cheating relationship relationships single_life anniversary honeymoon bridesmaid
        groom bride flirt flirting propose proposal soulmate
        """,
        types=(Type.PERSON, Type.FACT, Type.MEMORY),
        areas=(Area.RELATIONSHIPS,),
    ),
    Topic(
        name="friends",
        portuguese="""
        amigo amiga amigos amigas amizade melhor_amigo melhor_amiga colega colegas vizinho vizinha vizinhos galera
        turma parceiro_de conhecido conhecidos brother parca camarada role rolezinho sair_com grupo_de_amigos
        roda_de_amigos panelinha convidar convidei convidado convidados briguei brigamos reencontro reencontrei
        """,
        english="""
        friend friends friendship best_friend bestie buddy buddies pal pals mate mates colleague colleagues coworker
        coworkers neighbor neighbors neighbour neighbours roommate roommates flatmate acquaintance hang_out
        hanging_out hung_out invite invited guests reunion classmate classmates
        """,
        types=(Type.PERSON, Type.FACT, Type.MEMORY),
        areas=(Area.RELATIONSHIPS,),
    ),
    Topic(
        name="pets",
        portuguese="""
        cachorro cachorra cachorrinho cao caes cadela filhote gato gata gatinho gatinha felino canino pet pets bicho
        bichinho animal animais bicho_de_estimacao animal_de_estimacao passaro passarinho papagaio calopsita periquito
        hamster coelho tartaruga jabuti peixinho aquario veterinario veterinaria racao coleira petshop pet_shop
        vira-lata poodle labrador golden_retriever pinscher siames adestrar adestramento castrar castracao cavalo
        """,
        english="""
        dog dogs puppy puppies cat cats kitten kittens pet pets animal animals bird parrot cockatiel parakeet hamster
        rabbit bunny turtle tortoise goldfish aquarium vet veterinarian leash collar kibble litter breed poodle
        labrador retriever beagle bulldog siamese terrier spayed neutered horse guinea_pig walk_the_dog shelter_dog
        """,
        types=(Type.FACT, Type.PERSON, Type.MEMORY),
        areas=(Area.RELATIONSHIPS, Area.LEISURE),
    ),
    Topic(
        name="faith",
        portuguese="""
        deus jesus fe igreja missa culto rezar rezo rezei oracao orar oro orei biblia catolico catolica evangelico
        evangelica espirita espiritismo umbanda candomble budista budismo judeu judaica judaismo muculmano islamismo
        islamica mesquita templo sinagoga ateu ateia agnostico religiao religioso religiosa espiritual espiritualidade
        pastor padre santo santa_missa promessa_ao_santo alma reencarnacao signo astrologia horoscopo ascendente
        mapa_astral taro batizado batismo catequese
        """,
        english="""
        god jesus faith church mass_service sunday_mass pray prays prayed praying prayer prayers bible catholic
        christian protestant evangelical spiritist buddhist buddhism jewish judaism muslim islam mosque temple
        synagogue atheist agnostic religion religious spiritual spirituality pastor priest saint soul reincarnation
        zodiac astrology horoscope birth_chart tarot baptism baptized scripture worship rosary hindu hinduism sermon
        """,
        types=(Type.FACT, Type.INSIGHT),
        areas=(Area.SPIRITUALITY,),
    ),
    Topic(
        name="looks",
        portuguese="""
        roupa roupas vestir visto vestido camisa camiseta blusa calca bermuda shorts saia casaco jaqueta moletom terno
        gravata sapato sapatos tenis sandalia chinelo bota botas bolsa mochila cinto meia_calca oculos_de_sol brinco
        colar pulseira anel relogio_de_pulso moda estilo look cabelo corte_de_cabelo cabeleireiro barba barbeiro
        maquiagem batom esmalte unha unhas manicure perfume tatuagem piercing pele hidratante shampoo numero_que_calco
        calco tamanho_de_roupa
        """,
        english="""
        clothes clothing outfit outfits wear wearing wore dress dresses shirt shirts t-shirt blouse pants jeans shorts
        skirt coat jacket hoodie sweater suit tie shoe shoes sneakers sandals boots purse handbag belt socks
        sunglasses earrings necklace bracelet ring jewelry wristwatch fashion style hair haircut hairdresser beard
        barber makeup lipstick nail_polish manicure perfume cologne tattoo tattoos piercing skincare moisturizer
        shampoo shoe_size shirt_size
        """,
        types=(Type.PREFERENCE, Type.FACT),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="celebrations",
        portuguese="""
        aniversario aniversarios festa festas festinha comemorar comemoracao comemorei niver presente presentes
        presentear bolo_de_aniversario formatura natal ano_novo reveillon pascoa carnaval dia_das_maes dia_dos_pais
        dia_dos_namorados festa_junina casamento cha_de_bebe debutante amigo_secreto convite brinde bodas
        """,
        english="""
        birthday birthdays bday party parties celebrate celebration celebrated gift gifts presents present_for
        graduation christmas thanksgiving halloween easter hanukkah wedding baby_shower bachelorette anniversary
        invitation toast secret_santa mother's_day father's_day valentine new_year's_eve housewarming
        """,
        types=(Type.PERSON, Type.FACT, Type.MEMORY),
        areas=(Area.RELATIONSHIPS, Area.LEISURE),
    ),
    Topic(
        name="identity",
        portuguese="""
        nome nomes sobrenome apelido me_chamo chamo idade anos_eu_tenho quantos_anos nasci nasceu nascimento
        nacionalidade brasileiro portugues_de_nascimento naturalidade cidade_natal cpf rg passaporte documento
        data_de_nascimento telefone numero_de_telefone e-mail email contato pronome pronomes genero canhoto destro
        """,
        english="""
        name names surname nickname last_name middle_name maiden age old_am how_old born birthplace hometown
        nationality citizenship passport ssn id_number birth_date date_of_birth phone_number email contact pronouns
        gender left-handed right-handed ethnicity
        """,
        types=(Type.FACT, Type.PERSON),
        areas=(),
    ),
)
