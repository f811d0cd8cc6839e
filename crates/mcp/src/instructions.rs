//! The instructions that a client gets with `initialize`.

/// When to use the tool and when not; under 600 characters.
pub const INSTRUCTIONS: &str = "cortex_graph answers from the code graph of this workspace, \
resolved as a compiler sees it: who calls a function, what an interface call may run, what \
implements an interface, what a change reaches. Ask it before you change a signature, remove or \
rename a symbol, or edit over several files. Each answer says in `completeness` whether sites \
that could not be resolved might belong to it; an empty answer is final only where it is \
complete. Do not use it to read one known file, to find literal text, or for new files: your \
own file tools are better there.";
