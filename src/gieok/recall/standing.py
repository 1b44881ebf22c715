"""How things stand, in a line each: the two, how they speak and feel, where they are, and whom the question names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Final

from gieok.domain.emotion import Emotion, Felt
from gieok.domain.entity import Entity
from gieok.domain.living import PAIR
from gieok.domain.manners import Manners, Speech
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Learn
from gieok.domain.relationship import Relationship
from gieok.domain.scene import Scene, last_time
from gieok.domain.scope import Scope
from gieok.domain.things import DIRECTOR, Key, Life, Note, Thing
from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.language.living_wording import closeness, last_time_words
from gieok.language.particles import josa
from gieok.ports import View
from gieok.recall.gathering import well_founded
from gieok.recall.wording import begun

_MOST_PEOPLE: Final = 3
_SCENES: Final = 12  #: among which the last meeting is looked for
_FELT: Final = 0.3  #: a weaker feeling is not worth a line
_LIVING: Final = ("relationship", "manners", "scene", "entity")
_LOOKED_BACK: Final = 100  #: moves of a kind, and turns, that are looked through for how it was earlier


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The words for how things stand, in one language."""

    relationship: str
    styles: Mapping[str, str]
    manners: str
    feels: Mapping[str, tuple[str, Mapping[Emotion, str]]]  #: of a party: how it is said, and what it feels
    note: str
    scene: str
    sentiments: Mapping[str, str]
    interests: str


_FEELINGS: Final[dict[Emotion, str]] = {
    "neutral": "담담하다",
    "sad": "슬프다",
    "happy": "기쁘다",
    "angry": "화가 나 있다",
}
_ENGLISH_FEELINGS: Final[dict[Emotion, str]] = {
    "neutral": "calm",
    "sad": "sad",
    "happy": "happy",
    "angry": "angry",
}
_WORDS: Final[Mapping[str, _Words]] = {
    "ko": _Words(
        relationship="둘의 사이: {}",
        styles={"formal": "존댓말", "casual": "반말", "intimate": "다정한 반말"},
        manners="말투: {}",
        feels={
            USER: ("상대는 지금 {}", _FEELINGS | {"sad": "슬퍼한다", "happy": "기뻐한다"}),
            CHARACTER: ("나는 지금 {}", _FEELINGS),
        },
        note="이번 대답에 대한 연출 메모: '{}'",
        scene="지금 장면: {}",
        sentiments={"positive": "좋게 여김", "neutral": "", "negative": "좋지 않게 여김"},
        interests="관심사: {}",
    ),
    "en": _Words(
        relationship="The two are {}",
        styles={"formal": "politely", "casual": "casually", "intimate": "affectionately"},
        manners="Manners: {}",
        feels={USER: ("The user is {} now", _ENGLISH_FEELINGS), CHARACTER: ("I am {} now", _ENGLISH_FEELINGS)},
        note="Stage direction for this reply: '{}'",
        scene="Scene: {}",
        sentiments={"positive": "well liked", "neutral": "", "negative": "not well liked"},
        interests="interests: {}",
    ),
}  # fmt: skip


def standing_lines(view: View, scope: Scope, query: str, language: str, now: datetime) -> list[str]:
    """Return what to say of the two and of the people that `query` names; nothing where nothing is known."""
    words = _WORDS[language]
    life = Life(view.kept("how things stand", lambda: _standing(view)))
    if view.latest_at is not None and now < view.latest_at:
        _take_back(life, view, now)
        scenes = told_scenes(view, [scene for _, scene in life.all(Scene)])
    else:
        scenes = view.kept("told scenes", lambda: told_scenes(view, [scene for _, scene in life.all(Scene)]))
    lines = [
        *_of_the_two(life, words, language),
        *_feelings(view, words, now),
        *_directions(life, words, view.turn_number, now),
        *_scenes(scenes, words, language, now, scope),
        *_people(view, life, query, words),
    ]
    return [begun(line) for line in lines]


def _standing(view: View) -> list[tuple[Key, Thing]]:
    return [
        *view.things_by_key([("relationship", PAIR), ("manners", PAIR), ("note", DIRECTOR)]).items(),
        *((("scene", id), scene) for id, scene in view.last_things("scene", _SCENES)),
        *view.things("entity").items(),
    ]


def rolling_summary(view: View, now: datetime) -> str:
    """Return the story so far, as upkeep last put it, and in a model's words where it was told anew."""
    rolling = [each for each in view.concluded() if "rolling" in each.tags and each.true_at(now)]
    newest = next((each for each in reversed(rolling) if well_founded(view, each, now)), None)
    return (newest.interpretation or newest.content) if newest else ""


def _take_back(life: Life, view: View, now: datetime) -> None:
    """Have `life` stand as it did at `now`: what came later, as in a turn that is told anew, is not so yet."""
    for kind in _LIVING:
        newest_first = reversed(view.moves(kind, limit=_LOOKED_BACK))
        life.absorb(each.move.inverse for each in takewhile(lambda each: each.at > now, newest_first))


def _of_the_two(life: Life, words: _Words, language: str) -> Iterator[str]:
    relationship = life.get(Relationship, PAIR)
    if relationship is not None:
        yield words.relationship.format(closeness(relationship, language))
    manners = life.get(Manners, PAIR)
    if manners is not None:
        told = [_spoken(manners.user, words, language, USER), _spoken(manners.character, words, language, CHARACTER)]
        if any(told):
            yield words.manners.format(", ".join(each for each in told if each))


def _spoken(speech: Speech, words: _Words, language: str, party: str) -> str:
    style = words.styles.get(speech.style.value, "") if speech.style is not None else ""
    address = speech.address.value if speech.address is not None else ""
    if language == "en":
        who, other, s = ("the user", "me", "s") if party == USER else ("I", "the user", "")
        said = [f"speak{s} {style}"] * bool(style) + [f'call{s} {other} "{address}"'] * bool(address)
        return f"{who} {' and '.join(said)}" if said else ""
    who, other = ("상대는", "나를") if party == USER else ("나는", "상대를")
    name = josa(f"'{address}'", "이라고/라고")
    called = f"{other} {name} 부른다" if address else ""
    if not style:
        return f"{who} {called}" if called else ""
    return f"{who} {style}을 쓰고 {called}" if called else f"{who} {style}을 쓴다"


def _feelings(view: View, words: _Words, now: datetime) -> Iterator[str]:
    later = view.latest_at is not None and now < view.latest_at
    heard = [each for each in view.noticed(limit=_LOOKED_BACK if later else 1) if each.at <= now]
    for felt in heard[-1].noticed.felt if heard else ():
        if felt.speaker in words.feels and _shows(felt):
            told, feelings = words.feels[felt.speaker]
            yield told.format(feelings[felt.emotion])


def _directions(life: Life, words: _Words, turn_number: int, now: datetime) -> Iterator[str]:
    """Yield the director's note, if it was left after the very last turn, and that turn is past."""
    note = life.get(Note, DIRECTOR)
    if note is None or (note.at is not None and note.at > now):
        return
    if note.text and note.turn_number == turn_number:
        yield words.note.format(note.text.replace("'", "’"))


def _shows(felt: Felt) -> bool:
    return felt.emotion != "neutral" and felt.intensity >= _FELT


def _scenes(scenes: Sequence[Scene], words: _Words, language: str, now: datetime, scope: Scope) -> Iterator[str]:
    if scenes and scenes[-1].ended_at is None and (scenes[-1].place or scenes[-1].daytime):
        here = scenes[-1]
        yield words.scene.format(" · ".join(part for part in (here.place, here.daytime) if part))
    before = last_time(scenes)
    if before is not None and language == "ko":
        parties = (USER, CHARACTER, scope.character or CHARACTER)
        yield last_time_words(before, zone=now.tzinfo, today=now, parties=parties)


def _people(view: View, life: Life, query: str, words: _Words) -> Iterator[str]:
    named = [
        entity
        for _, entity in life.all(Entity)
        if any(name and name in query for name in (entity.name, entity.display_name, *entity.aliases))
    ]
    hushed = view.kept("hushed notes", lambda: hushed_notes(view)) if named else frozenset()
    for entity in sorted(named, key=lambda each: -each.interactions)[:_MOST_PEOPLE]:
        interests = [note.text for note in entity.interests if note.text not in hushed]
        told = [
            entity.summary,
            words.sentiments[entity.sentiment_label()],
            words.interests.format(", ".join(interests[-5:])) if interests else "",
            ", ".join([note.text for note in entity.personality if note.text not in hushed][-5:]),
        ]
        if any(told):
            yield f"{entity.display_name}: {' · '.join(each for each in told if each)}"
