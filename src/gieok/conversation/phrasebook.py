"""A character's replies without a model: phrases chosen by the user's message and by memories.

It states nothing: a memory or an earlier message is used only if a model would have seen it, and then as a question or
a quotation, so that nothing is learned from the reply.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from hashlib import blake2b
from time import sleep
from typing import Final, TypeVar

from gieok.bank import Mind
from gieok.conversation.conversation import reply_in
from gieok.domain.answer import Message, Prompt, Task, Where
from gieok.domain.memory import Memory
from gieok.domain.turn import USER, Turn, Utterance
from gieok.errors import ModelFailed
from gieok.extract.feelings import feel
from gieok.language.clauses import clauses
from gieok.language.mood import mood
from gieok.language.signs import signs
from gieok.language.terms import index_terms
from gieok.language.text import has_hangul, normalise
from gieok.words import Language, words_in

Answer = TypeVar("Answer")

_BIT: Final = re.compile(r"\S+\s*|\s+")
_MIN_COSINE: Final = 0.4  #: minimum cosine for a related memory, even without a common word
_MIN_INTENSITY: Final = 0.5  #: minimum intensity for replying to a feeling of the user
_RECENT_TURNS: Final = 12  #: recent turns whose replies are avoided
_PRIORITY_SIGNS: Final = ("farewell", "greeting")  #: signs that come before feelings
_HURTING: Final = frozenset({"insult", "threat", "rejection"})
_WARM: Final = ("affection", "thanks", "praise", "apology")
_OWN: Final = Where(about=USER, said_by=USER, kind="memory")


class Phrasebook:
    """Implements `gieok.ports.Model` for one mind, without a model.

    The same text in the same conversation gives the same reply, and a different one when repeated or regenerated.
    `pause` is the time in seconds between words, so that a screen can show the reply gradually. `language` is that of
    the replies; None: that of the message.
    """

    name = "phrasebook"
    scripted = True  #: nothing is learned from its replies

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
        """Return the reply to the last of `messages`. It may refer only to content of the others."""
        *before, asked = messages
        table, item = self._subject(asked.content, "\n".join(each.content for each in before))
        words = words_in(self._language or ("ko" if has_hangul(asked.content) else "en"))
        key = f"phrases.{self._mind.manners().character_style}.{table}"
        match item:
            case None:
                phrases = words.choices(key)
            case Utterance():
                phrases = words.choices(f"{key}.said", text=" ".join(item.text.split()))
            case Memory(subject="other"):
                phrases = words.choices(f"{key}.other", who=item.subject_id, content=item.content)
            case _:
                value = item.surface or item.value
                named = item.attribute in ("likes", "dislikes") and item.polarity == "+" and value is not None
                phrases = words.choices(f"{key}.{item.attribute if named else 'any'}", v=value, content=item.content)
        return _chosen(phrases, asked.content, self._mind.turns(_RECENT_TURNS))

    def _subject(self, text: str, seen: str) -> tuple[str, Memory | Utterance | None]:
        """Return the name of the phrases to use, and the item that they refer to."""
        shown = {sign.name for sign in signs(text, USER)}
        named = next((each for each in _PRIORITY_SIGNS if each in shown), None)
        if named is not None:
            return named, None
        if _HURTING & shown:
            return "hurt", None
        if _asks(text):
            answer = self._answer(text, seen)
            return ("answer", answer) if answer is not None else ("unknown", None)
        felt = feel(text, speaker=USER)
        warm = next((each for each in _WARM if each in shown), None)
        if warm is None and felt.emotion != "neutral" and felt.intensity >= _MIN_INTENSITY:
            return felt.emotion, None
        known = self._related_memory(text, seen, _OWN) if warm is None else None
        return ("reminded", known) if known is not None else (warm or "listening", None)

    def _related_memory(self, text: str, seen: str, where: Where) -> Memory | None:
        """Return the firm memory in `seen` that is closest to `text`."""
        hits = self._mind.recall(text, where=where)
        for hit in sorted(hits, key=lambda hit: hit.parts.keyword + hit.parts.relevance, reverse=True):
            item, near = hit.item, hit.parts.keyword > 0 or hit.parts.relevance >= _MIN_COSINE
            if near and isinstance(item, Memory) and not item.doubtful and " ".join(item.content.split()) in seen:
                return item
        return None

    def _answer(self, text: str, seen: str) -> Memory | Utterance | None:
        """Return the memory or earlier user message that shares most words with `text`."""
        known = self._related_memory(text, seen, Where(kind="memory"))
        asked = {*index_terms(text)}

        def common(item: Memory | Utterance) -> int:
            return len(asked & {*index_terms(item.findable if isinstance(item, Memory) else item.text)})

        for hit in self._mind.recall(text, where=Where(said_by=USER, kind="utterance")):
            said = hit.item
            quotable = isinstance(said, Utterance) and said.text in seen and not _asks(said.text)
            if quotable and common(said) > (common(known) if known is not None else 0):
                return said
        return known


def _asks(text: str) -> bool:
    if text.rstrip().endswith(("?", "？")):
        return True
    return has_hangul(text) and any(mood(clause) == "question" for clause in clauses(normalise(text)))


def _chosen(phrases: Sequence[str], text: str, turns: Sequence[Turn]) -> str:
    """Return a phrase for `text` that was not used recently, else the least recently used; never the last one."""
    lately = [reply_in(turn) for turn in reversed(turns)]
    same = (turn for turn in reversed(turns) if any(each.text == text for each in turn.utterances))
    before = next((reply for turn in same if (reply := reply_in(turn)) in phrases), None)
    start = phrases.index(before) + 1 if before is not None else blake2b(text.encode(), digest_size=2).digest()[0]
    ring = [phrases[(start + step) % len(phrases)] for step in range(len(phrases))]
    others = [each for each in ring if each != before] or ring
    return max(others, key=lambda each: lately.index(each) if each in lately else len(lately))
