-- Snapshots of before stay: whoever looks back begins at the last one before that, not at the first entry.
CREATE TABLE snapshots_kept (                                                                        --sqlite
    stream TEXT NOT NULL REFERENCES streams (stream),                                                --sqlite
    sequence BIGINT NOT NULL,                                                                        --sqlite
    line BLOB NOT NULL,                                                                              --sqlite
    CONSTRAINT pk_snapshots PRIMARY KEY (stream, sequence)                                           --sqlite
)                                                                                                    --sqlite

INSERT INTO snapshots_kept SELECT stream, sequence, line FROM snapshots                              --sqlite

DROP TABLE snapshots                                                                                 --sqlite

ALTER TABLE snapshots_kept RENAME TO snapshots                                                       --sqlite

ALTER TABLE snapshots DROP CONSTRAINT pk_snapshots,                                                  --postgresql
    ADD CONSTRAINT pk_snapshots PRIMARY KEY (stream, sequence)                                       --postgresql

UPDATE store SET revision = 5                                                                        --postgresql

PRAGMA user_version = 5                                                                              --sqlite
