"""A filled memory is used again for the same data, and never mistaken for another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from relembra.evaluation.datasets import DataError
from relembra.evaluation.runner import Kept

MARK = {"data": "1", "model": "m"}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "b.db", MARK)


def test_a_memory_is_full_once_everything_is_in(kept: Kept) -> None:
    assert not kept.is_full()
    kept.begin()
    kept.db.touch()
    assert not kept.is_full()
    kept.finish()
    assert kept.is_full()


def test_a_file_of_unknown_origin_is_refused_and_left_alone(kept: Kept) -> None:
    kept.db.write_bytes(b"somebody's memory")
    with pytest.raises(DataError, match="something else") as refused:
        kept.is_full()
    assert refused.value.field == "kept"
    assert kept.db.read_bytes() == b"somebody's memory"


def test_a_memory_of_other_data_is_refused(kept: Kept) -> None:
    kept.begin()
    kept.db.touch()
    with pytest.raises(DataError, match="something else"):
        Kept(kept.db, MARK | {"data": "2"}).is_full()


def test_vectors_are_kept_beside_it(kept: Kept) -> None:
    assert kept.vectors(2) is None
    kept.keep_vectors(np.ones((2, 3), dtype=np.float32))
    found = kept.vectors(2)
    assert found is not None
    assert found.shape == (2, 3)
    assert kept.vectors(5) is None


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written"):
        Kept(tmp_path / "gone" / "b.db", MARK).begin()
