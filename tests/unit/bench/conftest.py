"""The benchmarks live beside the package, so their folder has to be named; a source distribution is without them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

if (ROOT / "bench").is_dir():
    sys.path.append(str(ROOT))
else:
    collect_ignore_glob = ["test_*.py"]
