//! Printing of types for people.

use codeweft_db::{Db, DeclaredIn, NameId, SymbolId};
use codeweft_go_syntax::ChanDir;

use super::{Basic, Ty, Type, table};

/// The limit on the printed length of a type, in bytes.
const MAX_PRINTED: usize = 10_000;

/// Returns a type as the compiler prints it, with full package paths.
pub fn printed(db: &dyn Db, ty: Ty) -> String {
    let mut out = String::new();
    print(db, ty, 0, &mut out);
    out
}

/// Prints a type; `depth` bounds the nesting.
fn print(db: &dyn Db, ty: Ty, depth: u32, out: &mut String) {
    let names = &db.shared().names;
    if depth > 20 || out.len() > MAX_PRINTED {
        out.push('…');
        return;
    }
    let list = |parts: &[Ty], variadic: bool, out: &mut String| {
        for (at, &part) in parts.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            if variadic && at + 1 == parts.len() {
                out.push_str("...");
                if let Type::Slice(element) = table(db).get(part) {
                    print(db, *element, depth + 1, out);
                    continue;
                }
            }
            print(db, part, depth + 1, out);
        }
    };
    match table(db).get(ty) {
        Type::Unknown => out.push('?'),
        Type::Basic(basic) => out.push_str(basic_name(*basic)),
        Type::Pointer(part) => {
            out.push('*');
            print(db, *part, depth + 1, out);
        }
        Type::Slice(part) => {
            out.push_str("[]");
            print(db, *part, depth + 1, out);
        }
        Type::Array(part, len) => {
            match len {
                Some(len) => out.push_str(&format!("[{len}]")),
                None => out.push_str("[?]"),
            }
            print(db, *part, depth + 1, out);
        }
        Type::Map(key, value) => {
            out.push_str("map[");
            print(db, *key, depth + 1, out);
            out.push(']');
            print(db, *value, depth + 1, out);
        }
        Type::Chan(dir, part) => {
            out.push_str(match dir {
                ChanDir::Both => "chan ",
                ChanDir::Send => "chan<- ",
                ChanDir::Receive => "<-chan ",
            });
            print(db, *part, depth + 1, out);
        }
        Type::Func(signature) => {
            out.push_str("func(");
            list(&signature.params, signature.variadic, out);
            out.push(')');
            match *signature.results {
                [] => {}
                [one] => {
                    out.push(' ');
                    print(db, one, depth + 1, out);
                }
                _ => {
                    out.push_str(" (");
                    list(&signature.results, false, out);
                    out.push(')');
                }
            }
        }
        Type::Tuple(parts) => {
            out.push('(');
            list(parts, false, out);
            out.push(')');
        }
        Type::Struct(fields) => {
            out.push_str("struct{");
            for (at, field) in fields.iter().enumerate() {
                if at > 0 {
                    out.push_str("; ");
                }
                if !field.embedded {
                    out.push_str(names.text(field.name.name));
                    out.push(' ');
                }
                print(db, field.ty, depth + 1, out);
            }
            out.push('}');
        }
        Type::Interface(interface) => {
            if interface.methods.is_empty()
                && interface.embeds.is_empty()
                && interface.unions.is_empty()
            {
                out.push_str(if interface.comparable {
                    "comparable"
                } else {
                    "any"
                });
                return;
            }
            out.push_str("interface{");
            let mut first = true;
            let mut separate = |out: &mut String| {
                if !std::mem::take(&mut first) {
                    out.push_str("; ");
                }
            };
            let mut methods: Vec<_> = interface.methods.iter().collect();
            methods.sort_by_key(|(name, ..)| names.text(name.name));
            for (name, signature, _) in methods {
                separate(out);
                out.push_str(names.text(name.name));
                let mut text = String::new();
                print(db, *signature, depth + 1, &mut text);
                out.push_str(text.strip_prefix("func").unwrap_or(&text));
            }
            for &embedded in &interface.embeds {
                separate(out);
                print(db, embedded, depth + 1, out);
            }
            for union in &interface.unions {
                separate(out);
                for (at, &(tilde, term)) in union.iter().enumerate() {
                    if at > 0 {
                        out.push_str(" | ");
                    }
                    if tilde {
                        out.push('~');
                    }
                    print(db, term, depth + 1, out);
                }
            }
            out.push('}');
        }
        Type::Named(symbol, args) => {
            out.push_str(&symbol_name(db, *symbol));
            if !args.is_empty() {
                out.push('[');
                list(args, false, out);
                out.push(']');
            }
        }
        Type::Param(owner, index) => {
            out.push_str(&format!(
                "{}${index}",
                names.text(db.shared().symbols.key(*owner).name)
            ));
        }
    }
}

/// Returns the name of a symbol, qualified by its package's path.
fn symbol_name(db: &dyn Db, symbol: SymbolId) -> String {
    let names = &db.shared().names;
    let mut parts: Vec<NameId> = Vec::new();
    let mut next = Some(symbol);
    let mut home = DeclaredIn::Builtin(codeweft_go_syntax::GO);
    while let Some(symbol) = next {
        let key = db.shared().symbols.key(symbol);
        parts.push(key.name);
        home = key.declared_in;
        next = key.parent;
    }
    let mut text = match home {
        DeclaredIn::Unit(unit) => format!("{}.", names.text(unit.import_path(db))),
        DeclaredIn::Absent(path) => format!("{}.", names.text(path)),
        DeclaredIn::Builtin(_) => String::new(),
    };
    for (at, part) in parts.iter().rev().enumerate() {
        if at > 0 {
            text.push('.');
        }
        text.push_str(names.text(*part));
    }
    text
}

fn basic_name(basic: Basic) -> &'static str {
    match basic {
        Basic::Bool => "bool",
        Basic::String => "string",
        Basic::Int => "int",
        Basic::Int8 => "int8",
        Basic::Int16 => "int16",
        Basic::Int32 => "int32",
        Basic::Int64 => "int64",
        Basic::Uint => "uint",
        Basic::Uint8 => "uint8",
        Basic::Uint16 => "uint16",
        Basic::Uint32 => "uint32",
        Basic::Uint64 => "uint64",
        Basic::Uintptr => "uintptr",
        Basic::Float32 => "float32",
        Basic::Float64 => "float64",
        Basic::Complex64 => "complex64",
        Basic::Complex128 => "complex128",
        Basic::UnsafePointer => "unsafe.Pointer",
        Basic::UntypedBool => "untyped bool",
        Basic::UntypedString => "untyped string",
        Basic::UntypedInt => "untyped int",
        Basic::UntypedRune => "untyped rune",
        Basic::UntypedFloat => "untyped float",
        Basic::UntypedComplex => "untyped complex",
        Basic::UntypedNil => "untyped nil",
    }
}
