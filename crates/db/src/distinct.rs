//! Lists of rows whose order means nothing.

/// Returns a list sorted and distinct, so that rows collected in any order are equal values.
///
/// ```
/// assert_eq!(*codeweft_db::distinct(vec![2, 1, 2]), [1, 2]);
/// ```
pub fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
    list.sort_unstable();
    list.dedup();
    list.into()
}
