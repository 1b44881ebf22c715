"""What a model reads of somebody's feelings, before the classifier and the keywords do."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from gieok.domain.emotion import Felt, valence
from gieok.domain.turn import CHARACTER
from gieok.errors import ModelFailed
from gieok.language.emotions.reading import feel_reply
from gieok.ports import Model
from gieok.prompts.emotion import emotion_prompt
from gieok.prompts.quoting import Language, Line

log = logging.getLogger(__name__)


def felt_in_reply(model: Model, lines: Sequence[tuple[str, str]], character: str, language: Language) -> Felt | None:
    """Return what the character feels at the end of `lines` (name and text); None: the model gave no answer.

    An answer that cannot be read goes with what the classifier reads in its place, so that the trace can show it.
    """
    quoted = [Line(speaker=speaker, text=text) for speaker, text in lines]
    prompt = emotion_prompt(lines=quoted, speaker=character, language=language)
    try:
        mood = model.ask(prompt)
    except ModelFailed as trouble:
        log.warning("the classifier tells the feeling of this reply: %s", trouble)
        return replace(feel_reply(lines[-1][1]), raw=trouble.answer) if trouble.answer else None
    by = f"{prompt.version} {model.name}"
    return Felt(
        speaker=CHARACTER,
        emotion=mood.emotion,
        intensity=mood.intensity,
        valence=valence(mood.emotion, mood.intensity),
        by=by,
        raw=mood.raw,
    )
