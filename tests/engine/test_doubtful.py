"""Doubtful memories: found and shown as such, left out of facts, and confirmed or rejected by a person."""

import pytest

import gieok
from gieok.conversation.phrasebook import Phrasebook
from gieok.domain.answer import Message
from gieok.domain.decision import Retract
from gieok.errors import InvalidQuery, MemoryMoved
from gieok.testing import day
from support.doubts import DoubtfulReader


@pytest.fixture
def bank(open_bank):
    return open_bank(extractor=DoubtfulReader())


def told(mind: gieok.Mind, *lines: str) -> None:
    for number, line in enumerate(lines):
        mind.observe(line, at=day(1 + number / 100), turn_id=f"t{number}")


def values(memories) -> list[str | None]:
    return [memory.value for memory in memories]


def test_facts_leave_a_doubtful_memory_out_unless_asked_for(letia):
    told(letia, "residence 서울", "residence 부산?", "likes 고양이?")

    assert values(letia.facts()) == values(letia.facts(known_at=day(1.1))) == ["서울"]
    assert values(letia.facts(doubtful=True)) == ["서울", "부산", "고양이"]
    assert values(letia.doubtful()) == ["부산", "고양이"]
    assert values(leaf.memory for leaf in letia.memories(doubtful=True)) == ["고양이", "부산"]
    assert values(leaf.memory for leaf in letia.memories(doubtful=False)) == ["서울"]


@pytest.mark.parametrize(("language", "mark"), [("ko", "(확실하지 않음)"), ("en", "(unsure)")])
def test_a_context_marks_a_doubtful_memory_and_never_pins_it(open_bank, language, mark):
    letia = open_bank(extractor=DoubtfulReader(), language=language).scope(user="minsu", character="letia")
    told(letia, "allergy 땅콩?", "likes 고양이")

    [hit] = [hit for hit in letia.recall("땅콩") if isinstance(hit.item, gieok.Memory) and hit.item.value == "땅콩"]
    assert hit.item.doubtful
    blocks = {block.name: block.text for block in letia.context("땅콩 먹어도 돼? 고양이는?", without=["talk"]).blocks}
    assert "땅콩" not in blocks.get("pinned", "")
    [line] = [line for line in blocks["memories"].splitlines() if "땅콩" in line]
    assert line.endswith(mark)
    assert mark not in next(line for line in blocks["memories"].splitlines() if "고양이" in line)


def test_a_confirmed_memory_is_firm_pinned_and_in_the_journal(letia):
    told(letia, "residence 서울", "residence 부산?")
    [doubtful] = letia.doubtful()
    confirmed = letia.confirm(doubtful.id, at=day(2))

    assert (confirmed.doubtful, confirmed.pinned, confirmed.version) == (False, True, 2)
    assert (letia.doubtful(), values(letia.facts())) == ([], ["부산"])
    assert "부산" in letia.context("안녕").text
    happened = letia.history(doubtful.id)
    assert [(each.kind, each.who) for each, _ in happened][1:] == [("confirm", "person")]
    assert [deed.act for deed in letia.bank.audit(letia)][-1] == "confirm"
    assert letia.bank.verify_audit(letia).sound


def test_a_rejected_memory_was_never_true(letia):
    told(letia, "residence 서울", "residence 부산?")
    [doubtful] = letia.doubtful()
    assert letia.reject(doubtful.id, at=day(2)).retracted

    assert (letia.doubtful(), values(letia.facts(doubtful=True, history=True))) == ([], ["서울"])
    assert not any(isinstance(hit.item, gieok.Memory) and hit.item.value == "부산" for hit in letia.recall("부산"))
    assert [each.kind for each, _ in letia.history(doubtful.id)][1:] == ["reject"]


@pytest.mark.parametrize("settle", [gieok.Mind.confirm, gieok.Mind.reject])
def test_only_a_doubtful_memory_of_the_right_version_is_settled(letia, settle):
    told(letia, "residence 서울", "likes 고양이?")
    [firm], [doubtful] = letia.facts(), letia.doubtful()
    with pytest.raises(InvalidQuery, match="is not doubtful"):
        settle(letia, firm.id)
    with pytest.raises(MemoryMoved):
        settle(letia, doubtful.id, if_version=7)
    settle(letia, doubtful.id, if_version=1)
    with pytest.raises(InvalidQuery, match="is not doubtful"):
        settle(letia, doubtful.id)


def test_a_doubtful_memory_is_confirmed_before_it_is_pinned(letia):
    told(letia, "likes 고양이?")
    [doubtful] = letia.doubtful()
    with pytest.raises(InvalidQuery, match="confirm it first"):
        letia.pin(doubtful.id)
    letia.confirm(doubtful.id)
    assert letia.pin(doubtful.id).pinned


def test_rewinding_takes_back_what_confirmed_it_and_keeps_what_a_person_said_of_it(letia):
    told(letia, "residence 부산?", "residence 부산", "likes 고양이?")
    assert values(letia.facts()) == ["부산"]
    letia.rewind("t1")
    assert (values(letia.facts()), values(letia.doubtful())) == ([], ["부산", "고양이"])

    letia.confirm(letia.doubtful()[1].id, at=day(2))
    letia.reject(letia.doubtful()[0].id, at=day(2))
    letia.observe("residence 제주", at=day(3), turn_id="t9")
    letia.rewind("t9")
    assert (values(letia.facts()), letia.doubtful()) == (["고양이"], [])
    letia.rewind("t2")
    assert values(letia.facts()) == []


def test_a_listener_hears_what_is_doubtful_confirmed_and_rejected(letia):
    heard = []
    letia.bank.on("*", lambda event: heard.append((event.name, getattr(event.what, "value", None))))
    told(letia, "residence 부산?", "residence 부산?", "likes 고양이?", "likes 강아지?")
    cat, dog = letia.doubtful()
    letia.confirm(cat.id)
    letia.reject(dog.id)

    assert [event for event in heard if event[0].startswith("memory.")] == [
        ("memory.doubtful", "부산"),
        ("memory.reinforced", "부산"),
        ("memory.confirmed", "부산"),
        ("memory.doubtful", "고양이"),
        ("memory.doubtful", "강아지"),
        ("memory.confirmed", "고양이"),
        ("memory.rejected", "강아지"),
    ]


def test_doubtful_memories_go_through_an_export_and_a_copy(letia, open_bank, tmp_path):
    told(letia, "residence 부산?")
    file = letia.bank.export(user="minsu", to=tmp_path / "minsu.zip").path
    other = open_bank("other.db")
    other.import_export(file)
    [doubtful] = other.mind(letia.key).doubtful()
    assert doubtful == letia.doubtful()[0]
    assert not other.mind(letia.key).confirm(doubtful.id).doubtful


@pytest.mark.parametrize(("told", "certain"), [("residence 부산", True), ("residence 부산?", False)])
def test_a_character_without_a_model_does_not_state_what_is_doubtful(letia, told, certain):
    letia.observe(told)
    known = Message(role="system", content=letia.memories()[0].memory.content)
    reply = Phrasebook(letia).reply([known, Message(role="user", content="내 residence 부산 기억해?")])
    assert ("부산" in reply) is certain


@pytest.mark.parametrize(
    ("doubt", "then"),
    [
        ("residence 부산?", "부산 산다는 거 뻥이야"),
        ("likes 고양이?", "고양이 좋아한다는 거 뻥이야"),
        ("allergy 땅콩?", "땅콩 알레르기 있다는 거 뻥이야"),
        ("likes cats?", "I was joking when I said I like cats"),
    ],
)
def test_what_is_in_doubt_is_taken_back_in_plain_words(open_bank, doubt, then):
    with open_bank(extractor=DoubtfulReader()) as bank:
        told(bank.scope(user="minsu", character="letia"), doubt)
    minsu = open_bank().scope(user="minsu", character="letia")

    [taken_back] = minsu.observe(then, at=day(2)).decisions
    assert isinstance(taken_back, Retract)
    assert (minsu.doubtful(), minsu.facts()) == ([], [])


@pytest.mark.parametrize(
    "then",
    [
        "어제 부산 다녀왔어",
        pytest.param("부산 말고 강릉 가자", marks=pytest.mark.xfail(strict=True, reason="read as a doubtful denial")),
        "부산 사는 친구가 왔어",
    ],
)
def test_a_word_about_what_is_in_doubt_changes_nothing(open_bank, then):
    with open_bank(extractor=DoubtfulReader()) as bank:
        told(bank.scope(user="minsu", character="letia"), "residence 부산?")
    minsu = open_bank().scope(user="minsu", character="letia")

    [doubt] = minsu.doubtful()
    minsu.observe(then, at=day(2))
    assert [each for each in minsu.doubtful() if each.attribute == "residence"] == [doubt]
    assert minsu.facts(about="user", attribute="residence") == []


def test_an_extractor_is_shown_doubtful_facts_apart_from_firm_ones(open_bank):
    class Curious(DoubtfulReader):
        def claims(self, turn, scope, before, background):
            self.shown = background
            return super().claims(turn, scope, before, background)

    reader = Curious()
    letia = open_bank(extractor=reader).scope(user="minsu", character="letia")
    told(letia, "residence 부산?", "likes 고양이", "부산에서 고양이 봤어")
    assert (values(reader.shown.doubtful), values(reader.shown.mentioned)) == (["부산"], ["고양이"])


def test_a_turn_asks_about_what_it_left_doubtful_until_that_is_settled(letia):
    asked = letia.observe("residence 부산?", turn_id="t1")
    assert asked.questions == ("혹시 지금 부산에 사세요?",)
    assert letia.observe("residence 서울", turn_id="t2").questions == ()
    assert letia.observe("고마워", turn_id="t3").questions == ()

    letia.observe("allergy 땅콩?", turn_id="t4")
    assert letia.observe("allergy 땅콩?", turn_id="t4").questions == ("혹시 땅콩 알레르기가 있으세요?",), "sent again"
    letia.confirm(letia.doubtful()[-1].id)
    assert letia.observed("t4").questions == ()


def test_a_question_is_worded_in_the_language_of_the_bank(open_bank):
    letia = open_bank(extractor=DoubtfulReader(), language="en").scope(user="minsu", character="letia")
    assert letia.observe("residence Busan?").questions == ("Do you live in Busan now?",)
