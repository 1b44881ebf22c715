"""What is to be erased, and what remains of it, as JSON."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from gieok.domain.erasure import Certificate, Erasure
from gieok.http.shapes.base import Body, Moment, PlainId, Shape, Text, Word


class WhatToErase(Body):
    """Which part of a scope is to go."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"matching": "보라색 우산"}, {"when": "지난주 화요일", "dry_run": False}]},
    )

    session: Word | None = None
    turn: PlainId | None = None
    matching: Text | None = Field(None, description="Turns, memories and documents in which this stands.")
    when: Word | None = Field(None, description='Said then, in words: "지난주 화요일", "yesterday".')
    since: Moment | None = Field(None, description="Said at this moment of the story or later …")
    until: Moment | None = Field(None, description="… and before this one.")
    everything: bool = Field(False, description="All of the scope.")
    dry_run: bool = Field(True, description="Only tell how much would go.")


class CertificateShape(Shape):
    """That something was erased."""

    model_config = ConfigDict(frozen=True, title="Certificate")

    id: str
    at: Moment
    by: str
    salt: str
    subject: str = Field(description="Digest of the scope's names, with the salt.")
    asked: dict[str, str] = Field(description="Moments as they are, everything else as digests.")
    counts: dict[str, int]
    proven_at: Moment | None = Field(description="When the files were free of it; null: that is not certain yet.")
    means: str
    hash: str

    @classmethod
    def of(cls, certificate: Certificate) -> CertificateShape:
        return cls(
            id=certificate.id,
            at=certificate.at,
            by=certificate.by,
            salt=certificate.salt,
            subject=certificate.subject,
            asked=dict(certificate.asked),
            counts=dict(certificate.counts),
            proven_at=certificate.proven_at,
            means=certificate.means,
            hash=certificate.hash,
        )


class ErasureShape(Shape):
    """What went, or would go."""

    model_config = ConfigDict(frozen=True, title="Erasure")

    dry_run: bool
    counts: dict[str, int]
    certificates: list[CertificateShape]

    @classmethod
    def of(cls, erasure: Erasure) -> ErasureShape:
        return cls(
            dry_run=erasure.dry_run,
            counts=erasure.counts,
            certificates=[CertificateShape.of(each) for each in erasure.certificates],
        )


class Certificates(Shape):
    """What remains of erasures."""

    items: list[CertificateShape]
