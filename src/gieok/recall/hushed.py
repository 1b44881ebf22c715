"""What only forgotten words told, beside the memories that were read from them: it is not told any more, either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from gieok.domain.noticed import Noticed
from gieok.domain.operation import Learn
from gieok.domain.scene import Scene
from gieok.domain.turn import Utterance
from gieok.ports import View


def told_scenes(view: View, scenes: Sequence[Scene]) -> list[Scene]:
    """Return `scenes` without the topics that came up in no other turn than those whose words were forgotten."""
    if not scenes:
        return []
    since, until = min(scene.started_at for scene in scenes), max(scene.last_at for scene in scenes)
    hushed = [(_number(view, turn_id), _noticed(view, turn_id)) for turn_id in _turns(view, since, until)]
    return [_without(scene, hushed) for scene in scenes] if hushed else list(scenes)


def hushed_notes(view: View) -> frozenset[str]:
    """Return what was noted of people in turns whose words were forgotten."""
    noticed = (_noticed(view, turn_id) for turn_id in _turns(view))
    return frozenset(mention.note for each in noticed for mention in each.mentions if mention.note)


def _turns(view: View, since: datetime | None = None, until: datetime | None = None) -> list[str]:
    """Return the ids of the turns between two moments with words that were forgotten."""
    silent = view.forgotten_words()
    items = view.items(view.refs(silent).values()).values() if silent else ()
    said = (each for each in items if isinstance(each, Utterance))
    within = (each for each in said if (since is None or since <= each.at) and (until is None or each.at <= until))
    return list(dict.fromkeys(each.turn_id for each in within))


def _number(view: View, turn_id: str) -> int:
    turn = view.turn(turn_id)
    return turn.number if turn is not None else 0


def _noticed(view: View, turn_id: str) -> Noticed:
    operation = view.operation_of(turn_id)
    noticed = operation.request.noticed if operation is not None and isinstance(operation.request, Learn) else None
    return noticed or Noticed()


def _without(scene: Scene, hushed: Sequence[tuple[int, Noticed]]) -> Scene:
    here = [set(noticed.topics) for number, noticed in hushed if scene.first_turn <= number <= scene.last_turn]
    gone = Counter(topic for topics in here for topic in topics)
    return replace(scene, counts=tuple((topic, n - gone[topic]) for topic, n in scene.counts if n > gone[topic]))
