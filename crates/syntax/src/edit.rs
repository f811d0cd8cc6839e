//! What differs between a text and the next one.

/// One edit: the bytes from `start` to `old_end` became those from `start` to `new_end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextEdit {
    pub(crate) start: usize,
    pub(crate) old_end: usize,
    pub(crate) new_end: usize,
}

impl TextEdit {
    /// The one edit that makes a text of another: what stands between their common ends.
    pub(crate) fn between(old: &[u8], new: &[u8]) -> TextEdit {
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

    /// Where an offset of the old text lies in the new one; not for those inside the edit.
    pub(crate) fn moved(&self, offset: u32) -> u32 {
        match offset as usize >= self.old_end {
            true => (offset as usize - self.old_end + self.new_end) as u32,
            false => offset,
        }
    }
}

/// Blocks are compared as a whole, which is much faster than byte by byte.
const BLOCK: usize = 256;

/// How many bytes two sequences of blocks have in common; `bytes` walks one block.
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
    fn an_edit_is_what_stands_between_the_common_ends() {
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
