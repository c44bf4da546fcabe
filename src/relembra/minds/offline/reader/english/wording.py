"""How a thing that was said is put into a short English sentence."""

from __future__ import annotations

import re

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.reader.engine import Said

__all__ = ["worded"]

_SELF = {
    "name": "Is called {v}",
    "nickname": "Goes by {v}",
    "pronouns": "Uses {v} pronouns",
    "age": "Is {v} years old",
    "birthday": "Was born on {v}",
    "birthplace": "Is from {v}",
    "nationality": "Is {v}",
    "timezone": "Is in the timezone {v}",
    "residence": "Lives in {v}",
    "possession": "Owns {v}",
    "employment": "Works at {v}",
    "occupation": "Works as {v}",
    "study": "Studies {v}",
    "project": "Is working on {v}",
    "client": "Has {v} as a client",
    "contract": "Contract: {v}",
    "meeting": "Meeting: {v}",
    "deadline": "Deadline: {v}",
    "salary": "Earns {v}",
    "debt": "Has a debt: {v}",
    "marital_status": "Is {v}",
    "children": "Has {v}",
    "condition": "Has {v}",
    "allergy": "Is allergic to {v}",
    "intolerance": "Is intolerant to {v}",
    "medication": "Takes {v}",
    "diet": "Diet: {v}",
    "weight": "Weighs {v}",
    "height": "Is {v} tall",
    "blood_type": "Has blood type {v}",
    "language": "Speaks {v}",
    "skill": "Skill: {v}",
    "likes": "Likes {v}",
    "dislikes": "Dislikes {v}",
    "habit": "Habit: {v}",
    "wake_time": "Wakes up at {v}",
    "bedtime": "Goes to bed at {v}",
    "schedule": "Schedule: {v}",
    "communication": "Wants: {v}",
    "goal": "Goal: {v}",
    "achieved": "Achieved: {v}",
    "dropped_goal": "Gave up on: {v}",
    "event": "Event: {v}",
    "emotion": "Feels {v}",
    "religion": "Is {v}",
    "opinion": "Thinks {v}",
    "value": "Values {v}",
    "relation": "Has {v}",
}
_PAST = {
    "residence": "Used to live in {v}",
    "employment": "Used to work at {v}",
    "occupation": "Used to work as {v}",
    "study": "Used to study {v}",
    "habit": "No longer: {v}",
    "likes": "Used to like {v}",
    "dislikes": "Used to dislike {v}",
    "medication": "No longer takes {v}",
    "condition": "Used to have {v}",
    "possession": "No longer owns {v}",
    "marital_status": "Is no longer {v}",
    "diet": "No longer follows a diet: {v}",
    "religion": "Was {v}",
    "schedule": "No longer works {v}",
    "goal": "Used to want: {v}",
    "language": "Used to speak {v}",
    "children": "Had {v}",
}
_BARE_VALUE = frozenset(
    {
        "self-employed",
        "unemployed",
        "retired",
        "between jobs",
        "out of work",
        "jobless",
        "freelance",
        "freelancing",
        "freelancer",
    }
)
_ADJECTIVE = re.compile(
    r"(?:ic|al|ed|ble|ive|ant|ind|eaf|free|remission|expecting.*|pregnant.*|blind|diabetic"
    r"|asthmatic|handed|ambidextrous|celiac|coeliac|disabled|alcoholic|insomniac|wheelchair"
    r" user|amputee)$"
)


def worded(said: Said) -> str:
    """Third person, the speaker left out and others named."""
    attribute, value = said.attribute or "", said.value or ""
    text = _of_self(attribute, value)
    if said.subject == SELF:
        return text
    name = said.subject[0].upper() + said.subject[1:]
    if attribute == "relation":
        return f"{name} is the speaker's {value}" if said.subject != value else f"Has a {value}"
    if attribute == FORMER + "relation":
        return f"{name} is no longer the speaker's {value}"
    if text[0].isupper() and ":" not in text[:24]:
        return f"{name} {text[0].lower()}{text[1:]}"
    return f"{name}: {value}" if attribute == "event" else f"{name} — {text[0].lower()}{text[1:]}"


def _of_self(attribute: str, value: str) -> str:
    if attribute.startswith(FORMER):
        name = attribute.removeprefix(FORMER)
        if name == "employment" and value in _BARE_VALUE:
            return f"Is no longer {value}"
        return _PAST.get(name, f"Formerly {name.replace('_', ' ')}: {{v}}").format(v=value)
    if attribute.startswith(FAVORITE):
        return f"Favorite {attribute.removeprefix(FAVORITE).replace('_', ' ')}: {value}"
    if attribute == "employment" and (
        value.lower() in _BARE_VALUE or value.lower().startswith(("on ", "stay", "semi", "job"))
    ):
        return f"Is {value}"
    if attribute == "occupation" and re.match(r"(?:teaches|runs|owns|manages|drives) ", value):
        return value[0].upper() + value[1:]
    if attribute == "event":
        return value[0].upper() + value[1:]
    if attribute == "condition" and _ADJECTIVE.search(value.lower()):
        return f"Is {value}"
    if attribute == "condition" and value.startswith("uses "):
        return value[0].upper() + value[1:]
    if attribute == "skill" and value.startswith("plays "):
        return value[0].upper() + value[1:]
    if attribute == "age" and " " in value:
        return f"Is {value} old"
    if attribute == "emotion" and value.startswith("misses "):
        return value[0].upper() + value[1:]
    return _SELF.get(attribute, "{v}").format(v=value)
