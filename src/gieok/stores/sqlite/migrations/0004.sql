-- What rules left open for a model, what models were asked, and which replies were broken off.

ALTER TABLE turns ADD COLUMN left_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN cut_off INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_left_open ON turns (scope_id, number) WHERE left_open = 1 AND rewound = 0;

-- What models were asked, a row for each day, task, model and outcome.
CREATE TABLE model_calls (
    day TEXT NOT NULL,  -- UTC
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    failure TEXT NOT NULL,  -- '': it answered
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    answer_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (day, task, model, failure)
) STRICT, WITHOUT ROWID;
