"""How a thing that was said is put into a short English sentence."""

from __future__ import annotations

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Said

__all__ = ["theirs", "worded"]

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
_TASK = re.compile(
    r"(?:flipping|bagging|waiting|stocking|washing|cleaning|cooking|bartending|serving|cashiering|delivering|tending|waitressing"
    r"|packing|picking|working|running|manning|coaching|lifeguarding|tutoring|temping)(?: (?!assistant|manager|lead)|$)"
)
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


_MINE = re.compile(r"\b(?:my|our|mine|ours|myself|ourselves|me|us)\b", re.IGNORECASE)
_THEIRS = {
    "my": "their",
    "our": "their",
    "mine": "theirs",
    "ours": "theirs",
    "myself": "themselves",
    "ourselves": "themselves",
    "me": "them",
    "us": "them",
}
_COUPLED = frozenset(
    {"wife", "husband", "spouse", "partner", "girlfriend", "boyfriend", "gf", "bf", "fiance", "fiancee"}
)
_LED = re.compile(
    r"(?:an?|the|some|any|no|one|two|three|four|five|six|\d+|his|her|their|its|my|our|both|several|many|all|head|chief"
    r"|director of|vp|ceo|cto|cfo|coo|part|co-?owner|president|chair|vice|lead (?:on|for))\b"
)
_UNCOUNTED = re.compile(
    r"(?:[^s]s|ing|ics|ism|ment|care|work|tech|finance|it|hr|retail|hospitality|education|insurance|logistics|media|law"
    r"|medicine|research|academia|construction|healthcare|software|support|service|admin|security|staff|crew|marketing|music"
    r"|energy|transport|politics|design|procurement|payroll|coding|fraud|dispatch|accounts|trade)$",
    re.IGNORECASE,
)
_WORKPLACE = re.compile(
    r"^(?=[a-z]).*(?:hospital|school|bank|shop|store|office|factory|warehouse|restaurant|cafe|bar|pub|lab|library|hotel|bakery"
    r"|clinic|nursery|kitchen|company|firm|startup|start-up|agency|pharmacy|university|college|museum|garage|salon|home|cent(?:er|re)"
    r"|studio|supermarket|practice|surgery|farm|prison|hospice|kindergarten|gym|theatre|plant|mill|brewery|charity)$"
)
_DIET_OF = re.compile(
    r"(?:mostly |strictly |fully |almost |a |an )*(?:\w+-)?(?:vegan|vegetarian|pescatarian|pescetarian|flexitarian|veggie|vego"
    r"|carnivore|kosher|halal|plant-based|gluten-free|dairy-free|fruitarian|teetotal|raw vegan|lacto-vegetarian)",
    re.IGNORECASE,
)
_DIET_ON = re.compile(
    r"(?:strict(?:ly)? )?(?:keto|paleo|low[- ]\w+|whole30|dash|atkins|mediterranean|fodmap|carnivore)", re.IGNORECASE
)


def theirs(text: str) -> str:
    """In the third person: what the speaker calls "my" is theirs."""
    return _MINE.sub(_theirs, text) if _MINE.search(text) else text


def _theirs(match: re.Match[str]) -> str:
    word = _THEIRS[match[0].lower()] if match[0] != "US" else match[0]
    return word[0].upper() + word[1:] if match.start() == 0 and match[0][0].isupper() else word


def _an(value: str) -> str:
    """With its article where one is due: "data analyst" is "a data analyst"."""
    low = value.lower()
    if not low or _LED.match(low) or _UNCOUNTED.search(low):
        return value
    vowel = low[0] in "aeio" or low.startswith(("un", "um", "up", "ur", "hon", "hour", "hei"))
    sounded = low.startswith(("uni", "eu", "one", "uk", "us")) or (value[:2].isupper() and low[0] not in "aefhilmnorsx")
    spelt = value[:2].isupper() and low[0] in "aefhilmnorsx"
    return f"{'an' if (vowel and not sounded) or spelt else 'a'} {value}"


def worded(said: Said) -> str:
    """Third person, the speaker left out and others named."""
    attribute, value = said.attribute or "", said.value or ""
    if said.subject == SELF:
        return _of_self(attribute, theirs(value))
    text = _of_self(attribute, value)
    name = said.subject[0].upper() + said.subject[1:]
    if attribute == "relation":
        if "'s " in value:
            return f"{name} is {value}"
        return f"{name} is their {value}" if said.subject != value else f"Has {_an(value)}"
    if attribute == FORMER + "relation" and said.subject == value:
        return f"Is no longer with their {value}" if value in _COUPLED else f"No longer has {_an(value)}"
    if attribute == FORMER + "relation":
        return f"{name} is no longer their {value}"
    if text[0].isupper() and ":" not in text[:24]:
        return f"{name} {text[0].lower()}{text[1:]}"
    return f"{name}: {value}" if attribute == "event" else f"{name} — {text[0].lower()}{text[1:]}"


def _of_self(attribute: str, value: str) -> str:
    if attribute.startswith(FORMER):
        name = attribute.removeprefix(FORMER)
        if name == "employment" and value in _BARE_VALUE:
            return f"Is no longer {value}"
        if name in ("occupation", "employment") and not _TASK.match(value.lower()):
            value = _an(value) if name == "occupation" or _WORKPLACE.search(value) else value
        return _PAST.get(name, f"Formerly {name.replace('_', ' ')}: {{v}}").format(v=value)
    if attribute.startswith(FAVORITE):
        return f"Favorite {attribute.removeprefix(FAVORITE).replace('_', ' ')}: {value}"
    if attribute == "employment" and (
        value.lower() in _BARE_VALUE or value.lower().startswith(("on ", "stay", "semi", "job"))
    ):
        return f"Is {value}"
    if attribute == "occupation" and re.match(r"(?:teaches|runs|owns|manages|drives|does) ", value):
        return value[0].upper() + value[1:]
    if attribute == "occupation" and _TASK.match(value.lower()):
        return f"Job: {value}"
    if attribute == "occupation" and (_UNCOUNTED.search(value) and not _LED.match(value.lower())):
        return f"Works in {value}"
    if attribute == "occupation":
        return f"Works as {_an(value)}"
    if attribute == "employment" and _WORKPLACE.search(value):
        return f"Works at {_an(value)}"
    if attribute == "diet" and _DIET_OF.fullmatch(value):
        return f"Is {value}"
    if attribute == "diet" and _DIET_ON.fullmatch(value):
        return f"Is on a {value} diet"
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
