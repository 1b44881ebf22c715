"""Merging: what was told several times becomes one memory that says how often and when.

`fuse` makes one semantic memory of episodic ones, `keep` lets the most important of several stay. Only what is new
since the last time is compared with the rest: of two older ones it was decided then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth, strength_now
from gieok.domain.upkeep import Ground, Kept, UpkeepRules, held, is_new, let_go, touched
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.text import has_hangul
from gieok.maintain.sameness import Gist, gist, same_thing
from gieok.maintain.words import day_of, days_said, words

EXTRACTOR: Final = "upkeep/merge/1"
_MADE_UP: Final = frozenset({"insight", "summary", "profile"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    memory: Memory
    gist: Gist
    new: bool


def merged(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what becomes of memories that tell of the same thing."""
    fuse = rules.merge_mode == "fuse"
    candidates = _candidates(ground, moment, rules)
    if sum(candidate.new for candidate in candidates) == 0 or len(candidates) < 2:
        return
    threshold = rules.fuse_similarity if fuse else rules.keep_similarity
    for number, group in enumerate(_groups(candidates, ground, threshold)):
        yield _fused(group, moment, rules, new_id(number)) if fuse else _kept(group, moment, rules)


def _candidates(ground: Ground, moment: Moment, rules: UpkeepRules) -> list[_Candidate]:
    fuse = rules.merge_mode == "fuse"
    last = ground.last("merge")
    open_ones = [m for m in ground.memories() if _may_merge(m, moment, fuse=fuse)]
    newest = sorted(open_ones, key=_newest_last)[-(rules.fuse_candidates if fuse else rules.keep_candidates) :]
    if not any(is_new(memory, last) for memory in newest):
        return []  # nothing is read for nothing
    return [
        _Candidate(memory, gist(memory.surface or memory.content), is_new(memory, last))
        for memory in sorted(newest, key=by_truth)
    ]


def _may_merge(memory: Memory, moment: Moment, *, fuse: bool) -> bool:
    if held(memory) or memory.content_type in _MADE_UP or not memory.true_at(moment.at):
        return False
    return not fuse or memory.kind == "episodic" or memory.extractor == EXTRACTOR


def _newest_last(memory: Memory) -> tuple[object, ...]:
    return (memory.known_at, memory.recorded_at, memory.id)


def _groups(candidates: Sequence[_Candidate], ground: Ground, threshold: float) -> Iterator[list[Memory]]:
    """Yield groups in which every two are alike and agree, each with something new in it."""
    alike = ground.alike([candidate.memory.id for candidate in candidates])
    taken: set[int] = set()
    for seed in range(len(candidates)):
        if seed in taken:
            continue
        group = [seed]
        for place in range(seed + 1, len(candidates)):
            if place not in taken and all(
                alike[place, member] >= threshold and _agree(candidates[place], candidates[member]) for member in group
            ):
                group.append(place)
        if len(group) > 1 and any(candidates[place].new for place in group):
            taken.update(group)
            yield [candidates[place].memory for place in group]


def _agree(one: _Candidate, other: _Candidate) -> bool:
    return same_thing(one.memory, other.memory, one.gist, other.gist)


def _fused(group: list[Memory], moment: Moment, rules: UpkeepRules, new_id: str) -> Kept:
    best = max(group, key=_telling)
    told = _undated(best.surface or best.content)
    origins = tuple(dict.fromkeys(origin for memory in group for origin in (memory.made_from or (memory.id,))))
    first = min(memory.valid_at for memory in group)
    last = max(memory.known_at for memory in group)
    memory = Memory(
        id=new_id,
        speaker=best.speaker,
        subject=best.subject,
        subject_id=best.subject_id,
        content=f"{told} ({_how_often(group, len(origins), moment)})",
        surface=told,
        content_type=best.content_type,
        kind="semantic",
        polarity=best.polarity,
        certainty=min(memory.certainty for memory in group),
        importance=max(memory.importance for memory in group),
        emotion_intensity=max(memory.emotion_intensity for memory in group),
        strength=max(strength_now(memory, moment.turn_number, rules.fading) for memory in group),
        touched_turn=moment.turn_number,
        valid_at=first,
        known_at=last,
        recorded_at=moment.recorded_at,
        mentions=sum(memory.mentions for memory in group),
        uses=sum(memory.uses for memory in group),
        last_used_at=max((m.last_used_at for m in group if m.last_used_at is not None), default=None),
        origin="reflection",
        extractor=EXTRACTOR,
        sources=_joined(memory.sources for memory in group),
        made_from=origins,
        tags=tuple(tag for tag in best.tags if all(tag in memory.tags for memory in group)),
        details=best.details,
        channel=best.channel,
        interpretation=" / ".join(dict.fromkeys(m.interpretation for m in group if m.interpretation)) or None,
        pii_flags=_joined(memory.pii_flags for memory in group),
    )
    closed = (let_go(source, moment, for_the_sake_of=new_id) for source in group)
    return Kept(action="merge", why=f"told {len(origins)} times", changes=(Change(before=None, after=memory), *closed))


def _telling(memory: Memory) -> tuple[object, ...]:
    """Order by how much a memory tells: the longest sentence, then the most important."""
    return (len(memory.surface or memory.content), memory.importance, memory.known_at, memory.id)


def _how_often(group: Sequence[Memory], times: int, moment: Moment) -> str:
    korean = has_hangul(group[0].content)
    zone = moment.at.tzinfo
    first = day_of(min(memory.valid_at for memory in group), zone)
    last = day_of(max(memory.known_at for memory in group), zone)
    days = days_said(min(first, last), last, korean=korean, year=moment.at.year)
    exactly = len({gist(memory.surface or memory.content).things for memory in group}) == 1
    if korean:
        return f"{days}, {times}번" if exactly else f"{days}, 비슷한 일이 {times}번"
    return f"{days}, {times} times" if exactly else f"{days}, something like it {times} times"


def _undated(content: str) -> str:
    """Return `content` without 오늘 and the like: once it stands for several days, the dates say when."""
    if not has_hangul(content):
        return " ".join(word for word in content.split() if word.strip(".,!").casefold() not in words().when) or content
    morphemes = analyse(content)
    for place in range(len(morphemes) - 1, -1, -1):
        if morphemes[place].form in words().when and morphemes[place].tag in ("NNG", "MAG"):
            start, end = morphemes[place].start, _end_of_word(morphemes, place)
            content = content[:start] + content[end:].lstrip()
    return content.strip() or content


def _end_of_word(morphemes: Sequence[Morpheme], place: int) -> int:
    end = morphemes[place].end
    for following in morphemes[place + 1 :]:
        if not following.tag.startswith("J") or following.start > end:
            break
        end = following.end
    return end


def _kept(group: list[Memory], moment: Moment, rules: UpkeepRules) -> Kept:
    best = max(group, key=lambda memory: (memory.importance, _telling(memory)))
    others = [memory for memory in group if memory is not best]
    after = touched(
        best,
        moment,
        rules,
        emotion_intensity=max(memory.emotion_intensity for memory in group),
        mentions=sum(memory.mentions for memory in group),
        uses=sum(memory.uses for memory in group),
        sources=_joined(memory.sources for memory in (best, *others)),
        made_from=_joined([best.made_from, *(origin for other in others for origin in ((other.id,), other.made_from))]),
        pii_flags=_joined(memory.pii_flags for memory in (best, *others)),
    )
    closed = (let_go(other, moment, for_the_sake_of=best.id) for other in others)
    return Kept(action="merge", why="the more important one stays", changes=(Change(before=best, after=after), *closed))


def _joined(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for several in parts for part in several))
