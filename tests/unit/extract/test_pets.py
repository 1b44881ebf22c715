"""What is told of an animal at home is put into its own mouth, and nothing else is."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import NOTHING_KNOWN, Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day, memory

CATS = Background(
    pets=tuple(
        memory(f"이름은 {name}임", id=name, subject="other", subject_id="고양이", attribute="name", value=name)
        for name in ("나비", "코코")
    )
)
BODY = frozenset("age weight allergy medical_condition medication contraindication diet vaccination".split())


def read(said: str, asked: str = "", known: Background = CATS) -> list[Claim]:
    lines = [("character", asked), ("user", said)] if asked else [("user", said)]
    spoken = [
        Utterance(id=f"u{place}", turn_id="t", speaker=speaker, text=text, at=day(1), position=place)
        for place, (speaker, text) in enumerate(lines)
    ]
    turn = Turn(id="t", utterances=(spoken[-1],), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, Scope(user="minsu", character="meow"), spoken[:-1], known))


def told(said: str, asked: str = "", known: Background = CATS) -> set[tuple[str, str, str | None]]:
    return {
        (claim.subject_id, claim.attribute, claim.value)
        for claim in read(said, asked, known)
        if claim.attribute in BODY and claim.polarity == "+"
    }


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("나비 혈압약 하루 두 번 먹이고 있어", ("나비", "medication", "혈압약")),
        ("코코는 연어만 먹으면 토해요", ("코코", "contraindication", "연어")),
        ("코코는 유제품 주면 안 된다고 했어", ("코코", "contraindication", "유제품")),
        ("코코 근처에 튤립 두면 안 돼", ("코코", "contraindication", "튤립")),
        ("나비한테 마취 위험하대 심장이 안 좋아서", ("나비", "contraindication", "마취")),
        ("나비는 새우 먹이면 두드러기 나요", ("나비", "allergy", "새우")),
        ("코코가 닭고기 사료만 먹으면 두드러기가 나", ("코코", "allergy", "닭고기 사료")),
        ("검사했더니 코코는 닭고기 알레르기가 있대요", ("코코", "allergy", "닭고기")),
        ("나비가 췌장염으로 입원해 있어요", ("나비", "medical_condition", "췌장염")),
        ("의사 선생님이 코코 당뇨래요", ("코코", "medical_condition", "당뇨")),
        ("나비 몸무게 재보니까 5.1키로더라", ("나비", "weight", "5.1")),
        ("나비는 3.3kg까지 빠졌어요", ("나비", "weight", "3.3")),
        ("코코 450g이야", ("코코", "weight", "0.45")),
        ("코코 작년에 종합백신 접종했어요", ("코코", "vaccination", f"{day(1).year - 1}년 종합 백신")),
        ("코코 2019년에 광견병 주사 맞혔어", ("코코", "vaccination", "2019년 광견병 백신")),
        ("나비는 저단백 사료 먹여야 한대", ("나비", "diet", "저단백 사료")),
    ],
)
def test_what_is_done_to_an_animal_is_what_it_has_takes_and_must_not_have(said, fact):
    assert fact in told(said)
    assert not any(whose == "user" for whose, *_ in told(said))


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("코코는 건강한데 나비는 방광염이야", {("나비", "medical_condition", "방광염")}),
        ("나비 데리고 병원 갔는데 결막염이래", {("나비", "medical_condition", "결막염")}),
        ("코코 중성화 수술했어. 항생제 먹는 중", {("코코", "medication", "항생제")}),
        ("우리 애들 둘 다 닭 알레르기야", {("나비", "allergy", "닭"), ("코코", "allergy", "닭")}),
        ("나비는 자고 있고 나는 허리 디스크라 누워 있어", {("user", "medical_condition", "허리 디스크")}),
        ("나비는 신부전이래. 나는 괜찮아", {("나비", "medical_condition", "신부전")}),
        (
            "엄마는 당뇨가 있고 나비는 천식이 있어",
            {("엄마", "medical_condition", "당뇨"), ("나비", "medical_condition", "천식")},
        ),
    ],
)
def test_a_sentence_goes_on_about_the_same_until_somebody_else_comes_in(said, facts):
    assert told(said) == facts


@pytest.mark.parametrize(
    ("asked", "said", "fact"),
    [
        ("나비 먹는 약 있어요?", "네 심장약이요", ("나비", "medication", "심장약")),
        ("코코는 몇 살이에요?", "네 살이요", ("코코", "age", "4")),
        ("나비 어디 아픈 데 있나요?", "네 방광염이 있어요", ("나비", "medical_condition", "방광염")),
    ],
)
def test_an_answer_is_about_the_animal_that_was_asked_about(asked, said, fact):
    assert told(said, asked) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "코코아 먹으면 잠이 안 와",
        "나비 밥 주고 나왔는데 두통이 심해서 힘들었어",
        "나비가 곧 열세 살이 돼",
        "나비 1kg 빠졌어",
        "코코 사료 2kg 샀어",
        "코코 백신 예약했어",
        "코코 종합백신 아직 안 맞혔어",
        "나비가 신부전이면 어떡해",
        "나비 신부전 의심된대서 검사 맡겼어",
        "우리 팀 나비 과장님은 당뇨래",
        "나비 엄마는 당뇨래",
        "앞집 강아지도 신부전이라더라",
        "드라마에서 고양이가 신부전으로 죽더라",
        "코코가 포도를 먹었어 어떡해",
    ],
)
def test_what_is_not_so_of_an_animal_at_home_is_of_nobody(said):
    assert told(said) == set()


@pytest.mark.parametrize(
    ("said", "kind", "names"),
    [
        ("강아지 보리 키워요", "강아지", {"보리"}),
        ("코코는 우리 집 고양이야", "고양이", {"코코"}),
        ("초롱이라는 강아지를 키우는데 귀여워", "강아지", {"초롱"}),
        ("강아지 두 마리 키워요. 콩이랑 팥이예요", "강아지", {"콩이", "팥이"}),
        ("우리 고양이 호두는 고기를 좋아해", "고양이", {"호두"}),
        ("저희 집 냥이 이름은 라떼고 두 살이에요", "고양이", {"라떼"}),
        ("울 냥이 모모 귀엽지", "고양이", {"모모"}),
    ],
)
def test_an_animal_gets_its_name_in_many_ways(said, kind, names):
    claims = [claim for claim in read(said, known=NOTHING_KNOWN) if claim.attribute == "name"]
    assert {(claim.subject_id, claim.value) for claim in claims} == {(kind, name) for name in names}
    assert all("pet" in claim.tags for claim in claims)


@pytest.mark.parametrize(
    "said",
    [
        "친구네 고양이 이름은 루이야",
        "우리 고양이 병원에 보냈어",
        "우리 강아지 사진이 잘 나왔어",
        "우리 집 고양이 망원동 살아",
        "고양이 간식 샀어",
        "고양이 화장실 들였어",
        "우리 고양이 요즘 아파",
    ],
)
def test_not_every_word_beside_an_animal_is_its_name(said):
    assert [claim.value for claim in read(said, known=NOTHING_KNOWN) if claim.attribute == "name"] == []


def test_the_only_cat_is_meant_where_no_name_is_said():
    one = Background(pets=CATS.pets[:1])
    assert told("고양이가 신부전 진단을 받았어", known=one) == {("나비", "medical_condition", "신부전")}
    assert told("우리 고양이 신부전이래", known=one) == {("나비", "medical_condition", "신부전")}
    assert told("우리 고양이 신부전이래") == {("고양이", "medical_condition", "신부전")}
    assert told("고양이가 신부전 진단을 받았어") == set()


def test_a_name_is_the_same_with_and_without_the_syllable_that_is_spoken_with_it():
    cloud = memory("이름은 구름임", id="c", subject="other", subject_id="고양이", attribute="name", value="구름")
    known = Background(pets=(cloud,))
    assert told("구름이는 천식이 있어", known=known) == {("구름", "medical_condition", "천식")}
    names = [claim.value for claim in read("고양이 이름은 구름이예요", known=known) if claim.attribute == "name"]
    assert set(names) <= {"구름"}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("앵무새 세 마리, 이름은 도 레 미", {"앵무새"}),
        ("집사예요, 고양이 두 마리", {"고양이"}),
        ("강아지 한 마리 고양이 두 마리 있어요", {"강아지", "고양이"}),
        ("우리 콩이는 말티즈야", {"말티즈"}),
        ("볼파이톤 키워요", {"볼파이톤"}),
        ("카페에 강아지 한 마리 있어요", set()),
        ("고양이 두 마리 있으면 좋겠다", set()),
        ("친구네 콩이는 말티즈야", set()),
    ],
)
def test_animals_that_are_counted_up_live_at_home(said: str, kept: set[str]) -> None:
    claims = read(said, known=NOTHING_KNOWN)
    assert {claim.value for claim in claims if claim.attribute == "pet" and claim.polarity == "+"} == kept
