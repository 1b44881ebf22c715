"""What a speaker says in their own voice: without stage directions, and without the words of others that they cite."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, tzinfo
from typing import Final, cast

from gieok.domain.emotion import Emotion
from gieok.domain.memory import Memory
from gieok.domain.relationship import Level, MannerChange, Relationship, score
from gieok.domain.scene import Scene
from gieok.domain.turn import CHARACTER, USER
from gieok.language.cache import cached_by_text
from gieok.language.data_files import WordSets
from gieok.language.morphemes import analyse, join
from gieok.language.text import MONTHS, has_hangul
from gieok.words import Language, words_in
from gieok.words.particles import josa as josa

_SETS: Final = WordSets("word_sets.toml", "wording")

_DIRECTION: Final = re.compile(r"\*[^*\n]{1,2000}\*|^\s*\([^()\n]{1,400}\)|\([^()\n]{1,400}\)\s*$", re.MULTILINE)
_QUOTED: Final = re.compile(r"“[^“”\n]{1,2000}”|\"[^\"\n]{1,2000}\"|「[^「」\n]{1,2000}」")
_SINGLE: Final = re.compile(r"‘[^‘’\n]{1,2000}’|(?<![A-Za-z])'[^'\n]{2,2000}'(?![A-Za-z])")
_GOES_ON: Final = re.compile(r"[가-힣]")  # "고마워"라고


@cached_by_text
def own_words(text: str) -> str:
    """Return `text` with blanks for what is not the speaker's own; every character keeps its place.

    A line that opens with a quotation is told like a novel: there the quotations are the speaker's own words and the
    rest is narration.
    """
    if "*" in text or "(" in text:
        text = _DIRECTION.sub(_blank, text)
    quotes = list(_QUOTED.finditer(text))
    if any(_is_dialogue(text, quote) for quote in quotes):
        spans = [quote.span() for quote in quotes if not _GOES_ON.match(text, quote.end())]
        kept = [" "] * len(text)
        for start, end in spans:
            kept[start + 1 : end - 1] = text[start + 1 : end - 1]
            kept[end - 1] = "\n"  # one quotation is no half of the next one's sentence
        return "".join(kept)
    if quotes:
        text = _QUOTED.sub(_blank, text)
    return _SINGLE.sub(_blank, text) if "'" in text or "‘" in text else text


def _is_dialogue(text: str, quote: re.Match[str]) -> bool:
    before = text[max(0, quote.start() - 200) : quote.start()]
    beside = before[len(before.rstrip()) :]
    return (beside == before or "\n" in beside) and not _GOES_ON.match(text, quote.end())


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


_STOP: Final = re.compile(r"[\s.!~]+$")
_LABEL: Final = re.compile(r"^(?P<label>약속|할 일|계획)\s*:\s*")  # notes that are older than "…기로 약속함"
_PLANNED: Final = re.compile(r" (?:예정|계획)$")
_AGREED: Final = re.compile(r"기로 (?:약속|결정)함$")
_IS: Final = re.compile(r"(?:임|이다)$")
_NOTED: Final = frozenset({"ETN", "EF"})
_LONGEST: Final = 400  #: letters of a note that is put otherwise; longer ones were written by somebody


def polite_sentence(note: str, *, past: bool = False) -> str:
    """Return a note as a polite sentence, in the past if it tells what happened; what is no Korean note stays."""
    bare = _STOP.sub("", note)
    if not has_hangul(bare) or len(bare) > _LONGEST or "\n" in bare:
        return note
    if _PLANNED.search(bare):
        return f"{bare}이에요"
    if _AGREED.search(bare):
        return f"{bare.rpartition(' ')[0]} 했어요"
    labelled = _LABEL.match(bare)
    bare = bare[labelled.end() :] if labelled else bare
    parts = analyse(bare)
    if not parts or parts[-1].end != len(bare):
        return bare
    planned = labelled is not None
    last = parts[-1]
    if planned and (last.form, last.tag) == ("기", "ETN"):
        return f"{bare}로 했어요"
    if last.tag not in _NOTED or not (last.form in _SETS.noun_endings or last.form.endswith("다")):
        return bare
    # All but the last word stays as it is written: put together anew, it could be spelt otherwise.
    start = bare.rfind(" ") + 1
    word = [(part.form, part.tag) for part in parts[:-1] if part.start >= start]
    if not word:
        return bare
    if word[-1][1] == "VCP" and (named := _IS.sub("", bare)) != bare:
        return josa(named, "이에요/예요")
    over = [("었", "EP")] if past and word[-1][1] not in ("EP", "VCP") else []
    return bare[:start] + join([*word, *over, ("어요", "EF")])


HAPPENED: Final = frozenset({"event", "timeline", "decision"})  #: types of memories that tell what happened
_PAST: Final = frozenset("birth_year vaccination decision milestone event timeline relationship_status".split())


def polite_fact(memory: Memory) -> str:
    """Return a memory as a polite Korean sentence without a full stop; whom it is about is named, but for the user."""
    past = memory.attribute in _PAST or (memory.attribute is None and memory.content_type in HAPPENED)
    said, who = polite_sentence(memory.content, past=past), memory.subject_id
    if memory.subject not in ("other", "character") or who in said:
        return said
    first = said.split(" ")[0]
    labelled = memory.attribute is not None and memory.value is not None and first[-1:] in ("은", "는")
    labelled = labelled and first not in ("이제는", "예전에는")
    return f"{who} {said}" if labelled else f"{josa(who, '은/는')} {said}"


_OTHER: Final = {"user": "character", "character": "user"}
_MOST_TOPICS: Final = 3
_HOURS: Final = ((6, "새벽"), (11, "아침"), (17, "낮"), (21, "저녁"), (24, "밤"))
_MOODS: Final[dict[Emotion, str]] = {
    "happy": "즐거운 시간을 보냈다",
    "sad": "슬픈 시간을 보냈다",
    "angry": "화가 나는 일도 있었다",
}
_IN_ENGLISH: Final = {"dawn": "새벽", "morning": "아침", "noon": "낮", "afternoon": "낮", "evening": "저녁"}


def closeness(relationship: Relationship, language: str) -> str:
    """Return the level and the score: 친구 사이 (친밀도 41/100)."""
    words = words_in(cast("Language", language))
    level = words(f"manners.level.{relationship.level}")
    return words("manners.closeness", level=level, score=score(relationship))


def level_words(level: Level, language: str) -> str:
    """Return how close two are, as a sentence: 지금은 친구 사이예요."""
    words = words_in("en" if language == "en" else "ko")
    key = "manners.now_strangers" if level == "stranger" else "manners.now"
    return words(key, level=words(f"manners.level.{level}"))


def change_sentence(change: MannerChange, names: Mapping[str, str], language: Language = "ko") -> str:
    """Return what `change` says, in one sentence; `names` gives the user's and the character's.

    The day is that of the change in its own time zone.
    """
    words = words_in(language)
    speaker, other = names[change.speaker], names[_OTHER[change.speaker]]
    first = change.before is None and change.asked_by is None
    deed = change.after
    if change.what == "address":
        deed = "address"
    elif not first and (change.before, change.after) == ("intimate", "casual"):
        deed = "cooled"
    told = words(
        f"manners.{'habit' if first else 'begun'}.{deed}",
        towards=words("manners.change.each_other" if change.mutual else "manners.change.towards", other=other),
        other=other,
        name=f"'{change.after}'",
        instead=words("manners.change.instead", before=change.before) if change.before else "",
    )
    if first:
        return words("manners.change.first", speaker=speaker, deed=told)
    who = "both" if change.mutual else "me" if speaker == "나" else "one"
    return words(
        "manners.change.later",
        request=words("manners.change.request", name=names[change.asked_by]) if change.asked_by else "",
        month=change.at.month if language == "ko" else MONTHS[change.at.month - 1],
        day=change.at.day,
        who=words(f"manners.change.{who}", speaker=speaker, other=other),
        deed=told,
    )


def last_time_words(
    scene: Scene,
    *,
    zone: tzinfo | None = None,
    today: datetime | None = None,
    parties: Collection[str] = (USER, CHARACTER),
) -> str:
    """Return what was done in `scene` as one sentence: 지난번(3월 2일 저녁)에는 공원에서 고양이 얘기를 하며 ….

    Dates are told in `zone`, by default the scene's own, and with the year if it is not the year of `today`.
    `parties` are the two who talk; others who were there are named.
    """
    return f"지난번({_when(scene, zone, today)})에는 {_told(scene, parties)}."


def _when(scene: Scene, zone: tzinfo | None, today: datetime | None) -> str:
    at = scene.started_at.astimezone(zone) if zone is not None else scene.started_at
    year = f"{at.year}년 " if today is not None and today.year != at.year else ""
    return f"{year}{at.month}월 {at.day}일 {_daytime(scene, at)}"


def _daytime(scene: Scene, at: datetime) -> str:
    if scene.daytime in _SETS.nights:
        return "밤"
    if scene.daytime:
        return _IN_ENGLISH.get(scene.daytime, scene.daytime)
    return next(name for until, name in _HOURS if at.hour < until)


def _told(scene: Scene, parties: Collection[str]) -> str:
    others = [name for name in scene.participants if name not in parties]
    company = f"{josa(_listed(others), '과/와')} 함께 " if others else ""
    place = f"{scene.place}에서 " if scene.place else ""
    return f"{company}{place}{_doing(scene)}"


def _doing(scene: Scene) -> str:
    topics = _listed(scene.topics[:_MOST_TOPICS])
    mood = _MOODS.get(scene.tone)
    if mood is None:
        return f"{topics} 얘기를 했다" if topics else "이야기를 나눴다"
    if scene.tone == "angry":
        return f"{topics} 얘기를 하다가 {mood}" if topics else f"이야기를 나누다가 {mood}"
    return f"{topics} 얘기를 하며 {mood}" if topics else mood


def _listed(words: Collection[str]) -> str:
    """고양이 / 고양이와 산책 / 고양이, 산책, 날씨."""
    listed = list(words)
    if len(listed) == 2:
        return f"{josa(listed[0], '과/와')} {listed[1]}"
    return ", ".join(listed)
