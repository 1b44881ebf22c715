"""Scenes: sections of the story, each with place, people, tone and topics.

A scene starts with the first turn, a new session, after a silence, or when the text moves to another place; the
previous one then ends. It only contains what was said: a place that nobody named is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from gieok.domain.emotion import Emotion, Felt
from gieok.domain.judgement import Moment
from gieok.domain.noticed import Noticed

Ending = Literal["session", "silence", "place", "call"]

SHARED_IN_VIEW: Final = 20
_PRECISION: Final = 6
_TITLE_TOPICS: Final = 3
_TONE_ORDER: Final[tuple[Emotion, ...]] = ("angry", "sad", "happy")  #: on a tie, the first is the tone


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRules:
    """Parameters for scenes."""

    silence: timedelta = timedelta(hours=1)  #: story time; a longer silence ends a scene
    silence_after_farewell: timedelta = timedelta(minutes=10)
    settling: int = 2  #: turns within which a named place is that of the whole scene
    most_topics: int = 30  #: with counts; the rarest and oldest are dropped
    shared_turns: int = 3  #: a scene of this many turns is a shared experience …
    shared_intensity: float = 0.7  #: … and so is a shorter one with a feeling this intense


RULES: Final = SceneRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene, open or ended."""

    id: str
    session: str | None = None
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None = None  #: None: open
    ended_by: Ending | None = None
    place: str | None = None
    daytime: str | None = None
    participants: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()  #: topics with their number of turns, in order of appearance
    feelings: tuple[tuple[Emotion, float], ...] = ()  #: sum of intensities for each emotion
    valences: float = 0.0  #: sum of valences
    felt: int = 0  #: number of feelings
    strongest: float = 0.0  #: 0–1, highest intensity
    turns: int = 0
    first_turn: int
    last_turn: int
    parting: bool = False  #: the last turn was a farewell

    @property
    def tone(self) -> Emotion:
        """The strongest emotion overall, or neutral."""
        felt: Mapping[Emotion, float] = dict(self.feelings)
        most: Emotion = max(_TONE_ORDER, key=lambda emotion: felt.get(emotion, 0.0))
        return most if felt.get(most, 0.0) > 0 else "neutral"

    @property
    def valence(self) -> float:
        """-1 to 1, the mean of all feelings."""
        return round(self.valences / self.felt, _PRECISION) if self.felt else 0.0

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, the most frequent first."""
        return tuple(topic for topic, _ in sorted(self.counts, key=lambda each: -each[1]))

    @property
    def title(self) -> str:
        """Place, time of day and topics in one line; "" if none is known."""
        topics = ", ".join(self.topics[:_TITLE_TOPICS])
        return " · ".join(part for part in (self.place, self.daytime, topics) if part)


def staged(
    scene: Scene | None,
    noticed: Noticed,
    moment: Moment,
    rules: SceneRules = RULES,
    *,
    session: str | None = None,
    participants: Sequence[str] = (),
    scene_id: str | None = None,
) -> tuple[Scene, ...]:
    """Return the scenes that a turn changes: the one that it ended, then the open one.

    `scene` is the latest one, open or ended; None: there is none yet. A new scene gets `scene_id`, by default one
    made from the number of its first turn.
    """
    if scene is None or scene.ended_at is not None:
        return (_joined(_new(moment, session, scene_id), noticed, moment, rules, participants),)
    ending = _ending(scene, noticed, moment, rules, session)
    if ending is None:
        return (_joined(scene, noticed, moment, rules, participants),)
    new = _joined(_new(moment, session, scene_id), noticed, moment, rules, participants)
    return (end_scene(scene, scene.last_at, by=ending), new)


def new_scene(
    moment: Moment,
    scene_id: str,
    *,
    session: str | None = None,
    place: str | None = None,
    daytime: str | None = None,
    participants: Sequence[str] = (),
) -> Scene:
    """Return a scene that starts before its first turn."""
    following = replace(moment, turn_number=moment.turn_number + 1)
    return replace(_new(following, session, scene_id), place=place, daytime=daytime, participants=tuple(participants))


def end_scene(scene: Scene, at: datetime, *, by: Ending = "call") -> Scene:
    """Return `scene` ended, but not before its last turn; an ended scene stays unchanged."""
    if scene.ended_at is not None:
        return scene
    return replace(scene, ended_at=max(at, scene.last_at), ended_by=by)


def is_shared(scene: Scene, rules: SceneRules = RULES) -> bool:
    """Return whether `scene` has ended and was a shared experience of the two."""
    enough = scene.turns >= rules.shared_turns or scene.strongest >= rules.shared_intensity
    return scene.ended_at is not None and enough


def shared_scenes(scenes: Iterable[Scene], limit: int = SHARED_IN_VIEW, rules: SceneRules = RULES) -> tuple[Scene, ...]:
    """Return the last shared experiences, oldest first."""
    experiences = sorted((scene for scene in scenes if is_shared(scene, rules)), key=_order)
    return tuple(experiences[-limit:]) if limit > 0 else ()


def last_time(scenes: Iterable[Scene], rules: SceneRules = RULES) -> Scene | None:
    """Return the last scene of the previous meeting: one with content if there is any, else the last.

    Scenes that led to the open one only by a change of place belong to the current meeting.
    """
    meetings = _meetings(sorted(scenes, key=_order))
    over = [meeting for meeting in meetings if meeting[-1].ended_at is not None]
    substantial = [scene for meeting in over for scene in meeting if is_shared(scene, rules)]
    if substantial:
        return substantial[-1]
    return over[-1][-1] if over else None


def _meetings(scenes: Sequence[Scene]) -> list[list[Scene]]:
    meetings: list[list[Scene]] = []
    for scene in scenes:
        if meetings and meetings[-1][-1].ended_by == "place":
            meetings[-1].append(scene)
        else:
            meetings.append([scene])
    return meetings


def _order(scene: Scene) -> tuple[datetime, int]:
    return (scene.started_at, scene.first_turn)


def _new(moment: Moment, session: str | None, scene_id: str | None) -> Scene:
    return Scene(
        id=scene_id or f"scene-{moment.turn_number}",
        session=session,
        started_at=moment.at,
        last_at=moment.at,
        first_turn=moment.turn_number,
        last_turn=moment.turn_number,
    )


def _ending(scene: Scene, noticed: Noticed, moment: Moment, rules: SceneRules, session: str | None) -> Ending | None:
    if session is not None and session != scene.session:
        return "session"
    if moment.at - scene.last_at >= (rules.silence_after_farewell if scene.parting else rules.silence):
        return "silence"
    elsewhere = noticed.place is not None and noticed.place != scene.place
    return "place" if elsewhere and (scene.place is not None or scene.turns >= rules.settling) else None


def _joined(scene: Scene, noticed: Noticed, moment: Moment, rules: SceneRules, participants: Sequence[str]) -> Scene:
    return replace(
        scene,
        last_at=max(scene.last_at, moment.at),
        place=scene.place or noticed.place,
        daytime=scene.daytime or noticed.daytime,
        participants=tuple(dict.fromkeys((*scene.participants, *participants))),
        counts=_counted(scene.counts, noticed.topics, rules.most_topics),
        feelings=_added(scene.feelings, noticed.felt),
        valences=round(scene.valences + sum(felt.valence for felt in noticed.felt), _PRECISION),
        felt=scene.felt + len(noticed.felt),
        strongest=max((scene.strongest, *(felt.intensity for felt in noticed.felt))),
        turns=scene.turns + 1,
        last_turn=moment.turn_number,
        parting=noticed.farewell,
    )


def _counted(counts: tuple[tuple[str, int], ...], topics: Sequence[str], most: int) -> tuple[tuple[str, int], ...]:
    after = dict(counts)
    for topic in dict.fromkeys(topics):
        after[topic] = after.get(topic, 0) + 1
    while len(after) > most:
        rarest = min(after.values())
        del after[next(topic for topic, count in after.items() if count == rarest)]
    return tuple(after.items())


def _added(feelings: tuple[tuple[Emotion, float], ...], felt: Sequence[Felt]) -> tuple[tuple[Emotion, float], ...]:
    after = dict(feelings)
    for each in felt:
        if each.emotion != "neutral":
            after[each.emotion] = round(after.get(each.emotion, 0.0) + each.intensity, _PRECISION)
    return tuple(after.items())
