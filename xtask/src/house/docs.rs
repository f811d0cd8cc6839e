//! The documentation of a crate: how long its blocks are, how they begin, and which examples are compiled.
//!
//! A block is the doc comment of one item, field, variant, method or module. Its words are counted without
//! its code blocks.

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Field, ImplItem, Item, Lit, Meta, TraitItem, Variant};

use super::source::{Crate, attributes, impl_attributes, trait_attributes};

/// First words of a doc that does not name its subject.
const ROUNDABOUT: &[&str] = &["What", "Whether", "How", "Where", "Of", "One"];

/// Figures about the doc blocks of a crate, or of several.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Docs {
    /// Blocks with at least one word.
    pub blocks: usize,
    /// Words of all blocks, without code blocks.
    pub words: usize,
    /// Blocks that begin with one of What, Whether, How, Where, Of, One.
    pub roundabout: usize,
    /// Code blocks.
    pub fences: usize,
    /// Those that rustdoc compiles.
    pub compiled: usize,
}

impl Docs {
    /// Adds another crate's figures.
    pub fn add(&mut self, other: Docs) {
        self.blocks += other.blocks;
        self.words += other.words;
        self.roundabout += other.roundabout;
        self.fences += other.fences;
        self.compiled += other.compiled;
    }

    /// Words a block on the mean, 0 without blocks.
    pub fn mean(&self) -> f64 {
        ratio(self.words, self.blocks)
    }

    /// The share of roundabout blocks, from 0 to 1.
    pub fn roundabout_share(&self) -> f64 {
        ratio(self.roundabout, self.blocks)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}

/// Counts the doc blocks of a crate.
pub fn count(read: &Crate) -> Docs {
    let mut blocks = Blocks {
        docs: Docs::default(),
        library: read.library,
    };
    for file in &read.files {
        blocks.block(&file.syntax.attrs);
        for item in &file.syntax.items {
            blocks.visit_item(item);
        }
    }
    blocks.docs
}

struct Blocks {
    docs: Docs,
    library: bool,
}

impl<'ast> Visit<'ast> for Blocks {
    fn visit_item(&mut self, item: &'ast Item) {
        self.block(attributes(item));
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        self.block(impl_attributes(item));
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        self.block(trait_attributes(item));
        visit::visit_trait_item(self, item);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        self.block(&field.attrs);
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.block(&variant.attrs);
        visit::visit_variant(self, variant);
    }
}

impl Blocks {
    fn block(&mut self, attributes: &[Attribute]) {
        let mut words = 0;
        let mut first = None;
        let mut fence: Option<&str> = None;
        let lines: Vec<String> = attributes.iter().filter_map(text).collect();
        for line in lines.iter().flat_map(|text| text.lines()) {
            let line = line.trim();
            match fence {
                Some(mark) if line.starts_with(mark) => fence = None,
                Some(_) => {}
                None => {
                    let mark = ["```", "~~~"]
                        .into_iter()
                        .find(|mark| line.starts_with(mark));
                    if let Some(mark) = mark {
                        fence = Some(mark);
                        self.docs.fences += 1;
                        let info = line.trim_start_matches(['`', '~']);
                        self.docs.compiled += usize::from(self.library && is_compiled(info));
                    } else {
                        first = first.or_else(|| line.split_whitespace().next());
                        words += line.split_whitespace().count();
                    }
                }
            }
        }
        let Some(first) = first else {
            return;
        };
        self.docs.blocks += 1;
        self.docs.words += words;
        let first = first.trim_matches(|mark: char| !mark.is_alphanumeric());
        self.docs.roundabout += usize::from(ROUNDABOUT.contains(&first));
    }
}

/// The text of a doc comment.
fn text(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether rustdoc compiles a code block with these words after the fence: nothing there, or only what
/// says how Rust is to be compiled or run.
fn is_compiled(info: &str) -> bool {
    let words = info.split([',', ' ', '\t', '{', '}']);
    words.filter(|word| !word.is_empty()).all(|word| {
        let error = word
            .strip_prefix('E')
            .is_some_and(|code| code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit()));
        error
            || word.starts_with("edition")
            || [
                "rust",
                "should_panic",
                "no_run",
                "compile_fail",
                "test_harness",
            ]
            .contains(&word)
            || word == "standalone_crate"
    })
}

#[cfg(test)]
mod tests {
    use super::{Docs, count};
    use crate::house::source::inline;

    fn docs(text: &str) -> Docs {
        count(&inline("c", &[("lib.rs", text)]))
    }

    #[test]
    fn every_documented_place_is_a_block() {
        let text = "//! The crate.\n\n/// A type.\n/// Two lines.\n#[derive(Clone)]\npub struct A {\n  /// Field.\n  pub x: u8,\n}\n\
                    /// An enum.\nenum B {\n  /// Variant.\n  C,\n}\n\
                    impl A {\n  /// Method.\n  fn f() {}\n}\n\
                    mod m {\n  //! Inner.\n}\n\
                    trait T {\n  /// Declared.\n  fn g();\n}\n";
        let found = docs(text);
        assert_eq!(found.blocks, 8);
        assert_eq!(found.words, 2 + 4 + 1 + 2 + 1 + 1 + 1 + 1);
    }

    #[test]
    fn roundabout_first_words_are_counted() {
        let text = "/// What it is.\nfn a() {}\n/// Whether: so.\nfn b() {}\n/// Whatever.\nfn c() {}\n/// Returns one.\nfn d() {}\n";
        let found = docs(text);
        assert_eq!((found.blocks, found.roundabout), (4, 2));
    }

    #[test]
    fn code_blocks_have_no_words_and_only_those_of_rust_are_compiled() {
        let text = "/// Adds.\n///\n/// ```\n/// let sum = add(1, 2);\n/// ```\n///\n/// ```text\n/// a b c\n/// ```\n\
                    ///\n/// ```rust,ignore\n/// x\n/// ```\n/// ```should_panic\n/// y\n/// ```\nfn add() {}\n";
        let found = docs(text);
        assert_eq!((found.words, found.fences, found.compiled), (1, 4, 2));
    }

    #[test]
    fn examples_of_programs_are_not_compiled() {
        let read = inline("c", &[("main.rs", "//! Runs.\n//! ```\n//! x\n//! ```\n")]);
        let found = count(&read);
        assert_eq!((found.fences, found.compiled), (1, 0));
    }

    #[test]
    fn docs_of_tests_are_not_counted() {
        assert_eq!(
            docs("#[cfg(test)]\nmod t {\n  //! Tests.\n}\n"),
            Docs::default()
        );
    }
}
