//! What is computed of the graph as a whole: so far the algorithms alone, free of queries and symbols.

pub(crate) mod elementary_cycles;
