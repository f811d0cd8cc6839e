//! The weights of the formula's terms.

/// The terms of the formula with their weights. Chosen on 207 issues of five open projects; they change only for ones that
/// measure better on tasks that were not used to choose them.
pub(crate) const TERMS: [(&str, f64); 19] = [
    ("bmf", 0.35),
    ("bmf_title", 1.1),
    ("ch_top5", 0.7),
    ("ch_title_top5", 1.25),
    ("path", 0.4),
    ("path_title", 0.4),
    ("tb_last", 0.7),
    ("path_full", 0.4),
    ("path_share", 0.45),
    ("def_max", 0.2),
    ("ppr", 1.1),
    ("dir", 0.3),
    ("h_max", 0.6),
    ("h_sum", 0.55),
    ("recent", 0.4),
    ("aux", -0.6),
    ("len", -0.1),
    ("cursor", 1.0),
    // What declarations mean, by a model that the user adds: it did not help this formula.
    ("meaning", 0.0),
];

/// The names of the terms.
pub const WEIGHT_NAMES: [&str; TERMS.len()] = {
    let mut names = [""; TERMS.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = TERMS[number].0;
        number += 1;
    }
    names
};

/// The weights of the formula's terms, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights([f64; TERMS.len()]);

impl Default for Weights {
    fn default() -> Weights {
        Weights(TERMS.map(|(_, weight)| weight))
    }
}

impl Weights {
    /// Returns the weight of a term; 0 for a name that is none.
    pub fn weight(&self, name: &str) -> f64 {
        let number = TERMS.iter().position(|&(term, _)| term == name);
        number
            .and_then(|number| self.0.get(number))
            .copied()
            .unwrap_or(0.0)
    }

    /// Gives a term another weight.
    ///
    /// # Errors
    /// Returns what to do if no term has the name, or the weight is no finite number.
    pub fn set(&mut self, name: &str, weight: f64) -> Result<(), String> {
        if !weight.is_finite() {
            return Err(format!("{name}: a weight is a finite number"));
        }
        let number = TERMS.iter().position(|&(term, _)| term == name);
        match number.and_then(|number| self.0.get_mut(number)) {
            Some(own) => {
                *own = weight;
                Ok(())
            }
            None => Err(format!(
                "no term of the ranking is named {name}; there are {}",
                WEIGHT_NAMES.join(", ")
            )),
        }
    }
}
