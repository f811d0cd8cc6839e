-- The words of the texts, without another copy of them (external content).

CREATE VIRTUAL TABLE files_fts USING fts5(
    file_path UNINDEXED,
    content,
    content = 'file_content',
    content_rowid = 'file_id',
    tokenize = "unicode61 separators '._'"
);
