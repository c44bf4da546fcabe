"""The readers that ask a language model, a provider's or one's own. Need the extra `llm`."""

from relembra.minds.llm.reader import ModelNight, ModelReader

__all__ = ["ModelNight", "ModelReader"]
