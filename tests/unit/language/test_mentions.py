"""Whom an utterance speaks of, how, and what it tells of them."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gieok.domain.claim import Claim
from gieok.domain.noticed import Mention
from gieok.language.people import mention_of_claim, mentions
from gieok.language.scenes import setting
from gieok.language.terms import topics_of
from support.rows import from_rows


def names(text: str, **more) -> list[str]:
    return [mention.name for mention in mentions(text, **more)]


def valence(text: str, **more) -> float:
    (mention,) = mentions(text, **more)
    return mention.valence


@from_rows
def test_one_person_has_one_name_whatever_hangs_on_to_it(text, name):
    assert names(text) == [name]


def test_a_title_is_kept_with_the_surname_and_without_its_honorific():
    assert names("김 팀장님이 왔어") == names("김팀장이 왔어") == ["김 팀장"]
    assert names("팀장님이 왔어") == ["팀장"]


def test_a_title_that_follows_a_name_speaks_of_the_same_person():
    assert names("혜진 언니랑 놀았는데 언니가 밥 사 줬어") == ["혜진"]


def test_those_who_talk_are_not_spoken_of():
    assert names("민수가 왔다고 레티아가 말했어", parties=("김민수", "레티아")) == []
    assert names("민수가 왔어") == ["민수"]


def test_what_the_other_is_called_is_not_somebody_else():
    assert names("오빠가 나한테 선물 줬어") == ["오빠"]
    assert names("오빠가 나한테 선물 줬어", called=("오빠",)) == []


def test_kin_of_the_character_are_not_the_users():
    assert names("우리 엄마는 요리를 잘해", speaker="character", own="레티아") == ["레티아의 엄마"]
    assert names("우리 엄마는 요리를 잘해") == ["엄마"]


def test_kin_that_the_character_does_not_call_hers_are_left_open():
    assert names("부모님과 이야기해 보세요", speaker="character", own="레티아") == []


def test_a_full_name_alone_may_be_a_stars_and_is_not_taken_for_a_friends():
    assert names("박서준은 진짜 잘생겼어") == []
    assert names("박서준 씨가 도와줬어요") == ["박서준"]
    assert names("친구 박서준이 도와줬어") == ["박서준"]


def test_whoever_is_known_is_found_by_name():
    assert names("박서준은 진짜 잘생겼어", known={"박서준": "person"}) == ["박서준"]


def test_a_known_name_that_is_a_word_too_must_be_meant_as_a_name():
    known = {"하늘": "person", "초코": "pet"}
    assert names("하늘이 맑다", known=known) == []
    assert names("하늘이랑 놀았어", known=known) == ["하늘"]
    assert names("초코 먹고 싶다", known=known) == []
    assert [(mention.name, mention.kind) for mention in mentions("초코가 아파", known=known)] == [("초코", "pet")]


def test_a_known_name_is_found_even_where_the_analyser_cuts_it_apart():
    assert names("다빈이는 축구를 잘해") == []
    assert names("다빈이는 축구를 잘해", known={"다빈": "person"}) == ["다빈"]


def test_a_pet_has_its_name_and_is_a_pet():
    assert mentions("우리 고양이 나비가 자고 있어") == (Mention(name="나비", kind="pet"),)


def test_somebody_in_a_narration_is_spoken_of():
    assert names("*엘리사가 다가와 미소 짓는다*") == ["엘리사"]


@from_rows
def test_who_did_it_to_whom_decides_how_somebody_is_spoken_of(text, sign):
    told = valence(text)
    assert (told > 0) - (told < 0) == sign


def test_a_denied_word_turns_round_and_a_denied_reproach_is_little_praise():
    assert valence("지훈이는 안 착해") < 0
    assert 0 < valence("지훈이는 거짓말을 안 해") < valence("지훈이는 착해")


def test_a_stronger_word_weighs_more():
    assert valence("지훈이는 진짜 착해") > valence("지훈이는 착해")


def test_a_question_judges_nobody():
    assert valence("지훈이는 착해?") == 0


def test_english_knows_kin_friends_pets_and_titles():
    assert names("My sister met Mr. Brown and my dog Rex") == ["sister", "Rex", "Mr. Brown"]
    assert names("I saw Anna", known={"Anna": "person"}) == ["Anna"]
    assert names("Is your brother here?") == []


def test_english_regard_is_turned_by_a_not():
    assert valence("My brother is kind") > 0 > valence("My brother is not kind")


def test_english_praise_of_something_else_is_not_praise_of_the_person():
    assert valence("My wife and I went to the coast, and it was amazing") == 0
    assert valence("My boss was late. I hate it") < 0
    assert names("I talked to my friend") == []
    assert names("I talked to my friend Anna") == ["Anna"]


@pytest.mark.parametrize("text", ["", " ", "*", "\ud800", "🐈", "ㅋㅋ", "엄마" * 4000, "my " * 2600, "*지훈이*" * 900])
def test_any_text_is_answered(text):
    assert isinstance(mentions(text, known={"지훈": "person"}), tuple)


def claim(**fields) -> Claim:
    base = {
        "id": "c1",
        "speaker": "user",
        "subject": "other",
        "subject_id": "지훈이",
        "content": "지훈이는 게임을 좋아함",
        "content_type": "preference",
    }
    return Claim(**(base | fields))


def test_a_claim_about_another_is_a_mention_with_what_it_tells():
    likes = mention_of_claim(claim(attribute="likes", value="게임"))
    assert likes == Mention(name="지훈", note="게임", note_kind="interest")
    trait = mention_of_claim(claim(attribute="trait", value="소심함"))
    assert trait == Mention(name="지훈", note="소심함", note_kind="personality")
    assert mention_of_claim(claim(attribute="job", value="의사")) == Mention(name="지훈")


def test_a_claim_that_denies_notes_nothing():
    assert mention_of_claim(claim(attribute="likes", value="게임", polarity="-")) == Mention(name="지훈")
    assert mention_of_claim(claim(attribute="likes", value="게임", act="retract")) == Mention(name="지훈")


def test_a_claim_about_those_who_talk_is_no_mention():
    assert mention_of_claim(claim(subject="user", subject_id="user")) is None


def test_claims_tell_pets_and_the_characters_kin_apart():
    pet = mention_of_claim(claim(subject_id="고양이"))
    hers = mention_of_claim(claim(subject_id="엄마", speaker="character"), own="레티아")
    assert pet == Mention(name="고양이", kind="pet")
    assert hers == Mention(name="레티아의 엄마", by="character")


@pytest.mark.parametrize(
    "text", ["저는 유빈이에요", "이름은 유빈이야", "유빈이라고 불러", "제 이름 유진 아니고 유빈이에요"]
)
def test_somebody_who_introduces_themself_speaks_of_nobody_else(text):
    assert names(text) == []


def test_somebody_who_introduces_another_speaks_of_them():
    assert names("얘는 내 친구 유빈이야") == ["유빈"]


SENTENCES = tomllib.loads((Path(__file__).parents[2] / "data" / "people_sentences.toml").read_text(encoding="utf-8"))
NAME = re.compile(r"(?:(?:Dr\.|Professor|[김이박최]) )?[^\s+-]+")
FELT = 0.2


def rows(part: str, half: str) -> Iterator[tuple[str, list[str]]]:
    for line in SENTENCES[part][half].strip().splitlines():
        text, *told = (piece.strip() for piece in line.split("|"))
        yield text, told


def people(text: str) -> set[str]:
    return {mention.name for mention in mentions(text, parties=("레티아", "민수"))}


def places_and_times(text: str) -> set[str]:
    place, daytime = setting(text)
    return {f"{kind}:{told}" for kind, told in (("place", place), ("time", daytime)) if told}


def topics(text: str) -> set[str]:
    return set(topics_of(text))


def told_people(told: list[str]) -> set[str]:
    return set(NAME.findall(told[0]))


def told_setting(told: list[str]) -> set[str]:
    return {f"{kind}:{each}" for kind, each in zip(("place", "time"), told, strict=True) if each}


def told_topics(told: list[str]) -> set[str]:
    return set(told[0].split())


Reader = Callable[[str], set[str]]
READERS: dict[str, tuple[Reader, Callable[[list[str]], set[str]]]] = {
    "mentions": (people, told_people),
    "settings": (places_and_times, told_setting),
    "topics": (topics, told_topics),
}


def precision_and_recall(part: str, half: str) -> tuple[float, float]:
    read, told_by = READERS[part]
    right = found = wanted = 0
    for text, told in rows(part, half):
        got, gold = read(text), told_by(told)
        right, found, wanted = right + len(got & gold), found + len(got), wanted + len(gold)
    return right / found, right / wanted


def test_about_half_of_the_sentences_tell_nothing():
    told = [any(told) for part in ("mentions", "settings") for half in ("seen", "held") for _, told in rows(part, half)]
    assert len(told) > 150
    assert 0.4 < sum(told) / len(told) < 0.6


@pytest.mark.parametrize("part", ["mentions", "settings", "topics"])
def test_the_sentences_that_the_rules_were_written_with_are_read(part):
    precision, recall = precision_and_recall(part, "seen")
    assert precision >= 0.98
    assert recall >= 0.98


@from_rows
def test_the_sentences_that_were_only_counted_are_read_as_well(part, least_precision, least_recall):
    precision, recall = precision_and_recall(part, "held")
    assert precision >= least_precision
    assert recall >= least_recall


@pytest.mark.parametrize("half", ["seen", "held"])
def test_whether_somebody_is_spoken_of_well_or_ill_is_mostly_read(half):
    right = wrong = 0
    for text, told in rows("mentions", half):
        gold = dict(re.findall(rf"({NAME.pattern})([+-]?)", told[0]))
        for mention in mentions(text, parties=("레티아", "민수")):
            if mention.name in gold:
                sign = "+" if mention.valence > FELT else "-" if mention.valence < -FELT else ""
                right, wrong = right + (sign == gold[mention.name]), wrong + (sign != gold[mention.name])
    assert right / (right + wrong) >= 0.95
