//! BM25 (Robertson and Zaragoza, 2009), with k1 = 1.2.

const K1: f64 = 1.2;

/// Returns how rare a term is among so many documents, of which so many have it.
pub(crate) fn idf(documents: usize, with_term: usize) -> f64 {
    let (all, with) = (documents as f64, with_term as f64);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// Returns what a count says of a document whose length is `length` times the average: more occurrences say ever less. `b`
/// is how much the length counts, from 0 to 1.
pub(crate) fn saturated(count: f64, b: f64, length: f64) -> f64 {
    saturated_by(count, norm(b, length))
}

/// Returns what a count is set against in a document of a length: see [`saturated`].
pub(crate) fn norm(b: f64, length: f64) -> f64 {
    K1 * (1.0 - b + b * length)
}

/// Returns the same as [`saturated`], by the norm of the document.
pub(crate) fn saturated_by(count: f64, norm: f64) -> f64 {
    count * (K1 + 1.0) / (count + norm)
}
