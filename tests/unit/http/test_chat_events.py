"""Events of a turn as they go over the wire."""

from __future__ import annotations

import gieok
from gieok.conversation.events import MemoryUpdate
from gieok.http.replies import event_data


def decided(mind, *texts):
    observed = [mind.observe(text) for text in texts][-1]
    name, data = event_data(MemoryUpdate(observed=observed), observed.turn.id)
    assert name == "memory_update"
    return [(each["decision"], each["memory"] and each["memory"]["value"], each["why"]) for each in data["decisions"]]


def test_what_was_remembered_changed_and_closed_is_told(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        assert decided(letia, "나 스물다섯 살이야") == [("remembered", "25", None)]
        assert decided(letia, "나 스물다섯 살이야") == [("reinforced", "25", None)]
        observed = letia.observe("나 이제 스물여섯 살이야")
        [decision] = event_data(MemoryUpdate(observed=observed), "t")[1]["decisions"]
        assert (decision["decision"], [each["value"] for each in decision["closed"]]) == ("superseded", ["25"])


def test_what_was_ignored_is_told_with_the_reason(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing", promote_threshold=0.99) as bank:
        letia = bank.scope(user="minsu", character="letia")
        assert decided(letia, "나 고양이 좋아해") == [("ignored", None, "below_threshold")]
