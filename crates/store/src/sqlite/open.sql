-- What answers may lack, and what a change of a type breaks: for the engine of codeweft query --engine sql.

-- Sites that are not resolved, as answers count them.
CREATE TABLE open_site_rows (
    site_id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    line INTEGER NOT NULL,      -- 0, as col, without a position
    col INTEGER NOT NULL,
    reason INTEGER NOT NULL,    -- reasons.reason
    flags INTEGER NOT NULL      -- 1 it fits by name and number of arguments; from 2 on: of several sites at the position
);

CREATE TABLE open_sets (
    set_id INTEGER NOT NULL,
    site_id INTEGER NOT NULL,
    PRIMARY KEY (set_id, site_id)
) WITHOUT ROWID;

-- The positions in files that the build configuration leaves out, where what a set is of could be used: numbers of 7 bits a
-- byte, the lowest first (LEB128), three for each position: the file_id less that before, the line, the column. They are
-- twenty times as many as other sites.
CREATE TABLE open_mentions (
    set_id INTEGER PRIMARY KEY,
    positions BLOB NOT NULL
);

-- The set of sites that could add to an answer about a symbol; without a row of kind 1 that of kind 0 counts.
CREATE TABLE open_nodes (
    sid INTEGER NOT NULL,
    kind INTEGER NOT NULL,  -- 0 callers, 1 the same with those of its literals, 2 callees, 3 possible callees, 4 users,
                            -- 5 implementations, 6 supertypes, 7 importers, 8 imports, 9 libraries call it,
                            -- 10 a test runner calls it, 11 it is an entry point, 12 a framework calls it
    set_id INTEGER NOT NULL,
    PRIMARY KEY (sid, kind)
) WITHOUT ROWID;

-- Conversions of values to interfaces, by pair of type and interface.
CREATE TABLE conversion_pairs (
    pair_id INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    interface INTEGER NOT NULL
);

CREATE TABLE conversion_rows (
    pair_id INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    dl INTEGER NOT NULL,
    col INTEGER NOT NULL,
    flags INTEGER NOT NULL,     -- as those of uses
    PRIMARY KEY (pair_id, owner, dl, col)
) WITHOUT ROWID;

-- What runs instead of a class's method; classes that satisfy a protocol; bases behind those of a library.
CREATE TABLE override_rows (
    from_sid INTEGER NOT NULL,
    to_sid INTEGER NOT NULL,
    distance INTEGER NOT NULL,  -- between the classes
    PRIMARY KEY (from_sid, to_sid)
) WITHOUT ROWID;

-- Lines that could not be read.
CREATE TABLE error_lines (
    file_id INTEGER PRIMARY KEY,
    first_line INTEGER NOT NULL,
    lines INTEGER NOT NULL
);

-- The symbols of each name, by a number of the name (24 bits of FNV-1a): an index of a fifth of the size that one of texts
-- has. The sids are as open_mentions has numbers, each less that before.
CREATE TABLE names (
    number INTEGER PRIMARY KEY,
    sids BLOB NOT NULL
);

CREATE VIEW open_sites AS
SELECT s.symbol_id, n.kind AS about, f.file_path, o.line, o.col,
       (SELECT w.name FROM reasons w WHERE w.reason = o.reason) AS reason
FROM open_nodes n
JOIN symbol_rows s ON s.sid = n.sid
JOIN open_sets m ON m.set_id = n.set_id
JOIN open_site_rows o ON o.site_id = m.site_id
JOIN files f ON f.file_id = o.file_id;
