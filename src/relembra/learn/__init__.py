"""Learning: from what a reader proposed to what is known; and the words of both languages it goes by."""

import re
import tomllib
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def pattern(name: str) -> re.Pattern[str]:
    """One of the patterns of words.toml, in any case."""
    return re.compile("|".join(WORDS["patterns"][name]), re.IGNORECASE)
