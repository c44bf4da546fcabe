"""The forms a context is given in, by name.

The text of a context is never longer than its lines and headings together, each with the line breaks around it:
`len(text) <= sum(len(line) + 1) + sum(len(heading) + 2)`, over its lines and over the parts they lie in. No lines, no
text.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from relembra.errors import InvalidInputError
from relembra.recall.entries import Rendering
from relembra.recall.renderings.as_json import Json
from relembra.recall.renderings.chat import Chat
from relembra.recall.renderings.compact import Compact
from relembra.recall.renderings.layered import Layered
from relembra.recall.renderings.markdown import Markdown
from relembra.recall.renderings.xml import Xml

__all__ = ["DEFAULT", "RENDERINGS", "rendering"]

DEFAULT = "markdown"
RENDERINGS: Mapping[str, Rendering] = MappingProxyType(
    {
        "markdown": Markdown(),
        "xml": Xml(),
        "compact": Compact(),
        "layers": Layered(),
        "json": Json(),
        "chat": Chat(),
    }
)


def rendering(name: str) -> Rendering:
    """The rendering of a name; what there is to choose from when there is none."""
    if name not in RENDERINGS:
        raise InvalidInputError(f"no context format {name!r}; choose one of {', '.join(RENDERINGS)}", field="format")
    return RENDERINGS[name]
