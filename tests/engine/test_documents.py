"""What the five documents ask for in so many words, on a real bank; docs/coverage.md says which row each test shows."""

from collections.abc import Callable

import pytest

import gieok
from gieok.conversation import Conversation
from gieok.domain.decision import Ignore
from gieok.testing import ScriptedModel, day
from support.rows import from_rows, sections

OpenBank = Callable[..., gieok.MemoryBank]


def values(mind: gieok.Mind, attribute: str, **options: object) -> list[str | None]:
    return [memory.value for memory in mind.facts(attribute=attribute, **options)]


def test_two_characters_talk_without_the_user_and_each_keeps_whose_words_they_were(bank):
    letia = bank.scope(user="minsu", character="letia", world="academy")
    lupames = bank.scope(user="minsu", character="lupames", world="academy")
    letia.observe("나는 검술을 좋아해", speaker="lupames", reply="저는 마법이 좋아요", present=["lupames"], at=day(1))

    assert [(each.speaker, each.subject_id, each.content) for each in letia.facts()] == [
        ("lupames", "lupames", "검술을 좋아함"),
        ("character", "letia", "마법을 좋아함"),
    ]
    assert [(each.speaker, each.subject_id, each.content) for each in lupames.facts()] == [
        ("character", "lupames", "검술을 좋아함"),
        ("letia", "letia", "마법을 좋아함"),
    ]
    assert letia.recall("lupames는 뭘 좋아해?", at=day(2))[0].text == "검술을 좋아함"
    assert letia.facts(about="user") == []
    assert bank.scope(user="minsu", character="roco", world="academy").recall("검술", at=day(2)) == []


def test_what_was_talked_about_three_days_ago_is_found_by_saying_so_and_exactly_by_its_day(letia):
    seen = ("참새", "노을", "무지개", "눈사람", "불꽃", "등대", "안개")
    for number, thing in enumerate(seen, start=1):
        letia.observe(f"창밖으로 {thing} 구경을 했어", at=day(number))

    asked = letia.recall("3일 전에 뭘 구경했다고 했지?", k=3, at=day(7.1))
    assert {hit.text.split()[1] for hit in asked} == {"무지개", "눈사람", "불꽃"}  # three days ago, give or take one
    that_day = gieok.Where(since=day(4), until=day(5))
    assert [hit.text for hit in letia.recall("구경", k=7, at=day(7), where=that_day)] == ["창밖으로 눈사람 구경을 했어"]


def test_what_was_learned_in_the_last_days_is_one_call(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    letia.observe("나 커피 좋아해", at=day(20))
    letia.observe("나 떡볶이 좋아해", at=day(29))

    assert values(letia, "likes", learned_since=day(30 - 14)) == ["커피", "떡볶이"]
    assert values(letia, "likes", learned_since=day(30 - 3)) == ["떡볶이"]


@from_rows
def test_a_later_value_takes_the_place_of_the_one_under_the_same_key(letia, attribute, first, then, both):
    letia.observe(first, at=day(1))
    letia.observe(then, at=day(9))

    assert values(letia, attribute) == both[1:]
    assert values(letia, attribute, history=True) == both


def test_the_same_age_in_figures_and_in_words_is_one_memory(letia):
    letia.observe("내 나이는 25살이야", at=day(1))
    letia.observe("나 스물다섯 살이야", at=day(2))

    [age] = letia.facts(attribute="age", history=True)
    assert (age.value, age.mentions) == ("25", 1)


def test_neither_a_session_nor_a_channel_keeps_memory_apart(letia):
    letia.observe("나 땅콩 알레르기 있어", session="첫날", channel="web", at=day(1))
    letia.observe("안녕", session="둘째 날", channel="discord", at=day(2))

    assert values(letia, "allergy") == ["땅콩"]
    assert "땅콩" in letia.context("과자 먹을까?", at=day(2)).text


def test_the_contexts_of_several_characters_are_one_call_and_each_holds_its_own(bank):
    names = ("letia", "lupames", "roco")
    minds = [bank.scope(user="minsu", character=name) for name in names]
    for name, mind in zip(names, minds, strict=True):
        mind.remember(f"{name}에게만 말한 비밀이 있음", at=day(1))

    contexts = bank.contexts(minds, "비밀 있어?")
    assert [[name for name in names if f"{name}에게만" in each.text] for each in contexts] == [[name] for name in names]


def test_upkeep_goes_by_the_figures_of_the_preset(open_bank):
    rules = {name: open_bank(f"{name}.db", preset=name).services.upkeep for name in ("character", "care", "social")}

    assert (rules["character"].merge_mode, rules["character"].fuse_similarity, rules["character"].cap) == (
        "fuse",
        0.80,
        100,
    )
    assert (rules["character"].summarise_every_turns, rules["care"].summarise_every_turns) == (5, 10)
    assert (rules["social"].merge_mode, rules["social"].keep_similarity) == ("keep", 0.85)
    assert (rules["social"].reflect_at, rules["social"].every_hours, rules["social"].cap) == (20, 6.0, None)


def test_a_higher_threshold_keeps_less_and_a_lower_one_more(open_bank):
    def kept(threshold: float) -> list[str]:
        mind = open_bank(f"{threshold}.db", promote_threshold=threshold).scope(user="minsu", character="letia")
        mind.observe("나 땅콩 알레르기 있어", at=day(1))
        mind.observe("나 고양이 좋아해", at=day(2))
        return [memory.content for memory in mind.facts(about="user")]

    assert kept(0.0) == kept(0.45) == ["땅콩 알레르기가 있음", "고양이를 좋아함"]
    assert kept(0.75) == ["땅콩 알레르기가 있음"]
    assert kept(1.0) == []


def test_a_bank_that_weighs_recurrence_alone_remembers_what_is_said_again(open_bank):
    others = ("type_importance", "confidence", "future_impact", "emotion", "novelty")
    weights = {f"promotion_{part}": 0.0 for part in others}
    mind = open_bank(promote_threshold=0.3, **weights).scope(user="minsu", character="letia")

    assert isinstance(mind.observe("나 고양이 좋아해", at=day(1)).decisions[0], Ignore)
    mind.observe("나 고양이 좋아해", at=day(2))
    assert [memory.content for memory in mind.facts(about="user")] == ["고양이를 좋아함"]


def test_a_candidate_is_kept_with_its_six_parts_whether_or_not_it_was_promoted(open_bank):
    mind = open_bank(promote_threshold=0.75).scope(user="minsu", character="letia")
    mind.observe("나 고양이 좋아해", turn_id="t1", at=day(1))

    [decision] = mind.observed("t1").decisions
    assert isinstance(decision, Ignore)
    assert (decision.why, decision.claim.content) == ("below_threshold", "고양이를 좋아함")
    scored = decision.promotion
    assert scored is not None
    parts = (scored.type_importance, scored.confidence, scored.future_impact, scored.emotion, scored.recurrence)
    assert all(0 <= part <= 1 for part in (*parts, scored.novelty))
    assert 0 < scored.score < 0.75
    assert mind.facts() == []


def test_a_reply_is_made_with_what_was_known_before_and_the_next_one_with_what_was_just_said(letia):
    model = ScriptedModel({"reply": "그렇군요."})
    talk = Conversation(letia, model, persona="너는 레티아다.")
    list(talk.say("나 땅콩 알레르기 있어"))
    list(talk.say("과자 사 왔어"))

    first, second = (messages for _, messages in model.asked)
    assert "땅콩 알레르기가 있음" not in first[0].content
    assert "땅콩 알레르기가 있음" in second[0].content
    assert [message.content for message in second[1:]] == ["나 땅콩 알레르기 있어", "그렇군요.", "과자 사 왔어"]


@pytest.mark.check
def test_ten_years_later_the_cautions_are_there_and_the_vaccinations_stand_in_order(open_bank):
    mind = open_bank(preset="care").scope(user="minsu", character="meow")
    mind.observe("나 고양이 털 알레르기 있어", at=day(1))
    mind.observe("나 자몽 금지야", at=day(2))
    for year in range(1, 11):
        said = f"{year}번째 독감 백신을 맞힘"
        mind.remember(said, attribute="vaccination", value=f"독감 {year}차", at=day(365 * year))
        for number in range(12):
            mind.observe(f"오늘도 산책을 다녀왔어 {year}-{number}", at=day(365 * year + 20 * number + 1))

    ten_years_on = day(365 * 11)
    pinned = next(block for block in mind.context("오늘 뭐 할까?", at=ten_years_on).blocks if block.name == "pinned")
    assert "알레르기" in pinned.text
    assert "자몽" in pinned.text
    assert values(mind, "vaccination", as_of=ten_years_on) == [f"독감 {year}차" for year in range(1, 11)]
    assert "독감" in mind.recall("마지막 독감 백신이 언제였지?", at=ten_years_on)[0].text


@pytest.fixture(scope="module")
def fifty_turns_later(tmp_path_factory):
    """The items of the third test of "SYNK Character Chat", each told once, then fifty turns of something else."""
    with gieok.open(tmp_path_factory.mktemp("documents") / "memories.db", preset="character") as bank:
        luna = bank.scope(user="minsu", character="luna")
        _, items = sections("engine_documents")["test_what_was_said_once_is_in_the_context_fifty_turns_later"]
        for number, (said, _, _) in enumerate(items):
            luna.observe(said, reply="그렇구나.", at=day(1 + number / 100))
        for number in range(50):
            luna.observe(
                f"모퉁이를 돌아 {number}번째 문을 열었다", reply="조심해서 따라갈게.", at=day(2 + number / 100)
            )
        yield luna


@from_rows
def test_what_was_said_once_is_in_the_context_fifty_turns_later(fifty_turns_later, said, question, value):
    context = fifty_turns_later.context(question, at=day(3))
    material = context.text.removesuffix(question)

    assert value in material
