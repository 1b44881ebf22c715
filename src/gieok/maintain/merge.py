"""Whether two free sentences tell of the same thing, so that one may stand for both.

Likeness is a hint, never a proof: 엄마랑 싸웠어 and 아빠랑 싸웠어 lie close. What is compared are the words that carry
the meaning; in doubt the two stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from gieok.domain.claim import CONCLUSIONS
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth, strength_now
from gieok.domain.upkeep import Kept, UpkeepRules, UpkeepSource, closing_change, is_new, is_protected, refreshed
from gieok.language.mood import mood_of
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.numerals import find_month_days, find_numbers
from gieok.language.terms import STOP_WORDS, stem
from gieok.language.text import has_hangul, normalise
from gieok.maintain.words import day_of, days_said, words

_NOUNS: Final = frozenset({"NNG", "NNP", "XR", "SH", "W_MENTION", "W_HASHTAG"})
_STEMS: Final = frozenset({"VV", "VA", "VX", "VCN"})
_MAKING_VERBS: Final = frozenset({"XSV", "XSA"})
_CASES: Final = frozenset({"JKS", "JKO"})
_ME: Final = {"내": "나", "제": "저", "네": "너"}
_PAST: Final = frozenset({"었", "았", "였"})
_WILL: Final = frozenset({"ㄹ", "을", "ᆯ"})
_SHORTENED_NOT: Final = re.compile(r"n['’]t\b", re.IGNORECASE)
_PRONOUN: Final = re.compile(
    r"\b(?:i|me|my|you|your|he|him|his|she|her|it|its|we|us|our|they|them|their)\b", re.IGNORECASE
)
_LATIN: Final = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What of a sentence has to agree."""

    things: frozenset[str]  #: nouns and adverbs; of the two sentences one may name more
    deeds: frozenset[str]  #: verbs and adjectives in their dictionary form, nouns with 하다 among them
    foreign: frozenset[str]  #: stems of foreign words, of which nobody knows what they are
    persons: tuple[str, ...]  #: English pronouns in order: she hit me, I hit her
    cases: frozenset[tuple[str, str]]  #: who does it, and to what: (엄마, JKS)
    figures: frozenset[tuple[int, ...]]  #: numbers and dates
    negated: bool
    past: bool
    to_come: bool
    mood: str
    shifting: bool  #: it names a day that depends on when it was said


@lru_cache(maxsize=4096)  # the same episodes are looked at again at every merging
def gist(content: str) -> Gist:
    text = normalise(content)
    morphemes = analyse(text)
    lemmas = [morpheme.lemma.casefold() for morpheme in morphemes]
    known = words()
    passed_over = known.when | known.filling | known.negation
    deeds = frozenset(_deeds(morphemes))
    if has_hangul(text):
        mood: str = mood_of(morphemes, text[-1:] if text[-1:] in "?!." else "")
    else:
        mood = "question" if text.endswith("?") else "statement"
    return Gist(
        things=frozenset(
            morpheme.form
            for morpheme in morphemes
            if (morpheme.tag in _NOUNS or morpheme.tag == "MAG") and morpheme.form not in passed_over
        )
        - {deed.removesuffix("하다") for deed in deeds},
        deeds=deeds,
        foreign=frozenset(_foreign(morphemes)),
        persons=tuple(word.casefold() for word in _PRONOUN.findall(text)),
        cases=frozenset(
            (_ME.get(before.form, before.form), after.tag)
            for before, after in pairwise(morphemes)
            if after.tag in _CASES and (before.tag in _NOUNS or before.tag == "NP")
        ),
        figures=_figures(text),
        negated=not known.negation.isdisjoint(lemmas) or _SHORTENED_NOT.search(text) is not None,
        past=any(morpheme.tag == "EP" and morpheme.form in _PAST for morpheme in morphemes[-3:]),
        to_come=_to_come(morphemes),
        mood=mood,
        shifting=not known.shifting.isdisjoint(lemmas),
    )


def _deeds(morphemes: Sequence[Morpheme]) -> Iterator[str]:
    passed_over = words().helping | words().negation
    noun = ""  # the last one, as long as only its particle follows
    for morpheme in morphemes:
        does = morpheme.tag in _MAKING_VERBS or (morpheme.tag == "VV" and morpheme.lemma in ("하다", "되다"))
        if does and noun:
            yield f"{noun}하다"
        elif morpheme.tag in _STEMS and not (morpheme.tag == "VX" and morpheme.lemma in passed_over):
            yield from () if morpheme.lemma in words().negation else (morpheme.lemma,)
        if morpheme.tag in _NOUNS:
            noun = morpheme.form
        elif morpheme.tag not in ("JKO", "JKS", "JX", "MAG"):  # 공부를 안 했다
            noun = ""


def _foreign(morphemes: Iterable[Morpheme]) -> Iterator[str]:
    for morpheme in morphemes:
        word = morpheme.form.casefold()
        if morpheme.tag == "SL" and word not in STOP_WORDS and word not in words().when:
            yield stem(word) if _LATIN.fullmatch(word) else word


def _figures(text: str) -> frozenset[tuple[int, ...]]:
    days = find_month_days(text)
    numbers = (n for n in find_numbers(text) if not any(d.start <= n.start < d.end for d in days))
    return frozenset({(day.month, day.day) for day in days} | {(number.value,) for number in numbers})


def _to_come(morphemes: Sequence[Morpheme]) -> bool:
    """Whether it tells of what will be: 가겠다, 갈 거다, will go."""
    if any((m.tag, m.form.casefold()) in (("EP", "겠"), ("SL", "will")) for m in morphemes):
        return True
    return any(
        before.tag == "ETM" and before.form in _WILL and after.tag == "NNB" and after.form in ("것", "거", "게")
        for before, after in pairwise(morphemes)
    )


def same_thing(one: Memory, other: Memory, its_gist: Gist, other_gist: Gist) -> bool:
    """Whether both tell of the same thing, one of them perhaps with a little more of it."""
    return (
        (one.subject, one.subject_id, one.speaker) == (other.subject, other.subject_id, other.speaker)
        and (one.polarity, one.content_type) == (other.polarity, other.content_type)
        and frozenset(one.details) == frozenset(other.details)
        and _agree(its_gist, other_gist)
    )


def _agree(one: Gist, other: Gist) -> bool:
    def firm(gist: Gist) -> tuple[object, ...]:
        """Return what must be the same in both."""
        return (gist.deeds, gist.foreign, gist.persons, gist.figures, gist.negated, gist.past, gist.to_come, gist.mood)

    # somebody may do in one of them what is done to them in the other
    turned = frozenset((noun, "JKO" if case == "JKS" else "JKS") for noun, case in one.cases)
    return (
        not (one.shifting or other.shifting)
        and firm(one) == firm(other)
        and bool(one.things & other.things or one.deeds or one.foreign)
        and (one.things <= other.things or other.things <= one.things)
        and turned.isdisjoint(other.cases)
    )


EXTRACTOR: Final = "upkeep/merge/1"


def merged(ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what becomes of memories that tell of the same thing."""
    fuse = rules.merge_mode == "fuse"
    last = ground.last("merge")

    def may_merge(memory: Memory) -> bool:
        if (
            is_protected(memory)
            or memory.doubtful
            or memory.content_type in CONCLUSIONS
            or not memory.true_at(moment.at)
        ):
            return False
        return not fuse or memory.kind == "episodic" or memory.extractor == EXTRACTOR

    known = sorted(filter(may_merge, ground.memories()), key=lambda each: (each.known_at, each.recorded_at, each.id))
    newest = known[-(rules.fuse_candidates if fuse else rules.keep_candidates) :]
    new = {memory.id for memory in newest if is_new(memory, last)}
    if not new or len(newest) < 2:
        return  # nothing is read for nothing
    candidates = sorted(newest, key=by_truth)
    threshold = rules.fuse_similarity if fuse else rules.keep_similarity
    for number, group in enumerate(_groups(candidates, new, ground, threshold)):
        yield _fused(group, moment, rules, new_id(number)) if fuse else _kept(group, moment, rules)


def _groups(
    candidates: Sequence[Memory], new: set[str], ground: UpkeepSource, threshold: float
) -> Iterator[list[Memory]]:
    """Yield groups in which every two are alike and agree, each with something new in it."""
    alike = ground.alike([memory.id for memory in candidates])
    gists = [gist(memory.surface or memory.content) for memory in candidates]

    def fit(one: int, other: int) -> bool:
        near = alike[one, other] >= threshold
        return bool(near) and same_thing(candidates[one], candidates[other], gists[one], gists[other])

    taken: set[int] = set()
    for seed in range(len(candidates)):
        if seed in taken:
            continue
        group = [seed]
        for place in range(seed + 1, len(candidates)):
            if place not in taken and all(fit(place, member) for member in group):
                group.append(place)
        if len(group) > 1 and any(candidates[place].id in new for place in group):
            taken.update(group)
            yield [candidates[place] for place in group]


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
    closed = (closing_change(source, moment, replaced_by=new_id) for source in group)
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
            end = morphemes[place].end
            for following in morphemes[place + 1 :]:  # its particles
                if not following.tag.startswith("J") or following.start > end:
                    break
                end = following.end
            content = content[: morphemes[place].start] + content[end:].lstrip()
    return content.strip() or content


def _kept(group: list[Memory], moment: Moment, rules: UpkeepRules) -> Kept:
    best = max(group, key=lambda memory: (memory.importance, _telling(memory)))
    others = [memory for memory in group if memory is not best]
    after = refreshed(
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
    closed = (closing_change(other, moment, replaced_by=best.id) for other in others)
    return Kept(action="merge", why="the more important one stays", changes=(Change(before=best, after=after), *closed))


def _joined(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for several in parts for part in several))
