"""What a turn shows beside its claims: feelings, signs, manners, people, places; and the state it may move."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.apply import PAIR
from gieok.domain.claim import Claim
from gieok.domain.emotion import Felt, valence
from gieok.domain.entity import entity_id
from gieok.domain.judgement import Moment
from gieok.domain.noticed import EntityKind, Manner, Mention, Noticed
from gieok.domain.relationship import Manners
from gieok.domain.scope import Scope
from gieok.domain.state import Alias, ScopeState
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import ModelFailed
from gieok.extract.feelings import feel
from gieok.language.manners import manners_in
from gieok.language.people import mention_of_claim, mentions
from gieok.language.scenes import setting
from gieok.language.signs import signs
from gieok.language.terms import topics_of
from gieok.ports import Model, View
from gieok.prompts.data import Language, Line
from gieok.prompts.tasks import emotion_prompt

log = logging.getLogger(__name__)
_NAMES: Final = ("name", "nickname")
_TITLES: Final = re.compile(r"\s?(?:씨|님|양|군)$|[아야]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """Whom the two know, and what they are called."""

    known: Mapping[str, EntityKind]
    user: tuple[str, ...]  #: the user's names
    character: tuple[str, ...]
    called: tuple[str, ...]  #: how the two address each other

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.user, *self.character)

    def listener(self, speaker: str) -> tuple[str, ...]:
        """Return the names of the one that `speaker` speaks to."""
        return self.user if speaker == CHARACTER else self.character

    def without_own_names(self, manner: Manner) -> Manner:
        """Return `manner` without the speaker's own names as calls: 내 이름은 김민수야 calls nobody."""
        own = self.character if manner.speaker == CHARACTER else self.user
        return replace(
            manner,
            address=None if manner.address in own else manner.address,
            perhaps_called=tuple(name for name in manner.perhaps_called if name not in own),
        )


def manners_of(view: View) -> Manners:
    return ScopeState(view.state_records_by_key([("manners", PAIR)]).items()).get(Manners, PAIR) or Manners()


def acquaintance(view: View, scope: Scope, names: Collection[str]) -> Acquaintance:
    """Return whom the two of a scope know; `names` are the user's known names."""
    manners = manners_of(view)
    addresses = (speech.address.value for speech in (manners.user, manners.character) if speech.address is not None)
    return Acquaintance(
        known=view.known_names(),
        user=tuple(dict.fromkeys((*((scope.user,) if scope.user else ()), *sorted(names)))),
        character=(scope.character,) if scope.character else (),
        called=tuple(dict.fromkeys(addresses)),
    )


def noticed_in(
    turn: Turn, scope: Scope, claims: Sequence[Claim], known: Acquaintance, felt: Sequence[Felt] = ()
) -> Noticed:
    """Read feelings, signs, manners, people and places out of a turn; `felt` is what is known of feelings already."""
    read = {each.speaker: each for each in felt}
    said = turn.utterances
    known = _introduced(known, claims)
    heard = manners_in([(each.speaker, each.text, known.listener(each.speaker)) for each in said])
    manners = tuple(known.without_own_names(each) for each in heard)
    called = (name for each in manners if each.address for name in (each.address, _TITLES.sub("", each.address)))
    known = replace(known, called=tuple(dict.fromkeys((*known.called, *called))))
    shown = tuple(sign for each in said for sign in signs(each.text, each.speaker, known.listener(each.speaker)))
    where = [setting(each.text) for each in said]
    own = [each.text for each in said if each.speaker != CHARACTER]
    return Noticed(
        felt=tuple(read.get(each.speaker) or feel(each.text, speaker=each.speaker) for each in said),
        signs=shown,
        manners=manners,
        mentions=tuple(dict.fromkeys(_mentions(turn, scope, claims, known))),
        place=next((place for place, _ in reversed(where) if place is not None), None),
        daytime=next((daytime for _, daytime in reversed(where) if daytime is not None), None),
        topics=tuple(dict.fromkeys(topic for text in own for topic in topics_of(text, names=known.names))),
        farewell=any(sign.name == "farewell" for sign in shown),
    )


def _introduced(known: Acquaintance, claims: Sequence[Claim]) -> Acquaintance:
    """Return `known` with the names that are told just now."""
    told = [claim for claim in claims if claim.attribute in _NAMES and claim.value is not None]
    users = (claim.value for claim in told if claim.subject == USER)
    characters = (claim.value for claim in told if claim.subject == CHARACTER)
    return replace(
        known,
        user=tuple(dict.fromkeys((*known.user, *(name for name in users if name)))),
        character=tuple(dict.fromkeys((*known.character, *(name for name in characters if name)))),
    )


def _mentions(turn: Turn, scope: Scope, claims: Sequence[Claim], known: Acquaintance) -> Iterator[Mention]:
    for utterance in turn.utterances:
        own = "" if utterance.speaker == USER else (scope.character or "")
        if utterance.speaker not in (USER, CHARACTER):
            yield Mention(name=utterance.speaker, by=utterance.speaker)
            own = utterance.speaker
        yield from mentions(
            utterance.text, utterance.speaker, known.known, parties=known.names, called=known.called, own=own
        )
    for claim in claims:
        mention = mention_of_claim(claim, scope.character or "")
        if mention is not None:
            yield mention


def state_for(view: View, noticed: Noticed | None, moment: Moment) -> ScopeState:
    """Return the state that what is noticed in a turn may change."""
    if noticed is None:
        return ScopeState()
    people = [entity_id(mention.name, moment.channel) for mention in noticed.mentions]
    keys = [("relationship", PAIR), ("manners", PAIR)]
    keys += [(kind, person) for person in people for kind in ("entity", "alias")]
    found = view.state_records_by_key(keys)
    others = [("entity", alias.of) for alias in found.values() if isinstance(alias, Alias)]
    scenes = {("scene", id): scene for id, scene in view.last_state_records("scene")}
    return ScopeState({**found, **(view.state_records_by_key(others) if others else {}), **scenes}.items())


def felt_in_reply(model: Model, lines: Sequence[tuple[str, str]], character: str, language: Language) -> Felt | None:
    """Return what the character feels at the end of `lines` (name and text); None: the model gave no answer.

    An answer that cannot be read is returned with the classifier's feeling instead, so that the trace can show it.
    """
    quoted = [Line(speaker=speaker, text=text) for speaker, text in lines]
    prompt = emotion_prompt(lines=quoted, speaker=character, language=language)
    try:
        mood = model.ask(prompt)
    except ModelFailed as trouble:
        log.warning("the classifier tells the feeling of this reply: %s", trouble)
        return replace(feel(lines[-1][1], speaker=CHARACTER), raw=trouble.answer) if trouble.answer else None
    by = f"{prompt.version} {model.name}"
    return Felt(
        speaker=CHARACTER,
        emotion=mood.emotion,
        intensity=mood.intensity,
        valence=valence(mood.emotion, mood.intensity),
        by=by,
        raw=mood.raw,
    )
