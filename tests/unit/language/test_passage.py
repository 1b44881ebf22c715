"""What time makes of a memory: ages, school years and pregnancies move, a birthday returns every year."""

from datetime import datetime

import pytest

from gieok.language.passage import now_words
from gieok.testing import memory


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T12:00:00+09:00")


@pytest.mark.parametrize(
    ("attribute", "value", "content", "now", "korean", "english"),
    [
        ("age", "25", "25살임", "2025-02-01", "", ""),
        ("age", "25", "25살임", "2026-05-01", "지금은 27살쯤", "about 27 by now"),
        ("age", "5개월", "5개월임", "2026-05-01", "", ""),
        ("free.grade", "중2", "중2", "2024-12-01", "", ""),
        ("free.grade", "중2", "중2", "2025-03-02", "지금은 중3", "in grade 9 by now"),
        ("free.grade", "중2", "중2", "2026-04-01", "지금은 고1", "in grade 10 by now"),
        ("free.grade", "초등학교 6학년", "초등학교 6학년", "2025-04-01", "지금은 중1", "in grade 7 by now"),
        ("free.grade", "고3", "고3", "2025-04-01", "지금은 졸업했을 때", "out of school by now"),
        ("free.grade", "10th grade", "is in 10th grade", "2024-10-01", "지금은 고2", "in grade 11 by now"),
        ("event", "임신", "임신 20주", "2024-04-29", "지금은 28주쯤", "about week 28 by now"),
        ("event", "임신", "임신", "2024-04-29", "", ""),
        ("event", "임신", "임신", "2025-01-29", "지금은 출산했을 때", "the child is born by now"),
        ("birthday", "05-03", "생일은 5월 3일임", "2026-05-03", "오늘", "today"),
        ("birthday", "05-03", "생일은 5월 3일임", "2027-05-02", "내일", "tomorrow"),
        ("birthday", "01-02", "생일은 1월 2일임", "2025-12-29", "4일 뒤", "in 4 days"),
        ("birthday", "02-29", "생일은 2월 29일임", "2025-02-28", "오늘", "today"),
        ("birthday", "05-03", "생일은 5월 3일임", "2026-05-04", "", ""),
        ("event", "결혼기념일", "결혼기념일은 10월 9일", "2025-10-08", "내일", "tomorrow"),
        ("event", "여행", "10월 9일에 여행", "2025-10-08", "", ""),
    ],
)
def test_a_memory_moves_with_time(attribute, value, content, now, korean, english):
    known = memory(content, attribute=attribute, value=value, surface=value, valid_at=at("2024-03-04"))
    assert now_words(known, at(now), "ko") == korean
    assert now_words(known, at(now), "en") == english


@pytest.mark.parametrize("over", [{"polarity": "-"}, {"invalid_at": at("2024-06-01")}])
def test_what_is_over_does_not_move(over):
    known = memory("25살임", attribute="age", value="25", valid_at=at("2024-03-04"), **over)
    assert now_words(known, at("2026-05-01"), "ko") == ""
