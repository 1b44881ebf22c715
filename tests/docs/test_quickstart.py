"""The quick start works as it stands, in both languages: its programs run, and its commands find what they made."""

import io
import re
import sys

import pytest

import gieok
from gieok.cli import main
from support.pages import DOCS, blocks, shell_lines, typed
from support.proxied import proxied

PAGES = ["quickstart.md", "quickstart.ko.md"]
WAITS_FOR_OTHERS = ("serve", "--llm")  #: a server, and a model


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_run_and_the_commands_find_what_they_made(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")  # the same programs run with the encoder in test_readme
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    text = (DOCS / page).read_text(encoding="utf-8")
    program: dict = {}
    for line, code in blocks(text):
        if "openai" not in code:
            exec(compile("\n" * (line - 1) + code, page, "exec"), program)
    said = capsys.readouterr().out
    (shown,) = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert [line for line in shown.splitlines() if line != "…" and line not in said.splitlines()] == []
    ran = []
    for words in (words for line in shell_lines(text) for words in typed(line)):
        if words[0] == "doctor" or set(words) & set(WAITS_FOR_OTHERS):
            continue  # what the doctor finds is the machine's
        monkeypatch.setattr(sys, "argv", ["gieok", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, words
        ran.append((words[0], capsys.readouterr().out))
    assert [name for name, _ in ran] == ["facts", "recall", "context", "chat"]
    assert all("고양이" in said for name, said in ran if name != "chat")
    assert "3가지를 기억하고" in ran[-1][1]


@pytest.mark.parametrize("page", PAGES)
def test_the_client_of_openai_hears_of_the_allergy(page, tmp_path, capsys):
    (code,) = [code for _, code in blocks((DOCS / page).read_text(encoding="utf-8")) if "openai" in code]
    with proxied(tmp_path) as chat:
        chat.mind(user="minsu").observe("나 땅콩 알레르기 있어")
        exec(compile(code.replace("http://127.0.0.1:8420/v1", chat.url), page, "exec"), {})
        assert "땅콩 알레르기가 있음" in chat.model.asked[-1].text
    assert capsys.readouterr().out == "좋아요.\n"


def test_the_preset_of_the_page_is_one():
    assert gieok.Settings().as_preset("heroine").preset == "heroine"
