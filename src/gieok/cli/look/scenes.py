"""What the two did together, and what they felt: scenes and feelings, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.bank.living import Feeling
from gieok.cli.look.bars import Fitting, meter
from gieok.cli.look.living_words import LivingWords
from gieok.cli.look.relationship import Speaking
from gieok.domain.emotion import Emotion
from gieok.domain.scene import Scene

EMOTION_STYLES: Final[Mapping[Emotion, str]] = {
    "neutral": "bright_black",
    "sad": "blue",
    "happy": "yellow",
    "angry": "red",
}
_BAR: Final = 6
_TOPICS: Final = 5
_DIM: Final = "bright_black"


def scenes_table(scenes: Sequence[Scene], speaking: Speaking) -> RenderableType:
    living = speaking.living
    if not scenes:
        return Text(living.no_scenes, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.when, no_wrap=True)
    table.add_column(living.place, overflow="fold", style="cyan")
    table.add_column(living.tone, no_wrap=True)
    table.add_column(living.topics, overflow="fold")
    table.add_column(living.turns, justify="right", no_wrap=True)
    for scene in scenes:
        table.add_row(
            _when(scene, speaking),
            scene.place or "",
            emotion_word(scene.tone, living),
            ", ".join(scene.topics[:_TOPICS]),
            f"{scene.turns:,}",
        )
    return Fitting(table=table, kept=(0, 3))


def emotions_table(
    feelings: Sequence[Feeling], said: Mapping[tuple[str, str], str], speaking: Speaking
) -> RenderableType:
    """Return a row per feeling; `said` are the words by (turn id, speaker)."""
    living = speaking.living
    if not feelings:
        return Text(living.nothing_felt, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM, expand=True)
    table.add_column(living.when, no_wrap=True, width=16)
    table.add_column(living.who, no_wrap=True, style="cyan")
    table.add_column(living.feeling, no_wrap=True, min_width=_BAR + 5)
    table.add_column(living.words, no_wrap=True, overflow="ellipsis", ratio=1)
    turn_id = None
    for feeling in feelings:
        when = speaking.moment(feeling.at) if feeling.turn_id != turn_id else ""
        turn_id = feeling.turn_id
        felt = feeling.felt
        words = " ".join(said.get((feeling.turn_id, felt.speaker), "").split())
        table.add_row(when, speaking.named(felt.speaker), _felt(feeling, living), Text(words))
    return Fitting(table=table, kept=(1, 2, 3))


def emotion_word(emotion: Emotion, living: LivingWords) -> Text:
    return Text(living.emotions[emotion], style=EMOTION_STYLES[emotion])


def last_time_in_english(scene: Scene, speaking: Speaking) -> str:
    """Return what was done in `scene` as one sentence, nothing that is not in it."""
    at = scene.started_at.astimezone(speaking.zone)
    place = f" at {scene.place}" if scene.place else ""
    topics = f" about {', '.join(scene.topics[:3])}" if scene.topics else ""
    mood = "" if scene.tone == "neutral" else f"; the mood was {speaking.living.emotions[scene.tone]}"
    return f"Last time ({at:%B} {at.day}) they talked{place}{topics}{mood}."


def _when(scene: Scene, speaking: Speaking) -> Text:
    begun = Text(f"{speaking.moment(scene.started_at)}–")
    if scene.ended_at is None:
        return begun.append(speaking.living.goes_on, "green")
    return begun.append(_end(scene.started_at, scene.ended_at, speaking))


def _end(begun: datetime, ended: datetime, speaking: Speaking) -> str:
    begun, ended = begun.astimezone(speaking.zone), ended.astimezone(speaking.zone)
    return f"{ended:%H:%M}" if begun.date() == ended.date() else f"{ended:%m-%d %H:%M}"


def _felt(feeling: Feeling, living: LivingWords) -> Text:
    emotion = feeling.felt.emotion
    if emotion == "neutral":
        return emotion_word(emotion, living)
    word = emotion_word(emotion, living)
    word.pad_right(max(Text(each).cell_len for each in living.emotions.values()) - word.cell_len + 1)
    return word.append_text(meter(feeling.felt.intensity, _BAR, EMOTION_STYLES[emotion]))
