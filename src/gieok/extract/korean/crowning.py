"""A new favourite where the old one is not named: 헤어질 결심 보고 인생영화 갱신함, 제 최애 술은 위스키가 됐어요."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.becoming import happened
from gieok.extract.korean.favourite_kinds import genus_at_end
from gieok.extract.korean.lexicon import change_words, lexicon
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import kind_of_favourite
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import thing_before
from gieok.language.clauses import Clause, Phrase, clauses

_RISEN: Final = frozenset("되다 등극하다 올라서다 오르다 자리잡다 굳다".split())
_SWITCHED: Final = frozenset("갈아타다 환승하다 옮기다 옮겨가다 넘어가다 바뀌다 바꾸다 변경하다".split())
_BARE: Final = (("최애",), ("원픽",), ("본진",))
_RENEWED: Final = _SWITCHED | frozenset(
    "갱신하다 갱신되다 경신하다 경신되다 교체되다 교체하다 바뀌다 바꾸다 갈아치우다 뺏기다".split()
)
_RANKS: Final = frozenset("최애 원픽 인생 1위 1등 1순위 일순위 일등 일위 순위 자리 탑".split())
_DEEDS: Final = frozenset("등극 갱신 경신 교체".split())
_MET: Final = frozenset("입문하다 빠지다 꽂히다 눈뜨다 반하다 입덕하다 정착하다 중독되다 홀리다".split())
_LED: Final = frozenset("고 고서 고나서 더니 어서 은 ㄴ 니까 으니까 ㅁ 음 다 다가 어 으면".split())
#: after 이렇게
_SURPRISED: Final = re.compile(r"\s*(?:재밌|재미있|맛있|좋|예쁠|이쁠|멋있|귀여)\S*\s줄\S*\s?(?:몰|누가)")
_WATCHED: Final = frozenset("정주행하다 완주하다 완독하다 몰아보다".split())
_LOOK_BACK: Final = 3  #: clauses
POINTED: Final = frozenset({"이것", "그것", "요것", "이거", "그거"})
_PARTS: Final = frozenset("콘서트 공연 정주행 뮤비 무대 영상 노래".split())


def crowned(reading: Reading) -> Iterator[Finding]:
    """Read what has become somebody's favourite of a kind that is named."""
    deed = _deed(reading)
    if deed is None or reading.negated or reading.about.subject_id in lexicon().kin | lexicon().others:
        return
    label = next((phrase for phrase in reading.clause.phrases if _kind(phrase)), None)
    if label is None:
        yield from _unlabelled(reading)
        return
    thing = (_risen(reading, label) if deed in _RISEN else _into(reading)) or met_before(
        reading.text, reading.clause.start
    )
    if thing and thing.split()[-1] not in taste_words().alone | _RANKS and thing not in lexicon().kin:
        yield Finding(attribute=_kind(label), value=thing, shown=thing, surface=thing, whose=reading.me)


def _unlabelled(reading: Reading) -> Iterator[Finding]:
    """포차코로 최애 갈아탐, 요즘 최애는 데이식스로 옮겨감: which kind it is, the thing tells, if anything does."""
    thing = _into(reading) if any(phrase.words in _BARE for phrase in reading.clause.phrases) else ""
    if thing and reading.says(*_SWITCHED):
        kind = taste_words().kind_of(thing)
        known = f"favorite.{kind}" if f"favorite.{kind}" in patterns().by_attribute else "favorite.music"
        attribute = genus_at_end(thing) or known
        yield Finding(attribute=attribute, value=thing, shown=thing, surface=thing, act="prefer", whose=reading.me)


def _deed(reading: Reading) -> str | None:
    """Return the verb by which a favourite rises or is renewed, or what stands for it: 인생영화 등극."""
    if reading.predicate is not None and reading.predicate.form != "copula":
        lemma = reading.predicate.lemma
        since = reading.clause.head == "지"  # 바뀐 지 오래
        return lemma if lemma in _RISEN | _RENEWED and (happened(reading) or since) else None
    phrases = reading.clause.phrases
    last = phrases[-1].words[-1] if phrases else ""
    pointed = any(phrase.words[-1] in POINTED and phrase.has("이", "가") for phrase in phrases)
    return "가리키다" if pointed else f"{last}하다" if last in _DEEDS else None  # 이제 그게 내 최애 향수


def _kind(phrase: Phrase) -> str:
    """Return the favourite that a phrase calls the best: 인생영화, 최애 술, 치킨 순위 1위; "" where it names none."""
    if any(word in taste_words().persons for word in phrase.words):
        return ""  # 엄마 최애 배우
    own = [word for word in phrase.words if word not in _RANKS | _DEEDS]
    if phrase.has("로", "으로"):
        own = [word for word in own if kind_of_favourite([word])]  # 최애 향수 르라보로 갈아탐
    best = len(own) < len(phrase.words) or any(word.startswith(taste_words().compounds) for word in phrase.words)
    liked = phrase.modifier in ("좋아하다", "사랑하다")
    return kind_of_favourite(own) if own and (best or liked) else ""


def _risen(reading: Reading, label: Phrase) -> str:
    """제 최애 술은 위스키가 됐어요; 플랫화이트가 내 원픽 커피 됐음."""
    phrases = reading.clause.phrases
    before = phrases if label.has("은", "는", "ㄴ") else phrases[: phrases.index(label)]
    named = (p for p in before if p is not label and p.has("이", "가") and p.pronoun is None and not p.pointed)
    return next((reading.said(phrase) for phrase in named), "")


def _into(reading: Reading) -> str:
    """최애 술이 위스키로 바뀌었어요; 빠니보틀한테 최애 유튜버 자리 뺏겼다."""
    into = (p for p in reading.rest if p.has("로", "으로", "한테", "에게") and p.pronoun is None and not p.pointed)
    phrase = next(into, None)
    if phrase is None:
        return ""
    kind = max((place for place, word in enumerate(phrase.words[:-1]) if kind_of_favourite([word])), default=-1)
    return " ".join(phrase.words[kind + 1 :]) if kind >= 0 else reading.said(phrase)  # 최애 향수 르라보로


def met_before(text: str, start: int) -> str:
    """헤어질 결심 보고, 위스키에 입문하고 나서: what was met with right before `start`."""
    earlier = [clause for clause in clauses(text) if clause.end <= start]
    met = (_met(text, clause) for clause in reversed(earlier[-_LOOK_BACK:]))
    return next((thing for thing in met if thing), "")


def _met(text: str, clause: Clause) -> str:
    predicate = clause.predicate
    if predicate is None or predicate.negated:
        return ""
    if predicate.lemma == "이렇다" and _SURPRISED.match(text, clause.end):
        return next((" ".join(p.words) for p in clause.phrases if p.has("이", "가") and p.pronoun is None), "")
    attended = predicate.lemma in ("가다", "다녀오다") and any(p.words[-1] in _PARTS for p in clause.phrases)
    needed = predicate.lemma == "없다" and predicate.endings[-1:] == ("으면",)  # 플랫화이트 없으면 못 살아
    tried = predicate.lemma in change_words().became["tried"] | _WATCHED or attended or needed
    met = predicate.lemma in _MET
    if not (tried or met) or not (predicate.past or (predicate.endings[-1:] and predicate.endings[-1] in _LED)):
        return ""
    thing = thing_before(text, predicate.stem[0].start)
    particles = ("에", "한테", "에게") if met else ("", "을", "를", "만")
    if thing is None or thing.particle not in particles or thing.end > clause.end:
        return ""
    said = thing.value.split()
    while len(said) > 1 and said[-1] in _PARTS:
        said.pop()
    return " ".join(said)
