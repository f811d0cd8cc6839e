-- An entry of an index with external content is removed by the words that it was made of, so the old text is
-- needed. A change is one trigger, since the order of several is not defined.

CREATE TRIGGER file_text_added AFTER INSERT ON file_text BEGIN
    INSERT INTO files_fts (rowid, file_path, content)
    SELECT new.file_id, new.file_path, CAST(sqlar_uncompress(new.z, new.size) AS TEXT)
    WHERE new.z IS NOT NULL;
END;

CREATE TRIGGER file_text_changed AFTER UPDATE ON file_text BEGIN
    INSERT INTO files_fts (files_fts, rowid, file_path, content)
    SELECT 'delete', old.file_id, old.file_path, CAST(sqlar_uncompress(old.z, old.size) AS TEXT)
    WHERE old.z IS NOT NULL;
    INSERT INTO files_fts (rowid, file_path, content)
    SELECT new.file_id, new.file_path, CAST(sqlar_uncompress(new.z, new.size) AS TEXT)
    WHERE new.z IS NOT NULL;
END;

CREATE TRIGGER file_text_removed AFTER DELETE ON file_text BEGIN
    INSERT INTO files_fts (files_fts, rowid, file_path, content)
    SELECT 'delete', old.file_id, old.file_path, CAST(sqlar_uncompress(old.z, old.size) AS TEXT)
    WHERE old.z IS NOT NULL;
END;
