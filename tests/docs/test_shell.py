"""What the pages type into a shell works, in the order in which they type it, on a bank with a story in it."""

import io
import shutil
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

import gieok
from gieok.cli import main
from gieok.cli.app import app_for
from support import sources
from support.pages import section, shell_lines, typed

#: (page, section); the commands of an export are run in test_examples.py
PAGES = [
    ("../README.md", None),
    ("../README.ko.md", None),
    ("privacy-and-erasure.md", "Audit log"),
    ("privacy-and-erasure.md", "Encryption"),
    ("privacy-and-erasure.md", "Erasure and retention"),
    ("serve.md", "Access"),
    ("serve.md", "Operations"),
    ("serve.md", "Sizing"),
    ("storage.md", "Backup and restore"),
    ("tuning.md", None),
]
ELSEWHERE = {"serve", "doctor", "bench", "eval"}  #: they wait for others, look at the machine, or measure for minutes
STORY = (
    "나 고양이 좋아해",
    "나 부산에 살아",
    "친구 지훈이랑 부산에서 놀았어. 너무 즐거웠어!",
    "내 비밀은 보라색우산이야",
)
BEGUN = datetime(2026, 3, 1, 20, tzinfo=ZoneInfo("Asia/Seoul"))


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a bank in a file, and the end of the id of a memory in it that was put right once."""
    path = tmp_path_factory.mktemp("story") / "gieok.db"
    with gieok.open(path, embedder="hashing") as opened:
        letia = opened.scope(user="minsu", character="letia")
        for number, said in enumerate(STORY):
            context = letia.context(said)
            at = BEGUN + timedelta(days=number)
            letia.observe(said, reply="그랬군요!", turn_id=f"turn-{number}", context=context, at=at)
        [memory] = letia.facts(about="user", attribute="residence")
        letia.correct(memory.id, "해운대에 삶", value="해운대")
    return path, memory.id


@pytest.mark.parametrize(("page", "title"), PAGES)
def test_every_command_of_a_page_works_where_a_story_was_told(page, title, bank, tmp_path, monkeypatch, capsys):
    text = section(page, title)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    shutil.copy(bank[0], tmp_path)
    (tmp_path / "key.txt").write_text("열쇠", encoding="utf-8")
    (tmp_path / "key.txt").chmod(0o600)
    names = {"TURN_ID": "turn-3", "4zj-0": bank[1]}
    ran = 0
    for words in (words for line in shell_lines(text) for words in typed(line)):
        if words[0] in ELSEWHERE or words[:3] == ["facts", "--user", "user"]:
            continue  # the last is what a chat client was told, in test_proxy
        if "CERTIFICATE_ID" in words:
            with gieok.open("gieok.db", embedder="hashing") as opened:
                names["CERTIFICATE_ID"] = opened.certificates(1)[0].id
        monkeypatch.setattr(sys, "argv", ["gieok", *(names.get(word, word) for word in words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, (words, capsys.readouterr().err)
        ran += 1
        if "--everything" in words:
            shutil.copy(bank[0], tmp_path)  # what follows is about a user who is there
    assert ran


def test_every_import_command_works_on_files_of_these_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    (tmp_path / "data").mkdir()
    sources.mem0(tmp_path / "memories.json")
    sources.social(tmp_path / "bot.db")
    sources.synk(tmp_path / "synk.json")
    sources.meowchat(tmp_path / "memory.json")
    sources.chroma(tmp_path / "data" / "vectors")
    sources.vtuber(tmp_path / "chat.db")
    lines = shell_lines(section("importing-and-exporting.md", "Import from another system"))
    assert lines
    for arguments in (words for line in lines for words in typed(line)):
        ran = CliRunner().invoke(app_for(arguments), arguments)
        assert ran.exit_code == 0, f"{arguments}: {ran.output}"
        assert "memories" in ran.stdout
