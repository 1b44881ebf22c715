"""What a character says where no model speaks for it: phrases, by what was said and by what comes to mind.

It claims nothing: a memory is brought up only if it stands in what a model would have seen, and then as a question or
a quotation, so that nothing is learned from the reply.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from time import sleep
from typing import Any, Final, TypeVar

from gieok.bank import Mind
from gieok.conversation.conversation import reply_in
from gieok.domain.answer import Message, Prompt, Task, Where
from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import ModelFailed
from gieok.language.clauses import clauses
from gieok.language.emotions import feel
from gieok.language.mood import mood
from gieok.language.signs import signs
from gieok.language.text import has_hangul, normalise
from gieok.language.wording import josa
from gieok.words import Language

Answer = TypeVar("Answer")

_SLOT: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_BIT: Final = re.compile(r"\S+\s*|\s+")
_CLOSE: Final = 0.4  #: a cosine from which on a memory is about what was said, even without a common word
_FELT: Final = 0.5  #: a weaker feeling of the user's is not gone into
_LOOKED_BACK: Final = 12  #: turns whose replies are not given again if there are others
_FIRST: Final = ("farewell", "greeting")  #: signs that go before what is felt
_HURTING: Final = frozenset({"insult", "threat", "rejection"})
_WARM: Final = ("affection", "thanks", "praise", "apology")


class Phrasebook:
    """Implements `gieok.ports.Model` for one mind, without a model.

    The same words in the same talk give the same reply; said or answered again, another one. `pause` are the seconds
    between two words, so that a screen can show the reply as it comes. `language` is that of the replies; None: that
    of what was said.
    """

    name = "phrasebook"

    def __init__(self, mind: Mind, *, pause: float = 0.0, language: Language | None = None) -> None:
        self._mind = mind
        self._pause = pause
        self._language = language

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        raise ModelFailed("refused", self.name, f"phrases answer a chat, not {prompt.task!r}")

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        if task != "reply":
            raise ModelFailed("refused", self.name, f"phrases answer a chat, not {task!r}")
        for bit in _BIT.findall(self.reply(messages)):
            sleep(self._pause)
            yield bit

    def reply(self, messages: Sequence[Message]) -> str:
        """Return what is answered to the last of `messages`, of which the first tell what is known."""
        text = messages[-1].content
        seen = "\n".join(message.content for message in messages if message.role == "system")
        table, memory = self._subject(text, seen)
        phrases = _phrases(self._language or ("ko" if has_hangul(text) else "en"), self._style())
        return _chosen(_filled(phrases, table, memory), text, self._mind.turns(_LOOKED_BACK))

    def _subject(self, text: str, seen: str) -> tuple[str, Memory | None]:
        """Return what to speak of: the name of phrases, and a memory where they are about one."""
        shown = {sign.name for sign in signs(text, USER)}
        named = next((each for each in _FIRST if each in shown), None)
        if named is not None:
            return named, None
        if _HURTING & shown:
            return "hurt", None
        if _asks(text):
            known = self._brought_to_mind(text, seen)
            return ("answer", known) if known is not None else ("unknown", None)
        felt = feel(text, speaker=USER)
        warm = next((each for each in _WARM if each in shown), None)
        if warm is None and felt.emotion != "neutral" and felt.intensity >= _FELT:
            return felt.emotion, None
        known = self._brought_to_mind(text, seen) if warm is None else None
        return ("reminded", known) if known is not None else (warm or "listening", None)

    def _brought_to_mind(self, text: str, seen: str) -> Memory | None:
        """Return what the user said of themself that has to do with `text`, if a model would have seen it."""
        hits = self._mind.recall(text, where=Where(about=USER, said_by=USER, kind="memory"))
        near = [hit for hit in hits if hit.parts.keyword > 0 or hit.parts.relevance >= _CLOSE]
        for hit in sorted(near, key=lambda hit: -(hit.parts.keyword + hit.parts.relevance)):
            if isinstance(hit.item, Memory) and " ".join(hit.item.content.split()) in seen:
                return hit.item
        return None

    def _style(self) -> str:
        """Return how the character speaks: as it was asked to, as it does, and politely where nothing is known."""
        manners = self._mind.manners()
        asked, usual = manners.asked_style, manners.of(CHARACTER).style
        style = asked.value if asked is not None else usual.value if usual is not None else "formal"
        return "formal" if style == "formal" else "casual"


def _asks(text: str) -> bool:
    if text.rstrip().endswith(("?", "？")):
        return True
    return has_hangul(text) and any(mood(clause) == "question" for clause in clauses(normalise(text)))


@cache
def _phrases(language: str, style: str) -> Mapping[str, Any]:
    written = tomllib.loads(files(__package__).joinpath(f"phrases.{language}.toml").read_text(encoding="utf-8"))
    phrases: Mapping[str, Any] = written.get(style) or written["formal"]
    return phrases


def _filled(phrases: Mapping[str, Any], table: str, memory: Memory | None) -> list[str]:
    if memory is None:
        return list(phrases[table])
    value = memory.surface or memory.value
    known = phrases[table]
    fits = memory.attribute in known and memory.polarity == "+" and value is not None
    slots = {"v": value or "", "content": memory.content}
    return [_fill(each, slots) for each in known[memory.attribute if fits else "any"]]


def _fill(phrase: str, slots: Mapping[str, str]) -> str:
    """Return `phrase` with {name} filled in, and {name:을/를} with the particle that fits."""
    return _SLOT.sub(lambda slot: josa(slots[slot[1]], slot[2]) if slot[2] else slots[slot[1]], phrase)


def _chosen(phrases: Sequence[str], text: str, turns: Sequence[Turn]) -> str:
    """Return the phrase for `text` that was not used lately, or the longest ago; never the one it had last time."""
    lately = [reply_in(turn) for turn in reversed(turns)]
    same = (turn for turn in reversed(turns) if any(each.text == text for each in turn.utterances))
    before = next((reply for turn in same if (reply := reply_in(turn)) in phrases), None)
    start = phrases.index(before) + 1 if before is not None else blake2b(text.encode(), digest_size=2).digest()[0]
    ring = [phrases[(start + step) % len(phrases)] for step in range(len(phrases))]
    others = [each for each in ring if each != before] or ring
    return max(others, key=lambda each: lately.index(each) if each in lately else len(lately))
