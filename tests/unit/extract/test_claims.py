"""What a claim carries beside its value: words, certainty, importance, feeling, and which reader made it."""

from __future__ import annotations

import pytest

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.extract.english.doings import READERS_OF_DOINGS
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.values import READERS
from gieok.extract.korean.gleaning import CLASSES, gleaner
from gieok.extract.korean.importance import importance
from gieok.extract.korean.tidying import is_thing
from gieok.extract.rules import Rules
from gieok.language.emotions import feel
from gieok.testing import turn
from support.reading import ROWS, Row
from support.reading import read as read_row

SCOPE = Scope(user="minsu", character="letia")


def read(said: str) -> list[Claim]:
    """Read `said`; a line of the character begins with "> "."""
    return list(read_row(Row.of(said)))


@pytest.mark.parametrize(
    ("said", "read_by"),
    [
        (["나 고양이 좋아해", "> I love dogs"], [("likes", "고양이", "korean"), ("likes", "dogs", "english")]),
        (["나 고양이 좋아해. I'm from Seoul"], [("likes", "고양이", "korean")]),
        (["> MBTI가 뭐야?", "INFP"], [("mbti", "INFP", "korean")]),
    ],
)
def test_every_utterance_is_read_in_its_language(said, read_by) -> None:
    lines = [("character", each[2:]) if each.startswith("> ") else each for each in said]
    claims = Rules().claims(turn(*lines), SCOPE, ())
    assert [(each.attribute, each.value, each.extractor.partition("/")[0]) for each in claims] == read_by


def test_a_claim_is_numbered_within_its_own_utterance() -> None:
    said = turn("I love dogs", ("user", "I love cats"))
    first, second = (utterance.id for utterance in said.utterances)
    assert [each.id for each in Rules().claims(said, SCOPE, ())] == [f"{first}-0", f"{second}-0"]


def test_a_whole_form_gives_every_field() -> None:
    """The documents' 25 items, written as "주제: 내용"."""
    fields = [
        line.split("\t")[:2]
        for line in (ROWS / "forms.tsv").read_text(encoding="utf-8").splitlines()
        if "; nothing" in line and ": " in line
    ]
    form = read("\n".join(said.rpartition(" ‖ ")[2] for said, _ in fields))
    assert len(fields) >= 25
    assert {f"{each.attribute}={each.value}" for each in form} == {wanted.partition("; ")[0] for _, wanted in fields}


@pytest.mark.parametrize("said", ["민수라고 합니다", "처음 뵙겠습니다. 민수라고 해요", "제 이름은 민수입니다"])
def test_whoever_the_bank_knows_by_their_name_may_still_tell_it(said: str) -> None:
    claims = Rules().claims(turn(said), Scope(user="민수", character="레티아"), ())
    assert [(claim.subject, claim.attribute, claim.value) for claim in claims] == [("user", "name", "민수")]


def test_preferring_names_what_it_is_preferred_to() -> None:
    [claim] = read("고양이보다 강아지가 더 좋아")
    assert (claim.value, claim.act, claim.instead_of, claim.value_class) == ("강아지", "prefer", "고양이", "animal")
    [claim] = read("요즘은 강아지가 더 좋아")
    assert (claim.value, claim.act, claim.instead_of) == ("강아지", "prefer", None)


@pytest.mark.parametrize(
    ("said", "act"),
    [
        ("I prefer tea to coffee", "prefer"),
        ("I'm actually 27, not 26", "correct"),
        ("나 스물다섯이라고 했는데 이제 26이야", "prefer"),
        ("제 이름 유진 아니고 유빈이에요", "correct"),
    ],
)
def test_what_was_wrong_is_corrected_and_what_has_changed_is_preferred(said: str, act: str) -> None:
    assert [claim.act for claim in read(said)] == [act]


@pytest.mark.parametrize(
    ("said", "speaker", "subject", "content"),
    [
        ("> 오빠는 정말 따뜻한 사람이에요", "character", "user", "따뜻한 사람임"),
        ("you're such a warm person", "user", "letia", "is a warm person"),
    ],
)
def test_an_opinion_of_the_other_is_kept_with_the_one_who_holds_it(said, speaker, subject, content) -> None:
    claim = read(said)[0]
    assert (claim.speaker, claim.subject_id, claim.content_type) == (speaker, subject, "opinion")
    assert claim.content == content


@pytest.mark.parametrize("said", ["Maybe I'm", "I think I'm", "I guess I'm", "I'm probably"])
def test_what_is_held_back_is_less_certain(said: str) -> None:
    assert [(each.value, each.certainty) for each in read(f"{said} an INFP")] == [("INFP", 0.4)]


@pytest.mark.parametrize(
    "said", ["설에 여수 내려가면 엄마가 갓김치부터 꺼내 놓으셔", "한양대 언덕 오르내리느라 종아리에 알 배겼어"]
)
def test_what_no_rule_reads_is_less_certain(said: str) -> None:
    assert [claim.certainty for claim in read(said) if claim.attribute in ("hometown", "school")] == [0.45]


def test_who_somebody_is_in_a_scene_is_a_role_but_their_tastes_are_their_own() -> None:
    assert [each.attribute for each in read("*sits down* I'm a nurse and I love ramen")] == ["likes"]


def test_a_value_keeps_the_words_it_was_said_in() -> None:
    height = read("I'm five foot two tall")[0]
    assert (height.value, height.surface) == ("157", "five foot two")


def test_a_plan_keeps_its_day_where_it_is_shown() -> None:
    (plan,) = [claim for claim in read("다음 달 9일에 면접 봐") if claim.attribute == "plan"]
    assert plan.value == "면접"
    assert "9일" in (plan.surface or "")
    assert "다음 달 9일" in plan.content


def test_what_must_not_be_forgotten_matters_more() -> None:
    (plain,) = read("나 땅콩 알레르기 있어")
    (pet,) = read("나 거북이 키워")
    (loved,) = read("나 거북이 키워 꼭 기억해 줘")
    assert plain.importance == 0.95
    assert loved.importance > pet.importance
    assert importance("별거 아닌데 나 거북이 키워") < 0


def test_a_claim_carries_the_feeling_it_was_told_with() -> None:
    (claim,) = read("나 헤어졌어 너무 슬퍼")
    assert claim.emotion_intensity >= 0.7
    assert claim.tags == ("sad",)


def test_what_was_taken_to_heart_is_kept_in_the_speakers_words() -> None:
    (claim,) = read("선생님이 내 손을 꼭 잡아 주셔서 너무 고마워서 펑펑 울었어")
    assert (claim.attribute, claim.content_type) == (None, "event")
    assert claim.content == "선생님이 내 손을 꼭 잡아 주셔서 너무 고마워서 펑펑 울었음"
    assert claim.importance >= 0.6
    assert claim.emotion_intensity >= 0.4


def test_an_outpouring_is_kept_in_the_speakers_own_words() -> None:
    said = "공모전에서 또 떨어졌대... 너무 억울하고 슬퍼서 아무것도 못 하겠어. 내가 뭘 더 어떻게 해야 돼"
    assert [(claim.content_type, claim.emotion_intensity >= 0.6) for claim in read(said)] == [("event", True)]


def test_a_deed_between_the_two_is_an_event() -> None:
    for said in ("오늘 너한테 꽃을 선물했어", "나 너랑 처음으로 바다에서 불꽃놀이 봤잖아"):
        assert [(claim.attribute, claim.content_type) for claim in read(said)] == [("event", "event")]


def test_a_character_promises_as_a_user_does() -> None:
    (claim,) = [each for each in read("> 다음 주에는 제가 도시락 싸 드릴게요") if each.attribute == "promise"]
    assert claim.subject == "character"
    assert [each.content for each in read("> I'll never leave you alone again")] == [
        "promised to never leave you alone again"
    ]


def test_the_name_of_an_animal_is_tagged_as_a_pets() -> None:
    assert [claim.tags for claim in read("강아지 보리 키워요") if claim.attribute == "name"] == [("pet",)]


def test_a_feeling_is_read_from_words_and_marks() -> None:
    felt = {
        "합격해서 너무 행복해": ("happy", True),
        "할머니가 돌아가셔서 슬퍼": ("sad", False),
        "팀장 때문에 진짜 짜증나": ("angry", True),
        "나 안 슬퍼": ("neutral", False),
        "걱정하지 마": ("neutral", False),
        "우리 강아지 귀여워ㅠㅠ": ("happy", False),
        "비 온다ㅠㅠ": ("sad", False),
        "나 서울 살아": ("neutral", False),
    }
    read_as = {said: feel(said, speaker="user") for said in felt}
    assert {said: (each.emotion, each.intensity >= 0.7) for said, each in read_as.items()} == felt
    assert all((each.intensity > 0) == (each.emotion != "neutral") for each in read_as.values())


def test_a_value_is_a_thing_and_no_piece_of_a_sentence() -> None:
    pieces = ("nickname=기억하세", "nickname=왕자 아니", "name=최예린이에요", "dislikes=야근이 별로")
    things = (
        *("name=보라", "name=남궁보라", "friend=이든", "workplace=우아한형제들", "phobia=높은 곳"),
        *("residence=서울 강남구", "likes=소년이 온다", "habit=손톱 물어뜯기", "pet=골든리트리버"),
    )
    assert [each for each in (*pieces, *things) if is_thing(*each.split("="))] == list(things)


def test_what_was_learned_fits_the_classes() -> None:
    learned = gleaner()
    assert learned.weights.shape == (len(learned.names), len(CLASSES) + 2)
    assert learned.least.shape == learned.bias.shape == (len(CLASSES),)


def test_the_english_patterns_name_attributes_and_readers() -> None:
    known = patterns()
    templates = [made for ways in (known.by_verb, known.mentions) for each in ways.values() for _, made in each]
    kinds = {part.slot for made in templates for part in made.parts if part.slot}
    kinds |= {pattern.value for pattern in known.by_attribute.values()}
    assert [attribute(key).key for key in known.by_attribute] == list(known.by_attribute)
    assert kinds <= set(READERS) | set(READERS_OF_DOINGS) | set(lexicon().classes)
