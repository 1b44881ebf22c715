"""One sentence explained: what is marked in it, what becomes of it and why, and the nearest training example."""

import pytest

from gieok.cli.console import Terms
from gieok.cli.explain import Example, Explanation, Span, explained, explanation_view, nearest_example
from gieok.domain.claim import Claim
from gieok.words import LANGUAGES, words_in
from support.screen import drawn

PET = Span(
    words="고양이",
    start=2,
    end=5,
    attribute="pet",
    holder="user",
    act="assert",
    certainty=0.81,
    outcome="firm",
    why=None,
    memory="고양이를 키움",
    example=Example(phrase="우리 집에 강아지 키워", words="강아지", holder="user"),
)
SPECIES = {"attribute": "free.species", "holder": "보리", "outcome": "doubtful", "why": "less_sure", "example": None}
WISH = {"act": "not", "holder": "", "outcome": "left_out", "why": "not_meant"}


def changed(span, **values):
    return Span(**{name: values.get(name, getattr(span, name)) for name in Span.__slots__})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_whole_in_one_language_and_fits_eighty_columns(on_file, language):
    marks = (PET, changed(PET, **SPECIES), changed(PET, **WISH))
    found = Explanation(text="나 고양이 키우는데", before="뭐 키워?", reader="reader/2", retracts=0.9, marks=marks)
    on_file(f"explain-{language}", drawn(explanation_view(found, Terms(words_in(language), None, None)), 80))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_reason_and_act_has_words(language):
    words = words_in(language)
    outcomes, reasons, acts = (words.some(f"cli.explain.{table}") for table in ("outcomes", "why", "acts"))
    marks = tuple(changed(PET, outcome=each, why=why, act=act) for each in outcomes for why in reasons for act in acts)
    found = Explanation(text="나 고양이 키워", before=None, reader="reader/2", retracts=0.0, marks=marks)
    shown = drawn(explanation_view(found, Terms(words, None, None)), 200)
    assert all(each in shown for each in (*outcomes.values(), *reasons.values(), *acts.values()))


def test_a_wish_is_left_out_as_not_meant_and_nothing_is_stored(run, tmp_path):
    told = run("explain", "나도 고양이 키우고 싶다", "--json").record

    (cat,) = [mark for mark in told["marks"] if mark["words"] == "고양이"]
    assert (cat["outcome"], cat["why"], cat["memory"]) == ("left_out", "not_meant", None)
    assert (cat["attribute"], cat["holder"]) == ("pet", "user")
    assert cat["example"]["words"] in cat["example"]["phrase"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_has_a_memory_and_what_is_not_has_a_reason(run):
    told = run("explain", "나 서울 살고 간호사야. 내 이름은 김민수. 너도 민초 좋아해?", "--json").record

    assert {mark["outcome"] for mark in told["marks"]} >= {"firm", "left_out"}
    for mark in told["marks"]:
        assert (mark["memory"] is None) == (mark["outcome"] == "left_out")
        assert mark["why"] or mark["outcome"] == "firm"
        assert 0 <= mark["certainty"] <= 1
        assert told["text"][mark["start"] : mark["end"]] == mark["words"]


@pytest.mark.parametrize(("attribute", "why"), [("residence", "other_value"), ("pet", "less_sure")])
def test_a_doubtful_value_has_a_rival_only_where_there_is_one_value(monkeypatch, attribute, why):
    def claim(value, **others):
        return Claim(
            id=value,
            speaker="user",
            subject="user",
            subject_id="user",
            content=value,
            content_type="fact",
            attribute=attribute,
            value=value,
            surface=value,
            **others,
        )

    read = [claim("부산", doubtful=True), claim("서울")]
    monkeypatch.setattr("gieok.extract.reader.Reader.claims", lambda *_: read)
    found = {mark.words: mark for mark in explained("부산 말고 서울").marks}
    assert (found["부산"].outcome, found["부산"].why) == ("doubtful", why)
    assert (found["서울"].outcome, found["서울"].why) == ("firm", None)


def test_the_question_before_says_what_a_short_answer_means(run):
    told = run("explain", "보리", "--before", "고양이 이름이 뭐야?", "--json").record
    assert told["before"] == "고양이 이름이 뭐야?"
    assert [mark["words"] for mark in told["marks"]] == ["보리"]


def test_small_talk_has_no_marks(run):
    assert "기억할 만한 것을 찾지 못했어요." in run("explain", "ㅋㅋㅋㅋ 그러게").out


def test_an_empty_sentence_is_refused(run):
    assert run("explain", "  ").refused


def test_the_nearest_example_is_of_the_same_attribute_act_and_language():
    korean, english = (nearest_example(phrase, "pet", "assert") for phrase in ("나 개 키워", "I have a dog"))
    assert any("가" <= letter <= "힣" for letter in korean.phrase)
    assert english.phrase.isascii()
    assert nearest_example("나 개 키워", "free.never_seen", "assert") is None
