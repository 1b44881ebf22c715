import html
import re
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len

from gieok.conversation.story import story
from gieok.extract.reader import Reader


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_story_has_some_thirty_turns_over_weeks_in_order_and_the_same_in_both_languages(language):
    told, korean = (story(ZoneInfo("Asia/Seoul"), each) for each in (language, "ko"))
    times = [line.at for scene in told.scenes for line in scene.lines]
    assert 28 <= told.turns <= 35
    assert times == sorted(times)
    assert (told.end - told.start).days > 30
    assert told.start < told.earlier < told.end
    assert times == [line.at for scene in korean.scenes for line in scene.lines]
    assert [scene.pictured for scene in told.scenes] == [scene.pictured for scene in korean.scenes]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_story_is_told_and_asked_about_in_the_language_of_the_terminal(run, on_file, monkeypatch, language):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    ran = run("demo", "--fast")
    assert ran.code == 0
    told, played = ran.out, story(ZoneInfo("Asia/Seoul"), language)
    head = told.partition(f"? {played.questions[0]}")[0]
    on_file(f"demo-{language}", "\n".join(line for line in head.splitlines() if "gieok-demo-" not in line))
    assert all(f"? {question}" in told for question in played.questions)
    assert f"/ {played.budget}" in told
    assert "gieok doctor" in told.splitlines()[-1]
    assert language == "ko" or not re.search("[가-힣]", told)


@pytest.mark.parametrize(("read", "shown"), [((), ()), (("사실 나 강아지 싫어해",), ("강아지를 싫어함",))])
def test_the_story_goes_on_where_a_line_is_not_read(run, monkeypatch, read, shown):
    claims = Reader.claims

    def hard_of_hearing(self, turn, *rest):
        return claims(self, turn, *rest) if turn.utterances[0].text in read else ()

    monkeypatch.setattr(Reader, "claims", hard_of_hearing)
    ran = run("demo", "--fast")
    assert ran.code == 0
    assert "고침" not in ran.out
    [rewound] = [line for line in ran.out.splitlines() if "(농담이었다" in line]
    assert ("되감기" in rewound) == bool(shown)
    assert all(content in rewound for content in shown)


def test_then_and_now_stand_side_by_side(run):
    assert re.search(r"25살임 +떡볶이를 좋아함", run("demo", "--fast").out)


def test_a_kept_bank_holds_the_story_once(run):
    assert run("demo", "--bank", "demo.db").code == 0
    assert "강아지를 좋아함" in run("facts", "--bank", "demo.db", "--about", "user").out
    assert "gieok facts" in run("demo", "--bank", "demo.db").refused


def test_the_picture_gives_wide_letters_their_room_and_loads_nothing(run, tmp_path):
    assert run("demo", "--svg", "demo.svg").code == 0
    picture = (tmp_path / "demo.svg").read_text(encoding="utf-8")
    stretches = re.findall(r'textLength="([^"]*)"[^>]*>([^<]*)<', picture)
    assert any("판교에" in html.unescape(text) for _, text in stretches)
    for length, text in stretches:
        assert float(length) == pytest.approx(cell_len(html.unescape(text)) * 11)
    assert set(re.findall(r"https?://[^\"' )]+", picture)) == {"http://www.w3.org/2000/svg"}


def test_a_picture_that_cannot_be_written_is_refused_before_the_story_is_played(run, tmp_path):
    assert "nowhere/demo.svg" in run("demo", "--fast", "--svg", "nowhere/demo.svg").refused
    assert list(tmp_path.iterdir()) == []
