"""Favourites by choice: 초겨울을 으뜸으로 꼽아, 데미안만 한 책이 없어, 돈까스 하나면 돼, 하나만 고르라면 타코."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.named_around import named_around
from gieok.extract.korean.praise import category_beside, category_of, found_favourite, start_of
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Word, last_word_before, thing_at, thing_before, words_of
from gieok.language.clauses import Clause

_UNEQUALLED: Final = frozenset(
    "이길 이기는 넘을 넘는 뛰어넘을 뛰어넘는 능가할 대체할 대신할 따라올 따라갈 따라잡을 견줄".split()
)
_NONE_SUCH: Final = frozenset("없다 찾다 만나다 보다 나오다".split())
_ENOUGH: Final = frozenset("되다 끝이다 충분하다 행복하다 족하다 이다 끝나다".split())
_CHOOSING: Final = frozenset("꼽다 고르다 뽑다 추천하다 들다 가져가다 먹다 대다 남기다 챙기다 선택하다 말하다".split())
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
    return found_favourite(reading, thing, category)


def _puts_the_question(before: Clause) -> bool:
    """하나만 고르라면, 뭐 제일 좋아하냐고 하면."""
    assert before.predicate is not None, "asked before"
    endings = before.predicate.endings
    if not endings or not endings[-1].endswith(_IF_ASKED):
        return False
    asked = before.predicate.lemma in taste_words().adore and any(end.endswith("냐고") for end in endings)
    return asked or before.predicate.lemma in _CHOOSING
