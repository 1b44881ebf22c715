-- Erasures follow one another by number, and what was erased is recognised by digests.

ALTER TABLE certificates ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE certificates SET number = (
    SELECT count(*) FROM certificates AS earlier WHERE (earlier.at, earlier.id) <= (certificates.at, certificates.id)
);

-- Secrets that digests are made with: the bank's own, and those of banks that were copied to it.
CREATE TABLE secrets (
    secret TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- By which what was erased is recognised when it is brought back.
CREATE TABLE erased (
    digest TEXT NOT NULL,
    certificate TEXT NOT NULL,  -- of the erasure
    PRIMARY KEY (digest, certificate)
) STRICT, WITHOUT ROWID;

CREATE INDEX erased_by_certificate ON erased (certificate);
