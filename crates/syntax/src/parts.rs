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
use std::sync::{Arc, OnceLock};

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

/// Items that are lowered when they are first read.
struct DeferredItems {
    items: OnceLock<Arc<Items>>,
    lower: Box<dyn Fn() -> Arc<Items> + Send + Sync>,
}

impl DeferredItems {
    fn read(&self) -> &Items {
        self.items.get_or_init(&self.lower)
    }
}

impl PartialEq for DeferredItems {
    fn eq(&self, other: &DeferredItems) -> bool {
        self.read() == other.read()
    }
}

impl Eq for DeferredItems {}

impl fmt::Debug for DeferredItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.read(), f)
    }
}

impl Items {
    /// Returns items that `lower` makes when they are first read. A panic of `lower` is one of every
    /// reader, so that no reader takes the file for empty.
    pub fn deferred(lower: impl Fn() -> Arc<Items> + Send + Sync + 'static) -> Arc<Items> {
        Arc::new(Items::new(DeferredItems {
            items: OnceLock::new(),
            lower: Box::new(lower),
        }))
    }

    /// Returns whether nothing is left to lower when the items are read.
    pub fn is_read(&self) -> bool {
        let deferred = (&self.0 as &dyn Any).downcast_ref::<DeferredItems>();
        deferred.is_none_or(|deferred| deferred.items.get().is_some())
    }

    /// Gives deferred items that were not read yet those of the same text, lowered as a whole.
    pub fn lowered_as(&self, items: &Arc<Items>) {
        if let Some(deferred) = (&self.0 as &dyn Any).downcast_ref::<DeferredItems>() {
            // Items that were read already are equal.
            let _ = deferred.items.set(items.clone());
        }
    }
}

/// Returns the part that readers see: that of deferred items is lowered now.
fn seen(part: &dyn Part) -> &dyn Part {
    match (part as &dyn Any).downcast_ref::<DeferredItems>() {
        Some(deferred) => seen(&deferred.read().0),
        None => part,
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
                let known = (&self.0 as &dyn Any).downcast_ref();
                known.or_else(|| (seen(&self.0) as &dyn Any).downcast_ref())
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::addr_eq(self, other) || seen(&self.0).equals(seen(&other.0))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Items;

    #[derive(PartialEq, Eq, Debug)]
    struct Names(Vec<&'static str>);

    #[test]
    fn deferred_items_are_lowered_once_and_equal_to_plain_ones() {
        let lowered = Arc::new(AtomicUsize::new(0));
        let counted = lowered.clone();
        let deferred = Items::deferred(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Arc::new(Items::new(Names(vec!["a"])))
        });
        assert_eq!(lowered.load(Ordering::Relaxed), 0);
        assert_eq!(deferred.downcast::<Names>().unwrap().0, ["a"]);
        assert!(deferred.downcast::<u32>().is_none());
        let plain: Arc<Items> = Arc::new(Items::new(Names(vec!["a"])));
        assert!(*deferred == *plain);
        assert!(*plain == *deferred);
        let other: Arc<Items> = Arc::new(Items::new(Names(vec!["b"])));
        assert!(*deferred != *other);
        assert_eq!(lowered.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn items_lowered_with_the_whole_text_are_not_lowered_again() {
        let whole: Arc<Items> = Arc::new(Items::new(Names(vec!["a"])));
        let deferred = Items::deferred(|| panic!("they are there"));
        deferred.lowered_as(&whole);
        assert_eq!(deferred.downcast::<Names>().unwrap().0, ["a"]);
        whole.lowered_as(&deferred);
    }

    #[test]
    fn items_whose_lowering_panics_are_never_taken_for_empty() {
        let deferred = Items::deferred(|| panic!("broken"));
        for _ in 0..2 {
            let read = std::panic::AssertUnwindSafe(|| deferred.downcast::<Names>().is_none());
            assert!(std::panic::catch_unwind(read).is_err());
        }
    }
}
