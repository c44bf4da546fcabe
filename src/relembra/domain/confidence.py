"""How sure a belief is: where it starts, what the person's word adds, and the names of its levels."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.policy import ConfidencePolicy
from relembra.errors import InvalidInputError


class ConfidenceLevel(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    DOUBTFUL = "doubtful"  # under what the policy calls low


def level(confidence: float, policy: ConfidencePolicy) -> ConfidenceLevel:
    if confidence >= policy.high:
        return ConfidenceLevel.HIGH
    if confidence >= policy.medium:
        return ConfidenceLevel.MEDIUM
    if confidence >= policy.low:
        return ConfidenceLevel.LOW
    return ConfidenceLevel.DOUBTFUL


def first_confidence(source: Source, given: float | None, policy: ConfidencePolicy) -> float:
    """The confidence an item starts with: user input is certain, explicit talk at least high, an inference modest."""
    if given is not None and not 0.0 <= given <= 1.0:
        raise InvalidInputError(f"confidence {given} is not between 0 and 1", field="confidence")
    match source:
        case Source.USER_INPUT:
            return policy.user_input
        case Source.CONVERSATION:
            return policy.explicit if given is None else max(given, policy.explicit_at_least)
        case Source.AI_INFERENCE:
            return policy.inference if given is None else given
        case Source.IMPORT:
            return policy.explicit if given is None else given


def validated(item: KnowledgeItem, now: datetime, policy: ConfidencePolicy) -> KnowledgeItem:
    """The item once its person confirmed it; confirming again adds nothing, but settles what was open."""
    if item.validated and not item.needs_resolution:
        return item
    bonus = 0.0 if item.validated else policy.validation_bonus
    confidence = min(1.0, round(item.confidence + bonus, 6))
    return replace(
        item, validated=True, needs_resolution=False, confidence=confidence, updated_at=now, version=item.version + 1
    )
