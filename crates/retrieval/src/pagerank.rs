//! Personalised PageRank on the graph of imports: what is near the files that the text leads to.

use crate::layout::Layout;

/// The part of each file's mass that returns to the seeds, and the number of rounds.
const RESTART: f64 = 0.6;
const ROUNDS: usize = 8;

/// Returns the mass of each position after the rounds, for seeds by position. Only positions that count take part.
pub(crate) fn personalised(layout: &Layout, seeds: &[f64], counts: &[bool]) -> Vec<f64> {
    let is_counted = |at: &u32| counts.get(*at as usize) == Some(&true);
    let degree = |at: u32| {
        let neighbours = layout.neighbours(at).iter();
        neighbours.filter(|other| is_counted(other)).count()
    };
    let degrees: Vec<f64> = (0..seeds.len() as u32)
        .map(|at| degree(at) as f64)
        .collect();
    let total: f64 = seeds.iter().sum();
    if total <= 0.0 {
        return vec![0.0; seeds.len()];
    }
    let restart: Vec<f64> = seeds.iter().map(|seed| seed / total).collect();
    let mut mass = restart.clone();
    for _ in 0..ROUNDS {
        let next = restart.iter().zip(0..).map(|(seed, at)| {
            if !is_counted(&at) {
                return 0.0;
            }
            let neighbours = layout
                .neighbours(at)
                .iter()
                .filter(|other| is_counted(other));
            let flows = neighbours.map(|&other| {
                let own = mass.get(other as usize).copied().unwrap_or(0.0);
                let degree = degrees.get(other as usize).copied().unwrap_or(1.0);
                own / degree.max(1.0)
            });
            RESTART * seed + (1.0 - RESTART) * flows.sum::<f64>()
        });
        mass = next.collect();
    }
    mass
}
