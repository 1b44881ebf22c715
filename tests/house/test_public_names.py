"""The names that users may rely on. A change here is a change for them: it belongs in CHANGELOG.md."""

import gieok

PUBLIC = [
    "Block",
    "Claim",
    "Context",
    "Conversation",
    "Decision",
    "Entity",
    "Event",
    "Felt",
    "GieokError",
    "Hit",
    "Ignore",
    "Manners",
    "Memory",
    "MemoryBank",
    "Mind",
    "Observed",
    "Parts",
    "Reinforce",
    "Relationship",
    "Remember",
    "Retract",
    "Scene",
    "Scope",
    "Settings",
    "Supersede",
    "Turn",
    "Utterance",
    "Weights",
    "Where",
    "open",
    "rekey",
    "restore",
]


def test_the_public_names_are_these_and_no_others():
    assert sorted(gieok.__all__) == sorted(PUBLIC)


def test_every_public_name_is_there_and_tells_what_it_is():
    missing = [name for name in PUBLIC if not getattr(gieok, name, None)]
    assert not missing
    silent = [name for name in PUBLIC if not getattr(gieok, name).__doc__]
    assert not silent, f"no docstring: {silent}"
