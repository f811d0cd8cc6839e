//! Queries on texts, defined once for saved and for edited texts.

use crate::{Db, File, Unit};

/// A key of queries on texts.
pub trait TextKey: Copy {
    /// Returns whether the file, or a file of the unit, was opened or edited. Among tracked queries
    /// only those in modules `edited` may call it: see [`File::is_edited`].
    fn is_of_edited_text(self, db: &dyn Db) -> bool;
}

impl TextKey for File {
    fn is_of_edited_text(self, db: &dyn Db) -> bool {
        self.is_edited(db)
    }
}

impl TextKey for Unit {
    fn is_of_edited_text(self, db: &dyn Db) -> bool {
        self.has_edited(db)
    }
}

/// Defines queries on texts, each in a module `saved` and in a module `edited`, and a plain function
/// of the same name that picks one of the two by its key:
///
/// ```text
/// file_bodies(db, file) ─ is_edited? ─ no ──> saved::file_bodies(file)   MEDIUM or HIGH
///                                    └ yes ─> edited::file_bodies(file)  LOW
/// ```
///
/// A tracked query that reads `is_edited` would become LOW for every file, and salsa would then
/// verify it after each keystroke anywhere. So among tracked queries only those in `edited` may call
/// the plain functions.
///
/// The blocks `saved` and `edited` hold what differs, `both` what does not. In `both`, `texts::name`
/// is a query of the same kind of text, of this invocation or of this crate: in `saved` that of the
/// module `saved`, in `edited` the plain function, because a unit with an edited file has saved ones
/// too. The signatures behind the blocks are those of the plain functions.
#[macro_export]
macro_rules! text_queries {
    (
        saved { $($saved:tt)* }
        edited { $($edited:tt)* }
        both { $($both:tt)* }
        $($(#[$docs:meta])* fn $name:ident $(<$life:lifetime>)? ($key:ty) -> $value:ty;)*
    ) => {
        /// Queries on texts that were never opened or edited, and on units that have only such
        /// files. As durable as the files.
        pub mod saved {
            use super::*;

            #[allow(unused_imports, reason = "not every query reads all others")]
            mod texts {
                pub use super::super::saved::{$($name),*};
                pub use $crate::saved::*;
            }

            $($saved)*
            $($both)*
        }

        /// Queries on texts that were opened or edited, and on units with such a file. All of them
        /// are LOW.
        pub mod edited {
            use super::*;

            #[allow(unused_imports, reason = "not every query reads all others")]
            mod texts {
                pub use super::super::{$($name),*};
                pub use $crate::*;
            }

            $($edited)*
            $($both)*
        }

        $(
            $(#[$docs])*
            ///
            /// Among tracked queries only those in `edited` may call this function.
            pub fn $name $(<$life>)? (db: &$($life)? dyn $crate::Db, key: $key) -> $value {
                match $crate::TextKey::is_of_edited_text(key, db) {
                    false => saved::$name(db, key),
                    true => edited::$name(db, key),
                }
            }
        )*
    };
}
