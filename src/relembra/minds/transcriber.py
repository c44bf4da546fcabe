"""Voice notes to text, by a server that speaks OpenAI's `/audio/transcriptions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from relembra.errors import MindError
from relembra.minds.server import ModelServer


class _Reply(msgspec.Struct):
    text: str


class OpenAICompatibleTranscriber(ModelServer):
    """Sends one recording at a time. Neither its words nor the key are ever part of a message."""

    role = "transcriber"
    path = "/audio/transcriptions"
    advice: ClassVar[Mapping[int, str]] = {413: "the recording is too long for this model"}
    otherwise = "check the model's name, and whether it takes recordings of this kind"

    async def transcribe(self, audio: bytes, name: str) -> str:
        """What is said in a recording; `name` tells by its ending what kind it is."""
        content = await self._ask(
            data={"model": self._model, "response_format": "json"},
            files={"file": (name, audio, "application/octet-stream")},
        )
        try:
            return msgspec.json.decode(content, type=_Reply).text.strip()
        except (msgspec.DecodeError, RecursionError) as exc:
            raise MindError(f"the transcriber {self.name} gave a reply that is no transcript") from exc
