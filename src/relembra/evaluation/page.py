"""One page that shows a run: it stands alone, in one file, in either language, light or dark."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any, Protocol

from relembra.evaluation.metrics import CUTS
from relembra.evaluation.plots import bars, curves, histogram
from relembra.evaluation.report import Report, levels
from relembra.evaluation.runner import ALL_METHODS, OURS

MOST_MISSED = 200
SHOWN = ("recall@1", "recall@5", "recall@10", "recall@20", "any@5", "ndcg@10", "mrr")


class Say(Protocol):
    """The words of one language."""

    language: str

    def __call__(self, key: str, **parts: object) -> str: ...

    def number(self, value: float, digits: int = 2) -> str: ...

    def whole(self, value: int) -> str: ...

    def count(self, what: str, number: int) -> str: ...


def page(found: Report, say: Say) -> str:
    """The whole page, as HTML text; everything from the data is escaped."""
    title = say("bench.page.title", dataset=found["dataset"])
    parts = [
        f"<header><h1>{escape(title)}</h1>{_about(found, say)}</header>",
        _tiles(found, say),
        _legend(say),
        '<div class="two">',
        _card(say("bench.page.curves"), curves(_lines(found, say), title=say("bench.page.curves"))),
        _card(say("bench.page.types"), bars(_groups(found, say), title=say("bench.page.types"))),
        "</div>",
        *(_card(say(f"bench.level.{level}"), _table(found[level], say)) for level in levels(found)),
        _card(say("bench.page.latency"), _latency(found, say)),
        _card(say("bench.page.missed", n=len(found["missed"])), _missed(found, say)),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="{"pt-BR" if say.language == "pt" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _about(found: Report, say: Say) -> str:
    text = say(
        "bench.about",
        questions=say.count("question", found["asked"]),
        messages=say.count("message", found["messages"]),
        conversations=say.count("conversation", found["conversations"]),
        memories=say.count("memory", found["people"]),
    )
    more = [say(f"bench.run.{name}", value=found[name]) for name in ("half", "pool", "embedder") if found.get(name)]
    more += [found["version"]] if found.get("version") else []
    stopped = f' <b class="stop">{escape(say("bench.stopped"))}</b>' if found["stopped"] else ""
    return f"<p>{escape(text)}{stopped}</p><p class='fine'>{escape(' · '.join(more))}</p>"


def _tiles(found: Report, say: Say) -> str:
    """The few figures to look at first, each beside the best plain one."""
    turns, fresh, context, latency = found["turns"], found["fresh"], found["context"], found["latency"]
    tiles = []
    for name in ("recall@5", "recall@10", "any@5"):
        if name in turns[OURS]["overall"]:
            best = max(turns[method]["overall"][name] for method in ALL_METHODS if method != OURS)
            tiles.append(
                (name, _share(turns[OURS]["overall"][name], say), say("bench.page.plain", n=_share(best, say)))
            )
    if fresh["questions"]:
        best = max(fresh[method] for method in ALL_METHODS if method != OURS)
        tiles.append((say("bench.fresh"), _share(fresh[OURS], say), say("bench.page.plain", n=_share(best, say))))
    if context["questions"]:
        beside = say(
            "bench.page.context", n=_share(context["bm25_evidence"], say), tokens=say.whole(context["bm25_budget"])
        )
        tiles.append((say("bench.page.shown", tokens=context["budget"]), _share(context["evidence"], say), beside))
    ratio = latency["ratio"]["recall"]
    beside = say("bench.page.ratio", n=say.number(ratio, 1)) if ratio else ""
    tiles.append(("recall p50", f"{say.number(latency['recall']['p50'], 1)} ms", beside))
    inside = "".join(
        f"<div class='tile'><span>{escape(name)}</span><strong>{escape(value)}</strong>"
        f"<small>{escape(small)}</small></div>"
        for name, value, small in tiles
    )
    return f"<section class='tiles'>{inside}</section>"


def _legend(say: Say) -> str:
    names = "".join(
        f"<span><i class='m{place}'></i>{escape(say(f'bench.method.{method}'))}</span>"
        for place, method in enumerate(ALL_METHODS)
    )
    return f"<p class='legend'>{names}</p>"


def _lines(found: Report, say: Say) -> dict[str, dict[int, float]]:
    level = _level(found)
    return {
        say(f"bench.method.{method}"): {cut: level[method]["overall"].get(f"recall@{cut}", 0.0) for cut in CUTS}
        for method in ALL_METHODS
    }


def _groups(found: Report, say: Say) -> dict[str, dict[str, float]]:
    """Recall of the first five by type; where there is one type only, it stands alone."""
    level = _level(found)
    names = list(level[OURS]["by_type"])
    groups = {
        name: {say(f"bench.method.{method}"): level[method]["by_type"][name]["recall@5"] for method in ALL_METHODS}
        for name in names
    }
    overall = {say(f"bench.method.{method}"): level[method]["overall"].get("recall@5", 0.0) for method in ALL_METHODS}
    return {say("bench.overall"): overall, **(groups if len(names) > 1 else {})}


def _level(found: Report) -> Any:
    """Turns, or sessions where no question names turns."""
    return found["turns"] if found["turns"][OURS]["overall"]["questions"] else found["sessions"]


def _table(level: Report, say: Say) -> str:
    """Figures by method over all questions, then ours by type beside the best plain one."""
    if not level[OURS]["overall"]["questions"]:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in SHOWN)
    rows = []
    for place, method in enumerate(ALL_METHODS):
        cells = _cells(level[method]["overall"], say)
        rows.append(f"<tr><th><i class='m{place}'></i>{escape(say(f'bench.method.{method}'))}</th>{cells}</tr>")
    names = list(level[OURS]["by_type"])
    if len(names) > 1:
        rows.append(f"<tr class='sub'><th colspan='{len(SHOWN) + 1}'>{escape(say('bench.head.type'))}</th></tr>")
    for name in names if len(names) > 1 else ():
        figures = level[OURS]["by_type"][name]
        count = say.count("question", figures["questions"])
        rows.append(
            f"<tr class='type'><th>{escape(name)} <small>{escape(count)}</small></th>{_cells(figures, say)}</tr>"
        )
    corner = escape(say("bench.page.method"))
    body = f"<thead><tr><th>{corner}</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f"<div class='wide'><table>{body}</table></div>"


def _cells(figures: Report, say: Say) -> str:
    return "".join(f"<td>{escape(say.number(figures[name], 3))}</td>" for name in SHOWN)


def _latency(found: Report, say: Say) -> str:
    times = {say(f"bench.latency.{name}"): each for name, each in found["latency"]["milliseconds"].items()}
    said = " · ".join(
        f"{say(f'bench.latency.{name}')}: p50 {say.number(found['latency'][name]['p50'], 1)} ms, "
        f"p95 {say.number(found['latency'][name]['p95'], 1)} ms"
        for name in ("recall", "load", "embed")
    )
    return f"<p class='fine'>{escape(said)}</p>{histogram(times, title=say('bench.page.latency'), unit='ms')}"


def _missed(found: Report, say: Say) -> str:
    missed = found["missed"]
    if not missed:
        return f"<p>{escape(say('bench.page.none_missed'))}</p>"
    rows = "".join(
        f"<tr><td>{escape(one['question'])}<small>{escape(one['id'])} · {escape(one['type'])}</small></td>"
        f"<td>{_texts(one['evidence'] or [{'text': '', 'id': id} for id in one['sessions']])}</td>"
        f"<td>{_texts([one['first']] if one['first'] else [])}</td></tr>"
        for one in missed[:MOST_MISSED]
    )
    head = "".join(f"<th>{escape(say(f'bench.page.{name}'))}</th>" for name in ("question", "expected", "first"))
    more = f"<p class='fine'>{escape(say('bench.page.more', n=len(missed) - MOST_MISSED))}</p>"
    table = f"<div class='wide'><table class='missed'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    return table + (more if len(missed) > MOST_MISSED else "")


def _texts(turns: Iterable[Report]) -> str:
    return "".join(f"<p>{escape(turn['text'])}<small>{escape(turn['id'])}</small></p>" for turn in turns) or "—"


def _card(title: str, inside: str) -> str:
    return f"<section class='card'><h2>{escape(title)}</h2>{inside}</section>" if inside else ""


def _share(value: float, say: Say) -> str:
    return f"{say.number(value * 100, 1)} %"


def style() -> str:
    """The page's style sheet."""
    return (files("relembra.evaluation") / "page.css").read_text("utf-8")
