"""Chat spellings that Kiwi's own correction of typos misses.

It takes 조아해 for a name (there is a Joa in its dictionary) and cuts 시러 into nonsense. Only spellings that
mean nothing else belong here.
"""

from __future__ import annotations

from typing import Any, Final

#: written stem → (tag, standard stem). Kiwi conjugates it and gives it back as written.
STEMS: Final[dict[str, tuple[str, str]]] = {
    "조아하": ("VV", "좋아하"),
    "죠아하": ("VV", "좋아하"),
    "시러하": ("VV", "싫어하"),
    "어케": ("MAG", "어떻게"),
    "갠적": ("NNG", "개인적"),
    "비건": ("NNG", "비건"),  # else 비다 with an ending
    "댕기": ("VV", "다니"),
    "때려치": ("VV", "때려치"),
    "입덕": ("NNG", "입덕"),
    "탈덕": ("NNG", "탈덕"),
    "이직": ("NNG", "이직"),
    "개명": ("NNG", "개명"),
}

#: written word → the morphemes it stands for.
WORDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "조아": (("좋", "VA"), ("어", "EF")),
    "죠아": (("좋", "VA"), ("어", "EF")),
    "조타": (("좋", "VA"), ("다", "EF")),
    "시러": (("싫", "VA"), ("어", "EF")),
    "시룸": (("싫", "VA"), ("음", "EF")),
}


def teach(kiwi: Any) -> None:
    """Add the spellings to `kiwi`'s dictionary."""
    for written, (tag, _) in STEMS.items():
        kiwi.add_user_word(written, tag, 0.0)
    for written, morphemes in WORDS.items():
        kiwi.add_pre_analyzed_word(written, list(morphemes), 0.0)
