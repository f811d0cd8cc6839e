-- Made when the tables are full.

CREATE INDEX symbol_rows_by_id ON symbol_rows (symbol_id);
CREATE INDEX symbol_rows_by_file ON symbol_rows (file_id);
CREATE INDEX symbol_rows_by_parent ON symbol_rows (parent) WHERE kind IN (7, 8);
CREATE INDEX symbol_rows_by_home ON symbol_rows (home) WHERE flags & 64;
CREATE INDEX override_rows_by_target ON override_rows (to_sid);
CREATE INDEX conversion_pairs_by_type ON conversion_pairs (type);
CREATE INDEX conversion_pairs_by_interface ON conversion_pairs (interface);
CREATE INDEX run_sets_by_target ON run_sets (target);
CREATE INDEX run_sites_by_set ON run_sites (set_id, owner);
CREATE INDEX implement_rows_by_interface ON implement_rows (to_sid);
CREATE INDEX unresolved_rows_by_file ON unresolved_rows (file_id);
