"""What single fields of an answer may hold."""

import json

import pytest

from gieok.domain.state import MOST
from gieok.prompts.tasks import Mood
from support.prompts import ITEM, asked
from support.rows import from_rows


def read_fact(**changed):
    answer = json.dumps({"facts": [{**ITEM, **changed}]})
    (told,) = asked("extract", "ko").read(answer).facts
    return told


def read(task, answer):
    return asked(task, "ko").read(json.dumps(answer))


@from_rows
def test_an_attribute_is_read_as_the_schema_writes_it(written, key):
    assert read_fact(attribute=written).attribute == key


@pytest.mark.parametrize("written", ["none", "N/A", "", None, 3])
def test_a_fact_without_an_attribute_is_dropped(written):
    with pytest.raises(ValueError, match="nothing under"):
        read_fact(attribute=written)


@from_rows
def test_whom_it_is_about_is_understood_by_name_too(who, whose):
    assert read_fact(who=who).who == whose


@pytest.mark.parametrize(
    ("written", "share"),
    [(0, 0.0), (1, 1.0), ("0.3", 0.3), (0.3, 0.3), (7, 0.5), (-1, 0.5), ("높음", 0.5), (None, 0.5), (True, 0.5),
     ("nan", 0.5), ("inf", 0.5), (10**400, 0.5), ([1], 0.5)],
)  # fmt: skip
def test_what_is_no_share_is_taken_for_the_middle(written, share):
    assert read_fact(sure=written).sure == share


@pytest.mark.parametrize(("written", "line"), [(2, 2), ("2", 2), (2.0, 2), (None, 0), ("둘째", 0), ([1], 0)])
def test_a_line_that_is_no_number_is_none(written, line):
    assert read_fact(line=written).line == line


def test_a_fact_needs_somebody_and_a_value_or_a_quote():
    assert read_fact(value="").value == ""
    assert read_fact(quote=None).quote == ""
    with pytest.raises(ValueError):
        read_fact(value="", quote="")
    with pytest.raises(ValueError):
        read_fact(who="")


@pytest.mark.parametrize(
    ("given", "act"), [("ended", "ended"), ("fixed", "fixed"), ("undo", "undo"), ("delete", "is"), (None, "is")]
)
def test_an_act_that_nobody_knows_says_that_it_is_so(given, act):
    assert read_fact(act=given).act == act


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (["r1"], [], (("r1",), ())),
        ([], ["r1", "r1"], ((), ("r1",))),
        (["r2", "r9", None, 1], ["m1"], ((), ())),
        ("r1", {"r1": True}, ((), ())),
        (["r1"], ["r1"], (("r1",), ())),
    ],
    ids=["right", "wrong twice", "made up", "no list", "both"],
)
def test_only_numbers_that_were_shown_are_right_or_wrong_and_each_in_one_list(right, wrong, told):
    reading = read("extract", {"facts": [], "right": right, "wrong": wrong})
    assert (reading.right, reading.wrong) == told


@pytest.mark.parametrize("ids", [["m1"], ["m1", "m1"], ["m1", "m7"], [], "m1"])
def test_an_insight_out_of_one_memory_is_none(ids):
    with pytest.raises(ValueError, match="nothing under"):
        read(
            "reflect", {"reflections": [{"memory_ids": ids, "about": "집", "content": "이사가 잦다.", "importance": 1}]}
        )


def test_at_most_three_insights_are_taken():
    item = {"memory_ids": ["m1", "m2"], "about": "집", "content": "이사가 잦다.", "importance": 1}
    assert len(read("reflect", {"reflections": [item] * 5})) == 3


def test_a_director_moves_known_axes_once_and_never_far():
    deltas = [
        {"axis": "trust", "points": 99, "words": "고백"},
        {"axis": "trust", "points": -1, "words": "두 번째"},
        {"axis": "love", "points": 2, "words": ""},
        {"axis": "rivalry", "points": "-50", "words": "x" * 5_000},
        {"axis": "respect", "points": "많이", "words": ""},
        {"axis": "affection", "points": 0, "words": ""},
        "trust",
    ]
    told = read("director", {"note": "조심할 것. " * 200, "deltas": deltas})
    assert [(delta.axis, delta.points) for delta in told.deltas] == [("trust", MOST), ("rivalry", -MOST)]
    assert len(told.note) <= 300
    assert all(len(delta.words) <= 100 for delta in told.deltas)


def test_a_director_may_have_nothing_to_say():
    told = read("director", {"note": "", "deltas": []})
    assert (told.note, told.deltas) == ("", ())
    assert read("director", {"note": "쉬게 해 줄 것"}).deltas == ()


@pytest.mark.parametrize(
    ("answer", "mood"),
    [
        ('{"neutral": 0, "sad": 1, "happy": 0, "angry": 0, "intensity": 0.4}', Mood(emotion="sad", intensity=0.4)),
        ('{"neutral": 1, "sad": 0, "happy": 0, "angry": 0, "intensity": 0.9}', Mood(emotion="neutral", intensity=0.0)),
        ('{"neutral": 0, "sad": 1, "happy": 0, "angry": 1, "intensity": 3}', Mood(emotion="angry", intensity=0.5)),
        ('{"neutral": 0, "sad": 1, "hap', Mood(emotion="sad", intensity=0.5)),
        ("몹시 화가 났어요", Mood(emotion="angry", intensity=0.5)),
    ],
)
def test_whatever_names_an_emotion_gives_one_mood(answer, mood):
    assert asked("emotion", "ko").read(answer) == mood


@pytest.mark.parametrize("answer", ["", "{}", "모르겠습니다", '{"neutral": 0, "sad": 0, "happy": 0, "angry": 0}'])
def test_an_answer_that_names_no_emotion_leaves_it_to_the_classifier(answer):
    with pytest.raises(ValueError, match="emotion"):
        asked("emotion", "ko").read(answer)


def test_memories_that_contradict_themselves_are_no_pair_and_pairs_count_once():
    same, pair = {"newer": "m1", "older": "m1"}, {"newer": "m2", "older": "m1"}
    assert read("conflict", {"conflicts": [same, pair, pair]}) == (("turn-7-2", "turn-1-0"),)


def test_an_id_ranked_twice_keeps_its_better_place():
    assert read("rerank", {"ids": ["m2", "m1", "m2", "m9"]}) == ("turn-7-2", "turn-1-0")


def test_what_cites_no_memory_is_not_believed():
    made_up = {"memory_ids": [], "content": "지어낸 말"}
    kept = {"memory_ids": ["m3", "m9"], "content": "초코는 강아지"}
    (told,) = read("compress", {"items": [made_up, kept]})
    assert (told.content, told.memory_ids) == ("초코는 강아지", ("turn-9-1",))
