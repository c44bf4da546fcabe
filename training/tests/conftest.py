"""The scripts live beside the package, so their folder has to be named."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
