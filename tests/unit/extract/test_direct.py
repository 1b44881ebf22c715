"""What ends a caution: only what is said directly."""

import pytest

from gieok.extract.assertion import is_direct, is_overcome


@pytest.mark.parametrize(
    "text",
    [
        "나 이제 땅콩 알레르기 없어",
        "저 땅콩 알레르기 다 나았어요! 검사도 다시 했어요.",
        "나 이제 땅콩 알레르기 없어ㅎㅎ 오늘 빵도 먹었다",
        "땅콩 알레르기 없어졌어요",
        "땅콩 알레르기 완치됐음 ㅋㅋ",
    ],
)
def test_a_plain_statement_of_now_is_direct(text):
    start = text.index("땅콩")
    assert is_direct(text, start, start + 2)
    assert is_overcome(text, start, start + 2)


@pytest.mark.parametrize(
    "text",
    [
        '"나 땅콩 알레르기 없어"라고 하더라',
        "드라마에서 그러더라. 나 땅콩 알레르기 없어",
        "나 땅콩 알레르기 없으면 좋겠다",
        "작년에는 땅콩 알레르기 없었어",
        "땅콩 알레르기 없는 거 아니야",
        "나 땅콩 알레르기 없어?",
        "나 땅콩 알레르기 없어. 농담이야",
        "아마 땅콩 알레르기 없을걸",
        "땅콩 알레르기 없다고 뻥쳤어",
        "엄마가 나 땅콩 알레르기 없대",
        "땅콩 알레르기 없는 척했어",
        "땅콩 알레르기 없으니까 다행이다 싶은 애들이 부러워",
        "자소서에 '저는 땅콩 알레르기 없습니다' 썼어",
        "저 땅콩 알레르기 다 나았어요, 꿈에서요",
        "I told them I'm not allergic to 땅콩 anymore",
        "If I were not allergic to 땅콩, I would eat it.",
        "Today I am not allergic to 땅콩.",
    ],
)
def test_what_is_quoted_supposed_dated_or_in_fun_is_not(text):
    start = text.index("땅콩")
    assert not is_direct(text, start, start + 2)


@pytest.mark.parametrize("text", ["땅콩 알레르기 있어", "땅콩 알레르기 낫지 않아", "땅콩 먹으면 큰일 나서 못 먹어"])
def test_what_goes_on_is_not_overcome(text):
    assert not is_overcome(text, 0, 2)
