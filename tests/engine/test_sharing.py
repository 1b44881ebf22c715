"""Nothing crosses between scopes, unless it was declared; and then no more than that."""

from dataclasses import replace

import pytest

import gieok

ACADEMY = "아카데미"


@pytest.fixture
def opened(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="민수", character="레티아", world=ACADEMY)
        letia.observe("나 땅콩 알레르기 있어", reply="조심할게요, 저는 복숭아 알레르기가 있어요")
        letia.observe("나 수영 좋아해", reply="저도요")
        jiwoo = bank.scope(user="지우", character="세라", world=ACADEMY)
        jiwoo.observe("나 새우 알레르기 있어. 우리 엄마는 의사야", reply="기억할게요")
        bank.scope(user="민수", character="유나", world="바다").observe("나 등산 좋아해")
        yield bank


def sera(bank: gieok.MemoryBank, sharing: str) -> gieok.Mind:
    mind = bank.scope(user="민수", character="세라", world=ACADEMY)
    mind.observe("안녕 세라야", reply="안녕하세요")
    return mind.under(replace(bank.settings, sharing=sharing))


def test_without_sharing_she_knows_nothing_of_what_others_heard(opened):
    text = sera(opened, "none").context("알레르기 있는 사람이랑 뭐 먹지?").text
    assert "땅콩" not in text
    assert "새우" not in text


def test_with_user_facts_she_knows_what_he_said_of_himself_to_her_siblings(opened):
    mind = sera(opened, "user_facts")
    context = mind.context("알레르기 있는데 뭐 먹지?")
    assert "땅콩" in context.text  # a caution stands there whatever is asked
    hits = mind.recall("수영 좋아해?")
    assert any("수영" in hit.text and hit.scope.character == "레티아" for hit in hits)


def test_what_her_siblings_said_of_themselves_stays_theirs(opened):
    mind = sera(opened, "user_facts")
    assert "복숭아" not in mind.context("무슨 과일 알레르기 있어?").text
    assert all(isinstance(hit.item, gieok.Memory) for hit in mind.recall("알레르기", k=20) if hit.scope != mind.key)


def test_neither_another_user_nor_another_world_is_a_sibling(opened):
    mind = sera(opened, "user_facts")
    text = mind.context("해산물이나 운동 좋아해?").text
    assert "새우" not in text
    assert "등산" not in text


def test_with_character_she_remembers_her_other_talks_and_whose_they_were(opened):
    mind = sera(opened, "character")
    (told,) = (hit for hit in mind.recall("새우 알레르기", where=gieok.Where(kind="memory")) if "새우" in hit.text)
    assert told.scope.user == "지우"
    assert isinstance(told.item, gieok.Memory)
    assert (told.item.subject, told.item.subject_id, told.item.speaker) == ("other", "지우", "지우")
    text = mind.context("새우 알레르기 있는 사람 있어?").text
    assert "(지우," in text
    assert "상대) 새우" not in text
    mothers = [hit for hit in mind.recall("엄마 직업") if isinstance(hit.item, gieok.Memory) and "의사" in hit.text]
    assert [hit.item.subject_id for hit in mothers if isinstance(hit.item, gieok.Memory)] == ["지우의 엄마"]


def test_what_others_must_beware_of_is_not_always_there(opened):
    context = sera(opened, "character").context("오늘 날씨 어때?")
    assert all("새우" not in block.text for block in context.blocks if block.name == "pinned")


def test_a_question_about_him_finds_nobody_else(opened):
    mind = sera(opened, "character")
    assert all(hit.scope == mind.key for hit in mind.recall("알레르기", where=gieok.Where(about="user")))
    found = mind.recall("알레르기", where=gieok.Where(about="지우"))
    assert any("새우" in hit.text for hit in found)


def test_an_item_of_a_sibling_can_be_named_only_as_far_as_it_is_shared(opened):
    letia = opened.scope(user="민수", character="레티아", world=ACADEMY)
    (peanut,) = letia.facts(about="user", attribute="allergy")
    (peach,) = (
        hit.item for hit in letia.recall("복숭아") if "복숭아" in hit.text and isinstance(hit.item, gieok.Utterance)
    )
    shared = sera(opened, "user_facts")
    assert "땅콩" in shared.context("안녕", include=[peanut.id]).text
    for mind, item in ((sera(opened, "none"), peanut), (shared, peach), (sera(opened, "character"), peanut)):
        with pytest.raises(gieok.errors.UnknownMemory):
            mind.context("안녕", include=[item.id])
