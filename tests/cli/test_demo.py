import html
import re
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len

from gieok.conversation.story import story


@pytest.fixture(scope="module")
def played():
    return story(ZoneInfo("Asia/Seoul"))


def test_the_story_has_some_thirty_turns_over_weeks_in_order(played):
    times = [line.at for scene in played.scenes for line in scene.lines]
    assert 28 <= played.turns <= 35
    assert times == sorted(times)
    assert (played.end - played.start).days > 30
    assert played.start < played.earlier < played.end


def test_the_story_as_it_is_told(run, on_file):
    ran = run("demo", "--fast")
    assert ran.code == 0
    told = ran.out.partition("물어보면")[0]
    on_file("demo", "\n".join(line for line in told.splitlines() if "gieok-demo-" not in line))


def test_after_the_story_come_questions_then_and_now_the_context_and_what_to_try(run, played):
    shown = run("demo", "--fast").out
    for question in played.questions:
        assert f"? {question}" in shown
    assert re.search(r"나이는 25살임 +떡볶이를 좋아함", shown)
    assert f"/ {played.budget} 토큰" in shown
    assert shown.rstrip().splitlines()[-4:][0] == "이제 이렇게 해 보세요"


def test_a_kept_bank_holds_the_story_once(run):
    assert run("demo", "--bank", "demo.db").code == 0
    assert "강아지를 좋아함" in run("facts", "--bank", "demo.db", "--about", "user").out
    again = run("demo", "--bank", "demo.db")
    assert again.code == 1
    assert "holds this story already" in again.err


def test_the_picture_gives_wide_letters_their_room_and_loads_nothing(run, tmp_path):
    assert run("demo", "--svg", "demo.svg").code == 0
    picture = (tmp_path / "demo.svg").read_text(encoding="utf-8")
    stretches = re.findall(r'textLength="([^"]*)"[^>]*>([^<]*)<', picture)
    assert any("판교에" in html.unescape(text) for _, text in stretches)
    for length, text in stretches:
        assert float(length) == pytest.approx(cell_len(html.unescape(text)) * 11)
    assert set(re.findall(r"https?://[^\"' )]+", picture)) == {"http://www.w3.org/2000/svg"}


def test_a_picture_that_cannot_be_written_is_a_clear_error(run):
    ran = run("demo", "--svg", "nowhere/demo.svg")
    assert ran.code == 1
    assert "cannot be written" in ran.err
