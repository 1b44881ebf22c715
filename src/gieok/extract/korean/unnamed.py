"""What is known and spoken of by other words than its own: 약 끊었어, 그 습관 없어졌어, 낚싯대 다 팔았어.

Something known may be named by its kind, where there is but one of it; by a part of its name; or by what it is done
with. Who it is that is given up, `known` then reads as if it had been named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from gieok.domain.memory import Memory
from gieok.extract.korean.farewells import Spot, verbs_of
from gieok.extract.korean.favourite_kinds import genus_of
from gieok.extract.korean.giving_up import of_others
from gieok.extract.korean.lexicon import change_words, lexicon
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.taste_words import taste_words
from gieok.language.clauses import Clause
from gieok.language.mood import mood

#: by what a fact of the kind is called
_LABELS: Final = {
    "medication": ("약",),
    "habit": ("습관", "버릇"),
    "goal": ("목표",),
    "dream": ("꿈",),
    "hobby": ("취미",),
    "exercise": ("운동",),
    "diet": ("식단", "다이어트"),
}
_NAMED_IN_PART: Final = ("habit", "diet")  #: 단식 for 간헐적 단식
_BEST: Final = r"(?:최애|인생|원픽|좋아하는|좋아한다\s할)"
_RANK: Final = r"(?:순위\s?)?(?:1위|1등|1순위|일순위|원픽|최애)"
_BOUGHT_ANEW: Final = re.compile(r"새로|바꿨|샀|사려|살\s?거|업그레이드|기변|질렀|구매|장만|빌[렸려]")
_USED: Final = frozenset("타다 치다 잡다 만지다 들다 신다 꺼내다".split())
_SHORTEST: Final = 2  #: letters of a part that stands for the whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Words that stand for something known, and which ways of giving it up they allow."""

    memory: Memory
    words: str
    by_kind: bool = False  #: only that it is over can be meant
    by_gear: bool = False  #: … and only where it is given away


def gives_up(said: str) -> bool:
    """Whether `said` may give up something."""
    return change_words().cue.search(said) is not None


def labelled(said: str) -> list[str]:
    """Return the attributes, beside tastes, that `said` may give up by a label, or a part of the name alone."""
    named = (key for key, names in _LABELS.items() if any(name in said for name in names))
    return sorted({*_NAMED_IN_PART, *named})


def aliases(text: str, known: Sequence[Memory]) -> Iterator[Alias]:
    """Yield what `text` calls the facts that it does not name: by a part, then by the kind, then by the gear."""
    for memory in known:
        value = memory.value or ""
        part = _part(text, value, habit=memory.attribute == "habit") if memory.attribute not in _ONLY_BY_KIND else None
        if part is not None:
            yield Alias(memory=memory, words=part, by_kind=memory.attribute == "habit")
        alone = sum(each.attribute == memory.attribute for each in known) == 1
        kind = _kind(text, memory.attribute or "") if alone else None
        if kind is not None:
            yield Alias(memory=memory, words=kind, by_kind=True)
        yield from _gear(text, memory)


_ONLY_BY_KIND: Final = frozenset({"goal", "dream"})


def _part(text: str, value: str, *, habit: bool = False) -> str | None:
    """Return the part of `value` that `text` names: 정국 of BTS 정국, 신의탑 of 신의 탑."""
    words = value.split()
    if len(words) < _SHORTEST or value in text:
        return None
    joined = "".join(words)
    if joined in text:
        return joined
    named = [each for each in (words[-1], words[0]) if each in text and (habit or _says_enough(each))]
    return named[0] if named else None


def _says_enough(word: str) -> bool:
    known = patterns()
    broad = word in known.by_label or word in known.by_favourite or bool(genus_of(word)) or word in _BROAD
    return len(word) >= _SHORTEST and not broad and not word.endswith(("는", "은", "던", "한", "기", "거"))


_BROAD: Final = frozenset(
    "매운 모임 동호회 음악 날씨 여행 사람 친구 오래 매일 아침 저녁 주말 새벽 혼자 같이 학원 수업 시간 자기 공부 하루 "
    "전에 자주 항상 우리 나의 내가 이번 올해 다이어트 체력 건강".split()
)


def _kind(text: str, attribute: str) -> str | None:
    """Return the noun by which `text` speaks of the kind: 약 of 약 끊었어, 유튜버 of 최애 유튜버 자리 뺏겼어."""
    for name in _LABELS.get(attribute, ()):
        match = _label(name).search(text)
        if match is not None and not _somebodys(text[: match.start()]):
            return name
    pattern = patterns().by_attribute.get(attribute)
    nouns = pattern.nouns if pattern is not None else {attribute.removeprefix("favorite.")}
    for noun in sorted(nouns, key=len, reverse=True) if attribute.startswith("favorite.") else ():
        if noun in text and re.search(rf"{_BEST}\s?{re.escape(noun)}|{re.escape(noun)}\s?{_RANK}", text):
            return noun
    return None


def _somebodys(before: str) -> bool:
    """동생 버릇 고쳤어: the word before says whose it is."""
    last = before.split()[-1] if before.split() else ""
    return last in taste_words().persons or last in lexicon().kin


@cache
def _label(name: str) -> re.Pattern[str]:
    """A label as a word of its own: 약 먹던 거, 약을; not 약속, 약간, 꿈에서, 감기약."""
    joined = "" if name == "약" else "|이|가|를|야|임|예요|이에요|입니다|로"
    return re.compile(rf"(?<![가-힣A-Za-z]){name}(?=은|는|이\s|을|도|$|\s|[.,!~]{joined})")


def given_away(at: Spot, said: Sequence[Clause]) -> bool:
    """Whether what is named at `at` is given away: 낚싯대 다 팔았어, 카메라 중고로 넘겼어; not 낚싯대 부러졌어."""
    clause = said[at.place]
    predicate = clause.predicate
    if predicate is None or mood(clause) != "statement" or of_others(clause, at):
        return False
    if predicate.negated:
        return _unused(clause)
    done = predicate.past or predicate.endings[-1:] in (("ㅁ",), ("음",), ("고",), ("어서",))
    return done and bool(set(verbs_of(clause)) & change_words().given_away)


def _unused(clause: Clause) -> bool:
    """요즘 라켓 안 잡아, 보드 안 타고 볼링 쳐; not 오늘은 보드 안 타."""
    predicate = clause.predicate
    words = {word for phrase in clause.phrases for word in phrase.words} | set(clause.adverbs)
    using = predicate is not None and not predicate.past and predicate.lemma in _USED
    return using and "못" not in words and not change_words().stopped["once"] & words


def _gear(text: str, memory: Memory) -> Iterator[Alias]:
    """낚싯대는 처분했고: what it was done with is given away, and nothing like it is bought."""
    if memory.attribute not in ("hobby", "exercise", "likes") or _BOUGHT_ANEW.search(text):
        return
    for thing in change_words().gear.get((memory.value or "").split()[0], ()):
        if thing in text:
            yield Alias(memory=memory, words=thing, by_gear=True)
            return
