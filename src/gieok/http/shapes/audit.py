"""The audit log, as JSON."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict, Field

from gieok.domain.acting import Actor
from gieok.domain.audit import Deed, Finding, Verified
from gieok.http.shapes.base import Page, ScopeShape, Shape, given


class ActorShape(Shape):
    """On whose behalf something was done."""

    model_config = ConfigDict(frozen=True, title="Actor")

    kind: str = Field(description="`key`, `person`, `local` (somebody on the server's machine) or `library`.")
    name: str = Field(description="Of a key what it is called and its id, never the key.")

    @classmethod
    def of(cls, actor: Actor) -> ActorShape:
        return cls(kind=actor.kind, name=actor.name)


class DeedShape(Shape):
    """Who did what, when and why; what was erased is null."""

    model_config = ConfigDict(frozen=True, title="Deed")

    number: int
    at: datetime
    act: str = Field(description="`observe`, `correct`, `restore`, `rewind`, `read`, `erase` …")
    actor: ActorShape | None
    who: str | None = Field(description="What carried it out: a rule, prompt or pass with its version.")
    why: str | None
    targets: list[str] = Field(description="Ids of the turn and the memories that it touched.")
    operation: int | None = Field(description="Its number in the journal, which tells what was before and after.")
    digest: str
    link: str

    @classmethod
    def of(cls, deed: Deed) -> DeedShape:
        return cls(
            number=deed.number,
            at=deed.at,
            act=deed.act,
            actor=given(ActorShape.of, deed.actor),
            who=deed.who,
            why=deed.why,
            targets=list(deed.touched),
            operation=deed.operation,
            digest=deed.digest,
            link=deed.link,
        )


class DeedPage(Page[DeedShape]):
    """One page of the audit log, the newest first."""


class FindingShape(Shape):
    """Something that is not as it was written."""

    model_config = ConfigDict(frozen=True, title="Finding")

    scope: ScopeShape | None = Field(description="Null: it was erased, or nobody knows whose it is.")
    chain: str | None
    number: int | None = Field(description="The first row that is concerned.")
    since: datetime | None = Field(description="The last moment before it that can be relied on.")
    what: str

    @classmethod
    def of(cls, finding: Finding) -> FindingShape:
        chain = finding.chain
        return cls(
            scope=given(ScopeShape.of, chain.scope if chain else None),
            chain=chain.mark if chain else None,
            number=finding.number,
            since=finding.since,
            what=finding.what,
        )


class VerifiedShape(Shape):
    """What came of looking the audit log through."""

    model_config = ConfigDict(frozen=True, title="Verified")

    sound: bool
    chains: int
    deeds: int
    findings: list[FindingShape]

    @classmethod
    def of(cls, verified: Verified) -> VerifiedShape:
        return cls(
            sound=verified.sound,
            chains=verified.chains,
            deeds=verified.deeds,
            findings=[FindingShape.of(each) for each in verified.findings],
        )
