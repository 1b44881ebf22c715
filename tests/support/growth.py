"""How much longer a reader takes for a longer text, and texts that make one take long."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from math import log
from time import thread_time

ALLOWED = 1.2  #: exponent: a text of twice the length may take 2.3 times as long
_MARGIN = 0.15  #: of the clock, for a text eight times as long
_CHEAP = 0.05  #: seconds for the longest text, below which nothing can be held up
_TOO_LONG = 4.0  #: seconds after which no longer text is tried
_SIZES = (1, 2, 4, 8)
_NUMBERS = count(10)  #: of texts that no reader has seen

PIECES = (
    "& ", "\n", "\n\n", "\r", "ㅋ", "ㅋㅋ ", "ㅠ", "했대 ", "했대. ", "<", "< ", "<|", "<a", "[", "[ ", "[A",
    "(", ")", "]", "{", "{\"a\":", "}", ">", "010-1234-5678 ", "010-1234-5678", "1 ", "1", "1-", "1.", "1,",
    "1,000 ", "2024", "12-34-", "a@", "a@b.", "a.", "a-", "a_", "a ", "aB ", "A ", "A", "I ", "i like ", "I'm ",
    "가", "가 ", "한", "다", "나 ", "나는 ", "내가 ", "너", "내일 ", "다음 주 ", "3시 ", "3일 전 ",
    "작년 3월부터 ", "5월 ", "오후 ", "in 2020 ", "last ", "오빠 ", "오빠, ", "민수야 ", "민수가 ",
    "민수는 코코를 ", "님 ", "\"", "\" ", "'", "''", "“", "”", "“가” ", "「", "*", "**", "*가* ", "_", "`",
    "```\n", "~", "^", ";", ":", ": ", "!", "?", "? ", ".", ". ", "…", ",", ", ", "|", "/", "//", "http://",
    "https://a ", "\\", "\\n", "-", "--", "- ", "=", "#", "# ", "$", "%", "&", "@", "+", "+82 ", "\t", " ",
    "  ", "\u3000", "\u00a0", "\u200b", "\u200d", "\ufeff", "e\u0301", "\u0301", "ᄀ", "ᅡ", "👩", "👩\u200d",
    "🇰", "❤\ufe0f", "\u202e", "１", "Ａ", "中", "공일", "일이삼", "사오 ", "만", "스물", "서울 ", "서울시 ",
    "서울 강남구 ", "마포구 ", "역삼동 ", "길 1", "Main St ", "1 Main ", "at dot ", " dot a", "메일 ", "mail ",
    "아니 ", "말고 ", "그리고 ", "좋아 ", "싫어 ", "없어 ", "안 ", "살았어 ", "이사 ", "할게 ", "꼭 ",
    "뻥이야 ", "엄마 ", "엄마가 ", "고양이 ", "이름은 ", "알레르기 ", "prefer ", "not ", "quit ", "when ",
    "said ", "나는 어제 친구랑 부산에 가서 회를 먹었어. ", "I went to Busan with my friend yesterday. ",
    "data: ", "<think>", "</think>", "{{user}}", "<b>", "[전화번호]", "[INST]", "씨 ", "그 ", "걔 ", "라고 ",
    "고 ", "서 ", "면 ", "까 ", "잖아 ", "의 ", "백 ", "번째 ",
)  # fmt: skip
#: what may follow a name or a number, many times over
PARTICLES = tuple(
    "이나 이라도 에서는 에게도 으로는 이에요 인데요 이랑은 부터도 까지만 님은 님이랑 씨한테는 은는 이가 "
    "하고도 라고는 에요 이야 쯤에 정도나 년간 시간전 만에만 아야 네요 지요".split()
)
#: those of them that have been trouble, or that are likely to be
OFTEN = (
    "&  ", "\n", "ㅋ", "했대 ", "<", "[", "(", "\"", "“", "*", "`", "{", "010-1234-5678 ", "1 ", "1", "1-",
    "a@", "a.", "a ", "A", "가", "가 ", "내일 ", "다음 주 ", "민수가 ", "오빠, ", "나 ", "\u200b", "e\u0301",
    "👩\u200d", "서울 ", "공일", ".", " ", "나는 어제 친구랑 부산에 가서 회를 먹었어. ",
    "I went to Busan with my friend yesterday. ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grown:
    """A reader that takes longer and longer."""

    reader: str
    piece: str
    seconds: tuple[float, ...]  #: for texts of 1, 2, 4 and 8 parts
    exponent: float

    def __str__(self) -> str:
        taken = " ".join(f"{each * 1000:.1f}" for each in self.seconds)
        return f"{self.reader}({self.piece!r} × n): n^{self.exponent:.2f}; {taken} ms"


def mixtures(number: int, seed: int = 32) -> Iterator[str]:
    """Yield pieces of hostile texts, mixed."""
    dice = random.Random(seed)
    for _ in range(number):
        yield "".join(dice.choices(PIECES, k=dice.choice((2, 2, 3, 5))))


def grown(reader: str, read: Callable[[str], object], piece: str, longest: int) -> Grown | None:
    """Return how the time of `read` grows with `piece` × n up to `longest` characters; None: hardly more than n does.

    What looks too long is measured again, and the least of several readings counts: the machine has other work.
    """
    at_once = _taken(read, _text(piece, longest // 8, 0))
    if at_once * 64 < _CHEAP:  # even if it were quadratic
        return None
    taken: list[float] = []
    for size in _SIZES:
        taken.append(_taken(read, _text(piece, longest * size // 8, size)))
        if taken[-1] > _TOO_LONG:
            break
    if len(taken) < len(_SIZES):
        return Grown(reader, piece, tuple(taken), _exponent(taken))
    least = [9.9] * len(_SIZES)  # of what no cache knows: the first texts may have been analysed for another reader
    for _ in range(10):
        if taken[-1] < _CHEAP or _exponent(taken) <= ALLOWED + _MARGIN:
            return None
        again = [_taken(read, _text(piece, longest * size // 8, next(_NUMBERS))) for size in _SIZES]
        least = taken = [min(pair) for pair in zip(least, again, strict=True)]
    return Grown(reader, piece, tuple(taken), _exponent(taken)) if _exponent(taken) > ALLOWED + _MARGIN else None


def _exponent(taken: list[float]) -> float:
    """Return the exponent over the longer half, where what is paid once weighs least."""
    first = max(0, len(taken) - 3)
    return log(taken[-1] / max(taken[first], 1e-6)) / log(2 ** (len(taken) - 1 - first)) if len(taken) > 1 else 9.9


def _text(piece: str, length: int, number: int) -> str:
    """Return a text whose end is `number`."""
    return (piece * (length // len(piece) + 1))[: length - 5] + f" {number:04d}"


def _taken(read: Callable[[str], object], text: str) -> float:
    gc.collect(0)
    gc.disable()
    begun = thread_time()
    try:
        found = read(text)
        if hasattr(found, "__next__"):
            for _ in found:  # type: ignore[attr-defined]
                pass
    except (ValueError, RecursionError):  # a refusal
        pass
    finally:
        gc.enable()
    return thread_time() - begun
