import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.emotion import EMOTIONS
from gieok.language import emotions
from gieok.language.emotions import by_words, cues, feel, feel_reply, narration_and_dialogue
from support.rows import from_rows


def felt(text: str) -> str:
    return feel(text, speaker="user").emotion


@from_rows
def test_what_is_said_plainly_is_felt(said, emotion):
    assert felt(said) == emotion
    assert by_words(said, speaker="user").emotion == emotion


@pytest.mark.parametrize("said", ["나 안 슬퍼", "걱정하지 마", "화나지 않았어"])
def test_what_is_denied_is_not_felt(said):
    assert felt(said) == "neutral"
    assert by_words(said, speaker="user").emotion == "neutral"


def test_a_word_tells_more_than_a_mark():
    assert felt("우리 강아지 귀여워ㅠㅠ") == "happy"
    assert felt("비 온다ㅠㅠ") == "sad"


@from_rows
def test_english_is_read_by_words_and_marks(said, emotion):
    read = feel(said, speaker="user")

    assert read.emotion == emotion
    assert read.by == "keywords/1"


def test_who_feels_and_what_told_it_is_said():
    read = feel("너무 행복해", speaker="민수")

    assert (read.speaker, read.by) == ("민수", "classifier/1")
    assert read.valence == read.intensity > 0
    assert feel("너무 슬퍼", speaker="민수").valence < 0


def test_nothing_felt_has_no_strength():
    read = feel("나 서울 살아", speaker="user")

    assert (read.intensity, read.valence) == (0.0, 0.0)


@pytest.mark.parametrize("reader", [feel, by_words])
@from_rows
def test_words_of_degree_and_drawn_out_marks_make_a_feeling_stronger(reader, weaker, stronger):
    assert reader(weaker, speaker="user").intensity < reader(stronger, speaker="user").intensity


@from_rows
def test_a_character_feels_by_its_stage_directions_and_its_words(reply, emotion):
    read = feel_reply(reply)

    assert (read.speaker, read.emotion) == ("character", emotion)


@from_rows
def test_narration_is_told_from_dialogue(reply, narration, dialogue):
    assert tuple(part.strip() for part in narration_and_dialogue(reply)) == (narration, dialogue)


def test_a_reply_told_like_a_novel_is_read_with_what_it_narrates():
    assert feel_reply('그녀는 고개를 떨구고 흐느꼈다. "괜찮아."').emotion == "sad"


def test_what_is_seen_and_said_alike_is_felt_more():
    both = feel_reply("*환하게 웃으며* 너무 행복해!")

    assert both.intensity > feel("너무 행복해!", speaker="character").intensity


def test_gestures_are_read_in_stage_directions_alone():
    assert by_words("고양이가 나를 노려보더라", speaker="user").emotion == "neutral"
    assert by_words("고양이를 노려본다", speaker="user", seen=True).emotion == "angry"


def test_without_the_classifier_words_still_tell(monkeypatch):
    monkeypatch.setattr(emotions, "classifier", lambda: None)

    read = feel("너무 슬퍼", speaker="user")

    assert (read.emotion, read.by) == ("sad", "keywords/1")


def test_weights_that_cannot_be_read_are_no_classifier(monkeypatch, tmp_path):
    (tmp_path / "emotions.npz").write_bytes(b"broken")
    monkeypatch.setattr(emotions, "files", lambda _: tmp_path)

    assert emotions.classifier.__wrapped__() is None


def test_the_weights_are_small_and_whole():
    path = files("gieok.language").joinpath("emotions.npz")
    learned = emotions.classifier()

    assert len(path.read_bytes()) < 2_000_000
    assert learned is not None
    assert learned.weights.dtype == "int8"
    assert sum(learned.shares("나 오늘 기분이 좋아").values()) == pytest.approx(1)


@from_rows
def test_a_feeling_may_take_two_words(said, emotion):
    assert list(cues(said).words) == ([emotion] if emotion else [])


def test_of_a_long_text_the_beginning_and_the_end_are_read():
    assert cues("슬퍼. " + "회의가 있다. " * 200).words == {"sad": 1}
    assert cues("회의가 있다. " * 200 + "슬퍼.").words == {"sad": 1}
    assert cues("회의가 있다. " * 200 + "슬퍼." + "회의가 있다. " * 200).words == {}


def test_a_denied_word_is_told_apart_from_a_felt_one():
    found = cues("안 슬프고 행복해")

    assert (dict(found.words), found.denied) == ({"happy": 1}, {"sad"})


@given(st.text(max_size=80) | st.text(alphabet="너무슬퍼행복해*()안ㅠㅋ! 😭화나", max_size=60))
def test_any_text_is_answered(said):
    for read in (feel(said, speaker="user"), feel_reply(said), by_words(said, speaker="user")):
        assert read.emotion in EMOTIONS
        assert 0 <= read.intensity <= 1
        assert (read.intensity > 0) == (read.emotion != "neutral")
        json.dumps(read.valence)


@pytest.mark.parametrize(
    "said",
    ["가" * 100_000, "*" * 100_000, "(" * 100_000, '"' * 100_000, '"가' * 50_000, "슬퍼 " * 20_000, "\ud800슬퍼"],
)
def test_hostile_texts_are_answered(said):
    assert feel_reply(said).emotion in EMOTIONS
