"""Where a scene is and when, as far as the words tell."""

import pytest

from gieok.language.scenes import setting


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("*도서관으로 들어간다*", "도서관"),
        ("*방으로 뛰어 들어간다*", "방"),
        ("*그는 카페에서 나와 공원으로 향한다*", "공원"),
        ("*집 앞 골목에 서 있다*", "집 앞 골목"),
        ("우리 이제 시장으로 가자", "시장"),
        ("회사에서 야근 중이야", "회사"),
        ("지금 카페인데 사람이 많아", "카페"),
        ("스터디 카페 왔어", "스터디 카페"),
        ("강남역에 도착했어", "강남역"),
        ("엄마랑 마트 왔어", "마트"),
        ("(카페에 들어가며) 안녕", "카페"),
        ("안녕! *교실에 앉아 손을 흔든다* 오늘 카페 가자", "교실"),
    ],
)
def test_a_place_where_they_are_now_is_read(text, place):
    assert setting(text)[0] == place


@pytest.mark.parametrize(
    "text",
    [
        "어제 카페에 갔어",
        "내일 공원으로 가자",
        "매일 카페에서 놀고 있어",
        "동생이 카페에 왔어",
        "카페에 안 왔어",
        "지금 카페야?",
        "지금 카페에 있으면 좋겠다",
        "카페에 왔대",
        "나는 카페에서 일하고 있어",
        "*카페에서 나온다*",
        "*어제 갔던 카페에서 있었던 일을 떠올린다*",
        "*카페에 들어가지 않는다*",
        "*버스에서 내린 사람을 본다*",
        "*도서관에서 빌린 책을 펼친다*",
        "공원은 넓어",
    ],
)
def test_another_time_another_person_or_a_thought_is_no_place_of_the_scene(text):
    assert setting(text)[0] is None


@pytest.mark.parametrize(
    ("text", "daytime"),
    [
        ("벌써 저녁이네", "저녁"),
        ("밤이 깊었네요", "밤"),
        ("좋은 아침!", "아침"),
        ("*노을이 창문에 비친다*", "저녁"),
        ("It's already midnight", "midnight"),
    ],
)
def test_the_time_of_day_is_read(text, daytime):
    assert setting(text) == (None, daytime)


@pytest.mark.parametrize(
    "text", ["저녁 먹자", "밤에 전화할게", "아침이야?", "어제 밤이었어", "밤이 무서워", "*저녁을 먹는다*"]
)
def test_a_meal_and_another_time_are_no_time_of_day(text):
    assert setting(text)[1] is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("*walks into the old castle*", "castle"),
        ("We finally arrived at the station!", "station"),
        ("Let's head to the beach", "beach"),
        ("*leaves the park*", None),
        ("I was in the park yesterday", None),
        ("Let's go to the park tomorrow", None),
        ("Are we in the castle?", None),
    ],
)
def test_english_places_are_read_alike(text, place):
    assert setting(text)[0] == place


@pytest.mark.parametrize(
    "text", ["", "*", "**", "\ud800", "카페" * 4000, "*카페*" * 1600, "in the " * 1100, "우리 " * 2600]
)
def test_any_text_is_answered(text):
    assert len(setting(text)) == 2
