"""The rolling summary: the story so far in a few lines, brought up to date with the turns since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.upkeep import Ground, Kept, Told, UpkeepRules, is_new, let_go
from gieok.language.token_count import estimate_tokens
from gieok.maintain.extracts import Item, Remembered, extracts
from gieok.maintain.pages import chosen, is_korean, read_back, written
from gieok.maintain.words import day_of, days_said

EXTRACTOR: Final = "upkeep/summarise/1"
TAG: Final = "rolling"
_IMPORTANCE: Final = 0.7
_NEW_SHARE: Final = 0.5  #: of the room, which the newest turns are sure of


def summarised(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield the summary that takes the place of the one before, if the turns since told anything."""
    memories = sorted(ground.memories(), key=by_truth)
    before = [memory for memory in memories if memory.extractor == EXTRACTOR]
    # where the last one had to go, since it told of something forgotten, the rest of the story is told once more
    anew = not before and "summary" not in rules.keep_days
    last = None if anew else ground.last("summarise")
    turns = ground.told(0 if last is None else last.turn_number)
    if not turns:
        return
    zone = moment.at.tzinfo
    # what nobody said in a turn is told once, in the summary of its day
    remembered = Remembered((m for m in memories if m.sources or is_new(m, last)), moment.at)
    new = extracts(turns, remembered, zone, quotes=rules.summary_quotes)
    if not new:
        return
    holding = {memory.id: memory for memory in memories if memory.true_at(moment.at)}
    old = [item for page in before for item in read_back(page, holding, day_of(page.known_at, zone).year)]
    summary = _summary(_fitting(old, new, rules), before, turns, holding, moment, new_id(0))
    closed = (let_go(page, moment, for_the_sake_of=summary.id) for page in before)
    why = f"{len(turns)} turns were not summarised"
    yield Kept(action="summarise", why=why, changes=(Change(before=None, after=summary), *closed))


def _fitting(old: Sequence[Item], new: Sequence[Item], rules: UpkeepRules) -> list[Item]:
    """Return what fits: the best of the new in half of the room, and in the rest what is best of all."""
    told_again = {item.memory_id for item in new if item.memory_id}
    old = [item for item in old if item.memory_id is None or item.memory_id not in told_again]
    sure = chosen(new, int(rules.summary_tokens * _NEW_SHARE))
    spent = sum(estimate_tokens(f"\n{item.text} · 12월 31일: ") for item in sure)
    rest = chosen([*old, *(item for item in new if item not in sure)], max(rules.summary_tokens - spent, 0))
    return [item for item in (*old, *new) if item in sure or item in rest]


def _summary(
    items: Sequence[Item],
    before: Sequence[Memory],
    turns: Sequence[Told],
    known: Mapping[str, Memory],
    moment: Moment,
    new_id: str,
) -> Memory:
    told = tuple(dict.fromkeys(item.memory_id for item in items if item.memory_id))
    zone = moment.at.tzinfo
    korean = is_korean(items)
    since = min((*(page.valid_at for page in before), *(turn.at for turn in turns)))
    until = max(turn.at for turn in turns)
    days = days_said(day_of(since, zone), day_of(until, zone), korean=korean, year=moment.at.year)
    heading = f"{days}의 대화" if korean else f"Talk of {days}"
    return Memory(
        id=new_id,
        speaker="character",
        subject="user",
        subject_id="user",
        content=written(heading, items, korean=korean, year=moment.at.year),
        content_type="summary",
        kind="semantic",
        importance=_IMPORTANCE,
        touched_turn=moment.turn_number,
        valid_at=since,
        known_at=moment.at,
        recorded_at=moment.recorded_at,
        origin="reflection",
        extractor=EXTRACTOR,
        sources=tuple(item.utterance_id for item in items if item.utterance_id),
        made_from=told,
        tags=(TAG,),
        pii_flags=tuple(sorted({flag for memory_id in told for flag in known[memory_id].pii_flags})),
    )
