"""A rehearsal before the doors open: everything that is loaded when first needed is needed once, in a bank of its own.

So nobody's first turn is slow, and nothing is loaded while others wait.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gieok.bank import MemoryBank

_LINES: Final = (
    ("나 고양이 좋아해. 이름은 코코야!", "저도 고양이 좋아해요!"),
    ("어제 부산에 다녀왔는데 너무 좋았어 ㅎㅎ", "와, 부산이요? 뭐가 제일 좋았어요?"),
    ("I moved to Seoul last week and I'm allergic to peanuts.", "Noted! No peanuts for you."),
)
#: Seconds after which a thread that computes lets the event loop have the interpreter; Python's own 5 ms add up to
#: lags that callers notice when several threads are at work.
_TURN: Final = 0.001


def rehearse(bank: MemoryBank) -> None:
    """Load everything that serving `bank` takes. Nothing is written to it, and no model is asked."""
    with TemporaryDirectory(prefix="gieok-rehearsal-") as folder:
        stage = str(Path(folder) / "stage.db")
        with MemoryBank(bank.settings.for_a_trial(stage), embedder=bank.embedder) as staged:
            mind = staged.scope(user="관객", character="레티아")
            for text, reply in _LINES:
                mind.observe(text, reply=reply)
            mind.recall("지난주에 내가 뭘 좋아한다고 했지?")
            mind.context("우리 고양이 이름이 뭐였지?")
            mind.maintain()


def settle_interpreter() -> None:
    """Have the interpreter hold up the event loop as little as can be."""
    sys.setswitchinterval(_TURN)
    gc.collect()
    gc.freeze()  # what is loaded stays: looking through it again and again would stop everything for tens of ms
