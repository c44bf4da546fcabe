"""Questions taken apart by rules: no model, no I/O."""

from relembra.minds.offline.inquiry.reading import OfflineInquirer

__all__ = ["OfflineInquirer"]
