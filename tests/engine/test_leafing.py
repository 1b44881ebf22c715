"""What is kept, leafed through by when it was true, counted by month, and followed to where it came from."""

from datetime import UTC, datetime

from gieok.bank.history import Month
from gieok.testing import day


def test_months_are_those_of_the_banks_time_zone(open_bank):
    mind = open_bank(timezone="Asia/Seoul").scope(user="minsu", character="letia")
    for content, at in (
        ("송년회를 했음", datetime(2025, 12, 31, 14, 59, tzinfo=UTC)),
        ("해돋이를 봤음", datetime(2025, 12, 31, 15, 0, tzinfo=UTC)),
        ("떡국을 먹었음", datetime(2026, 1, 1, 3, tzinfo=UTC)),
    ):
        mind.remember(content, type="event", valid_at=at)

    assert mind.months() == [Month(year=2026, month=1, memories=2), Month(year=2025, month=12, memories=1)]
    assert mind.months(text="떡국") == [Month(year=2026, month=1, memories=1)]
    assert mind.months(state="forgotten") == []


def test_the_story_is_told_by_when_things_became_true_whenever_they_were_written_down(letia):
    for content, at in (("가을 소풍을 갔음", 3), ("첫눈을 봤음", 1), ("졸업식을 했음", 2)):
        letia.remember(content, type="event", valid_at=day(at), at=day(5))

    first = letia.story(2)
    rest = letia.story(2, before=first[-1])

    assert [leaf.memory.content for leaf in (*first, *rest)] == ["가을 소풍을 갔음", "졸업식을 했음", "첫눈을 봤음"]


def test_a_memory_leads_to_the_turns_that_said_it(letia):
    letia.observe("나 고양이 좋아해", at=day(1), turn_id="first")
    letia.observe("오늘 날씨 좋다", at=day(2))
    letia.observe("나 진짜 고양이 좋아해", at=day(3), turn_id="again")
    [memory] = letia.facts(attribute="likes")

    assert [turn.id for turn in letia.sources(memory.id)] == ["first", "again"]
    letia.remember("땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩")
    assert letia.sources(letia.facts(attribute="allergy")[0].id) == []


def test_a_line_of_memories_that_took_one_anothers_place_is_told_from_any_of_them(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    letia.observe("나 제주로 이사했어", at=day(9))
    line = letia.facts(attribute="residence", history=True)

    for each in line:
        assert [memory.value for memory in letia.lineage(each.id)] == ["서울", "부산", "제주"]


def test_whom_memories_are_about_is_counted(letia):
    letia.remember("고양이를 좋아함", attribute="likes", value="고양이")
    letia.remember("커피를 좋아함", attribute="likes", value="커피")
    letia.remember("지훈이는 의사", about="지훈", attribute="job", value="의사")

    assert [(each.subject, each.subject_id, each.memories) for each in letia.subjects()] == [
        ("user", "user", 2),
        ("other", "지훈", 1),
    ]


def test_a_memory_is_weaker_after_turns_that_did_not_touch_it(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    [memory] = letia.facts(attribute="likes")
    assert letia.strengths([memory]) == {memory.id: memory.strength}
    for number in range(10):
        letia.observe("응", reply="응", at=day(2 + number))

    assert 0 < letia.strengths([memory])[memory.id] < memory.strength
    assert letia.present() == day(11)
