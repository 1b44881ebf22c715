"""Sentences that tell something and that nobody has read."""

from gieok.extract.left_open import sentences_left_open
from gieok.testing import claim, turn

SMALL_TALK = (
    *("ㅋㅋㅋ", "뭐 해?", "안녕!", "응응", "헐 대박", "잘 자~", "고마워 ㅎㅎ", "너 진짜 귀엽다"),
    *("내가 무슨 일 하는지 알아?", "혹시 회사 근처에 병원 있나?", "그 노래 좀 틀어 줘"),
    *("나 사실 외계인이야 뻥이야 ㅋㅋ", "lol", "what are you doing?", "good night!"),
    *("maybe my brother sold the old house", "ㅋ" * 5_000, "뭐 해? " * 1_000),
)
STATEMENTS = (
    *("어제 드디어 도예 공방에 등록했어", "우리 팀이 지역 대회에서 준우승했어", "나 차였어", "취준생 1년차"),
    *("My landlord sold our building last week", "나 마흔두 살인데 지금 시작해도 안 늦었을까?"),
)


def left_open(said, *claims):
    return [sentence for _, sentences in sentences_left_open(said, claims) for sentence in sentences]


def test_small_talk_questions_and_jokes_tell_nothing():
    assert [said for said in SMALL_TALK if left_open(turn(said))] == []


def test_a_statement_that_nobody_read_is_left_open():
    assert [said for said in STATEMENTS if not left_open(turn(said))] == []


def test_one_sentence_is_read_and_the_other_is_left_open():
    said = turn("나는 땅콩 알레르기가 있어. 어제 드디어 도예 공방에 등록했어.")
    read = claim("allergy", "땅콩", surface="땅콩", source_id=said.utterances[0].id)
    assert left_open(said, read) == ["어제 드디어 도예 공방에 등록했어"]


def test_what_was_read_from_another_line_leaves_this_one_open():
    said = turn("나는 땅콩 알레르기가 있어")
    assert left_open(said, claim("allergy", "땅콩", surface="땅콩", source_id="elsewhere")) == [
        "나는 땅콩 알레르기가 있어"
    ]


def test_what_the_character_says_is_never_left_open():
    assert not left_open(turn(("character", "저는 어제 드디어 도예 공방에 등록했어요")))
    assert left_open(turn(("세라", "저는 어제 드디어 도예 공방에 등록했어요")))
