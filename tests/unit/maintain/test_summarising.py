"""The rolling summary and the weekly documents: the words that are there, with their span and sources."""

from dataclasses import replace

import pytest

from gieok.domain.upkeep import UpkeepRules
from gieok.language.token_count import estimate_tokens
from gieok.testing.builders import day, memory
from unit.maintain.grounds import Field, episode, moment, turn_of


def told() -> Field:
    """A few days of talk, of which two turns gave a memory."""
    return Field(
        [
            memory("고양이를 좋아함", id="cat", attribute="likes", value="고양이", importance=0.6, sources=("u1",)),
            episode("친구와 영화를 봤다", 2, id="film", importance=0.4, sources=("u2",)),
        ],
        [
            turn_of(1, "나 고양이 좋아해", on=1),
            turn_of(2, "친구랑 영화 봤어", on=2),
            turn_of(3, "ㅋㅋㅋㅋㅋㅋㅋㅋ", on=2),
            turn_of(4, "시험을 망쳐서 너무 속상해", on=3, felt="sad"),
            turn_of(5, "내일 서울 날씨는 어떨까?", on=4),
            turn_of(6, "주말에 지훈이랑 부산에 다녀왔어", on=5),
        ],
    )


def summary(ground: Field):
    (found,) = [each for each in ground.known if each.content_type == "summary"]
    return found


def test_a_summary_tells_what_was_learned_and_quotes_what_was_said_without_small_talk():
    ground = told()
    (kept,) = ground.run("summarise", moment(6, turn=6))

    made = summary(ground)
    assert made.content.splitlines() == [
        "3월 1일~3월 5일의 대화",
        "3월 1일: 고양이를 좋아함",
        "3월 2일: 친구와 영화를 봤다",
        "3월 3일: “시험을 망쳐서 너무 속상해” (슬퍼함)",
        "3월 5일: “주말에 지훈이랑 부산에 다녀왔어”",
    ]
    assert (made.tags, made.attribute, made.origin) == (("rolling",), None, "reflection")
    assert made.made_from == ("cat", "film")
    assert made.sources == ("u4", "u6")
    assert made.valid_at == day(1)
    assert kept.why == "6 turns were not summarised"


def test_that_somebody_has_their_name_is_not_told_since_it_would_read_as_the_users():
    said = [
        memory("이름은 소피야임", id="name", subject="other", subject_id="소피야", attribute="name", value="소피야"),
        memory("간호사임", id="job", subject="other", subject_id="소피야", attribute="job", value="간호사"),
        memory("이름은 나비임", id="cat", subject="other", subject_id="고양이", attribute="name", value="나비"),
    ]
    ground = Field([replace(each, sources=("u1",)) for each in said], [turn_of(1, "소피야는 간호사야", on=1)])
    ground.run("summarise", moment(6, turn=6))
    assert summary(ground).content.splitlines()[1] == "3월 1일: 고양이: 이름은 나비임 · 소피야: 간호사임"


def test_the_next_summary_closes_the_last_and_takes_over_what_it_told():
    ground = told()
    ground.run("summarise", moment(6, turn=6))
    ground.turns.append(turn_of(7, "회사 면접에서 합격했어", on=8, felt="happy"))
    ground.run("summarise", moment(8, turn=7))

    assert summary(ground).content.splitlines() == [
        "3월 1일~3월 8일의 대화",
        "3월 1일: 고양이를 좋아함",
        "3월 2일: 친구와 영화를 봤다",
        "3월 3일: “시험을 망쳐서 너무 속상해” (슬퍼함)",
        "3월 5일: “주말에 지훈이랑 부산에 다녀왔어”",
        "3월 8일: “회사 면접에서 합격했어” (즐거워함)",
    ]
    assert summary(ground).sources == ("u4", "u6", "u7")
    assert ground.hidden[0].closed_by == summary(ground).id


def test_what_was_forgotten_or_is_no_longer_so_leaves_the_summary():
    ground = told()
    ground.run("summarise", moment(6, turn=6))
    ground.known = [
        each.changed(invalid_at=day(6)) if each.id == "cat" else each for each in ground.known if each.id != "film"
    ]
    ground.turns.append(turn_of(7, "회사 면접에서 합격했어", on=8))
    ground.run("summarise", moment(8, turn=7))

    assert "고양이" not in summary(ground).content
    assert "영화" not in summary(ground).content
    assert "시험" in summary(ground).content


@pytest.mark.parametrize("content", ["“비밀”이라고 속삭였다", "※ 비밀이 있다", "비밀이 있다 · 둘이다", "비밀이\n있다"])
def test_a_forgotten_memory_leaves_the_summary_whatever_marks_it_bears(content):
    ground = told()
    ground.known.append(episode(content, 2, id="secret", sources=("u2",)))
    ground.run("summarise", moment(6, turn=6))
    assert "비밀" in summary(ground).content

    ground.known = [each for each in ground.known if each.id != "secret"]
    ground.turns.append(turn_of(7, "회사 면접에서 합격했어", on=8))
    ground.run("summarise", moment(8, turn=7))
    assert "비밀" not in summary(ground).content
    assert summary(ground).sources == ("u4", "u6", "u7")


def test_what_a_person_wrote_into_a_summary_stays_in_the_next_ones():
    ground = told()
    ground.run("summarise", moment(6, turn=6))
    corrected = summary(ground).content.replace("“시험을 망쳐서 너무 속상해” (슬퍼함)", "시험은 잘 봤음")
    ground.known = [
        each.changed(content=corrected, origin="person") if each.content_type == "summary" else each
        for each in ground.known
    ]
    for number in (7, 8):
        ground.turns.append(turn_of(number, f"회사 면접 {number}곳에서 합격했어", on=number))
        ground.run("summarise", moment(number, turn=number))
        assert "3월 3일: ※ 시험은 잘 봤음" in summary(ground).content.splitlines()
    assert "속상해" not in summary(ground).content


def test_a_new_year_is_named_where_the_days_are_of_the_old_one():
    ground = Field(turns=[turn_of(1, "친구 지훈이랑 부산에 다녀왔어", on=300)])
    ground.run("summarise", moment(301, turn=1))
    ground.turns.append(turn_of(2, "회사 면접에서 합격했어", on=320))
    ground.run("summarise", moment(320, turn=2))

    assert summary(ground).content.splitlines() == [
        "2026년 12월 25일~1월 14일의 대화",
        "2026년 12월 25일: “친구 지훈이랑 부산에 다녀왔어”",
        "1월 14일: “회사 면접에서 합격했어”",
    ]


def test_a_summary_stays_within_400_tokens_and_keeps_a_place_for_what_is_new():
    ground = Field()
    for number in range(1, 61):
        ground.known.append(
            episode(f"{number}번째 손님에게 꽃다발을 만들어 드렸다", number, importance=0.9, sources=(f"u{number}",))
        )
        ground.turns.append(turn_of(number, "오늘도 가게를 열었어", on=number))
        if number % 12 == 0:
            ground.run("summarise", moment(number, turn=number))
            assert estimate_tokens(summary(ground).content) <= 400 + 20  # the heading comes on top
            assert f"{number}번째 손님" in summary(ground).content
    assert summary(ground).content.startswith("3월 1일~")


@pytest.mark.parametrize(
    ("known", "turns", "lines"),
    [
        ([], [turn_of(1, "ㅋㅋㅋㅋ", on=1), turn_of(2, "뭐 해?", on=1), turn_of(3, "안녕", on=2)], []),
        (
            [],
            [turn_of(1, "My sister Anna moved to Boston for work.", on=2, felt="sad")],
            ["Talk of March 2", "March 2: “My sister Anna moved to Boston for work” (sad)"],
        ),
        (
            [memory("간호사임", subject="other", subject_id="엄마", attribute="job", value="간호사", sources=("u1",))],
            [turn_of(1, "우리 엄마 간호사야", on=1)],
            ["3월 1일의 대화", "3월 1일: 엄마: 간호사임"],
        ),
    ],
    ids=["nothing told", "English", "others are named"],
)
def test_the_lines_of_a_summary(known, turns, lines):
    ground = Field(known, turns)
    ground.run("summarise", moment(3, turn=len(turns)))

    pages = [each.content.splitlines() for each in ground.known if each.content_type == "summary"]
    assert pages == ([lines] if lines else [])


def weekly(ground: Field) -> dict[str, str]:
    return {each.tags[1]: each.content for each in ground.known if "weekly" in each.tags}


def test_every_week_that_is_over_gets_a_document_with_its_span_and_sources():
    ground = told()  # March 1 is a Sunday
    ground.run("weekly", moment(9, turn=6))

    assert set(weekly(ground)) == {"2026-W09", "2026-W10"}
    assert weekly(ground)["2026-W10"].splitlines() == [
        "2026년 3월 2일~3월 8일의 대화",
        "3월 2일: 친구와 영화를 봤다",
        "3월 3일: “시험을 망쳐서 너무 속상해” (슬퍼함)",
        "3월 5일: “주말에 지훈이랑 부산에 다녀왔어”",
    ]
    document = next(each for each in ground.known if "2026-W10" in each.tags)
    assert (document.made_from, document.sources) == (("film",), ("u4", "u6"))


def test_a_week_that_is_not_over_waits_and_loses_nothing():
    ground = told()
    ground.run("weekly", moment(7.9, turn=6))
    assert set(weekly(ground)) == {"2026-W09"}

    ground.run("weekly", moment(9, turn=6))
    assert "부산" in weekly(ground)["2026-W10"]


def test_what_a_weekly_document_replaces_loses_half_of_its_importance():
    ground = told()
    ground.run("weekly", moment(9, turn=6))

    importance = {each.id: each.importance for each in ground.known}
    assert importance["film"] == pytest.approx(0.4 * 0.5)
    assert importance["cat"] == 0.6


@pytest.mark.parametrize(
    "fields",
    [{"importance": 0.5}, {"pinned": True}, {"emotion_intensity": 0.7}, {"kind": "semantic"}, {"attribute": "event"}],
    ids=str,
)
def test_what_matters_keeps_its_importance(fields):
    ground = told()
    ground.known[1] = ground.known[1].changed(**{"importance": 0.4, **fields})
    ground.run("weekly", moment(9, turn=6))

    assert next(each for each in ground.known if each.id == "film") == ground.known[1]


def test_a_weekly_document_is_made_once():
    ground = told()
    ground.run("weekly", moment(9, turn=6))
    ground.turns.append(turn_of(7, "다시 지난주 이야기인데 지훈이랑 싸웠어", on=6))

    assert ground.run("weekly", moment(16, turn=7), UpkeepRules()) == []
