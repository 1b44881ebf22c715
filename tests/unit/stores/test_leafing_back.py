"""What is kept of what was read: the newest turns, which every question looks at, and not every page of a long talk."""

from pathlib import Path

import gieok


def test_whoever_leafs_back_has_no_page_kept_for_them(tmp_path: Path) -> None:
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        for number in range(4):
            letia.observe(f"오늘은 {number}번째 날이야", reply="그래?")

        assert letia.turns(2)[0] is letia.turns(2)[0]
        assert letia.turns(2, before=4)[0] is not letia.turns(2, before=4)[0]
        assert letia.turns(2, before=4) == letia.turns(4)[1:3]
