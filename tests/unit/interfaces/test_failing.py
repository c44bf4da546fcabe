"""What went wrong, as any door says it to people: in both languages, and nothing of a command line in it."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path

import pytest

import relembra
from loops import each
from relembra import errors
from relembra.errors import (
    BusyError,
    ConflictError,
    DeliveryError,
    InvalidInputError,
    MindError,
    MindUnavailableError,
    MissingExtraError,
    NotFoundError,
    ProtectedError,
    RefusedError,
    RelembraError,
    SettingsError,
    StaleError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    TooLongError,
    TooSlowError,
    UnknownSpeakerError,
    UpstreamError,
)  # fmt: skip
from relembra.interfaces.failures import failing, sentence_of
from relembra.locale import Words

EN, PT = Words("en", "names"), Words("pt", "names")
SOURCES = Path(relembra.__file__).parent


class ShutError(RelembraError):
    """As a door refuses."""

    status = HTTPStatus.FORBIDDEN


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


UNREACHED = "the model ollama:x could not be reached, or broke off"
TOLD: list[tuple[Exception, str, str]] = [
    (NotFoundError("item", "abcd"), "ana has no item abcd.", "ana não tem nenhum item abcd."),
    (NotFoundError("change, item or conversation", "x"), "ana has no item, conversation or change x.",
     "ana não tem item, conversa ou mudança x."),
    (InvalidInputError("this is no export of Relembra", field="file", kind="none"),
     "That file is no export of Relembra or of another program, nor a document, that it can read.",
     "Esse arquivo não é uma exportação do Relembra nem de outro programa, nem um documento, que ele saiba ler."),
    (UnknownSpeakerError(["Rui", "Bia"]),
     "It is not clear which of those who speak there is you: Rui, Bia.",
     "Não está claro quem é você entre os que falam ali: Rui, Bia."),
    (InvalidInputError("line 7 is cut off", field="file", kind="cut"),
     "That export was cut off: its end is missing. Copy or download it again.",
     "Essa exportação foi cortada: falta o fim. Copie ou baixe de novo."),
    (InvalidInputError("items[0] holds more than 200,000 values", field="file", kind="swollen"),
     "That file holds far more in one place", "Esse arquivo traz num só lugar muito mais"),
    (InvalidInputError("items: 3 rows, where 4 were counted", field="file", kind="changed"),
     "That export was changed or damaged after it was written. Copy or download it again.",
     "Essa exportação foi alterada ou danificada depois de escrita. Copie ou baixe de novo."),
    (InvalidInputError("there is no zone 'zz'", field="zone"),
     "There is no such clock; choose one of the list, like Europe/Lisbon.",
     "Esse relógio não existe; escolha um da lista, como America/Sao_Paulo."),
    (InvalidInputError("content must not be empty", field="content", kind="empty"),
     "The text is missing.", "Falta o texto."),
    (InvalidInputError("user is longer than 200 characters", field="user", kind="long", most=200),
     "At most 200 characters are taken: the person's name.", "Cabem no máximo 200 letras: o nome da pessoa."),
    (InvalidInputError("content is longer than 20000 characters", field="content", kind="long", most=20_000),
     "At most 20,000 characters are taken: the text.", "Cabem no máximo 20.000 letras: o texto."),
    (InvalidInputError("expires_at … is out of range", field="expires_at"),
     "The date is too early or too late to be kept: when it expires.",
     "A data é antiga ou distante demais para guardar: quando vence."),
    (InvalidInputError("whatever the words", field="by"), "Only ana can do that.", "Só ana pode fazer isso."),
    (InvalidInputError("no type 'x'", field="type"), "There is no such type;", "Esse tipo não existe;"),
    (InvalidInputError("said must not be empty", field="said", kind="empty"),
     "Give what was said,", "Diga o que foi dito,"),
    (InvalidInputError("odd_one is odd", field="odd_one"), "“odd one” cannot be used: odd_one is odd.",
     "Não dá para usar “odd one”. (em inglês: odd_one is odd)"),
    (InvalidInputError("say something"), "Say something.", "O que você deu não serve. (em inglês: say something)"),
    (StaleError("item x is at version 2"), "It changed in the meantime;", "Isso mudou nesse meio-tempo;"),
    (ProtectedError("no"), "The person confirmed this,", "A pessoa confirmou isto,"),
    (BusyError("no"), "Another program is still learning", "Outro programa ainda está aprendendo"),
    (ConflictError("item a was already replaced by b; correct that one", "replaced"),
     "That item was replaced already;", "Esse item já foi substituído;"),
    (ConflictError("/home/ana/m.db exists already; name a new file for the backup", "file"),
     "That file exists already;", "Esse arquivo já existe;"),
    (ConflictError("whatever /home/ana says"), "That does not go with what is there.", "Isso não combina"),
    (StoreUnavailableError("/home/ana/m.db is busy"), "The memory is being used", "A memória está em uso"),
    (StoreFullError("/home/ana/m.db"), "The disk is full;", "O disco está cheio;"),
    (StoreReadOnlyError("/home/ana/m.db"), "The memory may only be read", "Aqui a memória só pode ser lida"),
    (StoreCorruptError("/home/ana/m.db"), "The memory's file is damaged;", "O arquivo da memória está danificado;"),
    (StoreVersionError("/home/ana/m.db"), "This Relembra cannot open", "Este Relembra não consegue abrir"),
    (StoreError("/home/ana/m.db"), "The memory cannot be used just now.", "Não consigo usar a memória agora."),
    (TooSlowError("odd"), "The model could not answer.", "O modelo não conseguiu responder."),
    (MindError("odd"), "The model could not answer.", "O modelo não conseguiu responder."),
    (MindUnavailableError(UNREACHED), f"The model could not answer. ({UNREACHED})",
     "O modelo não conseguiu responder. (não consegui falar com o modelo ollama:x, ou ele parou no meio)"),
    (caused(MindError("x"), SettingsError("no preset 'x'")), "A setting cannot be used: no preset 'x'",
     "Uma configuração não serve: no preset 'x'"),
    (UpstreamError("http://10.0.0.1 said 500"), "The model that answers cannot be reached", "O modelo que responde"),
    (DeliveryError("WhatsApp answered 500"), "That could not be done.", "Não foi possível fazer isso."),
    (TooLongError("it took longer than 5 minutes"), "That took longer than it may;", "Isso demorou mais do que pode;"),
    (MissingExtraError("a server", "http"), "That needs an optional part", "Isso precisa de uma parte opcional"),
    (SettingsError("no preset 'x'"), "A setting cannot be used", "Uma configuração não serve"),
    (RefusedError("no", status=429), "That was a lot at once;", "Foi muita coisa de uma vez;"),
    (RefusedError("no", status=418), "That could not be done.", "Não foi possível fazer isso."),
    (ShutError("make a key: relembra keys create"), "You may not do that.", "Você não pode fazer isso."),
    (RelembraError("relembra jobs says why"), "That could not be done.", "Não foi possível fazer isso."),
    (ZeroDivisionError("Mora no Porto"), "Something unexpected happened.", "Aconteceu algo inesperado."),
]  # fmt: skip


@each(TOLD)
def test_every_error_has_a_sentence_in_both_languages(error: Exception, en: str, pt: str) -> None:
    said = [sentence_of(error, words, user="ana") for words in (EN, PT)]
    assert [said[0][: len(en)], said[1][: len(pt)]] == [en, pt]
    for text in said:
        assert not re.search(r"--\w|relembra \w|/home|\d+\.\d+\.\d+", text)
        assert "{" not in text


def test_every_class_of_error_was_tried() -> None:
    known = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RelembraError)}
    assert known - {type(error) for error, _, _ in TOLD} == set()


@pytest.mark.parametrize("what", ["item", "person", "job", "key", "something else"])
def test_where_nobody_is_meant_nobody_is_named(what: str) -> None:
    for words in (EN, PT):
        said = sentence_of(NotFoundError(what, "abcd"), words, user="")
        assert said[0].isupper()
        assert "abcd" in said
    assert sentence_of(InvalidInputError("no", field="by"), EN, user="") == "Only the person can do that."


def test_a_door_may_call_the_parts_somebody_gave_as_it_likes() -> None:
    told = failing(InvalidInputError("no", field="tags"), EN, user="ana", field_name=lambda _, field: f"--{field[:-1]}")
    assert EN(told.key, **told.parts) == "--tag cannot be used: no."


def test_every_kind_of_conflict_has_a_sentence() -> None:
    sources = [path.read_text("utf-8") for path in SOURCES.rglob("*.py")]
    kinds = {kind for text in sources for kind in re.findall(r'ConflictError\(\s*f?"[^\n]+", "(\w+)"\s*\)', text)}
    assert len(kinds) > 10
    assert [kind for kind in kinds if not PT.has(f"error.conflict.{kind}")] == []
