-- Erasures follow one another by number, and what was erased is recognised by digests.

ALTER TABLE certificates ADD COLUMN number bigint NOT NULL DEFAULT 0;
UPDATE certificates SET number = placed.number
FROM (SELECT id, row_number() OVER (ORDER BY at, id) AS number FROM certificates) AS placed
WHERE placed.id = certificates.id;

-- Secrets that digests are made with: the bank's own, and those of banks that were copied to it.
CREATE TABLE secrets (
    secret text COLLATE "C" PRIMARY KEY
);

-- By which what was erased is recognised when it is brought back.
CREATE TABLE erased (
    digest text COLLATE "C" NOT NULL,
    certificate text COLLATE "C" NOT NULL,  -- of the erasure
    PRIMARY KEY (digest, certificate)
);

CREATE INDEX erased_by_certificate ON erased (certificate);
