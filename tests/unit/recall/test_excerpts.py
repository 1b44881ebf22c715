"""What stands in too small a room is cut where it still makes sense. A token is one letter here."""

from __future__ import annotations

import pytest

from gieok.recall.context import beginning, excerpt

TEXT = "첫째 문장. 고양이가 온다. 강아지도 온다. 비가 온다."


def test_a_text_that_fits_exactly_stays_whole() -> None:
    assert excerpt(TEXT, "강아지", len(TEXT), len) == TEXT
    assert excerpt(TEXT, "강아지", len(TEXT) - 1, len) != TEXT
    assert beginning(TEXT, len(TEXT), len) == TEXT
    assert beginning(TEXT, len(TEXT) - 1, len) != TEXT


@pytest.mark.parametrize(
    ("near", "tokens", "kept"),
    [
        ("강아지", 12, "… 강아지도 온다. …"),
        ("고양이", 12, "… 고양이가 온다. …"),
        ("첫째", 8, "첫째 문장. …"),
        ("비가", 8, "… 비가 온다."),
        ("상관없는 말", 8, "첫째 문장. …"),
        ("고양이", 21, "… 고양이가 온다. 강아지도 온다. …"),
        ("고양이", 20, "첫째 문장. 고양이가 온다. …"),
        ("고양이", 17, "첫째 문장. 고양이가 온다. …"),
        ("고양이", 16, "… 고양이가 온다. …"),
        ("강아지", 17, "… 강아지도 온다. 비가 온다."),
        ("강아지", 26, "… 고양이가 온다. 강아지도 온다. 비가 온다."),
        ("강아지", 25, "… 강아지도 온다. 비가 온다."),
        ("첫째", 26, "첫째 문장. 고양이가 온다. 강아지도 온다. …"),
    ],
)
def test_the_sentence_that_speaks_of_the_same_stays_then_what_follows_then_what_came_before(
    near: str, tokens: int, kept: str
) -> None:
    assert len(kept) <= tokens
    assert excerpt(TEXT, near, tokens, len) == kept


def test_no_sentence_is_skipped_for_a_shorter_one_behind_it() -> None:
    text = "고양이다. 아주아주아주아주 긴 문장이다. 끝."
    assert excerpt(text, "고양이", 12, len) == "고양이다. …"
    assert excerpt(f"시작. {text[6:]} 고양이다.", "고양이", 14, len) == "… 끝. 고양이다."
    assert excerpt(f"시작. {text[6:]} 고양이다.", "고양이", 28, len) == "… 아주아주아주아주 긴 문장이다. 끝. 고양이다."


def test_the_sentence_that_shares_more_letters_in_pairs_is_the_one() -> None:
    text = "고양이가 왔다. 고양이가 밥을 먹었다. 고기를 먹었다."
    assert excerpt(text, "고양이가 밥을", 16, len) == "… 고양이가 밥을 먹었다. …"
    assert excerpt(text, "CAT", 12, len) == "고양이가 왔다. …", "of equals the first"
    assert excerpt("개가 왔다. A CAT CAME.", "cat came", 13, len) == "… A CAT CAME."


def test_of_a_single_sentence_that_is_too_long_the_beginning_stands_for_it() -> None:
    assert excerpt("짧다. 고양이가 아주 오래 잤다.", "고양이", 10, len) == "고양이가 아주…"
    assert excerpt("...!!!???...", "고양이", 5, len) == "...!…"


@pytest.mark.parametrize(
    ("text", "tokens", "kept"),
    [
        *(("고양이가 아주 오래 잤다", tokens, "고양이가 아주…") for tokens in (8, 9)),
        *(("고양이가 아주 오래 잤다", tokens, "고양이가…") for tokens in (5, 6, 7)),
        ("고양이가 아주 오래 잤다", 4, "고양이…"),
        ("고양이가 아주 오래 잤다", 2, "고…"),
        *(("고양이가 아주 오래 잤다", tokens, "") for tokens in (0, 1)),
        ("나 고양이고양이고양이", 8, "나 고양이고양…"),
        ("나는나 고양이고양이", 7, "나는나 고양…"),
        ("나는나는 고양이고양이", 8, "나는나는…"),
    ],
)
def test_a_beginning_ends_with_a_word_where_that_leaves_more_than_half(text: str, tokens: int, kept: str) -> None:
    assert beginning(text, tokens, len) == kept
