"""Models from a folder: the shipped one, laid out in the ways such folders come."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from relembra.errors import MindError, MissingExtraError
from relembra.minds.embedders import MODEL_PATH, FolderEmbedder, OfflineEmbedder
from relembra.minds.offline.wordpiece import VOCABULARY_PATH, read_vocabulary
from relembra.minds.port import Vector

TEXTS = ["Minha irmã mora em Recife.", "My sister lives in Recife.", "", "palavra " * 400]


def lay_out(folder: Path, *, model: str = "model.onnx", tokenizer: str = "vocab.txt") -> Path:
    (folder / model).parent.mkdir(parents=True, exist_ok=True)
    (folder / model).symlink_to(MODEL_PATH)
    if tokenizer == "vocab.txt":
        (folder / tokenizer).symlink_to(VOCABULARY_PATH)
    else:
        vocabulary = read_vocabulary(VOCABULARY_PATH)
        made = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
        made.normalizer = BertNormalizer()
        made.pre_tokenizer = BertPreTokenizer()
        ends = [(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
        made.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
        made.enable_padding(length=300)
        made.save(str(folder / tokenizer))
    return folder


async def embed(embedder: FolderEmbedder | OfflineEmbedder, texts: list[str]) -> list[Vector]:
    try:
        return await embedder.embed(texts)
    finally:
        await embedder.close()


@pytest.mark.parametrize("model", ["model.onnx", "model-int8.onnx", "onnx/model.onnx"])
async def test_a_folder_with_a_vocabulary_gives_the_same_vectors(tmp_path: Path, model: str) -> None:
    folder = FolderEmbedder(lay_out(tmp_path, model=model))
    assert (folder.dimensions, await embed(folder, TEXTS)) == (384, await embed(OfflineEmbedder(), TEXTS))


async def test_a_folder_with_a_tokenizer_file_gives_the_same_vectors(tmp_path: Path) -> None:
    folder = FolderEmbedder(lay_out(tmp_path, tokenizer="tokenizer.json"))
    assert await embed(folder, [*TEXTS, "a\ud800b"]) == await embed(OfflineEmbedder(), [*TEXTS, "a?b"])


async def test_the_longest_length_of_the_folder_is_followed(tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 6}))
    one, other = await embed(FolderEmbedder(tmp_path), ["a casa do gato azul", "a casa do gato verde"])
    assert one == other


def test_the_name_tells_two_models_apart(tmp_path: Path) -> None:
    one = FolderEmbedder(lay_out(tmp_path / "mini")).name
    assert one.startswith("mini@")
    assert one == FolderEmbedder(str(tmp_path / "mini")).name
    (tmp_path / "mini" / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert one != FolderEmbedder(tmp_path / "mini").name


def test_unknown_pooling_is_refused_and_known_ones_are_not(tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    config = tmp_path / "1_Pooling" / "config.json"
    for key in ("pooling_mode_cls_token", "pooling_mode_mean_tokens"):
        config.write_text(json.dumps({"word_embedding_dimension": 384, key: True}))
        assert FolderEmbedder(tmp_path).dimensions
    config.write_text(json.dumps({"pooling_mode_max_tokens": True}))
    with pytest.raises(MindError, match="pooling_mode_max_tokens"):
        _ = FolderEmbedder(tmp_path).dimensions
    config.write_text("{")
    with pytest.raises(MindError, match="cannot read"):
        _ = FolderEmbedder(tmp_path).dimensions


def test_a_folder_without_a_model_or_tokenizer_says_what_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(MindError, match=r"model\.onnx"):
        _ = FolderEmbedder(tmp_path).name
    (tmp_path / "model.onnx").symlink_to(MODEL_PATH)
    with pytest.raises(MindError, match=r"tokenizer\.json"):
        _ = FolderEmbedder(tmp_path).dimensions


async def test_without_the_extra_a_tokenizer_file_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = FolderEmbedder(lay_out(tmp_path, tokenizer="tokenizer.json"))
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"relembra\[tokenizers\]"):
        await embed(folder, ["x"])


async def test_a_broken_tokenizer_file_is_an_error(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(MindError, match="cannot read"):
        await embed(FolderEmbedder(folder), ["x"])
