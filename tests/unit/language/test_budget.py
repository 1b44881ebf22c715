"""What reads a text stops when its time is over."""

from __future__ import annotations

from threading import Thread

import pytest

from gieok.language.budget import ReadingTooLong, check_time, reading_within


def test_without_a_limit_nothing_is_too_long() -> None:
    check_time()


def test_a_limit_holds_within_a_wider_one_and_ends_with_it() -> None:
    with reading_within(60), pytest.raises(ReadingTooLong), reading_within(-1):
        check_time()
    check_time()


def test_a_wider_limit_within_a_narrow_one_does_not_lift_it() -> None:
    with reading_within(-1), reading_within(60), pytest.raises(ReadingTooLong):
        check_time()


def test_the_limit_of_one_thread_is_not_that_of_another() -> None:
    passed = []

    def other() -> None:
        check_time()
        passed.append(True)

    with reading_within(-1):
        thread = Thread(target=other)
        thread.start()
        thread.join()
    assert passed
