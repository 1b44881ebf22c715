"""Tastes that have turned: 오이 극혐이었는데 이젠 없어서 못 먹어, 발라드만 듣던 내가 알앤비로 갈아탔어."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.favourite_kinds import team_of
from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import category_of
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of
from gieok.language.clauses import Phrase

_HATED: Final = re.compile(
    r"(?:싫어\s?했|싫었|극혐이었|극혐했|질색이었|질색했|못\s?먹었|안\s?먹었|입에도\s?안\s?댔|쳐다도\s?안\s?봤)(?:는데|지만|었는데|던|거든|다가)"
    r"|(?:질색|싫어)하던"
)
_LOVED: Final = re.compile(
    r"(?:좋아\s?했|환장했|최애였|즐겨\s?먹었|달고\s?살았|없이\s?못\s?살았)(?:는데|지만|었는데|던|거든|다가)|(?:좋아|환장)하던"
)
_NOW_LOVED: Final = re.compile(
    r"없어서\s?못|푹\s?빠|빠졌|빠짐|빠져|좋아(?!\s?보)|좋더라|환장|최애|듬뿍|맛있|찾아\s?먹|맨날|매일|없으면\s?안|사랑"
)
_NOW_HATED: Final = re.compile(
    r"질색|싫|질렸|질려|물렸|물려|쳐다도\s?(?:안|보기)|입에도\s?안|못\s?먹|정\s?떨어|정나미|극혐|안\s?먹|냄새도\s?(?:못|싫)"
)
_SWITCHED: Final = frozenset("갈아타다 넘어가다 넘어오다 환승하다 바꾸다 정착하다 전향하다 갈아끼우다".split())
_BEATEN: Final = re.compile(
    r"자리\s?(?:를\s?)?(?:뺏|빼앗|내[주줬]|내어)|밀[렸려리림]|(?:1위|왕좌|원픽)(?:를|을)?\s?(?:뺏|빼앗|내[주줬])"
)
_BEATS: Final = re.compile(r"갈아\s?치[웠우]|밀어\s?[냈내]|제[쳤치]|뺏어|이겼|등극|꿰찼|차지")
_CALLS: Final = re.compile(
    rf"갈아|넘어[가왔오갔]|환승|바[꾸꿔꿨뀌]|정착|전향|{_BEATEN.pattern}|{_BEATS.pattern}|{_HATED.pattern}|{_LOVED.pattern}"
)
_OLD: Final = ("던", "었는데", "였는데", "이었는데", "였지만", "접고", "관두고", "그만두고", "끊고", "버리고")
_ONCE_HATED: Final = frozenset("싫어하다 싫다 혐오하다 질색하다 꺼리다 무서워하다".split())
_HATED_NOUNS: Final = frozenset("극혐 질색 불호".split())
_ONCE_LOVED: Final = frozenset("좋아하다 좋다 환장하다 사랑하다 즐기다 애정하다".split())
_BUT: Final = frozenset("는데 ㄴ데 은데 지만 다가 었는데 더니".split())
#: said of what was hated or could not be eaten, without naming it again
_LOVES_NOW: Final = re.compile(
    r"없어서\s?못\s?먹|없으면\s?(?:못|안)|빠졌|빠져\s?(?:있|살)|(?<!안\s)(?:좋아졌|좋아져|좋아해|좋아함|좋더라)|잘만?\s?먹|찾아\s?(?:먹|다)|환장|최애|중독|맛있[어더음]|매일\s?먹|듬뿍"
)
_HATES_NOW: Final = re.compile(
    r"질색|질[렸려]|물[렸려](?!서\s?받)|싫어졌|싫어(?=[\s.!ㅠㅋ]|$|요|짐|함)|극혐|꼴도\s?보기|쳐다도\s?안|쳐다보기도|입에도\s?(?:못|안)\s?대|냄새도\s?못|토\s?나|손이\s?안\s?가"
)
_NOW: Final = re.compile(r"이제|이젠|인제|요즘|요새|요샌|지금|나니|뒤로|부턴|부터는")
_NO_THINGS: Final = frozenset("거 것 게 때 전 예전 옛날 원래 시절 입 밥 아침 점심 저녁 아점 야식 식사".split())
_NOT_NOW: Final = re.compile(r"(?:안|못|지\s?않|아니)\s?(?:좋|빠|싫|질)|[?]\s*$|겠|(?:으면|다면)\s?좋")


def swings(said: Heard) -> Iterator[Finding]:
    """Yield what is liked now and what no longer is."""
    if said.asks or _CALLS.search(said.text) is None or said.supposed:
        return
    words = words_of(said.text)
    yield from _turned(said, words)
    yield from _switched(said, words)


def _turned(said: Heard, words: Sequence[Word]) -> Iterator[Finding]:
    for then, now, past, present in (
        (_HATED, _NOW_LOVED, "dislikes", "likes"),
        (_LOVED, _NOW_HATED, "likes", "dislikes"),
    ):
        old = then.search(said.text)
        new = now.search(said.text, old.end()) if old is not None else None
        if old is None or new is None:
            continue
        thing = _before(words, old.start())
        if thing is None and old[0].endswith("던"):
            thing = _after(words, old.end())
        another = any(
            old.end() <= word.start < new.start() and word.nominal and taste_words().kind_of(word.bare)
            for word in words
            if thing is None or word.bare != thing.last.bare
        )
        if another:
            return  # 커피 좋아했는데 홍차는 싫어
        if thing is not None and said.mine(thing.start, thing.start) and thing.last.bare not in taste_words().persons:
            yield _finding(present, thing.value)
            yield _ended(past, thing.value)
        return


def _before(words: Sequence[Word], at: int) -> Thing | None:
    place = last_word_before(words, at)
    while place >= 0 and words[place].tag in ("MAG", "NP") and not words[place].breaks:
        place -= 1
    if place < 0 or words[place].breaks or words[place].particle not in ("", "을", "를", "은", "는", "이", "가", "도"):
        return None
    return thing_at(words, place)


def _after(words: Sequence[Word], at: int) -> Thing | None:
    place = next((i for i, word in enumerate(words) if word.start >= at), None)
    return thing_at(words, place) if place is not None and words[place].nominal else None


def _switched(said: Heard, words: Sequence[Word]) -> Iterator[Finding]:
    """발라드만 듣던 내가 알앤비로 갈아탔어; 1위던 치킨이 훠궈한테 자리 뺏김; 이번에 본 괴물이 갈아치웠다."""
    new = _newcomer(said, words)
    if new is None or said.others or new.last.bare in taste_words().persons:
        return
    labels = [word.bare for word in words]
    kind = taste_words().kind_of(new.value)
    old = next((thing for thing in _older(words, new)), None)
    attribute = team_of(new.value) if old is None or team_of(old.value) else ""
    attribute = (
        attribute
        or category_of(labels)
        or _attribute(kind)
        or _attribute(taste_words().kind_of(old.value) if old else "")
    )
    if "취미" in labels:
        attribute = "hobby"
    elif ways().is_exercise(new.value):
        attribute = "exercise"
    if not attribute or (old is None and attribute not in ("hobby", "exercise")):
        return
    yield _finding(attribute, new.value)
    if old is not None:
        yield _ended(attribute, old.value)


def _newcomer(said: Heard, words: Sequence[Word]) -> Thing | None:
    for place, word in enumerate(words):
        later = words[place + 1 : place + 3]
        switched = word.particle in ("로", "으로") and any(each.lemma in _SWITCHED for each in later)
        rest = said.text[word.start + len(word.text) :]
        beaten = word.particle in ("한테", "에게", "에") and _BEATEN.match(rest.lstrip()) is not None
        beats = word.particle in ("이", "가") and _BEATS.match(rest.lstrip()) is not None
        if (switched or beaten or beats) and word.nominal:
            return thing_at(words, place)
    return None


def _older(words: Sequence[Word], new: Thing) -> Iterator[Thing]:
    for place in range(new.first):
        word = words[place]
        after = words[place + 1] if place + 1 < new.first else None
        gone = word.text.endswith(_OLD) or (after is not None and after.text.endswith(_OLD) and word.nominal)
        led = place and words[place - 1].text.endswith("던") and word.particle in ("이", "가", "을", "를", "은", "는")
        if (gone or led) and word.nominal and word.particle not in ("에", "에서", "한테"):
            thing = thing_at(words, place)
            if thing is None or thing.last.bare in patterns().by_favourite:
                continue
            kind = _attribute(taste_words().kind_of(thing.value)) or team_of(thing.value)
            if kind or ways().is_pastime(thing.value):
                yield thing


def _attribute(kind: str) -> str:
    return f"favorite.{kind}" if kind in ("food", "color", "season", "movie", "music", "book", "game") else ""


def _finding(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)


def _ended(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value, polarity="-", act="end")


def reversed_taste(telling: Telling) -> Iterator[Finding]:
    """Read what was disliked and is liked now, or the other way round."""
    for place, part in enumerate(telling.parts):
        if not telling.mine(part) or part.closes not in ("statement", "fragment"):
            continue
        was = _was(part)
        thing = _thing(telling, place, part) if was is not None else None
        if thing is None:
            continue
        since = telling.text[part.clause.end :]
        turned = (_LOVES_NOW if was == "dislikes" else _HATES_NOW).search(since)
        if turned is None or _NOT_NOW.search(since) or (part.says("먹다", "마시다") and not _NOW.search(since)):
            continue
        now = "likes" if was == "dislikes" else "dislikes"
        yield finding(now, thing, whose=telling.me)
        yield ended(finding(was or "", thing, whose=telling.me))
        return


def _was(part: Part) -> str | None:
    """Return how a thing was once taken."""
    predicate = part.clause.predicate
    if predicate is None:
        return None
    before = part.ending in _BUT and predicate.past
    described = part.ending in ("던", "었던") and part.clause.head is not None
    if not (before or described):
        return None
    noun = part.clause.phrases[-1].words[-1] if predicate.form == "copula" and part.clause.phrases else ""
    eaten = part.says("먹다", "마시다") and part.negated
    if (part.says(*_ONCE_HATED) and not part.negated) or noun in _HATED_NOUNS or eaten:
        return "dislikes"
    if part.says(*_ONCE_LOVED):
        return "dislikes" if part.negated else "likes"
    return None


def _thing(telling: Telling, place: int, part: Part) -> str | None:
    """Return what is spoken of: the object, or what the clause describes."""
    if part.clause.head is not None:
        following = telling.next(place)
        described = next((p for p in following.clause.phrases if p.adnominal), None) if following is not None else None
        return telling.said(described) if described is not None and _is_thing(described) else None
    for phrase in reversed(part.clause.phrases):
        if phrase.words[-1] in _HATED_NOUNS and len(phrase.words) > 1:
            return " ".join(phrase.words[:-1])  # 오이 극혐이었는데
        if _is_thing(phrase) and phrase.words[-1] not in _HATED_NOUNS:
            return telling.said(phrase)
    return None


def _is_thing(phrase: Phrase) -> bool:
    named = phrase.pronoun is None and not phrase.pointed and not phrase.has("에", "에서", "부터", "까지", "로", "보다")
    return named and phrase.words[-1] not in _NO_THINGS
