"""Figures: what the engine says, and what it may say tomorrow."""

import re

import pytest

from gieok.http.webhook_dispatcher import RetryPolicy
from gieok.serve.metrics import Metrics


def value(metrics, line):
    found = re.search(rf"^{re.escape(line)} (\S+)$", metrics.text().decode(), re.MULTILINE)
    return None if found is None else float(found[1])


def test_a_word_of_two_parts_becomes_two_labels():
    metrics = Metrics()
    metrics.counted("model_calls", "extract/timeout")
    metrics.counted("model_calls", "extract/timeout", 2)
    assert value(metrics, 'gieok_model_calls_total{outcome="timeout",task="extract"}') == 3


def test_the_longest_hold_up_leaves_out_waits_for_a_processor():
    metrics = Metrics()
    for late, queued in ((0.02, 0.0), (0.2, 0.19), (0.001, 0.0)):
        metrics.beat(late, queued)
    assert value(metrics, "gieok_event_loop_blocked_longest_seconds") == 0.02
    assert value(metrics, 'gieok_event_loop_lag_seconds_bucket{le="0.05"}') == 2


@pytest.mark.parametrize(("tries", "least", "most"), [(1, 4, 6), (2, 12, 18), (3, 36, 54), (14, 2_880, 4_320)])
def test_letters_are_tried_again_ever_later_but_within_the_hour(tries, least, most):
    assert all(least <= RetryPolicy().delay(tries) <= most for _ in range(50))
