"""The reader that asks a language model, of a provider or on a server of one's own. Needs the extra `llm`."""

from relembra.minds.llm.prompts import Prompts
from relembra.minds.llm.reader import ModelReader

__all__ = ["ModelReader", "Prompts"]
