-- Format 2.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Ids are never reused (AUTOINCREMENT): a text row and a vector row of one chunk can't be mixed with another's.
CREATE TABLE files (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    path         TEXT NOT NULL UNIQUE,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,  -- 0: written too close to the moment of reading to be trusted, hash again
    hash         BLOB NOT NULL,     -- blake2b-128 of the bytes
    language     TEXT NOT NULL,
    extension    TEXT NOT NULL,
    lines        INTEGER NOT NULL,
    is_test      INTEGER NOT NULL,
    is_generated INTEGER NOT NULL,
    features     TEXT NOT NULL,     -- what the rows of this file were made with (chunker, options)
    model        TEXT,              -- embedding model of its vectors; NULL: no vectors
    project      TEXT,
    pair         TEXT               -- path of the other half of a view / code-behind pair
);

-- Files in scope that hold nothing to index, with what made that certain, so that a refresh need not open them again.
CREATE TABLE skips (
    path     TEXT PRIMARY KEY,
    reason   TEXT NOT NULL,
    detail   TEXT NOT NULL,
    size     INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    features TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id    INTEGER NOT NULL REFERENCES files (id),
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    symbol     TEXT,
    names      TEXT NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (file_id, start_line);

-- Signatures and doc comments are not stored: spans say where the live file has them.
CREATE TABLE symbols (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id        INTEGER NOT NULL REFERENCES files (id),
    parent         INTEGER,           -- the containing symbol of the same file
    doc_id         TEXT NOT NULL,
    name           TEXT NOT NULL,
    kind           TEXT NOT NULL,
    accessibility  TEXT NOT NULL,
    modifiers      TEXT NOT NULL,
    roles          TEXT NOT NULL,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    name_line      INTEGER NOT NULL,
    name_column    INTEGER NOT NULL,
    body_start     INTEGER,
    body_end       INTEGER,
    doc_start      INTEGER
);
CREATE INDEX symbols_by_file ON symbols (file_id);
CREATE INDEX symbols_by_name ON symbols (name COLLATE NOCASE);

-- The text itself is not stored: snippets are read from the live file.
CREATE VIRTUAL TABLE fts USING fts5 (
    stem, directories, names, context, docs, hints, body,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
