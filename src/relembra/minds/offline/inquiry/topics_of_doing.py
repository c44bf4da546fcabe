"""Topics of what people do, own and want: work, money, home, journeys, pastimes and plans."""

from __future__ import annotations

from relembra.domain.knowledge import KnowledgeType as Type
from relembra.domain.knowledge import LifeArea as Area
from relembra.minds.offline.inquiry.topic import Topic

__all__ = ["TOPICS_OF_DOING"]

TOPICS_OF_DOING = (
    Topic(
        name="work",
        portuguese="""
        trabalho trabalhar trabalha trabalhei trabalhava trampo trampar emprego empregado desempregado empresa firma
        escritorio chefe gerente diretor patrao patroa equipe cargo profissao profissional carreira vaga entrevista
        entrevista_de_emprego curriculo contratado contratada contratar demitido demitida demissao demitir promocao
        promovido promovida reuniao reunioes projeto projetos prazo prazos cliente clientes estagio estagiario freela
        freelancer autonomo empreender empreendedor negocio startup sociedade socio socia home_office expediente turno
        plantao ferias_do_trabalho aposentar aposentadoria linkedin apresentacao planilha relatorio advogado advogada
        engenheiro engenheira programador programadora enfermeiro enfermeira
        """,
        english="""
        work works working worked job jobs career employer employee employed unemployed firm office boss manager
        director supervisor team_lead position profession professional occupation role_at interview interviews resume
        hired hire hiring fired laid_off layoff quit_my promotion promoted meeting meetings project projects deadline
        deadlines client clients internship intern freelance freelancer self-employed business startup entrepreneur
        home_office remote_work shift shifts retire retired retirement linkedin presentation spreadsheet report lawyer
        engineer engineering programmer nurse workplace workload coworking
        """,
        types=(Type.FACT, Type.GOAL, Type.MEMORY),
        areas=(Area.CAREER,),
    ),
    Topic(
        name="study",
        portuguese="""
        estudo estudar estudei estudando escola colegio faculdade universidade curso cursos cursei cursar aula aulas
        professor professora aluno aluna prova provas exame_final vestibular enem nota notas tcc tese dissertacao
        mestrado doutorado pos-graduacao graduacao diploma formei formado formada materia disciplina dever_de_casa
        aprender aprendi aprendendo idioma idiomas ingles lingua linguas falar_espanhol falar_frances fluente
        certificado certificacao concurso bolsa_de_estudo bolsa_de_estudos biblioteca matricula semestre matematica
        fisica quimica historia_da biologia duolingo
        """,
        english="""
        study studies studying studied school college university course courses class classes lecture teacher
        professor student tutor tutoring exam exams test_score grade grades gpa thesis dissertation master's masters
        phd doctorate degree diploma graduate graduated major minor_in homework assignment learn learning learned
        learnt language languages english_class speak_spanish speak_french fluent certificate certification
        scholarship library semester campus workshop webinar math physics chemistry biology duolingo bootcamp
        """,
        types=(Type.FACT, Type.GOAL, Type.MEMORY),
        areas=(Area.GROWTH, Area.CAREER),
    ),
    Topic(
        name="money",
        portuguese="""
        dinheiro grana salario renda ganho_por_mes gastar gasto gastos gastei paguei pagar pagamento conta_de
        conta_bancaria contas boleto fatura cartao cartao_de_credito cartao_de_debito banco nubank pix divida dividas
        dever_dinheiro emprestimo financiamento parcela parcelas juros investir investimento investimentos poupanca
        poupar economizar economia acoes bolsa_de_valores fundo_imobiliario tesouro_direto cdb cripto bitcoin
        orcamento imposto imposto_de_renda aluguel preco custo custou custa caro barato reais dolar dolares euros
        bonus aumento_de_salario financeiro financeira financas aposentadoria_privada reserva_de_emergencia seguro
        """,
        english="""
        money cash salary income earn earned paycheck wage spend spent spending pay paid payment bill bills invoice
        credit_card debit_card bank debt debts owe loan mortgage installment interest_rate compound_interest invest
        invested investing investment investments savings saving stocks stock_market etf 401k ira crypto bitcoin
        budget budgeting tax taxes rent price cost costs expensive cheap dollars dollar euros bonus raise financial
        finance finances pension emergency_fund insurance refund
        """,
        types=(Type.FACT, Type.GOAL, Type.MEMORY),
        areas=(Area.FINANCE,),
    ),
    Topic(
        name="shopping",
        portuguese="""
        comprar compra compras comprei compramos comprou loja lojas shopping presente presentes encomenda encomendei
        encomendar pedido_da_amazon amazon shopee mercado_livre aliexpress magalu promocao_de desconto cupom
        black_friday lista_de_desejos lista_de_compras vender vendi devolver devolucao entrega frete marca marcas
        produto produtos garantia
        """,
        english="""
        buy buying bought purchase purchased purchases shop shopping store stores mall gift gifts order_from i_order
        ordered amazon ebay etsy ikea walmart target_store costco discount coupon coupons sale black_friday wishlist
        shopping_list sell sold return_policy returned_the delivery shipping brand brands product products warranty
        """,
        types=(Type.PREFERENCE, Type.MEMORY, Type.FACT),
        areas=(Area.FINANCE, Area.LEISURE),
    ),
    Topic(
        name="home",
        portuguese="""
        casa lar apartamento ap apto ape kitnet morar moro mora moram morei morava moravamos moravam morando mudanca
        mudei_de_casa mudar_de_casa mudar_para endereco bairro rua cep condominio aluguel alugar aluguei imovel
        imoveis quarto sala_de_estar cozinha banheiro varanda quintal jardim garagem reforma reformar reformei moveis
        sofa cama geladeira fogao maquina_de_lavar ar_condicionado decoracao pintar_a_parede faxina faxineira limpeza
        lavar_roupa encanador eletricista vazamento chave_de_casa republica residencia predio andar_do
        """,
        english="""
        house home apartment flat condo studio_apartment live lives lived living_in moved moving move_to address
        neighborhood neighbourhood street zip_code landlord tenant rent renting rented real_estate bedroom living_room
        kitchen bathroom balcony backyard yard garage renovation renovate renovating remodel remodeling furniture sofa
        couch mattress fridge refrigerator stove oven washing_machine dishwasher air_conditioner decor decorate
        decorating cleaning housework laundry chores plumber electrician leak roof contractor house_keys residence
        reside housing
        """,
        types=(Type.FACT, Type.MEMORY),
        areas=(Area.RELATIONSHIPS, Area.FINANCE),
    ),
    Topic(
        name="travel",
        portuguese="""
        viagem viagens viajar viajei viajo viajamos viajando turismo turista ferias passagem passagens aviao voo voos
        aeroporto hotel hoteis pousada hostel airbnb hospedagem hospedar hospedei mala malas bagagem roteiro passeio
        passeios praia praias montanha paises exterior intercambio visto_americano mochilao cruzeiro excursao acampar
        acampamento camping europa lisboa paris londres roma toquio japao italia franca espanha portugal argentina
        chile nova_york orlando disney gramado fernando_de_noronha visitei conhecer_lugares destino destinos feriado
        feriadao road_trip
        """,
        english="""
        travel travels traveling travelling traveled travelled trip trips vacation vacations holiday_trip tourism
        tourist flight flights plane airport airline airlines hotel hotels hostel airbnb resort lodging suitcase
        luggage packing itinerary sightseeing beach beaches mountain_trip country countries abroad overseas visa
        backpacking cruise tour camping europe lisbon paris london rome tokyo kyoto japan italy france spain portugal
        hawaii thailand mexico_city disneyland destination destinations getaway road_trip jet_lag layover
        """,
        types=(Type.MEMORY, Type.PREFERENCE, Type.GOAL),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="transport",
        portuguese="""
        carro carros moto motos motocicleta bicicleta bike onibus metro trem uber taxi dirigir dirijo dirigi
        carteira_de_motorista cnh habilitacao gasolina etanol combustivel posto_de_gasolina oficina mecanico revisao
        pneu pneus motor placa_do ipva multa multas estacionamento estacionar estacionei transito engarrafamento
        patinete carona seguro_do_carro concessionaria seminovo
        """,
        english="""
        car cars motorcycle motorbike bicycle bike bikes bus subway train trains uber lyft taxi cab drive drives
        driving drove driver's_license license_plate gas_station gasoline fuel mileage mechanic tire tires engine
        oil_change parking parked traffic commute commuting scooter carpool car_insurance dealership vehicle vehicles
        truck
        """,
        types=(Type.FACT, Type.MEMORY),
        areas=(Area.LEISURE, Area.FINANCE),
    ),
    Topic(
        name="films",
        portuguese="""
        filme filmes cinema serie series temporada episodio episodios netflix hbo prime_video disney_plus streaming
        novela novelas documentario desenho_animado anime animes dorama assistir assisti assistindo assistimos assisto
        ator atriz atores diretor_de_cinema trailer televisao tv maratonar maratonei comedia_romantica filme_de_terror
        suspense ficcao_cientifica elenco oscar youtube canal podcast podcasts
        """,
        english="""
        movie movies film films cinema theater tv television show shows series season_finale episode episodes netflix
        hbo hulu disney_plus streaming documentary documentaries cartoon anime sitcom watch_tonight watched watching
        actor actress director_of_the trailer binge binge-watch rom-com thriller horror sci-fi cast_of oscar oscars
        youtube podcast podcasts marvel pixar
        """,
        types=(Type.PREFERENCE, Type.MEMORY),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="books",
        portuguese="""
        livro livros ler leio li lendo leitura leituras leitor romance_policial autor autora autores escritor
        escritora literatura poesia poema conto contos biografia audiolivro ebook kindle livraria sebo gibi quadrinhos
        manga mangas capitulo capitulos editora clube_do_livro pagina paginas
        """,
        english="""
        book books read reading reads novel novels author authors writer writers literature poetry poem poems
        short_story short_stories biography memoir audiobook audiobooks ebook kindle bookstore bookshop comic comics
        manga chapter chapters publisher book_club goodreads paperback pages
        """,
        types=(Type.PREFERENCE, Type.MEMORY),
        areas=(Area.LEISURE, Area.GROWTH),
    ),
    Topic(
        name="music",
        portuguese="""
        musica musicas musical musico cancao cancoes banda bandas cantor cantora cantar canto_no show_da show_do shows
        festival_de_musica rock_in_rio lollapalooza album albuns disco discos vinil spotify playlist playlists
        ouvir_musica violao guitarra piano teclado bateria baixo_eletrico flauta violino saxofone ukulele instrumento
        instrumentos samba pagode sertanejo funk mpb rock forro bossa_nova rap hip_hop jazz pop karaoke coral maestro
        letra_da_musica
        """,
        english="""
        music musical musician musicians song songs band bands singer singers sing singing sang concert concerts
        music_festival gig gigs album albums vinyl spotify playlist playlists guitar piano keyboard_player drums
        drummer bass_guitar flute violin cello saxophone ukulele instrument instruments rock_band rap hip_hop hip-hop
        jazz pop_music k-pop country_music karaoke choir orchestra lyrics melody
        """,
        types=(Type.PREFERENCE, Type.MEMORY),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="games",
        portuguese="""
        jogo jogos jogar videogame videogames game games gamer playstation ps4 ps5 xbox nintendo steam zerar zerei
        platinei platinar jogatina minecraft fortnite lol valorant fifa roblox the_sims zelda pokemon rpg dungeons
        tabuleiro jogo_de_tabuleiro xadrez baralho poker truco domino sudoku quebra-cabeca console speedrun
        """,
        english="""
        game games gaming gamer videogame videogames video_game video_games playstation ps4 ps5 xbox nintendo
        steam_deck minecraft fortnite valorant fifa roblox the_sims zelda pokemon rpg dungeons board_game board_games
        chess card_game card_games poker dominoes sudoku puzzle puzzles console speedrun esports
        """,
        types=(Type.PREFERENCE, Type.MEMORY),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="technology",
        portuguese="""
        computador computadores notebook laptop celular celulares smartphone iphone android samsung_galaxy tablet ipad
        fone_de_ouvido fones airpods camera impressora monitor_de teclado_mecanico mouse aplicativo aplicativos app
        apps software sistema_operacional windows linux macbook wifi wi-fi internet roteador senha senhas codigo
        codigos programar programacao python javascript github site sites servidor banco_de_dados
        inteligencia_artificial chatgpt robo impressao_3d whatsapp instagram tiktok rede_social redes_sociais hd
        pendrive bateria_do_celular
        """,
        english="""
        computer computers laptop laptops cellphone phone phones smartphone iphone android tablet ipad headphones
        earbuds airpods printer monitor_for mechanical_keyboard mouse app apps software operating_system
        windows_laptop linux macbook wifi wi-fi internet router password passwords code coding programming python
        javascript github website websites server database artificial_intelligence chatgpt robot 3d_printing whatsapp
        instagram tiktok social_media hard_drive usb gadget gadgets device devices
        """,
        types=(Type.FACT, Type.PREFERENCE),
        areas=(Area.LEISURE, Area.CAREER),
    ),
    Topic(
        name="hobbies",
        portuguese="""
        hobby hobbies passatempo tempo_livre lazer pintura pintei pintou pintar_quadros aquarela desenhar desenho
        desenhos fotografia fotografar fotos_que artesanato croche trico costura costurar bordado ceramica marcenaria
        jardinagem planta plantas horta suculenta orquidea colecao colecionar coleciono selos pesca pescar danca
        dancar teatro voluntario voluntariado origami astronomia observar_aves lego modelismo museu museus exposicao
        """,
        english="""
        hobby hobbies pastime free_time spare_time leisure painting watercolor drawing sketching photography
        photograph photographs craft crafts crochet crocheting knit knitting sewing embroidery pottery ceramics
        woodworking gardening garden plant plants succulent orchid collect collecting collection stamps fishing dance
        dancing theatre volunteer volunteering origami astronomy birdwatching birding lego museum museums exhibition
        gallery
        """,
        types=(Type.PREFERENCE, Type.MEMORY),
        areas=(Area.LEISURE,),
    ),
    Topic(
        name="goals",
        portuguese="""
        meta metas objetivo objetivos plano_de_vida planos planejo planejar planejando planejei sonho sonhos sonhar
        sonho_em quero_aprender quero_fazer quero_comprar quero_viajar pretendo resolucao resolucoes
        resolucao_de_ano_novo desafio desafios habito habitos rotina disciplina_diaria progresso evolucao evoluir
        melhorar proposito conquista conquistas conquistar lista_de_tarefas
        """,
        english="""
        goal goals objective objectives plan plans planning planned dream dreams want_to_learn want_to_buy
        want_to_visit want_to_become aspiration aspirations resolution resolutions challenge challenges habit habits
        routine routines progress improve improvement purpose ambition ambitions achievement achievements milestone
        milestones bucket_list to-do_list target
        """,
        types=(Type.GOAL, Type.INSIGHT),
        areas=(Area.GROWTH,),
    ),
)
