"""The character's face: one of four, as the emotion contract has it."""

from __future__ import annotations

from nicegui import ui

from gieok.domain.emotion import EMOTIONS, Emotion, one_hot
from gieok.web.kit import said
from gieok.web.wording import Words


class Face:
    """Shows what the character feels, in a picture and in words."""

    def __init__(self, character: str, words: Words) -> None:
        self._character = character
        self._words = words
        self._picture = ui.element("img").classes("t-face").props('width="112" height="112"')
        with ui.element("div").classes("g-stack t-named"):
            said(character, "h2")
            self._feeling = said("", "p").classes("g-dim g-small t-feeling")
        self.show("neutral")

    def show(self, emotion: Emotion) -> None:
        """Put on the face for `emotion`."""
        [shown] = [each for each in EMOTIONS if one_hot(emotion)[each]]
        feeling = self._words(f"talk.feelings.{shown}")
        self._picture.props["src"] = f"/look/faces/{shown}.svg"
        self._picture.props["alt"] = self._words("talk.face.alt", character=self._character, feeling=feeling)
        self._picture.update()
        self._feeling.text = feeling
