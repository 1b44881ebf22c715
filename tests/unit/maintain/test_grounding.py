"""Every name and number in a model's words must stand in what it read."""

from datetime import date

from gieok.maintain.grounding import ungrounded
from support.rows import from_rows

KOREAN = (
    "수진이와 제주도에 갔다", "스물다섯 살임", "Jane을 좋아함", "고양이 세 마리를 키움", "키가 172.5cm임",
    "월급이 3,000,000원임", "아침 10:30에 일어남",
)  # fmt: skip
ENGLISH = ("Lives in Seoul", "Has a cat named Coco", "Works with Jane at a hospital", "Is 25 years old", "also")


@from_rows
def test_other_words_may_be_used_but_no_name_or_number_that_nobody_said(language, text, unknown):
    grounds, days = (KOREAN, [date(2026, 3, 4)]) if language == "korean" else (ENGLISH, [])
    assert ungrounded(text, grounds, days)[:1] == ([unknown] if unknown else [])
