"""The walk through every public call, on a server: no word of another scope there either."""

from collections.abc import Callable
from pathlib import Path

from support.walk_calls import walk_about, walking


def test_nothing_of_another_scope_comes_from_a_server(
    database, tmp_path: Path, counts: Callable[[int, int], int]
) -> None:
    with walking(database, tmp_path) as walk:
        walk_about(walk, counts(1, 20))
