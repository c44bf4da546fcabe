"""Taking over what an older program knew."""

from __future__ import annotations

from relembra.interfaces.cli import panels, shapes
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.terminal import Terminal, clean, working

MOST_NAMED = 10


async def facts(call: Call) -> Answer:
    """Everybody's, or with --user one person's; a trial makes no file."""
    path, dry_run = call.given.path("file"), call.given.flag("dry_run")
    user = call.line.last("user")
    async with call.reading() if dry_run else call.writing() as memory, working(call.words("import.working")):
        told = await memory.import_facts(path, user=user, dry_run=dry_run, tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if user is not None and not (told.total or told.known or told.repeated):
            named = ", ".join(clean(name) for name in told.people[:MOST_NAMED]) or "—"
            terminal.say("import.nobody", user=user, people=named + ("…" if len(told.people) > MOST_NAMED else ""))
            return
        key = "import.nothing" if not told.total else "import.would" if dry_run else "import.done"
        terminal.say(key, "green bold", count=words.count("fact", told.total), path=path)
        rest = {"known": told.known, "repeated": told.repeated, "left_out": told.left_out}
        rows: panels.Rows = [(clean(name), words.whole(number)) for name, number in told.added.items()]
        rows += [(words(f"import.{name}"), words.whole(number)) for name, number in rest.items() if number]
        if rows:
            terminal.show(panels.pairs(rows))

    return Answer(shapes.imported(told), people)
