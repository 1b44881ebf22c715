"""Moving in on a real server: the same, and once."""

import pytest

import gieok
from gieok.interop.importers import Whose, import_file
from support import sources
from support.postgres import running


@pytest.fixture(scope="module")
def server():
    with running() as found:
        yield found


def test_what_moves_in_on_a_server_comes_once_and_stays_forgotten(server, tmp_path):
    name = server.database()
    synk, bot = sources.synk(tmp_path / "synk.json"), sources.social(tmp_path / "bot.db")
    with gieok.open(server.address(name), embedder="hashing", upkeep="off") as bank:
        assert import_file(bank, "synk", synk).new == 8
        assert import_file(bank, "social", bot, whose=Whose(character="바라")).new == 5
        luna = bank.scope(user="minsu", character="루나", world="마법학교")
        assert (luna.relationship().affection, len(luna.turns(9))) == (70.0, 2)
        [spider] = [memory for memory in luna.facts() if "거미" in memory.content]
        luna.forget(spider.id)
    with gieok.open(server.address(name), embedder="hashing", upkeep="off") as bank:
        again = sources.synk(tmp_path / "again.json", version=2)
        assert (
            import_file(bank, "synk", again).new
            == import_file(bank, "social", bot, whose=Whose(character="바라")).new
            == 0
        )
        luna = bank.scope(user="minsu", character="루나", world="마법학교")
        assert not any("거미" in memory.content for memory in luna.facts())
        assert bank.scope(character="바라").entity("하늘봇", channel="moltbook").interactions == 12
        assert not bank.verify_audit().findings
