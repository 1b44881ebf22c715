"""Looking a chain through: whether every deed is there, as it was written and where it was written."""

from __future__ import annotations

from datetime import datetime

from gieok.domain.audit import ERASE, ERASED, Chain, Deed, Finding, first_link, link_of, names_digest


class ChainCheck:
    """Takes the deeds of a chain in order, and tells what is wrong with them."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.findings: list[Finding] = []
        self.bare: list[Deed] = []  #: deeds without texts that no erasure was seen for yet
        self.expected = 1
        self.trusted: datetime | None = None  #: when the last deed that is as it should be was written
        self.last: Deed | None = None
        self._before = {first_link(chain.mark, chain.since)}  #: what the link before may have been

    def take(self, deed: Deed) -> None:
        if deed.number > self.expected:
            self._missing(self.expected, deed.number - 1)
            self._before = set()
        elif deed.number < self.expected:
            self._find(deed.number, f"row {deed.number} was added before the first one")
            return
        self._check_link(deed)
        self._check_names(deed)
        self._note_erasures(deed)
        self.expected = deed.number + 1
        self.last = deed

    def end(self) -> None:
        """All deeds were taken: see whether the chain ends where it should."""
        length, reached = self.chain.length, self.expected - 1
        if reached < length:
            self._missing(self.expected, length)
        elif reached > length:
            self._find(length + 1, f"row {length + 1} and what follows was added: the chain ends with row {length}")
        elif length and self.chain.head not in self._before:
            self._find(length, f"the end of the chain was changed: it does not end with the link of row {length}")
        if not length and self.chain.head:
            self._find(None, "the chain is empty, but its head is that of a deed")
        for deed in self.bare:
            self._find(deed.number, f"row {deed.number} has lost its texts, and no erasure tells of it")
        closed = self.last is not None and self.last.act == ERASED
        if self.chain.scope is None and not self.chain.of_bank and not closed:
            self._find(None, "the scope is gone, but no row tells that it was erased")

    def _check_link(self, deed: Deed) -> None:
        computed = {link_of(before, self.chain.mark, deed) for before in self._before}
        if self._before and deed.link not in computed:
            self._find(deed.number, f"row {deed.number} was changed, or stands where another stood")
        elif self._before:
            self.trusted = deed.at
        self._before = {deed.link} if deed.link in computed else {deed.link, *computed}

    def _check_names(self, deed: Deed) -> None:
        if deed.name_salt is None:
            if deed.actor is not None or deed.who is not None:
                self._find(deed.number, f"row {deed.number} names somebody, but nothing vouches for it")
            return
        told = None
        if deed.actor is not None and deed.who is not None:
            told = names_digest(deed.name_salt, deed.actor, deed.who)
        if told != deed.names:
            self._find(deed.number, f"row {deed.number}: who did it was changed")

    def _note_erasures(self, deed: Deed) -> None:
        if deed.act == ERASED:
            self.bare.clear()
        elif deed.act == ERASE:
            covered = deed.covered
            self.bare = [
                each
                for each in self.bare
                if each.name_salt is None or not any(first <= each.number <= last for first, last in covered)
            ]
        if deed.salt is None or deed.name_salt is None:
            self.bare.append(deed)

    def _missing(self, first: int, last: int) -> None:
        told = f"row {first} is missing" if first == last else f"rows {first} to {last} are missing"
        self._find(first, told)

    def _find(self, number: int | None, what: str) -> None:
        self.findings.append(Finding(chain=self.chain, number=number, since=self.trusted, what=what))
