"""What is liked best now, where only the favourite of before tells its kind: 이젠 코틀린이 제일 좋아요, KT로 갈아탔어.

The thing must be of the kind of a favourite that is known; one of no known kind takes a favourite's place where that
favourite is named beside it, where something is said to have changed, or where only names are of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.memory import Background, Memory
from gieok.extract.korean.crowning import POINTED, met_before
from gieok.extract.korean.favourite_kinds import genus_at_end, team_of
from gieok.extract.korean.giving_up import of_others
from gieok.extract.korean.kinds import is_place
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.namelike import is_full_name
from gieok.extract.korean.patterns import anything, patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Clause, Phrase, clauses
from gieok.language.mood import mood
from gieok.language.morphemes import analyse

_NOW: Final = re.compile(r"이제|이젠|인제|요즘|요새|지금|최근")
_CHANGED: Final = re.compile(
    r"갈아[타탔탐]|넘어[갔가감왔]|바[뀌뀐뀜꼈]|환승|정착|옮[겼김]|빠[져졌]|꽂[혀혔]|반[해했]|탈덕|탈빠|질[렸려림]"
    r"|(?:입맛|취향)이?\s변"
)
_RANKED: Final = re.compile(r"제일|젤|가장|최고|[1일]등|1위|[1일]순위|원픽|최애|으뜸")
_COPULA: Final = re.compile(r"(?:이야|야|이에요|예요|입니다|이지|지|임)$")
_BEST: Final = frozenset("제일 최고 1등 일등 으뜸 원픽 최애 1위 1순위 일순위".split())
_PLACES: Final = frozenset("1등 일등 1위 1순위 일순위".split())
_AMONG: Final = re.compile(r"중에?[서선는]?\s|가운데")
_FANDOM: Final = re.compile(r"공연|콘서트|무대|직캠|뮤비|노래|덕질|팬|응원|직관|앨범|입덕|포카|음방|최애|원픽")
_MOST: Final = frozenset("제일 젤 젤로 제일로 가장".split())
_GOOD: Final = frozenset(
    "좋다 맛있다 재밌다 재미있다 예쁘다 이쁘다 낫다 맞다 끌리다 땡기다 당기다 편하다 멋있다 멋지다 귀엽다".split()
)
_LIKED: Final = frozenset("좋아하다 사랑하다 아끼다 즐기다".split())
_SWITCHED: Final = frozenset("갈아타다 환승하다 정착하다 넘어가다 넘어오다 옮겨가다 옮겨타다".split())
#: of these kinds are things with names of their own; any word may be a food or a colour
_COMMON: Final = frozenset("food drink color season flower fruit animal weather".split())
#: what is good to have at any time: 이제 집이 제일 좋아
_COMFORTS: Final = frozenset(
    "집 침대 이불 이불속 잠 혼자 돈 여기 거기 주말 휴식 퇴근 건강 가족 월급 날씨 기분 컨디션 몸 마음 사이 때 시간 순간 "
    "방 분위기 성적 상태 자리 데 쪽 점 말 밥 휴가 평일 아침 저녁 밤 오늘 내일".split()
)
_WITHIN: Final = {
    "drink": frozenset("술 음료 커피 차 칵테일 맥주 와인 drink".split()),
    "food": frozenset("food 과일 간식 과자 떡 라면 빵 아이스크림 디저트 반찬 안주 음식 치킨 국 찌개".split()),
    "music": frozenset("music 노래 가수 아이돌 걸그룹 보이그룹 밴드".split()),
    "movie": frozenset("movie 드라마 영화 예능 애니".split()),
    "exercise": frozenset("스포츠 운동 exercise".split()),
    "flower": frozenset("꽃 flower".split()),
}


def outshone(text: str, background: Background) -> Iterator[Finding]:
    """Yield the new favourite that takes the place of one that is known."""
    changed = bool(_CHANGED.search(text))
    if not changed and not (_NOW.search(text) and _RANKED.search(text)):
        return
    best = [
        each for each in background.meant() if (each.attribute or "").startswith("favorite.") and each.polarity == "+"
    ]
    for clause in clauses(text) if best else ():
        if mood(clause) not in ("statement", "fragment") or of_others(clause):
            continue
        thing = _thing(_ranked(text, clause) or _switched_to(clause))
        switched = _is_switched(clause)
        names = not switched or bool(_FANDOM.search(text))  # not 2호선으로 갈아탔어
        old = _rival(thing, text, best, changed=changed and not switched, names=names) if thing else None
        value = READERS["noun"](thing) if old is not None else None
        if old is not None and value is not None and value.value != old.value:
            key = old.attribute or ""
            pattern = patterns().by_attribute.get(key) or anything(key)
            yield found(pattern, value, act="prefer", instead_of=old.value)
            return


def _ranked(text: str, clause: Clause) -> str:
    """이젠 겨울이 제일 좋아, 요새는 임영웅이 제일이야, 이제 내 1등은 한로로야, …에 정착했어. 이게 최고야."""
    predicate = clause.predicate
    if predicate is not None and (predicate.negated or predicate.past):
        return ""
    phrases = [p for p in clause.phrases if p.pronoun is None]
    last = phrases[-1] if phrases else None
    if predicate is None or predicate.form == "copula":
        if _is_table(clause):
            return ""
        if last is not None and last.words[-1] in _BEST and len(last.words) == 1:
            return _subject(text, clause, phrases[:-1])
        label = next((p for p in phrases if p.words[-1] in _BEST and p.has("은", "는", "ㄴ")), None)
        return _named(text, clause, last) if label is not None and last is not None and last is not label else ""
    if not _MOST & (set(clause.adverbs) | {word for p in phrases for word in p.words}):
        return ""
    if predicate.lemma in _LIKED:
        return next((" ".join(p.words) for p in phrases if p.has("을", "를")), "")
    return _subject(text, clause, phrases) if predicate.lemma in _GOOD else ""


def _is_table(clause: Clause) -> bool:
    """지금 1위는 LG야: the first of all, not of mine."""
    ranked = any(phrase.words[-1] in _PLACES and phrase.owner != "나" for phrase in clause.phrases)
    return ranked and not any(phrase.pronoun in ("나", "저") for phrase in clause.phrases)


def _named(text: str, clause: Clause, last: Phrase) -> str:
    """Return what the last phrase names; 한로로야 is taken for 한로 with 로."""
    if clause.predicate is None and last.particles:
        return _COPULA.sub("", text[last.morphemes[0].start : clause.end].strip(" .,!~ㅋㅎㅠ"))
    return " ".join(last.words)


def _subject(text: str, clause: Clause, phrases: Sequence[Phrase]) -> str:
    """Return what is the best: what is named, or what was met with right before and is pointed at."""
    for phrase in phrases:
        if phrase.has("이", "가") and phrase.words[-1] not in _MOST:
            pointed = phrase.words[-1] in POINTED
            return met_before(text, clause.start) if pointed else _without_call(" ".join(phrase.words), phrase)
    return ""


def _without_call(name: str, phrase: Phrase) -> str:
    """임영웅이가 is 임영웅."""
    return name.removesuffix("이") if phrase.has("가") and is_full_name(name.removesuffix("이")) else name


def _is_switched(clause: Clause) -> bool:
    return clause.predicate is not None and clause.predicate.lemma in _SWITCHED


def _switched_to(clause: Clause) -> str:
    """QWER로 갈아탔어요, 하이볼에 정착했어: only what has happened."""
    predicate = clause.predicate
    if predicate is None or predicate.negated or not _is_switched(clause):
        return ""
    if not predicate.past and predicate.endings[-1:] not in (("ㅁ",), ("음",)):
        return ""
    into = (p for p in clause.phrases if p.pronoun is None and not p.pointed and p.has("로", "으로", "에"))
    return next((" ".join(p.words) for p in into), "")


def _thing(said: str) -> str:
    """Return `said` where it is a thing to be liked best of its kind; not a person of one's own, nor 이쪽."""
    words = taste_words()
    last = said.split()[-1] if said else ""
    own = last in words.persons | lexicon().kin | lexicon().address | words.alone | _COMFORTS
    return "" if own or _NOW.fullmatch(last) or last in _BEST | POINTED else said


def _rival(thing: str, text: str, best: Sequence[Memory], *, changed: bool, names: bool) -> Memory | None:
    """Return the one favourite that `thing` may take the place of."""
    kind = _kind_of(thing)
    sort = team_of(thing) or genus_at_end(thing)
    if kind or sort:
        alike = [each for each in best if each.attribute == sort or (kind and _is_of(each, kind))]
        return alike[0] if len(alike) == 1 else None
    named = [each for each in best if any(len(word) > 1 and word in text for word in (each.value or "").split())]
    meant = named if len(named) == 1 else best
    if len(meant) != 1:
        return None
    if (meant[0].attribute or "").endswith("팀"):
        return None  # a player is no team
    if meant is named and _AMONG.search(text):
        return None  # 아이유 노래 중에 밤편지가 제일 좋아
    by_name = names and _kind(meant[0]) not in _COMMON and _is_name(thing)
    return meant[0] if changed or by_name or meant is named else None


def _is_name(thing: str) -> bool:
    """한로로, 코틀린, QWER: no word of the dictionary, and no place."""
    parts = analyse(thing)
    named = any(part.tag in ("NNP", "SL") or not part.known for part in parts) or len(parts) > len(thing.split())
    return named and not is_place(thing) and thing not in lexicon().class_of


def _kind_of(thing: str) -> str:
    """Return the kind that the name, or what it ends in, tells: drink of 제로사이다."""
    known = taste_words().kind_of
    ends = (known(thing[start:]) for start in range(1, len(thing) - 1))
    return known(thing) or next((kind for kind in ends if kind in ("drink", "food")), "")


def _is_of(memory: Memory, kind: str) -> bool:
    within = (memory.attribute or "").removeprefix("favorite.")
    return within == kind or within in _WITHIN.get(kind, ()) or taste_words().kind_of(memory.value or "") == kind


def _kind(memory: Memory) -> str:
    within = (memory.attribute or "").removeprefix("favorite.")
    wider = (kind for kind, kinds in _WITHIN.items() if within in kinds)
    return taste_words().kind_of(memory.value or "") or next(wider, within)
