"""Cleaning the unused parts of pages.

SQLite's `secure_delete` overwrites what is deleted, but when it spreads rows over neighbouring pages it leaves their
old bytes in the gap of the page they came from, where a later deletion does not reach them. A VACUUM would get rid of
them by writing the whole file anew; here only those gaps are overwritten, in place.

What makes that safe: it runs under the write lock with an empty log, so that nobody else may write the file; it goes
through SQLite's own handle, since closing another one would drop this process's locks; and it writes only bytes that
belong to nothing, so that a reader, or a crash half-way, cannot tell.
"""

from __future__ import annotations

import ctypes

import apsw

_OK = 0
_SYNC_NORMAL = 2
_PAGES_AT_ONCE = 128
PIECE_PAGES = 1024
"""How many pages are cleaned under one hold of the write lock: 8 MiB, some hundredths of a second."""
_MOST_PAGES = 0x0200_0000
_FILE_HEADER_BYTES = 100
_HEADER_BYTES = {0x02: 12, 0x05: 12, 0x0A: 8, 0x0D: 8}  # by the kind of b-tree page; no other page has gaps

_READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_WRITE = _READ
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Methods(ctypes.Structure):
    """The head of `sqlite3_io_methods`."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("close", ctypes.c_void_p),
        ("read", _READ),
        ("write", _WRITE),
        ("truncate", ctypes.c_void_p),
        ("sync", _SYNC),
    )


class _File(ctypes.Structure):
    """`sqlite3_file`."""

    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


def scrub_gaps(db: apsw.Connection, begin: int) -> int | None:
    """Overwrite what is left in the gaps of some pages from one on, counted from 0; where to go on, None at the end.

    The caller holds the write lock and has seen that the log is empty. Between two such pieces others may write: what
    they write are rows that are still there, and pages they read after the piece that cleaned them.
    """
    # The first byte tells a b-tree page, since other pages begin with a page number; beyond 256 GiB that could mislead.
    page_bytes, pages = (int(db.execute(f"PRAGMA {name}").get) for name in ("page_size", "page_count"))
    if pages >= _MOST_PAGES:
        return None
    end = min(begin + PIECE_PAGES, pages)
    pointer = ctypes.c_void_p()
    db.file_control("main", apsw.SQLITE_FCNTL_FILE_POINTER, ctypes.addressof(pointer))
    methods = ctypes.cast(pointer, ctypes.POINTER(_File)).contents.methods.contents
    buffer = ctypes.create_string_buffer(page_bytes * _PAGES_AT_ONCE)
    zeros = bytes(page_bytes)
    cleaned = 0
    for first in range(begin, end, _PAGES_AT_ONCE):
        count = min(_PAGES_AT_ONCE, end - first)
        _check(methods.read(pointer, buffer, count * page_bytes, first * page_bytes))
        block = buffer.raw
        for number in range(count):
            start, stop = _gap(block, number * page_bytes, page_bytes, is_first=first + number == 0)
            if block[start:stop] != zeros[: stop - start]:
                _check(methods.write(pointer, zeros, stop - start, first * page_bytes + start))
                cleaned += 1
    if cleaned:
        _check(methods.sync(pointer, _SYNC_NORMAL))
    # What this connection remembers of the pages would bring the old bytes back with the next write.
    db.release_memory()
    return end if end < pages else None


def _gap(block: bytes, page: int, page_bytes: int, *, is_first: bool) -> tuple[int, int]:
    """Where the unused bytes of the page at an offset start and end: between its cell pointers and its cells."""
    header = page + _FILE_HEADER_BYTES if is_first else page
    header_bytes = _HEADER_BYTES.get(block[header])
    if header_bytes is None:
        return page, page
    cells = int.from_bytes(block[header + 3 : header + 5])
    start = header + header_bytes + 2 * cells
    end = page + int.from_bytes(block[header + 5 : header + 7])
    return (start, end) if start <= end <= page + page_bytes else (page, page)


def _check(result: int) -> None:
    if result != _OK:
        raise apsw.IOError(f"the file could not be cleaned (SQLite code {result})")
