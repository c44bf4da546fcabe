"""The sentences of notes and reports: English, Portuguese. Their keys begin with "page.notes."."""

from __future__ import annotations

from relembra.interfaces.words import Pair

SENTENCES: dict[str, Pair] = {
    "page.notes.lead": (
        "What happened, told briefly: each conversation, the subjects that come back, and the reports of your weeks.",
        "O que aconteceu, em poucas palavras: cada conversa, os assuntos que voltam e os relatórios das suas semanas.",
    ),
    "page.notes.kinds": ("Kinds of notes", "Tipos de nota"),
    "page.notes.list": ("All notes", "Todas as notas"),
    "page.notes.kind.all": ("All", "Todas"),
    "page.notes.kind.conversation": ("Conversations", "Conversas"),
    "page.notes.kind.topic_cluster": ("Subjects", "Assuntos"),
    "page.notes.kind.session": ("Still going on", "Em andamento"),
    "page.notes.kind.appointment": ("Appointments", "Consultas"),
    "page.notes.kind.weekly": ("Weeks", "Semanas"),
    "page.notes.kind.monthly": ("Months", "Meses"),
    "page.notes.kind.document": ("Documents", "Documentos"),
    "page.notes.one.conversation": ("Conversation", "Conversa"),
    "page.notes.one.topic_cluster": ("Subject", "Assunto"),
    "page.notes.one.session": ("Conversation still going on", "Conversa em andamento"),
    "page.notes.one.appointment": ("For an appointment", "Para uma consulta"),
    "page.notes.one.weekly": ("Report of a week", "Relatório da semana"),
    "page.notes.one.monthly": ("Report of a month", "Relatório do mês"),
    "page.notes.one.document": ("Document", "Documento"),
    "page.notes.empty": ("No notes yet", "Nenhuma nota ainda"),
    "page.notes.empty.text": (
        "A note is written a few minutes after a conversation goes quiet. Talk a little, and come back.",
        "Uma nota é escrita alguns minutos depois que uma conversa silencia. Converse um pouco e volte aqui.",
    ),
    "page.notes.empty.kind": (
        "There is no note of this kind. A report can be written whenever you like.",
        "Não há nota deste tipo. Um relatório pode ser escrito quando você quiser.",
    ),
    "page.notes.talk": ("Start talking", "Começar a conversar"),
    "page.notes.with": ("with {names}", "com {names}"),
    "page.notes.space": ("in the space {space}", "no espaço {space}"),
    "page.notes.place": ("Where", "Onde"),
    "page.notes.when": ("When", "Quando"),
    "page.notes.who": ("Who took part", "Quem participou"),
    "page.notes.covers": ("Covers", "Cobre"),
    "page.notes.made_of": ("Made of", "Feita de"),
    "page.notes.archived": ("Put away", "Arquivada"),
    "page.notes.archived.text": (
        "This note is old and was put away by the gardener. It is still found when somebody asks for it.",
        "Esta nota é antiga e foi arquivada pelo jardineiro. Ela ainda aparece quando alguém pergunta por ela.",
    ),
    "page.notes.learnt": ("What was learnt from it", "O que aprendi com ela"),
    "page.notes.learnt.all": ("See in the memory", "Ver na memória"),
    "page.notes.learnt.none": ("Nothing of it was worth keeping.", "Nada nela precisou ser guardado."),
    "page.notes.messages": ("What was said", "O que foi dito"),
    "page.notes.parts": ("The notes it is made of", "As notas de que ela é feita"),
    "page.notes.pictures": ("In pictures", "Em imagens"),
    "page.notes.download": ("Download .md", "Baixar .md"),
    "page.notes.download.zip": ("Download .md and pictures", "Baixar .md e imagens"),
    "page.notes.again": ("Write it again", "Escrever de novo"),
    "page.notes.all": ("All notes", "Todas as notas"),
    # writing one now
    "page.notes.make": ("Write a report", "Escrever um relatório"),
    "page.notes.make.lead": (
        "Reports write themselves every week and every month. Here you can have one at once.",
        "Os relatórios se escrevem sozinhos a cada semana e a cada mês. Aqui você pode ter um na hora.",
    ),
    "page.notes.make.report": ("Of a week or a month", "De uma semana ou de um mês"),
    "page.notes.make.report.how": (
        "What happened, what was learnt, moods, goals, and what is coming up.",
        "O que aconteceu, o que foi aprendido, humor, metas e o que vem por aí.",
    ),
    "page.notes.make.period": ("Period", "Período"),
    "page.notes.make.weekly": ("Week", "Semana"),
    "page.notes.make.monthly": ("Month", "Mês"),
    "page.notes.make.day": ("A day in it", "Um dia dentro dele"),
    "page.notes.make.day.how": (
        "Left empty: the last one that is over, or where nothing happened in it the one going on.",
        "Vazio: o último que já terminou, ou, se nada aconteceu nele, o que está em curso.",
    ),
    "page.notes.make.appointment": ("For an appointment", "Para uma consulta"),
    "page.notes.make.appointment.how": (
        "What to tell a doctor or another professional: complaints, medicines, what changed since the last time.",
        "O que contar a um médico ou outro profissional: queixas, remédios, o que mudou desde a última vez.",
    ),
    "page.notes.make.with": ("With whom", "Com quem"),
    "page.notes.make.with.how": (
        "For example cardiologist. Left empty: the next appointment known.",
        "Por exemplo cardiologista. Vazio: a próxima consulta conhecida.",
    ),
    "page.notes.make.at": ("When", "Quando"),
    "page.notes.make.at.how": ("If you know it.", "Se você souber."),
    "page.notes.professions": (
        "doctor, cardiologist, dentist, dermatologist, endocrinologist, eye doctor, gynaecologist, neurologist, "
        "nutritionist, orthopaedist, physiotherapist, psychiatrist, therapist",
        "médico, cardiologista, dentista, dermatologista, endocrinologista, fisioterapeuta, ginecologista, "
        "neurologista, nutricionista, oftalmologista, ortopedista, psiquiatra, terapeuta",
    ),
    "page.notes.make.button": ("Write it", "Escrever"),
    "page.notes.nothing.weekly": (
        "There is nothing to tell of that week: nothing was said and nothing was learnt. Another day may have more.",
        "Não há o que contar dessa semana: nada foi dito e nada foi aprendido. Talvez outro dia tenha mais.",
    ),
    "page.notes.nothing.monthly": (
        "There is nothing to tell of that month: nothing was said and nothing was learnt. Another day may have more.",
        "Não há o que contar desse mês: nada foi dito e nada foi aprendido. Talvez outro dia tenha mais.",
    ),
    "page.notes.nothing.appointment": (
        "There is nothing to prepare from yet: nothing is known. Tell your assistant how you have been.",
        "Ainda não há de onde preparar: nada se sabe. Conte ao seu assistente como você tem passado.",
    ),
    "page.done.note_written": ("Written.", "Escrito."),
}
