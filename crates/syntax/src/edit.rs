//! The single edit between two successive texts of a file.

/// An edit: the bytes `start..old_end` of the old text were replaced by `start..new_end` of the new
/// one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// The first byte that differs.
    pub start: usize,
    /// One past the last replaced byte of the old text.
    pub old_end: usize,
    /// One past the last new byte of the new text.
    pub new_end: usize,
}

impl TextEdit {
    /// Returns the smallest single edit between two texts: what remains between their common prefix
    /// and suffix.
    ///
    /// ```text
    /// old: a = 1; b = 2;      start   = 4
    /// new: a = 15; b = 2;     old_end = 5, new_end = 6   (common prefix first: `a = 1`)
    /// ```
    pub fn between(old: &[u8], new: &[u8]) -> TextEdit {
        let start = common(old.chunks(BLOCK), new.chunks(BLOCK), |block| block.iter());
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let ends = (old_rest.rchunks(BLOCK), new_rest.rchunks(BLOCK));
        let same = common(ends.0, ends.1, |block| block.iter().rev());
        TextEdit {
            start,
            old_end: old.len() - same,
            new_end: new.len() - same,
        }
    }

    /// Maps an offset of the old text to the new one. Meaningless for offsets inside the edit.
    pub fn moved(&self, offset: u32) -> u32 {
        if offset as usize >= self.old_end {
            (offset as usize - self.old_end + self.new_end) as u32
        } else {
            offset
        }
    }
}

/// Size in bytes of the blocks compared at once, which is much faster than byte by byte.
const BLOCK: usize = 256;

/// Returns the length in bytes of the common prefix of two sequences of blocks; `bytes` iterates
/// over the bytes of a block in the direction of comparison.
fn common<'t, I: Iterator<Item = &'t u8>>(
    old: impl Iterator<Item = &'t [u8]>,
    new: impl Iterator<Item = &'t [u8]>,
    bytes: impl Fn(&'t [u8]) -> I,
) -> usize {
    let mut count = 0;
    for (old, new) in old.zip(new) {
        if old != new {
            let pairs = bytes(old).zip(bytes(new));
            return count + pairs.take_while(|(old, new)| old == new).count();
        }
        count += old.len();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::TextEdit;

    #[test]
    fn an_edit_lies_between_the_common_prefix_and_suffix() {
        let long = "x".repeat(1000);
        for (old, new) in [
            ("", ""),
            ("", "a"),
            ("abc", "abc"),
            ("abc", "aXbc"),
            ("aXbc", "abc"),
            ("aa", "aaa"),
            (&long, &format!("{long}y")),
            (&format!("{long}y{long}"), &format!("{long}{long}")),
            (&format!("{long}y{long}"), &format!("{long}zz{long}")),
        ] {
            let edit = TextEdit::between(old.as_bytes(), new.as_bytes());
            let middle = &new[edit.start..edit.new_end];
            let made = format!("{}{middle}{}", &old[..edit.start], &old[edit.old_end..]);
            assert_eq!(made, new);
            let (gone, come) = (edit.old_end - edit.start, edit.new_end - edit.start);
            assert_eq!(
                gone.min(come),
                usize::from(old.contains('y') && new.contains('z'))
            );
        }
    }
}
