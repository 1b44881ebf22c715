from gieok_evals.planted.casting import successors
from gieok_evals.planted.language import Value


def values(*golds):
    return [Value(gold=gold, forms={"v": gold}) for gold in golds]


def golds(slot, old, kind, pool):
    (old,) = values(old)
    return [value.gold for value in successors(slot, old, kind, values(*pool))]


def test_people_grow_one_year_older():
    assert golds("age", "25", "update", ["24", "25", "26", "27", "40"]) == ["26"]
    assert golds("age", "25", "correction", ["24", "25", "26", "27", "40"]) == ["24", "26", "27"]


def test_nobody_grows_thirty_centimetres():
    assert golds("height", "160", "update", ["158", "160", "163", "190"]) == ["158", "163"]


def test_one_marries_before_one_divorces():
    states = ["솔로", "연애중", "이별", "기혼", "이혼"]
    assert golds("relationship_status", "솔로", "update", states) == ["연애중"]
    assert golds("relationship_status", "기혼", "update", states) == ["이혼"]
    assert golds("relationship_status", "솔로", "correction", states) == ["연애중", "이별", "기혼", "이혼"]


def test_a_new_value_can_be_told_from_the_old_one():
    assert golds("favorite.season", "여름", "update", ["한여름", "늦여름", "가을", "여름"]) == ["가을"]
