import json

from gieok_evals.figures import Extraction, Share, as_json, interval


def test_f1_weighs_what_was_missed_and_what_nobody_said_alike():
    assert Extraction(found=3, missed=1, extra=0).f1 == Extraction(found=3, missed=0, extra=1).f1
    assert Extraction(found=3, missed=1, extra=1).precision == 0.75
    assert Extraction().f1 is None


def test_an_interval_is_drawn_over_whole_scripts_and_repeats_itself():
    scripts = [Share(9, 10), Share(10, 10), Share(2, 10), Share(10, 10)]

    def rate(drawn):
        return sum(drawn, Share()).rate

    low, high = interval(scripts, rate, seed=1)
    assert low < 31 / 40 < high
    assert interval(scripts, rate, seed=1) == (low, high)
    assert interval(scripts[:1], rate) is None


def test_a_share_is_written_with_its_rate():
    assert json.loads(as_json({"contains": Share(1, 3)})) == {"contains": {"hits": 1, "of": 3, "rate": 0.3333}}
    assert json.loads(as_json([Share()])) == [{"hits": 0, "of": 0, "rate": None}]
