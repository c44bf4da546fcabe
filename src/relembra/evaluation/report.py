"""From single outcomes to figures: one plain value that a program, a table and a page read alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from math import ceil, floor, log10
from typing import Any, Protocol

from relembra.domain.text import shortened
from relembra.evaluation.datasets import Dataset, Question
from relembra.evaluation.runner import (
    ALL_METHODS,
    CONTEXT_TOKENS,
    CUTS,
    OURS,
    PLAIN_TOKENS,
    Measured,
    any_at,
    is_fresh,
    mean,
    mean_of,
    percentile,
    recall_at,
    scored,
)

Report = dict[str, Any]

MISSED_AT = 10
LONGEST_TEXT = 300


def report(dataset: Dataset, found: Sequence[Measured], *, stopped: bool = False, **about: Any) -> Report:
    """Every figure of a run; `about` is told along."""
    return {
        "dataset": dataset.name,
        **about,
        "messages": len(dataset.turns),
        "conversations": len({(turn.person, turn.conversation) for turn in dataset.turns}),
        "people": len(dataset.people),
        "questions": len(dataset.questions),
        "asked": len(found),
        "left_out": dataset.left_out,
        "stopped": stopped,
        "turns": _by_method(found, lambda one: one.question.evidence, lambda one, method: one.turns[method]),
        "sessions": _by_method(found, lambda one: one.question.sessions, lambda one, method: one.sessions[method]),
        "fresh": _fresh(found),
        "context": _context(found),
        "latency": _latency(found),
        "missed": [_missed(one, dataset) for one in found if is_missed(one)],
    }


def levels(found: Report) -> tuple[str, ...]:
    """What can be told apart: messages, and conversations where a memory has several."""
    return ("turns", "sessions") if found["conversations"] > found["people"] else ("turns",)


def _by_method(
    found: Sequence[Measured],
    wanted: Callable[[Measured], Sequence[str]],
    ranking: Callable[[Measured, str], Sequence[str]],
) -> Report:
    """Each method's figures over all questions with evidence, and over each type of question."""
    answerable = [one for one in found if wanted(one)]
    types = sorted({one.question.type for one in answerable})

    def figures(method: str, some: Iterable[Measured]) -> Report:
        scores = [scored(ranking(one, method), wanted(one)) for one in some]
        return {"questions": len(scores), **{name: round(value, 4) for name, value in mean_of(scores).items()}}

    return {
        method: {
            "overall": figures(method, answerable),
            "by_type": {
                name: figures(method, (one for one in answerable if one.question.type == name)) for name in types
            },
        }
        for method in ALL_METHODS
    }


def _fresh(found: Sequence[Measured]) -> Report:
    """How often what holds now stands above what it replaced."""
    changed = [one for one in found if one.question.newest and one.question.older]
    shares = {
        method: round(mean(is_fresh(one.turns[method], one.question.newest, one.question.older) for one in changed), 4)
        for method in ALL_METHODS
    }
    return {"questions": len(changed), **(shares if changed else {})}


def _context(found: Sequence[Measured]) -> Report:
    """The share of evidence that a context shows, beside whole messages in three times its room."""
    answerable = [one for one in found if one.question.evidence]
    if not answerable:
        return {"questions": 0}

    def share(ids: Callable[[Measured], Sequence[str]]) -> float:
        return round(mean(recall_at(ids(one), one.question.evidence, len(ids(one))) for one in answerable), 4)

    return {
        "questions": len(answerable),
        "budget": CONTEXT_TOKENS,
        "evidence": share(lambda one: one.shown),
        "tokens": round(mean(one.tokens for one in answerable), 1),
        "messages": round(mean(len(one.shown) for one in answerable), 1),
        "items": round(mean(one.items for one in answerable), 1),
        "bm25_budget": PLAIN_TOKENS,
        "bm25_evidence": share(lambda one: one.plain_shown),
        "bm25_tokens": round(mean(one.plain_tokens for one in answerable), 1),
    }


def _latency(found: Sequence[Measured]) -> Report:
    """Milliseconds, and how they compare with embedding the question alone."""
    times = {name: [one.seconds[name] * 1_000 for one in found] for name in ("recall", "load", "embed")}
    figures: Report = {
        name: {"p50": round(percentile(each, 0.5), 3), "p95": round(percentile(each, 0.95), 3)}
        for name, each in times.items()
    }
    alone = figures["embed"]["p50"]
    ratio = {name: round(figures[name]["p50"] / alone, 2) if alone else None for name in ("recall", "load")}
    return {**figures, "ratio": ratio, "milliseconds": {name: [round(ms, 3) for ms in times[name]] for name in times}}


def is_missed(one: Measured) -> bool:
    """Whether nothing of the evidence was among the first ten."""
    if one.question.evidence:
        return not any_at(one.turns[OURS], one.question.evidence, MISSED_AT)
    return bool(one.question.sessions) and not any_at(one.sessions[OURS], one.question.sessions, MISSED_AT)


def _missed(one: Measured, dataset: Dataset) -> Report:
    question = one.question
    first = one.turns[OURS][:1]
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "answer": question.answer,
        "evidence": [_turn(question, id, dataset) for id in question.evidence],
        "sessions": list(question.sessions),
        "first": _turn(question, first[0], dataset) if first else None,
    }


def _turn(question: Question, id: str, dataset: Dataset) -> Report:
    turn = dataset.by_id.get((question.person, id))
    return {"id": id, "text": shortened(turn.text, LONGEST_TEXT) if turn else ""}


WIDTH, HEIGHT = 460, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 20, 12, 34
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
BINS = 24
LONGEST_LABEL, LETTER = 26, 6.4


def bars(groups: Mapping[str, Mapping[str, float]], *, title: str, percent: str = "{:.0f} %") -> str:
    """Shares from 0 to 1: a row for each group, in it a bar for each method."""
    row, gap = 15, 14
    label = min(LONGEST_LABEL, max((len(name) for name in groups), default=0)) * LETTER + 14
    methods = list(next(iter(groups.values()))) if groups else []
    height = sum(len(inside) * row + gap for inside in groups.values()) + 8
    room = WIDTH - label - 48
    parts, y = [], 4.0
    for name, inside in groups.items():
        parts.append(_text(label - 8, y + len(inside) * row / 2 + 2, shortened(name, LONGEST_LABEL), "end", "name"))
        for place, (method, share) in enumerate(inside.items()):
            top = y + place * row
            said = percent.format(share * 100)
            hint = escape(f"{name} · {method}: {said}")
            parts.append(
                f'<rect class="m{methods.index(method)}" x="{label:.1f}" y="{top:.1f}" '
                f'width="{max(room * share, 1):.1f}" height="{row - 3}" rx="2"><title>{hint}</title></rect>'
            )
            parts.append(_text(label + room * share + 6, top + row - 5, said, "start", "value"))
        y += len(inside) * row + gap
    return _svg(parts, height, title)


def curves(lines: Mapping[str, Mapping[int, float]], *, title: str) -> str:
    """Shares by how many are looked at: a line for each method."""
    cuts = sorted({cut for line in lines.values() for cut in line})
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(cut: int) -> float:
        return LEFT + wide * cuts.index(cut) / max(len(cuts) - 1, 1)

    def y(share: float) -> float:
        return TOP + high * (1 - share)

    parts = [f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(s):.1f}" y2="{y(s):.1f}"/>' for s in GRID]
    parts += [_text(LEFT - 8, y(share) + 4, f"{share:.0%}".replace("%", ""), "end", "value") for share in GRID]
    parts += [_text(x(cut), HEIGHT - 12, f"@{cut}", "middle", "value") for cut in cuts]
    for place, (method, line) in enumerate(lines.items()):
        points = " ".join(f"{x(cut):.1f},{y(line[cut]):.1f}" for cut in cuts)
        parts.append(f'<polyline class="l{place}" points="{points}"/>')
        parts += [
            f'<circle class="m{place}" cx="{x(cut):.1f}" cy="{y(line[cut]):.1f}" r="3.5">'
            f"<title>{escape(f'{method} @{cut}: {line[cut]:.3f}')}</title></circle>"
            for cut in cuts
        ]
    return _svg(parts, HEIGHT, title)


def histogram(series: Mapping[str, Sequence[float]], *, title: str, unit: str) -> str:
    """How often each length of time came, on a logarithmic scale; a row of bars for each series."""
    values = [max(value, 0.001) for each in series.values() for value in each]
    if not values:
        return ""
    low, high = floor(log10(min(values)) * 2) / 2, ceil(log10(max(values)) * 2 + 1e-9) / 2
    spread = max(high - low, 0.5)
    label, row = 70, 56
    wide = WIDTH - label - RIGHT
    parts = []
    for place, (name, each) in enumerate(series.items()):
        counts = [0] * BINS
        for value in each:
            counts[min(BINS - 1, max(0, int((log10(max(value, 0.001)) - low) / spread * BINS)))] += 1
        base = (place + 1) * row
        parts.append(_text(label - 10, base - 14, name, "end", "name"))
        parts.append(f'<line class="grid" x1="{label}" x2="{WIDTH - RIGHT}" y1="{base}" y2="{base}"/>')
        for bin, count in enumerate(counts):
            if count:
                tall = max((row - 12) * count / max(counts), 1.5)
                left = label + wide * bin / BINS
                parts.append(
                    f'<rect class="m0" x="{left + 1:.1f}" y="{base - tall:.1f}" width="{wide / BINS - 2:.1f}" '
                    f'height="{tall:.1f}" rx="1.5"><title>{escape(f"{name}: {count}")}</title></rect>'
                )
    bottom = len(series) * row
    steps = [low + half / 2 for half in range(int(spread * 2) + 1)]
    for exponent in steps if len(steps) <= 6 else [step for step in steps if step == int(step)]:
        at = label + wide * (exponent - low) / spread
        shown = f"{10**exponent:.3g}"
        parts.append(_text(min(at, WIDTH - 18), bottom + 18, shown, "middle", "value"))
    parts.append(_text(4, bottom + 18, unit, "start", "value"))
    return _svg(parts, bottom + 26, title)


def _text(x: float, y: float, text: str, anchor: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(parts: Sequence[str], height: float, title: str) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}">{inside}</svg>'


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
        _card(say("bench.page.latency"), _latency_cells(found, say)),
        _card(say("bench.page.missed", n=len(found["missed"])), _missed_rows(found, say)),
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


def _latency_cells(found: Report, say: Say) -> str:
    times = {say(f"bench.latency.{name}"): each for name, each in found["latency"]["milliseconds"].items()}
    said = " · ".join(
        f"{say(f'bench.latency.{name}')}: p50 {say.number(found['latency'][name]['p50'], 1)} ms, "
        f"p95 {say.number(found['latency'][name]['p95'], 1)} ms"
        for name in ("recall", "load", "embed")
    )
    return f"<p class='fine'>{escape(said)}</p>{histogram(times, title=say('bench.page.latency'), unit='ms')}"


def _missed_rows(found: Report, say: Say) -> str:
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
