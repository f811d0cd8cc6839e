-- The tables. Numbers inside a file are its own: sid, file_id, package_id, set_id and reason mean nothing
-- in another file, and order no answer. Codes of kinds are the same in all files of this version.

CREATE TABLE cache_metadata (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE kinds (kind INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE use_kinds (kind INTEGER PRIMARY KEY, name TEXT NOT NULL, usage TEXT);    -- in what a type is written
CREATE TABLE reasons (reason INTEGER PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE packages (
    package_id INTEGER PRIMARY KEY,
    module_path TEXT NOT NULL,
    language TEXT NOT NULL,
    import_path TEXT,   -- as an import writes it, if it differs
    directory TEXT,     -- NULL for libraries
    UNIQUE (module_path, language)
);

-- The files of the workspace, also those that the build configuration leaves out (is_built = 0). last_modified
-- is NULL: the graph is of texts, not of times on a disk.
CREATE TABLE files (
    file_id INTEGER PRIMARY KEY,
    file_path TEXT NOT NULL UNIQUE,
    language TEXT,
    module_path TEXT,
    is_test INTEGER NOT NULL DEFAULT 0,
    is_generated INTEGER NOT NULL DEFAULT 0,
    is_built INTEGER NOT NULL DEFAULT 1,
    is_external INTEGER NOT NULL DEFAULT 0,
    unsaved INTEGER NOT NULL DEFAULT 0,
    line_count_total INTEGER,
    line_count_code INTEGER,
    line_count_comment INTEGER,
    line_count_blank INTEGER,
    size_bytes INTEGER, -- in UTF-8, without a byte-order mark
    file_hash TEXT,     -- BLAKE3 of that text
    last_modified TEXT,
    indexed_at TEXT
);

-- Texts as in an SQLite archive: z is compressed by zlib if it is shorter than size, else the text itself;
-- NULL is no text. The sqlite3 shell has sqlar_uncompress; other programs define it in a line.
CREATE TABLE file_text (
    file_id INTEGER PRIMARY KEY,
    file_path TEXT NOT NULL,
    z BLOB,
    size INTEGER
);

-- Declarations, and top levels (kind 0, without an id): the code of home in a file outside all declarations.
CREATE TABLE symbol_rows (
    sid INTEGER PRIMARY KEY,
    symbol_id TEXT,
    name_size INTEGER,  -- characters at the end of symbol_id that are the name
    name TEXT,          -- the name if symbol_id does not end with it
    kind INTEGER,
    package INTEGER,    -- packages.package_id
    parent INTEGER,     -- the sid of the enclosing declaration or package
    home INTEGER,       -- the sid that flag 1 of a use means: the package
    file_id INTEGER,
    flags INTEGER NOT NULL DEFAULT 0,   -- 1 public, 2 external, 4 in a test, 8 of a class, 16 a method
                                        -- of an interface, 32 of an absent package, 64 has a use of its home
    name_line INTEGER,
    name_col INTEGER,
    start_line INTEGER,
    end_line INTEGER,
    start_pos INTEGER NOT NULL, -- 0-based bytes; 0, as end_pos, if it is not known
    end_pos INTEGER NOT NULL,
    signature TEXT,
    type_expr TEXT
);

CREATE TABLE parameter_rows (
    sid INTEGER NOT NULL,
    position INTEGER NOT NULL,
    role INTEGER NOT NULL,  -- 0 receiver, 1 parameter, 2 result
    name TEXT NOT NULL,
    param_type TEXT NOT NULL,
    default_value TEXT,
    PRIMARY KEY (sid, position)
) WITHOUT ROWID;

-- Exact uses, a row each. The owner is the innermost declaration around the use, or a top level; dl is the line less
-- the owner's start_line, col is 1-based in bytes, 0 without a position.
CREATE TABLE uses (
    owner INTEGER NOT NULL,
    dl INTEGER NOT NULL,
    col INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind INTEGER NOT NULL,  -- use_kinds.kind + 32 * flags; flags: 1 of the owner's home, 2 in a function literal,
                            -- 4 only a literal of the target runs
    PRIMARY KEY (owner, dl, col, target, kind)
) WITHOUT ROWID;

-- The owners that use a target: the index of uses by target, a row for all uses of an owner. What walks from
-- target to owner needs no other table.
CREATE TABLE users (
    target INTEGER NOT NULL,
    kind INTEGER NOT NULL,  -- uses.kind
    owner INTEGER NOT NULL,
    PRIMARY KEY (target, kind, owner)
) WITHOUT ROWID;

-- What calls of interfaces, bases and function values may run: a site has a set of targets, which it shares with
-- other sites.
CREATE TABLE run_sets (
    set_id INTEGER NOT NULL,
    target INTEGER NOT NULL,
    PRIMARY KEY (set_id, target)
) WITHOUT ROWID;

CREATE TABLE run_sites (
    owner INTEGER NOT NULL,
    dl INTEGER NOT NULL,
    col INTEGER NOT NULL,
    resolution INTEGER NOT NULL,    -- 0 exact by values, 1 dispatch, 2 value
    reason INTEGER NOT NULL,        -- reasons.reason; 0 without one
    flags INTEGER NOT NULL,         -- as those of uses
    set_id INTEGER NOT NULL,
    PRIMARY KEY (owner, dl, col, resolution, reason, flags, set_id)
) WITHOUT ROWID;

-- Types with the interfaces that they satisfy, methods with the interface methods that they implement.
CREATE TABLE implement_rows (
    from_sid INTEGER NOT NULL,
    to_sid INTEGER NOT NULL,
    type_args TEXT NOT NULL DEFAULT '[]',   -- JSON
    receiver TEXT,
    test INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (from_sid, to_sid, type_args)
) WITHOUT ROWID;

CREATE TABLE unresolved_rows (
    file_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    col INTEGER NOT NULL,
    name TEXT NOT NULL,     -- '' for a call of a function value
    arity INTEGER,          -- NULL if it is not known
    reason INTEGER NOT NULL
);

CREATE TABLE embeddings (
    content_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (content_hash, model)
) WITHOUT ROWID;

CREATE TABLE graph_rag_snapshots (
    id INTEGER PRIMARY KEY,
    snapshot_data BLOB NOT NULL,
    node_count INTEGER NOT NULL,
    edge_count INTEGER NOT NULL,
    community_count INTEGER NOT NULL,
    services_indexed INTEGER NOT NULL,
    created_at TEXT NOT NULL
);
