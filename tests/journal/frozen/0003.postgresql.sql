CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)

CREATE TABLE streams (
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    hash TEXT NOT NULL,
    fence BIGINT NOT NULL,
    CONSTRAINT pk_streams PRIMARY KEY (stream)
)

CREATE TABLE entries (
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    key TEXT,
    line BYTEA NOT NULL,
    CONSTRAINT pk_entries PRIMARY KEY (stream, sequence),
    CONSTRAINT uq_entries_stream_key UNIQUE (stream, key),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE TABLE postings (
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    number BIGINT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    amount BIGINT NOT NULL,
    CONSTRAINT pk_postings PRIMARY KEY (stream, sequence, number),
    CONSTRAINT ck_postings_amount CHECK (amount > 0),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE TABLE accounts (
    stream TEXT NOT NULL,
    account TEXT NOT NULL,
    balance BIGINT NOT NULL,
    CONSTRAINT pk_accounts PRIMARY KEY (stream, account),
    CONSTRAINT ck_accounts_balance CHECK (balance >= 0 OR account IN ('bank', 'breakage', 'cage', 'cash', 'promotions', 'tables')),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE TABLE snapshots (
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    line BYTEA NOT NULL,
    CONSTRAINT pk_snapshots PRIMARY KEY (stream),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE TABLE secrets (
    stream TEXT NOT NULL,
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    CONSTRAINT pk_secrets PRIMARY KEY (stream, name),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE TABLE heads (
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    time TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    signature TEXT NOT NULL,
    CONSTRAINT pk_heads PRIMARY KEY (stream, sequence, time, key),
    FOREIGN KEY(stream) REFERENCES streams (stream)
)

CREATE FUNCTION passline_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'what is written is for ever'; END $$

CREATE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.sequence < OLD.sequence OR NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$

CREATE FUNCTION passline_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.sequence <> 1 AND NOT EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream AND sequence = NEW.sequence - 1) THEN RAISE EXCEPTION 'entries follow one another'; END IF; RETURN NEW; END $$

CREATE TRIGGER entries_in_order BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION passline_in_order()

CREATE TRIGGER entries_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()

CREATE TRIGGER postings_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON postings FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()

CREATE TRIGGER heads_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON heads FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()

CREATE TRIGGER streams_for_ever BEFORE DELETE OR TRUNCATE ON streams FOR EACH STATEMENT EXECUTE FUNCTION passline_for_ever()

CREATE TRIGGER streams_forward BEFORE UPDATE ON streams FOR EACH ROW EXECUTE FUNCTION passline_forward()

INSERT INTO alembic_version (version_num) VALUES ('0001') RETURNING alembic_version.version_num

DROP TABLE postings

UPDATE alembic_version SET version_num='0002' WHERE alembic_version.version_num = '0001'

ALTER TABLE streams DROP COLUMN sequence

ALTER TABLE streams DROP COLUMN hash

CREATE OR REPLACE FUNCTION passline_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.fence < OLD.fence OR NEW.stream <> OLD.stream THEN RAISE EXCEPTION 'streams only go forward'; END IF; RETURN NEW; END $$

UPDATE alembic_version SET version_num='0003' WHERE alembic_version.version_num = '0002'
