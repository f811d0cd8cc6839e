//! Search of declarations by a part of their name: the operation `search`, and `workspace/symbol` of
//! editors.
//!
//! A name matches if it has every letter of the text, in order. A capital of the text matches a
//! capital only, a small letter both. The part before the last `.` or `/` of the text must match the
//! container of the declaration: its type and package, which may go by the name of their clause too.
//! Matches are in this order; of equal ones shorter names are first, then those whose container ends
//! in what was written, then those of earlier packages, in text order:
//!
//! ```text
//! workspace before libraries
//! readall   ReadAll       the whole name
//! read      ReadAll       its beginning
//! ra        ReadAll       each letter begins a word or follows the one before
//! all       ReadBall      in one piece
//! rdl       ReadAll       in pieces
//! ```

mod letters;
mod matches;

pub(crate) use matches::{SearchText, search};
