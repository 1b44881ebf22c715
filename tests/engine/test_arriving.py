"""What other systems remember moves in: whole, once, and never over what is here."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.errors import InvalidImport, InvalidQuery
from gieok.interop.importers import Report, Whose, import_file
from support import foreign_files, sources

LETIA = Whose(user="minsu", character="letia")
Kind = tuple[str, Callable[[Path], Path], Whose]


def tavern(path: Path) -> Path:
    files = foreign_files
    said = (files.by("레티아", "어서 와!"), files.by_user("나 고양이 좋아해"), files.by("레티아", "나도!"))
    return files.lines_file(path, files.chat_head(), *said)


def lorebook(path: Path) -> Path:
    entry = {"content": "마법학교는 북쪽에 있다", "key": ["마법학교"]}
    return foreign_files.json_file(path, foreign_files.world_info(entry))


def risu(path: Path) -> Path:
    said = ({"role": "user", "data": "안녕"}, {"role": "char", "data": "반가워"})
    return foreign_files.json_file(path, foreign_files.risu_chat(*said))


def card(path: Path) -> Path:
    smile = foreign_files.face("joy", foreign_files.data_uri())
    return foreign_files.json_file(path, foreign_files.card_v3(description="아카데미의 학생이다.", assets=[smile]))


KINDS: dict[str, Kind] = {
    "mem0": ("mem0", lambda folder: sources.mem0(folder / "mem0.json"), Whose()),
    "social": ("social", lambda folder: sources.social(folder / "bot.db"), Whose(character="바라")),
    "synk": ("synk", lambda folder: sources.synk(folder / "synk.json"), Whose()),
    "meowchat json": ("meowchat", lambda folder: sources.meowchat(folder / "store.json"), Whose(character="meow")),
    "meowchat chroma": ("meowchat", lambda folder: sources.chroma(folder / "vectors"), Whose(character="meow")),
    "vtuber": ("vtuber", lambda folder: sources.vtuber(folder / "chat.db"), LETIA),
    "sillytavern": ("sillytavern", lambda folder: tavern(folder / "chat.jsonl"), Whose()),
    "worldinfo": ("worldinfo", lambda folder: lorebook(folder / "world.json"), Whose(world="학교")),
    "risuai": ("risuai", lambda folder: risu(folder / "risu.json"), LETIA),
    "card": ("card", lambda folder: card(folder / "card.json"), Whose()),
}
COMES = {
    "mem0": {"memories": 3},
    "social": {"memories": 3, "people": 2},
    "synk": {"exchanges": 2, "memories": 5, "relationships": 1},
    "meowchat json": {"memories": 3},
    "meowchat chroma": {"memories": 2},
    "vtuber": {"exchanges": 2, "memories": 2, "candidates": 1},
    "sillytavern": {"exchanges": 2},
    "worldinfo": {"memories": 1},
    "risuai": {"exchanges": 1},
    "card": {"memories": 1},
}


@pytest.fixture
def bank(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep="off") as opened:
        yield opened


def counted(report: Report, *, new: bool) -> dict[str, int]:
    found: dict[str, int] = {}
    for moved in report.scopes:
        for what, tally in moved.tallies.items():
            found[what] = found.get(what, 0) + (tally.new if new else tally.there)
    return found


def versions(bank: MemoryBank) -> dict[Scope, int]:
    found = {}
    for summary in bank.scopes():
        with bank.store.view(summary.scope) as view:
            found[summary.scope] = view.version
    return found


@pytest.mark.parametrize("name", KINDS)
def test_it_arrives_once_however_often_it_is_imported_and_a_dry_run_writes_nothing(name, bank, tmp_path):
    kind, made, whose = KINDS[name]
    source = made(tmp_path)
    before = (source if source.is_file() else source / "chroma.sqlite3").read_bytes()

    tried = import_file(bank, kind, source, whose=whose, dry_run=True)
    assert versions(bank) == {}
    came = import_file(bank, kind, source, whose=whose)
    after = versions(bank)
    again = import_file(bank, kind, source, whose=whose)
    dry = import_file(bank, kind, source, whose=whose, dry_run=True)

    assert counted(tried, new=True) == counted(came, new=True) == COMES[name]
    assert counted(again, new=False) == counted(dry, new=False) == COMES[name]
    assert (again.new, dry.new) == (0, 0)
    assert versions(bank) == after
    assert (source if source.is_file() else source / "chroma.sqlite3").read_bytes() == before, "the source stays"
    assert not bank.verify_audit().findings


def test_importance_dates_tags_and_what_is_over_come_along(bank, tmp_path):
    past = sources.mem0_record(5, "부산에 살았다", id="old")
    past["metadata"] = {"importance": 2, "valid_at": "2020-01-01", "invalid_at": "2022-01-01T00:00:00Z"}
    first = sources.mem0_record(0, "고양이 나비를 키운다", categories=["caution"], run_id="r7")
    import_file(bank, "mem0", sources.json_file(tmp_path / "m.json", [first, past]))

    letia = bank.scope(user="minsu", character="letia")
    [now] = letia.facts()
    assert (now.content, now.importance, now.pinned, now.origin) == ("고양이 나비를 키운다", 0.7, True, "import")
    assert now.tags == ("caution", "run:r7")
    assert now.valid_at == now.known_at == datetime(2025, 1, 1, 17, tzinfo=UTC)
    [over] = letia.facts(as_of=datetime(2021, 1, 1, tzinfo=UTC))
    assert (over.importance, over.invalid_at) == (0.2, datetime(2022, 1, 1, tzinfo=UTC))


def test_the_bots_acquaintances_keep_their_counts_topics_and_sentiment(bank, tmp_path):
    import_file(bank, "social", sources.social(tmp_path / "bot.db"), whose=Whose(character="바라"))

    bot = bank.scope(character="바라")
    sky = bot.entity("하늘봇", channel="moltbook")
    assert (sky.interactions, sky.sentiment_label(), sky.summary) == (12, "positive", "기술 이야기를 좋아한다")
    assert [(note.text, note.times) for note in sky.interests] == [("AI 윤리", 2), ("고양이", 1)]
    assert sky.first_seen == datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert bot.entity("심술이", channel="moltbook").sentiment_label() == "negative"


def test_what_the_bot_gathered_keeps_its_words_categories_and_marks_and_its_answers_are_episodes(bank, tmp_path):
    import_file(bank, "social", sources.social(tmp_path / "bot.db"), whose=Whose(character="바라"))

    forum, festival, answer = sorted(bank.scope(character="바라").facts(), key=lambda memory: memory.valid_at)
    assert (forum.content, forum.speaker, forum.importance) == ("부산에서 AI 윤리 포럼이 열린다", "하늘봇", 0.8)
    assert forum.tags == ("AI", "포럼", "moltbook")
    assert festival.content == "떡볶이 축제\n대구에서 열린다"
    assert (answer.kind, answer.content_type, answer.importance) == ("episodic", "event", 1.0)
    assert answer.content == "고양이가 밥을 안 먹어요\n→ 먼저 물을 바꿔 줘 보세요"
    assert answer.tags == ("good_example", "comment", "moltbook", "reply_count:3", "upvote_count:5")


def test_vectors_are_kept_where_the_embedder_is_the_banks_own_and_made_anew_where_not(bank, tmp_path):
    own = [1.0] + [0.0] * (bank.embedder.dimension - 1)
    row = {
        "platform": "x",
        "timestamp": "2025-01-01",
        "content": "부산에서 포럼이 열린다",
        "embedding": sources.floats(own),
    }
    source = sources.sqlite_file(tmp_path / "bot.db", sources.SOCIAL, collected_info=[row])
    import_file(bank, "social", source, whose=Whose(character="같은", embedder=bank.embedder.name))
    import_file(bank, "social", source, whose=Whose(character="다른", embedder="nomic-embed-text"))

    rows = {}
    for name in ("같은", "다른"):
        mind = bank.scope(character=name)
        with bank.store.view(mind.key) as view:
            [rows[name]] = view.vectors([memory.id for memory in mind.facts()]).values()
    assert rows["같은"].ravel().tolist() == own
    assert rows["다른"].ravel().tolist() != own


def test_the_documents_of_a_chroma_folder_are_pinned_where_they_keep_a_cat_safe(bank, tmp_path):
    import_file(bank, "meowchat", sources.chroma(tmp_path / "vectors"), whose=Whose(character="meow"))

    allergy, liking = bank.scope(user="minsu", character="meow").facts()
    assert (allergy.content, allergy.pinned, allergy.importance) == ("나비는 닭고기 알레르기가 있음", True, 0.95)
    assert (allergy.content_type, allergy.tags, allergy.valid_at.year) == ("constraint", ("allergy",), 2025)
    assert (liking.content_type, liking.pinned) == ("preference", False)


def test_each_profile_of_meow_chat_is_a_user_of_its_own_and_each_cat_keeps_its_name(bank, tmp_path):
    import_file(bank, "meowchat", sources.meowchat(tmp_path / "store.json"), whose=Whose(character="meow"))

    drug, vaccine = bank.scope(user="minsu", character="meow").facts()
    assert (drug.subject_id, drug.pinned, drug.tags) == ("나비", True, ("contraindication", "약"))
    assert vaccine.valid_at == datetime(2024, 3, 1, tzinfo=UTC)  # in milliseconds
    assert [memory.content for memory in bank.scope(user="jiyu", character="meow").facts()] == ["보리는 창가를 좋아함"]


def test_what_synk_scoped_by_session_is_found_by_it_and_goes_to_the_user_and_the_work(bank, tmp_path):
    import_file(bank, "synk", sources.synk(tmp_path / "synk.json"))

    assert [summary.scope for summary in bank.scopes()] == [Scope(user="minsu", character="루나", world="마법학교")]
    luna = bank.scope(user="minsu", character="루나", world="마법학교")
    facts = {memory.content: memory for memory in luna.facts()}
    assert (facts["이름: 김민수"].attribute, facts["이름: 김민수"].value) == ("name", "김민수")
    assert (facts["나이: 20살"].attribute, facts["나이: 20살"].value) == ("age", "20")
    spider = facts["민수가 거미를 보고 놀랐다"]
    assert (spider.interpretation, spider.kind, spider.strength) == ("거미를 정말 무서워하는구나", "emotional", 0.7)
    assert (spider.mentions, spider.emotion_intensity, spider.importance) == (2, 0.8, 0.9)
    standing = luna.relationship()
    assert (standing.affection, standing.trust, standing.level, standing.turns) == (70.0, 45.0, "friend", 2)
    said = [[line.text for line in turn.utterances] for turn in luna.turns(5)]
    assert said == [["어서 와!"], ["나 고양이 좋아해", "나도!"]]


def test_an_older_record_of_nobodys_session_goes_where_the_caller_says(bank, tmp_path):
    lost = {"id": "cm9", "sessionId": "s9", "characterId": "char1", "originalEvent": "별을 보았다", "importance": 0.5}
    source = sources.synk(tmp_path / "synk.json", characterMemories=[lost], relationships=[], messages=[])

    with pytest.raises(InvalidImport, match=r"characterMemories 1: nothing says whose session 's9' is; .*--user"):
        import_file(bank, "synk", source)
    import_file(bank, "synk", source, whose=Whose(user="jiyu", world="정원"))
    assert [memory.content for memory in bank.scope(user="jiyu", character="루나", world="정원").facts()] == [
        "별을 보았다"
    ]


def test_turns_slots_and_candidates_of_the_desktop_character_arrive_as_what_they_were(bank, tmp_path):
    report = import_file(bank, "vtuber", sources.vtuber(tmp_path / "chat.db"), whose=LETIA)

    letia = bank.scope(user="minsu", character="letia")
    promise, food = [fact for fact in letia.facts() if fact.origin == "import"]
    assert (promise.content, promise.content_type, promise.pinned) == (
        "영화 약속: 토요일에 영화를 보기로 했다",
        "promise",
        True,
    )
    assert (promise.certainty, promise.emotion_intensity, promise.importance) == (0.9, 0.6, 0.82)
    assert food.content == "음식: 떡볶이"
    turn = letia.turns(1)[0]
    assert (turn.session, turn.at) == ("default", datetime(2025, 4, 1, 10, 2, tzinfo=UTC))
    assert report.reasons() == [("it was promoted, and is imported as its slot", 1, "row 1 of memory_candidates")]
    with bank.store.view(letia.key) as view:
        weighed = [decision for each in view.operations() for decision in each.decisions if not decision.changes]
    assert [(each.claim.content, each.why) for each in weighed] == [("날씨: 비가 온다고 했다", "trifling")]


def test_what_was_forgotten_superseded_erased_or_taken_back_does_not_come_again(bank, tmp_path):
    source = sources.synk(tmp_path / "synk.json")
    import_file(bank, "synk", source)
    luna = bank.scope(user="minsu", character="루나", world="마법학교")
    facts = {memory.content: memory for memory in luna.facts()}
    luna.forget(facts["민수가 거미를 보고 놀랐다"].id)
    luna.observe("나 이제 스물한 살이야", at=datetime(2026, 3, 1, tzinfo=UTC))
    luna.rewind(luna.turns(3)[0].id)
    bank.scrub([luna.key])
    bank.erase(user="minsu", character="루나", world="마법학교", matching="축제")
    left = {memory.content for memory in luna.facts()}
    before = versions(bank)

    changed = sources.synk(tmp_path / "other.json", version=2)  # the same things, another file
    report = import_file(bank, "synk", changed)

    assert report.new == 0
    assert {memory.content for memory in luna.facts()} == left
    assert not any("거미" in content or "축제" in content for content in left)
    assert [memory.value for memory in luna.facts(attribute="age")] == ["21"]
    assert {scope: version - 1 for scope, version in versions(bank).items()} == before, "only that the file was there"


def test_nothing_that_is_here_is_overwritten(bank, tmp_path):
    bot = bank.scope(character="바라")
    bot.observe("안녕, 나는 하늘봇이야", speaker="하늘봇", channel="moltbook", at=datetime(2026, 1, 1, tzinfo=UTC))
    known = bot.entity("하늘봇", channel="moltbook")
    luna = bank.scope(user="minsu", character="루나", world="마법학교")
    luna.remember("나이: 31살", attribute="age", value="31살", at=datetime(2026, 6, 1, tzinfo=UTC))
    luna.observe("안녕", at=datetime(2026, 6, 1, tzinfo=UTC))
    stood = luna.relationship()

    import_file(bank, "social", sources.social(tmp_path / "bot.db"), whose=Whose(character="바라"))
    import_file(bank, "synk", sources.synk(tmp_path / "synk.json"))

    assert bot.entity("하늘봇", channel="moltbook") == known
    assert [memory.value for memory in luna.facts(attribute="age")] == ["31"]
    assert luna.relationship().affection < stood.affection + 5, "it grows by what was said, and is not set to 70"


def test_a_rewind_of_what_was_said_before_leaves_what_moved_in_as_it_came(bank, tmp_path):
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 라면 좋아해", turn_id="t1", at=datetime(2024, 1, 1, tzinfo=UTC))
    import_file(bank, "mem0", sources.mem0(tmp_path / "m.json"))
    came = [memory for memory in letia.facts() if memory.origin == "import"]
    letia.rewind("t1")
    assert [memory for memory in letia.facts() if memory.origin == "import"] == [
        replace(memory, touched_turn=0) for memory in came
    ]


def test_a_copy_and_an_export_know_what_moved_in(bank, tmp_path):
    source = sources.synk(tmp_path / "synk.json")
    import_file(bank, "synk", source)
    bank.export(user="minsu", to=tmp_path / "minsu.zip")
    with gieok.open(tmp_path / "other.db", embedder="hashing", upkeep="off") as other:
        [taken] = other.import_export(tmp_path / "minsu.zip")
        assert taken.fate == "new"
        assert other.mind(taken.scope).facts() == bank.mind(taken.scope).facts()
        assert other.mind(taken.scope).relationship() == bank.mind(taken.scope).relationship()
        assert import_file(other, "synk", source).new == 0


def test_two_who_import_the_same_at_once_import_it_once(bank, tmp_path):
    source = sources.mem0(tmp_path / "m.json", count=12)
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: import_file(bank, "mem0", source), range(2)))
    assert sum(report.new for report in reports) == 12
    letia = bank.scope(user="minsu", character="letia")
    with bank.store.view(letia.key) as view:
        assert len(view.imported_operations()) == 13, "each thing, and the source"


def test_personal_data_is_masked_and_what_is_too_long_is_left_out_and_named(bank, tmp_path):
    records = [sources.mem0_record(9, "전화번호는 010-1234-5678이다"), sources.mem0_record(1, "가" * 8_001)]
    report = import_file(bank, "mem0", sources.json_file(tmp_path / "m.json", records))
    [memory] = bank.scope(user="minsu", character="letia").facts()
    assert "010-1234-5678" not in memory.content
    assert report.reasons() == [("it has more than 8,000 characters", 1, "memory 2")]


KILLED = """
import os, signal, sys
import gieok
from gieok.interop.importers import Whose, import_file
def stop(done, total):
    if done == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
with gieok.open(sys.argv[1], embedder="hashing", upkeep="off") as bank:
    import_file(bank, "vtuber", sys.argv[2], whose=Whose(user="minsu", character="letia"), progress=stop)
"""


OPTIONS = {"embedder": "hashing", "upkeep": "off"}


@pytest.mark.check
@pytest.mark.parametrize(("stop_at", "stored"), [(64, 64), (80, 80), (112, 80)])
def test_an_import_that_was_killed_goes_on_where_it_stopped(tmp_path, stop_at, stored):
    source = sources.vtuber(tmp_path / "chat.db", turns=80)
    place, whole = tmp_path / "bank.db", tmp_path / "whole.db"
    # 80 turns and 3 other items; the first 64 turns are stored together, and are to be read, too
    died = subprocess.run([sys.executable, "-c", KILLED, str(place), str(source), str(stop_at)], check=False)
    assert died.returncode == -signal.SIGKILL

    with gieok.open(place, **OPTIONS) as bank, gieok.open(whole, **OPTIONS) as other:
        report = import_file(bank, "vtuber", source, whose=LETIA)
        import_file(other, "vtuber", source, whose=LETIA)
        letia, same = (each.scope(user="minsu", character="letia") for each in (bank, other))
        assert [turn.utterances[0].text for turn in letia.turns(99)] == [f"나 라면 {n}번 먹었어" for n in range(1, 81)]
        assert not any(letia.observed(turn.id).unread for turn in letia.turns(99))
        assert [each.content for each in letia.facts()] == [each.content for each in same.facts()]
        assert letia.relationship() == same.relationship()
    assert (counted(report, new=False), counted(report, new=True)) == (
        {"exchanges": stored, "memories": 0, "candidates": 0},
        {"exchanges": 80 - stored, "memories": 2, "candidates": 1},
    )


def broken_json(folder: Path) -> Path:
    path = sources.mem0(folder / "broken.json")
    path.write_text(path.read_text(encoding="utf-8").replace('"id": "m2"', '"id": m2'), encoding="utf-8")
    return path


def broken_line(folder: Path) -> Path:
    path = folder / "broken.jsonl"
    path.write_text('{"id": "a", "memory": "하나", "user_id": "minsu"}\n{"id": "b", "memory": ', encoding="utf-8")
    return path


def broken_row(folder: Path) -> Path:
    rows = [{"platform": "x", "content": "하나", "timestamp": stamp} for stamp in ("2025-01-01", "어제")]
    return sources.sqlite_file(folder / "broken.db", sources.SOCIAL, collected_info=rows)


def cut_off(folder: Path) -> Path:
    path = sources.social(folder / "cut.db")
    path.write_bytes(path.read_bytes()[:5_000])
    return path


def linked(folder: Path) -> Path:
    (folder / "minsu.json").symlink_to(sources.meowchat(folder.parent / "outside.json"))
    return folder


@pytest.mark.parametrize(
    ("kind", "made", "told"),
    [
        ("mem0", broken_json, r"broken\.json, line 34: it is not JSON .*; nothing was imported"),
        ("mem0", broken_line, r"broken\.jsonl, line 2: it is not JSON .*; nothing was imported"),
        ("social", broken_row, r"row 2 of collected_info: '어제' is not a time; nothing was imported"),
        ("social", cut_off, r"cannot be read.*; nothing was imported"),
        ("social", lambda folder: sources.mem0(folder / "m.json"), r"is not an SQLite file, or is encrypted"),
        ("vtuber", lambda folder: sources.social(folder / "bot.db"), r"has none of the tables chat_turns"),
        ("mem0", lambda folder: folder / "nowhere.json", r"there is no file or folder"),
        ("meowchat", lambda folder: folder, r"contains neither chroma\.sqlite3 nor JSON files"),
        ("meowchat", linked, r"is outside the folder"),
    ],
)
def test_a_broken_source_imports_nothing_and_says_where(kind, made, told, bank, tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    with pytest.raises(InvalidImport, match=told):
        import_file(bank, kind, made(folder), whose=Whose(user="minsu", character="바라"))
    assert versions(bank) == {}


def test_an_unknown_kind_and_a_missing_name_are_told(bank, tmp_path):
    with pytest.raises(InvalidQuery, match="unknown kind of source 'tavern'; choose one of social"):
        import_file(bank, "tavern", tmp_path)
    with pytest.raises(InvalidImport, match="give its name with --character"):
        import_file(bank, "social", sources.social(tmp_path / "bot.db"))


def test_a_source_that_its_owner_still_writes_to_is_read_with_its_log(bank, tmp_path):
    source = sources.social(tmp_path / "bot.db")
    import apsw

    writing = apsw.Connection(str(source))
    writing.execute("PRAGMA journal_mode = WAL").fetchall()
    writing.execute("INSERT INTO collected_info (platform, content) VALUES ('x', '방금 알게 된 것')").fetchall()
    assert os.path.getsize(f"{source}-wal")
    report = import_file(bank, "social", source, whose=Whose(character="바라"))
    writing.close()
    assert counted(report, new=True) == {"memories": 4, "people": 2}


def test_one_source_may_move_in_with_two(bank, tmp_path):
    source = sources.vtuber(tmp_path / "chat.db")
    for user in ("minsu", "jiyu"):
        assert import_file(bank, "vtuber", source, whose=Whose(user=user, character="유나")).new == 5
    ids = [turn.id for user in ("minsu", "jiyu") for turn in bank.scope(user=user, character="유나").turns(9)]
    assert len(set(ids)) == 4


def test_whoever_calls_themself_as_the_bot_is_called_is_not_the_bot(bank, tmp_path):
    met = {"platform": "x", "first_seen_at": "2025-01-01", "last_interaction_at": "2025-01-01", "entity_name": "바라"}
    said = [{"platform": "x", "content": f"{name}의 말", "author": name} for name in ("바라", "user")]
    source = sources.sqlite_file(tmp_path / "bot.db", sources.SOCIAL, bot_memory=[met], collected_info=said)
    import_file(bank, "social", source, whose=Whose(character="바라"))
    bot = bank.scope(character="바라")
    assert bot.entity("@바라", channel="x").name == "@바라"
    assert {memory.speaker for memory in bot.facts()} == {"@바라", "@user"}


def test_a_memory_of_mem0_goes_to_its_user_agent_or_run_and_else_to_whom_the_caller_names(bank, tmp_path):
    nobody = {"user_id": None, "agent_id": None}
    run = sources.mem0_record(0, "실험을 했다", **nobody, run_id="r1")
    import_file(bank, "mem0", sources.json_file(tmp_path / "run.json", [run]))
    assert [summary.scope for summary in bank.scopes()] == [Scope(world="r1")]
    source = sources.json_file(tmp_path / "nobody.json", [sources.mem0_record(1, "비가 왔다", **nobody)])
    with pytest.raises(InvalidImport, match=r"memory 1: nothing says whose it is; name it with --user"):
        import_file(bank, "mem0", source)
    assert import_file(bank, "mem0", source, whose=Whose(user="jiyu")).scopes[0].scope == Scope(user="jiyu")


def test_what_left_for_mem0_comes_back_as_what_it_was(bank, tmp_path):
    from gieok.interop.exporters import mem0_results

    letia = bank.scope(user="minsu", character="letia")
    letia.remember("땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩", at=datetime(2025, 1, 1, tzinfo=UTC))
    path = tmp_path / "left.json"
    path.write_bytes(b"".join(mem0_results(bank, [letia.key])))
    with gieok.open(tmp_path / "other.db", embedder="hashing", upkeep="off") as other:
        assert import_file(other, "mem0", path).new == 1
        [back] = other.scope(user="minsu", character="letia").facts()
    assert (back.attribute, back.value, back.pinned) == ("allergy", "땅콩", True)
    stolen = path.read_text(encoding="utf-8").replace('"user_id": "minsu"', '"user_id": "jiyu"')
    path.write_text(stolen, encoding="utf-8")
    with pytest.raises(InvalidImport, match="it belongs to another user"):
        import_file(bank, "mem0", path)
