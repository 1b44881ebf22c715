-- A chain is told by its mark.

CREATE INDEX chains_by_mark ON chains (mark);
