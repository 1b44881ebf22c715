"""Favourites of any kind: 최애 유튜버, 제일 좋아하는 꽃, 야구는 LG. What is named is what the favourite is called."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Word

_TOPICS: Final = frozenset({"은", "는", "ㄴ"})
#: what is liked best of one thing, at a time or for a reason is no favourite of a kind
OF_SOMETHING: Final = frozenset(
    "부분 장면 대목 포인트 파트 구간 대사 가사 구절 모습 면 특징 매력 이유 까닭 방법 방식 시기 요일 때 곳 거리 글 답 "
    "말투 질문 주제 얘기 종류 친구 사람 분 놈 아이 애 표현 단어 명언 습관 운동 취미 것 별명 이름 꿈 목표".split()
)


def genus_of(word: str) -> str:
    """Return the favourite that a noun for a kind of things names: favorite.꽃 of 꽃, 최애꽃; "" for any other."""
    words = taste_words()
    for start in ("", *words.compounds):
        bare = word.removeprefix(start) if word.startswith(start) else ""
        if bare in words.genera:
            return f"favorite.{words.genera[bare]}"
    return ""


def named_kind(word: Word) -> str:
    """Return the favourite that `word`, called one's best, names: favorite.잠옷 of 제일 좋아하는 잠옷은."""
    known = taste_words().within.get(word.bare, "") or genus_of(word.bare)
    if known:
        return known
    words = taste_words()
    common = word.tag == "NNG" and word.known and word.particle in _TOPICS and len(word.bare) > 1
    unfit = word.bare in OF_SOMETHING or word.bare in words.alone or word.bare in words.persons
    compound = word.bare.startswith(words.compounds)
    return f"favorite.{word.bare}" if common and not unfit and not compound else ""


def team_of(name: str) -> str:
    """Return the favourite that a team is: favorite.야구팀 of LG 트윈스; "" for any other name."""
    team = taste_words().teams.get(name.replace(" ", ""))
    return f"favorite.{team}" if team is not None else ""


def genus_at_end(name: str) -> str:
    """Return the favourite of the kind that a name ends in: favorite.라면 of 열라면; "" for any other."""
    words = taste_words()
    ends = (kind for noun, kind in words.genera.items() if len(noun) > 1 and name.endswith(noun) and name != noun)
    return f"favorite.{kind}" if (kind := next(ends, "")) else ""
