"""A page takes lines while there is room, and what stands in too small a room is cut where it still makes sense.

A token is one letter here, so that every bound can be counted by hand.
"""

from __future__ import annotations

import pytest

from gieok.domain.answer import LeftOut
from gieok.recall.context import Page, beginning, excerpt

TEXT = "첫째 문장. 고양이가 온다. 강아지도 온다. 비가 온다."


def page(room: int, heading: str = "[제목]") -> Page:
    return Page(heading=heading, room=room, count=len)


def test_the_first_line_pays_for_the_heading_and_the_next_one_does_not() -> None:
    written = page(100)
    assert written.cost("가나다") == 9, "four letters, three letters, and the ends of two lines"
    assert written.offer("하나", "가나다")
    assert written.cost("가나다") == 4
    assert written.tokens == 9
    assert page(100, heading="").cost("가나다") == 4


def test_a_line_goes_in_as_long_as_it_fills_the_room_exactly() -> None:
    assert page(9).fits("가나다")
    assert not page(8).fits("가나다")
    assert page(9).offer("하나", "가나다")
    assert not page(8).offer("하나", "가나다")


def test_the_room_is_for_all_lines_together() -> None:
    written = page(13)
    assert written.offer("하나", "가나다")
    assert written.fits("라마바")
    assert not written.fits("라마바사")
    assert written.offer("둘", "라마바")
    assert not written.offer("셋", "")
    assert written.tokens == 13


def test_what_a_line_costs_may_be_known_already_and_the_heading_comes_on_top() -> None:
    written = page(20)
    assert written.cost("가나다", 7) == 12
    assert written.offer("하나", "가나다", 7)
    assert written.cost("가나다", 7) == 7
    assert written.cost("가나다", 0) == 0


def test_what_found_no_room_is_named_and_shorter_lines_still_go_in() -> None:
    written = page(12)
    assert not written.offer("긴", "가나다라마바사")
    assert written.offer("짧은", "가나")
    assert written.offer("반", "다라", shortened=True)
    written.leave_out("딴", "said_elsewhere")
    block = written.block("memories")

    assert (block.name, block.text, block.tokens) == ("memories", "[제목]\n가나\n다라", 11)
    assert (block.items, block.shortened) == (("짧은", "반"), ("반",))
    assert block.left_out == (LeftOut(item_id="긴", why="over_budget"), LeftOut(item_id="딴", why="said_elsewhere"))


def test_a_page_without_a_line_has_no_heading_either_and_costs_nothing() -> None:
    block = page(3).block("people")
    assert (block.text, block.tokens, block.items) == ("", 0, ())


def test_a_page_without_a_heading_begins_with_its_first_line() -> None:
    written = page(9, heading="")
    written.offer("하나", "가나")
    assert written.block("talk").text == "가나"


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
    ],
)
def test_of_a_long_text_the_sentence_stays_that_speaks_of_the_same(near: str, tokens: int, kept: str) -> None:
    assert len(kept) == tokens
    assert excerpt(TEXT, near, tokens, len) == kept


@pytest.mark.parametrize(
    ("near", "tokens", "kept"),
    [
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
def test_what_follows_goes_in_first_then_what_came_before_and_nothing_beyond_a_gap(
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
    ("tokens", "kept"),
    [
        (9, "고양이가 아주…"),
        (8, "고양이가 아주…"),
        (7, "고양이가…"),
        (6, "고양이가…"),
        (5, "고양이가…"),
        (4, "고양이…"),
        (2, "고…"),
        (1, ""),
        (0, ""),
    ],
)
def test_a_beginning_ends_with_a_word_where_that_leaves_more_than_half(tokens: int, kept: str) -> None:
    assert beginning("고양이가 아주 오래 잤다", tokens, len) == kept


def test_a_long_word_is_cut_where_its_end_would_leave_less_than_half() -> None:
    assert beginning("나 고양이고양이고양이", 8, len) == "나 고양이고양…"
    assert beginning("나는나 고양이고양이", 7, len) == "나는나 고양…"
    assert beginning("나는나는 고양이고양이", 8, len) == "나는나는…"
