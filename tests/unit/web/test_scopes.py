"""The page of profiles: names, exports and what is deleted."""

import pytest

from gieok.domain.scope import Holdings, Scope
from gieok.web.frame import full_name
from gieok.web.scopes import is_name, scope_of, what_goes
from gieok.words import words_in

KO = words_in("ko")
LETIA = Scope(user="민수", character="레티아", world="별의 학원")


def test_a_profile_is_erased_by_its_whole_name_however_the_parts_are_set_apart():
    assert full_name(LETIA) == "레티아 · 민수 · 별의 학원"
    for typed in ("레티아 · 민수 · 별의 학원", " 레티아 민수  별의학원 ", "레티아·민수·별의 학원"):
        assert is_name(typed, LETIA)
    for typed in ("", "레티아", "레티아 · 민수", "민수", "레티아 · 지영 · 별의 학원"):
        assert not is_name(typed, LETIA)


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
