"""What single fields of an answer may hold."""

import json

import pytest

from gieok.domain.state import MOST
from gieok.prompts.tasks import Mood
from support.prompts import ITEM, PROPOSED, asked
from support.rows import from_rows


def proposed(**changed):
    answer = json.dumps({"memories": [{**ITEM, **changed}]})
    (told,) = asked("extract", "ko").read(answer)
    return told


def read(task, answer):
    return asked(task, "ko").read(json.dumps(answer))


def test_an_attribute_outside_the_schema_is_kept_for_the_caller_to_judge():
    told = proposed(attribute="shoe_size", value="250", type="fact")
    assert (told.attribute, told.content_type) == ("shoe_size", "fact")


@from_rows
def test_an_attribute_is_read_as_the_schema_writes_it(written, key):
    assert proposed(attribute=written).attribute == key


@from_rows
def test_the_schema_decides_the_type_where_it_knows_the_attribute(key, said, kind):
    assert proposed(attribute=key, type=said).content_type == kind


@from_rows
def test_whom_it_is_about_is_understood_by_name_too(subject, name, whose):
    told = proposed(subject=subject, name=name)
    assert (told.subject, told.name) == whose


@pytest.mark.parametrize(
    ("written", "share"),
    [(0, 0.0), (1, 1.0), ("0.3", 0.3), (0.3, 0.3), (7, 0.5), (-1, 0.5), ("높음", 0.5), (None, 0.5), (True, 0.5),
     ("nan", 0.5), ("inf", 0.5), (10**400, 0.5), ([1], 0.5)],
)  # fmt: skip
def test_what_is_no_share_is_taken_for_the_middle(written, share):
    assert proposed(importance=written).importance == share
    assert proposed(certainty=written).certainty == share


def test_an_item_without_content_is_told_by_its_quote_and_one_with_neither_is_dropped():
    assert proposed(content="").content == PROPOSED.quote
    assert proposed(quote=None).quote == ""
    with pytest.raises(ValueError):
        proposed(content="", quote="")
    with pytest.raises(ValueError):
        proposed(subject="")


@pytest.mark.parametrize(
    ("given", "act"), [("end", "end"), ("correct", "correct"), ("delete", "assert"), (None, "assert")]
)
def test_an_act_that_nobody_knows_is_an_assertion(given, act):
    assert proposed(act=given).act == act


def test_no_is_told_from_yes():
    assert proposed(polarity="-").polarity == "-"
    assert proposed(polarity="?").polarity == "+"


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
