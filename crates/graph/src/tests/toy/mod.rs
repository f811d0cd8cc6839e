//! A toy language, which implements the language boundary over texts of a few words per line.
//!
//! ```text
//! use b                    imports package b
//! fn f : g b.h &k ?M/1     function f: calls g and b.h, uses k as a value, calls M on an unknown
//! abstract I.M 1           method of interface I with signature 1
//! method T.M 1 : f         method of struct T; *T.M is in the pointer's set only
//! ```
//! Other lines: `struct T`, `interface I`, `embed T b.U`, `const c`, `var v : f` (an initialiser),
//! `instance T[int] M 2` (a row of an instance), `excluded`, `broken`. Other items of a body: `~f`
//! inside a literal, `go:f`, `=v` write, `#T` type usage, `%f/M` a call of M chosen by name,
//! `@3` a call of a function value of signature 3, `$x` a local, `{T}` a local struct, `!T.M` a call
//! that no override may replace, `^*T>I` a pointer to T that becomes an I.
//!
//! Values flow by items too: `+T>x`, `+*T>x`, `+&f>x`, `+|I.M>x`, `+\\3>x` (a literal of signature 3)
//! and `+?>x` (anything) begin at a node, `-x>y` flows on, `-x>y|I` only as an I, `I.M<x` calls M
//! through x, `@3<x` calls what x holds, `+[f:T,g$0]` instantiates f. Nodes are locals `x`, `v:V`,
//! `p:f/0`, `r:f/0`, `t:f/0`, `s:3/0` (of a signature), `e:T` (elements), `panic:`.
//!
//! The toy with classes has lines `class C`; `embed C B` makes B a base of C. What runs for an object
//! is its class's own method, else that of the first base, from left to right, that has one.

mod flows;
mod language;
mod load;
mod memo;
mod reading;
mod rules;
mod text;

pub use load::{edit, load, load_in};

use codeweft_db::{Lang, UnitKind};

/// The units of tests, which extend their package.
const IN_TEST: UnitKind = UnitKind::companion(1, "InTest", true);

/// A toy language that replaces one of the languages.
pub struct Toy {
    pub lang: Lang,
    /// Whether types extend what they embed, and types are checked when the code runs.
    pub classes: bool,
    /// Whether each file is a package of its own.
    pub modules: bool,
}

const PLAIN: Toy = Toy {
    lang: codeweft_go_syntax::GO,
    classes: false,
    modules: false,
};

/// A toy that replaces Go.
pub static GO: Toy = PLAIN;

/// A toy that replaces Python.
pub static PYTHON: Toy = Toy {
    lang: codeweft_python_syntax::PYTHON,
    ..PLAIN
};

/// A toy that replaces Python with classes and modules.
pub static CLASSES: Toy = Toy {
    classes: true,
    modules: true,
    ..PYTHON
};
