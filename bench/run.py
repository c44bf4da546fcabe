"""All benchmarks, or the named ones, in one table: python -m bench.run [search] [saving] [size] [--quick] [--json]."""

from __future__ import annotations

import argparse
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the floor is one thread's, as the search is


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], "search", "saving", "size"], default=[])
    parser.add_argument("--quick", action="store_true", help="smaller tables: 150,000 items instead of 1,000,000")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    parts = asked.parts or ["size", "saving", "search"]

    from bench import saving, search, size
    from bench.table import printed

    rows = []
    if "size" in parts:
        rows += size.rows()
    if "saving" in parts:
        rows += saving.rows()
    if "search" in parts:
        rows += search.rows(quick=asked.quick)
    return 0 if printed(rows, as_json=asked.json) else 1


if __name__ == "__main__":
    sys.exit(main())
