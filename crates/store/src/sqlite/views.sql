-- For users: the tables with texts in place of numbers, under the names that prompts and clients know.

CREATE VIEW symbols AS
SELECT s.symbol_id,
       (SELECT f.file_path FROM files f WHERE f.file_id = s.file_id) AS file_path,
       (SELECT p.module_path FROM packages p WHERE p.package_id = s.package) AS module_path,
       coalesce(s.name, substr(s.symbol_id, -s.name_size)) AS name,
       (SELECT k.name FROM kinds k WHERE k.kind = s.kind) AS kind,
       (SELECT o.symbol_id FROM symbol_rows o WHERE o.sid = s.parent) AS parent_id,
       s.signature,
       s.type_expr,
       NULL AS doc,
       NULL AS mutates,
       CASE WHEN s.flags & 1 THEN 'public' ELSE 'private' END AS visibility,
       (SELECT p.language FROM packages p WHERE p.package_id = s.package) AS language,
       s.flags >> 1 & 1 AS external,
       s.flags >> 2 & 1 AS is_test,
       s.name_line, s.name_col, s.start_line, s.end_line, s.start_pos, s.end_pos
FROM symbol_rows s
WHERE s.kind > 0;

CREATE VIEW functions AS
SELECT s.symbol_id AS function_id,
       (SELECT f.file_path FROM files f WHERE f.file_id = s.file_id) AS file_path,
       (SELECT p.module_path FROM packages p WHERE p.package_id = s.package) AS module_path,
       coalesce(s.name, substr(s.symbol_id, -s.name_size)) AS name,
       s.start_line, s.end_line, s.start_pos, s.end_pos, s.name_line, s.name_col,
       s.signature, NULL AS doc, NULL AS mutates,
       s.kind = 7 AS is_method,
       CASE s.kind WHEN 7 THEN (SELECT coalesce(o.name, substr(o.symbol_id, -o.name_size)) FROM symbol_rows o WHERE o.sid = s.parent) END AS receiver_type_name,
       s.flags & 1 AS is_exported,
       (SELECT p.language FROM packages p WHERE p.package_id = s.package) AS language,
       s.flags >> 1 & 1 AS external
FROM symbol_rows s
WHERE s.kind IN (6, 7);

CREATE VIEW types AS
SELECT s.symbol_id AS type_id,
       (SELECT f.file_path FROM files f WHERE f.file_id = s.file_id) AS file_path,
       (SELECT p.module_path FROM packages p WHERE p.package_id = s.package) AS module_path,
       coalesce(s.name, substr(s.symbol_id, -s.name_size)) AS name,
       (SELECT k.name FROM kinds k WHERE k.kind = s.kind) AS kind,
       s.start_line, s.end_line, s.start_pos, s.end_pos, s.name_line, s.name_col,
       s.signature, NULL AS doc,
       s.flags & 1 AS is_exported,
       (SELECT p.language FROM packages p WHERE p.package_id = s.package) AS language,
       s.flags >> 1 & 1 AS external
FROM symbol_rows s
WHERE s.kind IN (2, 3, 4, 5);

CREATE VIEW function_parameters AS
SELECT s.symbol_id AS function_id, p.position, p.name, p.param_type,
       p.role = 2 AS is_return, p.role = 0 AS is_receiver, p.default_value
FROM parameter_rows p
JOIN symbol_rows s ON s.sid = p.sid;

CREATE VIEW type_fields AS
SELECT t.symbol_id AS type_id, s.symbol_id AS field_id,
       coalesce(s.name, substr(s.symbol_id, -s.name_size)) AS name, s.type_expr AS field_type,
       s.flags & 1 AS is_exported, s.start_line
FROM symbol_rows s
JOIN symbol_rows t ON t.sid = s.parent
WHERE s.kind = 8 AND s.kind IN (7, 8) AND t.kind IN (2, 3, 4, 5);

-- Uses with their lines: those of the owners, and those of the owners' homes. They are two views, so that each is
-- searched from either end.
CREATE VIEW uses_of_owners AS
SELECT c.symbol_id AS from_id, t.symbol_id AS to_id, c.kind AS from_kind, t.package AS to_package,
       u.kind & 31 AS kind, u.kind >> 5 AS flags,
       (SELECT f.file_path FROM files f WHERE f.file_id = o.file_id) AS file_path,
       CASE u.col WHEN 0 THEN NULL ELSE o.start_line + u.dl END AS line,
       CASE u.col WHEN 0 THEN NULL ELSE u.col END AS col
FROM users x
JOIN uses u ON u.owner = x.owner AND u.target = x.target AND u.kind = x.kind
JOIN symbol_rows o ON o.sid = u.owner
JOIN symbol_rows c ON c.sid = u.owner
JOIN symbol_rows t ON t.sid = x.target
WHERE u.kind & 32 = 0;

CREATE VIEW uses_of_homes AS
SELECT c.symbol_id AS from_id, t.symbol_id AS to_id, c.kind AS from_kind, t.package AS to_package,
       u.kind & 31 AS kind, u.kind >> 5 AS flags,
       (SELECT f.file_path FROM files f WHERE f.file_id = o.file_id) AS file_path,
       CASE u.col WHEN 0 THEN NULL ELSE o.start_line + u.dl END AS line,
       CASE u.col WHEN 0 THEN NULL ELSE u.col END AS col
FROM users x
JOIN uses u ON u.owner = x.owner AND u.target = x.target AND u.kind = x.kind
JOIN symbol_rows o ON o.sid = u.owner
JOIN symbol_rows c ON c.sid = o.home
JOIN symbol_rows t ON t.sid = x.target
WHERE u.kind & 32 AND o.flags & 64;

-- What calls may run, a row for each target of each site.
CREATE VIEW runs_of_owners AS
SELECT c.symbol_id AS from_id, t.symbol_id AS to_id, r.resolution, r.reason, r.flags,
       (SELECT f.file_path FROM files f WHERE f.file_id = o.file_id) AS file_path,
       CASE r.col WHEN 0 THEN NULL ELSE o.start_line + r.dl END AS line,
       CASE r.col WHEN 0 THEN NULL ELSE r.col END AS col
FROM run_sets m
JOIN run_sites r ON r.set_id = m.set_id
JOIN symbol_rows o ON o.sid = r.owner
JOIN symbol_rows c ON c.sid = r.owner
JOIN symbol_rows t ON t.sid = m.target
WHERE r.flags & 1 = 0;

CREATE VIEW runs_of_homes AS
SELECT c.symbol_id AS from_id, t.symbol_id AS to_id, r.resolution, r.reason, r.flags,
       (SELECT f.file_path FROM files f WHERE f.file_id = o.file_id) AS file_path,
       CASE r.col WHEN 0 THEN NULL ELSE o.start_line + r.dl END AS line,
       CASE r.col WHEN 0 THEN NULL ELSE r.col END AS col
FROM run_sets m
JOIN run_sites r ON r.set_id = m.set_id
JOIN symbol_rows o ON o.sid = r.owner
JOIN symbol_rows c ON c.sid = o.home
JOIN symbol_rows t ON t.sid = m.target
WHERE r.flags & 1 AND o.flags & 64;

CREATE VIEW use_edges AS SELECT * FROM uses_of_owners UNION ALL SELECT * FROM uses_of_homes;

CREATE VIEW run_edges AS SELECT * FROM runs_of_owners UNION ALL SELECT * FROM runs_of_homes;

CREATE VIEW function_calls AS
SELECT from_id AS caller_function_id, to_id AS callee_function_id, to_id AS callee_name, file_path, line, col,
       'exact' AS resolution, NULL AS reason, flags >> 1 & 1 AS in_literal, flags >> 2 & 1 AS of_literal
FROM use_edges
WHERE kind = 1
UNION ALL
SELECT from_id, to_id, to_id, file_path, line, col,
       CASE resolution WHEN 0 THEN 'exact' WHEN 1 THEN 'dispatch' ELSE 'value' END,
       (SELECT w.name FROM reasons w WHERE w.reason = run_edges.reason),
       flags >> 1 & 1, flags >> 2 & 1
FROM run_edges;

CREATE VIEW type_relationships AS
SELECT a.symbol_id AS from_type_id, b.symbol_id AS to_type_id, 'implements' AS relationship_type,
       i.receiver, i.type_args, NULL AS file_path, NULL AS line, NULL AS col, i.test
FROM implement_rows i
JOIN symbol_rows a ON a.sid = i.from_sid
JOIN symbol_rows b ON b.sid = i.to_sid
WHERE a.kind <> 7
UNION ALL
SELECT from_id, to_id, CASE from_kind WHEN 4 THEN 'inherits' ELSE 'embeds' END,
       NULL, '[]', file_path, line, col, 0
FROM use_edges
WHERE kind = 2;

CREATE VIEW method_implements AS
SELECT a.symbol_id AS from_id, b.symbol_id AS to_id, i.test
FROM implement_rows i
JOIN symbol_rows a ON a.sid = i.from_sid
JOIN symbol_rows b ON b.sid = i.to_sid
WHERE a.kind = 7;

CREATE VIEW imports AS
SELECT file_path,
       coalesce((SELECT p.import_path FROM packages p WHERE p.package_id = to_package), to_id) AS import_path,
       to_id AS resolved_module_path, line AS import_line, col AS import_col, from_id AS module_path
FROM use_edges
WHERE kind = 3;

CREATE VIEW symbol_references AS
SELECT to_id AS symbol_id, from_id, file_path, line, col,
       (SELECT k.name FROM use_kinds k WHERE k.kind = use_edges.kind) AS kind,
       (SELECT k.usage FROM use_kinds k WHERE k.kind = use_edges.kind) AS usage,
       flags >> 1 & 1 AS in_literal
FROM use_edges
WHERE kind BETWEEN 4 AND 20;

CREATE VIEW unresolved_sites AS
SELECT f.file_path, u.line, u.col, u.name, u.arity,
       (SELECT w.name FROM reasons w WHERE w.reason = u.reason) AS reason
FROM unresolved_rows u
JOIN files f ON f.file_id = u.file_id;

-- All edges as the export "json" has them.
CREATE VIEW edges AS
SELECT caller_function_id AS from_id, callee_function_id AS to_id, 'calls' AS type, file_path, line, col,
       resolution, NULL AS kind, reason, in_literal, of_literal, NULL AS receiver, '[]' AS type_args, 0 AS test
FROM function_calls
UNION ALL
SELECT from_type_id, to_type_id, CASE relationship_type WHEN 'implements' THEN 'implements' ELSE 'embeds' END,
       file_path, line, col, NULL, NULL, NULL, 0, 0, receiver, type_args, test
FROM type_relationships
UNION ALL
SELECT from_id, to_id, 'implements', NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, '[]', test
FROM method_implements
UNION ALL
SELECT module_path, resolved_module_path, 'imports', file_path, import_line, import_col,
       NULL, NULL, NULL, 0, 0, NULL, '[]', 0
FROM imports
UNION ALL
SELECT from_id, symbol_id, 'references', file_path, line, col, NULL, kind, NULL, in_literal, 0, NULL, '[]', 0
FROM symbol_references;

CREATE VIEW file_content AS
SELECT file_id, file_path, CAST(sqlar_uncompress(z, size) AS TEXT) AS content
FROM file_text
WHERE z IS NOT NULL;
