"""Favourites by choice: 초겨울을 으뜸으로 꼽아, 데미안만 한 책이 없어, 돈까스 하나면 돼, 하나만 고르라면 타코."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.named_around import named_around
from gieok.extract.korean.praise import (
    CHERISHED,
    category_beside,
    category_of,
    found_favourite,
    is_best,
    kind_of_favourite,
    start_of,
)
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, thing_before, words_of
from gieok.language.clauses import Clause

_UNEQUALLED: Final = frozenset(
    "이길 이기는 넘을 넘는 뛰어넘을 뛰어넘는 능가할 대체할 대신할 따라올 따라갈 따라잡을 견줄".split()
)
_NONE_SUCH: Final = frozenset("없다 찾다 만나다 보다 나오다".split())
_ENOUGH: Final = frozenset("되다 끝이다 충분하다 행복하다 족하다 이다 끝나다".split())
_CHOOSING: Final = frozenset("꼽다 고르다 뽑다 추천하다 들다 가져가다 먹다 대다 남기다 챙기다 선택하다 말하다".split())
_AGAINST: Final = frozenset({"vs", "VS", "Vs", "대", "아니면"})
_MANY: Final = 8  #: words; more are no choice of two
_IF_ASKED: Final = ("라면", "자면", "으라면", "다면", "으면", "면")


def picked(reading: Reading) -> Finding | None:
    """초겨울을 으뜸으로 꼽습니다, 토토로를 제일로 칩니다."""
    if not reading.says(*taste_words().pick):
        return None
    rank = next(
        (p for p in reading.clause.phrases if p.has("로", "으로", "에") and taste_words().top & set(p.words)), None
    )
    at = start_of(rank) if rank is not None else reading.predicate.stem[0].start if reading.predicate else 0
    if rank is None and not {"제일로", "젤로", "최고로"} & reading.everything:
        return None
    thing = thing_before(reading.text, at)
    return found_favourite(reading, thing, category_beside(reading, thing)) if thing is not None else None


def unequalled(reading: Reading) -> Finding | None:
    """데미안만 한 책이 없어; 버닝을 이길 영화를 못 찾았어요; 이만한 음악이 없다."""
    before = reading.before.predicate if reading.before is not None else None
    failed = before is not None and reading.says("하다") and before.lemma in _NONE_SUCH  # 만나지 못했어
    if not (reading.says(*_NONE_SUCH) or failed) or not (reading.negated or reading.says("없다")):
        return None
    words = words_of(reading.text)
    last = last_word_before(words, reading.predicate.stem[0].start) if reading.predicate else -1
    for place in range(last, max(-1, last - 5), -1):
        word = words[place]
        thing = None
        if word.text in ("이만한", "그만한"):
            category = category_of([words[place + 1].bare]) if place < last else ""
            return found_favourite(reading, named_around(reading, category), category)
        if word.text.endswith(("만한", "만큼")) and len(word.text) > 2:
            bare = word.text[:-2]
            thing = thing_at((*words[:place], _as_noun(word, bare)), place)
        elif word.text == "한" and place and words[place - 1].particle == "만":
            thing = thing_at(words, place - 1)
        elif word.text in _UNEQUALLED:
            category = category_of([words[place + 1].bare]) if place < last else ""
            thing = thing_before(reading.text, word.start) or named_around(reading, category)
        if thing is not None:
            return found_favourite(reading, thing, category_of([each.bare for each in words[place + 1 : last + 1]]))
    return None


def _as_noun(word: Word, bare: str) -> Word:
    return Word(
        text=word.text, start=word.start, end=word.start + len(bare), bare=bare, particles=("만",), tag="NNG",
        lemma=None, acts=False, stem="", ending="", copula=False, breaks=False, known=True,
    )  # fmt: skip


def enough(reading: Reading) -> Finding | None:
    """돈까스 하나면 돼, 순대국밥 그거 하나면 끝."""
    words = words_of(reading.text)
    for place, word in enumerate(words):
        if not word.text.startswith("하나면") or not word.start <= reading.clause.end + 8 or not place:
            continue
        if not reading.says(*_ENOUGH):
            return None
        thing = thing_at(words, place - 1) if not words[place - 1].breaks else None
        return found_favourite(reading, thing or named_around(reading, ""), "")
    return None


def if_choosing(reading: Reading) -> Finding | None:
    """하나만 고르라면 타코; 인생책 꼽으라면 난 토지."""
    before, phrase = reading.main_before, reading.complement
    if before is None or phrase is None or before.predicate is None or not _puts_the_question(before):
        return None
    words = words_of(reading.text)
    thing = thing_at(words, last_word_before(words, phrase.morphemes[-1].end))
    category = category_of([word for each in before.phrases for word in each.words])
    liked = (each.words for each in before.phrases if each.modifier in CHERISHED or is_best(each))
    category = category or next((kind for each in liked if (kind := kind_of_favourite(each))), "")
    return found_favourite(reading, thing, category)


def preferred(reading: Reading) -> Finding | None:
    """로코보다 스릴러; 치킨 vs 피자? 난 치킨; 짜장 짬뽕 중엔 짬뽕."""
    phrase = reading.complement
    if phrase is None or reading.past or reading.negated or phrase.pointed or phrase.adnominal:
        return None
    words = words_of(reading.text)
    thing = thing_at(words, last_word_before(words, phrase.morphemes[-1].end), titled=False)
    if thing is None or thing.last.bare in taste_words().persons:
        return None
    compared = _less_liked(reading, thing)
    if compared is None and thing.value not in _offered(reading):
        return None
    whose = taster(reading, thing)
    if whose is None:
        return None
    return Finding(
        attribute="likes", value=thing.value, shown=thing.value, surface=thing.value, whose=whose,
        act="prefer" if compared else "assert", instead_of=compared,
    )  # fmt: skip


def _less_liked(reading: Reading, thing: Thing) -> str | None:
    """Return what `thing` is set above: 산 of 산보다 바다; not 말보다 행동, which is a saying."""
    if reading.predicate is not None and reading.predicate.endings[-1:] == ("ㄹ",):
        return None
    less = next((each for each in reading.rest if each.has("보다") and each.pronoun is None), None)
    if less is None or any(other.has("이", "가", "을", "를") for other in reading.rest):
        return None
    known = taste_words()
    sides = [each in known.chosen or bool(known.kind_of(each)) for each in (less.text, thing.value)]
    return less.text if all(sides) or (reading.of_self and any(sides)) else None


def _offered(reading: Reading) -> frozenset[str]:
    """Return what is to be chosen from: 치킨 vs 피자?, 짜장 짬뽕 중엔."""
    before = reading.before
    if before is not None and before.predicate is None and before.ends_with.startswith("?"):
        words = [word for phrase in before.phrases for word in phrase.words]
        if _AGAINST & set(words) and len(words) < _MANY:
            return frozenset(words) - _AGAINST
    among = next((each for each in reading.rest if each.words[-1] == "중" and each.has("에", "에서")), None)
    return frozenset(among.words[:-1]) if among is not None and len(among.words) > 2 else frozenset()


def _puts_the_question(before: Clause) -> bool:
    """하나만 고르라면, 뭐 제일 좋아하냐고 하면."""
    assert before.predicate is not None, "asked before"
    endings = before.predicate.endings
    if before.predicate.form == "copula" and endings[-1:] == ("냐면",) and before.phrases:
        return before.phrases[-1].words[-1] in ("누구", "뭐", "무엇", "어디")  # 좋아하는 배우 누구냐면
    if not endings or not endings[-1].endswith(_IF_ASKED):
        return False
    asked = before.predicate.lemma in taste_words().adore and any(end.endswith("냐고") for end in endings)
    return asked or before.predicate.lemma in _CHOOSING
