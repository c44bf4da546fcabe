"""Draws the pictures of the demo in docs/pictures, from a real run. By hand: python docs/make_pictures.py"""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.terminal_theme import TerminalTheme

from relembra.interfaces.cli.demo import run
from relembra.interfaces.stories import LANGUAGES

FOLDER = Path(__file__).parent / "pictures"
COLUMNS = 96
CHARACTER_WIDTH = 0.602  # of its height, in DejaVu Sans Mono
SHOWN = (1, 2, 4)  # scenes: the move, a question only she can answer, the secret

THEME = TerminalTheme(
    (22, 24, 29),
    (214, 216, 220),
    [(40, 43, 50), (224, 108, 117), (140, 190, 120), (214, 178, 110), (97, 155, 220), (190, 130, 200), (86, 176, 190),
     (214, 216, 220)],
    [(128, 134, 146), (224, 108, 117), (140, 190, 120), (214, 178, 110), (97, 155, 220), (190, 130, 200),
     (86, 176, 190), (240, 240, 242)],
)  # fmt: skip

# Rich's own frame names a font on a remote server; this one asks for what the reader has.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix, .{unique_id}-title {{
  font-family: "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 16px; fill: #808692; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""


class Scenes(Console):
    """Keeps what is printed of some scenes, each of which begins with a rule."""

    number = -1

    def print(self, *parts: Any, **options: Any) -> None:
        if any(isinstance(part, Rule) for part in parts):
            self.number += 1
        self.record = self.number in SHOWN
        super().print(*parts, **options)


def draw(language: str) -> str:
    """Play the whole story and keep a picture of some scenes."""
    console = Scenes(
        record=True, file=StringIO(), width=COLUMNS, highlight=False, force_terminal=True, color_system="standard"
    )
    run(language, fast=True, console=console)
    console.record = True
    return console.export_svg(
        title=f"relembra demo --lang {language}",
        theme=THEME,
        code_format=FRAME,
        font_aspect_ratio=CHARACTER_WIDTH,
        unique_id=f"relembra-{language}",
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        (FOLDER / f"demo-{language}.svg").write_text(draw(language), "utf-8")


if __name__ == "__main__":
    main()
