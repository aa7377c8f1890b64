-- Jobs that wait or run.
CREATE TABLE jobs (
    id          BIGSERIAL PRIMARY KEY,
    kind        TEXT NOT NULL,
    payload     JSONB NOT NULL,
    attempts    INTEGER NOT NULL DEFAULT 0,
    not_before  TIMESTAMPTZ NOT NULL DEFAULT now(),
    leased_by   TEXT,
    lease_until TIMESTAMPTZ
);

CREATE INDEX jobs_ready ON jobs (not_before) WHERE leased_by IS NULL;

-- Jobs that failed too often, with what the last attempt said.
CREATE TABLE dead_jobs (
    id         BIGINT PRIMARY KEY,
    kind       TEXT NOT NULL,
    payload    JSONB NOT NULL,
    last_error TEXT NOT NULL,
    died_at    TIMESTAMPTZ NOT NULL DEFAULT now()
);
