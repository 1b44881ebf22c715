"""What models were asked: counted by day, task, model and outcome."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gieok.domain.answer import ModelCall
from gieok.ports import Store
from gieok.testing.builders import WALL
from gieok_contract.base import Contract, Reopen

CALL = ModelCall(
    task="extract", model="작은 모델", at=WALL, seconds=0.5, prompt_tokens=100, answer_tokens=20, cost=0.25
)


class ModelCalls(Contract):
    """What a store counts of the calls of models."""

    def test_a_bank_that_never_asked_a_model_has_no_calls(self, store: Store) -> None:
        assert store.model_calls() == []

    def test_calls_of_one_day_task_model_and_outcome_add_up(self, store: Store) -> None:
        store.note_call(CALL)
        store.note_call(CALL)
        (summed,) = store.model_calls()
        assert (summed.day, summed.task, summed.model, summed.failure) == (
            WALL.date().isoformat(), "extract", "작은 모델", None,
        )  # fmt: skip
        assert (summed.calls, summed.prompt_tokens, summed.answer_tokens) == (2, 200, 40)
        assert summed.seconds == pytest.approx(1.0)
        assert summed.cost == pytest.approx(0.5)

    def test_failures_and_other_days_are_counted_apart(self, store: Store) -> None:
        store.note_call(CALL)
        store.note_call(ModelCall(task="extract", model="작은 모델", at=WALL, seconds=30.0, failure="timeout"))
        store.note_call(ModelCall(task="extract", model="작은 모델", at=WALL + timedelta(days=1), seconds=1.0))
        assert [(each.failure, each.calls) for each in store.model_calls()] == [(None, 1), ("timeout", 1), (None, 1)]

    def test_calls_outlive_the_handle(self, store: Store, reopen: Reopen) -> None:
        store.note_call(CALL)
        assert [each.calls for each in reopen().model_calls()] == [1]
