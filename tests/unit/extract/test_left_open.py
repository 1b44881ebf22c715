"""What is worth waking a model for: statements that no rule has read."""

from gieok.domain.scope import Scope
from gieok.extract.left_open import left_open, open_lines
from gieok.extract.reader import Reader
from gieok.testing import turn

LETIA = Scope(user="minsu", character="letia")
SMALL_TALK = (
    *("ㅋㅋㅋ", "뭐 해?", "안녕!", "응응", "헐 대박", "잘 자~", "고마워 ㅎㅎ", "너 진짜 귀엽다", "졸려"),
    *("오늘 너무 피곤하다", "밥 먹었어", "내가 무슨 일 하는지 알아?", "강릉에서 카페 하면 좋겠다"),
    *("혹시 회사 근처에 병원 있나?", "그 노래 좀 틀어 줘", "아마 다음 달에 이사할 것 같아"),
    *("나 사실 외계인이야 뻥이야 ㅋㅋ", "lol", "what are you doing?", "good night!", "I love you"),
    *("maybe my brother sold the old house", "ㅋ" * 5_000, "뭐 해? " * 1_000),
)
STATEMENTS = (
    *("어제 드디어 도예 공방에 등록했어", "우리 팀이 지역 대회에서 준우승했어", "나 차였어", "취준생 1년차"),
    *("My landlord sold our building last week", "나 마흔두 살인데 지금 시작해도 안 늦었을까?"),
    "키가 백오십칠인데 조금만 더 컸으면 좋겠어요",
)
PLAIN = (
    *("나 고양이 좋아해", "내 이름은 민수야", "난 대전에 살아", "저는 요리사예요", "나 갑각류 알레르기 있어"),
    "나는 땅콩 알레르기가 있어",
)


def read(*lines):
    said = turn(*lines)
    return said, Reader().claims(said, LETIA, ())


def test_small_talk_questions_and_wishes_wake_nobody():
    assert [said for said in SMALL_TALK if left_open(turn(said), ())] == []


def test_a_statement_that_nobody_read_is_left_open():
    assert [said for said in STATEMENTS if not left_open(turn(said), ())] == []


def test_a_plain_statement_that_rules_have_read_wakes_nobody():
    for line in PLAIN:
        said, claims = read(line)
        assert claims, line
        assert not left_open(said, claims), line


def test_one_sentence_is_read_and_the_other_is_left_open():
    said, claims = read("나는 땅콩 알레르기가 있어. 어제 드디어 도예 공방에 등록했어.")
    (line,) = open_lines(said, [claim for claim in claims if claim.attribute == "allergy"])
    assert line.utterance == said.utterances[0]
    assert line.sentences == ("어제 드디어 도예 공방에 등록했어",)


def test_a_second_fact_beside_one_that_was_read_is_left_open():
    said, claims = read("저는 스물두 살이고 성수동에서 자취해요")
    only_age = [claim for claim in claims if claim.attribute == "age"]
    assert only_age
    (line,) = open_lines(said, only_age)
    assert "성수동" in line.sentences[0]


def test_what_the_character_says_is_never_left_open():
    assert not left_open(turn(("character", "저는 어제 드디어 도예 공방에 등록했어요")), ())
    assert left_open(turn(("세라", "저는 어제 드디어 도예 공방에 등록했어요")), ())
