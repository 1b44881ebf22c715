"""How much of the model's window is left for what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.proxy.exchanges import words_of

_OVERHEAD: Final = 4  #: tokens of a message beside its words
_PER_TOKEN: Final = 3  #: characters of names, brackets and tools
_AT_MOST: Final = 2  #: tokens of a character
_FOR_THE_REPLY: Final = 10  #: a tenth, where the client does not say


def room_left(messages: Sequence[Any], beside: int, reply_tokens: int | None, bank: MemoryBank) -> int:
    """Return how many tokens a context may take, at most `context_budget`; below 0: the request is too long as it is.

    What a request costs is counted only where a rough guess does not do.
    """
    window, most = bank.settings.proxy_window, bank.settings.context_budget
    room = window - (window // _FOR_THE_REPLY if reply_tokens is None else reply_tokens)
    said = [each for each in messages if isinstance(each, Mapping)]
    words = [words_of(each) for each in said]
    calls = sum(len(str(each["tool_calls"])) for each in said if each.get("tool_calls"))
    room -= (beside + calls) // _PER_TOKEN + _OVERHEAD * len(said)
    if room - _AT_MOST * sum(map(len, words)) >= most:
        return most
    count = bank.services.recaller.count
    return min(room - sum(map(count, words)), most)
