"""What the page of profiles shows, and what it takes for a name."""

import pytest

from gieok.domain.scope import Holdings, Scope, ScopeSummary
from gieok.testing import day
from gieok.web.scopes import download_of, is_meant, profile, scope_of, typed_name, what_goes
from gieok.web.visitors import Desk
from gieok.words import words_in

KO = words_in("ko")
LETIA = Scope(user="민수", character="레티아", world="별의 학원")


def test_a_profile_goes_by_its_character_and_canon_is_marked():
    shown = profile(ScopeSummary(scope=LETIA, turns=3, memories=2, utterances=6, latest_at=day(1)))
    assert (shown.title, shown.beside, shown.is_canon) == (
        "레티아", (("user", "민수"), ("world", "별의 학원")), False,
    )  # fmt: skip
    lore = Scope(world="별의 학원")
    canon = profile(ScopeSummary(scope=lore, turns=0, memories=2, utterances=0, latest_at=None))
    assert (canon.title, canon.beside, canon.is_canon) == ("별의 학원", (), True)


def test_a_profile_is_erased_by_its_whole_name_however_the_parts_are_set_apart():
    assert typed_name(LETIA) == "레티아 · 민수 · 별의 학원"
    for typed in ("레티아 · 민수 · 별의 학원", " 레티아 민수  별의학원 ", "레티아·민수·별의 학원"):
        assert is_meant(typed, LETIA)
    for typed in ("", "레티아", "레티아 · 민수", "민수", "레티아 · 지영 · 별의 학원"):
        assert not is_meant(typed, LETIA)


def test_the_warning_counts_what_was_taken_back_too():
    held = Holdings(turns=3, rewound=1, utterances=8, states={"current": 2, "forgotten": 1}, conclusions={"summary": 2})
    assert what_goes(held) == {"turns": 4, "utterances": 8, "memories": 3, "concluded": 2}


@pytest.mark.parametrize(
    ("names", "trouble"),
    [
        ({"character": " ", "user": None, "world": ""}, "이름을 하나는 적어 주세요."),
        ({"character": "가" * 201}, "이름이 너무 길어요. 200자까지 쓸 수 있어요."),
        ({"character": "a\u0007b"}, "이 이름은 쓸 수 없어요"),
    ],
)
def test_names_that_cannot_be_are_told_in_words(names, trouble):
    made = scope_of(names, KO)
    assert isinstance(made, str)
    assert made.startswith(trouble)


def test_names_make_a_scope_and_blanks_around_them_do_not_count():
    assert scope_of({"character": " 레티아 ", "user": "민수", "world": ""}, KO) == Scope(
        user="민수", character="레티아"
    )


def test_names_are_data_in_the_address_of_a_download():
    odd = Scope(user='a&character=b"><script>', character="레 티아")
    assert download_of(odd) == (
        "/scopes/export?user=a%26character%3Db%22%3E%3Cscript%3E&character=%EB%A0%88+%ED%8B%B0%EC%95%84"
    )


def test_turning_to_another_profile_clears_the_talk_and_what_was_picked():
    desk = Desk(scope=LETIA, picked=["m1", "m2"])
    talk = desk.session
    desk.turn_to(Scope(user="지영"))
    assert (desk.scope, desk.picked) == (Scope(user="지영"), [])
    assert desk.session != talk
