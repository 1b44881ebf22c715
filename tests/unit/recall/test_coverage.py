"""When memories say all that was said."""

import pytest

from gieok.recall.gather import covered
from gieok.testing import memory


def fact(surface):
    return memory("사실", surface=surface)


@pytest.mark.parametrize(
    ("text", "surfaces", "all_said"),
    [
        ("나 부산 살아", ["부산"], True),
        ("나 부산 살아. 새우 먹으면 두드러기 나", ["부산"], False),
        ("나 부산 살아. 새우 먹으면 두드러기 나", ["부산", "새우"], True),
        ("부산에서 개발자로 일해. 새우 먹으면 두드러기 나", ["부산", "개발자"], False),
        ("부산 살아 ㅋㅋ 고양이도 있음", ["부산"], False),
        ("부산 사는데 어제 우리 고양이가 아파서 병원에 갔다가 새벽에야 들어왔지 뭐야 진짜 힘들었어", ["부산"], False),
        ("나 부산 살아", [], False),
    ],
)
def test_every_sentence_must_have_given_a_memory(text, surfaces, all_said):
    assert covered(text, map(fact, surfaces)) is all_said
