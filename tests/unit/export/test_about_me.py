"""What do you remember of me? The answer, as a player reads it."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from gieok.export.about_me import about_me
from gieok.testing.builders import memory

SEOUL = ZoneInfo("Asia/Seoul")
MARCH = datetime(2026, 3, 1, 16, tzinfo=UTC)  # the 2nd, in Seoul


def known(attribute, value, content, **more):
    fields = {"id": f"m-{value}", "attribute": attribute, "value": value, "known_at": MARCH, "valid_at": MARCH}
    return memory(content, **fields, **more)


def told(*memories, language="ko", character="레티아", between=(), present=MARCH):
    return about_me(memories, character=character, between=between, language=language, zone=SEOUL, present=present)


def test_everything_known_is_told_in_groups_with_the_day_it_was_heard():
    answer = told(
        known("name", "민수", "이름은 민수임"),
        known("likes", "고양이", "고양이를 좋아함"),
        known("allergy", "땅콩", "땅콩 알레르기가 있음"),
        known("promise", "벚꽃", "약속: 벚꽃 보러 가기"),
        known("event", "놀이공원", "놀이공원에 감"),
        replace(known("job", "소방관", "직업은 소방관임"), subject="other", subject_id="아빠"),
        between=["지금은 친구 사이예요.", "서로 말을 놓았다."],
    )

    assert answer.text == (
        "레티아가 민수님에 대해 기억하고 있는 내용이에요.\n"
        "\n"
        "기본 정보\n"
        "1. 이름은 민수예요. (3월 2일에 들었어요)\n"
        "\n"
        "좋아하는 것과 싫어하는 것\n"
        "2. 고양이를 좋아해요. (3월 2일에 들었어요)\n"
        "\n"
        "조심할 것\n"
        "3. 땅콩 알레르기가 있어요. (3월 2일에 들었어요)\n"
        "\n"
        "주변 사람\n"
        "4. 아빠 직업은 소방관이에요. (3월 2일에 들었어요)\n"
        "\n"
        "약속과 부탁\n"
        "5. 벚꽃 보러 가기로 했어요. (3월 2일에 들었어요)\n"
        "\n"
        "있었던 일\n"
        "6. 놀이공원에 갔어요. (3월 2일에 들었어요)\n"
        "\n"
        "우리 사이\n"
        "- 지금은 친구 사이예요.\n"
        "- 서로 말을 놓았어요.\n"
        "\n"
        "잊었으면 하는 기억이 있으면 번호를 알려 주세요. 그 기억은 앞으로 꺼내지 않을게요."
    )


def test_every_number_leads_to_the_memory_that_can_be_forgotten():
    answer = told(known("name", "민수", "이름은 민수임"), known("likes", "고양이", "고양이를 좋아함"))
    assert {each.number: each.memory_id for part in answer.parts for each in part.told} == {1: "m-민수", 2: "m-고양이"}


def test_what_is_kept_masked_is_shown_masked_and_it_is_said():
    answer = told(known("phone", "[전화번호]", "전화번호는 [전화번호]임", pii_flags=("phone",)))
    assert "1. 전화번호는 [전화번호]예요." in answer.text
    assert "가린 채 저장한 부분은 아무도 볼 수 없어요" in answer.text


def test_how_it_is_known_is_told():
    origins = [
        ("person", "적어 두었어요"),
        ("import", "옮겨 왔어요"),
        ("reflection", "짐작했어요"),
        ("model", "들었어요"),
    ]
    for origin, words in origins:
        assert f"(3월 2일에 {words})" in told(known("likes", "고양이", "고양이를 좋아함", origin=origin)).text


def test_another_year_is_named():
    answer = told(known("likes", "고양이", "고양이를 좋아함"), present=datetime(2028, 1, 1, tzinfo=UTC))
    assert "(2026년 3월 2일에 들었어요)" in answer.text


def test_what_the_character_knows_of_itself_is_not_about_the_user_but_its_promise_is():
    own = replace(known("likes", "별", "별을 좋아함"), subject="character", subject_id="레티아")
    vow = replace(known("promise", "편지", "약속: 편지 쓰기"), subject="character", subject_id="레티아")
    text = told(own, vow).text
    assert "별을" not in text
    assert "레티아는 편지 쓰기로 했어요." in text


def test_somebody_of_whom_nothing_is_known_is_told_so():
    assert told().text == "아직 기억하고 있는 내용이 없어요."
    assert told(language="en").text == "Nothing is remembered yet."


def test_without_a_name_nobody_is_made_up():
    assert told(known("likes", "고양이", "고양이를 좋아함")).text.startswith("레티아가 기억하고 있는 내용이에요.")
    nobody = told(known("likes", "고양이", "고양이를 좋아함"), character=None)
    assert nobody.text.startswith("기억하고 있는 내용이에요.")


def test_in_english_it_is_english():
    answer = told(known("likes", "cats", "likes cats"), language="en", character="Letia")
    assert answer.text == (
        "This is what Letia remembers about you.\n\nWhat you like and dislike\n1. likes cats. (2 March)\n\n"
        "If something should be forgotten, give its number; it will not come up again."
    )
