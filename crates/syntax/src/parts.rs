//! The data that each language defines for itself, behind erased types: the parts of a
//! [`crate::FileIr`] and a build configuration.
//!
//! ```
//! use std::sync::Arc;
//! use codeweft_syntax::Header;
//!
//! #[derive(PartialEq, Eq, Debug)]
//! struct Imports(Vec<String>);
//!
//! let erased: Arc<Header> = Arc::new(Header::new(Imports(vec!["os".into()])));
//! assert_eq!(erased.downcast::<Imports>().unwrap().0, ["os"]);
//! assert!(erased.downcast::<u32>().is_none()); // the header of another language
//! ```

use std::any::Any;
use std::fmt;

/// A value that can be an erased part: data with equality.
pub trait Part: Any + Send + Sync + fmt::Debug {
    /// Returns whether the other part is of the same type and equal.
    fn equals(&self, other: &dyn Part) -> bool;
}

impl<T: Any + Send + Sync + fmt::Debug + Eq> Part for T {
    fn equals(&self, other: &dyn Part) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }
}

/// Defines an erased part: a struct that is unsized where the language is unknown, so that an
/// `Arc` of it is one allocation.
macro_rules! erased {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub struct $name<T: ?Sized = dyn Part>(T);

        impl<T: Part> $name<T> {
            /// Returns the part of a language, to be erased by coercion behind a pointer.
            pub fn new(part: T) -> Self {
                $name(part)
            }
        }

        impl $name {
            /// Returns the part as that of one language; `None` if it is another language's.
            pub fn downcast<T: Part>(&self) -> Option<&T> {
                (&self.0 as &dyn Any).downcast_ref()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::addr_eq(self, other) || self.0.equals(&other.0)
            }
        }

        impl Eq for $name {}

        impl<T: fmt::Debug + ?Sized> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

erased! {
    /// The header of a file: its imports, and what else is before the declarations.
    Header
}
erased! {
    /// The declarations of a file.
    Items
}
erased! {
    /// The bodies of a file.
    Bodies
}
erased! {
    /// The build configuration of a language.
    Configuration
}
