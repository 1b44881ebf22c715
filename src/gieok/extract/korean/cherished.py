"""Things that are called liked on the way to something else: 내가 제일 좋아하는 X가 나왔어, 최애 컬러인 X로 칠했어."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.favourite_kinds import OF_SOMETHING, genus_of
from gieok.extract.korean.heard import Heard
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import category_of, favourite_in
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Thing, Word, words_of

_LIKING: Final = frozenset("좋아하다 아끼다 사랑하다 애정하다 선호하다".split())
_HATING: Final = frozenset("싫어하다 혐오하다 극혐하다".split())
_I: Final = frozenset({"나", "저", "내", "제"})
_SUBJECT: Final = frozenset({"이", "가", "은", "는", "께서", "도", "ㄴ"})
_LOOK_BACK: Final = 4
_LONGEST: Final = 4
_JOINED: Final = ("인", "이자")


def cherished(said: Heard) -> Iterator[Finding]:
    """Yield what somebody calls liked, hated or a favourite before they name it."""
    if "좋아하는" not in said.text and "인 " not in said.text and not any(stem in said.text for stem in _STEMS):
        return
    words = words_of(said.text)
    for place in range(len(words) - 1):
        found = _liked(said, words, place) or _labelled(said, words, place)
        if found is not None:
            yield found
            return


_STEMS: Final = ("아끼는", "사랑하는", "애정하는", "싫어하는", "혐오하는", "선호하는", "이자 ")


def _liked(said: Heard, words: Sequence[Word], place: int) -> Finding | None:
    word = words[place]
    if word.tag != "ETM" or word.ending != "는" or word.lemma not in _LIKING | _HATING or word.breaks:
        return None
    mine, most = _said_by_me(words, place)
    if mine is False or not (mine or most):
        return None
    thing = _after(said.text, words, place + 1)
    if thing is None or (most and category_of([thing.last.bare])):
        return None
    if word.lemma in _HATING:
        attribute = "dislikes"
    else:
        attribute = (favourite_in(said.text, thing, strong=True) if most else "") or "likes"
    if not mine and attribute == "likes":
        return None
    return Finding(attribute=attribute, value=thing.value, shown=thing.value, surface=thing.value)


def _said_by_me(words: Sequence[Word], place: int) -> tuple[bool | None, bool]:
    """Return whether it is the speaker who likes it (None: nobody is named), and whether best of all."""
    most = False
    for back in range(place - 1, max(-1, place - 1 - _LOOK_BACK), -1):
        word = words[back]
        if word.breaks or (word.tag in ("EC", "EF") and not word.particles):
            return None, most
        most = most or word.bare in taste_words().most or word.text in taste_words().most
        if word.tag == "NP" or word.bare in _I:
            return word.bare in _I or word.text in ("내가", "제가", "난"), most
        if word.particle in _SUBJECT and word.nominal and word.bare not in taste_words().most:
            return False, most
        if word.bare in taste_words().persons:
            return False, most
    return None, most


def _labelled(said: Heard, words: Sequence[Word], place: int) -> Finding | None:
    """내 최애 컬러인 코랄핑크로, 인생 영화이자 …."""
    word = words[place]
    if not word.copula or not word.text.endswith(_JOINED) or word.breaks or not place:
        return None
    before = words[place - 1]
    praised = before.bare in taste_words().compounds or before.bare in taste_words().best
    cherishing = before.tag == "ETM" and before.lemma in _LIKING and before.ending == "는"
    if not (praised or cherishing or word.bare.startswith(taste_words().compounds)):
        return None
    category = category_of([word.bare])
    thing = _after(said.text, words, place + 1)
    if thing is None or said.asks or any(_is_another(each) for each in words[max(0, place - _LOOK_BACK) : place]):
        return None
    attribute = category or favourite_in(said.text, thing, strong=True)
    if not attribute:
        return None
    return Finding(attribute=attribute, value=thing.value, shown=thing.value, surface=thing.value)


def _is_another(word: Word) -> bool:
    return word.bare in taste_words().persons or (word.tag == "NP" and word.bare not in _I)


def _after(text: str, words: Sequence[Word], first: int) -> Thing | None:
    """Return what is named from `first` on: bare nouns, and what describes them."""
    last = first
    while last < len(words) - 1 and last - first < _LONGEST:
        word = words[last]
        lasting = not word.acts or (word.lemma or "").endswith("되다")
        adjective = word.tag == "ETM" and lasting and not word.copula
        if word.breaks or not (adjective or word.tag == "MM" or (word.nominal and not word.particles)):
            break
        following = words[last + 1]
        joins = following.nominal or (following.tag == "ETM" and not following.acts) or following.tag == "MM"
        if not adjective and not (joins and following.bare not in taste_words().apart):
            break
        last += 1
    if first < last and words[first].bare in patterns().by_favourite:
        return None  # 제일 좋아하는 영화 곡성이라: a label and its value, read by others
    word, idle = words[last], taste_words()
    barred = word.bare in idle.alone or word.bare in idle.persons or word.tag in ("NP", "NNB", "SN", "ETM")
    label = word.bare in patterns().by_favourite or word.bare in patterns().by_label
    topic = word.particle in ("은", "는") and (bool(genus_of(word.bare)) or word.bare in OF_SOMETHING)
    if not word.nominal or barred or label or topic:
        return None  # 제일 좋아하는 부분은 후렴이야: a label, too
    if word.lemma is not None or word.particle in ("한테", "에게", "께", "처럼", "보다", "의") or len(word.bare) < 2:
        return None
    value = text[words[first].start : word.end].strip(" '\"‘’“”")
    return Thing(
        value=value, start=words[first].start, end=word.end, particle=word.particle, last=word, first=first, place=last
    )
