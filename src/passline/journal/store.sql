-- The store of a journal: its tables, and every statement that reads or writes them, by name.
--
-- A line that ends in --sqlite or --postgresql is for that database alone; a statement ends at an empty line.
-- `revisions` holds what leads from an earlier store to this one: whatever changes in the schema needs a file there.

-- name: schema
CREATE TABLE store (revision BIGINT NOT NULL)                                                        --postgresql

-- Which streams there are, and how often each was taken over; where its chain ends its last entry says.
CREATE TABLE streams (
    stream TEXT NOT NULL,
    fence BIGINT NOT NULL,
    CONSTRAINT pk_streams PRIMARY KEY (stream)
)
WITHOUT ROWID                                                                                        --sqlite

CREATE TABLE entries (
    stream TEXT NOT NULL REFERENCES streams (stream),
    sequence BIGINT NOT NULL,
    key TEXT,
    line BLOB NOT NULL,                                                                              --sqlite
    line BYTEA NOT NULL,                                                                             --postgresql
    CONSTRAINT pk_entries PRIMARY KEY (stream, sequence),
    CONSTRAINT uq_entries_stream_key UNIQUE (stream, key)
)

-- House files, each once; entries name them by their digest.
CREATE TABLE houses (
    digest TEXT NOT NULL,
    file BLOB NOT NULL,                                                                              --sqlite
    file BYTEA NOT NULL,                                                                             --postgresql
    CONSTRAINT pk_houses PRIMARY KEY (digest)
)

-- What the postings of a stream's entries come to. Only the house's own accounts may be below zero.
CREATE TABLE accounts (
    stream TEXT NOT NULL REFERENCES streams (stream),
    account TEXT NOT NULL,
    balance BIGINT NOT NULL,
    CONSTRAINT pk_accounts PRIMARY KEY (stream, account),
    CONSTRAINT ck_accounts_balance CHECK
        (balance >= 0 OR account IN ('bank', 'breakage', 'cage', 'cash', 'promotions', 'tables')),
    CONSTRAINT ck_accounts_whole CHECK (typeof(balance) = 'integer'),                                --sqlite
    CONSTRAINT ck_accounts_range CHECK (balance BETWEEN -1000000000000000000 AND 1000000000000000000)
)
WITHOUT ROWID                                                                                        --sqlite

CREATE TABLE snapshots (
    stream TEXT NOT NULL REFERENCES streams (stream),
    sequence BIGINT NOT NULL,
    line BLOB NOT NULL,                                                                              --sqlite
    line BYTEA NOT NULL,                                                                             --postgresql
    CONSTRAINT pk_snapshots PRIMARY KEY (stream, sequence)
)

CREATE TABLE secrets (
    stream TEXT NOT NULL REFERENCES streams (stream),
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,                                                                            --sqlite
    sealed BYTEA NOT NULL,                                                                           --postgresql
    CONSTRAINT pk_secrets PRIMARY KEY (stream, name)
)

CREATE TABLE heads (
    stream TEXT NOT NULL REFERENCES streams (stream),
    sequence BIGINT NOT NULL,
    time TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    signature TEXT NOT NULL,
    CONSTRAINT pk_heads PRIMARY KEY (stream, sequence, time, key)
)

-- REPLACE would delete without a trigger, so what is there already is refused before.               --sqlite
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries                                             --sqlite
WHEN EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence)            --sqlite
    OR (NEW.sequence <> 1 AND NOT EXISTS                                                             --sqlite
        (SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence - 1))           --sqlite
BEGIN SELECT RAISE(ABORT, 'entries follow one another'); END                                         --sqlite

CREATE TRIGGER no_update_of_entries BEFORE UPDATE ON entries                                         --sqlite
BEGIN SELECT RAISE(ABORT, 'entries are written once and for ever'); END                              --sqlite

CREATE TRIGGER no_delete_of_entries BEFORE DELETE ON entries                                         --sqlite
BEGIN SELECT RAISE(ABORT, 'entries are written once and for ever'); END                              --sqlite

CREATE TRIGGER no_update_of_heads BEFORE UPDATE ON heads                                             --sqlite
BEGIN SELECT RAISE(ABORT, 'heads are written once and for ever'); END                                --sqlite

CREATE TRIGGER no_delete_of_heads BEFORE DELETE ON heads                                             --sqlite
BEGIN SELECT RAISE(ABORT, 'heads are written once and for ever'); END                                --sqlite

CREATE TRIGGER no_update_of_houses BEFORE UPDATE ON houses                                           --sqlite
BEGIN SELECT RAISE(ABORT, 'houses are written once and for ever'); END                               --sqlite

CREATE TRIGGER no_delete_of_houses BEFORE DELETE ON houses                                           --sqlite
BEGIN SELECT RAISE(ABORT, 'houses are written once and for ever'); END                               --sqlite

CREATE TRIGGER no_delete_of_streams BEFORE DELETE ON streams                                         --sqlite
BEGIN SELECT RAISE(ABORT, 'streams are for ever'); END                                               --sqlite

CREATE TRIGGER streams_go_forward BEFORE UPDATE ON streams                                           --sqlite
WHEN NEW.fence < OLD.fence OR NEW.stream <> OLD.stream                                               --sqlite
BEGIN SELECT RAISE(ABORT, 'streams only go forward'); END                                            --sqlite

CREATE FUNCTION passline_for_ever() RETURNS trigger LANGUAGE plpgsql AS                              --postgresql
$$ BEGIN RAISE EXCEPTION 'what is written is for ever'; END $$                                       --postgresql

CREATE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS                               --postgresql
$$ BEGIN IF NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN                                   --postgresql
    RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$                            --postgresql

CREATE FUNCTION passline_in_order() RETURNS trigger LANGUAGE plpgsql AS                              --postgresql
$$ BEGIN IF NEW.sequence <> 1 AND NOT EXISTS                                                         --postgresql
    (SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence - 1) THEN           --postgresql
    RAISE EXCEPTION 'entries follow one another'; END IF; RETURN NEW; END $$                         --postgresql

CREATE TRIGGER entries_in_order BEFORE INSERT ON entries                                             --postgresql
FOR EACH ROW EXECUTE FUNCTION passline_in_order()                                                    --postgresql

CREATE TRIGGER entries_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON entries                       --postgresql
FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()                                              --postgresql

CREATE TRIGGER heads_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON heads                           --postgresql
FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()                                              --postgresql

CREATE TRIGGER houses_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON houses                         --postgresql
FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()                                              --postgresql

CREATE TRIGGER streams_for_ever BEFORE DELETE OR TRUNCATE ON streams                                 --postgresql
FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()                                              --postgresql

CREATE TRIGGER streams_forward BEFORE UPDATE ON streams                                              --postgresql
FOR EACH ROW EXECUTE FUNCTION passline_forward()                                                     --postgresql

INSERT INTO store VALUES (5)                                                                         --postgresql

PRAGMA application_id = 1346458451                                                                   --sqlite

PRAGMA user_version = 5                                                                              --sqlite

-- name: begin_stream
INSERT INTO streams (stream, fence) VALUES (:stream, :fence) ON CONFLICT DO NOTHING

-- name: lock
SELECT stream FROM streams WHERE stream = :stream
FOR UPDATE                                                                                           --postgresql

-- name: ends_so
-- Whether a chain ends as a writer believes; `,"hash":"…"` stands in a line once, for text there is escaped.
SELECT streams.stream FROM streams JOIN entries ON entries.stream = streams.stream
WHERE streams.stream = :stream AND streams.fence = :held AND entries.sequence = :last
    AND instr(entries.line, :hash) > 0                                                               --sqlite
    AND position(:hash IN entries.line) > 0                                                          --postgresql
    AND NOT EXISTS (SELECT 1 FROM entries AS other WHERE other.stream = :stream AND other.sequence = :next)

-- name: take_over
UPDATE streams SET fence = :fence WHERE stream = :stream

-- name: entry
INSERT INTO entries (stream, sequence, key, line) VALUES (:stream, :sequence, :key, :line)

-- name: account
INSERT INTO accounts (stream, account, balance) VALUES (:stream, :account, :balance) ON CONFLICT DO NOTHING

-- name: move
UPDATE accounts SET balance = balance + :more WHERE stream = :stream AND account = :account     --postgresql
UPDATE accounts SET balance = balance + column1 FROM (VALUES (:more, :stream, :account))        --sqlite
WHERE stream = column2 AND account = column3                                                    --sqlite

-- name: keep_snapshot
INSERT INTO snapshots (stream, sequence, line) VALUES (:stream, :sequence, :line) ON CONFLICT DO NOTHING

-- name: keep_secret
INSERT INTO secrets (stream, name, sealed) VALUES (:stream, :name, :sealed) ON CONFLICT DO NOTHING

-- name: keep_house
INSERT INTO houses (digest, file) VALUES (:digest, :file) ON CONFLICT DO NOTHING

-- name: keep_head
INSERT INTO heads (stream, sequence, time, key, hash, signature)
VALUES (:stream, :sequence, :time, :key, :hash, :signature) ON CONFLICT DO NOTHING

-- name: head
SELECT entries.sequence, entries.line, streams.fence FROM streams JOIN entries ON entries.stream = streams.stream
WHERE streams.stream = :stream
    AND entries.sequence = (SELECT max(sequence) FROM entries AS other WHERE other.stream = streams.stream)

-- name: tables
SELECT stream FROM streams ORDER BY stream

-- name: ends
SELECT stream, (SELECT max(sequence) FROM entries WHERE entries.stream = streams.stream) FROM streams ORDER BY stream

-- name: lines
SELECT line FROM entries WHERE stream = :stream AND sequence > :after AND sequence <= :upto ORDER BY sequence

-- name: under_key
SELECT line FROM entries WHERE stream = :stream AND key = :key

-- name: snapshot
SELECT sequence, line FROM snapshots WHERE stream = :stream AND sequence <= :upto ORDER BY sequence DESC LIMIT 1

-- name: secret
SELECT sealed FROM secrets WHERE stream = :stream AND name = :name

-- name: secrets
SELECT name, sealed FROM secrets WHERE stream = :stream ORDER BY name

-- name: house
SELECT file FROM houses WHERE digest = :digest

-- name: balances
SELECT account, balance FROM accounts WHERE stream = :stream ORDER BY account

-- name: heads
SELECT stream, sequence, hash, time, key, signature FROM heads WHERE stream = :stream ORDER BY sequence, time
