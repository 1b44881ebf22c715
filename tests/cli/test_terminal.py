"""What people said reaches the terminal as letters, never as codes that it obeys."""

import io
import json

import pytest
from rich.table import Table
from rich.text import Text

from gieok.cli.console import Screen, plain, print_json

NASTY = "\x1b]0;x\x07\x1b[2J\r\x9b31m\x7f고양이"
CONTROLS = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} - {"\n", "\t"}
LETIA = ("-u", "minsu", "-c", "letia")


def is_harmless(ran):
    return not CONTROLS & set(ran.out + ran.err)


@pytest.fixture
def told(run):
    """A bank that holds NASTY as a memory and as something said, by a turn with such an id."""
    from gieok.bank import open_bank

    run("observe", NASTY, "-r", NASTY, *LETIA, "--turn-id", "t\x1b[2J")
    with open_bank("gieok.db") as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.remember(NASTY, attribute="likes", value=NASTY, about="친구")
    return run


def memory_id(run):
    return next(fact["id"] for fact in json.loads(run("facts", "--json").out) if fact["content"] == NASTY)


@pytest.mark.parametrize(
    "arguments",
    [
        ("facts",),
        ("facts", "--history"),
        ("facts", "--as-of", NASTY),
        ("facts", "--about", NASTY),
        ("facts", "-u", NASTY),
        ("facts", "--bank", NASTY),
        ("scopes",),
        ("recall", "고양이"),
        ("recall", NASTY),
        ("context", "고양이"),
        ("context", NASTY),
        ("context", NASTY, "--text"),
        ("context", NASTY, "--budget", "1"),
        ("observe", NASTY),
        ("observe", NASTY, "--turn-id", "t\x1b[2J"),
        ("pin", NASTY),
        ("rewind", "t\x1b[2J"),
        ("rewind", NASTY),
        ("relationship",),
        ("relationship", "--history"),
        ("relationship", "--chart", f"{NASTY}.svg"),
        ("relationship", "--chart", NASTY),
        ("people",),
        ("people", NASTY),
        ("people", NASTY, "--same-as", NASTY),
        ("scenes",),
        ("scenes", "--last"),
        ("emotions",),
        ("emotions", "--since", NASTY),
        ("timeline",),
        ("timeline", "--text", NASTY),
        ("maintain", "--dry-run", "--pass", "summarise"),
        ("maintain", "--pass", NASTY),
        ("doctor", "--bank", NASTY),
        (NASTY,),
        ("facts", NASTY),
        ("recall", "고양이", "-k", NASTY),
    ],
)
def test_no_command_passes_control_characters_on(told, arguments):
    assert is_harmless(told(*arguments))


def test_editing_passes_none_on(told):
    assert is_harmless(told("pin", memory_id(told)))
    assert is_harmless(told("correct", memory_id(told), NASTY + "!"))


def test_a_chat_passes_none_on(told):
    ran = told("chat", stdin=f"{NASTY}\n/기억\n/잊어 1\n/취소\n/{NASTY}\n{NASTY}?\n")
    assert ran.code == 0
    assert "고양이" in ran.out
    assert is_harmless(ran)


def test_json_gives_the_text_back_as_it_was_and_is_harmless(told):
    ran = told("facts", "--json")
    assert NASTY in [fact["content"] for fact in json.loads(ran.out)]
    assert is_harmless(ran)


def test_our_own_colours_stay_and_what_was_said_keeps_its_room():
    drawn = io.StringIO()
    screen = Screen(file=drawn, force_terminal=True, color_system="standard", legacy_windows=False, width=40)
    table = Table(box=None, padding=0)
    table.add_column("")
    table.add_row(Text(NASTY, style="red"))
    screen.print(table)
    assert "\x1b[31m]0;x[2J31m고양이\x1b[0m" in drawn.getvalue()


def test_plain_text_keeps_tabs_and_line_feeds_and_can_always_be_written():
    assert plain(NASTY) == "]0;x[2J31m고양이"
    assert plain("탭\t과 줄\n바꿈") == "탭\t과 줄\n바꿈"
    assert plain("\udcff") == "\ufffd"


@pytest.mark.parametrize("turning", ["\u202a", "\u202d", "\u202e", "\u2066", "\u2069"])
def test_nothing_that_was_said_turns_the_writing_round(turning, capsys):
    said = f"비밀번호는{turning} 4321 아님"
    assert plain(said) == "비밀번호는 4321 아님"

    print_json(said)

    written = capsys.readouterr().out
    assert turning not in written
    assert json.loads(written) == said
