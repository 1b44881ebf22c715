"""Of several hits that say the same, one is enough."""

import pytest

from gieok.domain.answer import Hit
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.recall.rank import chosen
from gieok.testing import memory, turn

SCOPE = Scope(user="민수", character="레티아")


def said(text, score, speaker="user"):
    [utterance] = turn((speaker, text), id=f"{text}{score}").utterances
    return Hit(item=utterance, scope=SCOPE, score=score, parts=Parts(), why=())


def known(content, score, **fields):
    item = memory(content, id=f"{content}{score}", **fields)
    return Hit(item=item, scope=SCOPE, score=score, parts=Parts(), why=())


def texts(hits):
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    "again", ["나 고양이 좋아해!", "나 고양이 좋아해ㅋㅋ", "나  고양이 좋아해…", "나 고양이 좋아해"]
)
def test_the_same_words_come_once_the_better_first(again):
    assert texts(chosen([said(again, 0.4), said("나 고양이 좋아해", 0.5)], 8)) == ["나 고양이 좋아해"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("나 고양이 정말 많이 좋아해", "나 고양이 정말 많이 안 좋아해"),
        ("3월 15일에 만나기로 했어", "3월 16일에 만나기로 했어"),
        ("I do like cats very much", "I do not like cats very much"),
    ],
)
def test_a_not_or_another_figure_makes_it_another(one, other):
    assert texts(chosen([said(one, 0.5), said(other, 0.4)], 8)) == [one, other]


def test_what_is_true_of_two_is_told_of_both():
    mine = known("고양이를 좋아함", 0.5)
    hers = known("고양이를 좋아함", 0.4, subject="other", subject_id="동생")
    assert len(chosen([mine, hers], 8)) == 2


def test_something_else_comes_before_nearly_the_same_again():
    nearly = [
        said(f"어제 {thing} 바다에 가서 회를 먹었어", 0.500 - step / 1000)
        for step, thing in enumerate("부산 강릉".split())
    ]
    other = said("내일은 산에 오를 거야", 0.490)
    assert texts(chosen([*nearly, other], 2)) == [nearly[0].text, other.text]


def test_much_better_stays_better_however_alike():
    nearly = [said("어제 부산 바다에 가서 회를 먹었어", 0.9), said("어제 강릉 바다에 가서 회를 먹었어", 0.8)]
    assert texts(chosen([*nearly, said("내일은 산에 오를 거야", 0.3)], 2)) == texts(nearly)


@pytest.mark.parametrize("k", [1, 5, 12, 13, 60])
def test_as_many_as_are_asked_for_by_their_scores(k):
    hits = [
        said(f"{chr(0xAC00 + 997 * number)}{chr(0xAC00 + 631 * number)} 이야기", 1 - number / 10) for number in range(9)
    ]
    assert texts(chosen(reversed(hits), k)) == texts(hits)[:k]


def test_what_has_no_letters_says_the_same_only_if_it_is_the_same():
    assert texts(chosen([said("!!", 0.5), said("ㅋㅋ", 0.4), said("ㅋㅋ", 0.3), said("…", 0.2)], 8)) == [
        "!!",
        "ㅋㅋ",
        "…",
    ]
