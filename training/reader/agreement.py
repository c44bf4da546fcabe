"""How far two annotators of the same messages agree: what is worth keeping, of whom, as what, and what it does.

    python -m reader.agreement FIRST.jsonl SECOND.jsonl
    python -m reader.agreement FIRST.jsonl SECOND.jsonl --joined OUT.jsonl

`--joined` writes the first file with what only one of the two would keep marked optional: what both would keep has to
be found, what either would keep is not junk.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from .score import folded

Line = dict[str, Any]


def words(text: str) -> set[str]:
    return {"".join(c for c in word if c.isalnum()) for word in folded(text).split()} - {""}


def same(one: Line, other: Line) -> bool:
    """Whether two labels say the same of the same person: half of the shorter value's words in common."""
    mine, theirs = words(one["value"]), words(other["value"])
    who, whom = words(one["subject"]), words(other["subject"])
    return 2 * len(mine & theirs) >= max(1, min(len(mine), len(theirs))) and bool(who & whom)


def lines(path: Path) -> dict[str, Line]:
    return {
        line["id"]: line
        for raw in path.read_text(encoding="utf-8").splitlines()
        if raw.strip() and (line := json.loads(raw))
    }


def compared(first: Line, second: Line) -> Counter[str]:
    total: Counter[str] = Counter(messages=1)
    mine = [x for x in first["items"] if not x.get("optional")]
    theirs = [x for x in second["items"] if not x.get("optional")]
    total["first"], total["second"] = len(mine), len(theirs)
    total["both_empty"] = not first["items"] and not second["items"]
    total["one_empty"] = bool(first["items"]) != bool(second["items"])
    for item in mine:
        near = [x for x in second["items"] if same(item, x)]
        total["first_shared"] += bool(near)
        if near:
            total["attribute"] += any(
                x["attribute"] == item["attribute"]
                or x["attribute"] in item.get("or", [])
                or item["attribute"] in x.get("or", [])
                for x in near
            )
            total["status"] += any(x["status"] == item["status"] for x in near)
    total["second_shared"] = sum(any(same(x, item) for x in first["items"]) for item in theirs)
    does = {h["known"]: h["does"] for h in second.get("held") or ()}
    for held in first.get("held") or ():
        if held["known"] in does:
            total["held"] += 1
            total["does"] += held["does"] == does[held["known"]]
            total["over"] += (held["does"] in ("replaces", "ends")) == (does[held["known"]] in ("replaces", "ends"))
    return total


def joined(first: Line, second: Line) -> Line:
    """The first annotator's line; what one of the two would not keep, or doubts, is optional."""
    items = []
    for item in first["items"]:
        near = [x for x in second["items"] if same(item, x)]
        sure = near and not item.get("optional")
        others = sorted(
            {x["attribute"] for x in near if x["attribute"]} - {item["attribute"]} | set(item.get("or", []))
        )
        item = {k: v for k, v in item.items() if k not in ("optional", "or")}
        items.append({**item, **({"or": others} if others else {}), **({} if sure else {"optional": True})})
    items += [{**x, "optional": True} for x in second["items"] if not any(same(x, item) for item in first["items"])]
    does = {h["known"]: h["does"] for h in second.get("held") or ()}
    held = [h for h in first.get("held") or () if does.get(h["known"], h["does"]) == h["does"]]
    return {**first, "items": items, **({"held": held} if held else {})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--joined", type=Path)
    args = parser.parse_args()
    first, second = lines(args.first), lines(args.second)
    total: Counter[str] = Counter()
    for id in first.keys() & second.keys():
        total += compared(first[id], second[id])
    shared = total["first_shared"] + total["second_shared"]
    print(
        json.dumps(
            {
                "messages": total["messages"],
                "items": (total["first"], total["second"]),
                "agreed": round(shared / max(1, total["first"] + total["second"]), 3),
                "attribute": round(total["attribute"] / max(1, total["first_shared"]), 3),
                "status": round(total["status"] / max(1, total["first_shared"]), 3),
                "only one keeps something": round(total["one_empty"] / max(1, total["messages"]), 3),
                "does": round(total["does"] / max(1, total["held"]), 3),
                "over or not": round(total["over"] / max(1, total["held"]), 3),
            }
        )
    )
    if args.joined:
        made = [joined(line, second[id]) if id in second else line for id, line in first.items()]
        args.joined.write_text("".join(json.dumps(x, ensure_ascii=False) + "\n" for x in made), encoding="utf-8")


if __name__ == "__main__":
    main()
