"""How a sentence is meant, read from its morphemes."""

from dataclasses import dataclass

import pytest

from gieok.language.mood import mood, mood_of
from gieok.language.morphemes import Morpheme, analyse


def meant(text: str, mark: str = "", *, final: bool = True) -> str:
    return mood_of(analyse(text), mark, final=final)


@dataclass(frozen=True)
class Part:
    """A clause, as far as its mood needs one."""

    morphemes: tuple[Morpheme, ...]
    ends_with: str = ""
    final: bool = True


@pytest.mark.parametrize(
    "text",
    [
        "너 어디 사니",
        "밥 먹었냐",
        "내일 비 올까",
        "같이 갈래요",
        "혈액형이 뭔가요",
        "성함이 어떻게 되십니까",
        "니 지금 뭐하노",
        "비가 오려나",
    ],
)
def test_some_endings_ask_without_a_mark(text):
    assert meant(text) == "question"


@pytest.mark.parametrize(
    "text",
    [
        "내 이름이 뭐야",
        "나 몇 살이라고 했지",
        "제 직장이 어디였더라",
        "요즘 뭐 하고 지내",
        "왜 안 왔는데",
        "몇 시에 가도 돼",
        "지금 몇 시임",
        "나 뭐 싫어하게",
        "이거 무슨 색",
        "어디 있어 너",
        "뭘 틀어 줄래",
    ],
)
def test_a_question_word_asks_where_the_ending_leaves_it_open(text):
    assert meant(text) == "question"


@pytest.mark.parametrize(
    "text",
    [
        "누군가 왔어",
        "누구나 다 알아",
        "뭐든 좋아",
        "무엇보다 네가 좋아",
        "며칠 전에 봤어",
        "어느 날 갑자기 떠났어",
        "어디서도 못 봤어",
        "왠지 좋아",
        "뭐 항상 똑같지",
        "나야 집순이지 뭐",
        "그건 어쩔 수 없어",
        "누가 왔어",
        "어디서 들어본 것 같은데",
        "왜 그랬는지 모르겠어",
        "누가 그러는데 오늘 쉬는 날이야",
        "왜 왔냐고 물었어",
        "누가 비웃어도 꿈은 안 변해",
        "누가 부르면 내가 대답해",
        "무슨 말씀인지 알겠어요",
    ],
)
def test_a_question_word_that_means_some_or_any_or_stays_in_its_own_clause_asks_nothing(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["뭐 먹을지 모르겠어", "어디로 갈지 정했어", "몇 시인지 봤어"])
def test_an_embedded_question_is_not_asked(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize(
    "text",
    [
        "내 이름 알려줘",
        "나 MBTI 말해봐",
        "몇 시인지 확인해 줄래",
        "내 생일이 언제인지 알려줄 수 있어",
        "내가 어디 사는지 알아",
        "내 별명 기억나",
        "제 최애 게임 기억나세요",
        "네가 뭐 하는지 궁금해",
        "맞춰봐",
    ],
)
def test_a_request_to_be_told_is_a_question_in_other_words(text):
    assert meant(text) == "question"


@pytest.mark.parametrize("text", ["나도 알아", "나는 네가 왜 그랬는지 알아", "그 마음 잘 알아", "나 그 노래 알아"])
def test_what_the_speaker_knows_is_told(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["너 고양이 좋아하지", "이거 네 거 맞지", "혹시 민수 봤어"])
def test_a_sentence_turned_to_the_listener_asks_for_a_yes(text):
    assert meant(text) == "question"


def test_only_a_mark_tells_a_rising_voice():
    assert meant("밥 먹었어") == "statement"
    assert meant("밥 먹었어", "?") == "question"


@pytest.mark.parametrize(
    ("text", "mood"), [("나 아마 AB형일걸", "statement"), ("걔 B형이라던데", "hearsay"), ("나 간호사거든", "statement")]
)
def test_some_endings_tell_even_with_a_question_mark(text, mood):
    assert meant(text, "?") == mood


@pytest.mark.parametrize(
    "text",
    [
        "불 좀 꺼 줘",
        "창문 열어 주겠니",
        "이리 와 줄래",
        "커튼 쳐 줄 수 있어",
        "까먹지 마",
        "웃지 마라",
        "이거 먹어 봐",
        "빨리 가자",
        "편하게 불러 주세요",
        "챙겨 주시면 감사하겠습니다",
        "오면 알려줘",
    ],
)
def test_a_favour_is_a_command_whatever_its_ending(text):
    assert meant(text) == "command"


@pytest.mark.parametrize(
    "text",
    ["고양이 키우고 싶다", "부산 갔으면 좋겠다", "합격하길 바라", "이제 운동해야겠어", "난 이거 먹을래", "쉬었으면 해"],
)
def test_what_is_wanted_is_a_wish(text):
    assert meant(text) == "wish"


@pytest.mark.parametrize("text", ["내가 만약 부산 살았으면 맨날 바다 갔을 텐데", "비가 오면", "많이 춥겠다"])
def test_what_is_supposed_is_no_fact(text):
    assert meant(text) == "hypothetical"


@pytest.mark.parametrize(
    "text", ["민지가 합격했대", "걔 B형이래", "내일 눈 온다더라", "집주인이 안 된대", "이사 간다고 들었어"]
)
def test_what_others_said_is_hearsay(text):
    assert meant(text) == "hearsay"


@pytest.mark.parametrize(
    "text",
    [
        "나 김서준이라고 해",
        "새우 먹으면 두드러기 나",
        "배고파 죽겠다",
        "잘 모르겠어",
        "처음 뵙겠습니다",
        "고소공포증 있거든",
        "학교 가는 중",
        "나 이제 스물다섯 됨",
        "딸기지, 내가 제일 좋아하는 건",
        "저는 간호사예요 큰 병원에서",
        "저 간호사예요",
        "집에 오다 보니",
    ],
)
def test_what_is_left_is_told(text):
    assert meant(text) == "statement"


@pytest.mark.parametrize("text", ["가을", "취준생 1년차", "나 방송통신대", "ㅇㅇ 3학년"])
def test_words_without_a_predicate_are_a_fragment(text):
    assert meant(text) == "fragment"


def test_a_fragment_of_one_question_word_asks():
    assert meant("왜") == meant("누구") == "question"


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("집에 오니", "statement"),
        ("부산 살다가", "statement"),
        ("부산에 사는지", "question"),
        ("밥 먹었나", "question"),
        ("돈이 많으면", "hypothetical"),
        ("내가 키울", "hypothetical"),
        ("내가 키우는", "statement"),
        ("부산 가고 싶은데", "wish"),
    ],
)
def test_a_clause_that_goes_on_is_read_by_how_it_joins(text, mood):
    assert meant(text, final=False) == mood


def test_words_in_quotation_marks_are_not_the_speakers():
    assert meant('친구가 "어디 살아" 그러는 거야') == "statement"
    assert meant('"어디 살아"') == "question"


def test_a_clause_without_a_predicate_tells_as_much_as_one_with():
    assert mood(Part(analyse("취준생 1년차"))) == "statement"


def test_a_mark_ends_the_sentence_of_a_clause():
    assert mood(Part(analyse("너 밥 먹니"), ends_with=".", final=False)) == "question"
    assert mood(Part(analyse("집에 오니"), ends_with=",", final=False)) == "statement"


@pytest.mark.parametrize(
    "text", ["", " ", "?", "ㅋㅋㅋ", "🐶", "hello", "요", "니", "은", "\ud800", "''", '"', "수 있어", "지 마"]
)
def test_any_text_is_answered(text):
    for mark in ("", "?", "!"):
        assert meant(text, mark)
        assert meant(text, mark, final=False)


def test_any_order_of_morphemes_is_answered():
    parts = analyse("너 어디 사는지 알려 줄 수 있니 나는 부산에 살고 싶었는데")
    for begin in range(len(parts)):
        for end in range(begin, len(parts) + 1):
            assert mood_of(parts[begin:end])
            assert mood_of(parts[begin:end][::-1], "?", final=False)
