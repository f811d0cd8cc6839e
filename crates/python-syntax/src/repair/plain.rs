//! Prepares the bytes of a text for the parser, keeping the length: replaces what the grammar reads
//! differently from the reference, or slowly.

use std::borrow::Cow;

/// A longer run of joined lines (a lone backslash each) is read as blanks: the grammar's scanner
/// reads the rest of the run again for each of its lines, in quadratic time.
const MAX_JOINED: usize = 64;

/// Returns the bytes for the parser. Replaces NUL by a blank, a lone carriage return by a line
/// feed, and a long run of joined lines by blanks. Indentation with a tab after a space is
/// rewritten to the column of the reference (a tab advances to the next multiple of eight; the
/// grammar adds eight).
pub(super) fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let pair = |first, second: fn(u8) -> bool| {
        bytes
            .windows(2)
            .any(|pair| pair[0] == first && second(pair[1]))
    };
    let has_return = bytes.last() == Some(&b'\r') || pair(b'\r', |next| next != b'\n');
    let has_tab = pair(b' ', |next| next == b'\t');
    let runs = joined_runs(bytes);
    if !has_return && !has_tab && runs.is_empty() && !bytes.contains(&0) {
        return Cow::Borrowed(bytes);
    }
    let mut copy = bytes.to_vec();
    for at in 0..copy.len() {
        match copy[at] {
            0 => copy[at] = b' ',
            b'\r' if copy.get(at + 1) != Some(&b'\n') => copy[at] = b'\n',
            _ => {}
        }
    }
    for (start, end) in runs {
        blank_run(&mut copy, start, end);
    }
    if has_tab {
        for line in copy.split_mut(|&byte| byte == b'\n') {
            align(line);
        }
    }
    Cow::Owned(copy)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c')
}

/// Rewrites the indentation of a line to the column of the reference if a tab follows a space.
fn align(line: &mut [u8]) {
    let blanks = line
        .iter()
        .take_while(|&&byte| matches!(byte, b' ' | b'\t'));
    let len = blanks.count();
    let blanks = &mut line[..len];
    if blanks.windows(2).any(|pair| pair == b" \t") {
        let column = blanks.iter().fold(0, |column, byte| match byte {
            b' ' => column + 1,
            _ => (column / 8 + 1) * 8,
        });
        // A form feed resets the column.
        let tabs_end = len - column % 8;
        let tabs_start = tabs_end - column / 8;
        blanks[..tabs_start].fill(b'\x0c');
        blanks[tabs_start..tabs_end].fill(b'\t');
        blanks[tabs_end..].fill(b' ');
    }
}

/// Returns the offset after a backslash with its line break and the blanks that follow.
fn after_join(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = match bytes.get(at..)? {
        [b'\\', b'\n', ..] => at + 2,
        [b'\\', b'\r', b'\n', ..] => at + 3,
        _ => return None,
    };
    while bytes.get(end).is_some_and(|&byte| is_blank(byte)) {
        end += 1;
    }
    Some(end)
}

/// Returns the runs of more than [`MAX_JOINED`] joins, without the first join, which may follow a
/// comment, and the last one.
fn joined_runs(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'\\') {
        at += found;
        let Some(start) = after_join(bytes, at) else {
            at += 1;
            continue;
        };
        let (mut last, mut end, mut count) = (at, start, 1);
        while let Some(next) = after_join(bytes, end) {
            (last, end) = (end, next);
            count += 1;
        }
        if count > MAX_JOINED {
            runs.push((start, last));
        }
        at = end;
    }
    runs
}

/// Overwrites a run with blanks that leave the column of the line unchanged.
fn blank_run(copy: &mut [u8], start: usize, end: usize) {
    let (before, rest) = copy.split_at_mut(start);
    let run = &mut rest[..end - start];
    // The run is preceded by its first join and the blanks after that.
    let join = before.iter().rposition(|&byte| byte == b'\\').unwrap_or(0);
    let line = before[..join].iter().rposition(|&byte| byte == b'\n');
    let lead = &before[line.map_or(0, |line| line + 1)..join];
    let behind = &before[join..];
    if !lead.iter().all(|&byte| is_blank(byte)) {
        run.fill(b' ');
        return;
    }
    let blanks = lead.iter().chain(behind);
    let column = blanks.fold(0usize, |column, byte| match byte {
        b' ' => column + 1,
        b'\t' => column + 8,
        b'\x0c' => 0,
        _ => column,
    });
    // A form feed resets the column.
    let column = column.min(run.len() - 1);
    let (anew, blanks) = run.split_at_mut(run.len() - column);
    anew.fill(b'\x0c');
    blanks.fill(b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of joins that remain.
    fn joins(bytes: &[u8]) -> usize {
        let pairs = bytes.windows(2).filter(|pair| pair == b"\\\n");
        pairs.count()
    }

    #[test]
    fn a_long_run_of_joined_lines_leaves_two_joins() {
        let text = format!("x = {}1\n", "\\\n".repeat(40_000));
        let read = plain(text.as_bytes());
        assert_eq!((read.len(), joins(&read)), (text.len(), 2));
        let spread = format!("    {}x = 1\n", "\\\n \t".repeat(40_000));
        let read = plain(spread.as_bytes());
        assert_eq!((read.len(), joins(&read)), (spread.len(), 2));
    }

    #[test]
    fn a_short_run_of_joined_lines_stays() {
        let text = format!("x = {}1\n", "\\\n".repeat(MAX_JOINED));
        assert_eq!(&*plain(text.as_bytes()), text.as_bytes());
    }
}
