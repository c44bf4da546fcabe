"""Writing a file whole or not at all, for its owner's eyes only."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from relembra.errors import ConflictError, StoreError

Target = str | Path | BinaryIO


@contextmanager
def written(target: Target, *, overwrite: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to and go back in; at the end it is at its place, and after an error nothing is.

    One that is there already is a `ConflictError` unless it may be overwritten. What is written to an open stream goes
    there at the end, in one piece.
    """
    if not isinstance(target, str | Path):
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, target)
        target.flush()
        return
    path = Path(target).expanduser()
    if path.exists() and not overwrite:
        raise ConflictError(f"{path} is there already; choose another name, or overwrite it")
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    except OSError as exc:
        raise StoreError(f"nothing can be written to {path}: {exc.strerror}") from exc
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            _at_its_place(file, Path(name), path, overwrite=overwrite)
    except OSError as exc:
        raise StoreError(f"{path} could not be written: {exc.strerror}") from exc
    finally:
        Path(name).unlink(missing_ok=True)


def _at_its_place(file: IO[bytes], made: Path, path: Path, *, overwrite: bool) -> None:
    file.flush()
    os.fsync(file.fileno())
    if overwrite:
        made.replace(path)
        return
    try:
        os.link(made, path)  # unlike a renaming, it refuses to take the place of one made meanwhile
    except FileExistsError:
        raise ConflictError(f"{path} is there already; choose another name, or overwrite it") from None
    except OSError:  # a file system without links
        if path.exists():
            raise ConflictError(f"{path} is there already; choose another name, or overwrite it") from None
        made.replace(path)
