from datetime import UTC, datetime

import pytest

from gieok.ports.endpoints import Cooldown, retry_after, shared_cooldown

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Seconds:
    """A clock that goes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_cool_down_ends_by_itself():
    clock = Seconds()
    cooldown = Cooldown(clock)
    assert cooldown.left == 0
    cooldown.rest(60, "429")
    clock.now += 59
    assert cooldown.left == 1
    clock.now += 1
    assert cooldown.left == 0


def test_a_shorter_one_does_not_cut_a_longer_one_short():
    cooldown = Cooldown(Seconds())
    cooldown.rest(60, "429")
    cooldown.rest(2, "429")
    assert cooldown.left == 60


@pytest.mark.parametrize(("asked", "kept"), [(-1.0, 0.0), (86_400.0, 600.0)])
def test_what_an_endpoint_asks_for_has_bounds(asked, kept):
    cooldown = Cooldown(Seconds())
    cooldown.rest(asked, "429")
    assert cooldown.left == kept


def test_one_endpoint_has_one_cool_down():
    assert shared_cooldown("http://one/v1", "chat") is shared_cooldown("http://one/v1/", "chat")
    assert shared_cooldown("http://one/v1", "chat") is not shared_cooldown("http://two/v1", "chat")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("Sun, 15 Nov 2026 12:00:20 GMT", 20.0),
        ("Sun, 15 Nov 2026 11:00:00 GMT", 0.0),
        ("Sun, 15 Nov 2026 12:00:20", 20.0),
        ("나중에", None),
        ("nan", None),
        ("", None),
    ],
)
def test_a_header_is_read_as_seconds_or_as_a_date(header, seconds):
    assert retry_after(header, NOON) == seconds


def test_failures_in_a_row_lengthen_the_rest_up_to_a_bound_and_an_answer_ends_the_row():
    cooldown = Cooldown()
    assert cooldown.left == 0.0
    assert [cooldown.failed(5.0, "it is down") for _ in range(4)] == [1.0, 2.0, 4.0, 5.0]
    assert cooldown.left > 0.0
    assert cooldown.why == "it is down"
    cooldown.answered()
    assert cooldown.failed(5.0, "again") == 1.0
    assert cooldown.rest(1e9, "enough") == 600.0
