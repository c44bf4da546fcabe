"""All benchmarks, or the named ones, in one table: python -m bench.run [size] [saving] [search] [night] …

Speed and size are ratios to the least such work can cost on the same machine. `minds` holds the quality of what ships
offline: on the sets of this repository, with --data also on public ones. `hygiene` holds
how clean the memory's learning is, on labelled messages nobody tuned on; `requests` how well those that concern nobody
are told; `lists` whether a question for all things of a kind brings them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the floor is one thread's, as the search is

PARTS = (
    *("size", "saving", "search", "loading", "importing", "night", "gardening", "server", "proxy", "page", "minds"),
    *("hygiene", "requests", "lists"),
)
STOPPED = 130  # as shells report a program ended by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", type=_part, metavar="part", help=f"{', '.join(PARTS)}; all of them when none is named"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="search: 150,000 items instead of 1,000,000; loading: without others' items; importing: a tenth; "
        "night: 20 people instead of 1,000, over small memories; gardening: fewer items; "
        "server: 8 seconds instead of 60; proxy: 60 chats instead of 200; page: 1,000 items instead of 10,000; "
        "minds: the first 120 questions of LongMemEval; "
        "hygiene: only how messages are read",
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--data",
        type=Path,
        help="minds: folder of public sets (pt/assin, pt/faquad, pt/inferbr, …); "
        "hygiene, without minds: folder of labelled messages, in the form of training/reader/GUIDE.md",
    )
    parser.add_argument("--split", choices=("test", "dev"), default="test", help="minds: half of our sets to ask")
    asked = parser.parse_args(arguments)
    if asked.data is not None and not asked.data.is_dir():
        parser.error(f"there is no folder {asked.data}")
    parts = asked.parts or PARTS

    from bench import (
        gardening,
        hygiene,
        importing,
        lists,
        loading,
        minds,
        night,
        page,
        proxy,
        requests,
        saving,
        search,
        server,
        size,
    )
    from bench.table import Row, printed

    rows: list[Row] = []
    try:
        if "size" in parts:
            rows += size.rows()
        if "saving" in parts:
            rows += saving.rows()
        if "search" in parts:
            rows += search.rows(quick=asked.quick)
        if "importing" in parts:
            rows += importing.rows(quick=asked.quick)
        if "loading" in parts:
            rows += loading.rows(quick=asked.quick)
        if "night" in parts:
            rows += night.rows(quick=asked.quick)
        if "gardening" in parts:
            rows += gardening.rows(quick=asked.quick)
        if "server" in parts:
            rows += server.rows(quick=asked.quick)
        if "proxy" in parts:
            rows += proxy.rows(quick=asked.quick)
        if "page" in parts:
            rows += page.rows(quick=asked.quick)
        if "minds" in parts:  # comes row by row: what was measured before Ctrl-C is printed
            rows += minds.rows(data=asked.data, split=asked.split, quick=asked.quick)
        if "hygiene" in parts:
            rows += hygiene.rows(data=None if "minds" in parts else asked.data, quick=asked.quick)
        if "requests" in parts:
            rows += requests.rows()
        if "lists" in parts:
            rows += lists.rows()
    except KeyboardInterrupt:
        print("stopped; what was measured until here:", file=sys.stderr)
        printed(rows, as_json=asked.json)
        return STOPPED
    return 0 if printed(rows, as_json=asked.json) else 1


def _part(name: str) -> str:
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"there is no part {name!r}; there are {', '.join(PARTS)}")
    return name


if __name__ == "__main__":
    sys.exit(main())
