"""Where a year's bank is kept while it is lived."""

from __future__ import annotations

from pathlib import Path

from gieok_evals.benches import StoryClock
from gieok_evals.year import living
from gieok_evals.year.generator import START


def lived_in(monkeypatch, memory, room=0):
    """Return the folder of a bank where `memory` is the machine's memory and has to have `room`."""
    monkeypatch.setattr(living, "_MEMORY", memory)
    monkeypatch.setattr(living, "_ROOM", room)
    with living.living(user="지호", character="루나", embedder="hashing", cap=None, clock=StoryClock(START)) as mind:
        return Path(mind._bank.settings.bank).parent.parent


def test_a_year_is_kept_in_memory_where_there_is_room(monkeypatch, tmp_path):
    assert lived_in(monkeypatch, tmp_path) == tmp_path


def test_without_such_a_place_or_without_room_in_it_a_year_is_kept_on_the_disk(monkeypatch, tmp_path):
    assert lived_in(monkeypatch, tmp_path / "none") != tmp_path / "none"
    assert lived_in(monkeypatch, tmp_path, room=2**70) != tmp_path
