"""The walk by commands: whoever names a scope is shown that one, and not a word of another.

A new command is walked here, or it is said why it needs not be.
"""

import random

import pytest

from gieok.cli.app import PANELS
from support.walking import leaked, places

#: What each command is asked: {word} is a secret of the scope, {head} the beginning of anybody's.
WALKED = {
    "observe": ["나 {word} 좋아해", "--reply", "{word}요?", "--at", "2026-03-02T20:00"],
    "recall": ["{head}"],
    "context": ["{head} 기억해?"],
    "trace": ["{turn}"],
    "facts": ["--history"],
    "about-me": [],
    "relationship": [],
    "people": [],
    "scenes": [],
    "emotions": [],
    "timeline": [],
    "correct": ["{memory}", "{word}를 싫어함"],
    "pin": ["{memory}"],
    "review": [],
    "forget": ["{memory}"],
    "rewind": ["{turn}"],
    "reroll": ["{turn}", "{word}군요"],
    "history": ["{memory}"],
    "undo": ["{memory}", "--to", "1"],
    "edit": ["{turn}", "--text", "나 {word} 싫어해"],
    "maintain": [],
    "erase": ["--matching", "{head}"],
    "hold": ["--release"],
    "retain": [],
    "export": ["out.zip"],
}
#: What is about the whole bank, or about none.
OF_NO_SCOPE = {
    "scopes": "names scopes to whoever holds the file",
    "doctor": "counts",
    "backup": "names files",
    "restore": "names files",
    "rekey": "names the bank",
    "scrub": "counts",
    "erasures": "digests and counts",
    "reindex": "counts",
    "copy": "counts",
    "migrate": "counts",
    "import": "names the scopes of its file",
    "serve": "walked over the wire",
    "mcp": "walked over the wire",
    "chat": "talks in one scope, as the library does",
    "demo": "has a bank of its own",
    "bench": "has a bank of its own",
    "presets": "opens no bank",
    "init": "opens no bank",
    "explain": "opens no bank",
    "warm": "opens no bank",
    "lift": "names certificates",
}
GROUPS = {"eval", "keys", "cluster", "audit", "reader"}  # of no scope either; the log is walked by the library


def test_every_command_is_walked_or_has_a_reason():
    assert {name for commands in PANELS.values() for name in commands} == {*WALKED, *OF_NO_SCOPE, *GROUPS}


@pytest.fixture
def cast(run):
    dice = random.Random(7)
    found = [each for number, each in enumerate(places(dice)) if number in (0, 3, 5, 6)]  # two of each
    for number, place in enumerate(found):
        for times in range(2):
            place.turns.append(f"t{number}{times}abcdef")
            said = [f"나 {place.word} 좋아해", "--reply", f"{place.word}요?", "--turn-id", place.turns[-1]]
            ran = run("observe", *said, *scope_of(place), "--at", f"2026-03-0{times + 1}T20:00")
            assert ran.code == 0, ran.err
    return found


def scope_of(place):
    return ("-u", place.scope.user, "-c", place.scope.character, "-w", place.scope.world)


def test_no_command_shows_a_word_of_another_scope(run, cast, tmp_path, counts):
    import gieok

    dice = random.Random(6)
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        ids = {id(place): [each.id for each in bank.mind(place.scope).facts()] for place in cast}
    for _ in range(counts(1, 10)):
        for command, asked in WALKED.items():
            place, other = dice.sample(cast, 2)
            given = {"word": place.word, "head": dice.choice(cast).head}
            for owner in (place, other):  # with ids of one's own, and of another's
                given |= {"turn": dice.choice(owner.turns), "memory": dice.choice(ids[id(owner)])}
                for form in ((), ("--json",)):
                    ran = run(command, *(each.format(**given) for each in asked), *scope_of(place), *form)
                    shown = ran.out + ran.err
                    assert "Traceback" not in shown, (command, shown)
                    assert not leaked(shown, place, cast), (command, form)


def test_the_walk_finds_something(run, cast):
    assert cast[0].tail in run("facts", *scope_of(cast[0])).out
    assert leaked(run("facts", *scope_of(cast[1])).out, cast[0], cast)
