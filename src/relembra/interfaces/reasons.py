"""Why something was decided, in the reader's language: the rules' own words are few, and each has a sentence here."""

from __future__ import annotations

import re

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.audit import Actor, ActorKind
from relembra.locale import Words

_AFTER_COMMA = {
    "but the person had confirmed the earlier one": "reason.but_confirmed",
    "but the person had confirmed it": "reason.but_confirmed",
    "but only by inference": "reason.but_inferred",
    "but it may still hold": "reason.but_holds",
}
_WHOLE = {
    "known already": "reason.known",
    "new": "reason.new",
    "the taste turned": "reason.taste",
    "goal completed": "reason.goal_completed",
    "goal dropped": "reason.goal_dropped",
    "they disagree and no rule covers it": "reason.disagree",
    "the person said which": "reason.person",
    "confirmed by the person": "reason.confirmed",
    "more certain": "reason.more_certain",
    "newer": "reason.newer",
    "keep new": "outcome.new",
    "keep old": "outcome.old",
    "keep both": "outcome.both",
    "keep neither": "outcome.neither",
    "the same words": "reason.same_words",
    "an old note": "reason.old_note",
    "the days since no longer show it": "reason.no_longer",
    "they belong together": "reason.together",
    "nothing stands against it any more": "reason.unopposed",
    "said more exactly": "reason.exactly",
    "said to be over": "reason.said_over",
    "ended by what was said later": "reason.ended_later",
    "replaced by what was said later": "reason.replaced_later",
    "perhaps over by what was said later": "reason.perhaps_over",
    "said again since": "reason.again",
}
_ABOUT = (
    (re.compile(r"a plan for the (\w+) changed"), "reason.plan_changed"),
    (re.compile(r"a plan for the (\w+) came true"), "reason.came_true"),
    (re.compile(r"(\w+) changed"), "reason.changed"),
    (re.compile(r"an? later (\w+)"), "reason.later"),
    (re.compile(r"an? earlier (\w+)"), "reason.earlier"),
    (re.compile(r"(\w+) cannot change, so one of the two is wrong"), "reason.fixed"),
    (re.compile(r"(\w+) has two values and no rule covers it"), "reason.two_values"),
    (re.compile(r"(\w+) said more exactly"), "reason.exact"),
    (re.compile(r"(\w+) is over"), "reason.over"),
    (re.compile(r"(\w+) came back beside another value"), "reason.came_back"),
)
_COUNTED = (
    (re.compile(r"a feeling not said again for (?P<weeks>\d+) weeks?"), "reason.faded"),
    (
        re.compile(r"a feeling not said again for (?P<weeks>\d+) weeks?, and now under (?P<under>\S+)"),
        "reason.faded_out",
    ),
    (re.compile(r"used (?P<n>\d+) times"), "reason.used"),
    (re.compile(r"neither used nor said for (?P<n>\d+) days"), "reason.idle"),
    (re.compile(r"not looked at for (?P<n>\d+) days"), "reason.unseen"),
    (re.compile(r"told in (?P<tokens>\d+) tokens, and old enough for (?P<limit>\d+)"), "reason.too_long"),
    (re.compile(r"the same in other words \(\S+\)"), "reason.other_words"),
    (re.compile(r"both say: (?P<state>[\w ]+)"), "reason.both_say"),
    (re.compile(r"(?P<wide>[\w ]+) says (?P<narrow>[\w ]+) as well"), "reason.implies"),
    (re.compile(r"the same (?P<attribute>[\w ]+)"), "reason.same_value"),
    (re.compile(r"(?P<attribute>[\w ]+) said more exactly"), "reason.exact"),
)
"""Of night work, with its numbers and names in it."""
_SINCE = re.compile(r"(?P<who>\w+:.+) changed it since \((?P<verb>\w+)\)")
_OPPOSITE = "an opposite taste, but the earlier one is "


def reason(words: Words, why: str) -> str:
    """A recorded reason as a sentence; what a person or a language model wrote stays as it is."""
    return "; ".join(_one(words, part) for part in why.split("; "))


def attribute(words: Words, name: str | None) -> str:
    """What an attribute is called: "former residence" too, and "favourite colour" as far as it is known."""
    if name is None:
        return ""
    for mark, key in ((FORMER, "attribute.former"), (FAVORITE, "attribute.favorite")):
        if name.startswith(mark) and len(name) > len(mark):
            return words(key, name=attribute(words, name.removeprefix(mark)))
    return words.name("attribute", name).replace("_", " ")


def who(words: Words, actor: Actor) -> str:
    """A person by their name, anybody else with what they are."""
    return actor.name if actor.kind is ActorKind.PERSON else words(f"actor.{actor.kind}", name=actor.name)


def why_left(words: Words, why: str) -> str:
    """Why a row stays as it is when a record is rolled back."""
    if found := _SINCE.fullmatch(why):
        changed_by = who(words, Actor.parse(found["who"]))
        return words("left.since", who=changed_by, verb=words.name("verb", found["verb"]))
    return words("left.forgotten" if "forgotten" in why else "left.changed")


def _one(words: Words, why: str) -> str:
    if why in _WHOLE:
        return words(_WHOLE[why])
    if why.startswith(_OPPOSITE):
        return words("reason.opposite", why=_one(words, why.removeprefix(_OPPOSITE)))
    for pattern, key in _ABOUT:
        if found := pattern.fullmatch(why):
            return words(key, attribute=attribute(words, found[1]))
    for pattern, key in _COUNTED:
        if found := pattern.fullmatch(why):
            return words(key, **{name: _part(words, name, part) for name, part in found.groupdict().items()})
    first, _, rest = why.partition(", ")
    if rest in _AFTER_COMMA:
        return f"{_one(words, first)}, {words(_AFTER_COMMA[rest])}"
    return why


def _part(words: Words, name: str, part: str) -> str:
    """A number or name in a reason, as it is said in the reader's language."""
    match name:
        case "weeks":
            return words.count("week", int(part))
        case "under":
            return words.decimal(part)
        case "attribute":
            return attribute(words, part.replace(" ", "_"))
        case "wide" | "narrow" | "state":
            return words.name("living", part.replace(" ", "_")).replace("_", " ")
    return part
