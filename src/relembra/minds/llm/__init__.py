"""The readers and the reranker that ask a language model, a provider's or one's own. Need the extra `llm`."""

from relembra.minds.llm.night import ModelNight
from relembra.minds.llm.prompts import Prompts
from relembra.minds.llm.reader import ModelReader
from relembra.minds.llm.reranker import ModelMatcher

__all__ = ["ModelMatcher", "ModelNight", "ModelReader", "Prompts"]
