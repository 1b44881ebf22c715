"""Weekly documents: a week of the story in one memory; what it stands for matters less from then on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.upkeep import Ground, Kept, Told, UpkeepRules, held, touched
from gieok.maintain.extracts import Item, Remembered, extracts
from gieok.maintain.pages import chosen, is_korean, written
from gieok.maintain.talked import nouns_in
from gieok.maintain.words import days_said, words

EXTRACTOR: Final = "upkeep/weekly/1"
TAG: Final = "weekly"
_IMPORTANCE: Final = 0.7
_TOPICS: Final = 3


def weeks_documented(
    ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]
) -> Iterator[Kept]:
    """Yield a document for every week that is over, had turns worth telling, and has none yet."""
    memories = sorted(ground.memories(), key=by_truth)
    documents = [memory for memory in memories if memory.extractor == EXTRACTOR]
    done = {tag for document in documents for tag in document.tags}
    weeks = _weeks(ground.told(max((document.touched_turn for document in documents), default=0)), moment)
    weeks = {monday: turns for monday, turns in weeks.items() if _name(monday) not in done}
    if not weeks:
        return
    remembered = Remembered(memories, moment.at)
    known = {memory.id: memory for memory in memories}
    number = 0
    for monday in sorted(weeks):
        told = extracts(weeks[monday], remembered, moment.at.tzinfo, quotes=rules.summary_quotes)
        items = chosen(told, rules.summary_tokens)
        if items:
            yield _documented(monday, weeks[monday], items, known, moment, rules, new_id(number))
            number += 1


def _weeks(turns: Sequence[Told], moment: Moment) -> dict[datetime, list[Told]]:
    """Return the turns of each week that is over, by its Monday."""
    weeks: dict[datetime, list[Told]] = defaultdict(list)
    for turn in turns:
        day = turn.at.astimezone(moment.at.tzinfo).date()
        monday = datetime.combine(day - timedelta(days=day.weekday()), time(), tzinfo=moment.at.tzinfo)
        if monday + timedelta(days=7) <= moment.at:
            weeks[monday].append(turn)
    return weeks


def _name(monday: datetime) -> str:
    year, week, _ = monday.isocalendar()
    return f"{year}-W{week:02}"


def _documented(
    monday: datetime,
    turns: Sequence[Told],
    items: Sequence[Item],
    known: dict[str, Memory],
    moment: Moment,
    rules: UpkeepRules,
    new_id: str,
) -> Kept:
    listed = [known[item.memory_id] for item in items if item.memory_id]
    document = _document(monday, turns, items, listed, moment, new_id)
    replaced = [memory for memory in listed if _is_replaced(memory, rules)]
    for memory in replaced:
        known[memory.id] = touched(memory, moment, rules, importance=memory.importance * rules.weekly_share)
    changes = (Change(before=memory, after=known[memory.id]) for memory in replaced)
    why = f"week {_name(monday)} is over"
    return Kept(action="summarise", why=why, changes=(Change(before=None, after=document), *changes))


def _is_replaced(memory: Memory, rules: UpkeepRules) -> bool:
    return (
        memory.kind == "episodic"
        and memory.importance < rules.weekly_low
        and memory.emotion_intensity < rules.strong_feeling
        and not held(memory)
    )


def _document(
    monday: datetime,
    turns: Sequence[Told],
    items: Sequence[Item],
    listed: Sequence[Memory],
    moment: Moment,
    new_id: str,
) -> Memory:
    korean = is_korean(items)
    days = days_said(monday.date(), (monday + timedelta(days=6)).date(), korean=korean, year=0)
    heading = f"{days}의 대화" if korean else f"Talk of {days}"
    return Memory(
        id=new_id,
        speaker="character",
        subject="user",
        subject_id="user",
        content=written(heading, items, korean=korean, year=monday.year),
        content_type="summary",
        kind="semantic",
        importance=_IMPORTANCE,
        # the last turn it holds: from there on the next document looks
        touched_turn=max(turn.number for turn in turns),
        valid_at=monday,
        known_at=moment.at,
        recorded_at=moment.recorded_at,
        origin="reflection",
        extractor=EXTRACTOR,
        sources=tuple(item.utterance_id for item in items if item.utterance_id),
        made_from=tuple(memory.id for memory in listed),
        tags=(TAG, _name(monday), *_topics(items)),
        pii_flags=tuple(sorted({flag for memory in listed for flag in memory.pii_flags})),
    )


def _topics(items: Sequence[Item]) -> list[str]:
    nouns = Counter(noun for item in items for noun in dict.fromkeys(nouns_in(item.text)))
    heavy = [noun for noun in nouns if len(noun) > 1 and noun not in words().light]
    return sorted(heavy, key=lambda noun: -nouns[noun])[:_TOPICS]
