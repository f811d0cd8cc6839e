//! Cosines: exact for up to 100,000 vectors; of more, only for those that the signs of their numbers say are near.

/// The number of vectors up to which all are compared.
const EXACT: usize = 100_000;

/// The number of vectors that are compared of more.
const COMPARED: usize = 10_000;

/// Returns the cosine of a query and each row, in the order of the rows; `None` for no row, and for those that are not compared.
pub(crate) fn cosines(query: &[f32], rows: &[Option<&[f32]>]) -> Vec<Option<f32>> {
    within(query, rows, EXACT, COMPARED)
}

fn within(
    query: &[f32],
    rows: &[Option<&[f32]>],
    exact: usize,
    compared: usize,
) -> Vec<Option<f32>> {
    if rows.len() <= exact {
        return rows
            .iter()
            .map(|row| Some(cosine(query, (*row)?)))
            .collect();
    }
    // Vectors that agree in most signs have a great cosine (Charikar, Similarity estimation techniques, 2002).
    let near = |row: &[f32]| {
        let pairs = query.iter().zip(row);
        pairs
            .filter(|(one, other)| (**one < 0.0) == (**other < 0.0))
            .count()
    };
    let mut by_signs: Vec<(usize, usize)> = rows
        .iter()
        .enumerate()
        .filter_map(|(number, row)| Some((near((*row)?), number)))
        .collect();
    by_signs.sort_unstable_by_key(|&(near, number)| (std::cmp::Reverse(near), number));
    let mut found = vec![None; rows.len()];
    for (_, number) in by_signs.into_iter().take(compared) {
        let row = rows.get(number).copied().flatten();
        if let (Some(own), Some(row)) = (found.get_mut(number), row) {
            *own = Some(cosine(query, row));
        }
    }
    found
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 3];
    for (one, other) in one.iter().zip(other) {
        sums[0] += one * other;
        sums[1] += one * one;
        sums[2] += other * other;
    }
    let length = (sums[1] * sums[2]).sqrt();
    if length > 0.0 { sums[0] / length } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_vectors_the_nearest_are_among_those_that_are_compared() {
        // A generator of numbers (xorshift), so that the rows are the same every time.
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut number = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let rows: Vec<Vec<f32>> = (0..2_000)
            .map(|_| (0..64).map(|_| number()).collect())
            .collect();
        let rows: Vec<Option<&[f32]>> = rows.iter().map(|row| Some(&**row)).collect();
        let query: Vec<f32> = (0..64).map(|_| number()).collect();
        let all = within(&query, &rows, 2_000, 0);
        let some = within(&query, &rows, 100, 400);
        assert_eq!(some.iter().flatten().count(), 400);
        let best = |found: &[Option<f32>]| {
            let mut order: Vec<usize> = (0..found.len()).collect();
            order.sort_by(|one, other| found[*other].partial_cmp(&found[*one]).expect("numbers"));
            order.truncate(10);
            order
        };
        let (all, some) = (best(&all), best(&some));
        let shared = all.iter().filter(|one| some.contains(one)).count();
        assert!(shared >= 9, "{all:?} {some:?}");
    }

    #[test]
    fn a_vector_of_zeros_is_near_nothing() {
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
    }
}
