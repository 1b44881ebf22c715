"""English text as words: contractions taken apart, chat spelling written out, quotations held together.

Every word remembers where it stood, so that a value can be shown as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_PIECE: Final = re.compile(
    r"\(\d{3}\) ?\d{3}-\d{4}"  # (212) 555-0119
    r"|\d'\d{1,2}(?:\"|'')?(?!\d)"  # 5'11"
    r"|\d+(?:[.,:/-]\d+)*[^\W\d_]*"  # 27, 3/15, 010-1234-5678, 180cm
    r"|[^\W\d_]+(?:[-'&.](?=[^\W_])[^\W\d_]*\d*)*\d*"  # don't, left-handed, R&B, GPT4
    r"|\S"
)
_STRAIGHT: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "″": '"', "′": "'"})
_STAGE: Final = re.compile(r"\*[^*\n]{1,500}\*")
_LONGEST_QUOTE: Final = 400
_ENDINGS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}
_WRITTEN_OUT: Final = {
    "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "can not",
    "cannot": "can not", "wont": "will not", "isnt": "is not", "arent": "are not", "wasnt": "was not",
    "werent": "were not", "havent": "have not", "hasnt": "has not", "hadnt": "had not", "couldnt": "could not",
    "wouldnt": "would not", "shouldnt": "should not", "aint": "am not", "hes": "he is", "shes": "she is",
    "theyre": "they are", "youre": "you are", "thats": "that is", "whats": "what is", "theres": "there is",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "tryna": "trying to", "lemme": "let me",
    "dunno": "do not know", "u": "you", "ur": "your", "r": "are", "rn": "now", "bday": "birthday", "b-day": "birthday",
    "fave": "favorite",
    "fav": "favorite", "favourite": "favorite", "favourites": "favorites", "colour": "color", "favs": "favorites",
    "cuz": "because", "coz": "because", "cos": "because", "bc": "because", "bcuz": "because", "thru": "through",
    "ya": "you", "y'all": "you", "ma'am": "ma'am", "o'clock": "o'clock", "cause": "because", "'cause": "because",
    "til": "until", "tho": "though", "luv": "love", "kinda": "kinda", "sorta": "sorta", "bf": "boyfriend",
    "gf": "girlfriend", "bff": "best friend", "hv": "have", "wfh": "wfh", "mum": "mum", "shoulda": "should have",
    "woulda": "would have", "coulda": "could have", "lil": "little", "def": "definitely", "prob": "probably",
    "probs": "probably", "prolly": "probably", "ppl": "people", "abt": "about", "w": "with", "yrs": "years",
    "&": "and", "ima": "i will", "i'ma": "i will", "imma": "i will", "finna": "going to",
}  # fmt: skip
_AFTER_IS: Final = frozenset("a an the my not been just so really always called named still actually".split())
_ONE_WORD: Final = frozenset({("left", "handed"), ("right", "handed"), ("only", "child")})
_OPENING: Final = frozenset(
    {"and", "but", "so", "because", "cos", "cuz", "bc", "that", "lol", "think", "hey", "hi", "hello", "yo"}
)
_STARTED: Final = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "am"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word, number or mark: as it is compared (`low`), and where it was typed."""

    low: str
    text: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        return not (self.low[:1].isalnum() or self.low[-1:].isalnum())

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()

    @property
    def quoted(self) -> bool:
        return self.text[:1] == '"' and len(self.text) > 1


def straightened(text: str) -> str:
    """Return `text` with typewriter quotes, letter for letter."""
    return text.translate(_STRAIGHT)


def without_stage(text: str) -> str:
    """Return `text` with its stage directions (*waves*) blanked out; one stressed word (I *love* it) is kept."""

    def blank(match: re.Match[str]) -> str:
        inner = match[0][1:-1]
        stressed = " " not in inner.strip() and text[: match.start()].rstrip(" ")[-1:].isalpha()
        return f" {inner} " if stressed else " " * (len(match[0]) - 1) + "\n"

    return _STAGE.sub(blank, text) if "*" in text else text


def words(text: str) -> list[Word]:
    """Return the words of `text`, which has typewriter quotes; a quotation is one word."""
    return list(_written_out(list(_pieces(text))))


def _pieces(text: str) -> Iterator[Word]:
    at = 0
    while True:
        found = _PIECE.search(text, at)
        if found is None:
            return
        if "\n" in text[at : found.start()]:
            yield Word("\n", "\n", found.start(), found.start())
        at = found.end()
        if found[0] == '"':
            close = text.find('"', at, at + _LONGEST_QUOTE)
            if close > at and "\n" not in text[at:close]:
                at = close + 1
                said = text[found.start() : at]
                yield Word(said.strip('" ').casefold(), said, found.start(), at)
                continue
        yield Word(found[0].casefold(), found[0], found.start(), found.end())


def _written_out(pieces: Sequence[Word]) -> Iterator[Word]:
    for at, piece in enumerate(pieces):
        before = pieces[at - 1].low if at else ","
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        if piece.quoted:
            yield piece
        elif (before, piece.low) in _ONE_WORD:
            continue
        elif after is not None and (piece.low, after.low) in _ONE_WORD:
            yield Word(f"{piece.low}-{after.low}", f"{piece.text}-{after.text}", piece.start, after.end)
        elif piece.low == "its" and after is not None and _stands_for_it_is(before, after.low):
            yield from _several(piece, ["it", "is"])
        else:
            yield from _spelt_out(piece)


def _spelt_out(piece: Word) -> Iterator[Word]:
    if piece.low in _WRITTEN_OUT:
        yield from _several(piece, _WRITTEN_OUT[piece.low].split())
    elif "'" in piece.low and piece.low[0].isalpha():
        yield from _taken_apart(piece)
    else:
        yield piece


def _stands_for_it_is(before: str, after: str) -> bool:
    """Whether an "its" without its apostrophe opens a clause or goes before what only "it is" can."""
    return after in _AFTER_IS or after[0].isdigit() or before in _OPENING or not before[-1].isalnum()


def _several(piece: Word, lows: Sequence[str]) -> Iterator[Word]:
    """Yield what a short spelling stands for; the letters belong to the first, the place to all."""
    if len(lows) == 1:
        yield Word(lows[0], piece.text, piece.start, piece.end)
        return
    for low in lows:
        yield Word(low, low, piece.start, piece.end)


def _taken_apart(piece: Word) -> Iterator[Word]:
    low = piece.low
    if low.endswith("n't"):
        stem = _STARTED.get(low, low[:-3])
        yield Word(stem, piece.text[: len(stem)], piece.start, piece.end - 3)
        yield Word("not", "not", piece.end - 3, piece.end)
        return
    for ending, stands_for in _ENDINGS.items():
        if low.endswith(ending):
            cut = piece.end - len(ending)
            stem = low[: -len(ending)]
            for written in _WRITTEN_OUT.get(stem, stem).split():
                yield Word(written, piece.text[: -len(ending)], piece.start, cut)
            yield Word(stands_for, stands_for, cut, piece.end)
            return
    yield piece
